package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/internal/testkit/require"
)

// TestLimitInNodes keeps the runs of an experiment whose limit is in nodes: why a run ended is read
// again, and no file of the summary holds a time.
func TestLimitInNodes(t *testing.T) {
	dir := t.TempDir()
	p := plan(t, "killers=0,1")
	p.Limit = answer.Limit{Nodes: 1000}
	r := open(t, dir, p)
	spent := Run{Position: 2, Stop: answer.Nodes, Bounds: answer.Bounds{Refuted: 1}, Nodes: 1000, Time: 1234567}
	for cell := range 2 {
		spent.Cell = cell
		for _, run := range []Run{example(0, cell), example(1, cell), spent} {
			require.NoError(t, r.Add(run))
		}
	}
	r.Close()
	runs := open(t, dir, p).Runs()
	if len(runs) != p.Runs() || runs[5].Stop != answer.Nodes {
		t.Fatalf("%+v", runs)
	}
	require.NoError(t, Summarise(p, runs).WriteFiles(dir, func(name string) string { return name }))
	for name, want := range map[string]string{"summary.md": "a win in 2 or less, 1,000 nodes each. Nodes are of", "summary.csv": "0,3,2,1,1,1,2,,,"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "(s)") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.svg")); len(files) != 2 {
		t.Errorf("plots %v, want those of solved positions and of nodes", files)
	}
}
