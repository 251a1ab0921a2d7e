package solve

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/require"
	"goalproof/tables/endgame"
)

// openEndgames opens the tables for tests.
func openEndgames(t testing.TB) *endgame.Tables {
	t.Helper()
	ts, _ := endings.Open(t)
	return ts
}

// TestEndgamesAgree compares both searches with and without tables on random endings: the verdicts,
// the distances and the lists of solutions.
func TestEndgamesAgree(t *testing.T) {
	ts := openEndgames(t)
	var solvers []*Solver
	for _, o := range []Options{{}, {Algorithm: PNS}, {Endgames: ts}, {Algorithm: PNS, Endgames: ts}} {
		o.Memory, o.Threads = 32<<20, 1
		s := solverWith(t, o)
		solvers = append(solvers, s)
	}
	most := boards.Sized(2, 3)
	tally := map[string]int{}
	boards.Check(t, 100, 5_000, func(t *rapid.T) {
		p := drawn(t, boards.Few(most))
		q := Question{Position: p, Deepest: 2}
		if rapid.IntRange(0, 3).Draw(t, "deeper") == 0 {
			q.Deepest = 3
		}
		var first *Answer
		for _, s := range solvers {
			q.All = s.usesDepthFirst()
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			a := solved(t, s, ctx, q)
			cancel()
			if a.Verdict == answer.Unknown {
				tally["unknown"]++
				continue
			}
			if first == nil {
				first = &a
			}
			if a.Verdict != first.Verdict || a.Within != first.Within || a.Refuted != first.Refuted {
				t.Fatalf("%v: %v, %d, %d; without tables %v, %d, %d", p, a.Verdict, a.Within, a.Refuted, first.Verdict, first.Within, first.Refuted)
			}
			if q.All && len(first.Solutions) > 0 && fmt.Sprint(a.Solutions) != fmt.Sprint(first.Solutions) {
				t.Fatalf("%v: solutions %v, without tables %v", p, a.Solutions, first.Solutions)
			}
			if a.Verdict == answer.Proved {
				checkLine(t, p, a)
			}
			if a.Tabled {
				tally["at the root"]++
			}
			if !a.Tabled && a.Probes > 0 {
				tally["below the root"]++
			}
			tally[fmt.Sprint(a.Verdict, " ", a.Within)]++
		}
	})
	t.Log(tally)
	for _, want := range []string{"at the root", "below the root", "proved 1", "proved 2", "disproved 0"} {
		if tally[want] == 0 {
			t.Errorf("%s: not met once", want)
		}
	}
}

// TestEndgamesAtOnce solves 1,000 random positions that tables know, with their lines: that takes
// no search. Some of the wins are certified; a certificate that would be too large is refused.
func TestEndgamesAtOnce(t *testing.T) {
	ts := openEndgames(t)
	s := solverWith(t, Options{Memory: 32 << 20, Threads: 1, Endgames: ts})
	others := boards.Sized(1, 2)
	random := rand.New(rand.NewPCG(8, 1))
	won, longest := 0, 0
	var last Question
	for n := 0; n < 1000; {
		p := arimaa.NewPosition(scatter(random, others), arimaa.Side(random.IntN(2)))
		v, known := ts.Probe(&p.Board, p.Side())
		if !known {
			continue
		}
		n++
		q := Question{Position: p, Deepest: MaxTurns}
		a := solved(t, s, t.Context(), q)
		least, wins := v.Win()
		if wins != (a.Verdict == answer.Proved) || wins && a.Within != least || a.Tabled == (v == endgame.WinIn(1)) {
			t.Fatalf("%v, %v: %+v", p, v, a)
		}
		if a.Nodes > 1 { // a win in one is found by package goal
			t.Errorf("%v, %v: %d nodes", p, v, a.Nodes)
		}
		if wins {
			won++
			checkLine(t, p, a)
			if n%5 == 0 && p.Occupied().Len() == 3 {
				certified(t, s, q, a)
				if a.Within > longest {
					longest, last = a.Within, q
				}
			}
		}
	}
	if won == 0 || won == 1000 || longest < 3 {
		t.Errorf("%d of 1,000 are won; the longest win that was certified took %d turns", won, longest)
	}
	s.mostEntries = 1
	a := solved(t, s, t.Context(), last)
	if _, err := s.Certificate(t.Context(), last, a); !errors.Is(err, ErrNoCertificate) || !strings.Contains(err.Error(), "more than 1 positions") {
		t.Errorf("%v: %v", last.Position, err)
	}
}

