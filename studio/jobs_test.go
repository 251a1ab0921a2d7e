package studio_test

import (
	"strings"
	"testing"

	"goalproof/solve"
	"goalproof/studio"
)

// TestSolve solves examples by both algorithms, plays the line that is told, and compares the
// answer with that of the solver.
func TestSolve(t *testing.T) {
	c := start(t, studio.Options{})
	for _, test := range []struct {
		name    string
		winIn   int
		within  int
		verdict string
	}{
		{"goal-in-4-steps.txt", 0, 1, "proved"},
		{"win-in-2.txt", 0, 2, "proved"},
		{"win-in-2-for-silver.txt", 2, 2, "proved"},
		{"no-win-in-2.txt", 2, 0, "disproved"},
		{"immobilisation.txt", 3, 1, "proved"},
	} {
		for _, algorithm := range []string{"", "pns"} {
			s := study(t, test.name)
			r := c.work(task{Kind: "solve", Study: s, WinIn: test.winIn, Algorithm: algorithm, All: algorithm == ""})
			if r.Verdict != test.verdict || r.Within != nil && *r.Within != test.within || !strings.Contains(strings.ToLower(r.Says), test.verdict) {
				t.Errorf("%s %s: %+v", test.name, algorithm, r)
			}
			if test.verdict != "proved" {
				continue
			}
			for i, turn := range r.Line.Line {
				v := viewOf(c, "view", map[string]any{"study": s})
				if v.Label != r.Labels[i] {
					t.Errorf("%s: the line says %s at %s", test.name, r.Labels[i], v.Label)
				}
				*s = viewOf(c, "turn", map[string]any{"study": s, "turn": turn}).Study
			}
			if v := viewOf(c, "view", map[string]any{"study": s}); v.Over == nil || r.EndsBy == nil || !strings.Contains(*v.Over, *r.EndsBy) || len(r.Line.Line) != 2*test.within-1 {
				t.Errorf("%s: the line %v ends by %v: %v", test.name, r.Line, r.EndsBy, v.Over)
			}
			if algorithm == "" && (len(r.Solutions) == 0 || r.Listed == "") {
				t.Errorf("%s: no solutions: %+v", test.name, r)
			}
		}
	}
	r := c.work(task{Kind: "solve", Study: study(t, "win-in-2.txt"), All: true})
	if len(r.Solutions) != 1 || !r.Solutions[0].Essential || r.Solutions[0].Turn != "Re1e Rh2w Ed6n Ed7w" || r.Listed != "First turns that win in 2: unique." {
		t.Errorf("solutions: %+v, %s", r.Solutions, r.Listed)
	}
}

// TestTry asks about turns: one that wins, with the reply that holds out longest, and one that does
// not, with the reply that refutes it. Replies are legal.
func TestTry(t *testing.T) {
	c := start(t, studio.Options{})
	for turn, verdict := range map[string]string{"Re1e Rh2w Ed6n Ed7w": "proved", "Ed6n Ed7w": "disproved", "Re1e Rh2w Ed6s Ed5s": "disproved"} {
		for _, winIn := range []int{0, 2} {
			s := study(t, "win-in-2.txt")
			r := c.work(task{Kind: "try", Study: s, WinIn: winIn, Turn: turn})
			line := append(r.Line.Line, r.Refutation...)
			if r.Verdict != verdict || len(line) < 2 || line[0] != turn || len(r.Labels) != len(line) {
				t.Fatalf("%s: %+v", turn, r)
			}
			for _, turn := range line[:2] {
				*s = viewOf(c, "turn", map[string]any{"study": s, "turn": turn}).Study
			}
			if v := viewOf(c, "view", map[string]any{"study": s}); v.Over != nil {
				if verdict != "disproved" || !strings.HasPrefix(*v.Over, "silver") {
					t.Errorf("%s, then %s: %s", turn, line[1], *v.Over)
				}
				continue
			}
			left := c.work(task{Kind: "solve", Study: s, WinIn: 1})
			if left.Verdict != verdict {
				t.Errorf("%s, then %s: a win in 1 is %s", turn, line[1], left.Verdict)
			}
		}
	}
}

