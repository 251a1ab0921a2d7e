package review

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/internal/printable"
)

// Headline returns one paragraph about what is proved and what is estimated: how the game ended,
// when it turned as the engine sees it, from when on a win is proved, and what is known of the turn
// before that. Chances are Gold's.
func (r *Review) Headline() string {
	all := []string{capital(r.Record.Result()) + "."}
	winner, known := r.winner()
	if r.Evaluations != nil {
		all = append(all, "All chances are gold's.")
		last := r.GoldChance(len(r.Evaluations) - 1)
		switch {
		case known && r.Decision != nil && r.Decision.Winner != winner: // more is proved
		case !known:
			all = append(all, fmt.Sprintf("At the end the engine gives gold %s.", engine.Percent(last)))
		case !favours(winner, last):
			all = append(all, fmt.Sprintf("As the engine sees it, %v was not ahead at the end (%s).", winner, engine.Percent(last)))
		default:
			if text := r.turned(winner); text != "" {
				all = append(all, text)
			}
		}
	}
	all = append(all, r.proved(winner, known)...)
	if r.Interrupted {
		all = append(all, r.Reached())
	}
	if text := r.cut(); text != "" {
		all = append(all, text)
	}
	return strings.Join(all, " ")
}

// capital makes the first letter of an English word large.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// winner returns the side that has won by the record, or else by proof.
func (r *Review) winner() (side arimaa.Side, known bool) {
	switch {
	case r.Record.Finished():
		return r.Record.Winner, true
	case r.Decision != nil:
		return r.Decision.Winner, true
	}
	return side, false
}

// favours reports whether Gold's chance is in favour of a side.
func favours(side arimaa.Side, gold float64) bool {
	if side == arimaa.Silver {
		return gold < .5
	}
	return gold > .5
}

// Turned returns the turn after which the evaluations favour a side without a gap to the end; -1 if
// they do so from the beginning, the number of turns if they do not at the end.
func (r *Review) Turned(winner arimaa.Side) int {
	i := len(r.Evaluations) - 1
	for i >= 0 && favours(winner, r.GoldChance(i)) {
		i--
	}
	return i
}

// TurningPoint returns the turn at which the game was decided, and a sentence that says so: the
// losing turn if one is proved, or else the last turn before which the engine did not see the
// winner ahead. The turn is -1 where there is none.
func (r *Review) TurningPoint() (i int, says string) {
	winner, known := r.winner()
	g, last := r.Record.Game, len(r.Evaluations)-1
	switch d := r.Decision; {
	case d != nil && d.Losing && d.Winner == winner:
		return d.Last, fmt.Sprintf("The losing turn was %s.", g.Label(d.Last))
	case !known, last < 0, !favours(winner, r.GoldChance(last)):
		return -1, ""
	}
	if i = r.Turned(winner); i < 0 {
		return -1, ""
	}
	return i, fmt.Sprintf("The engine sees the turning point at %s: gold %s -> %s.", g.Label(i), engine.Percent(r.GoldChance(i)), engine.Percent(r.GoldChance(i+1)))
}

// turned says when the game turned by the evaluations, for the side that they favour at the end,
// and which turn of the other side lost most after that.
func (r *Review) turned(winner arimaa.Side) string {
	g, i := r.Record.Game, r.Turned(winner)
	text := fmt.Sprintf("The engine sees %v ahead from the beginning.", winner)
	if d := r.Decision; d != nil && d.Losing && d.Last == i {
		return "" // more is proved
	}
	if i >= 0 {
		text = fmt.Sprintf("The engine sees the turning point at %s%s.", g.Label(i), r.change(i, winner))
	}
	most := -1
	for k := max(i, 0); k < g.Len(); k++ {
		if side(g, k) != winner && r.Judgements[k].Grade >= Mistake && (most < 0 || r.Judgements[k].Fall > r.Judgements[most].Fall) {
			most = k
		}
	}
	if d := r.Decision; most >= 0 && most != i && (d == nil || d.Last != most) {
		text += fmt.Sprintf(" Of %v's turns after that it sees the greatest loss at %s%s.", winner.Other(), g.Label(most), r.change(most, winner))
	}
	return text
}

// change writes Gold's chances before and after turn i, and the best turn if it was a bad one of
// the side that did not win. The best turn instead of the last one before a proved win is named
// elsewhere.
func (r *Review) change(i int, winner arimaa.Side) string {
	text := fmt.Sprintf(" (%s to %s)", engine.Percent(r.GoldChance(i)), engine.Percent(r.GoldChance(i+1)))
	if d := r.Decision; d != nil && d.Last == i {
		return text
	}
	better := r.Alternatives(i)
	if side(r.Record.Game, i) != winner && r.Judgements[i].Grade != Good && len(better) > 0 {
		text += fmt.Sprintf("; it prefers %s (%s)", r.Notation(i, better[0].Line)[0], better[0].What)
	}
	return text
}

