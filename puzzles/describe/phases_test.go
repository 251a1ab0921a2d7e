package describe

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/dfpns"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

// winner finds by the referee whether the side to move wins at once. It plays turns that have won
// before first; without one it lists every end of the turn.
type winner struct{ turns [][]referee.Step }

func (w *winner) wins(st referee.State) bool {
	won := func(b referee.Board) bool {
		by, _, over := referee.Outcome(b, st.Side)
		return over && by == st.Side
	}
	for _, t := range w.turns {
		if end, err := st.PlayTurn(t); err == nil && end.MayStop() && won(end.Board) {
			return true
		}
	}
	for _, r := range referee.Results(st) {
		if won(r.Board) {
			w.turns = append(w.turns, r.Turn)
			return true
		}
	}
	return false
}

// allows reports whether the defender, who has moved to a board, then loses at once or within one
// turn of the attacker.
func (w *winner) allows(b referee.Board, defender referee.Side) bool {
	if by, _, over := referee.Outcome(b, defender); over {
		return by != defender
	}
	return w.wins(referee.NewState(b, defender.Other()))
}

// plainAnswers counts the essential wins in one by their definition: it plays all orders of steps,
// and notes of each result whether an order passes by a win of fewer steps.
func plainAnswers(st referee.State) (essential int) {
	steps := map[referee.Board]int{}
	for _, r := range referee.Results(st) {
		if by, _, over := referee.Outcome(r.Board, st.Side); over && by == st.Side {
			steps[r.Board] = len(r.Turn)
		}
	}
	passes := map[referee.Board]bool{}
	least := map[referee.State]int{} // the fewest steps of a win that was passed on the way
	var follow func(st referee.State, passed int)
	follow = func(st referee.State, passed int) {
		if n, wins := steps[st.Board]; wins && st.MayStop() {
			if passed < n {
				passes[st.Board] = true
			}
			passed = min(passed, n)
		}
		if before, known := least[st]; known && before <= passed {
			return
		}
		least[st] = passed
		for _, s := range st.Steps() {
			if next, _, err := st.Play(s); err == nil {
				follow(next, passed)
			}
		}
	}
	follow(st, referee.StepsPerTurn+1)
	return len(steps) - len(passes)
}

// winsInTwo returns positions with a win in two: published ones, if there are any beside the
// checkout, those of the folder examples and mined ones.
func winsInTwo(t *testing.T) (all []arimaa.Position) {
	for _, name := range []string{"win-in-2.txt", "win-in-2-for-silver.txt", "quiet-win-in-2.txt", "zugzwang-in-2.txt", "win-in-2-with-six-pieces.txt", "win-in-2-with-seven-pieces.txt"} {
		all = append(all, load.Example(t, name))
	}
	data, err := os.ReadFile(filepath.Join(published.Root(t), "examples", "mined", "win-in-2.tsv"))
	require.NoError(t, err)
	for _, row := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		text, _, _ := strings.Cut(row, "\t")
		all = append(all, boards.Parse(t, text))
	}
	t.Run("published", func(t *testing.T) {
		for _, pattern := range []string{load.WinsInTwo, load.Puzzles} {
			for _, c := range load.Claims(t, pattern) {
				if c.Turns == 2 && !c.False {
					all = append(all, c.Position)
				}
			}
		}
	})
	return all
}

// TestPhasesReferee compares near tries and their refutations, answers to replies, and the set play
// of published, composed and mined wins in two with enumeration by the referee. It draws them.
func TestPhasesReferee(t *testing.T) {
	want, tries := boards.Sized(2, 100), boards.Sized(2, 200) // of each kind, and near tries
	s := newSolver(t, 1)
	d := Describer{Solver: s}
	random := rand.New(rand.NewPCG(11, 44))
	all := winsInTwo(t)
	found := map[string]int{}
	for round := 0; found["tries"] < tries || found["single"] < want || found["dual"] < want || found["set won"] < want || found["set held"] < want; round++ {
		p := all[random.IntN(len(all))]
		if round > 20*want {
			t.Fatalf("too few: %v", found)
		}
		a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 2, All: true, NoLine: true})
		require.NoError(t, err)
		if found["tries"] < tries {
			found["tries"] += checkTry(t, &d, p, &a, random)
		}
		checkAnswers(t, &d, p, &a, random, found, want)
		checkSet(t, &d, p, random, found, want)
	}
	t.Log(found)
}