// TestCertificate writes certificates of a "yes" and of a "no", checks them, and then others that
// are wrong.
func TestCertificate(t *testing.T) {
	c := start(t, studio.Options{})
	written := func(name string, winIn int) string {
		job := c.ended(task{Kind: "certificate", Study: study(t, name), WinIn: winIn, Seconds: 300})
		status, text, _ := c.do(c.request("GET", "/api/jobs/"+job.ID+"/certificate", nil))
		if status != 200 || job.Result == nil || len(text) != job.Result.Bytes {
			t.Fatalf("%s: %d %.100s, %+v", name, status, text, job)
		}
		return text
	}
	win := written("win-in-2.txt", 0)
	if r := c.work(task{Kind: "check", Text: win}); r.Verdict != "accepted" || r.Says != "Accepted: gold wins in 2 turns." {
		t.Errorf("%+v", r)
	}
	if r := c.work(task{Kind: "check", Text: strings.Replace(win, "claim 2", "claim 1", 1)}); r.Verdict != "rejected" {
		t.Errorf("a claim that is too low: %+v", r)
	}
	for text, says := range map[string]string{
		"4\nclaim 1\ngoal rabbit=2\n1 g [            r                      E                    R       ] Ra1n\n": "gold brings a rabbit to rank 2 or wins in 1 turn.",
		"3\nclaim lost 1\n1 s [        R                      r                       E        ]\n+ Ra7n\n":        "silver, to move, loses in 1 turn.",
		"2\nclaim 1\ngame s [        R                      r                       E        ]\nturn rh5s\n" +
			"1 g [        R                              r               E        ] Ra7n\n": "gold wins in 1 turn after a game of 1 turn.",
		"1\nclaim 1\n1 g [        R                      r                       E   r    ] Ra7n\n": "gold wins in 1 turn, although the game is over there: silver has won (goal).",
	} {
		if r := c.work(task{Kind: "check", Text: "goalproof certificate " + text}); r.Says != "Accepted: "+says {
			t.Errorf("%s: %s, want %s", text, r.Says, says)
		}
	}
	none := written("immobilisation.txt", 1)
	if r := c.work(task{Kind: "check", Text: none}); r.Verdict != "accepted" {
		t.Errorf("%+v", r)
	}
	if no := written("zugzwang-in-2.txt", 1); !strings.HasPrefix(no, "goalproof refutation") {
		t.Errorf("a refutation begins with %.40q", no)
	} else if r := c.work(task{Kind: "check", Text: no}); r.Verdict != "accepted" || !strings.Contains(r.Says, "no win in 1 turn") {
		t.Errorf("%+v", r)
	}
	c.refusedFor(0, "certificate:", "POST", "/api/jobs", task{Kind: "check", Text: "goalproof certificate 2\n"})
	job := c.ended(task{Kind: "solve", Study: study(t, "goal-in-1-step.txt"), WinIn: 1})
	c.refusedFor(404, "", "GET", "/api/jobs/"+job.ID+"/certificate", nil)
}

// endlessTask is a question about the beginning of a game, which takes all of the memory and has no
// answer in sight.
var endlessTask = task{Kind: "solve", WinIn: 9, Seconds: 3600, Algorithm: "pns", Memory: 64 << 20,
	Study: &studio.Study{Position: "g [rrrrrrrrdhcemchd" + strings.Repeat(" ", 32) + "DHCMECHDRRRRRRRR]"}}

// TestStop stops a search, lets another one run out of time, and one that waits never begin.
func TestStop(t *testing.T) {
	c := start(t, studio.Options{})
	long := endlessTask
	first := c.begin(long)
	second := c.begin(long)
	if first.State != "running" || second.State != "waiting" {
		t.Fatalf("%s and %s", first.State, second.State)
	}
	if got := c.stop(second.ID); got.State != "stopped" {
		t.Errorf("a job that waits: %+v", got)
	}
	until(t, "searching", func() bool { return c.job(first.ID).Nodes > 0 })
	c.stop(first.ID)
	job, _ := c.end(first.ID)
	if job.Result == nil || job.Result.Verdict == "disproved" {
		t.Errorf("stopped: %+v", job)
	}
	long.Seconds = 0.3
	job, events := c.end(c.begin(long).ID)
	if job.Result == nil || job.Result.Verdict == "disproved" || events < 2 {
		t.Errorf("out of time after %d events: %+v", events, job)
	}
	c.refusedFor(404, "", "DELETE", "/api/jobs/none", nil)
}

// TestRefusedTasks asks for what cannot be done.
func TestRefusedTasks(t *testing.T) {
	c := start(t, studio.Options{})
	good := study(t, "win-in-2.txt")
	under := *good
	under.Steps = "Ed6n"
	refuses(c, "/api/jobs", map[string]task{
		"kind":                  {Kind: "think", Study: good},
		"there is no study":     {Kind: "solve"},
		"steps: end it":         {Kind: "solve", Study: &under},
		"1 to 200":              {Kind: "solve", Study: good, WinIn: solve.MaxTurns + 1},
		"cannot be asked":       {Kind: "solve", Study: good, WinIn: -1},
		"algorithm":             {Kind: "solve", Study: good, Algorithm: "best"},
		"threads":               {Kind: "solve", Study: good, Threads: -1},
		"for all jobs":          {Kind: "solve", Study: good, Memory: 1 << 40},
		"at least 1 MiB":        {Kind: "solve", Study: good, Memory: 1},
		"seconds":               {Kind: "solve", Study: good, Seconds: 1e9},
		"pns lists":             {Kind: "solve", Study: good, Algorithm: "pns", All: true},
		`unknown field "text"`:  {Kind: "solve", Study: good, Text: "x"},
		"turn:":                 {Kind: "try", Study: good, Turn: "Ed6s Ed5n"},
		"no game leads":         {Kind: "solve", Study: &studio.Study{Position: "Rc3 ra8 g"}},
		"the board is empty":    {Kind: "solve", Study: &studio.Study{Position: "g [" + strings.Repeat(" ", 64) + "]"}},
		`unknown field "study"`: {Kind: "check", Study: good},
		"position":              {Kind: "solve", Study: &studio.Study{Position: "g [x]"}},
		"third occurrence":      {Kind: "solve", Study: &studio.Study{Position: "Ea1 Rb1 eh8 rg8 g", Turns: []string{"Ea1n", "eh8s", "Ea2s", "eh7n", "Ea1n", "eh8s", "Ea2s", "eh7n"}}},
	})
}

