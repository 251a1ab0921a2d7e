package studio_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles/collection"
	"goalproof/solve"
	"goalproof/studio"
)

// longer is a puzzle, a win in two, to which wins in three lead.
const longer = "g [r      rRr   r  hE           e                R  R              ]"

// checkMade checks what a job says of a puzzle: a solver of its own proves that it is a win in so
// many turns and not sooner, with one essential solution, and a certificate of the win is checked
// by the plain rules. The puzzle is described.
func checkMade(t *testing.T, m *studio.MadePuzzle) {
	t.Helper()
	if m.WinIn > 1 != (m.Difficulty != nil) || len(m.Themes) == 0 {
		t.Errorf("%+v: no difficulty or themes", m)
	}
	checkProved(t, m)
}

// checkProved is checkMade of a puzzle that need not be described.
func checkProved(t *testing.T, m *studio.MadePuzzle) {
	t.Helper()
	p, err := notation.ParsePosition(m.Study.Position)
	require.NoError(t, err)
	s, err := solve.New(solve.Options{Memory: 32 << 20, Threads: 1})
	require.NoError(t, err)
	q := solve.Question{Position: p, Deepest: m.WinIn, All: true}
	a, err := s.Solve(t.Context(), q)
	require.NoError(t, err)
	if !a.Exact() || a.Within != m.WinIn || a.Essential() != 1 || a.Listing != answer.Finished || p.Unusual() != nil || m.Pieces != p.Occupied().Len() {
		t.Fatalf("%+v: a win in %d, %d essential solutions", m, a.Within, a.Essential())
	}
	for _, solution := range a.Solutions {
		if solution.Essential && p.Notation(solution.Turn) != m.Solution {
			t.Errorf("%+v: the solution is %s", m, p.Notation(solution.Turn))
		}
	}
	certificate, err := s.Certificate(t.Context(), q, a)
	require.NoError(t, err)
	require.NoError(t, certificate.Check(t.Context(), nil))
}

// composed lets a job compose, and checks the puzzles that it has made.
func composed(c *client, t task) *studio.Result {
	c.Helper()
	t.Kind = "compose"
	j := c.ended(t)
	if j.State != "done" || j.Result.Verdict != "composed" || j.Result.Composed == nil || j.Says != j.Result.Says {
		c.Fatalf("%+v: %+v %+v", t, j, j.Result)
	}
	for i := range j.Result.Composed.Made {
		checkMade(c.T, &j.Result.Composed.Made[i])
	}
	if p := j.Result.Composed.Puzzle; p != nil {
		checkMade(c.T, p)
		if p.Study.Position != t.Study.Position || len(p.Changes) > 0 {
			c.Errorf("%+v: %+v", t, p)
		}
	}
	return j.Result
}

// different counts the squares on which two positions differ.
func different(a, b string) (squares int) {
	for i := range a {
		if a[i] != b[i] {
			squares++
		}
	}
	return squares
}

// TestCompose makes puzzles of puzzles, with each aim.
func TestCompose(t *testing.T) {
	c := start(t, studio.Options{})
	two := study(t, "win-in-2.txt")

	r := composed(c, task{Aim: "small", Study: two})
	if len(r.Composed.Made) != 1 || r.Says != "The solution stays with 9 of 14 pieces, 2 of them weaker." {
		t.Fatalf("%s %+v", r.Says, r.Composed)
	}
	small := r.Composed.Made[0]
	if changes := small.Changes; len(changes) != 7 || !slices.Contains(changes, "Take the silver rabbit on h7 away") ||
		!slices.Contains(changes, "Replace the gold elephant on d6 by a gold cat") || different(two.Position, small.Study.Position) != 7 {
		t.Errorf("%q", changes)
	}
	if again := composed(c, task{Aim: "small", Study: &small.Study, WinIn: 2}); again.Says != "Nothing superfluous was found." || len(again.Composed.Made) > 0 {
		t.Errorf("%s %+v", again.Says, again.Composed)
	}

	r = composed(c, task{Aim: "hard", Study: two, Rounds: 60, Nodes: 20_000})
	if len(r.Composed.Made) != 1 || *r.Composed.Made[0].Difficulty <= *r.Composed.Puzzle.Difficulty || !strings.HasPrefix(r.Says, "A harder puzzle was found: difficulty ") {
		t.Errorf("%s %+v", r.Says, r.Composed)
	}

	r = composed(c, task{Aim: "twin", Study: two, Nodes: 20_000})
	for _, m := range r.Composed.Made {
		if n := different(two.Position, m.Study.Position); len(m.Changes) != 1 || n < 1 || n > 2 || m.Solution == r.Composed.Puzzle.Solution {
			t.Errorf("%+v", m)
		}
	}
	if len(r.Composed.Made) != 5 || !strings.HasPrefix(r.Says, "Twins: 5. ") || !strings.HasSuffix(r.Says, " positions tried; there may be more.") {
		t.Errorf("%s", r.Says)
	}

	r = composed(c, task{Aim: "longer", Study: &studio.Study{Position: longer, Number: 7}, Rounds: 200, Nodes: 50_000})
	if len(r.Composed.Made) == 0 || !strings.HasPrefix(r.Says, "Puzzles that win in 3: ") {
		t.Errorf("%s", r.Says)
	}
	for _, m := range r.Composed.Made {
		reply := strings.TrimSuffix(strings.TrimPrefix(m.Changes[0], "Take back a turn of each side: the defence "), " leads to the puzzle")
		v := viewOf(c, "view", map[string]any{"study": studio.Study{Position: m.Study.Position, Number: m.Study.Number, Turns: []string{m.Solution, reply}}})
		want := viewOf(c, "view", map[string]any{"study": studio.Study{Position: longer, Number: 7}})
		if m.WinIn != 3 || v.Squares != want.Squares || v.Label != want.Label {
			t.Errorf("%+v: %s leads to %s, %s", m, reply, v.Label, v.Squares)
		}
	}
}

