package evaluation

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// nearestGoal returns the estimated steps of a side's nearest rabbit to its goal, or 0.
func (p *position) nearestGoal(own, foe *army) int {
	from := p.goalZones(own, foe)
	for n := 1; n < len(from); n++ {
		if own.relative(own.kind[arimaa.Rabbit])&from[n]&^from[0] != 0 {
			return n
		}
	}
	return 0
}

// TestGoalSteps checks the estimated steps of Gold's nearest rabbit.
func TestGoalSteps(t *testing.T) {
	tests := []struct {
		name string
		want int
		rows [8]string
	}{
		{"an open way", 3, [8]string{
			"r.......",
			"........",
			"........",
			"...R....",
			"........",
			"........",
			"........",
			"........",
		}},
		{"round a trap", 4, [8]string{
			"r.......",
			"........",
			"........",
			"..R.....",
			"........",
			"........",
			"........",
			"........",
		}},
		{"over a trap with help", 3, [8]string{
			"r.......",
			"........",
			"...C....",
			"..R.....",
			"........",
			"........",
			"........",
			"........",
		}},
		{"a friend steps aside", 3, [8]string{
			"rr.CDrrr",
			"rr.CRrrr",
			"...rr...",
			"........",
			"........",
			"........",
			"........",
			"........",
		}},
		{"frozen at first", 4, [8]string{
			"........",
			"........",
			".cR.....",
			"........",
			"........",
			"........",
			"........",
			"........",
		}},
		{"blocked by pieces that nothing moves", 0, [8]string{
			"rrrrrrrr",
			"........",
			"...R....",
			"........",
			"........",
			"........",
			"........",
			"........",
		}},
		{"from home", 8, [8]string{
			"........",
			"c.......",
			"........",
			"........",
			"........",
			"........",
			"E.......",
			"..R.....",
		}},
	}
	for _, c := range tests {
		b := drawn(c.rows)
		var e Evaluator
		e.evaluate(&b, arimaa.Gold)
		own, foe := &e.position.armies[arimaa.Gold], &e.position.armies[arimaa.Silver]
		if got := e.position.nearestGoal(own, foe); got != c.want {
			t.Errorf("%s: %d steps, want %d", c.name, got, c.want)
		}
	}
}

// TestGoalsThisTurn compares with goals that published positions from games have in one turn:
// most are within four steps by the estimate.
func TestGoalsThisTurn(t *testing.T) {
	var e Evaluator
	near, all := 0, 0
	for _, row := range published.Rows(t, "goal-this-turn/from-games.tsv") {
		p := boards.Parse(t, row[0])
		e.evaluate(&p.Board, p.Side())
		own, foe := &e.position.armies[p.Side()], &e.position.armies[p.Side().Other()]
		steps := e.position.nearestGoal(own, foe)
		all++
		if steps > 0 && steps <= arimaa.StepsPerTurn {
			near++
		}
	}
	t.Logf("%d of %d goals are within four steps by the estimate", near, all)
	if near*5 < all*4 {
		t.Errorf("%d of %d goals are within four steps by the estimate", near, all)
	}
}