// checkTry checks a near try: that those are its defences, of all replies.
func checkTry(t *testing.T, d *Describer, p arimaa.Position, a *solve.Answer, random *rand.Rand) int {
	t.Helper()
	all, ok := d.NearTries(t.Context(), p, a.Solutions)
	if !ok || len(all) == 0 {
		return 0
	}
	try := all[random.IntN(len(all))]
	require.NoError(t, d.Refute(t.Context(), &try, 2))
	refutes := map[referee.Board]bool{}
	for i, reply := range try.Defences {
		if try.Left[i].Verdict != answer.Disproved || try.Left[i].Refuted != 1 {
			t.Errorf("%v: after %v and %v: %+v", p, try.Turn, reply, try.Left[i])
		}
		after, _ := try.After.Try(reply)
		refutes[load.State(t, after).Board] = true
	}
	w, after := winner{}, load.State(t, try.After)
	for b := range referee.Ends(after) {
		if w.allows(b, after.Side) == refutes[b] {
			t.Errorf("%v: after %v the board\n%v\nrefutes: %v", p, try.Turn, b, refutes[b])
		}
		delete(refutes, b)
	}
	if len(refutes) > 0 {
		t.Errorf("%v: after %v the referee has no such reply as %v", p, try.Turn, refutes)
	}
	return 1
}

// checkAnswers checks how many essential answers a reply to the first essential solution meets.
func checkAnswers(t *testing.T, d *Describer, p arimaa.Position, a *solve.Answer, random *rand.Rand, found map[string]int, want int) {
	t.Helper()
	i := slices.IndexFunc(a.Solutions, func(s dfpns.Solution) bool { return s.Essential })
	after := a.Solutions[i].After
	var next arimaa.Generator
	n := next.Generate(&after)
	for range 3 {
		q := next.Position(random.IntN(n), after.Side())
		if q.Ended(after.Side()).Over() {
			continue
		}
		answers, stop, err := d.answers(t.Context(), &q, 1)
		require.NoError(t, err)
		kind := "single"
		if len(answers) > 1 {
			kind = "dual"
		}
		if found[kind] >= want {
			continue
		}
		found[kind]++
		st := load.State(t, q)
		if essential := plainAnswers(st); stop != answer.Finished || min(essential, 2) != len(answers) {
			t.Errorf("%v: %v; the referee has %d essential answers", q, answers, essential)
		}
		for _, turn := range answers {
			end, ok := q.Try(turn)
			if by, _, over := referee.Outcome(load.State(t, end).Board, st.Side); !ok || !over || by != st.Side {
				t.Errorf("%v: the answer %v does not win", q, turn)
			}
		}
	}
}

// checkSet checks replies of a set play.
func checkSet(t *testing.T, d *Describer, p arimaa.Position, random *rand.Rand, found map[string]int, want int) {
	t.Helper()
	f := Phases{N: 2}
	require.NoError(t, d.setPlay(t.Context(), &p, &f))
	passed := arimaa.NewPosition(p.Board, p.Side().Other())
	won := 0
	var replies []arimaa.Turn
	for _, g := range f.Set.Groups {
		won += len(g.Replies)
		replies = append(replies, g.Replies[random.IntN(len(g.Replies))])
	}
	if f.Set.Over || f.Set.Open != 0 || won != f.Set.Won() || won+len(f.Set.Held) != f.Set.Count || f.Set.Complete() != (len(f.Set.Held) == 0) {
		t.Errorf("%v: the set play %+v", p, f.Set)
	}
	check := func(kind string, reply arimaa.Turn) {
		if found[kind] >= want {
			return
		}
		found[kind]++
		w := winner{}
		after, ok := passed.Try(reply)
		st := load.State(t, passed)
		if !ok || w.allows(load.State(t, after).Board, st.Side) != (kind == "set won") {
			t.Errorf("%v: after the set reply %v: %s is wrong", p, reply, kind)
		}
	}
	if len(replies) > 0 {
		check("set won", replies[random.IntN(len(replies))])
	}
	if len(f.Set.Held) > 0 {
		check("set held", f.Set.Held[random.IntN(len(f.Set.Held))])
	}
}

