package studio_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// comparedSet is a set of which each puzzle is another case.
func comparedSet(t *testing.T) string {
	two, three, none := study(t, "win-in-2.txt").Position, study(t, "win-in-3.txt").Position, study(t, "no-win-in-2.txt").Position
	return "position\tclaim\tname\n" + two + "\t2\ttwo\n" + three + "\t3\tthree\n" + none + "\t2\t<img src=x>\ng [x]\t\tbroken\n" + two + "\t2\ttwo again\n"
}

// earlierRun verifies the set and returns the run as the studio saves it, an object for each
// puzzle, with its job.
func earlierRun(t *testing.T, c *client) (id string, run []map[string]any) {
	t.Helper()
	job := c.ended(task{Kind: "verify", Text: comparedSet(t), Seconds: 300})
	status, text, _ := c.do(c.request("GET", "/api/jobs/"+job.ID+"/export?form=json", nil))
	if status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
		var k map[string]any
		require.NoError(t, d.Decode(&k))
		run = append(run, k)
	}
	if len(run) != 5 {
		t.Fatalf("the run has %d puzzles: %s", len(run), text)
	}
	return job.ID, run
}

// lines writes a run.
func lines(t *testing.T, run []map[string]any) string {
	t.Helper()
	var b bytes.Buffer
	for _, k := range run {
		require.NoError(t, json.NewEncoder(&b).Encode(k))
	}
	return b.String()
}

// TestCompare compares a set with its own run, which changes nothing, and with runs in which one
// thing is another.
func TestCompare(t *testing.T) {
	c := start(t, studio.Options{})
	id, run := earlierRun(t, c)
	compare := func(run []map[string]any) studio.Comparison {
		t.Helper()
		return ask[studio.Comparison](c, "POST", "/api/jobs/"+id+"/compare", map[string]any{"text": lines(t, run)})
	}
	unchanged := studio.Comparison{Compared: 4, Changed: []studio.Change{}, Says: "4 puzzles compared, 0 changed."}
	same(t, "with itself", unchanged, compare(run))
	with := func(i int, fields map[string]any) []map[string]any {
		other := append([]map[string]any{}, run...)
		other[i] = map[string]any{}
		for k, v := range run[i] {
			other[i][k] = v
		}
		for k, v := range fields {
			other[i][k] = v
		}
		return other
	}
	for _, test := range []struct {
		name string
		run  []map[string]any
		want studio.Change
	}{
		{"verdict", with(2, map[string]any{"verdict": "unknown"}), studio.Change{Puzzle: 2, What: []string{"verdict"}, Was: "unknown"}},
		{"no win", with(1, map[string]any{"verdict": "disproved", "least": nil, "within": nil, "solutions": nil, "essentially_unique": nil}),
			studio.Change{Puzzle: 1, What: []string{"verdict", "turns", "solutions"}, Was: "no win"}},
		{"longer", with(0, map[string]any{"least": 3, "within": 3}), studio.Change{Puzzle: 0, What: []string{"turns"}, Was: "win in 3, 1 solution"}},
		{"not exact", with(0, map[string]any{"least": nil, "within": 4}), studio.Change{Puzzle: 0, What: []string{"turns"}, Was: "win in at most 4, 1 solution"}},
		{"more solutions", with(4, map[string]any{"solutions": []map[string]any{{"turn": study2Solution, "essential": true}, {"turn": "Ed6n"}}}), studio.Change{Puzzle: 4, What: []string{"solutions"}, Was: "win in 2, 2 solutions, 1 essential"}},
		{"another solution", with(0, map[string]any{"solutions": []map[string]any{{"turn": "Ed6n", "essential": true}}}),
			studio.Change{Puzzle: 0, What: []string{"solutions"}, Was: "win in 2, 1 solution"}},
	} {
		same(t, test.name, []studio.Change{test.want}, compare(test.run).Changed)
	}
	// The same solution with its steps in another order, and the puzzles of two positions in
	// another order.
	turn := strings.Fields(study2Solution)
	turn[0], turn[1] = turn[1], turn[0]
	other := with(0, map[string]any{"solutions": []map[string]any{{"turn": strings.Join(turn, " "), "essential": true}}})
	other[0], other[2] = other[2], other[0]
	same(t, "in another order", unchanged, compare(other))
	// One puzzle is new, and another one is gone.
	if got := compare(with(1, map[string]any{"claim": 4})); got.New != 1 || got.Gone != 1 || got.Compared != 3 || len(got.Changed) != 0 ||
		got.Says != "3 puzzles compared, 0 changed. 1 not in the earlier run. 1 in the earlier run alone." {
		t.Errorf("another claim: %+v", got)
	}
	// Bad input says which object is wrong.
	first := lines(t, run[:1])
	for text, want := range map[string]string{
		"":                                  "the earlier run is empty",
		"position\tclaim":                   "object 1: it is no object",
		first + "[1]":                       "object 2: it is no object",
		first + "{":                         "object 2: it is no object",
		"{}":                                `object 1: its schema is 0; this program reads 1`,
		`{"schema": 1, "verdict": "<img>"}`: `object 1: verdict "<img>"`,
		`{"schema": 1, "verdict": "proved", "position": "../"}`:                            "object 1: position",
		lines(t, with(0, map[string]any{"solutions": []map[string]any{{"turn": "../x"}}})): "object 1: solutions",
		`{"schema": 1, "verdict": "proved", "least": 1e99}`:                                "object 1: it is no object",
	} {
		c.refusedFor(422, want, "POST", "/api/jobs/"+id+"/compare", map[string]any{"text": text})
	}
	for path, want := range map[string]string{"..%2F" + id: "no such job", "99": "no such job"} {
		c.refusedFor(404, want, "POST", "/api/jobs/"+path+"/compare", map[string]any{"text": first})
	}
	running := c.begin(endlessTask)
	c.refusedFor(0, "at the end", "POST", "/api/jobs/"+running.ID+"/compare", map[string]any{"text": first})
	c.stop(running.ID)
	c.end(running.ID)
	c.refusedFor(0, "the job is no set", "POST", "/api/jobs/"+running.ID+"/compare", map[string]any{"text": first})
}

// study2Solution is the only solution of the example of a win in two.
const study2Solution = "Re1e Rh2w Ed6n Ed7w"