// TestTwo runs the jobs of two clients. Each gets its own answers.
func TestTwo(t *testing.T) {
	c := start(t, studio.Options{})
	a := c.begin(task{Kind: "solve", Study: study(t, "win-in-2.txt"), Seconds: 300})
	b := c.begin(task{Kind: "solve", Study: study(t, "win-in-2-for-silver.txt"), Seconds: 300})
	jobB, _ := c.end(b.ID)
	jobA, _ := c.end(a.ID)
	if !strings.Contains(jobA.Result.Says, "gold wins in 2") || !strings.Contains(jobB.Result.Says, "silver wins in 2") {
		t.Errorf("%s; %s", jobA.Result.Says, jobB.Result.Says)
	}
}

// TestVerify verifies a set: puzzles with true and false claims, one with a wrong solution, and one
// that is broken.
func TestVerify(t *testing.T) {
	c := start(t, studio.Options{})
	two, none := study(t, "win-in-2.txt").Position, study(t, "no-win-in-2.txt").Position
	rows := []string{"position\tclaim\tsolution\tname",
		two + "\t2\tRe1e Rh2w Ed6n Ed7w\tright",
		two + "\t2\tEd6n Ed7w\twrong",
		two + "\t3\t\ttoo long",
		none + "\t2\t\tfalse",
		"g [x]\t2\t\tbroken",
		study(t, "goal-in-1-step.txt").Position + "\t\t\tno claim"}
	set := task{Kind: "verify", Text: strings.Join(rows, "\n"), Name: "set.tsv", Claim: 1, Seconds: 300}
	job := c.ended(set)
	if job.State != "done" || job.Done != 6 || job.Total != 6 || job.Result.Says != "6 puzzles, 2 false claims, 1 not decided or broken." {
		t.Fatalf("%+v %+v", job, job.Result)
	}
	found := ask[struct{ Puzzles []studio.Verified }](c, "GET", "/api/jobs/"+job.ID+"/puzzles", nil).Puzzles
	yes, no := true, false
	for i, want := range []struct {
		verdict, says string
		holds, right  *bool
	}{
		{"proved", "win in 2, unique", &yes, &yes},
		{"proved", "win in 2, unique", &yes, &no},
		{"proved", "win in 2, unique", &no, nil},
		{"disproved", "no win in 2", &no, nil},
		{"error", "set.tsv:6", nil, nil},
		{"proved", "win in 1", &yes, nil},
	} {
		same := func(a, b *bool) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
		if got := found[i]; got.Verdict != want.verdict || !strings.HasPrefix(got.Says, want.says) || !same(got.ClaimTrue, want.holds) || !same(got.SolutionOK, want.right) {
			t.Errorf("%d: %+v, want %+v", i, got, want)
		}
	}
	if len(found[1].Refutation) < 2 {
		t.Errorf("the wrong solution is not refuted: %+v", found[1])
	}
	if rest := ask[struct{ Puzzles []studio.Verified }](c, "GET", "/api/jobs/"+job.ID+"/puzzles?from=5", nil).Puzzles; len(rest) != 1 || rest[0].Label != found[5].Label {
		t.Errorf("from number 5: %+v", rest)
	}
	for _, from := range []string{"-1", "x", "../5"} {
		c.refused("GET", "/api/jobs/"+job.ID+"/puzzles?from="+from, nil)
	}
	c.refused("GET", "/api/jobs/none/puzzles", nil)
	refuses(c, "/api/jobs", map[string]task{
		`unknown field "study"`: {Kind: "verify", Study: study(t, "win-in-2.txt")},
		"take dfpns":            {Kind: "verify", Algorithm: "pns"},
		"0 to":                  {Kind: "verify", Claim: -1},
		"set.tsv:1":             {Kind: "verify", Name: "set.tsv", Text: "g [x]"},
	})
}