// TestPhasesWhole compares all counts of wins in two with few pieces with enumeration by the
// referee: nothing is left out, and nothing counted twice.
func TestPhasesWhole(t *testing.T) {
	ts, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(4, 4))
	s := newSolver(t, 1)
	d := Describer{Solver: s}
	seen := map[string]int{}
	for done := 0; done < boards.Sized(40, 2000); {
		p, v := endings.Draw(t, ts, classes[random.IntN(len(classes))], random)
		if v != endgame.WinIn(2) {
			continue
		}
		passed, _ := ts.Probe(&p.Board, p.Side().Other())
		if n, loses := passed.Loss(); done%8 == 0 && (!loses || n > 1) {
			continue // an eighth has a complete set play
		}
		a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 2, All: true, NoLine: true})
		require.NoError(t, err)
		f, _, err := d.Phases(t.Context(), p, &a, 3)
		require.NoError(t, err)
		y := f.Play
		if y.Replies > 400 || f.Set.Count > 1500 {
			continue // the referee would take long
		}
		done++
		replies, short, single, dual := 0, 0, 0, 0
		after := load.State(t, f.Key.After)
		for b := range referee.Ends(after) {
			replies++
			if _, _, over := referee.Outcome(b, after.Side); over {
				short++
			} else if plainAnswers(referee.NewState(b, after.Side.Other())) > 1 {
				dual++
			} else {
				single++
			}
		}
		if got, want := fmt.Sprint(y.Replies, y.Short, y.Longest, y.Single, y.Dual, y.Stop), fmt.Sprint(replies, short, single+dual, single, dual, answer.Finished); got != want {
			t.Errorf("%v: after %v %s, the referee has %s", p, f.Key.Turn, got, want)
		}
		if len(f.Short) != len(a.Solutions) || f.Stop != answer.Finished {
			t.Errorf("%v: short solutions: %v", p, f.Short)
		}
		won, held, w := 0, 0, winner{}
		st := load.State(t, p)
		for b := range referee.Ends(referee.NewState(st.Board, st.Side.Other())) {
			if w.allows(b, st.Side.Other()) {
				won++
			} else {
				held++
			}
		}
		if !f.Set.Over && (won != f.Set.Won() || held != len(f.Set.Held)) {
			t.Errorf("%v: the set play %+v; the referee has %d won, %d held", p, f.Set, won, held)
		}
		worth, err := Turn(t.Context(), s, p, &a, 2)
		require.NoError(t, err)
		if n := worth.PassOwn.Within; f.Set.Complete() != (n == 1) || n == 1 && worth.Zugzwang() != Delaying {
			t.Errorf("%v: complete set play: %v; after a pass the win takes %d, zugzwang %v", p, f.Set.Complete(), n, worth.Zugzwang())
		}
		seen["single"] += single
		seen["dual"] += dual
		seen["won"] += won
		seen["held"] += held
		seen[fmt.Sprint("complete ", f.Set.Complete())]++
	}
	t.Log(seen)
	boards.ExpectAll(t, seen, "single", "dual", "won", "held", "complete true", "complete false")
}

// TestPhasesTables compares the near tries and set plays of wins in three, which take a search, with
// endgame tables: which defences refute, and after which set replies there is a win in two.
func TestPhasesTables(t *testing.T) {
	ts, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(9, 3))
	d := Describer{Solver: newSolver(t, 1)}
	seen := map[string]int{}
	wins := func(p arimaa.Position, n int) bool {
		v, ok := ts.Probe(&p.Board, p.Side())
		if !ok {
			t.Fatalf("no table knows %v", p)
		}
		k, wins := v.Win()
		return wins && k <= n
	}
	for done := 0; done < boards.Sized(12, 400); {
		p, v := endings.Draw(t, ts, classes[random.IntN(len(classes))], random)
		if v != endgame.WinIn(3) {
			continue
		}
		a, err := d.Solver.Solve(t.Context(), solve.Question{Position: p, Deepest: 3, All: true, NoLine: true})
		require.NoError(t, err)
		tries, _ := d.NearTries(t.Context(), p, a.Solutions)
		if len(tries) == 0 && done%2 == 0 {
			continue // every other one has near tries
		}
		done++
		f := Phases{N: 3}
		for i := range tries {
			try := &tries[i]
			require.NoError(t, d.Refute(t.Context(), try, 3))
			for k, reply := range try.Defences {
				w := try.Left[k]
				if proved := wins(try.After.AfterTurn(reply), 2); w.Verdict == answer.Unknown || proved != (w.Verdict == answer.Proved) || try.Stop != answer.Finished {
					t.Errorf("%v: after %v and %v %+v; the table says a win in two: %v", p, try.Turn, reply, w, proved)
				}
				seen[w.Verdict.String()]++
			}
			// Interrupted, it calls no reply a refutation that is none, and says where something is open.
			interrupted, cancel := context.WithCancel(t.Context())
			cancel()
			try.Stop = answer.Finished
			require.NoError(t, d.Refute(interrupted, try, 3))
			for k, reply := range try.Defences {
				w := try.Left[k]
				if w.Verdict == answer.Disproved && wins(try.After.AfterTurn(reply), 2) || w.Verdict == answer.Unknown && try.Stop == answer.Finished {
					t.Errorf("%v: interrupted, after %v and %v %+v, %v", p, try.Turn, reply, w, try.Stop)
				}
				seen["interrupted, "+w.Verdict.String()]++
			}
		}
		require.NoError(t, d.setPlay(t.Context(), &p, &f))
		if f.Set.Over {
			continue
		}
		passed := arimaa.NewPosition(p.Board, p.Side().Other())
		for _, g := range f.Set.Groups {
			for _, reply := range g.Replies {
				if next := passed.AfterTurn(reply); g.Turns > 0 && (!wins(next, g.Turns) || g.Turns > 1 && wins(next, g.Turns-1)) {
					t.Errorf("%v: after the set reply %v the win does not take %d", p, reply, g.Turns)
				}
				seen[fmt.Sprint("set in ", g.Turns)]++
			}
		}
		for _, reply := range f.Set.Held {
			next := passed.AfterTurn(reply)
			if o := next.Ended(passed.Side()); !o.Over() && wins(next, 2) {
				t.Errorf("%v: after the set reply %v there is a win in two", p, reply)
			}
			seen["set held"]++
		}
	}
	t.Log(seen)
	boards.ExpectAll(t, seen, "proved", "disproved", "interrupted, unknown", "set in 1", "set in 2", "set held")
}

