package studio

import (
	"cmp"
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
	"goalproof/solve/report"
	"goalproof/tables/endgame"
)

// findTries asks for the near tries of a position.
func findTries(t *testing.T, s *Server, p arimaa.Position, winIn, claim int) Job {
	t.Helper()
	r := &triesRequest{asking{position: position{Study: &Study{Position: p.String()}, Unusual: true}, WinIn: winIn,
		searching: searching{resources: resources{Threads: 1}}, timed: timed{300}}, claim}
	j, err := r.submit(s)
	require.NoError(t, err)
	return await(t, s, j.ID, func(j Job) bool { return j.State != waiting && j.State != running })
}

// TestTries compares what is said of near tries and of their defences with endgame tables, which
// the search does not have, and with package referee: each is no solution, and the listed replies
// are all that leave no win at once.
func TestTries(t *testing.T) {
	ts, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(3, 9))
	s := quietServer(t, Options{})
	tally := map[string]int{}
	var positions []arimaa.Position
	// Near tries of a win in 3 after which, and some of their defences, a win in 2 is left.
	for _, text := range []string{"g [      r      r                                        R         ]", "s [                r                                 R     R       ]"} {
		p, err := notation.ParsePosition(text)
		require.NoError(t, err)
		positions = append(positions, p)
	}
	for range boards.Sized(150, 800) {
		p, _ := endings.Draw(t, ts, classes[random.IntN(len(classes))], random)
		positions = append(positions, p)
	}
	for _, p := range positions {
		v, ok := ts.Probe(&p.Board, p.Side())
		n, wins := v.Win()
		if !ok || wins && (n < 2 || n > 4) || arimaa.NewGame(p, 2).Outcome().Over() {
			continue
		}
		if !wins {
			n = 2
		}
		j := findTries(t, s, p, n, 0)
		if j.State != done || j.Result.Tries == nil || (j.Result.Verdict == "proved") != wins {
			t.Fatalf("%v (%v): %+v %+v", p, v, j, j.Result)
		}
		checkTries(t, ts, p, n, j.Result.Tries, tally)
	}
	boards.ExpectAll(t, tally, "refutes", "a win is left", "essential", "not essential")
}

// checkTries checks the near tries at a position for a win in n.
func checkTries(t *testing.T, ts *endgame.Tables, p arimaa.Position, n int, all *Tries, tally map[string]int) {
	t.Helper()
	if all.WinIn != n || len(all.Tries) != min(all.Total, describe.MaxTries) {
		t.Errorf("%v: %+v", p, all)
	}
	value := func(g *arimaa.Game) (endgame.Value, bool) {
		at := g.Last()
		return ts.Probe(&at.Board, at.Side())
	}
	for _, try := range all.Tries {
		tally[map[bool]string{true: "essential", false: "not essential"}[try.Essential]]++
		g := arimaa.NewGame(p, 2)
		require.NoError(t, notation.Play(g, try.Turn))
		if v, ok := value(g); ok {
			if k, loses := v.Loss(); loses && k < n {
				t.Errorf("%v: %s is a solution of a win in %d: %v", p, try.Turn, n, v)
			}
		}
		if holds := noWinAtOnce(load.State(t, g.Last())); holds != len(try.Defences) {
			t.Errorf("%v: after %s %d replies leave no win at once, listed are %+v", p, try.Turn, holds, try.Defences)
		}
		for _, d := range try.Defences {
			after := g.At(1)
			require.NoError(t, notation.Play(after, d.Turn))
			v, ok := value(after)
			if !ok || d.Refutes == nil || !strings.Contains(try.Says, d.Turn) {
				t.Errorf("%v: %s, %s: %+v, by the table %v", p, try.Turn, d.Turn, d, v)
				continue
			}
			k, wins := v.Win()
			if left := wins && k < n; left == *d.Refutes || left != (d.Within != nil) || left && *d.Within < k {
				t.Errorf("%v: %s, %s: %+v, by the table %v", p, try.Turn, d.Turn, d, v)
			}
			tally[map[bool]string{true: "refutes", false: "a win is left"}[*d.Refutes]]++
		}
	}
}

// noWinAtOnce counts the replies of the side to move that leave its opponent no win with one turn.
func noWinAtOnce(st referee.State) (n int) {
	for reply := range referee.Ends(st) {
		if winner, _, over := referee.Outcome(reply, st.Side); over {
			if winner == st.Side {
				n++
			}
		} else if !referee.WinIn(referee.NewState(reply, st.Side.Other()), 1) {
			n++
		}
	}
	return n
}

