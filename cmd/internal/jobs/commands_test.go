package jobs_test

import (
	"bytes"
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
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/library"
	"goalproof/cmd/internal/mine"
	"goalproof/cmd/internal/review"
	"goalproof/cmd/internal/verify"
	"goalproof/internal/testkit/require"
)

// outcome is what a command leaves.
type outcome struct {
	Out, Err string
	Code     int
	Files    map[string]string
}

// times matches what differs from run to run.
var times = regexp.MustCompile(`(?m)"seconds":[^,}]*|in [0-9.]+ ?(ms|s|µs|m).*$`)

// run runs a command in a directory, in which the words DIR of its line are.
func run(t testing.TB, dir string, line ...string) (o outcome) {
	t.Helper()
	var out, err bytes.Buffer
	for i := range line {
		line[i] = strings.ReplaceAll(line[i], "DIR", dir)
	}
	o.Code = cli.Run(t.Context(), line, cli.Terminal{In: os.Stdin, Out: &out, Err: &err}, func(t cli.Terminal) *cobra.Command {
		root := &cobra.Command{Use: "goalproof"}
		root.AddCommand(verify.Command(t), mine.Command(t), review.Command(t), library.Command(t))
		return root
	})
	tidy := func(text string) string { return times.ReplaceAllString(strings.ReplaceAll(text, dir, "DIR"), "TIME") }
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

// compare runs a command on this machine alone and with the answers of a cluster.
func compare(t *testing.T, line ...string) *jobs.Stats {
	t.Helper()
	alone := run(t, t.TempDir(), slices.Clone(line)...)
	stats := jobs.AnswerHere(t, nil)
	together := run(t, t.TempDir(), append(slices.Clone(line), "--cluster", "here")...)
	if diff := cmp.Diff(alone, together); diff != "" {
		t.Errorf("%v (-alone +cluster):\n%s", line, diff)
	}
	for _, err := range stats.Errors {
		t.Errorf("%v: %v", line, err)
	}
	t.Logf("%v: %d bytes out, %d files; %d answers of %d bytes, %d unproved, answering %v, checking %v", line, len(alone.Out), len(alone.Files), stats.Answers, stats.Bytes, stats.Unproved, stats.Answering, stats.Checking)
	return stats
}

const data = "../../../../shared/data"

func TestVerify(t *testing.T) {
	for _, more := range [][]string{{}, {"--json", "--describe"}, {"--all", "--describe"}, {"--check"}, {"--certificates", "DIR/proofs", "--check"},
		{"--html", "DIR/page.html", "--describe"}, {"--store", "DIR/facts"}, {"--claim", "2"}, {"--win-in", "3"}} {
		compare(t, append([]string{"verify", "--nodes", "20000", "../../../examples"}, more...)...)
	}
}

func TestMine(t *testing.T) {
	for _, more := range [][]string{{}, {"--json", "--all"}, {"--html", "DIR/page.html"}, {"--store", "DIR/facts"}, {"--win-in", "3"}, {"--as", "arimaa", "--out", "DIR/out"}} {
		compare(t, append([]string{"mine", "--nodes", "20000", "../../../examples/game.turns"}, more...)...)
	}
}

func TestReview(t *testing.T) {
	for _, more := range [][]string{{}, {"--json", "--effort", "0"}, {"--html", "DIR/page.html", "--annotated", "DIR/annotated.txt"}, {"--store", "DIR/facts"},
		{"--csv", "--effort", "100"}, {"--certificates", "DIR/proofs", "--effort", "0", "--store", "DIR/facts"}, {"--defence-nodes", "1000", "--effort", "0", "--pages", "DIR/pages", "--summary"}} {
		compare(t, append([]string{"review", "--nodes", "5000", "../../../examples/game.turns"}, more...)...)
	}
}
