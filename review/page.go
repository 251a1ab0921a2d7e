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
	Title     string     `json:"title"`
	Headline  string     `json:"headline"`
	Legend    string     `json:"legend"`
	Totals    []string   `json:"totals"`  // what Players counts
	Players   [][]string `json:"players"` // who, and the totals
	Start     int        `json:"start"`   // the position that is shown first
	Squares   string     `json:"squares"` // of the first position, from a1, rank by rank
	Positions []Shown    `json:"positions"`
}

// Shown is a position as the page and the studio show it, with the turn that was played.
type Shown struct {
	Label  string `json:"label"`
	Played string `json:"played"` // "" at the end
	Sign   string `json:"sign"`   // of the turn: ?!, ?, ?? or ""
	Remark string `json:"remark"` // about the turn, in words
	Proved
	Chance *float64    `json:"chance"` // Gold's, 0 to 1; null if it was not evaluated
	Moment bool        `json:"moment"` // one of the key moments
	Better int         `json:"better"` // index of the first better turn in others, or -1
	Others []ShownLine `json:"others"` // what else could have been played, the best first
}

// Proved is what is proved about a position.
type Proved struct {
	Facts  string `json:"facts"`  // all of it in words, or ""
	Side   string `json:"proved"` // that is proved to win, or ""
	Within int    `json:"within"` // so many turns of its own; 0: the game is over, or no side is
}

// ShownLine is an alternative to a turn.
type ShownLine struct {
	Line  []string `json:"line"`
	Worth string   `json:"worth"` // in words; chances are Gold's
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
		data.Positions = append(data.Positions, r.Shown(i))
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

// Blank returns position i of a game as it is shown before anything is known of it.
func Blank(g *arimaa.Game, i int) Shown {
	q := Shown{Label: g.Label(i), Others: []ShownLine{}, Better: -1}
	if i < g.Len() {
		q.Played = g.Position(i).Notation(g.Turn(i))
	}
	return q
}

// Shown returns position i as it is shown.
func (r *Review) Shown(i int) Shown {
	g := r.Record.Game
	q := Blank(g, i)
	q.Proved = r.proven(i)
	if r.Evaluations != nil {
		chance := math.Round(1e4*r.GoldChance(i)) / 1e4
		q.Chance = &chance
	}
	improves := true
	if i < g.Len() {
		j := &r.Judgements[i]
		q.Sign, q.Remark = r.Sign(i), r.Remark(i)
		q.Moment = r.matters(i)
		improves = j.NotKept() || len(r.Standings[i].Saving) > 0 || j.Fall > 0
	}
	for _, a := range r.Alternatives(i) {
		line := r.Notation(i, a.Line)
		q.Others = append(q.Others, ShownLine{line[:min(len(line), longestLine)], a.What})
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

// proven returns what is proved about position i.
func (r *Review) proven(i int) Proved {
	p := Proved{Facts: r.facts(i)}
	for _, winner := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		if !r.wins(i, winner) {
			continue
		}
		p.Side = winner.String()
		if p.Within = r.Standings[i].Loss.Within; side(r.Record.Game, i) == winner {
			p.Within = r.Standings[i].Win.Within
		}
	}
	return p
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