// TestTriesOfGame asks at the end of a game: what is said to be proved leaves its repetitions out.
func TestTriesOfGame(t *testing.T) {
	s := quietServer(t, Options{})
	for want, turns := range map[bool][]string{false: nil, true: {"Ed4n", "eg7s"}} {
		r := &triesRequest{asking: asking{position: position{Study: &Study{Position: "Ra1 Ed4 rh8 eg7 g", Turns: turns}, Unusual: true},
			WinIn: 2, searching: searching{resources: resources{Threads: 1}}, timed: timed{300}}}
		j, err := r.submit(s)
		require.NoError(t, err)
		j = await(t, s, j.ID, isDone)
		if got := strings.Contains(j.Says, "This is about the position without its history, the third repetition set aside."); got != want {
			t.Errorf("after %q: %s", turns, j.Says)
		}
	}
}

// TestTriesStopped stops a search for near tries: it does not say that its time was up.
func TestTriesStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	solver, err := solve.New(solve.Options{Threads: 1, Memory: 16 << 20})
	require.NoError(t, err)
	p, err := notation.ParsePosition("Ra1 Ed4 rh8 eg7 g")
	require.NoError(t, err)
	a := &asked{point: &point{game: arimaa.NewGame(p, 2)}}
	a.question.Position = p
	found := &report.Report{Answer: solve.Answer{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 2}}}
	err = a.listTries(ctx, solver, found, 0, &Result{Says: "Nothing."})
	if want := "Nothing. The tries are not listed: not all turns were looked at (interrupted)."; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestTriesOfNone asks where there can be none: at a win in 1, and where nothing is known beyond
// one turn.
func TestTriesOfNone(t *testing.T) {
	s := quietServer(t, Options{})
	for position, winIn := range map[string]int{"Ra7 Ed4 rh5 eg7 g": 0, "Ra1 Ed4 rh8 eg7 g": 1} {
		p, err := notation.ParsePosition(position)
		require.NoError(t, err)
		if j := findTries(t, s, p, winIn, 0); j.State != done || len(j.Result.Tries.Tries) != 0 || !strings.Contains(j.Result.Says, "wins in 2 or more") {
			t.Errorf("%s: %+v %+v", position, j, j.Result)
		}
	}
}

// TestPhases compares the phases that a job lists with those that goalproof solve --tries prints of
// the same position. A shorter win than claimed has short solutions.
func TestPhases(t *testing.T) {
	s := quietServer(t, Options{})
	solver, err := solve.New(solve.Options{Threads: 1, Memory: 32 << 20})
	require.NoError(t, err)
	met := map[string]int{}
	for _, test := range []struct {
		position string
		claim    int
	}{
		{"g [r       Rr     r   E dr                    e  r        RR  RR  R]", 2},
		{"g [r       Rr     r   E dr                    e  r        RR  RR  R]", 3},
		{"g [      r      r                                        R         ]", 0},
		{"g [       r  E   rR   r                 e          rrR    RRR      ]", 2},
		{"g [r      rRr   r  hE           e                R  R              ]", 2},
		{"g [               r        R          e                            ]", 2},
	} {
		p, err := notation.ParsePosition(test.position)
		require.NoError(t, err)
		a, err := solver.Solve(t.Context(), solve.Question{Position: p, Deepest: cmp.Or(test.claim, solve.MaxTurns), All: true, NoLine: true})
		require.NoError(t, err)
		d := describe.Describer{Solver: solver}
		f, _, err := d.Phases(t.Context(), p, &a, test.claim)
		require.NoError(t, err)
		want := puzzles.Phases{Phases: f, Position: p, Claim: test.claim}
		j := findTries(t, s, p, test.claim, test.claim)
		if j.State != done || !reflect.DeepEqual(j.Result.Tries.Phases, want.Parts()) {
			t.Errorf("%s: %+v, want %+v", test.position, j, want.Parts())
		}
		var printed strings.Builder
		want.Write(&printed, "")
		for _, part := range j.Result.Tries.Phases {
			met[part.Phase]++
			for _, line := range append(part.Lines, part.Title) {
				if !strings.Contains(printed.String(), line) {
					t.Errorf("%q is not printed: %s", line, &printed)
				}
			}
		}
	}
	boards.ExpectAll(t, met, "short", "near", "set", "duals", "variations")
}

// TestUnclaimed looks for a longer win than there is, and nobody claims one: there are no short
// solutions. A claim that no win can have is refused.
func TestUnclaimed(t *testing.T) {
	s := quietServer(t, Options{})
	p, err := notation.ParsePosition("g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	require.NoError(t, err)
	for claim, want := range map[int]bool{0: false, 2: false, 3: true} {
		j := findTries(t, s, p, 3, claim)
		if got := slices.ContainsFunc(j.Result.Tries.Phases, func(p puzzles.Part) bool { return p.Phase == "short" }); got != want {
			t.Errorf("claim %d: %+v", claim, j.Result.Tries.Phases)
		}
	}
	for _, claim := range []int{-1, solve.MaxTurns + 1} {
		r := &triesRequest{asking: asking{position: position{Study: &Study{Position: p.String()}}}, Claim: claim}
		if _, err := r.submit(s); err == nil || !strings.Contains(err.Error(), "claim") {
			t.Errorf("claim %d: %v", claim, err)
		}
	}
}
