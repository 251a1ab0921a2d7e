package review

import (
	"fmt"

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

// FromArchive returns a game of an archive, whose turns are in g. Where the board decides it does, whatever
// the archive says.
func FromArchive(a *arimaa.Record, d arimaa.Details, g *arimaa.Game) Record {
	r := NewRecord(a.ID, g)
	r.Gold, r.Silver, r.Details = a.Gold, a.Silver, d
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
	r.Ended = endings[a.Termination]
	if r.Ended == "" {
		r.Ended = "unknown"
	}
	return r
}

// FromTags returns a game that was read with tags.
func FromTags(name string, a arimaa.Annotated) Record {
	r := NewRecord(name, a.Game)
	r.Gold, r.Silver = a.Tags["Gold"], a.Tags["Silver"]
	r.Details = arimaa.Details{
		GoldRating:   a.Tags["GoldElo"],
		SilverRating: a.Tags["SilverElo"],
		TimeControl:  a.Tags["TimeControl"],
		Event:        a.Tags["Event"],
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
	if r.Ended = a.Tags["Termination"]; r.Ended == "" {
		r.Ended = "unknown"
	}
	return r
}

// Finished tells whether the record names a winner.
func (r *Record) Finished() bool { return r.Ended != "" }

// Title names the game, its players with their ratings, and the time control.
func (r *Record) Title() string {
	title := r.Name
	if r.Gold != "" || r.Silver != "" {
		gold, silver := rated("gold", r.Details.GoldRating), rated("silver", r.Details.SilverRating)
		title += fmt.Sprintf(": %s (%s) - %s (%s)", r.Gold, gold, r.Silver, silver)
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
