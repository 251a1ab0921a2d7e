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

// solverWith makes a solver.
func solverWith(t testing.TB, o Options) *Solver {
	t.Helper()
	s, err := New(o)
	require.NoError(t, err)
	return s
}

// newSolver makes a solver by dfpns with one thread.
func newSolver(t testing.TB) *Solver {
	t.Helper()
	return solverWith(t, Options{Memory: 64 << 20, Threads: 1})
}

// best makes a solver by pns.
func best(t testing.TB, memory uint64) *Solver {
	t.Helper()
	return solverWith(t, Options{Algorithm: PNS, Memory: memory, Threads: 1})
}

// solved asks a question and fails on an error.
func solved(t rapid.TB, s *Solver, ctx context.Context, q Question) Answer {
	t.Helper()
	a, err := s.Solve(ctx, q)
	require.NoError(t, err)
	return a
}

// parse reads a board drawn in long form, or a position on one line.
func parse(t testing.TB, drawing string) arimaa.Position {
	t.Helper()
	d, err := notation.ReadPositions("test", drawing)
	require.NoError(t, err)
	return d[0].Position
}

// exampleOf reads a position of the folder examples.
func exampleOf(t testing.TB, name string) arimaa.Position {
	t.Helper()
	text, err := os.ReadFile("../examples/" + name)
	require.NoError(t, err)
	return parse(t, string(text))
}

// drawn draws a position.
func drawn(t *rapid.T, positions *rapid.Generator[string]) arimaa.Position {
	t.Helper()
	p, err := notation.ParsePosition(positions.Draw(t, "position"))
	require.NoError(t, err)
	return p
}

// stateOf returns a position as the referee has it.
func stateOf(t rapid.TB, p arimaa.Position) referee.State {
	t.Helper()
	st, err := referee.ParsePosition(p.String())
	require.NoError(t, err)
	return st
}

// gameOf reads a game.
func gameOf(t testing.TB, text string) *arimaa.Game {
	t.Helper()
	g, err := notation.ReadGame("game", text)
	require.NoError(t, err)
	return g
}

// exampleGame reads the game of the folder examples.
func exampleGame(t testing.TB) *arimaa.Game {
	t.Helper()
	text, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	return gameOf(t, string(text))
}

// singleReply is a game after which a turn leaves Silver a single reply, which restores the board.
// It has occurred twice.
const singleReply = "1w Eb2 Cc1 Rd2\n1b ca2 cb1 dc2 rb3\n2w ca2s Eb2w Ea2e\n2b ca1n\n3w\n"

// historyOf returns the history of a game as the referee has it.
func historyOf(t rapid.TB, g *arimaa.Game) *referee.History {
	t.Helper()
	h := referee.NewHistory(stateOf(t, g.Position(0)))
	for i := 1; i <= g.Len(); i++ {
		at := stateOf(t, g.Position(i))
		h.Add(at.Board, at.Side)
	}
	return h
}

// played returns the position after a legal turn at p, which is state, by the referee.
func played(t rapid.TB, state referee.State, p arimaa.Position, turn arimaa.Turn) referee.State {
	t.Helper()
	_, end, err := state.ReadTurn(p.Notation(turn))
	if err == nil {
		end, err = end.Stop()
	}
	if err != nil {
		t.Fatalf("%v: %s: %v", p, p.Notation(turn), err)
	}
	return end
}

