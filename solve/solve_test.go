package solve

import (
	"context"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
	"goalproof/tables"
)

func newSolver(t testing.TB) *Solver {
	t.Helper()
	s, err := New(Options{Memory: 64 << 20, Threads: 1})
	require.NoError(t, err)
	return s
}

// solved asks a question and fails on an error.
func solved(t rapid.TB, s *Solver, ctx context.Context, q Question) Answer {
	t.Helper()
	a, err := s.Solve(ctx, q)
	require.NoError(t, err)
	return a
}

// parse reads a board drawn in long form.
func parse(t testing.TB, drawing string) arimaa.Position {
	t.Helper()
	d, err := notation.ReadPositions("test", drawing)
	require.NoError(t, err)
	return d[0].Position
}

// checkLine plays a line with the referee: every turn is legal, the sides alternate, only
// the last ply ends the game, and it does so in the least number of turns of the attacker.
// Where it is a reply that ends the game, the defender was forced to do himself what the
// attacker's last turn would have done: N counts that turn (a win in 1 is a turn that wins).
func checkLine(t rapid.TB, p arimaa.Position, a Answer) {
	t.Helper()
	state, err := referee.ParsePosition(p.String())
	require.NoError(t, err)
	attacker := 0
	for i, ply := range a.Line {
		if got := ply.Before.String(); got != state.Position() {
			t.Fatalf("%v: ply %d begins with %s, the line has led to %s", p, i, got, state.Position())
		}
		if ply.Before.Side() == p.Side() {
			attacker++
		}
		moved := state.Side
		_, end, err := state.ReadTurn(ply.Before.Notation(ply.Turn))
		if err != nil {
			t.Fatalf("%v: ply %d: %v", p, i, err)
		}
		if state, err = end.Stop(); err != nil {
			t.Fatalf("%v: ply %d: %v", p, i, err)
		}
		winner, _, over := referee.Outcome(state.Board, moved)
		if last := i == len(a.Line)-1; over != last {
			t.Fatalf("%v: ply %d of %d: the game is over: %v", p, i+1, len(a.Line), over)
		} else if last && winner != referee.Side(p.Side()) {
			t.Fatalf("%v: the line ends with a win for %v", p, winner)
		}
	}
	if len(a.Line)%2 == 0 {
		attacker++
	}
	if attacker != a.Within {
		t.Errorf("%v: the line takes %d turns of the attacker, the win %d", p, attacker, a.Within)
	}
}

// TestRaces decides races of lone rabbits, which nobody needs a program for: a rabbit
// needs as many steps as there are ranks before it, four a turn. In one of them the
// distance is that of a win by the defender's own last reply.
func TestRaces(t *testing.T) {
	for _, test := range []struct {
		name  string
		board string
		least int // 0: no win in 3 turns
	}{
		{"gold needs 7 steps and silver 6, but gold is first to its second turn", `
2g
 +-----------------+
8|                 |
7|               r |
6|     x     x     |
5|                 |
4|                 |
3|     x     x     |
2|                 |
1| R               |
 +-----------------+`[1:], 2},
		{"silver needs one step and is not stopped", `
2g
 +-----------------+
8|                 |
7|                 |
6|     x     x     |
5|                 |
4|                 |
3|     x     x     |
2| R             r |
1|                 |
 +-----------------+`[1:], 0},
		{"gold's last reply must give up its only rabbit", `
2s
 +-----------------+
8|     M m r       |
7|                 |
6|     x     x R   |
5|                 |
4|                 |
3|     x     x     |
2|                 |
1|                 |
 +-----------------+`[1:], 3},
		{"one step", `
2s
 +-----------------+
8|                 |
7|                 |
6|     x     x     |
5|                 |
4|                 |
3|     x     x     |
2| R             r |
1|                 |
 +-----------------+`[1:], 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := parse(t, test.board)
			a := solved(t, newSolver(t), t.Context(), Question{Position: p, Deepest: 3})
			if a.Within != test.least {
				t.Fatalf("win in %d (%v), want %d", a.Within, a.Verdict, test.least)
			}
			if a.Verdict == answer.Proved {
				checkLine(t, p, a)
			}
		})
	}
}

