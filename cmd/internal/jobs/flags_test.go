package jobs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
)

// TestDir compares the directories of runs without --run: that of the same command with flags on
// which no answer depends is the same, and that of any other command another one.
func TestDir(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	dir := func(kind, about string, args ...string) string {
		t.Helper()
		var f Flags
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.Register(flags, cli.Terminal{})
		flags.Bool("json", false, "")
		flags.Bool("quiet", false, "")
		flags.Bool("describe", false, "")
		flags.Duration("time", 0, "")
		flags.Duration("save-every", 0, "")
		flags.Int("threads", 1, "")
		flags.String("save", "", "")
		flags.String("store", "", "")
		flags.String("out", "", "")
		flags.String("memory", "", "")
		require.NoError(t, flags.Parse(args))
		found, err := f.dir(kind, []byte(about))
		require.NoError(t, err)
		return found
	}
	const kind, about = "solve", "{}"
	first := dir(kind, about, "--cluster", "here", "--describe", "a", "b")
	for _, args := range [][]string{
		{"--cluster", "there", "--key", "file", "a", "--describe=true", "b"},
		{"--time", "1s", "--json", "--quiet", "--describe", "a", "b"},
		{"--describe", "--save", "graph", "--save-every", "1m", "--threads", "3", "--memory", "1GiB", "--untrusted", "a", "b"},
		{"--store", "facts", "--out", "net", "--describe", "a", "b"},
	} {
		if got := dir(kind, about, args...); got != first {
			t.Errorf("%q has another directory", args)
		}
	}
	others := map[string]string{first: "the first"}
	other := func(what, got string) {
		if was, there := others[got]; there {
			t.Errorf("%s: the directory is that of %s", what, was)
		}
		others[got] = what
	}
	other("another kind", dir("verify", about, "--describe", "a", "b"))
	other("another question", dir(kind, "{1}", "--describe", "a", "b"))
	other("another flag", dir(kind, about, "a", "b"))
	other("another argument", dir(kind, about, "--describe", "a", "c"))
	other("arguments joined", dir(kind, about, "--describe", "a b"))
	t.Chdir(t.TempDir())
	other("another place", dir(kind, about, "--describe", "a", "b"))
	if got, want := dir(kind, about, "--run", "mine"), "mine"; got != want {
		t.Errorf("--run mine is in %s", filepath.Clean(got))
	}
}

// TestRemoveEmpty removes what a killed process has left of a part, and nothing else.
func TestRemoveEmpty(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	f := &Flags{Dir: dir}
	f.RemoveEmpty() // nothing is there
	part := f.Part("archives").Dir
	require.NoError(t, os.MkdirAll(part, 0o777))
	file := filepath.Join(dir, "notes")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	f.RemoveEmpty()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 || left[0].Name() != "notes" {
		t.Errorf("left are %v, %v", left, err)
	}
	require.NoError(t, os.Remove(file))
	f.RemoveEmpty()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is there: %v", err)
	}
}
