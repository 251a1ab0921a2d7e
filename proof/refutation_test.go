package proof_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
	"goalproof/proof/referee"
	"goalproof/solve"
)

// refutation is that of a win in n, or nil where there is such a win.
func refutation(t rapid.TB, p arimaa.Position, n int) *proof.Refutation {
	t.Helper()
	r, err := solve.Refutation(context.Background(), p, n)
	if err != nil && !errors.Is(err, solve.ErrNoCertificate) {
		t.Fatalf("%v: %v", p, err)
	}
	return r
}

// validRefutation checks a refutation a second time, by package arimaa and the detector of wins. It
// says what is wrong, or "".
func validRefutation(r *proof.Refutation) string {
	root, err := notation.ParsePosition(r.Position)
	if err != nil {
		return err.Error()
	}
	attacker := root.Side()
	var detector goal.Detector
	if _, wins := detector.CanWin(&root, &root.Board); wins {
		return "there is a win in 1"
	}
	if r.Turns == 1 && len(r.Refuted) == 0 {
		return ""
	}
	if r.Turns != 2 {
		return "the claim is wrong"
	}
	results := map[arimaa.Position]bool{}
	for _, f := range r.Refuted {
		after, ok := playText(root, f.Turn)
		if !ok || results[after] {
			return f.Turn + " is illegal or known"
		}
		results[after] = true
		if over := after.Board.Ended(attacker).Over(); over != (f.Reply == "") {
			return f.Turn + " has a reply and needs none, or the other way round"
		} else if over {
			continue
		}
		next, ok := playText(after, f.Reply)
		if !ok {
			return f.Turn + " has an illegal reply"
		}
		if o := next.Board.Ended(after.Side()); o.Over() {
			if o.Winner == attacker {
				return f.Turn + " has a reply that loses"
			}
		} else if _, wins := detector.CanWin(&next, &next.Board); wins {
			return f.Turn + " has a reply that leaves a win"
		}
	}
	var g arimaa.Generator
	if g.Generate(&root) != len(results) {
		return "a turn is missing"
	}
	return ""
}

// lateNoWins draws positions of games shortly before a goal in which there is no win in 2, with a
// limited number of first turns, and returns their refutations.
func lateNoWins(t testing.TB, want, most int) (names []string, all []*proof.Refutation) {
	t.Helper()
	rows := published.Rows(t, "late.tsv")
	random := rand.New(rand.NewPCG(2026, 11))
	var g arimaa.Generator
	for _, i := range random.Perm(len(rows)) {
		p := boards.Parse(t, rows[i][3])
		if g.Generate(&p) > most {
			continue
		}
		if r := refutation(t, p, 2); r != nil {
			names = append(names, "late.tsv, game "+rows[i][0]+" before "+rows[i][2])
			all = append(all, r)
		}
		if len(all) == want {
			return names, all
		}
	}
	t.Fatalf("%d positions, want %d", len(all), want)
	return nil, nil
}

// TestRefutations has refutations checked of the three published wins in two that are none, of
// which samples are checked, and of positions of games: four in full with the tag large, otherwise
// samples of three.
func TestRefutations(t *testing.T) {
	names, all := lateNoWins(t, boards.Sized(1, 4), boards.Sized(1_200, 2_000))
	late := len(all)
	for _, c := range load.Claims(t, load.WinsInTwo) {
		if c.False {
			names, all = append(names, c.Name), append(all, refutation(t, c.Position, 2))
		}
	}
	for i, r := range all {
		n := len(r.Refuted)
		if n > 2_000 {
			n = 300 // a check of all takes minutes
		}
		if i >= late {
			n = min(n, boards.Sized(3, 300))
		}
		n = min(n, boards.Sized(15, 2_000))
		if why := validRefutation(r); why != "" {
			t.Errorf("%s: package arimaa: %s", names[i], why)
		}
		_, read, err := proof.Read(strings.NewReader(text(t, r)), names[i])
		require.NoError(t, err)
		calls := 0
		checked, total, err := read.CheckSample(context.Background(), n, 1, func(done, total int) { calls++ })
		if err != nil || checked != min(n, total) || calls != checked {
			t.Errorf("%s: %d of %d checked, %d times progress, %v", names[i], checked, total, calls, err)
		}
	}
}

