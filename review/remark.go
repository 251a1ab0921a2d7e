package review

import "fmt"

// Remark describes turn i in a few words; it is empty if there is nothing to say.
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
		if r.Standings[i+1].Loss.Tabled {
			text = fmt.Sprintf("THROWS AWAY the win in %d: there is none left", had)
		}
	case Unclear:
		text = fmt.Sprintf("perhaps misses the win in %d", had)
	case Loses:
		text = fmt.Sprintf("LOSES: another turn holds against wins in %d", r.Standings[i].Saving[0].Holds)
		if r.Standings[i].Loss.Tabled {
			text = "LOSES: after another turn neither side can force a win"
		}
	case PerhapsLoses:
		text = "perhaps the losing turn"
	}
	if text == "" && j.Grade != Good {
		chance := 1 - r.Evaluations[i+1].Chance
		text = fmt.Sprintf("%v: chance %.0f%%, the engine's choice %.0f%%", j.Grade, 100*chance, 100*(chance+j.Fall))
	}
	if j.Gives > 0 {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("the opponent now wins in %d", j.Gives)
	}
	if (j.Mark != None || j.Gives > 0) && r.Standings[i+1].tabled() {
		text += " (endgame table)"
	}
	return text
}

// marks holds the annotation symbols of chess by grade.
var marks = map[Grade]string{Doubtful: "?!", Mistake: "?", Blunder: "??"}

// sign returns the annotation symbol of turn i, "" for none. A proof overrides an estimate.
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
