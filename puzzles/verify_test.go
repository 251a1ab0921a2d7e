package puzzles

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/internal/batch"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
	"goalproof/solve"
)

// newSolver returns a solver as verify uses it.
func newSolver() (*solve.Solver, error) {
	return solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
}

// all verifies puzzles on two workers.
func all(t testing.TB, set []Puzzle, o Options) (results []Result) {
	t.Helper()
	for done := range batch.Run(t.Context(), slices.Values(set), 2, len(set), newSolver, func(ctx context.Context, s *solve.Solver, p Puzzle) (Result, error) {
		return Verify(ctx, s, p, o), nil
	}) {
		if done.Err != nil {
			t.Fatal(done.Err)
		}
		results = append(results, done.Value)
	}
	return results
}

// example reads a position of the folder examples.
func example(t testing.TB, name string) Puzzle {
	t.Helper()
	set := readAll(t, filepath.Join("..", "examples", name))
	if len(set) != 1 || set[0].Err != nil {
		t.Fatalf("%s is read as %v", name, set)
	}
	return set[0]
}

func TestVerify(t *testing.T) {
	two, three := example(t, "win-in-2.txt"), example(t, "win-in-3.txt")
	no, one := example(t, "no-win-in-2.txt"), example(t, "goal-in-4-steps.txt")
	for name, c := range map[string]struct {
		puzzle   Puzzle
		claim    int
		solution string
		winIn    int

		verdict          answer.Verdict
		least, refuted   int
		claimTrue, known bool
		solutionOK       any // nil: not known
	}{
		"true":               {two, 2, "", 0, answer.Proved, 2, 1, true, true, nil},
		"no claim":           {two, 0, "", 0, answer.Proved, 2, 1, false, false, nil},
		"the solution":       {two, 2, "Re1e Rh2w Ed6n Ed7w", 0, answer.Proved, 2, 1, true, true, true},
		"in another order":   {two, 2, "44g Ed6n Ed7w Re1e Rh2w", 0, answer.Proved, 2, 1, true, true, true},
		"another turn":       {two, 2, "Ed6n", 0, answer.Proved, 2, 1, true, true, false},
		"no turn":            {two, 2, "Ed6n Ed9n", 0, answer.Proved, 2, 1, true, true, false},
		"sooner":             {one, 2, "", 0, answer.Proved, 1, 0, false, true, nil},
		"later, not seen":    {three, 2, "Ec4w Eb4n Eb5n", 0, answer.Disproved, 0, 2, false, true, false},
		"later":              {three, 2, "", 3, answer.Proved, 3, 2, false, true, nil},
		"limit below claim":  {three, 3, "", 1, answer.Proved, 3, 2, true, true, nil},
		"limit of one":       {two, 0, "", 1, answer.Disproved, 0, 1, false, false, nil},
		"not within a limit": {no, 1, "", 3, answer.Disproved, 0, 3, false, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := c.puzzle
			p.Claim, p.Solution = c.claim, c.solution
			r := all(t, []Puzzle{p}, Options{WinIn: c.winIn})[0]
			yes, known := r.ClaimTrue()
			var ok any
			if r.SolutionOK != nil {
				ok = *r.SolutionOK
			}
			if r.Verdict != c.verdict || r.Within != c.least || r.Refuted != c.refuted || yes != c.claimTrue || known != c.known || ok != c.solutionOK {
				t.Errorf("%s, least %d, refuted %d, claim true %v (known %v), solution right %v; want %s, %d, %d, %v (%v), %v",
					r.Verdict, r.Within, r.Refuted, yes, known, ok, c.verdict, c.least, c.refuted, c.claimTrue, c.known, c.solutionOK)
			}
			if (r.Err != nil) != (name == "no turn") || r.Stop != answer.Finished || r.Certificate != NoCertificate || r.Time <= 0 {
				t.Errorf("%v, %v, certificate %s, %v", r.Err, r.Stop, r.Certificate, r.Time)
			}
			if r.Verdict == answer.Proved && (len(r.Line) != 2*r.Within-1 || len(r.Solutions) == 0 || !r.Listed || r.Essential() == 0) {
				t.Errorf("a win in %d with the line %q and the solutions %v", r.Within, r.Line, r.Solutions)
			}
		})
	}
}