// TestRefutationsOfEndings compares with the definition, which package referee enumerates: in
// positions with few pieces there is a refutation, and it is accepted, if and only if there is no
// win.
func TestRefutationsOfEndings(t *testing.T) {
	answers := map[string]int{}
	boards.Check(t, 200, 3_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Few(1).Draw(t, "position"))
		st := load.State(t, p)
		for n := 1; n <= proof.MaxRefuted; n++ {
			wins := referee.WinIn(st, n)
			answers[fmt.Sprintf("win in %d: %t", n, wins)]++
			r := refutation(t, p, n)
			if (r == nil) != wins {
				t.Fatalf("%v: win in %d: %t, refutation %v", p, n, wins, r)
			}
			if wins {
				r = desperate(p, n)
			}
			err := r.Check(context.Background(), nil)
			var hole *proof.Hole
			if wins && !errors.As(err, &hole) || !wins && err != nil {
				t.Fatalf("%v: win in %d: %t, check: %v\n%s", p, n, wins, err, text(t, r))
			}
		}
	})
	t.Log(answers)
	for what, n := range answers {
		if n < 20 {
			t.Errorf("%s: %d positions are too few", what, n)
		}
	}
}

// desperate is what a forger might write where there is a win: the best replies there are, and
// turns that win at once left out.
func desperate(p arimaa.Position, n int) *proof.Refutation {
	r := &proof.Refutation{Turns: n, Position: p.String()}
	if n == 1 {
		return r
	}
	var g, replies arimaa.Generator
	var detector goal.Detector
	for i := range g.Generate(&p) {
		next, f := g.Position(i, p.Side()), proof.Refuted{Turn: p.Notation(g.Turn(i))}
		if o := next.Board.Ended(p.Side()); o.Over() && o.Winner == p.Side() {
			continue
		} else if !o.Over() {
			t, holds := detector.Defence(&next)
			if !holds && replies.Generate(&next) > 0 {
				t = replies.Turn(0)
			}
			f.Reply = t.String()
		}
		r.Refuted = append(r.Refuted, f)
	}
	return r
}

// refuted is a refutation of a win in 2. Some turns lose gold's only rabbit and need no reply.
func refuted(t testing.TB) *proof.Refutation {
	t.Helper()
	return refutation(t, boards.Parse(t, position(t, "g", `
		7:.......r
		6:..xdex..
		2:..R.....
		1:......C.`)), 2)
}

// TestRefutationHoles plants errors one by one.
func TestRefutationHoles(t *testing.T) {
	whole := refuted(t)
	require.NoError(t, whole.Check(context.Background(), nil))
	answered := slices.IndexFunc(whole.Refuted, func(f proof.Refuted) bool { return f.Reply != "" })
	lost := slices.IndexFunc(whole.Refuted, func(f proof.Refuted) bool { return f.Reply == "" })
	if answered < 0 || lost < 0 {
		t.Fatalf("%+v", whole)
	}
	for name, c := range map[string]struct {
		edit func(r *proof.Refutation)
		want string
	}{
		"missing":       {func(r *proof.Refutation) { r.Refuted = slices.Delete(r.Refuted, 7, 8) }, "the turn " + whole.Refuted[7].Turn + " is missing; it leads to s ["},
		"all missing":   {func(r *proof.Refutation) { r.Refuted = nil }, "is missing; it leads to"},
		"twice":         {func(r *proof.Refutation) { r.Refuted = append(r.Refuted, r.Refuted[3]) }, "has the same result as " + whole.Refuted[3].Turn},
		"illegal":       {func(r *proof.Refutation) { r.Refuted[2].Turn = "Ee1n" }, "the turn Ee1n is illegal: Ee1n: no such piece"},
		"no turn":       {func(r *proof.Refutation) { r.Refuted[2].Turn = "" }, "a turn without steps"},
		"illegal reply": {func(r *proof.Refutation) { r.Refuted[answered].Reply = "rh7n" }, "the reply rh7n is illegal: rh7n: a rabbit does not step backward"},
		"no reply":      {func(r *proof.Refutation) { r.Refuted[answered].Reply = "" }, "has no reply"},
		"broken reply":  {func(r *proof.Refutation) { r.Refuted[answered].Reply = "rh9n" }, `"h9" is not a square`},
		"useless reply": {func(r *proof.Refutation) { r.Refuted[lost].Reply = "rh7s" }, "the reply rh7s is not needed: the turn " + whole.Refuted[lost].Turn + " loses at once (self-elimination)"},
		"other side":    {func(r *proof.Refutation) { r.Position = "s" + r.Position[1:] }, "is illegal"},
		"no position":   {func(r *proof.Refutation) { r.Position = "" }, "want the side to move"},
		"no win in 1":   {func(r *proof.Refutation) { r.Turns = 1 }, "is not needed: the claim is no win in 1"},
		"no win in 3":   {func(r *proof.Refutation) { r.Turns = 3 }, `only "no win in 1" and "no win in 2" can be written down`},
		"no win in 0":   {func(r *proof.Refutation) { r.Turns = 0 }, "a claim of 0 turns"},
		"a win": {func(r *proof.Refutation) {
			*r = *desperate(boards.Parse(t, position(t, "g", "8:.......r 7:R.......")), 1)
		}, "the turn Ra7n wins at once; it leads to s ["},
		"a listed win": {func(r *proof.Refutation) {
			*r = proof.Refutation{Turns: 2, Position: position(t, "g", "8:.......r 7:R......."), Refuted: []proof.Refuted{{Turn: "Ra7n"}}}
		}, "the turn Ra7n wins at once (goal)"},
		"a win in 2 claimed": {func(r *proof.Refutation) {
			*r = *desperate(boards.Parse(t, position(t, "g", "8:.......r 7:R.......")), 2)
		}, "wins at once"},
		"silver's win": {func(r *proof.Refutation) {
			*r = *desperate(boards.Parse(t, position(t, "s", "6:r....... 3:.......R")), 2)
		}, "the attacker wins at once by ra"},
		"reply that loses": {func(r *proof.Refutation) {
			*r = *refutation(t, boards.Parse(t, position(t, "g", "8:c....... 4:..r..... 2:.......R")), 2)
			for i := range r.Refuted {
				if r.Refuted[i].Turn == "Rh2n" {
					r.Refuted[i].Reply = "rc4s rc3x"
				}
			}
		}, "loses at once (self-elimination)"},
	} {
		r := &proof.Refutation{Turns: whole.Turns, Position: whole.Position, Refuted: slices.Clone(whole.Refuted)}
		c.edit(r)
		err := r.Check(context.Background(), nil)
		var hole *proof.Hole
		if !errors.As(err, &hole) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if hole != nil && hole.Position != "" && hole.Position != r.Position {
			t.Errorf("%s: the hole is at %s", name, hole.Position)
		}
	}
}