// TestComposeLong composes of long wins of the collection, whose length is given or not: the nodes are
// enough.
func TestComposeLong(t *testing.T) {
	c := start(t, studio.Options{})
	for turns, given := range map[int]int{4: 0, 5: 5} {
		all := slices.Collect(collection.Select(collection.Filter{Turns: turns}))
		p := all[len(all)-1]
		r := composed(c, task{Study: &studio.Study{Position: p.Position.String()}, Aim: "small", WinIn: given})
		if from := r.Composed.Puzzle; from == nil || from.WinIn != turns {
			t.Errorf("%s, %d given: %s", p.Name(), given, r.Says)
		}
	}
}

// TestComposeAdded looks for puzzles that win in a turn more and lead to the puzzle, or to the
// puzzle with a piece: what they lead to is what is said.
func TestComposeAdded(t *testing.T) {
	c := start(t, studio.Options{})
	const one = "g [     c       E   d    Rcr   r eHRRr    r    C  R                ]"
	r := composed(c, task{Aim: "longer", Study: &studio.Study{Position: one, Number: 7}, WinIn: 1, Rounds: 60, Nodes: 20_000})
	added := 0
	for _, m := range r.Composed.Made {
		said := regexp.MustCompile(`^Take back a turn of each side: the defence (.*) leads to the puzzle(?: with (.)(..))?$`).FindStringSubmatch(m.Changes[0])
		if said == nil || len(m.Changes) != 1 {
			t.Fatalf("%q", m.Changes)
		}
		v := viewOf(c, "view", map[string]any{"study": studio.Study{Position: m.Study.Position, Number: m.Study.Number, Turns: []string{m.Solution, said[1]}}})
		want := []byte(viewOf(c, "view", map[string]any{"study": studio.Study{Position: one, Number: 7}}).Squares)
		if said[2] != "" {
			at := int(said[3][1]-'1')*8 + int(said[3][0]-'a')
			if want[at] != ' ' {
				t.Errorf("%q: there is a piece already", m.Changes)
			}
			want[at] = said[2][0]
			added++
		}
		if v.Squares != string(want) {
			t.Errorf("%q leads to %q, not %q", m.Changes, v.Squares, want)
		}
	}
	if added == 0 || added == len(r.Composed.Made) {
		t.Errorf("%d of %d with a piece", added, len(r.Composed.Made))
	}
}

