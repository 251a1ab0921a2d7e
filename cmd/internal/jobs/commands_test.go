package jobs_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/compose"
	endgames "goalproof/cmd/internal/endgame"
	"goalproof/cmd/internal/experiment"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/learn"
	"goalproof/cmd/internal/library"
	"goalproof/cmd/internal/mine"
	"goalproof/cmd/internal/review"
	"goalproof/cmd/internal/search"
	"goalproof/cmd/internal/verify"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/tables"
	"goalproof/tables/endgame"
)

// outcome is what a command leaves.
type outcome struct {
	Out, Err string
	Code     int
	Files    map[string]string
	Facts    []string // of the store
}

// times matches what differs from run to run.
var times = regexp.MustCompile(`(?m)"(mean_|median_|)seconds":[^,}]*|in [0-9.]+ ?(ms|s|µs|m).*$|,[0-9.]{8,},[0-9a-f]{8}$`)

// run runs a command in a directory, in which the words DIR of its line are.
func run(t testing.TB, dir string, line ...string) (o outcome) {
	t.Helper()
	var out, err bytes.Buffer
	for i := range line {
		line[i] = strings.ReplaceAll(line[i], "DIR", dir)
	}
	o.Code = cli.Run(t.Context(), line, cli.Terminal{In: os.Stdin, Out: &out, Err: &err}, func(t cli.Terminal) *cobra.Command {
		root := &cobra.Command{Use: "goalproof"}
		root.AddCommand(verify.Command(t), mine.Command(t), review.Command(t), library.Command(t), learn.Command(t), experiment.Command(t), compose.Command(t), endgames.Command(t))
		return root
	})
	tidy := func(text string) string { return times.ReplaceAllString(strings.ReplaceAll(text, dir, "DIR"), "TIME") }
	if facts := filepath.Join(dir, "facts"); exists(facts) {
		o.Facts = factsOf(t, facts)
	}
	o.Out, o.Err, o.Files = tidy(out.String()), tidy(err.String()), map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "facts") || strings.HasSuffix(path, ".db") {
			return err
		}
		text, err := os.ReadFile(path)
		o.Files[strings.TrimPrefix(path, dir)] = tidy(string(text))
		return err
	}))
	return o
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// factsOf returns the facts and notes of a store.
func factsOf(t testing.TB, dir string) (all []string) {
	s, err := search.ReadStore(dir)
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.All(t.Context(), func(key []byte, f tables.Fact) error {
		all = append(all, fmt.Sprintf("%x %+v", key, f))
		return nil
	}))
	slices.Sort(all)
	return all
}

// compared counts the calls of compare. Without the tag large it compares every fourth time.
var compared int

// compare runs a command on this machine alone and with the answers of a cluster.
func compare(t *testing.T, line ...string) *jobs.Stats {
	t.Helper()
	if compared++; !boards.Large && compared%4 != 1 {
		return &jobs.Stats{}
	}
	alone := run(t, t.TempDir(), slices.Clone(line)...)
	stats := jobs.AnswerHere(t, nil)
	together := run(t, t.TempDir(), append(slices.Clone(line), "--cluster", "here")...)
	if diff := cmp.Diff(alone, together); diff != "" {
		t.Errorf("%v (-alone +cluster):\n%s", line, diff)
	}
	for _, err := range stats.Errors {
		t.Errorf("%v: %v", line, err)
	}
	if stats.Answers == 0 {
		t.Errorf("%v: nobody was asked", line)
	}
	t.Logf("%v: %d bytes out, %d files; %d answers of %d bytes, %d unproved, answering %v, checking %v", line, len(alone.Out), len(alone.Files), stats.Answers, stats.Bytes, stats.Unproved, stats.Answering, stats.Checking)
	return stats
}

// shared returns a path below the published data, and skips where there is none.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	all := filepath.Join(append([]string{"../../../../shared/data"}, path...)...)
	if _, err := os.Stat(all); err != nil {
		t.Skipf("there is no %s", all)
	}
	return all
}

// broken is a set of puzzles of which some cannot be read, or claim what is false.
const broken = `position	claim	solution
g [R        E                                                    r ]	1	nothing
nowhere	2
g [                                R                       r       ]	1	Ra4n
g [                R                                r              ]	1	Ra6n Ra7n
g [                R                                r              ]	2	Ra6n
g [EEE             R                                r              ]	1
g [                                                                ]	1
g [R                                                r              ]	1
s [                R                                r              ]
g [                R                                r              ]	few
`

