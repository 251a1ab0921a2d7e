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
		name     string
		want     int
		position string
	}{
		{"an open way", 3, "Rd5 ra8 g"},
		{"round a trap", 4, "Rc5 ra8 g"},
		{"over a trap with help", 3, "Rc5 Cd6 ra8 g"},
		{"a friend steps aside", 3, "Cd7 Re7 Cd8 De8 rd6 re6 ra7 rb7 rf7 rg7 rh7 ra8 rb8 rf8 rg8 rh8 g"},
		{"frozen at first", 4, "Rc6 cb6 g"},
		{"blocked by pieces that nothing moves", 0, "Rd6 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 g"},
		{"from home", 8, "Rc1 Ea2 ca7 g"},
	}
	for _, c := range tests {
		p := boards.Parse(t, c.position)
		var e Evaluator
		e.evaluate(&p.Board, arimaa.Gold)
		own, foe := &e.position.armies[arimaa.Gold], &e.position.armies[arimaa.Silver]
		if got := e.position.nearestGoal(own, foe); got != c.want {
			t.Errorf("%s: %d steps, want %d", c.name, got, c.want)
		}
	}
}

// TestGoalsThisTurn compares with goals that published positions from games have in one turn: most
// are within four steps by the estimate.
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
