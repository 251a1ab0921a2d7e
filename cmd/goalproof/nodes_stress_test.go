//go:build stress

package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
)

// lost writes a position in which every turn loses to a file: that after the turn that wins in two.
func lost(t *testing.T) (file string) {
	t.Helper()
	_, out, _ := said(t, "solve", "--json", "../../examples/win-in-2.txt")
	var record struct{ Position string }
	require.NoError(t, json.Unmarshal([]byte(out), &record))
	p, err := notation.ParsePosition(record.Position)
	require.NoError(t, err)
	s := arimaa.NewState(p)
	turn, err := notation.PlaySteps(&s, "Re1e Rh2w Ed6n Ed7w")
	require.NoError(t, err)
	p = p.AfterTurn(turn)
	file = filepath.Join(t.TempDir(), "lost.txt")
	require.NoError(t, os.WriteFile(file, []byte(p.String()+"\n"), 0o666))
	return file
}

// outputs runs a command in an empty directory and returns its exit code, its standard output, and its files by their names.
func outputs(t *testing.T, line string) (code int, out, errors string, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	code, out, errors = said(t, strings.Fields(strings.ReplaceAll(line, "DIR", dir))...)
	files = map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = strings.ReplaceAll(string(text), dir, "DIR")
		return err
	})
	require.NoError(t, err)
	return code, strings.ReplaceAll(out, dir, "DIR"), errors, files
}

// seconds are the fields of JSON that no comparison looks at.
var seconds = regexp.MustCompile(`"(mean_|median_)?seconds":[0-9.e+-]+`)

// TestNodesAlone runs commands with a limit in nodes: they write the same bytes with other threads, with other memory, and while
// the machine is busy, and no times. Of some positions not all is found out within the limit.
func TestNodesAlone(t *testing.T) {
	many := gamePositions(t, 49, 47, 40, 30)
	const three, two = "../../examples/win-in-3.txt", "../../examples/win-in-2.txt"
	set := "../../examples/mined/win-in-2.tsv"
	if text, err := os.ReadFile(set); err == nil {
		set = filepath.Join(t.TempDir(), "set.tsv")
		lines := strings.SplitAfterN(string(text), "\n", 8)
		require.NoError(t, os.WriteFile(set, []byte(strings.Join(lines[:7], "")), 0o666))
	}
	for _, c := range []struct {
		line    string
		threads bool // the number of threads does not matter
		reached bool // the limit is
		files   int
	}{
		{"solve --nodes 20000 " + many + " " + three, true, true, 0},
		{"solve --nodes 5000 --win-in 4 --all --describe --json " + many + " " + three, true, true, 0},
		{"solve --nodes 3000 --win-in 3 --algorithm pns " + many, true, true, 0},
		{"solve --nodes 3000 --win-in 2 --goal capture=h --check " + many, true, true, 0},
		{"solve --nodes 3000 --win-in 3 ../../examples/game.turns --turn 22s", false, true, 0},
		{"solve --nodes 400 --check --certificate DIR/c.proof.gz --svg DIR/c.svg --variations --html DIR/c.html " + three, false, true, 1},
		{"solve --nodes 50000 --check --certificate DIR/c.proof.gz --svg DIR/c.svg --variations --html DIR/c.html --annotated DIR/c.txt " + three, false, false, 4},
		{"verify --nodes 8000 --win-in 3 --describe --check --certificates DIR/c --html DIR/c.html " + set, true, true, 3},
		{"verify --nodes 2000 --claim 3 --json " + many + " " + three, true, true, 0},
		{"mine --nodes 5000 --html DIR/m.html --as arimaa --out DIR/m " + two + " " + set, true, true, 2},
		{"defend --nodes 5000 --win-in 3 --all " + many, true, true, 0},
		{"defend --nodes 100000 --win-in 2 --check --certificate DIR/d.proof " + lost(t), false, false, 1},
		{"compose --nodes 300 --rounds 10 --save DIR/state.json " + set, true, true, 1},
		{"compose --nodes 3000 --json " + two + " " + two + " " + three, true, false, 0}, // the second time as the first
		{"analyze --nodes 3000 --candidates 2 --json " + many, false, true, 0},
		{"experiment --nodes 500 --out DIR/e --grid algorithm=pns,dfpns " + many, true, true, -1},
	} {
		t.Run(strings.ReplaceAll(c.line, t.TempDir(), ""), func(t *testing.T) {
			t.Parallel()
			flags := []string{" --memory 512MiB --threads 1", " --memory 700MiB --threads 3"}
			if strings.HasPrefix(c.line, "experiment") {
				flags = []string{" --threads 1", " --threads 3"}
			} else if !c.threads {
				flags = []string{" --memory 512MiB", " --memory 700MiB"}
			}
			var first string
			for i, more := range append(flags, flags[0]) {
				var stop atomic.Bool
				if i == 2 {
					for range 4 {
						go func() {
							for !stop.Load() {
							}
						}()
					}
				}
				code, out, errors, files := outputs(t, c.line+more)
				stop.Store(true)
				if code == cli.BadInput || code == cli.Internal {
					t.Fatalf("exit code %d\n%s", code, errors)
				}
				delete(files, "/e/runs.csv") // rows come as runs end
				all := fmt.Sprintf("%d\n%s\n%q", code, seconds.ReplaceAllString(out, ""), files)
				switch {
				case i == 0:
					first = all
					if c.files >= 0 && len(files) != c.files {
						t.Errorf("%d files, want %d\n%s%s", len(files), c.files, out, errors)
					}
					if reached := regexp.MustCompile("nodes are spent|unknown|undecided|depth").MatchString(out + errors); reached != c.reached {
						t.Errorf("a limit is reached: %t, want %t\n%s%s", reached, c.reached, out, errors)
					}
				case all != first:
					t.Errorf("%s differs from%s:\n%s", more, flags[0], cmp.Diff(strings.Split(first, "\n"), strings.Split(all, "\n")))
				}
			}
		})
	}
}