// TestPhasesLimits tests that phases within a limit say nothing that they do not know: what is said
// of a position is the same as without one, or open, and the same limit in nodes says the same.
func TestPhasesLimits(t *testing.T) {
	s := newSolver(t, 1)
	d := Describer{Solver: s}
	open := 0
	for _, name := range []string{"zugzwang-in-2.txt", "win-in-3.txt"} {
		p := load.Example(t, name)
		phases := func(nodes uint64) (f *Phases) {
			a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 3, All: true, NoLine: true})
			require.NoError(t, err)
			ctx, cancel := s.Start(t.Context(), answer.Limit{Nodes: nodes})
			defer cancel()
			f, _, err = d.Phases(ctx, p, &a, 0)
			require.NoError(t, err)
			return f
		}
		all := phases(0)
		for nodes := uint64(1); nodes < 1<<20; nodes *= 32 {
			f, again := phases(nodes), phases(nodes)
			if diff := cmp.Diff(f, again, cmp.AllowUnexported(arimaa.Position{}, arimaa.Board{}, arimaa.Turn{})); diff != "" {
				t.Errorf("%s: with %d nodes, the second time:\n%s", name, nodes, diff)
			}
			y := &f.Play
			if y.Single > all.Play.Single || y.Dual > all.Play.Dual || y.Longest > all.Play.Longest || y.Short > all.Play.Short ||
				f.Set.Won() > all.Set.Won() || len(f.Set.Held) > len(all.Set.Held) || f.Set.Complete() && !all.Set.Complete() {
				t.Errorf("%s: with %d nodes %+v, without a limit %+v", name, nodes, *f, *all)
			}
			if unknown := y.Replies - y.Short - y.Single - y.Dual + f.Set.Open; unknown > 0 {
				open++
				if y.Stop != answer.Nodes && f.Set.Stop != answer.Nodes {
					t.Errorf("%s: with %d nodes no reason why %d replies are open", name, nodes, unknown)
				}
			}
		}
	}
	if open == 0 {
		t.Error("no limit left anything open")
	}
	p := load.Example(t, "win-in-2.txt")
	a, err := s.Solve(t.Context(), solve.Question{Position: p, Deepest: 2, NoLine: true, All: true})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, _, err := d.Phases(ctx, p, &a, 0); err != nil || f.Stop != answer.Interrupted || f.Tries != nil || f.Play.Single+f.Play.Dual > 0 {
		t.Errorf("interrupted: %+v, %v", f, err)
	}
	unknown := solve.Answer{Verdict: answer.Unknown, Bounds: answer.Bounds{Refuted: 2}, Stop: answer.Nodes}
	if f, why, err := d.Phases(t.Context(), p, &unknown, 3); err != nil || f != nil || why != answer.Nodes {
		t.Errorf("of an open answer: %+v, %v, %v", f, why, err)
	}
	a.Listing = answer.Time
	if f, why, err := d.Phases(t.Context(), p, &a, 0); err != nil || f != nil || why != answer.Time {
		t.Errorf("without all solutions: %+v, %v, %v", f, why, err)
	}
}