// checkLine plays a line with the referee: every turn is legal, the sides alternate, only
// the last ply ends the game, and it does so in the least number of turns of the attacker.
// Where it is a reply that ends the game, the defender was forced to do himself what the
// attacker's last turn would have done: N counts that turn (a win in 1 is a turn that wins).
func checkLine(t rapid.TB, p arimaa.Position, a Answer) {
	t.Helper()
	state := stateOf(t, p)
	attacker := 0
	for i, ply := range a.Line {
		if got := ply.Before.String(); got != state.Position() {
			t.Fatalf("%v: ply %d begins with %s, the line has led to %s", p, i, got, state.Position())
		}
		if ply.Before.Side() == p.Side() {
			attacker++
		}
		moved := state.Side
		state = played(t, state, ply.Before, ply.Turn)
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

// TestLastReply solves a position in which Gold's last reply must give up its only rabbit: the
// distance is that of a win by the defender's own reply.
func TestLastReply(t *testing.T) {
	p := parse(t, `
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
 +-----------------+`[1:])
	a := solved(t, newSolver(t), t.Context(), Question{Position: p, Deepest: 3})
	if a.Within != 3 || !a.Exact() {
		t.Fatalf("win in %d (%v), want 3", a.Within, a.Verdict)
	}
	checkLine(t, p, a)
}

// TestKnown looks at the bounds and at the line while a solver works: the bounds only become
// narrower, the line only grows, neither contradicts the answer, and at the end they are the
// answer's. A turn that is tried has no bounds, and the next question has no line at first.
func TestKnown(t *testing.T) {
	p, s := exampleOf(t, "win-in-3.txt"), newSolver(t)
	if b := s.Known(); b != (Known{}) {
		t.Errorf("before the question: %+v", b)
	}
	type look struct {
		Known
		line []Ply
	}
	ended, seen := make(chan struct{}), make(chan []look)
	go func() {
		var all []look
		for more := true; more; {
			select {
			case <-ended:
				more = false
			default:
			}
			now, last := look{s.Known(), s.LineSoFar()}, len(all)-1
			if last < 0 || all[last].Known != now.Known || len(all[last].line) != len(now.line) {
				all = append(all, now)
			}
		}
		seen <- all
	}()
	a := solved(t, s, t.Context(), Question{Position: p, Deepest: 3})
	close(ended)
	all := <-seen
	for i, now := range all {
		if now.Refuted > a.Refuted || now.Within != 0 && now.Within < a.Within || now.Within == 0 && now.Turn.Len() > 0 ||
			len(now.line) > len(a.Line) || !slices.Equal(now.line, a.Line[:len(now.line)]) {
			t.Errorf("%+v contradicts %+v", now, a)
		}
		if was := all[max(i-1, 0)]; now.Refuted < was.Refuted || len(now.line) < len(was.line) ||
			was.Within > 0 && (now.Within == 0 || now.Within > was.Within) {
			t.Errorf("%+v after %+v", now, was)
		}
	}
	end := all[len(all)-1]
	if a.Bounds != (answer.Bounds{Within: 3, Refuted: 2}) || end.Bounds != a.Bounds || end.Position != p ||
		len(a.Line) != 5 || len(end.line) != 5 || p.AfterTurn(end.Turn) != p.AfterTurn(a.Line[0].Turn) {
		t.Errorf("at the end: %+v, the answer is %+v", end, a)
	}
	checkLine(t, p, a)
	if _, err := s.Try(t.Context(), Question{Position: p, Deepest: 1}, a.Line[0].Turn); err != nil || s.Known() != (Known{}) {
		t.Errorf("%v: a turn that was tried has the bounds %+v", err, s.Known())
	}
	solved(t, s, t.Context(), Question{Position: p, Deepest: 1})
	if line := s.LineSoFar(); line != nil {
		t.Errorf("after another question: %v", line)
	}
}

// TestAsReferee compares distances on small boards with complete enumeration, and plays
// the lines.
func TestAsReferee(t *testing.T) {
	s := newSolver(t)
	proved := 0
	boards.Check(t, 100, 3_000, func(t *rapid.T) {
		p := drawn(t, boards.Few(2))
		if p.Unusual() != nil {
			return
		}
		plain := stateOf(t, p)
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

// TestTables checks that the sizes and the replacement scheme of the tables reach dfpns: they
// change the nodes and not the answer.
func TestTables(t *testing.T) {
	q := Question{Position: parse(t, "g [Mmre             R                                              ]"), Deepest: 4, NoLine: true}
	nodes := map[uint64]bool{}
	var want Answer
	for i, o := range []Options{{}, {ProofTable: 128, TranspositionTable: 128}, {ProofTable: 128, TranspositionTable: 128, Scheme: tables.Newer}} {
		o.Memory, o.Threads = 64<<20, 1
		s := solverWith(t, o)
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