// TestEndgamesInGame asks about positions with few pieces at the end of games.
func TestEndgamesInGame(t *testing.T) {
	s := solverWith(t, Options{Memory: 32 << 20, Threads: 1, Endgames: openEndgames(t)})
	const (
		three = "g [        r                                               E R     ]"
		four  = "g [        r                                  hE                  R]"
	)
	for _, tt := range []struct {
		name, start   string
		turns         []string
		tabled, aside bool
	}{
		{"nothing has occurred twice", three, nil, true, true},
		{"the root has", three, []string{"Ea1n", "ra7e", "Ea2s", "rb7w"}, false, false},
		{"the root has, but now a piece is gone", four,
			[]string{"Rh1w", "ra7e", "Rg1e", "rb7w", "hd3w Ee3w"}, true, false},
		{"a win takes more turns than are asked for", "g [        r                                                 R     ]",
			nil, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := notation.ParsePosition(tt.start)
			require.NoError(t, err)
			g := arimaa.NewGame(p, 0)
			for _, text := range tt.turns {
				require.NoError(t, notation.Play(g, text))
			}
			a := solved(t, s, t.Context(), Question{Position: g.Last(), Deepest: 2, Game: g})
			if a.Tabled != tt.tabled || a.Aside != tt.aside {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestEndgameBound asks for any win, and for the shortest one in no time, where a capture leads to
// a table: the bound is there without a search, and a win in one all the same.
func TestEndgameBound(t *testing.T) {
	ts := openEndgames(t)
	s := solverWith(t, Options{Memory: 32 << 20, Threads: 1, Endgames: ts})
	late, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	random := rand.New(rand.NewPCG(9, 1))
	met := map[string]int{}
	for met["bound"] < 5 || met["win in 1"] < 5 {
		p := arimaa.NewPosition(scatter(random, 2), arimaa.Side(random.IntN(2)))
		if p.Undefended() != 0 || p.Ended(p.Side().Other()).Over() {
			continue
		}
		q := Question{Position: p, Deepest: MaxTurns}
		turn, within := s.captures(q)
		if within == 0 {
			continue
		}
		after := p.AfterTurn(turn)
		v, ok := ts.Probe(&after.Board, after.Side())
		if n, loses := v.Loss(); !ok || !loses || n+1 != within {
			t.Fatalf("%v: after %v, a win in %d, the table says %v", p, turn, within, v)
		}
		one, turns := s.detector.CanWin(&p, &p.Board)
		for _, q := range []Question{{Position: p, Deepest: MaxTurns, Any: true}, {Position: p, Deepest: MaxTurns}} {
			ctx := late
			if q.Any {
				ctx = t.Context()
			}
			a := solved(t, s, ctx, q)
			if a.Verdict != answer.Proved || a.Within > within || a.Within == 1 != turns || turns && a.Line[0].Turn.Len() != one.Len() {
				t.Fatalf("%v: %+v, a win in %d is known", p, a, within)
			}
			checkLine(t, p, Answer{Bounds: answer.Bounds{Within: lineTurns(a.Line)}, Line: a.Line})
		}
		if turns {
			met["win in 1"]++
		} else {
			met["bound"]++
		}
	}
}

// lineTurns returns how many turns of the attacker a line takes.
func lineTurns(line []Ply) int { return len(line)/2 + 1 }