func TestVerify(t *testing.T) {
	for _, more := range [][]string{{}, {"--json", "--describe"}, {"--all", "--describe", "--claim", "2"}, {"--check", "--store", "DIR/facts"},
		{"--certificates", "DIR/proofs", "--check", "--claim", "2"}, {"--certificates", "DIR/proofs", "--store", "DIR/facts"}, {"--html", "DIR/page.html"}, {"--win-in", "3"}} {
		compare(t, append([]string{"verify", "--nodes", "3000", "../../../examples"}, more...)...)
	}
	for _, more := range [][]string{{}, {"--unusual", "--json"}, {"--certificates", "DIR/proofs", "--unusual"}} {
		set := filepath.Join(t.TempDir(), "set.tsv")
		require.NoError(t, os.WriteFile(set, []byte(broken), 0o666))
		compare(t, append([]string{"verify", "--nodes", "3000", set}, more...)...)
	}
}

// TestPublished verifies published puzzles. Some claims are false.
func TestPublished(t *testing.T) {
	compare(t, "verify", "--nodes", "30000", "--claim", "2", "--all", "--store", "DIR/facts", shared(t, "win-in-2", "reduced"))
	compare(t, "verify", "--nodes", "30000", "--claim", "2", "--check", "--certificates", "DIR/proofs", shared(t, "puzzles"))
	compare(t, "mine", "--nodes", "100000", "--json", "--store", "DIR/facts", lines(t, boards.Sized(40, 150), shared(t, "late.tsv")))
	compare(t, "mine", "--nodes", "100000", "--html", "DIR/page.html", lines(t, boards.Sized(40, 150), shared(t, "late.tsv")))
	compare(t, "mine", "--nodes", "5000", "--win-in", "3", lines(t, 3, shared(t, "games", "archive-2026.tsv")))
	compare(t, "review", "--nodes", "5000", "--effort", "20", "--store", "DIR/facts", "--certificates", "DIR/proofs", "--json", lines(t, 5, shared(t, "games", "archive-2026.tsv")))
}

// lines returns a file with the first lines of another.
func lines(t *testing.T, n int, file string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	all := strings.SplitAfter(string(text), "\n")
	part := filepath.Join(t.TempDir(), filepath.Base(file))
	require.NoError(t, os.WriteFile(part, []byte(strings.Join(all[:min(n, len(all))], "")), 0o666))
	return part
}

func TestMine(t *testing.T) {
	compare(t, "mine", "--nodes", "50000", "--all", "--game", "random-1-7", "../../../examples/games.tsv")
	compare(t, "mine", "--nodes", "50000", "--as", "arimaa", "--out", "DIR/out", "--game", "random-1-7", "../../../examples/games.tsv")
	compare(t, "mine", "--nodes", "2000", "--win-in", "3", "../../../examples/game.turns", "../../../LICENSE")
}

func TestReview(t *testing.T) {
	for _, more := range [][]string{{"--html", "DIR/page.html", "--annotated", "DIR/annotated.txt", "--effort", "50"},
		{"--csv", "--effort", "100"}, {"--certificates", "DIR/proofs", "--effort", "0", "--store", "DIR/facts"}, {"--json", "--defence-nodes", "1000", "--effort", "0", "--pages", "DIR/pages"}} {
		compare(t, append([]string{"review", "--nodes", "5000", "../../../examples/game.turns"}, more...)...)
	}
	compare(t, "review", "--nodes", "2000", "--effort", "0", "--summary", "../../../examples/games.tsv", "../../../LICENSE", "../../../examples/win-in-2.txt")
}

// TestLearn learns a network in two rounds, the second with the network of the first.
func TestLearn(t *testing.T) {
	compare(t, "learn", "--out", "DIR/net", "--games", "40,40", "--nodes", "20", "--epochs", "1", "--json")
}

// TestArchives learns from the games of an archive, some of which come twice, and from games of the
// network that this makes.
func TestArchives(t *testing.T) {
	if !boards.Large {
		t.Skip("the tag large learns from archives")
	}
	line := []string{"learn", "--out", "DIR/net", "--games", "40", "--nodes", "20", "--epochs", "1", "--archives", "../../../examples/games.tsv,../../../examples/games.tsv"}
	compare(t, line...)
	dir := t.TempDir()
	run(t, dir, "learn", "--out", "DIR/net", "--games", "40", "--nodes", "20", "--epochs", "1")
	compare(t, append(slices.Clone(line), "--from", filepath.Join(dir, "net", "network-1.bin"))...)
}

// TestCompose takes puzzles apart, and positions that are none or have several solutions.
func TestCompose(t *testing.T) {
	set := filepath.Join(t.TempDir(), "set.tsv")
	require.NoError(t, os.WriteFile(set, []byte(broken), 0o666))
	for _, more := range [][]string{{"--nodes", "3000", "../../../examples/mined/win-in-2.tsv"}, {"--nodes", "3000", "--json", set}, {"--nodes", "3000", "--as", "table", "--rounds", "20", "../../../examples"},
		{"--nodes", "200", "../../../examples"}, {"--nodes", "3000", "--rounds", "30", "--aim", "hard", "--json", "../../../examples/win-in-2.txt"}} {
		compare(t, append([]string{"compose"}, more...)...)
	}
}