// TestUnclaimed verifies puzzles without a claim: the least number of turns is looked for until the
// nodes are spent or WinIn is reached.
func TestUnclaimed(t *testing.T) {
	const nodes = 300_000
	longer := []Gap{{"longer wins", "the nodes are spent"}}
	for name, c := range map[string]struct {
		puzzle  Puzzle
		nodes   uint64
		winIn   int
		verdict answer.Verdict
		bounds  answer.Bounds
		truth   string
		open    []Gap
	}{
		"one":         {example(t, "goal-in-4-steps.txt"), nodes, 0, answer.Proved, answer.Bounds{Within: 1}, "win in 1", nil},
		"two":         {example(t, "win-in-2.txt"), nodes, 0, answer.Proved, answer.Bounds{Within: 2, Refuted: 1}, "win in 2", nil},
		"three":       {example(t, "win-in-3.txt"), nodes, 0, answer.Proved, answer.Bounds{Within: 3, Refuted: 2}, "win in 3", nil},
		"up to two":   {example(t, "win-in-3.txt"), nodes, 2, answer.Disproved, answer.Bounds{Refuted: 2}, "no win in 2", nil},
		"none":        {example(t, "no-win-in-2.txt"), nodes, 0, answer.Unknown, answer.Bounds{Refuted: 3}, "no win in 3", longer},
		"fewer nodes": {example(t, "no-win-in-2.txt"), 4000, 0, answer.Unknown, answer.Bounds{Refuted: 2}, "no win in 2", longer},
		"none, WinIn": {example(t, "no-win-in-2.txt"), 4000, 5, answer.Unknown, answer.Bounds{Refuted: 2}, "no win in 2", longer},
	} {
		r := all(t, []Puzzle{c.puzzle}, Options{WinIn: c.winIn, Limit: answer.Limit{Nodes: c.nodes}})[0]
		if _, known := r.ClaimTrue(); known || r.Err != nil || r.Verdict != c.verdict || r.Bounds != c.bounds || r.Truth() != c.truth || !slices.Equal(r.Open, c.open) {
			t.Errorf("%s: %v, %+v, %q, open %v, %v; want %v, %+v, %q, open %v", name, r.Verdict, r.Bounds, r.Truth(), r.Open, r.Err, c.verdict, c.bounds, c.truth, c.open)
		}
	}
}

// TestAgreesWithSolve compares what is found of published positions without a claim with the answer of
// solve: the same least number where both know it, and never a contradiction.
func TestAgreesWithSolve(t *testing.T) {
	var set []Puzzle
	for i, p := range readAll(t, filepath.Join(published.Dir(t), "win-in-2")) {
		if i%boards.Sized(6, 1) == 0 {
			set = append(set, p)
		}
	}
	for i, row := range published.Rows(t, "late.tsv") {
		if i%boards.Sized(20, 2) == 0 {
			set = append(set, parseAll(row[0], row[3])...)
		}
	}
	limit := answer.Limit{Nodes: 20_000}
	s, err := newSolver()
	require.NoError(t, err)
	counts := map[answer.Verdict]int{}
	for _, r := range all(t, set, Options{Limit: limit}) {
		ctx, cancel := s.Start(t.Context(), limit)
		a, err := s.Solve(ctx, solve.Question{Position: r.Puzzle.Position, Deepest: solve.MaxTurns})
		cancel()
		if err != nil || r.Err != nil {
			t.Errorf("%s: %v, %v", r.Puzzle.Label(), err, r.Err)
		}
		counts[r.Verdict]++
		contradict := func(a, b answer.Bounds) bool { return a.Within > 0 && a.Within <= b.Refuted }
		if contradict(r.Bounds, a.Bounds) || contradict(a.Bounds, r.Bounds) || r.Exact() && a.Exact() && r.Within != a.Within {
			t.Errorf("%s: %+v, by solve %+v", r.Puzzle.Label(), r.Bounds, a.Bounds)
		}
		if r.Verdict == answer.Disproved || r.Verdict == answer.Unknown && len(r.Open) != 1 {
			t.Errorf("%s: %v, open %v, without a limit in turns", r.Puzzle.Label(), r.Verdict, r.Open)
		}
	}
	t.Logf("%v of %d", counts, len(set))
	if counts[answer.Proved] < len(set)/3 || counts[answer.Unknown] == 0 {
		t.Errorf("%v of %d", counts, len(set))
	}
}

