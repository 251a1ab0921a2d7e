package review

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"goalproof/arimaa"
)

// Record is a game with what its record says besides the turns.
type Record struct {
	Name         string // of the file, or the id in an archive
	Gold, Silver string // the players; "" where the record does not say
	Details      arimaa.Details
	Game         *arimaa.Game
	Winner       arimaa.Side // who won, if the game is finished
	Ended        string      // how: "goal", "resignation", "time", ...; "" if it is not finished
}

// endings are the ways to end a game that an archive knows, by their letters.
var endings = map[string]string{
	"g": "goal", "m": "immobilisation", "e": "elimination", "t": "time", "r": "resignation", "i": "illegal turn",
	"f": "forfeit", "a": "abandonment", "s": "score",
}

// code is the letter for how the game ended, "" for what has none.
func (r *Record) code() string {
	for letter, word := range endings {
		if word == r.Ended {
			return letter
		}
	}
	return ""
}

// NewRecord returns a game read from a list of turns. The end is that by the board; else who
// resigns is the side whose turn it is.
func NewRecord(name string, g *arimaa.Game) Record {
	r := Record{Name: name, Game: g}
	last := g.Last()
	if o := g.Outcome(); o.Over() {
		r.Winner, r.Ended = o.Winner, o.Reason.String()
		return r
	}
	switch g.End() {
	case "":
	case "lost":
		r.Winner, r.Ended = last.Side().Other(), "loss"
	default:
		r.Winner, r.Ended = last.Side().Other(), "resignation"
	}
	return r
}

// graphic replaces what is not to be seen, such as characters that control a terminal.
func graphic(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// FromArchive returns a game of an archive, whose turns are in g. Where the board decides it does, whatever
// the archive says.
func FromArchive(a *arimaa.Record, d arimaa.Details, g *arimaa.Game) Record {
	r := NewRecord(graphic(a.ID), g)
	r.Gold, r.Silver = graphic(a.Gold), graphic(a.Silver)
	r.Details = arimaa.Details{
		GoldRating:   graphic(d.GoldRating),
		SilverRating: graphic(d.SilverRating),
		TimeControl:  graphic(d.TimeControl),
		Event:        graphic(d.Event),
	}
	if g.Outcome().Over() {
		return r
	}
	switch a.Result {
	case "w":
		r.Winner = arimaa.Gold
	case "b":
		r.Winner = arimaa.Silver
	default:
		return r
	}
	r.Ended = cmp.Or(endings[a.Termination], "unknown")
	return r
}

// FromTags returns a game that was read with tags. Programs that write chess's names for them say White
// and Black.
func FromTags(name string, a arimaa.Annotated) Record {
	tag := func(names ...string) (value string) {
		for _, name := range names {
			value = cmp.Or(value, a.Tags[name])
		}
		return graphic(value)
	}
	r := NewRecord(name, a.Game)
	r.Gold, r.Silver = tag("Gold", "White"), tag("Silver", "Black")
	r.Details = arimaa.Details{
		GoldRating:   tag("GoldRating", "WhiteElo"),
		SilverRating: tag("SilverRating", "BlackElo"),
		TimeControl:  tag("TimeControl"),
		Event:        tag("Event"),
	}
	if a.Game.Outcome().Over() {
		return r
	}
	switch a.Tags["Result"] {
	case "1-0":
		r.Winner = arimaa.Gold
	case "0-1":
		r.Winner = arimaa.Silver
	default:
		return r
	}
	r.Ended = cmp.Or(endings[tag("ResultCode")], tag("Termination"), "unknown")
	return r
}

// Finished tells whether the record names a winner.
func (r *Record) Finished() bool { return r.Ended != "" }

// Title names the game, its players with their ratings, and the time control.
func (r *Record) Title() string {
	title := r.Name
	if r.Gold != "" || r.Silver != "" {
		gold, silver := rated("gold", r.Details.GoldRating), rated("silver", r.Details.SilverRating)
		title += fmt.Sprintf(": %s (%s) - %s (%s)", cmp.Or(r.Gold, "unknown"), gold, cmp.Or(r.Silver, "unknown"), silver)
	}
	if r.Details.TimeControl != "" {
		title += ", " + r.Details.TimeControl
	}
	return title
}

// rated adds a rating to a side.
func rated(side, rating string) string {
	if rating == "" {
		return side
	}
	return side + ", " + rating
}