// TestExperiment compares searches on positions that some of them solve, and on one of a game.
func TestExperiment(t *testing.T) {
	grid := []string{"--grid", "algorithm=pns,dfpns", "--grid", "memory=4MiB", "--grid", "killers=0,2"}
	for _, more := range [][]string{{"--nodes", "2000", "../../../examples"}, {"--nodes", "300", "--json", "--win-in", "3", "../../../examples"},
		{"--nodes", "2000", "--turn", "24s", "../../../examples/game.turns"}, {"--nodes", "2000", "--turn", "23s", "../../../examples/game.turns"}} {
		compare(t, append(append([]string{"experiment", "--threads", "1", "--out", "DIR/out"}, grid...), more...)...)
	}
}

// TestExperimentContinues has the missing runs of an experiment performed: those that are recorded
// are not asked for again, and all of a position are answered together.
func TestExperimentContinues(t *testing.T) {
	line := []string{"experiment", "--threads", "1", "--out", "DIR/out", "--nodes", "500", "--grid", "algorithm=pns,dfpns", "--grid", "memory=4MiB", "../../../examples"}
	dir := t.TempDir()
	alone := run(t, dir, slices.Clone(line)...)
	rows := strings.SplitAfter(alone.Files["/out/runs.csv"], "\n")
	file := filepath.Join(dir, "out", "runs.csv")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	const kept = 4 // the names of the columns, and the runs of one position and a half
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(strings.SplitAfter(string(text), "\n")[:kept], "")), 0o666))
	stats := jobs.AnswerHere(t, nil)
	together := run(t, dir, append(slices.Clone(line), "--cluster", "here")...)
	if diff := cmp.Diff(alone.Files, together.Files); diff != "" || alone.Out != together.Out {
		t.Errorf("(-alone +continued):\n%s", diff)
	}
	if positions := (len(rows) - 2) / 2; stats.Answers != positions-1 {
		t.Errorf("%d answers about %d positions, of which one was recorded", stats.Answers, positions)
	}
	if again := run(t, dir, append(slices.Clone(line), "--cluster", "here")...); again.Out != alone.Out || stats.Answers != (len(rows)-2)/2-1 {
		t.Errorf("when all is recorded somebody is asked, or the output is\n%s", again.Out)
	}
}

// TestLibrary mines and reviews the games of a library, with some that were reviewed before.
func TestLibrary(t *testing.T) {
	if !boards.Large {
		t.Skip("the tag large compares libraries")
	}
	for _, steps := range [][][]string{
		{{"mine", "--nodes", "50000", "--number", "9"}, {"mine", "--nodes", "50000", "--json", "--number", "7"}},
		{{"review", "--nodes", "2000", "--effort", "0", "--number", "2"}, {"review", "--nodes", "2000", "--effort", "0", "--certificates", "DIR/proofs", "--text"},
			{"findings", "--finding", "any"}},
	} {
		var all [2]outcome
		for i, more := range [][]string{nil, {"--cluster", "here"}} {
			dir := t.TempDir()
			stats := jobs.AnswerHere(t, nil)
			run(t, dir, "library", "import", "DIR/games.db", "../../../examples/games.tsv")
			for _, step := range steps {
				line := append([]string{"library", step[0], "DIR/games.db"}, step[1:]...)
				if step[0] != "findings" {
					line = append(line, more...)
				}
				o := run(t, dir, line...)
				all[i].Out += o.Out
				all[i].Err += o.Err
				all[i].Code += o.Code
				all[i].Files = o.Files
			}
			for _, err := range stats.Errors {
				t.Errorf("%v: %v", steps, err)
			}
			if i == 1 && stats.Answers == 0 {
				t.Errorf("%v: nobody was asked", steps)
			}
		}
		if diff := cmp.Diff(all[0], all[1]); diff != "" || all[0].Out == "" {
			t.Errorf("%v (-alone +cluster):\n%s", steps, diff)
		}
	}
}

// TestEndgames asks about positions with few pieces, with tables that travel and those of the
// program.
func TestEndgames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, endgame.Build(t.Context(), endgame.Classes(2)[:1], endgame.BuildOptions{Dir: dir, Threads: 1}))
	for _, more := range [][]string{{}, {"--endgames", dir}} {
		compare(t, append([]string{"verify", "--json", "--nodes", "2000", "--win-in", "9", "--certificates", "DIR/proofs", "--unusual", shared(t, "endings.tsv")}, more...)...)
	}
}
