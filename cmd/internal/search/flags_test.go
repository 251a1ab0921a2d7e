package search

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
)

// TestOptions reads command lines of searches: what a solver gets, or the flag that is wrong.
func TestOptions(t *testing.T) {
	const mib = 1 << 20
	for line, want := range map[string]solve.Options{
		"":                                {Threads: 3, Memory: 256 * mib},
		"--threads 2 --memory 64MiB":      {Threads: 2, Memory: 64 * mib},
		"--algorithm pns":                 {Algorithm: solve.PNS, Threads: 3, Memory: 256 * mib},
		"--epsilon 0.5 --memory 512MiB":   {Threads: 3, Memory: 512 * mib, Epsilon: 0.5},
		"--store facts --memory 512MiB":   {Threads: 3, Memory: (512 - 48) * mib},
		"--store facts --memory 64MiB":    {Threads: 3, Memory: 32 * mib},
		"--threads 1024 --memory 1048576": {Threads: 1024, Memory: mib},
	} {
		f, err := parse(line)
		require.NoError(t, err)
		if f.Memory == "" {
			f.Memory = "256MiB" // the usual budget depends on the machine
		}
		if got, err := f.Options(); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", line, got, err, want)
		}
	}
	for line, want := range map[string]string{
		"--algorithm best":              `--algorithm "best"`,
		"--threads 0":                   "--threads 0",
		"--threads 1025":                "1 to 1024",
		"--memory much":                 `--memory "much"`,
		"--epsilon 0":                   "--epsilon 0",
		"--epsilon 1 --algorithm pns":   "--epsilon needs --algorithm dfpns",
		"--store= --algorithm dfpns":    "name a directory",
		"--memory 1GiB --epsilon 1e300": "--epsilon 1e+300",
	} {
		f, err := parse(line)
		if err == nil {
			_, err = f.Options()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", line, err, want)
		}
	}
}

// parse reads the flags of a command line.
func parse(line string) (*Flags, error) {
	f := new(Flags)
	flags := pflag.NewFlagSet("search", pflag.ContinueOnError)
	f.Register(flags, 3)
	f.RegisterStore(flags, cli.Terminal{})
	f.RegisterEpsilon(flags)
	return f, flags.Parse(strings.Fields(line))
}
