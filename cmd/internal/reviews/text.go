package reviews

import (
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/engine"
	"goalproof/internal/printable"
	"goalproof/review"
)

// output writes reviews.
type output interface {
	add(r *review.Review)
	finish()
}

func newOutput(f *Outputs, t cli.Terminal) output {
	switch {
	case f.json:
		return &jsonOutput{t.Out}
	case f.csv:
		return &csvOutput{out: t.Out, winIn: f.winIn}
	case f.summary, f.totals:
		return &table{out: t.Out, winIn: f.winIn, quiet: f.totals}
	}
	return &textOutput{out: t.Out}
}

// textOutput writes reviews for people.
type textOutput struct {
	out  io.Writer
	more bool
}

func (w *textOutput) finish() {}

func (w *textOutput) add(r *review.Review) {
	if w.more {
		fmt.Fprintln(w.out)
	}
	w.more = true
	wrap(w.out, r.Record.Title(), 2)
	wrap(w.out, r.Headline(), 0)
	fmt.Fprintln(w.out)
	w.table(r)
	w.graph(r)
	for i := range r.Judgements {
		w.moment(r, i)
	}
	fmt.Fprintln(w.out)
	for side, p := range r.Players() {
		fmt.Fprintf(w.out, "%s: %s\n", capital(arimaa.Side(side).String()), r.Describe(p))
	}
	examined := printable.Amount(r.Record.Game.Len(), "turn")
	if n := len(r.Standings); r.Examined < n {
		examined = fmt.Sprintf("%d of %s", r.Examined, printable.Amount(n, "position"))
	}
	fmt.Fprintf(w.out, "\n%s, %s nodes\n", examined, humanize.Comma(int64(r.Nodes)))
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// table writes a row for each turn about which something is proved.
func (w *textOutput) table(r *review.Review) {
	g := r.Record.Game
	row := func(turn, mover, threat, chance, played string) {
		if r.Evaluations != nil {
			threat = fmt.Sprintf("%-8s %6s", threat, chance)
		}
		columns := fmt.Sprintf("%-5s %-10s %-8s ", turn, mover, threat)
		wrap(w.out, columns+played, len(columns))
	}
	row("turn", "to move", "threat", "gold", "played")
	left, open := 0, 0
	for i := range r.Standings {
		s := &r.Standings[i]
		played, mark := "", ""
		if i < g.Len() {
			played, mark = g.Position(i).Notation(g.Turn(i)), r.Remark(i)
		}
		if mark == "" && !s.Win.Proved() && !s.Loss.Proved() && !s.Threat.Proved() {
			left++
			if s.Win.Verdict == answer.Unknown || s.Threat.Verdict == answer.Unknown {
				open++
			}
			continue
		}
		if mark != "" {
			played += ": " + mark
		}
		row(g.Label(i), standing(s), threat(&s.Threat), percent(r, i), played)
	}
	if left > 0 {
		fmt.Fprintf(w.out, "Not listed: %s with nothing found", printable.Amount(left, "turn"))
		if open > 0 {
			fmt.Fprintf(w.out, " (%s not settled within the limit)", printable.Amount(open, "turn"))
		}
		fmt.Fprintln(w.out, ".")
	}
	fmt.Fprintf(w.out, "(-: no win in %d; - (n): none in n, longer ones are open; the third repetition set aside)\n", r.WinIn)
}

// percent writes gold's chance at position i, if it was evaluated.
func percent(r *review.Review, i int) string {
	if r.Evaluations == nil {
		return ""
	}
	return engine.Percent(r.GoldChance(i))
}

// graph draws gold's chance from turn to turn.
func (w *textOutput) graph(r *review.Review) {
	if r.Evaluations == nil {
		return
	}
	const width = 60
	blocks := []rune("▁▂▃▄▅▆▇█")
	fmt.Fprintln(w.out, "\nGold's chance, turn by turn:")
	for from := 0; from < len(r.Evaluations); from += width {
		line := []rune(fmt.Sprintf("%5s ", r.Record.Game.Label(from)))
		for i := from; i < min(from+width, len(r.Evaluations)); i++ {
			line = append(line, blocks[int(r.GoldChance(i)*float64(len(blocks)-1)+0.5)])
		}
		fmt.Fprintln(w.out, string(line))
	}
}

// standing says what is known of the side to move.
func standing(s *review.Standing) string {
	switch {
	case s.Win.Proved() && s.Win.Within == 0:
		return "has won"
	case s.Loss.Proved() && s.Loss.Within == 0:
		return "has lost"
	case s.Win.Proved():
		return fmt.Sprintf("wins in %s", s.Win.In())
	case s.Loss.Proved():
		return fmt.Sprintf("lost in %s", s.Loss.In())
	case s.Win.Tabled:
		return "neither"
	}
	return none(&s.Win)
}

// threat says whether the opponent threatens to win.
func threat(f *review.Fact) string {
	switch {
	case f.Proved() && f.Within > 0:
		return fmt.Sprintf("in %s", f.In())
	case f.Proved():
		return "-"
	}
	return none(f)
}

// none says how far it is known that there is no win.
func none(f *review.Fact) string {
	switch {
	case f.Verdict == answer.Disproved:
		return "-"
	case f.Refuted > 0:
		return fmt.Sprintf("- (%d)", f.Refuted)
	}
	return "?"
}

// moment explains a turn that did not keep a win, lost, or lost much of the winning chances.
func (w *textOutput) moment(r *review.Review, i int) {
	g, j, s := r.Record.Game, &r.Judgements[i], &r.Standings[i]
	p := g.Position(i)
	var what string
	switch {
	case j.NotKept():
		what = fmt.Sprintf("%s had a win in %s", p.Side(), s.Win.In())
	case j.Mark == review.Loses:
		what = fmt.Sprintf("%s loses a position in which neither side could force a win", p.Side())
	case len(s.Saving) > 0:
		what = fmt.Sprintf("another turn holds against wins in %d", s.Saving[0].Holds)
	case j.Grade >= review.Mistake:
		what = fmt.Sprintf("a %v of %s, as the engine sees it", j.Grade, p.Side())
	default:
		return
	}
	fmt.Fprintf(w.out, "\n%s: %s. Played: %s\n", g.Label(i), what, p.Notation(g.Turn(i)))
	for _, a := range r.Alternatives(i) {
		wrap(w.out, "  "+capital(a.What)+": "+strings.Join(r.Notation(i, a.Line), " / "), 6)
	}
}

// textWidth is the greatest length of a line that can be broken, in bytes.
const textWidth = 120

// wrap writes a text, whose lines after the first are indented.
func wrap(w io.Writer, text string, indent int) {
	for len(text) > textWidth {
		end := strings.LastIndexByte(text[:textWidth+1], ' ')
		if end <= indent {
			break
		}
		fmt.Fprintln(w, text[:end])
		text = strings.Repeat(" ", indent) + text[end+1:]
	}
	fmt.Fprintln(w, strings.TrimRight(text, " "))
}
