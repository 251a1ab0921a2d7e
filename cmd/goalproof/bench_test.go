package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestBenchSameNodes runs the benchmark twice on one thread: the numbers of nodes are the same.
func TestBenchSameNodes(t *testing.T) {
	var runs [2][]measured
	for i := range runs {
		var out strings.Builder
		if code := run(t.Context(), []string{"bench", "--json"}, terminal{out: &out, err: io.Discard}); code != exitHolds {
			t.Fatalf("exit code %d", code)
		}
		for d := json.NewDecoder(strings.NewReader(out.String())); d.More(); {
			var m measured
			if err := d.Decode(&m); err != nil {
				t.Fatal(err)
			}
			runs[i] = append(runs[i], m)
		}
		if len(runs[i]) != len(benchmarks)+1 {
			t.Fatalf("%d rows, want %d and a total", len(runs[i]), len(benchmarks))
		}
	}
	for i, m := range runs[0] {
		if again := runs[1][i]; m.Nodes != again.Nodes || m.Verdict != again.Verdict || m.Nodes == 0 {
			t.Errorf("%s: %s with %d nodes, then %s with %d", m.Name, m.Verdict, m.Nodes, again.Verdict, again.Nodes)
		}
	}
}