// proved says from when on a win is proved, and what is known of the turn before.
func (r *Review) proved(winner arimaa.Side, known bool) (all []string) {
	g, d := r.Record.Game, r.Decision
	if d == nil {
		return []string{fmt.Sprintf("At the end no win in %d is proved for either side.", r.WinIn)}
	}
	text := fmt.Sprintf("From %s on %v has a proved win.", g.Label(d.From), d.Winner)
	if known && d.Winner != winner {
		text = fmt.Sprintf("Yet from %s on %v has a proved win.", g.Label(d.From), d.Winner)
	}
	all = append(all, text)
	if d.Last < 0 {
		return all
	}
	label, loser, s := g.Label(d.Last), d.Winner.Other(), &r.Standings[d.Last]
	best := ""
	better := r.Alternatives(d.Last)
	if len(better) > 0 {
		best = r.Notation(d.Last, better[0].Line)[0]
	}
	switch {
	case s.Win.Proved():
		text = fmt.Sprintf("The losing turn was %s: %v had a win in %s", label, loser, s.Win.In())
		if best != "" {
			text += ", " + best
		}
	case d.Losing:
		text = fmt.Sprintf("The losing turn was %s: before it neither side could force a win", label)
		if best != "" {
			text += ", nor after " + best
		}
	case d.Holds > 0 && best != "":
		text = fmt.Sprintf("At %s no win of %v is proved: %s %s", label, d.Winner, best, better[0].What)
	default:
		text = fmt.Sprintf("At %s no win of %v is proved", label, d.Winner)
	}
	if !d.Losing && r.hopeless(d.Last) {
		text += fmt.Sprintf("; the engine gives %v hardly a chance by then", loser)
	}
	return append(all, text+".")
}

// Reached says how far an interrupted review came.
func (r *Review) Reached() string {
	if n := len(r.Standings); r.Examined < n {
		text := fmt.Sprintf("The review was interrupted: it examined %d of %d positions, from the end back to %s",
			r.Examined, n, r.Record.Game.Label(n-r.Examined))
		if r.Examined == 0 {
			text = "The review was interrupted before it examined a position"
		}
		return text + "."
	}
	return "The review was interrupted: all positions were examined, but not evaluated."
}

// Cut returns the number of positions at which a limit in time has cut a search short of its limit
// in nodes.
func (r *Review) Cut() int { return len(r.cutAt()) }

// cutAt returns the labels of these positions.
func (r *Review) cutAt() (labels []string) {
	for i := range r.Standings {
		if r.Standings[i].Cut {
			labels = append(labels, r.Record.Game.Label(i))
		}
	}
	return labels
}

// cut names these positions, or the first of them.
func (r *Review) cut() string {
	const named = 5
	labels, others := r.cutAt(), ""
	n := len(labels)
	if n == 0 {
		return ""
	}
	if n > named {
		labels, others = labels[:named], " and others"
	}
	return fmt.Sprintf("The time was up before the nodes were spent at %s: %s%s.",
		printable.Amount(n, "position"), strings.Join(labels, ", "), others)
}

// Player holds the totals of a side.
type Player struct {
	Turns                       int
	Blunders, Mistakes, Doubted int     // turns with ??, ? and ?!
	Missed                      int     // turns that did not keep the shortest proved win
	Loss                        float64 // average loss in winning chances a turn, 0 to 1, if there are evaluations
}

// Players returns the totals of Gold and Silver.
func (r *Review) Players() (all [2]Player) {
	for i := range r.Judgements {
		j, p := &r.Judgements[i], &all[side(r.Record.Game, i)]
		p.Turns++
		p.Loss += j.Fall
		switch r.Sign(i) {
		case "??":
			p.Blunders++
		case "?":
			p.Mistakes++
		case "?!":
			p.Doubted++
		}
		if j.Mark.Missed() {
			p.Missed++
		}
	}
	for side := range all {
		if p := &all[side]; p.Turns > 0 {
			p.Loss /= float64(p.Turns)
		}
	}
	return all
}

// Describe writes the totals of a side in words.
func (r *Review) Describe(p Player) string {
	text := fmt.Sprintf("%s, %s, %s", printable.Amount(p.Blunders, "blunder"), printable.Amount(p.Mistakes, "mistake"), printable.Amount(p.Missed, "missed win"))
	if r.Evaluations != nil {
		text += fmt.Sprintf(", average loss %.1f points a turn", 100*p.Loss)
	}
	return text
}
