package review

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// Remark says in a few words what turn i did, "" if there is nothing to be said.
func (r *Review) Remark(i int) string {
	j, had, limit := &r.Judgements[i], r.Standings[i].Win.Turns, r.WinIn
	var text string
	switch j.Mark {
	case Wins:
		text = "wins"
	case Keeps:
		text = "keeps the win"
	case Reaches:
		text = "reaches a forced win"
	case Delays:
		text = fmt.Sprintf("misses the win in %d, still wins in %d", had, r.Standings[i+1].Loss.Turns+1)
	case Misses:
		text = fmt.Sprintf("misses the win in %d", had)
	case ThrowsAway:
		text = fmt.Sprintf("THROWS AWAY the win in %d: there is none in %d", had, limit)
	case Unclear:
		text = fmt.Sprintf("perhaps misses the win in %d", had)
	case Loses:
		text = fmt.Sprintf("LOSES: another turn holds against wins in %d", r.Standings[i].Saving[0].Holds)
	case PerhapsLoses:
		text = "perhaps the losing turn"
	}
	if text == "" && j.Grade != Good {
		text = fmt.Sprintf("%v (the engine: %s)", j.Grade, r.best(i))
	}
	if j.Gives > 0 {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("the opponent now wins in %d", j.Gives)
	}
	return text
}

// best writes what the engine would have played at position i.
func (r *Review) best(i int) string {
	if line := r.Evaluations[i].Line; len(line) > 0 {
		return r.Record.Game.Position(i).Notation(line[0])
	}
	return "-"
}

// marks are what chess players write behind a turn.
var marks = map[Grade]string{Doubtful: "?!", Mistake: "?", Blunder: "??"}

// sign is the mark behind turn i, "" for none. What is proved comes before what is estimated.
func (r *Review) sign(i int) string {
	switch j := &r.Judgements[i]; j.Mark {
	case ThrowsAway, Loses:
		return "??"
	case Misses, Delays:
		return "?"
	case Wins, Keeps, Reaches, None, Unclear, PerhapsLoses:
		return marks[j.Grade]
	}
	return ""
}

// Annotated writes the game with comments and variations in the shape of the PGN files of chess, as
// arimaa.ReadAnnotated reads it: what was missed and what would have held are variations.
func (r *Review) Annotated() string {
	var b strings.Builder
	g := r.Record.Game
	result := "*"
	if r.Record.Finished() {
		result = [...]string{"1-0", "0-1"}[r.Record.Winner]
	}
	d := &r.Record.Details
	for _, tag := range [][2]string{{"Event", d.Event}, {"Site", r.Record.Name}, {"Gold", r.Record.Gold},
		{"Silver", r.Record.Silver}, {"GoldElo", d.GoldRating}, {"SilverElo", d.SilverRating}, {"TimeControl", d.TimeControl},
		{"Result", result}, {"Termination", r.Record.Ended}, {"Annotator", fmt.Sprintf("goalproof, wins in %d", r.WinIn)}} {
		if tag[1] != "" {
			fmt.Fprintf(&b, "[%s \"%s\"]\n", tag[0], strings.NewReplacer("\"", "'", "\n", " ").Replace(tag[1]))
		}
	}
	b.WriteByte('\n')
	// The setup, without the label of the turn to come.
	setup := g.At(0).Turns()
	setup = setup[:strings.LastIndex(strings.TrimSpace(setup), "\n")+1]
	b.WriteString(strings.NewReplacer("1w", "1g", "1b", "1s").Replace(setup))
	for i := range g.Len() {
		fmt.Fprintf(&b, "%s %s%s", g.Label(i), g.Position(i).Notation(g.Turn(i)), spaced(r.sign(i)))
		if text := r.Remark(i); text != "" {
			fmt.Fprintf(&b, " {%s}", text)
		}
		for _, v := range r.variations(i) {
			fmt.Fprintf(&b, "\n    (%s)", v)
		}
		b.WriteByte('\n')
	}
	if d := r.Decision; d != nil {
		fmt.Fprintf(&b, "{From %s on %v has a proved win.} ", g.Label(d.From), d.Winner)
	}
	b.WriteString(result + "\n")
	return b.String()
}

func spaced(sign string) string {
	if sign == "" {
		return ""
	}
	return " " + sign
}

// variations are what could have been played in turn i.
func (r *Review) variations(i int) (all []string) {
	s, j := &r.Standings[i], &r.Judgements[i]
	switch {
	case len(j.Line) > 0:
		var turns []arimaa.Turn
		for _, ply := range j.Line {
			turns = append(turns, ply.Turn)
		}
		all = append(all, fmt.Sprintf("%s {wins in %d}", r.line(i, turns), s.Win.Turns))
	case len(s.Saving) > 0:
		for _, saving := range s.Saving {
			line := r.line(i, []arimaa.Turn{saving.Turn})
			all = append(all, fmt.Sprintf("%s {holds against wins in %d}", line, saving.Holds))
		}
	case j.Grade != Good:
		all = append(all, fmt.Sprintf("%s {the engine}", r.line(i, r.Evaluations[i].Line)))
	}
	return all
}

// line writes turns from position i on, with their labels.
func (r *Review) line(i int, turns []arimaa.Turn) string {
	p := r.Record.Game.Position(i)
	number := r.Record.Game.Diagram(i).Number
	var words []string
	for _, t := range turns {
		words = append(words, arimaa.TurnLabel(number, p.Side()), p.Notation(t))
		if p.Side() == arimaa.Silver {
			number++
		}
		p = p.AfterTurn(t)
	}
	return strings.Join(words, " ")
}
