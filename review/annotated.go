package review

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
)

// Alternative is a line that could have been played instead of a turn, or after the last one.
type Alternative struct {
	Line []arimaa.Turn
	What string // its value, in words; chances are Gold's
	// Gold is Gold's chance after the turn, 0 to 1, if Valued: it is proved or evaluated.
	Gold   float64
	Valued bool
}

// Alternatives returns the alternatives to turn i, the best first: a win that was not kept; or the
// turns that hold where the played one lost, the best by the evaluations first; or else the best
// turns by the evaluations. A lost position has none.
func (r *Review) Alternatives(i int) (all []Alternative) {
	s, p := &r.Standings[i], r.Record.Game.Position(i)
	add := func(a Alternative) {
		if p.AfterTurn(a.Line[0]) != r.played(i) {
			all = append(all, a)
		}
	}
	var best []Candidate
	if r.Evaluations != nil {
		best = r.Evaluations[i].Best
	}
	switch {
	case s.Win.Proved() && s.Win.Within > 0:
		add(Alternative{r.winningLine(i), fmt.Sprintf("wins in %s", s.Win.In()), r.gold(i, 1), true})
	case s.Loss.Proved():
	case len(s.Saving) > 0:
		for k, saving := range s.Saving {
			a := Alternative{Line: []arimaa.Turn{saving.Turn}, What: fmt.Sprintf("holds against wins in %d", saving.Holds)}
			if s.Loss.Tabled {
				a.What = "neither side can force a win"
			}
			if best != nil { // the same turns
				a.Line, a.Gold, a.Valued = best[k].Line, r.goldAfter(i, best[k].Chance), true
				a.What += ", " + engine.Percent(a.Gold)
			}
			add(a)
		}
	default:
		for _, c := range best {
			gold := r.goldAfter(i, c.Chance)
			add(Alternative{c.Line, engine.Percent(gold), gold, true})
		}
	}
	return all
}

// quotable replaces characters that a tag cannot contain; to chess programs a backslash is an
// escape.
var quotable = strings.NewReplacer(`"`, "'", `\`, "/", "\n", " ")

// Annotated returns the game with comments and variations in a form like PGN, which
// notation.ReadAnnotated reads and the client Howdah writes (its docs/VARIATIONS.md, 2026): each
// turn on its own line after its label, brackets on their own lines. A variation after the last
// turn begins with the label of the next turn.
func (r *Review) Annotated() string {
	var b strings.Builder
	g := r.Record.Game
	result := "*"
	if r.Record.Finished() {
		result = [...]string{"1-0", "0-1"}[r.Record.Winner]
	}
	d := &r.Record.Details
	for _, tag := range [][2]string{{"Event", d.Event}, {"Source", r.Record.Name}, {"Date", d.Date}, {"Gold", r.Record.Gold},
		{"Silver", r.Record.Silver}, {"GoldRating", d.GoldRating}, {"SilverRating", d.SilverRating},
		{"TimeControl", d.TimeControl}, {"Annotator", fmt.Sprintf("goalproof, wins in %d", r.WinIn)},
		{"Termination", r.Record.Ended}, {"ResultCode", notation.EndingLetter(r.Record.Ended)}, {"Result", result}} {
		if tag[1] != "" {
			fmt.Fprintf(&b, "[%s \"%s\"]\n", tag[0], quotable.Replace(tag[1]))
		}
	}
	fmt.Fprintf(&b, "\n{%s}\n", strings.NewReplacer("{", "(", "}", ")").Replace(r.Headline())) // a brace ends a comment
	setup := strings.TrimSuffix(notation.Turns(g.At(0)), fmt.Sprintf("\n%dw\n", g.Number(0)))  // the label of the first turn
	setup = strings.TrimSuffix(setup, "\n") + "\n"
	b.WriteString(strings.NewReplacer("1w", "1g", "1b", "1s").Replace(setup))
	for i := range g.Len() {
		b.WriteString(g.Label(i) + " " + g.Position(i).Notation(g.Turn(i)))
		if sign := r.Sign(i); sign != "" {
			b.WriteString(" " + sign)
		}
		if text := r.comment(i); text != "" {
			fmt.Fprintf(&b, " {%s}", text)
		}
		b.WriteByte('\n')
		r.variations(&b, i)
	}
	if !g.Outcome().Over() {
		r.variations(&b, g.Len())
	}
	b.WriteString(result + "\n")
	return b.String()
}

// comment returns the comment on turn i.
func (r *Review) comment(i int) string {
	text := r.Remark(i)
	if text == "" && r.Evaluations != nil {
		text = engine.Percent(r.GoldChance(i + 1))
	}
	return text
}

// variations writes the alternatives to turn i.
func (r *Review) variations(b *strings.Builder, i int) {
	for _, v := range r.Alternatives(i) {
		b.WriteString("(\n")
		lines := arimaa.Labelled(r.Record.Game.Number(i), side(r.Record.Game, i), r.Notation(i, v.Line))
		lines[0] += " {" + v.What + "}"
		b.WriteString(strings.Join(lines, "\n"))
		b.WriteString("\n)\n")
	}
}

// Notation returns the turns of a line from position i on.
func (r *Review) Notation(i int, line []arimaa.Turn) (turns []string) {
	p := r.Record.Game.Position(i)
	for _, t := range line {
		turns = append(turns, p.Notation(t))
		p = p.AfterTurn(t)
	}
	return turns
}