// TestLongLines solves small boards up to three turns: the line in which the defence
// holds out longest takes as many turns as the distance says.
func TestLongLines(t *testing.T) {
	s, err := New(Options{Memory: 4 << 20, Threads: 1}) // little memory bounds the work, and the same on every machine
	require.NoError(t, err)
	distances := map[int]int{}
	boards.Check(t, 120, 2_000, func(t *rapid.T) {
		p, err := notation.ParsePosition(boards.Few(5).Draw(t, "position"))
		require.NoError(t, err)
		if p.Unusual() != nil {
			return
		}
		a := solved(t, s, context.Background(), Question{Position: p, Deepest: 3})
		distances[a.Within]++
		if a.Verdict == answer.Proved {
			checkLine(t, p, a)
		}
	})
	t.Logf("positions by distance (0: none found): %v", distances)
	if distances[2] < 5 {
		t.Errorf("distances %v: too few long lines to say much", distances)
	}
}

// TestLineSoFar looks at the line while a solver works: it grows into that of the answer, and the next question has none.
func TestLineSoFar(t *testing.T) {
	text, err := os.ReadFile("../examples/win-in-3.txt")
	require.NoError(t, err)
	p := parse(t, string(text))
	s := newSolver(t)
	ended, seen := make(chan struct{}), make(chan [][]Ply)
	go func() {
		var all [][]Ply
		for more := true; more; {
			select {
			case <-ended:
				more = false
			default:
			}
			if line := s.LineSoFar(); len(all) == 0 || len(all[len(all)-1]) != len(line) {
				all = append(all, line)
			}
		}
		seen <- all
	}()
	a := solved(t, s, t.Context(), Question{Position: p, Deepest: 3})
	close(ended)
	all := <-seen
	for i, line := range all {
		if len(line) > len(a.Line) || !slices.Equal(line, a.Line[:len(line)]) || i > 0 && len(line) < len(all[i-1]) {
			t.Errorf("%v is no beginning of %v", line, a.Line)
		}
	}
	if got := all[len(all)-1]; len(got) != len(a.Line) || len(got) < 5 {
		t.Errorf("at the end: %v, the line is %v", got, a.Line)
	}
	solved(t, s, t.Context(), Question{Position: p, Deepest: 1})
	if line := s.LineSoFar(); line != nil {
		t.Errorf("after another question: %v", line)
	}
}

// TestBounds looks at the bounds while a solver works: they only become narrower, they never contradict the answer, and at the end
// they are the answer. A turn that is tried has none.
func TestBounds(t *testing.T) {
	text, err := os.ReadFile("../examples/win-in-3.txt")
	require.NoError(t, err)
	p := parse(t, string(text))
	s := newSolver(t)
	if b := s.Known(); b != (Known{}) {
		t.Errorf("before the question: %+v", b)
	}
	ended, seen := make(chan struct{}), make(chan []Known)
	go func() {
		var all []Known
		for more := true; more; {
			select {
			case <-ended:
				more = false
			default:
			}
			if b := s.Known(); len(all) == 0 || all[len(all)-1] != b {
				all = append(all, b)
			}
		}
		seen <- all
	}()
	a := solved(t, s, t.Context(), Question{Position: p, Deepest: 3})
	close(ended)
	all := <-seen
	for i, b := range all {
		if b.Refuted > a.Refuted || b.Within != 0 && b.Within < a.Within || b.Within == 0 && b.Turn.Len() > 0 {
			t.Errorf("%+v contradicts %+v", b, a)
		}
		if i > 0 && (b.Refuted < all[i-1].Refuted || all[i-1].Within > 0 && (b.Within == 0 || b.Within > all[i-1].Within)) {
			t.Errorf("%+v after %+v", b, all[i-1])
		}
	}
	if want := (Known{p, answer.Bounds{Within: 3, Refuted: 2}, s.Known().Turn}); all[len(all)-1] != want || a.Within != 3 || a.Refuted != 2 {
		t.Errorf("at the end: %+v, want %+v", all[len(all)-1], want)
	}
	if p.AfterTurn(s.Known().Turn) != p.AfterTurn(a.Line[0].Turn) {
		t.Errorf("the first turn is %v, and the line begins with %v", s.Known().Turn, a.Line[0].Turn)
	}
	if _, err := s.Try(t.Context(), Question{Position: p, Deepest: 1}, a.Line[0].Turn); err != nil || s.Known() != (Known{}) {
		t.Errorf("%v: a turn that was tried has the bounds %+v", err, s.Known())
	}
}

