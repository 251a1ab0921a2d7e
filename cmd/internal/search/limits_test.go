package search

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
)

// limited reads the flags of a command line with limits.
func limited(t *testing.T, usual answer.Limit, line string) *Flags {
	t.Helper()
	f := &Flags{terminal: cli.Terminal{Err: io.Discard}}
	flags := pflag.NewFlagSet("search", pflag.ContinueOnError)
	f.Register(flags, 2)
	f.RegisterLimits(flags, usual, "each position")
	require.NoError(t, flags.Parse(strings.Fields(line)))
	return f
}

// TestLimits reads limits: beside nodes time is none unless it is asked for, and a usual limit in
// nodes stays.
func TestLimits(t *testing.T) {
	inTime, inNodes := answer.Limit{Time: time.Minute}, answer.Limit{Nodes: 500}
	for _, c := range []struct {
		usual answer.Limit
		line  string
		want  answer.Limit
		err   string
	}{
		{inTime, "", inTime, ""},
		{inTime, "--time 5s", answer.Limit{Time: 5 * time.Second}, ""},
		{inTime, "--nodes 7", answer.Limit{Nodes: 7}, ""},
		{inTime, "--nodes 0", inTime, ""},
		{inTime, "--nodes 7 --time 5s", answer.Limit{Nodes: 7, Time: 5 * time.Second}, ""},
		{inTime, "--time 0s", answer.Limit{}, "--time 0s: the time must be more than zero"},
		{inTime, "--nodes 7 --time -5s", answer.Limit{}, "--time -5s: the time must be more than zero"},
		{inTime, "--nodes 2000000000000", answer.Limit{}, "--nodes 2000000000000: at most"},
		{inNodes, "", inNodes, ""},
		{inNodes, "--time 5s", answer.Limit{Nodes: 500, Time: 5 * time.Second}, ""},
		{inNodes, "--nodes 0 --time 5s", answer.Limit{Time: 5 * time.Second}, ""},
		{inNodes, "--nodes 0", answer.Limit{}, "--nodes 0: without a limit in nodes give one in time"},
	} {
		f := limited(t, c.usual, c.line)
		err := f.CheckLimits()
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%+v %q: error %v, want %q", c.usual, c.line, err, c.err)
			}
		} else if got := f.Limit(); err != nil || got != c.want || f.InNodes() != (c.want.Nodes > 0) {
			t.Errorf("%+v %q: %+v, %v; want %+v", c.usual, c.line, got, err, c.want)
		}
	}
}

// TestFixed makes solvers with a limit in nodes: their tables have the same sizes whatever the
// memory and the threads, each has one thread unless more are asked for one position, and as many
// run side by side as there is memory for.
func TestFixed(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		line    string
		jobs    int // 0: one solver
		workers int // 0: too little memory
		threads int
	}{
		{"--nodes 1000", 0, 1, 1},
		{"--nodes 1000 --threads 3", 0, 1, 3},
		{"--nodes 1000 --threads 3 --algorithm pns", 0, 1, 1},
		{"--nodes 1000 --threads 3", 9, 3, 1},
		{"--nodes 1000 --threads 30", 2, 2, 1},
		{"--nodes 1000 --threads 30", 9, 6, 1},
		{"--nodes 1000000 --threads 3", 9, 2, 1},
		{"--nodes 100000000 --threads 3", 9, 0, 1},
		{"--nodes 100000000", 0, 0, 1},
	} {
		f := limited(t, answer.Limit{Time: time.Minute}, c.line)
		o, err := f.Options()
		require.NoError(t, err)
		o.Memory = 256 * mib
		workers, got := 1, solve.Options{}
		if c.jobs > 0 {
			workers, got, err = f.Divide(o, c.jobs)
		} else {
			got, err = f.single(o)
		}
		if c.workers == 0 {
			if err == nil || !strings.Contains(err.Error(), "--memory: a search of 100,000,000 nodes takes 4.5 GiB") {
				t.Errorf("%q: %+v, %v", c.line, got, err)
			}
			continue
		}
		size := uint64(16 * mib)
		if o.Algorithm == solve.PNS {
			size *= 2
		}
		if f.Limit().Nodes > 1000 {
			size = 64 * mib
		}
		want := solve.Options{Algorithm: o.Algorithm, Memory: size, ProofTable: size / 4, TranspositionTable: size / 4, Threads: c.threads}
		if err != nil || workers != c.workers || got != want {
			t.Errorf("%q for %d: %d workers, %+v, %v; want %d, %+v", c.line, c.jobs, workers, got, err, c.workers, want)
		}
	}
}
