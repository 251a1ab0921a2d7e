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

// unknown is the ending of a record that does not say how the game ended, noted that of one in
// which a player is noted as having lost, draw that of a draw.
const (
	unknown = "unknown"
	noted   = "loss"
	draw    = "draw"
)

// NewRecord returns the record of a game that was played or read from a list of turns: who has won
// by the rules, or by the word with which it ends.
func NewRecord(name string, g *arimaa.Game) Record { return FromTags(name, nil, g) }

// set sets how the game ended.
func (r *Record) set(result notation.Result) {
	r.Winner, r.Ended, r.Undecided = arimaa.Gold, "", false
	switch result.Result {
	case "":
		return
	case "w":
		r.Winner = arimaa.Gold
	case "b":
		r.Winner = arimaa.Silver
	default:
		r.Undecided = true
	}
	how := result.Termination
	switch name := notation.EndingName(how); {
	case result.Result == "d":
		r.Ended = draw
	case name != "":
		r.Ended = name
	case how != "": // its meaning is not known
		r.Ended = fmt.Sprintf("code %.20s", graphic(how))
	default:
		r.Ended = cmp.Or(graphic(result.Words), unknown)
	}
	switch o := r.Game.Outcome(); {
	case o.Over() && r.Game.Len() > 0: // a record may end before Silver has set up
		r.Ended = o.Reason.String()
	case r.Ended == unknown && r.Game.End() != "":
		r.Ended = noted
	}
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

// FromArchive returns the record of a game g from an archive.
func FromArchive(a *notation.Record, g *arimaa.Game) Record {
	return FromTags(graphic(a.ID), a.Tags(), g)
}

// FromEntry returns the record of a game g that an entry of a text holds, under a name. With the error
// of reading it, g is its beginning, and nobody knows how that ended.
func FromEntry(name string, e *notation.Entry, g *arimaa.Game, err error) (r Record) {
	name, tags := graphic(name), e.Tags
	if e.Record != nil {
		name, tags = graphic(e.Record.ID), e.Record.Tags()
	}
	r = FromTags(name, tags, g)
	if err != nil {
		r.set(notation.ResultOf(g, nil))
	}
	r.Notes = e.Sentences()
	return r
}

// FromTags returns the record of a game with tags. How it ended is what [notation.ResultOf] says.
func FromTags(name string, tags map[string]string, g *arimaa.Game) Record {
	tag := func(name string) string { return graphic(tags[name]) }
	r := Record{Name: name, Game: g, Gold: tag("Gold"), Silver: tag("Silver")}
	r.Details = notation.Details{
		GoldRating:   tag("GoldRating"),
		SilverRating: tag("SilverRating"),
		TimeControl:  tag("TimeControl"),
		Event:        tag("Event"),
		Date:         tag("Date"),
	}
	r.set(notation.ResultOf(g, tags))
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
	case r.Undecided && r.Ended == draw:
		return "a draw by the rules of its time"
	case r.Undecided:
		return fmt.Sprintf("no result: %s", r.Ended)
	}
	switch over := r.Game.Outcome().Over(); {
	case r.Ended == unknown, r.Ended == noted:
		return won + "; the record does not say how"
	case r.Ended == "time":
		return won + " on time"
	case r.Ended == "illegal turn":
		return fmt.Sprintf("%s: %v played an illegal turn", won, r.Winner.Other())
	case r.Ended == "repetition" && !over: // by a turn that was forbidden
		return fmt.Sprintf("%s: %v repeated a position", won, r.Winner.Other())
	case r.Ended == "abandonment":
		return won + ": the game was abandoned"
	}
	if notation.EndingLetter(r.Ended) == "" {
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