// TestFirstHole has several wrong replies, side by side, and it takes about as long to see the
// fault of each: the first is named, whichever is found first.
func TestFirstHole(t *testing.T) {
	p := load.Example(t, "win-in-3.txt")
	r := refutation(t, p, 2)
	var bad []string // turns
	var detector goal.Detector
	var replies arimaa.Generator
	for i := 0; i < len(r.Refuted) && len(bad) < 8; i++ {
		after, _ := playText(p, r.Refuted[i].Turn)
		for k := range replies.Generate(&after) {
			next := replies.Position(k, after.Side())
			if won, wins := detector.CanWin(&next, &next.Board); wins && won.Len() == 4 && !next.Board.Ended(after.Side()).Over() {
				r.Refuted[i].Reply = replies.Turn(k).String()
				bad = append(bad, r.Refuted[i].Turn)
				break
			}
		}
	}
	text := text(t, r)
	_, read, err := proof.Read(strings.NewReader(text), "x")
	if err != nil || len(bad) < 8 {
		t.Fatal(bad, err)
	}
	want := fmt.Sprintf("line %d: at g [", 1+slices.Index(strings.Split(text, "\n"), "+ "+bad[0]))
	for range boards.Sized(5, 50) {
		if err := read.Check(context.Background(), nil); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "wins at once by") {
			t.Fatalf("%v, want %s", err, want)
		}
	}
}

// TestSample draws samples: the listing is always complete, the same seed draws the same, and a
// hole is found by those samples that hold it.
func TestSample(t *testing.T) {
	ctx := context.Background()
	r := refuted(t)
	checked, all, err := r.CheckSample(ctx, 10, 1, nil)
	if checked != 10 || all <= 20 || all >= len(r.Refuted) || err != nil {
		t.Errorf("%d of %d checked, %v", checked, all, err)
	}
	if checked, n, err := r.CheckSample(ctx, all, 1, nil); checked != all || n != all || err != nil {
		t.Errorf("%d of %d checked, %v", checked, n, err)
	}
	at := slices.IndexFunc(r.Refuted, func(f proof.Refuted) bool { return f.Reply != "" })
	r.Refuted[at].Reply = "rh7n"
	found := 0
	for seed := range uint64(40) {
		_, _, first := r.CheckSample(ctx, all/2, seed, nil)
		_, _, again := r.CheckSample(ctx, all/2, seed, nil)
		if fmt.Sprint(first) != fmt.Sprint(again) {
			t.Errorf("seed %d: %v, and then %v", seed, first, again)
		}
		if first != nil {
			found++
		}
	}
	if found < 10 || found > 30 {
		t.Errorf("half of the replies hold the wrong one %d times of 40", found)
	}
	r.Refuted = slices.Delete(r.Refuted, 5, 6)
	if _, _, err := r.CheckSample(ctx, 1, 1, nil); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("a turn is missing: %v", err)
	}
}

// TestRefutationInterrupted ends a check that would take minutes.
func TestRefutationInterrupted(t *testing.T) {
	_, all := lateNoWins(t, 1, 20_000)
	r := all[0]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	replies := 0
	err := r.Check(ctx, func(done, total int) {
		replies = done
		cancel()
	})
	if err != context.Canceled || replies > 16 {
		t.Errorf("%v after %d replies", err, replies)
	}
	if err := r.Check(ctx, nil); err != context.Canceled {
		t.Errorf("interrupted before it begins: %v", err)
	}
}
