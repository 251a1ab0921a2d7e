package review

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// Record is a game with the other data of its record.
type Record struct {
	Name         string // of the file, or the id in an archive
	Gold, Silver string // the players; "" if unknown
	Details      notation.Details
	Game         *arimaa.Game
	Winner       arimaa.Side // who won, if the record is finished
	Ended        string      // how it ended: "goal", "resignation", "time", ...; "" if it has not
	Undecided    bool        // it ended, but nobody won: an old draw, or a game that broke off
	Notes        []string    // what was mended in the text, each a sentence
}

// endings holds the endings by their letters in an archive (the game room's reasonCodes.html).
// Repetitions and draws are those of games before July 2008.
var endings = map[string]string{
	"g": "goal", "m": "immobilisation", "e": "elimination", "t": "time", "r": "resignation", "i": "illegal turn",
	"f": "forfeit", "a": "abandonment", "s": "score", "p": "repetition", "n": "draw",
}

// unknown is the ending of a record that does not say how the game ended, noted that of one in
// which a player is noted as having lost.
const (
	unknown = "unknown"
	noted   = "loss"
)

// endingOf returns the ending of a letter. One whose meaning is not known stands for itself.
func endingOf(letter string) string {
	switch known := endings[letter]; {
	case known != "":
		return known
	case letter == "":
		return unknown
	}
	return fmt.Sprintf("code %.20s", graphic(letter))
}

// code returns the letter of the ending, "" if it has none.
func (r *Record) code() string {
	for letter, word := range endings {
		if word == r.Ended {
			return letter
		}
	}
	return ""
}

// NewRecord returns the record of a game read from a list of turns. If the game is not over by the
// rules, but marked as resigned or lost, the side to move has lost.
func NewRecord(name string, g *arimaa.Game) Record {
	r := Record{Name: name, Game: g}
	last := g.Last()
	if o := g.Outcome(); o.Over() {
		r.Winner, r.Ended = o.Winner, o.Reason.String()
		return r
	}
	if end := g.End(); end != "" {
		r.Winner, r.Ended = last.Side().Other(), cmp.Or(endings[notation.Ending(end)], noted)
	}
	return r
}

// graphic replaces characters that are not printable, such as control characters.
func graphic(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// FromArchive returns the record of a game g from an archive. A result by the rules overrides that
// of the archive.
func FromArchive(a *notation.Record, g *arimaa.Game) Record {
	r := NewRecord(graphic(a.ID), g)
	r.Gold, r.Silver = graphic(a.Gold), graphic(a.Silver)
	r.Details = notation.Details{
		GoldRating:   graphic(a.Details.GoldRating),
		SilverRating: graphic(a.Details.SilverRating),
		TimeControl:  graphic(a.Details.TimeControl),
		Event:        graphic(a.Details.Event),
		Date:         a.Details.Date,
	}
	if g.Outcome().Over() {
		return r
	}
	switch a.Result {
	case "w":
		r.Winner, r.Ended = arimaa.Gold, endingOf(a.Termination)
	case "b":
		r.Winner, r.Ended = arimaa.Silver, endingOf(a.Termination)
	case "d":
		r.Undecided, r.Ended = true, endings["n"]
	case "u":
		r.Undecided, r.Ended = true, endingOf(a.Termination)
	}
	return r
}

// FromEntry returns the record of a game g that an entry of a text holds, under a name.
func FromEntry(name string, e *notation.Entry, g *arimaa.Game) (r Record) {
	if e.Record != nil {
		r = FromArchive(e.Record, g)
	} else {
		r = FromTags(graphic(name), e.Tags, g)
	}
	r.Notes = e.Sentences()
	return r
}

// FromTags returns the record of a game with tags. The tags of chess, White and Black, are
// understood, too.
func FromTags(name string, tags map[string]string, g *arimaa.Game) Record {
	tag := func(names ...string) (value string) {
		for _, name := range names {
			value = cmp.Or(value, tags[name])
		}
		return graphic(value)
	}
	r := NewRecord(name, g)
	r.Gold, r.Silver = tag("Gold", "White"), tag("Silver", "Black")
	r.Details = notation.Details{
		GoldRating:   tag("GoldRating", "WhiteElo"),
		SilverRating: tag("SilverRating", "BlackElo"),
		TimeControl:  tag("TimeControl"),
		Event:        tag("Event"),
		Date:         tag("Date"),
	}
	if g.Outcome().Over() {
		return r
	}
	switch tags["Result"] {
	case "1-0":
		r.Winner = arimaa.Gold
	case "0-1":
		r.Winner = arimaa.Silver
	case "1/2-1/2":
		r.Undecided = true
	default:
		return r
	}
	r.Ended = cmp.Or(endings[tag("ResultCode")], tag("Termination"), endingOf(tag("ResultCode")))
	return r
}

// Finished reports whether the record names a winner.
func (r *Record) Finished() bool { return r.Ended != "" && !r.Undecided }

// Result says who won and how, such as "gold won by goal", or why nobody did.
func (r *Record) Result() string {
	won := fmt.Sprintf("%v won", r.Winner)
	switch {
	case r.Ended == "":
		return "not finished"
	case r.Undecided && r.Ended == endings["n"]:
		return "a draw by the rules of its time"
	case r.Undecided:
		return fmt.Sprintf("no result: %s", r.Ended)
	}
	switch r.Ended {
	case unknown, noted:
		return won + "; the record does not say how"
	case endings["t"]:
		return won + " on time"
	case endings["i"]:
		return fmt.Sprintf("%s: %v played an illegal turn", won, r.Winner.Other())
	case endings["p"]:
		return fmt.Sprintf("%s: %v repeated a position", won, r.Winner.Other())
	case endings["a"]:
		return won + ": the game was abandoned"
	}
	if r.code() == "" {
		return fmt.Sprintf("%s (%s)", won, r.Ended)
	}
	return won + " by " + r.Ended
}

// Title returns the name of the game, the players with their ratings, and the time control.
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
