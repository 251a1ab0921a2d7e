package reviews

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"goalproof/arimaa"
	"goalproof/internal/printable"
	"goalproof/review"
)

// decisionText is where a game was decided, in words; all are "" where that is not known.
type decisionText struct {
	turn, by, turnsLeft, last, losing, holds string
}

func decisionOf(r *review.Review) (s decisionText) {
	d, g := r.Decision, r.Record.Game
	if d == nil {
		return s
	}
	s = decisionText{turn: g.Label(d.From), by: d.Winner.String(), turnsLeft: strconv.Itoa(d.Turns)}
	if d.Last >= 0 {
		s.last = g.Label(d.Last)
		s.holds = strconv.Itoa(d.Holds)
		if d.Losing {
			s.losing = s.last
		}
	}
	return s
}

// winner is who won by the record, "" if it does not say.
func winner(r *review.Record) string {
	if !r.Finished() {
		return ""
	}
	return r.Winner.String()
}

// csvOutput writes a row for each game.
type csvOutput struct {
	out   io.Writer
	winIn int
	begun bool
}

func (w *csvOutput) add(r *review.Review) {
	c := csv.NewWriter(w.out)
	defer c.Flush() // the output remembers that it could not be written
	if !w.begun {
		w.begun = true
		_ = c.Write(w.header())
	}
	d, s := decisionOf(r), r.Summary()
	row := []string{printable.Cell(r.Record.Name), printable.Cell(r.Record.Gold), printable.Cell(r.Record.Silver), winner(&r.Record), printable.Cell(r.Record.Ended),
		strconv.Itoa(r.Record.Game.Len()), d.turn, d.by, d.turnsLeft, d.last, d.losing, d.holds}
	for _, missed := range s.Missed {
		for _, n := range missed[1:] {
			row = append(row, strconv.Itoa(n))
		}
	}
	row = append(row, strconv.Itoa(s.Thrown[arimaa.Gold]), strconv.Itoa(s.Thrown[arimaa.Silver]))
	for _, p := range r.Players() {
		row = append(row, strconv.Itoa(p.Blunders), strconv.Itoa(p.Mistakes), loss(r, p))
	}
	_ = c.Write(append(row, strconv.Itoa(s.Undecided), strconv.FormatUint(r.Nodes, 10)))
}

// loss is the average loss of a side in points a turn, "" without evaluations.
func loss(r *review.Review, p review.Player) string {
	if r.Evaluations == nil {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*p.Loss)
}

func (w *csvOutput) header() []string {
	names := []string{"game", "gold", "silver", "winner", "ended", "turns",
		"decided", "by", "turns_left", "last_turn", "losing_turn", "holds"}
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		for n := 1; n <= w.winIn; n++ {
			names = append(names, fmt.Sprintf("%v_missed_%d", side, n))
		}
	}
	names = append(names, "gold_thrown", "silver_thrown")
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		names = append(names, fmt.Sprintf("%v_blunders", side), fmt.Sprintf("%v_mistakes", side), fmt.Sprintf("%v_loss_points", side))
	}
	return append(names, "undecided", "nodes")
}

func (w *csvOutput) finish() {}

// table writes a line for each game, and totals.
type table struct {
	out    io.Writer
	winIn  int
	quiet  bool // totals alone
	begun  bool
	totals review.Totals
}

func (w *table) row(columns ...any) {
	line := fmt.Sprintf("%-14s %-7s %-14s %5s  %-7s %-7s %-6s %-5s %-8s %-8s %-11s %-11s %4s", columns...)
	fmt.Fprintln(w.out, strings.TrimRight(line, " "))
}

func (w *table) add(r *review.Review) {
	w.totals.Add(r)
	if w.quiet {
		return
	}
	if !w.begun {
		w.begun = true
		w.row("game", "winner", "end", "turns", "decided", "for", "last", "holds", "missed g", "missed s", "??/?/loss g", "??/?/loss s", "open")
	}
	d, s := decisionOf(r), r.Summary()
	w.row(r.Record.Name, winner(&r.Record), printable.Cell(r.Record.Ended), strconv.Itoa(r.Record.Game.Len()),
		d.turn, d.by, d.last, d.holds,
		missed(s.Missed[arimaa.Gold]), missed(s.Missed[arimaa.Silver]), played(r, arimaa.Gold), played(r, arimaa.Silver), strconv.Itoa(s.Undecided))
}

// played gives the blunders, the mistakes and the average loss of a side.
func played(r *review.Review, side arimaa.Side) string {
	p := r.Players()[side]
	return strings.TrimSuffix(fmt.Sprintf("%d/%d/%s", p.Blunders, p.Mistakes, loss(r, p)), "/")
}

// missed lists how many wins in 1, 2, ... turns were not kept.
func missed(counts []int) string {
	var all []string
	for _, n := range counts[1:] {
		all = append(all, strconv.Itoa(n))
	}
	return strings.Join(all, "/")
}

func (w *table) finish() {
	t := &w.totals
	if t.Games == 0 {
		return
	}
	text := printable.Amount(t.Games, "game")
	for n := 1; n <= w.winIn; n++ {
		text += fmt.Sprintf("; with a missed win in %d: %d", n, t.Missed[n])
	}
	text += fmt.Sprintf("; with a win thrown away for good: %d", t.Thrown)
	if w.begun {
		fmt.Fprintln(w.out)
	}
	wrap(w.out, text, 2)
	text = "A proved win at the end: " + printable.Amount(t.Decided, "game")
	if t.Decided > 0 {
		text += fmt.Sprintf(", on average %.1f turns of the winner before the end", float64(t.Turns)/float64(t.Decided))
		text += fmt.Sprintf("; another turn before that holds against wins in %d: %d", w.winIn, t.Helped)
		text += fmt.Sprintf("; won by the other side in the record: %d", t.Against)
	}
	wrap(w.out, text, 2)
	for side, p := range t.Players {
		text := fmt.Sprintf("%s: %s, %s", capital(arimaa.Side(side).String()), printable.Amount(p.Blunders, "blunder"), printable.Amount(p.Mistakes, "mistake"))
		if p.Turns > 0 {
			text += fmt.Sprintf(", average loss %.1f points a turn", 100*p.Loss)
		}
		fmt.Fprintln(w.out, text)
	}
	fmt.Fprintf(w.out, "%s with an open question\n", printable.Amount(t.Open, "position"))
}
