package pns

import (
	"context"
	"strings"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// drawn reads a board as drawn in these tests: the number of a rank and its eight squares, '.' for
// an empty one. Ranks that are left out are empty.
func drawn(t rapid.TB, side arimaa.Side, drawing string) arimaa.Position {
	t.Helper()
	ranks := [8]string{}
	for i := range ranks {
		ranks[i] = strings.Repeat(".", 8)
	}
	for _, line := range strings.Split(strings.TrimSpace(drawing), "\n") {
		line = strings.TrimSpace(line)
		if len(line) != 10 || line[0] < '1' || line[0] > '8' || line[1] != ' ' {
			t.Fatalf("bad line %q in a drawing", line)
		}
		ranks['8'-line[0]] = line[2:]
	}
	return boards.Parse(t, string(side.Letter())+" ["+strings.Join(ranks[:], "")+"]")
}

// turn reads a turn such as "Ea1n Ea2n", without captures.
func turn(t rapid.TB, text string) arimaa.Turn {
	t.Helper()
	var all arimaa.Turn
	for _, word := range strings.Fields(text) {
		step, err := notation.ParseStep(word)
		require.NoError(t, err)
		all = all.With(step)
	}
	return all
}

// fresh returns a solver with a number of MiB.
func fresh(t rapid.TB, mebibytes uint64) *Solver {
	t.Helper()
	s, err := New(mebibytes << 20)
	require.NoError(t, err)
	return s
}

// ask solves a question without a limit of time.
func ask(s *Solver, q Question) Result { return s.Solve(context.Background(), q) }

// verdict is the verdict that a yes or no stands for.
func verdict(yes bool) answer.Verdict {
	if yes {
		return answer.Proved
	}
	return answer.Disproved
}

// prepare makes a solver ready to expand by hand, as Solve does, and returns the root: the turn of
// the attacker with n turns left or, where the defender is to move, a turn of his that answers the
// attacker's and leaves him n.
func prepare(s *Solver, p arimaa.Position, n int, flags uint8) ref {
	s.begin(Question{Position: p, N: n})
	if flags&defends != 0 {
		s.attacker = p.Side().Other()
		s.evaluator.begin(s.attacker)
	}
	s.root = s.newTurn(0, &p, flags, uint8(n))
	return s.root
}

// silent is a judge that decides nothing.
type silent struct{}

func (silent) begin(arimaa.Side) {}
func (silent) winsNow(*arimaa.Position) (arimaa.Turn, bool) {
	return arimaa.Turn{}, false
}
func (silent) afterAttack(*arimaa.Position, int, line) answer.Verdict { return answer.Unknown }
func (silent) afterReply(*arimaa.Position, int, line) answer.Verdict  { return answer.Unknown }
