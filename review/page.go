package review

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"goalproof/arimaa"
)

// page is the template of the page; a comment stands for the data.
//
//go:embed page.html
var page string

// pagePosition is a position on the page. Squares are numbered from a8, in reading order.
type pagePosition struct {
	Label   string     `json:"label"`
	Side    string     `json:"side"` // to move
	Squares string     `json:"squares"`
	Played  string     `json:"played"`
	Arrows  [][2]int   `json:"arrows"`
	Others  []pageTurn `json:"others"`
	Better  int        `json:"better"` // index of the first better turn in Others, or -1
	Remark  string     `json:"remark"`
	Facts   string     `json:"facts"`
	Moment  bool       `json:"moment"` // one of the key moments
	Chance  *float64   `json:"chance"` // gold's
	Proved  string     `json:"proved"` // side that is proved to win, or ""
}

// pageTurn is an alternative on the page.
type pageTurn struct {
	Line   string   `json:"line"`
	Worth  string   `json:"worth"`
	Arrows [][2]int `json:"arrows"`
}

// HTML returns the review as a self-contained page: a board to step through, arrows for the turn that was played and a
// better one, a graph of the winning chances with bands for proved wins, and a list of the key moments.
func (r *Review) HTML() (string, error) {
	data := struct {
		Title     string         `json:"title"`
		Ending    string         `json:"ending"`
		Legend    string         `json:"legend"`
		Start     int            `json:"start"` // the position that is shown first
		Positions []pagePosition `json:"positions"`
	}{Title: r.Record.Title(), Ending: r.ending()}
	data.Legend = fmt.Sprintf("Filled: a proved win (in %d turns, or what follows), gold's above, silver's below.", r.WinIn)
	if r.Evaluations != nil {
		data.Legend += " Line: gold's chance as the engine estimates it."
	}
	for i := range r.Standings {
		data.Positions = append(data.Positions, r.pagePosition(i))
	}
	if r.Decision != nil {
		data.Start = max(r.Decision.Losing, 0)
	}
	text, err := json.Marshal(data) // < becomes \u003c, so nothing in it ends the script
	return strings.Replace(page, "/*DATA*/", string(text), 1), err
}

// pagePosition returns position i for the page.
func (r *Review) pagePosition(i int) pagePosition {
	g := r.Record.Game
	p := g.Position(i)
	text := p.String()
	squares := text[strings.IndexByte(text, '[')+1 : len(text)-1]
	q := pagePosition{Label: g.Label(i), Side: p.Side().String(), Squares: squares, Facts: r.facts(i)}
	q.Others, q.Better = []pageTurn{}, -1
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		if r.wins(i, side) {
			q.Proved = side.String()
		}
	}
	if r.Evaluations != nil {
		chance := math.Round(1e4*r.GoldChance(i)) / 1e4
		q.Chance = &chance
	}
	improves := true
	if i < g.Len() {
		j := &r.Judgements[i]
		q.Played, q.Arrows, q.Remark = p.Notation(g.Turn(i)), arrows(g.Turn(i)), r.Remark(i)
		q.Moment = j.matters()
		improves = j.Wanting() || len(r.Standings[i].Saving) > 0 || r.improves(i)
	}
	for _, a := range r.Alternatives(i) {
		lines := r.labelled(i, a.Line)
		q.Others = append(q.Others, pageTurn{strings.Join(lines, " "), a.What, arrows(a.Line[0])})
	}
	if improves && len(q.Others) > 0 {
		q.Better = 0
	}
	return q
}

// improves reports whether the evaluations prefer another turn to turn i.
func (r *Review) improves(i int) bool {
	if r.Evaluations == nil || len(r.Evaluations[i].Best) == 0 {
		return false
	}
	return r.Evaluations[i].Best[0].Chance > 1-r.Evaluations[i+1].Chance
}

// matters reports whether a turn is one of the key moments.
func (j *Judgement) matters() bool {
	switch j.Mark {
	case Wins, Delays, Misses, ThrowsAway, Unclear, Loses, PerhapsLoses:
		return true
	case None, Keeps, Reaches:
	}
	return j.Grade == Blunder
}

// arrows returns an arrow for each piece that a turn moves, from its first square to its last.
func arrows(t arimaa.Turn) [][2]int {
	all := [][2]int{}
	square := func(s arimaa.Square) int { return int(s) ^ 56 }
next:
	for i := range t.Len() {
		from, to := square(t.Step(i).From()), square(t.Step(i).To())
		for k := len(all) - 1; k >= 0; k-- {
			if all[k][1] == from {
				all[k][1] = to
				continue next
			}
		}
		all = append(all, [2]int{from, to})
	}
	// A piece that has returned has no arrow.
	return slices.DeleteFunc(all, func(a [2]int) bool { return a[0] == a[1] })
}

// ending describes how the game ended and where it was decided.
func (r *Review) ending() string {
	text := "Not finished."
	if r.Record.Finished() {
		text = fmt.Sprintf("%v won by %s.", r.Record.Winner, r.Record.Ended)
	}
	if d := r.Decision; d != nil {
		text += fmt.Sprintf(" From %s on %v has a proved win", r.Record.Game.Label(d.From), d.Winner)
		if d.Losing >= 0 {
			what := "the losing turn was"
			if d.Holds == 0 {
				what = "perhaps the losing turn was"
			}
			text += fmt.Sprintf("; %s %s", what, r.Record.Game.Label(d.Losing))
		}
		text += "."
	}
	if r.Interrupted {
		text += " The review was interrupted."
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// facts describes what is proved about position i.
func (r *Review) facts(i int) string {
	s := &r.Standings[i]
	var all []string
	for _, f := range []struct {
		fact *Fact
		what string
	}{
		{&s.Win, "the side to move wins in %d"},
		{&s.Loss, "the side to move is lost in %d"},
		{&s.Threat, "the opponent threatens to win in %d"},
	} {
		if f.fact.Proved() && f.fact.Turns > 0 {
			all = append(all, fmt.Sprintf(f.what, f.fact.Turns))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "Proved: " + strings.Join(all, "; ") + "."
}
