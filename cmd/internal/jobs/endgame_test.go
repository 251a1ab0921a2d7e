package jobs_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/cmd/internal/jobs"
	"goalproof/internal/testkit/require"
)

// builds returns a command line that builds the classes of two and three pieces.
func builds(more ...string) []string {
	return append([]string{"endgame", "build", "--endgames", "DIR/tables", "R-r", "RR-r", "ER-r"}, more...)
}

// TestBuild builds tables on this machine and by a cluster: they are the same, and nothing else is
// left. A second time all are there; with --again they are built from those of the cluster.
func TestBuild(t *testing.T) {
	alone, together := t.TempDir(), t.TempDir()
	stats := jobs.AnswerHere(t, nil)
	for _, more := range [][]string{{"RRR-r"}, {"RRR-r"}, {"RRR-r", "--again"}} {
		want := run(t, alone, builds(more...)...)
		got := run(t, together, append(builds(more...), "--cluster", "here")...)
		if diff := cmp.Diff(want, got); diff != "" || got.Code != 0 || len(got.Files) != 4 {
			t.Errorf("%v (-alone +cluster):\n%s", more, diff)
		}
	}
	if stats.Answers != 8 || len(stats.Errors) > 0 {
		t.Errorf("%d answers, refused: %v", stats.Answers, stats.Errors)
	}
}

// TestFalseTables has workers send what is no table, or a false one: it is refused, and the tables
// are the right ones.
func TestFalseTables(t *testing.T) {
	want := run(t, t.TempDir(), builds()...)
	r, err := os.ReadFile("../../../tables/endgame/embedded/ER-r.endgame")
	require.NoError(t, err)
	for name, lie := range map[string]func(class string, table []byte) []byte{
		"none":    func(string, []byte) []byte { return nil },
		"cut":     func(_ string, table []byte) []byte { return table[:rand.IntN(len(table))] },
		"more":    func(_ string, table []byte) []byte { return append(slices.Clone(table), 0) },
		"damaged": func(_ string, table []byte) []byte { return damaged(table) },
		"another": func(class string, table []byte) []byte {
			if class == "ER-r" {
				return table[:1]
			}
			return r
		},
	} {
		stats := jobs.AnswerHere(t, func(question, table []byte) []byte {
			var q struct{ Class string }
			if err := json.Unmarshal(question, &q); err != nil {
				t.Error(err)
			}
			return lie(q.Class, table)
		})
		got := run(t, t.TempDir(), append(builds(), "--cluster", "here")...)
		if diff := cmp.Diff(want, got); diff != "" || stats.Lies > 0 {
			t.Errorf("%s: %d lies are believed (-alone +cluster):\n%s", name, stats.Lies, diff)
		}
	}
}

// damaged changes a bit.
func damaged(data []byte) []byte {
	data = slices.Clone(data)
	data[rand.IntN(len(data))] ^= 1 << rand.IntN(8)
	return data
}

// TestBuildFails has the first table not be written, which ends the command, although there are
// classes that wait for it.
func TestBuildFails(t *testing.T) {
	dir := t.TempDir()
	jobs.AnswerHere(t, func(_, table []byte) []byte {
		if err := os.RemoveAll(filepath.Join(dir, "tables", "unfinished")); err != nil {
			t.Error(err)
		}
		return table
	})
	got := run(t, dir, append(builds(), "--cluster", "here")...)
	if got.Code == 0 || !strings.Contains(got.Err, "class R-r: ") || len(got.Files) > 0 {
		t.Errorf("%+v", got)
	}
}

// TestRefusedBuild checks what ends the command before anybody is asked.
func TestRefusedBuild(t *testing.T) {
	stats := jobs.AnswerHere(t, nil)
	got := run(t, t.TempDir(), "endgame", "build", "--endgames", "DIR/tables", "--memory", "1GiB", "--cluster", "here", "DCR-dr")
	if !strings.Contains(got.Err, "class EHR-er needs 5.9 GiB of memory, and may take 1.0 GiB") || stats.Answers > 0 {
		t.Errorf("%+v", got)
	}
}
