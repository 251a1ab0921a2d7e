package goal

import (
	"strconv"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// TestPublished answers the question "a rabbit on its goal rank this turn" on every published row.
func TestPublished(t *testing.T) {
	var d Detector
	for _, file := range []string{"composed.tsv", "from-games.tsv"} {
		for _, row := range published.Rows(t, "goal-this-turn/"+file) {
			p := boards.Parse(t, row[0])
			want, err := strconv.Atoi(row[1])
			require.NoError(t, err)
			got, turn := d.Goal(&p, &p.Board)
			if n, _ := got.Steps(); n != want {
				t.Errorf("%v: %v, want %d", p, got, want)
			} else if got != None {
				checkTurn(t, p, turn, got)
			}
		}
	}
}

// checkTurn plays a turn and checks that it is legal and as long as it was said to be.
func checkTurn(t testing.TB, p arimaa.Position, turn arimaa.Turn, d Distance) arimaa.State {
	t.Helper()
	s := arimaa.NewState(p)
	for i := range turn.Len() {
		if _, err := s.Play(turn.Step(i)); err != nil {
			t.Fatalf("%v: %v: %v", p, turn, err)
		}
	}
	if n, ok := d.Steps(); !ok || n != turn.Len() {
		t.Errorf("%v: %v takes %d steps, said %v", p, turn, turn.Len(), d)
	}
	return s
}

// TestServedTwice is a case in which one pull serves one piece with the square it leaves and
// another with the square it enters: Ed5s md6s takes the elephant's defender away and freezes the
// rabbit.
func TestServedTwice(t *testing.T) {
	var d Detector
	start := boards.Parse(t, "g [                 RemE                      r                    ]")
	p := boards.Parse(t, "g [                 Rem        E              r                    ]").WithStepsLeft(3)
	checkBoth(t, &d, &p, &start.Board)
}

// enumerated answers by listing all results of the turn from p.
func enumerated(p *arimaa.Position, start *arimaa.Board, wanted func(*arimaa.Board) bool) Distance {
	var d Detector
	found, _ := d.enumerate(p, start, wanted)
	return found
}

func hasGoal(side arimaa.Side) func(*arimaa.Board) bool {
	return func(b *arimaa.Board) bool { return b.Rabbits(side)&arimaa.GoalRank(side) != 0 }
}

func hasWon(side arimaa.Side) func(*arimaa.Board) bool {
	return func(b *arimaa.Board) bool {
		o := b.Ended(side)
		return o.Over() && o.Winner == side
	}
}

// checkBoth compares both questions with enumeration at a point of a turn.
func checkBoth(t rapid.TB, d *Detector, p *arimaa.Position, start *arimaa.Board) {
	t.Helper()
	checkCanWin(t, d, p, start)
	for _, q := range []struct {
		name   string
		ask    func(*arimaa.Position, *arimaa.Board) (Distance, arimaa.Turn)
		wanted func(*arimaa.Board) bool
	}{
		{"goal", d.Goal, hasGoal(p.Side())},
		{"win", d.Win, hasWon(p.Side())},
	} {
		got, turn := q.ask(p, start)
		if want := enumerated(p, start, q.wanted); got != want {
			t.Fatalf("%v with %d steps left, turn begun with %v: %s in %v, enumeration says %v",
				p, p.StepsLeft(), arimaa.NewPosition(*start, p.Side()), q.name, got, want)
		}
		n, ok := got.Steps()
		if !ok {
			continue
		}
		end := *p
		for i := range turn.Len() {
			end = end.After(arimaa.SingleStep(turn.Step(i)))
		}
		if turn.Len() != n || !q.wanted(&end.Board) || end.Board == *start {
			t.Fatalf("%v: %s in %v: the turn %v does not do it", p, q.name, got, turn)
		}
	}
}

// checkCanWin checks that the quick question has the same answer, and a winning turn.
func checkCanWin(t rapid.TB, d *Detector, p *arimaa.Position, start *arimaa.Board) {
	t.Helper()
	slow, _ := d.Win(p, start)
	turn, ok := d.CanWin(p, start)
	if ok != (slow != None) {
		t.Fatalf("%v: a win this turn: %v, with the fewest steps: %v", p, ok, slow)
	}
	end := *p
	for i := range turn.Len() {
		end = end.After(arimaa.SingleStep(turn.Step(i)))
	}
	if ok && !hasWon(p.Side())(&end.Board) {
		t.Fatalf("%v: %v does not win", p, turn)
	}
}

// TestExact compares the detector with enumeration on random positions, at the start of turns and
// inside them.
func TestExact(t *testing.T) {
	var d Detector
	positions := rapid.OneOf(boards.Position(), boards.Few(6), boards.Few(3))
	boards.Check(t, 120, 40_000, func(t *rapid.T) {
		p := boards.Parse(t, positions.Draw(t, "position"))
		start := p.Board
		checkBoth(t, &d, &p, &start)
		// One to three steps into the turn.
		options := p.Options(nil)
		if len(options) == 0 {
			return
		}
		p = p.After(rapid.SampledFrom(options).Draw(t, "option"))
		checkBoth(t, &d, &p, &start)
		if options = p.Options(options[:0]); len(options) == 0 {
			return
		}
		p = p.After(rapid.SampledFrom(options).Draw(t, "option"))
		checkBoth(t, &d, &p, &start)
	})
}