// TestComposeNothing composes where there is no puzzle, or nothing to make of it: the job says why.
// Of several solutions it names changes that leave one.
func TestComposeNothing(t *testing.T) {
	c := start(t, studio.Options{})
	several := &studio.Study{Position: "Ra6 Rh6 ed4 rd8 g"}
	one := &studio.Study{Position: "Ra5 rh7 ed4 g"}
	for _, test := range []struct {
		task
		says string
		made bool
	}{
		{task{Aim: "hard", Study: study(t, "no-win-in-2.txt"), WinIn: 2}, "This is no puzzle: gold has no win in 2 turns (the third repetition set aside).", false},
		{task{Aim: "twin", Study: study(t, "no-win-in-2.txt"), Nodes: 100}, "No win was found, so nothing was made. Unknown: the nodes are spent while looking", false},
		{task{Aim: "small", Study: study(t, "win-in-2.txt"), WinIn: 3}, "This is no puzzle with a win in 3: gold wins in 2 turns.", false},
		{task{Aim: "small", Study: study(t, "win-in-2.txt"), WinIn: 2, Nodes: 10}, "Whether this is a puzzle with a win in 2 was not decided (the nodes are spent).", false},
		{task{Aim: "hard", Study: one}, "Difficulty is a measure of wins in 2 or more: add a turn first.", false},
		{task{Aim: "longer", Study: several}, "This is no puzzle: gold wins in 1 turn by 2 essential solutions. Changes that leave one: 5.", true},
		{task{Aim: "twin", Study: study(t, "win-in-2.txt"), WinIn: 2, Rounds: 1}, "No twin was found. ", false},
		{task{Aim: "longer", Study: study(t, "win-in-2.txt"), WinIn: 2, Rounds: 1}, "No puzzle that wins in 3 was found. ", false},
		{task{Aim: "small", Study: &studio.Study{Position: one.Position, Turns: []string{"Ra5n", "rh7s"}}}, "The solution stays with ", true},
	} {
		if test.Study == several || test.Study == one {
			v := viewOf(c, "view", map[string]any{"study": test.Study})
			test.Study = &v.Study
		}
		test.Kind = "compose"
		j := c.ended(test.task)
		if j.Result == nil || !strings.HasPrefix(j.Result.Says, test.says) || len(j.Result.Composed.Made) > 0 != test.made {
			t.Errorf("%+v: %+v %+v", test.task, j, j.Result)
			continue
		}
		if len(test.Study.Turns) > 0 != strings.HasSuffix(j.Says, "This is about the position without its history, the third repetition set aside.") {
			t.Errorf("%s", j.Says)
		}
		for i := range j.Result.Composed.Made {
			checkMade(t, &j.Result.Composed.Made[i])
		}
	}
	for want, bad := range map[string]task{
		`aim "nice": it is small, hard, longer or twin`:        {Aim: "nice", Study: one},
		"rounds -1: it is 0 or more":                           {Aim: "hard", Study: one, Rounds: -1},
		"rounds 5: small tries every piece":                    {Aim: "small", Study: one, Rounds: 5},
		"nodes 1099511627777: it is at most 1,099,511,627,776": {Aim: "small", Study: one, Nodes: 1<<40 + 1},
		"the job needs 4.0 GiB of memory":                      {Aim: "small", Study: one, Nodes: 1 << 40},
		"win_in -1: it is 0 to ":                               {Aim: "twin", Study: one, WinIn: -1},
		"the game is over":                                     {Aim: "twin", Study: &studio.Study{Position: "Ra7 ed4 rd8 g", Turns: []string{"Ra7n"}}, Unusual: true},
		"there is no study":                                    {Aim: "twin"},
	} {
		bad.Kind = "compose"
		c.refusedFor(http.StatusUnprocessableEntity, want, "POST", "/api/jobs", bad)
	}
}

// TestComposeStopped stops jobs that compose: what was made until then stays. Meanwhile a prompt job
// takes the place of one.
func TestComposeStopped(t *testing.T) {
	c := start(t, studio.Options{Memory: 24 << 20})
	two := study(t, "win-in-2.txt")
	hard := c.begin(task{Kind: "compose", Aim: "hard", Study: two, Rounds: 1_000_000})
	until(t, "some rounds", func() bool {
		j := c.job(hard.ID)
		return j.Done > 20 && j.Total == 1_000_000 && j.Label == "make it harder"
	})
	if r := c.work(task{Kind: "solve", Study: two, WinIn: 2, Threads: 1, Memory: 20 << 20}); r.Verdict != "proved" {
		t.Errorf("%+v", r)
	}
	done := c.job(hard.ID).Done
	until(t, "more rounds", func() bool { return c.job(hard.ID).Done > done+20 })
	c.stop(hard.ID)
	j, _ := c.end(hard.ID)
	if j.State != "done" || !strings.HasPrefix(j.Says, "Stopped early (interrupted). ") || j.Result.Composed.Puzzle == nil || j.Result.Composed.Puzzle.Difficulty == nil {
		t.Fatalf("%+v %+v", j, j.Result)
	}
	for i := range j.Result.Composed.Made {
		checkMade(t, &j.Result.Composed.Made[i])
	}
	j = c.ended(task{Kind: "compose", Aim: "longer", Study: two, WinIn: 2, Rounds: 1_000_000, Seconds: 0.001})
	if j.State != "done" || !strings.HasPrefix(j.Says, "Stopped early (time is up). ") {
		t.Errorf("%+v %+v", j, j.Result)
	}
}

// TestComposeStoppedAside stops a job that composes while it gives way to a prompt job: what was made
// stays, and nothing is said of it that is not known.
func TestComposeStoppedAside(t *testing.T) {
	c := start(t, studio.Options{Memory: 24 << 20})
	j := c.begin(task{Kind: "compose", Aim: "hard", Study: study(t, "win-in-2.txt"), WinIn: 2, Rounds: 1_000_000, Nodes: 20_000})
	until(t, "rounds in which something was made", func() bool { return c.job(j.ID).Done > 100 })
	prompt := endlessTask
	prompt.Memory = 20 << 20
	aside := c.begin(prompt)
	until(t, "giving way", func() bool { return c.job(j.ID).State == "waiting" })
	c.stop(j.ID)
	j, _ = c.end(j.ID)
	c.stop(aside.ID)
	c.end(aside.ID)
	const says = "Stopped early (interrupted). A changed puzzle was found; whether it is harder is not known."
	if j.State != "done" || j.Says != says || j.Result.Composed.Puzzle == nil || len(j.Result.Composed.Made) != 1 {
		t.Fatalf("%+v %+v", j, j.Result)
	}
	checkMade(t, j.Result.Composed.Puzzle)
	made := &j.Result.Composed.Made[0]
	checkProved(t, made)
	if made.Difficulty != nil || len(made.Themes) > 0 || len(made.Changes) == 0 {
		t.Errorf("%+v", made)
	}
}
