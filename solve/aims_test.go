package solve

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
	"goalproof/proof/referee"
)

// sparse draws a position with few pieces, some of them near a trap.
func sparse(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	traps := [...]int{18, 21, 42, 45}
	t := traps[random.IntN(4)]
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		b.Put(arimaa.Square(8+random.IntN(48)), arimaa.NewPiece(side, arimaa.Rabbit))
	}
	for range 3 + random.IntN(3) {
		at := arimaa.Square(max(0, min(63, t+8*(random.IntN(5)-2)+random.IntN(5)-2)))
		if b.At(at) == arimaa.Empty {
			b.Put(at, arimaa.NewPiece(arimaa.Side(random.IntN(2)), arimaa.Cat+arimaa.Kind(random.IntN(5))))
		}
	}
	for rest := b.Undefended(); rest != 0; rest = rest.Rest() {
		b.Put(rest.First(), arimaa.Empty)
	}
	return arimaa.NewPosition(b, arimaa.Side(random.IntN(2)))
}

// mustSolve answers a question without a limit of time.
func mustSolve(t *testing.T, s *Solver, q Question) Answer {
	t.Helper()
	require.NoError(t, q.Check())
	a, err := s.Solve(context.Background(), q)
	if err != nil || a.Verdict == answer.Unknown {
		t.Fatalf("%v, %v: %v, %v", q.Position, q.Aim, a.Verdict, err)
	}
	return a
}

// TestCaptureInTwo lets both searches answer about captures in two turns.
func TestCaptureInTwo(t *testing.T) {
	t.Parallel()
	n := boards.Sized(40, 500)
	random := rand.New(rand.NewPCG(2, 3))
	solvers := [2]*Solver{}
	for i, algorithm := range []Algorithm{DFPNS, PNS} {
		s := solverWith(t, Options{Algorithm: algorithm, Memory: 64 << 20, Threads: 2})
		solvers[i] = s
	}
	var proved [3]int
	certificates := 0
	for range n {
		q := Question{Position: sparse(random), Deepest: 2, Aim: goal.CaptureOf(arimaa.None, arimaa.Traps)}
		a, b := mustSolve(t, solvers[0], q), mustSolve(t, solvers[1], q)
		if a.Verdict != b.Verdict || a.Within != b.Within || a.Refuted != b.Refuted {
			t.Fatalf("%v: dfpns says %v in %d, pns says %v in %d", q.Position, a.Verdict, a.Within, b.Verdict, b.Within)
		}
		proved[a.Within]++
		for _, a := range []Answer{a, b} {
			if a.Verdict != answer.Proved {
				continue
			}
			if c := mustCertify(t, solvers[0], q, a); c != nil {
				certificates++
			}
			if last := a.Line[len(a.Line)-1]; !last.Ends() || len(a.Line) > 2*a.Within-1 {
				t.Errorf("%v: the line in %d does not end: %v", q.Position, a.Within, a.Line)
			}
		}
	}
	t.Logf("no capture, in 1, in 2: %v; %d certificates", proved, certificates)
}

// TestCaptureInTwoInGames does the same on positions of the published games, where pns may run out
// of memory.
func TestCaptureInTwoInGames(t *testing.T) {
	t.Parallel()
	n := boards.Sized(2, 50)
	positions := games.Positions(t)
	depthFirst := solverWith(t, Options{Memory: 64 << 20, Threads: 2})
	bestFirst := solverWith(t, Options{Algorithm: PNS, Memory: 1 << 30, Threads: 1})
	var counts [3]int
	both := 0
	for i := range n {
		p := positions[(2*i+1)*len(positions)/(2*n)]
		if p.Board.Ended(p.Side().Other()).Over() {
			continue
		}
		q := Question{Position: p, Deepest: 2, Aim: goal.CaptureOf(arimaa.None, arimaa.Traps), NoLine: true}
		if i%2 == 1 {
			q.Aim = goal.CaptureOf(arimaa.Kind(1+i%5), arimaa.Traps)
		}
		a := mustSolve(t, depthFirst, q)
		counts[a.Within]++
		b, err := bestFirst.Solve(context.Background(), q)
		if err != nil || b.Verdict == answer.Unknown && b.Stop != answer.Memory {
			t.Fatalf("%v: %v, %v", p, b.Stop, err)
		}
		if b.Verdict == answer.Unknown {
			continue
		}
		if both++; a.Verdict != b.Verdict || a.Within != b.Within {
			t.Fatalf("%v, %v: dfpns says %v in %d, pns says %v in %d", p, q.Aim, a.Verdict, a.Within, b.Verdict, b.Within)
		}
	}
	if both == 0 {
		t.Error("pns has decided none")
	}
	t.Logf("no capture, in 1, in 2: %v; both have decided %d", counts, both)
}

// mustCertify writes down an answer and checks it.
func mustCertify(t *testing.T, s *Solver, q Question, a Answer) *proof.Certificate {
	t.Helper()
	c, err := s.CertificateFor(context.Background(), q, a.Within, a.Line[0].Turn)
	if err == nil {
		err = c.Check(context.Background(), nil)
	}
	if err != nil {
		t.Fatalf("%v, %v in %d: %v", q.Position, q.Aim, a.Within, err)
	}
	return c
}

