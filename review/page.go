package review

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/render"
	"goalproof/internal/printable"
)

// page is the template of the page; comments stand for the style of boards, their pieces, the empty
// board and the data.
//
//go:embed page.html
var page string

// pageGame is the game on the page. The page plays the turns itself, so it needs the squares once.
type pageGame struct {
	Title     string         `json:"title"`
	Headline  string         `json:"headline"`
	Legend    string         `json:"legend"`
	Totals    []string       `json:"totals"`  // what Players counts
	Players   [][]string     `json:"players"` // who, and the totals
	Start     int            `json:"start"`   // the position that is shown first
	Squares   string         `json:"squares"` // of the first position, from a1, rank by rank
	Positions []pagePosition `json:"positions"`
}

// pagePosition is a position on the page, and the turn that was played.
type pagePosition struct {
	Label  string     `json:"label"`
	Played string     `json:"played"`
	Sign   string     `json:"sign"`
	Remark string     `json:"remark"`
	Facts  string     `json:"facts"`
	Proved string     `json:"proved"` // side that is proved to win, or ""
	Chance *float64   `json:"chance"` // gold's
	Moment bool       `json:"moment"` // one of the key moments
	Better int        `json:"better"` // index of the first better turn in Others, or -1
	Others []pageLine `json:"others"`
}

// pageLine is an alternative on the page.
type pageLine struct {
	Line  []string `json:"line"`
	Worth string   `json:"worth"`
}

// longestLine is the greatest number of turns of a line on the page.
const longestLine = 5

// HTML returns the review as a self-contained page: a board on which turns and proposed lines can
// be followed step by step, a graph of the winning chances with bands for proved wins, a list of
// the turns with their signs, and one of the key moments.
func (r *Review) HTML() (string, error) {
	g := r.Record.Game
	data := pageGame{Title: printable.Text(r.Record.Title()), Headline: printable.Text(r.Headline()), Squares: squares(g.Position(0))}
	data.Legend = fmt.Sprintf("Filled: a proved win (in %d turns, or what follows), gold's above, silver's below."+
		" \"No win\" and \"holds\" set the third repetition aside.", r.WinIn)
	if r.Evaluations != nil {
		data.Legend += " Line and bar: gold's chance as the engine estimates it, or as it is proved." +
			" Ticks at the bottom: mistakes and blunders. All percentages are gold's chances."
	}
	data.Totals = []string{"Turns", "Blunders", "Mistakes", "Missed wins"}
	if r.Evaluations != nil {
		data.Totals = append(data.Totals, "Average loss, points a turn")
	}
	for side, p := range r.Players() {
		name := printable.Text(cmp.Or([]string{r.Record.Gold, r.Record.Silver}[side], "unknown"))
		row := []string{fmt.Sprintf("%v (%s)", arimaa.Side(side), name)}
		for _, n := range []int{p.Turns, p.Blunders, p.Mistakes, p.Missed} {
			row = append(row, fmt.Sprint(n))
		}
		if r.Evaluations != nil {
			row = append(row, fmt.Sprintf("%.1f", 100*p.Loss))
		}
		data.Players = append(data.Players, row)
	}
	for i := range r.Standings {
		data.Positions = append(data.Positions, r.pagePosition(i))
	}
	if r.Decision != nil {
		data.Start = max(r.Decision.Last, 0)
	}
	text, err := json.Marshal(data) // < becomes \u003c, so nothing in it ends the script
	return strings.NewReplacer("/*STYLE*/", render.Style(), "<!--SYMBOLS-->", render.Symbols(),
		"<!--BOARD-->", render.Empty("board", `<g id="coordinates"></g><g id="pieces"></g>`), "/*DATA*/", string(text)).Replace(page), err
}

// squares returns the letters of all squares from a1, rank by rank.
func squares(p arimaa.Position) string {
	all := make([]byte, 64)
	for s := range all {
		all[s] = p.At(arimaa.Square(s)).Letter()
	}
	return string(all)
}

// pagePosition returns position i for the page.
func (r *Review) pagePosition(i int) pagePosition {
	g := r.Record.Game
	q := pagePosition{Label: g.Label(i), Facts: r.facts(i), Others: []pageLine{}, Better: -1}
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
		q.Played, q.Sign, q.Remark = g.Position(i).Notation(g.Turn(i)), r.Sign(i), r.Remark(i)
		q.Moment = r.matters(i)
		improves = j.NotKept() || len(r.Standings[i].Saving) > 0 || j.Fall > 0
	}
	for _, a := range r.Alternatives(i) {
		line := r.Notation(i, a.Line)
		q.Others = append(q.Others, pageLine{line[:min(len(line), longestLine)], a.What})
	}
	if improves && len(q.Others) > 0 {
		q.Better = 0
	}
	return q
}

// matters reports whether turn i is one of the key moments.
func (r *Review) matters(i int) bool {
	switch r.Judgements[i].Mark {
	case Wins, Delays, Misses, ThrowsAway, Unclear, Loses:
		return true
	case Allows, Open:
		return !r.hopeless(i)
	case None, Keeps, Reaches:
	}
	return r.Judgements[i].Grade >= Mistake
}

// facts describes what is proved about position i.
func (r *Review) facts(i int) string {
	s := &r.Standings[i]
	var all []string
	for _, f := range []struct {
		fact *Fact
		what string
	}{
		{&s.Win, "the side to move wins in %s"},
		{&s.Loss, "the side to move is lost in %s"},
		{&s.Threat, "the opponent threatens to win in %s"},
	} {
		if f.fact.Proved() && f.fact.Within > 0 {
			all = append(all, fmt.Sprintf(f.what, f.fact.In()))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "Proved: " + strings.Join(all, "; ") + "."
}