// TestUnique counts solutions.
func TestUnique(t *testing.T) {
	for name, want := range map[string][2]bool{ // unique, essentially unique
		"win-in-2.txt": {true, true}, "goal-in-2-steps.txt": {false, true}, "win-in-3.txt": {false, true},
	} {
		r := all(t, []Puzzle{example(t, name)}, Options{WinIn: 3})[0]
		unique, known := r.Unique()
		essentially, known2 := r.EssentiallyUnique()
		if got := [2]bool{unique, essentially}; got != want || !known || !known2 {
			t.Errorf("%s: unique, essentially unique: %v, known %v %v; want %v", name, got, known, known2, want)
		}
	}
}

// TestStopped checks what is said when time is up, or the context is done.
func TestStopped(t *testing.T) {
	s, err := newSolver()
	require.NoError(t, err)
	opening := parseAll("opening", "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")[0]
	opening.Claim = 20
	r := Verify(t.Context(), s, opening, Options{Limit: answer.Limit{Time: 100 * time.Millisecond}})
	if _, known := r.ClaimTrue(); r.Verdict != answer.Unknown || r.Stop != answer.Time || known || r.Err != nil {
		t.Errorf("with too little time: %+v", r)
	}
	if want := []Gap{{"verdict", "time is up"}}; !slices.Equal(r.Open, want) {
		t.Errorf("open is %v, want %v", r.Open, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, cancel)
	start := time.Now()
	r = Verify(ctx, s, opening, Options{Limit: answer.Limit{Time: time.Minute}})
	if took := time.Since(start); r.Verdict != answer.Unknown || r.Stop != answer.Interrupted || took > 5*time.Second {
		t.Errorf("interrupted after %v: %+v", took, r)
	}
	// A claim of less than what was searched is known to be false all the same.
	if r.Puzzle.Claim = 1; r.Refuted < 1 {
		t.Fatalf("not even one turn was searched: %+v", r)
	}
	if yes, known := r.ClaimTrue(); yes || !known {
		t.Errorf("the claim of a win in 1 is %v, known %v", yes, known)
	}
}

// TestCertify checks what becomes of certificates.
func TestCertify(t *testing.T) {
	s, err := newSolver()
	require.NoError(t, err)
	broken := errors.New("broken")
	win, no := example(t, "win-in-2.txt"), example(t, "no-win-in-2.txt")
	no.Claim = 2
	for name, c := range map[string]struct {
		puzzle  Puzzle
		certify func(context.Context) (Certificate, error)
		want    Certificate
		stop    answer.Stop
		err     error
	}{
		"accepted": {win, func(context.Context) (Certificate, error) { return Accepted, nil }, Accepted, answer.Finished, nil},
		"rejected": {win, func(context.Context) (Certificate, error) { return Rejected, nil }, Rejected, answer.Finished, nil},
		"no win":   {no, func(context.Context) (Certificate, error) { return Sampled, nil }, Sampled, answer.Finished, nil},
		"error":    {win, func(context.Context) (Certificate, error) { return Accepted, broken }, NoCertificate, answer.Finished, broken},
		"large":    {win, func(context.Context) (Certificate, error) { return Accepted, proof.ErrTooManyReplies }, NoCertificate, answer.Finished, proof.ErrTooManyReplies},
		"time": {win, func(ctx context.Context) (Certificate, error) {
			<-ctx.Done()
			return Accepted, ctx.Err()
		}, NoCertificate, answer.Time, nil},
	} {
		limit := time.Minute
		if c.stop == answer.Time {
			limit = time.Second
		}
		r := Verify(t.Context(), s, c.puzzle, Options{Limit: answer.Limit{Time: limit}, Certify: func(ctx context.Context, with *solve.Solver, q solve.Question, a solve.Answer) (Certificate, error) {
			if with != s || q.Position != c.puzzle.Position || (a.Verdict == answer.Proved) != (c.puzzle.File == win.File) {
				t.Errorf("%s: certify is asked about %v, %v", name, q, a)
			}
			return c.certify(ctx)
		}})
		if r.Certificate != c.want || r.Stop != c.stop || !errors.Is(r.Err, c.err) {
			t.Errorf("%s: certificate %s, %v, %v; want %s, %v, %v", name, r.Certificate, r.Stop, r.Err, c.want, c.stop, c.err)
		}
		open := map[string][]Gap{"time": {{"certificate", "time is up"}}, "large": {{"certificate", "there are too many replies"}}}[name]
		if !slices.Equal(r.Open, open) {
			t.Errorf("%s: open is %v, want %v", name, r.Open, open)
		}
	}
}

// TestUnusual checks that entries that cannot be read fail, and positions that cannot come up in a
// game, unless they are allowed.
func TestUnusual(t *testing.T) {
	if r := all(t, parseAll("set.txt", ""), Options{})[0]; !r.Failed() || r.Err == nil || r.Err.Error() != "set.txt:1: there is no position in it" {
		t.Errorf("an empty file: %s, %v", r.Verdict, r.Err)
	}
	p := parseAll("set.txt", "\ng [EE              R                                r              ]")[0]
	r := all(t, []Puzzle{p}, Options{})[0]
	if !r.Failed() || r.Err == nil || r.Err.Error() != "set.txt:2: gold has 2 elephants, a full army has 1" {
		t.Errorf("two elephants: %s, %v", r.Verdict, r.Err)
	}
	if r := all(t, []Puzzle{p}, Options{Unusual: true})[0]; r.Verdict != answer.Proved || r.Err != nil {
		t.Errorf("two elephants, allowed: %s, %v", r.Verdict, r.Err)
	}
	p.Claim = solve.MaxTurns + 1
	if r := all(t, []Puzzle{p}, Options{Unusual: true})[0]; !r.Failed() || r.Err == nil {
		t.Errorf("a claim out of reach: %s, %v", r.Verdict, r.Err)
	}
}

// TestPublished verifies the published wins in two, every eighth of them and the false claims, or
// all with the tag large: 3 of 101 are false, 24 unique, 31 essentially unique.
func TestPublished(t *testing.T) {
	isFalse := map[string]bool{"reduced/11778.txt": true, "big/08829.txt": true, "big/11255.txt": true}
	dir := filepath.Join(published.Dir(t), "win-in-2")
	whole := readAll(t, dir)
	if len(whole) != 101 {
		t.Fatalf("%d puzzles, there were 101", len(whole))
	}
	var set []Puzzle
	name := func(p *Puzzle) string {
		file, _ := filepath.Rel(dir, p.File)
		return filepath.ToSlash(file)
	}
	for i, p := range whole {
		if p.Claim = 2; boards.Deep || i%8 == 0 || isFalse[name(&p)] {
			set = append(set, p)
		}
	}
	unique, essentially := 0, 0
	for _, r := range all(t, set, Options{}) {
		yes, known := r.ClaimTrue()
		if !known || yes == isFalse[name(&r.Puzzle)] || r.Err != nil {
			t.Errorf("%s: the claim is %v, known %v; %s, %v", name(&r.Puzzle), yes, known, r.Verdict, r.Err)
		}
		if yes, known := r.Unique(); yes && known {
			unique++
		}
		if yes, known := r.EssentiallyUnique(); yes && known {
			essentially++
		}
	}
	t.Logf("%d puzzles: %d unique, %d essentially unique", len(set), unique, essentially)
	if boards.Deep && (unique != 24 || essentially != 31) {
		t.Errorf("%d unique, %d essentially unique; want 24, 31", unique, essentially)
	}
}

// TestKnown checks what is said where the bounds of a win leave something open.
func TestKnown(t *testing.T) {
	type said struct {
		yes, known, unique, uniqueKnown, essentially, essentiallyKnown bool
		instead, aside                                                 string
	}
	aside := answer.Aside(true)
	one := []Solution{{Turn: "a", Essential: true}}
	for name, c := range map[string]struct {
		r    Result
		want said
	}{
		"at most the claim":          {Result{Puzzle: Puzzle{Claim: 3}, Bounds: answer.Bounds{Within: 3, Refuted: 1}}, said{instead: "there is no win in 1"}},
		"less than the claim":        {Result{Puzzle: Puzzle{Claim: 4}, Bounds: answer.Bounds{Within: 3, Refuted: 1}}, said{known: true, instead: "the least is at most 3"}},
		"more than the claim":        {Result{Puzzle: Puzzle{Claim: 2}, Bounds: answer.Bounds{Within: 5, Refuted: 2}}, said{known: true, instead: "there is no win in 2", aside: aside}},
		"more, or as many":           {Result{Puzzle: Puzzle{Claim: 2}, Bounds: answer.Bounds{Within: 5, Refuted: 1}}, said{instead: "there is no win in 1"}},
		"one solution":               {Result{Bounds: answer.Bounds{Within: 1}, Solutions: one, Listed: true}, said{unique: true, uniqueKnown: true, essentially: true, essentiallyKnown: true, instead: "the least is 1"}},
		"one solution, perhaps more": {Result{Bounds: answer.Bounds{Within: 1}, Solutions: one}, said{unique: true, essentially: true, instead: "the least is 1"}},
	} {
		r := c.r
		r.Verdict = answer.Proved
		var got said
		got.yes, got.known = r.ClaimTrue()
		got.unique, got.uniqueKnown = r.Unique()
		got.essentially, got.essentiallyKnown = r.EssentiallyUnique()
		got.instead, got.aside = r.Instead(), r.Aside()
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestSecond checks which solutions count as second ones.
func TestSecond(t *testing.T) {
	a, b, c := Solution{Turn: "a", Essential: true}, Solution{Turn: "b", Essential: true}, Solution{Turn: "c"}
	given := func(s Solution) Solution { s.Given = true; return s }
	for name, test := range map[string]struct {
		solutions []Solution
		listed    bool
		want      []Solution
	}{
		"unique":                    {[]Solution{a}, true, nil},
		"essentially unique":        {[]Solution{a, c}, true, nil},
		"the longer one is given":   {[]Solution{a, given(c)}, true, nil},
		"none is given":             {[]Solution{a, b, c}, true, []Solution{a, b}},
		"one is given":              {[]Solution{given(a), b, c}, true, []Solution{b}},
		"time was up":               {[]Solution{given(c), c}, false, []Solution{c}},
		"time was up after the one": {[]Solution{c}, false, nil},
	} {
		r := Result{Solutions: test.solutions, Listed: test.listed}
		if got := r.Second(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if again := r.Solutions; !slices.Equal(again, test.solutions) {
			t.Errorf("%s: the solutions are %v now", name, again)
		}
	}
}
