package review

import (
	"fmt"

	"goalproof/answer"
	"goalproof/engine"

	"github.com/dustin/go-humanize"
)

// hopeless reports whether the side that played turn i, after which its loss is proved, had hardly
// a chance, by the evaluation of its best turn. Then allowing a win is no mistake.
func (r *Review) hopeless(i int) bool {
	const hardly = 0.1
	return r.Evaluations != nil && r.Judgements[i].Fall < hardly
}

// Remark describes turn i in a few words, "" if there is nothing to say. Chances are Gold's, on the
// scale of GoldChance.
func (r *Review) Remark(i int) string {
	j, had := &r.Judgements[i], r.Standings[i].Win.In()
	before, after := &r.Standings[i], &r.Standings[i+1]
	var text string
	switch j.Mark {
	case Wins:
		text = "wins"
	case Keeps:
		text = "keeps the win"
	case Reaches:
		text = "reaches a forced win"
	case Delays:
		left := Fact{Bounds: answer.Bounds{Within: after.Loss.Within + 1, Refuted: after.Loss.Refuted + 1}}
		text = fmt.Sprintf("misses the win in %s, still wins in %s", had, left.In())
	case Misses:
		text = fmt.Sprintf("misses the win in %s", had)
		if after.Loss.Refuted >= r.WinIn {
			text += fmt.Sprintf(": no win in %d is left", after.Loss.Refuted)
		}
	case ThrowsAway:
		text = fmt.Sprintf("THROWS AWAY the win in %s", had)
		if after.Loss.Tabled && !after.Win.Proved() {
			text += ": now neither side can force a win"
		}
	case Unclear:
		text = fmt.Sprintf("perhaps misses the win in %s", had)
	case Loses:
		text = "LOSES: after another turn neither side can force a win"
	case Allows:
		text = fmt.Sprintf("another turn holds against wins in %d", before.Saving[0].Holds)
	case Open:
		text = "whether another turn holds is open"
	}
	if j.Grade != Good && (j.Mark == None || j.Mark == Allows || j.Mark == Open) {
		best := r.goldAfter(i, r.Evaluations[i].Best[0].Chance)
		grade := fmt.Sprintf("%v: gold %s -> %s", j.Grade, engine.Percent(best), engine.Percent(r.GoldChance(i+1)))
		if text != "" {
			grade += "; "
		}
		text = grade + text
	}
	if j.Gives > 0 {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("the opponent now wins in %s", r.Standings[i+1].Win.In())
	}
	if (j.Mark != None || j.Gives > 0) && r.Standings[i+1].tabled() {
		text += " (endgame table)"
	}
	if s := &j.Stops; s.Hold > 0 {
		aside := answer.Aside(s.Aside)
		verb := "stop"
		if s.Hold == 1 && s.Undecided == 0 {
			verb = "stops"
		}
		least := ""
		if s.Undecided > 0 {
			least = "at least "
		}
		text += fmt.Sprintf("; %s%s of %s turns %s that%s, the simplest %s", least, humanize.Comma(int64(s.Hold)),
			humanize.Comma(int64(s.Turns)), verb, aside, r.Record.Game.Position(i).Notation(s.Simplest))
	}
	return text
}

// marks holds the annotation symbols of chess by grade.
var marks = map[Grade]string{Doubtful: "?!", Mistake: "?", Blunder: "??"}

// Sign returns the annotation symbol of turn i, "" for none: that of its grade, and at least "?" if
// a proved win is missed or a position that was proved to hold is lost, "?!" if a win is delayed or
// allowed. Without evaluations a turn that throws a win away or loses gets "??".
func (r *Review) Sign(i int) string {
	j := &r.Judgements[i]
	grade := j.Grade
	switch j.Mark {
	case ThrowsAway, Misses:
		grade = max(grade, Mistake)
	case Delays:
		grade = max(grade, Doubtful)
	case Loses:
		grade = max(grade, Mistake)
	case Allows:
		if !r.hopeless(i) {
			grade = max(grade, Doubtful)
		}
	case None, Wins, Keeps, Reaches, Unclear, Open:
	}
	if r.Evaluations == nil && (j.Mark == ThrowsAway || j.Mark == Loses) {
		grade = Blunder
	}
	return marks[grade]
}