// TestExampleInThree plays the line of the example that takes three turns.
func TestExampleInThree(t *testing.T) {
	text, err := os.ReadFile("../examples/win-in-3.txt")
	require.NoError(t, err)
	p := parse(t, string(text))
	a := solved(t, newSolver(t), t.Context(), Question{Position: p, Deepest: 3})
	if a.Within != 3 || len(a.Line) != 5 {
		t.Fatalf("win in %d (%v) with a line of %d turns, want 3 and 5", a.Within, a.Verdict, len(a.Line))
	}
	checkLine(t, p, a)
}

// TestAsReferee compares distances on small boards with complete enumeration, and plays
// the lines.
func TestAsReferee(t *testing.T) {
	s := newSolver(t)
	proved := 0
	boards.Check(t, 100, 3_000, func(t *rapid.T) {
		p, err := notation.ParsePosition(boards.Few(2).Draw(t, "position"))
		require.NoError(t, err)
		if p.Unusual() != nil {
			return
		}
		plain, err := referee.ParsePosition(p.String())
		require.NoError(t, err)
		a := solved(t, s, context.Background(), Question{Position: p, Deepest: 2})
		want := 0
		for n := 2; n >= 1 && referee.WinIn(plain, n); n-- {
			want = n
		}
		if a.Within != want || (a.Verdict == answer.Proved) != (want > 0) || want == 0 && a.Refuted != 2 {
			t.Fatalf("%v: %v in %d, referee %d", p, a.Verdict, a.Within, want)
		}
		if want > 0 {
			proved++
			checkLine(t, p, a)
		}
	})
	if proved < 20 {
		t.Errorf("only %d positions were won: the test says little", proved)
	}
}

func TestCheck(t *testing.T) {
	p := parse(t, "g [                                           R         r          ]")
	for _, test := range []struct {
		name string
		q    Question
		ok   bool
	}{
		{"sound", Question{Position: p, Deepest: 1}, true},
		{"no turns", Question{Position: p, Deepest: 0}, false},
		{"too many turns", Question{Position: p, Deepest: 10_000}, false},
		{"inside a turn", Question{Position: p.WithStepsLeft(3), Deepest: 1}, false},
		{"another game", Question{Position: p, Deepest: 1, Game: arimaa.NewGame(p.EndTurn(), 2)}, false},
		{"its own game", Question{Position: p, Deepest: 1, Game: arimaa.NewGame(p, 2)}, true},
		{"threats", Question{Position: p, Deepest: 3, Threats: true, Any: true}, true},
		{"the least number by threats", Question{Position: p, Deepest: 3, Threats: true}, false},
		{"every turn by threats", Question{Position: p, Deepest: 3, Threats: true, Any: true, All: true}, false},
	} {
		if err := test.q.Check(); (err == nil) != test.ok {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestTables checks that the sizes and the replacement scheme of the tables reach dfpns: they change the nodes and
// not the answer.
func TestTables(t *testing.T) {
	q := Question{Position: parse(t, "g [Mmre             R                                              ]"), Deepest: 4, NoLine: true}
	nodes := map[uint64]bool{}
	var want Answer
	for i, o := range []Options{{}, {ProofTable: 128, TranspositionTable: 128}, {ProofTable: 128, TranspositionTable: 128, Scheme: tables.Newer}} {
		o.Memory, o.Threads = 64<<20, 1
		s, err := New(o)
		require.NoError(t, err)
		a := solved(t, s, t.Context(), q)
		if i == 0 {
			want = a
		}
		if a.Verdict != want.Verdict || a.Within != want.Within {
			t.Errorf("%+v: %v in %d, want %v in %d", o, a.Verdict, a.Within, want.Verdict, want.Within)
		}
		nodes[a.Nodes] = true
	}
	if len(nodes) != 3 {
		t.Errorf("nodes by tables: %v", nodes)
	}
	if _, err := New(Options{Memory: 1 << 20, Threads: 1, ProofTable: 2 << 20}); err == nil {
		t.Error("a table that does not fit is accepted")
	}
}
