package bench

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/signature"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// TestBenchSameNodes runs the benchmarks of the solver, and with the tag large those of the engine,
// twice on one thread: the numbers of nodes are the same.
func TestBenchSameNodes(t *testing.T) {
	for _, c := range []struct {
		args  []string
		rows  int
		nodes uint64
		twice bool
	}{
		{[]string{"--json", "--memory", "64MiB"}, len(signature.Solver), signature.SolverNodes, true},
		{[]string{"--json", "--engine", "--memory", "64MiB"}, len(signature.Solver) + len(signature.Engine), signature.EngineNodes, boards.Large},
	} {
		var runs [2][]measured
		for i := range runs {
			if i == 1 && !c.twice {
				runs[1] = runs[0] // package engine has such a test of its own
				break
			}
			var out strings.Builder
			if code := cli.Run(t.Context(), c.args, cli.Terminal{Out: &out, Err: io.Discard}, Command); code != cli.Holds {
				t.Fatalf("%v: exit code %d", c.args, code)
			}
			for d := json.NewDecoder(strings.NewReader(out.String())); d.More(); {
				var m measured
				require.NoError(t, d.Decode(&m))
				m.Seconds, m.Rate = 0, 0
				if m.Nodes == 0 {
					t.Errorf("%v: %s: no nodes", c.args, m.Name)
				}
				runs[i] = append(runs[i], m)
			}
			if len(runs[i]) != c.rows+1 {
				t.Fatalf("%v: %d rows, want %d and a total", c.args, len(runs[i]), c.rows)
			}
			if n := runs[i][c.rows].Nodes; n != c.nodes {
				t.Errorf("%v: %d nodes, and the signature says %d", c.args, n, c.nodes)
			}
		}
		if d := cmp.Diff(runs[0], runs[1]); d != "" {
			t.Errorf("%v: the second run differs from the first: %s", c.args, d)
		}
	}
}