// TestAimCertificates writes down what is proved of several aims on small boards, reads it, and
// mutates it: what is accepted is then true by complete enumeration, and all other mutations are
// rejected.
func TestAimCertificates(t *testing.T) {
	t.Parallel()
	s := newSolver(t)
	n := boards.Sized(3, 200)
	random := rand.New(rand.NewPCG(8, 8))
	aims := []string{"capture", "capture=c", "capture=r", "capture=d", "capture@c3", "capture@f6", "capture=h@c6", "rabbit=2",
		"rabbit=3", "rabbit=5", "rabbit=6", "rabbit=7"}
	accepted, rejected, deep := 0, 0, 0
	for made := 0; made < n; {
		aim, err := goal.ParseAim(aims[random.IntN(len(aims))])
		require.NoError(t, err)
		q := Question{Position: sparse(random), Deepest: 2, Aim: aim}
		var g arimaa.Generator
		if other := q.Position.EndTurn(); g.Generate(&q.Position) > 400 || g.Generate(&other) > 400 {
			continue
		}
		a := mustSolve(t, s, q)
		if a.Verdict != answer.Proved || a.Within != 1+made%2 {
			continue
		}
		made++
		c := mustCertify(t, s, q, a)
		if len(c.Entries)+len(c.Entries[0].Answers) > 1 {
			deep++
		}
		var text strings.Builder
		require.NoError(t, c.Write(&text))
		lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		for range 12 {
			changed := mutated(random, lines)
			c, _, err := proof.Read(strings.NewReader(changed), "mutated")
			if err != nil {
				continue
			}
			if err := c.Check(context.Background(), nil); err != nil {
				rejected++
				continue
			}
			st, err := referee.ParsePosition(c.Entries[0].Position)
			require.NoError(t, err)
			accepted++
			claim := "win"
			if c.Goal != "" {
				claim = c.Goal
			}
			if reply := referee.NewState(st.Board, st.Side.Other()); c.Turns == 2 && referee.Distinct(st)+referee.Distinct(reply) > 300 {
				continue // enumeration takes too long
			}
			if c.Turns <= 2 && !enumeration.PlainAim(claim).Reach(st, c.Turns) {
				t.Fatalf("accepted, and not true:\n%s", changed)
			}
		}
	}
	t.Logf("%d certificates, %d with more than one turn; mutations: %d accepted and true, %d rejected", n, deep, accepted, rejected)
	if deep == 0 || accepted == 0 || rejected < n {
		t.Error("too few cases of a kind")
	}
}

// mutated changes a certificate in one place.
func mutated(random *rand.Rand, lines []string) string {
	lines = slices.Clone(lines)
	i := 3 + random.IntN(len(lines)-3) // an entry or an answer
	line := []byte(lines[i])
	switch random.IntN(7) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1: // the letter, square or direction of a step
		at := len(line) - 4 + random.IntN(4)
		line[at] = "RCDHMErcdhmeabcdefgh12345678nsew"[random.IntN(32)]
		lines[i] = string(line)
	case 2: // a square of the board
		if at := strings.IndexByte(lines[i], '['); at >= 0 {
			line[at+1+random.IntN(64)] = " RCDHMErcdhme"[random.IntN(13)]
			lines[i] = string(line)
		}
	case 3:
		lines[2] = "goal " + []string{"capture", "capture=r", "capture=c", "capture=d", "capture=h@c3", "capture@c6", "capture@f3",
			"rabbit=2", "rabbit=4", "rabbit=6"}[random.IntN(10)]
	case 4: // a rank or the claim
		if line[0] >= '0' && line[0] <= '9' {
			line[0] = "123"[random.IntN(3)]
			lines[i] = string(line)
		}
		if random.IntN(2) == 0 {
			lines[1] = "claim " + "123"[random.IntN(3):][:1]
		}
	case 5:
		words := strings.Fields(lines[i])
		lines[i] = strings.Join(words[:len(words)-1], " ")
		if at := strings.IndexByte(string(line), '['); at >= 0 {
			lines[i] = strings.TrimRight(string(line[:len(line)-5]), " ")
		}
	case 6:
		lines[i] = strings.NewReplacer("g [", "s [", "s [", "g [").Replace(lines[i])
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestAimInGame takes a game without repetitions, labels its "no", and refuses one with a position
// that has occurred twice.
func TestAimInGame(t *testing.T) {
	s := newSolver(t)
	g := arimaa.NewGame(parse(t, "Ra1 Ca2 rh8 ea6 g"), 2)
	for i, turn := range []string{"Ca2n", "ea6s", "Ca3s", "ea5n"} {
		require.NoError(t, notation.Play(g, turn))
		if i != 1 {
			continue
		}
		q := Question{Position: g.Last(), Deepest: 2, Game: g.At(g.Len()), Aim: goal.CaptureOf(arimaa.Elephant, arimaa.Traps)}
		if a := mustSolve(t, s, q); a.Verdict != answer.Disproved || !a.Aside {
			t.Errorf("%v, aside %v", a.Verdict, a.Aside)
		}
	}
	q := Question{Position: g.Last(), Deepest: 1, Game: g, Aim: goal.RabbitOn(3)}
	if err := q.Check(); !errors.Is(err, ErrRepeated) {
		t.Errorf("a repeated position: %v", err)
	}
	if q.Aim = (goal.Aim{}); q.Check() != nil {
		t.Errorf("a win is refused: %v", q.Check())
	}
}
