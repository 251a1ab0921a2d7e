//go:build stress && unix

package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/tables"
	"goalproof/tables/store"
)

const clusterData = "../../../shared/data/"

// clusterCommand is a command line that a cluster answers. Lines in its input files are few, so that
// it takes some seconds.
type clusterCommand struct {
	name  string
	args  []string // besides its input
	input string   // a file, of which so many lines, or all if it is a directory
	lines int
	store bool // with a store, whose facts are compared
}

// clusterCommands are the commands that are killed.
var clusterCommands = []clusterCommand{
	{"puzzles", []string{"verify", "--nodes", "50000", "--describe"}, "win-in-2/big", 0, false},
	{"puzzles with a store", []string{"verify", "--nodes", "20000"}, "win-in-2/reduced", 0, true},
	{"late", []string{"verify", "--nodes", "50000"}, "late.tsv", 100, false},
	{"late with a store", []string{"verify", "--nodes", "20000"}, "late.tsv", 100, true},
	{"untrusted", []string{"verify", "--nodes", "20000", "--untrusted"}, "late.tsv", 60, false},
	{"mine", []string{"mine", "--nodes", "2000"}, "games/archive-2026.tsv", 20, false},
	{"mine with a store", []string{"mine", "--nodes", "2000"}, "games/archive-2026.tsv", 12, true},
	{"review", []string{"review", "--nodes", "200", "--summary"}, "games/archive-2026.tsv", 3, false},
	{"tables", []string{"endgame", "build", "R-r", "RR-r", "ER-r", "RRR-r", "ERR-r"}, "HHR-r", 0, false},
}

// tables reports whether a command builds endgame tables, which are compared. Its input is a class.
func (c clusterCommand) tables() bool { return c.args[0] == "endgame" }

// result is what a command leaves.
type result struct {
	code  int
	out   string
	facts map[string]tables.Fact
}

// killable is a cluster of processes, for a test that kills them.
type killable struct {
	t         *testing.T
	dir       string
	listen    string
	options   []string // of serve
	processes map[string]*exec.Cmd
	lines     map[string][]string // command lines, by name
	log       *os.File            // what all of them say to people
}

// newKillable starts a server with two keys of workers, and so many processes of workers, of which
// those after the second have the key of the first.
func newKillable(t *testing.T, workers int, options ...string) *killable {
	t.Helper()
	dir := t.TempDir()
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	c := &killable{t: t, dir: filepath.Join(dir, "cluster"), listen: "127.0.0.1:0", options: options, processes: map[string]*exec.Cmd{}, lines: map[string][]string{}, log: log}
	t.Cleanup(func() {
		for _, cmd := range c.processes {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		log.Close()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("what the processes said:\n%s", text)
		}
	})
	c.serve()
	second := filepath.Join(dir, "w2.key")
	if out, err := c.process("cluster", "add", "w2", "--cluster", c.dir, "--out", second).CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	keys := []string{filepath.Join(c.dir, "keys", "w1.key"), second}
	for i := range workers {
		name := fmt.Sprint("worker", i+1)
		c.lines[name] = []string{"work", "--cluster", c.dir, "--key", keys[i%2], "--threads", "1", "--memory", "512MiB"}
		c.start(name)
	}
	return c
}

// process prepares a process with a home of its own.
func (c *killable) process(args ...string) *exec.Cmd {
	cmd := process(c.t, "goalproof", args...)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(c.dir), "XDG_DATA_HOME=", "XDG_CACHE_HOME=")
	return cmd
}

// start starts a process that says nothing that is needed.
func (c *killable) start(name string) {
	c.t.Helper()
	cmd := c.process(c.lines[name]...)
	cmd.Stdout, cmd.Stderr = c.log, c.log
	require.NoError(c.t, cmd.Start())
	c.processes[name] = cmd
}

// serve starts the server, and returns when it answers.
func (c *killable) serve() {
	c.t.Helper()
	cmd := c.process(append([]string{"serve", "--dir", c.dir, "--listen", c.listen}, c.options...)...)
	cmd.Stderr = c.log
	out, err := cmd.StdoutPipe()
	require.NoError(c.t, err)
	require.NoError(c.t, cmd.Start())
	c.processes["server"] = cmd
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, found := strings.CutPrefix(lines.Text(), "tls://"); found {
			c.listen, _, _ = strings.Cut(address, "#")
			go io.Copy(io.Discard, out)
			return
		}
	}
	c.t.Fatal("the server does not start")
}

// kill kills a process, which cannot be caught.
func (c *killable) kill(name string) {
	cmd := c.processes[name]
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// again starts a process that was killed.
func (c *killable) again(name string) {
	if name == "server" {
		c.serve()
	} else {
		c.start(name)
	}
}

// asking is a coordinator at work.
type asking struct {
	cmd   *exec.Cmd
	out   bytes.Buffer
	ended chan struct{}
}

// ask starts a coordinator.
func (c *killable) ask(args ...string) *asking {
	c.t.Helper()
	a := &asking{cmd: c.process(args...), ended: make(chan struct{})}
	a.cmd.Stdout, a.cmd.Stderr = &a.out, c.log
	require.NoError(c.t, a.cmd.Start())
	go func() {
		_ = a.cmd.Wait() // its exit code is checked
		close(a.ended)
	}()
	return a
}

// over reports whether it has ended, or waits for that as long.
func (a *asking) over(wait time.Duration) bool {
	select {
	case <-a.ended:
		return true
	case <-time.After(wait):
		return false
	}
}

// factsOf returns the facts of a store.
func factsOf(t *testing.T, dir string) map[string]tables.Fact {
	t.Helper()
	s, err := store.Open(dir, search.StoreOptions())
	require.NoError(t, err)
	defer s.Close()
	facts := map[string]tables.Fact{}
	require.NoError(t, s.All(t.Context(), func(key []byte, f tables.Fact) error {
		facts[string(key)] = f
		return nil
	}))
	return facts
}

// inputOf returns the input of a command, which is skipped if it is not there.
func (c clusterCommand) inputOf(t *testing.T) string {
	t.Helper()
	if c.tables() {
		return c.input
	}
	path := clusterData + c.input
	info, err := os.Stat(path)
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	if info.IsDir() {
		return path
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	part := filepath.Join(t.TempDir(), filepath.Base(path))
	lines := strings.SplitAfterN(string(text), "\n", c.lines+2)
	require.NoError(t, os.WriteFile(part, []byte(strings.Join(lines[:min(len(lines), c.lines+1)], "")), 0o666))
	return part
}

// alone runs a command on this machine.
func (c clusterCommand) alone(t *testing.T, input string) (r result) {
	t.Helper()
	args := slices.DeleteFunc(slices.Clone(c.args), func(arg string) bool { return arg == "--untrusted" })
	args = append(args, "--threads", "1")
	to, dir := c.output(t)
	args = append(args, to...)
	cmd := process(t, "goalproof", append(args, input)...)
	var out bytes.Buffer
	cmd.Stdout = &out
	_ = cmd.Run() // its exit code is compared
	return c.result(t, cmd.ProcessState.ExitCode(), out.String(), dir)
}

// output returns the flag for what a command makes besides its output, and the directory of that.
func (c clusterCommand) output(t *testing.T) (flags []string, dir string) {
	dir = filepath.Join(t.TempDir(), "made")
	switch {
	case c.store:
		flags = []string{"--store", dir}
	case c.tables():
		flags = []string{"--endgames", dir}
	}
	return flags, dir
}

// result returns what a command has left.
func (c clusterCommand) result(t *testing.T, code int, out, dir string) result {
	t.Helper()
	r := result{code: code, out: out}
	switch {
	case c.store:
		r.facts = factsOf(t, dir)
	case c.tables():
		r.out = tidyTables(t, out, dir)
	}
	return r
}

// tookTime is the time that a table took.
var tookTime = regexp.MustCompile(` in [0-9.]+ ?[a-zµ].*`)

// tidyTables returns what a command has printed that built tables in a directory, without times,
// and the digests of all that is there.
func tidyTables(t *testing.T, out, dir string) string {
	t.Helper()
	out = tookTime.ReplaceAllString(strings.ReplaceAll(out, dir, "DIR"), "")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		out += fmt.Sprintf("%s %x\n", e.Name(), sha256.Sum256(data))
	}
	return out
}

// compare says how two results differ.
func (r result) compare(t *testing.T, want result) {
	t.Helper()
	if r.code != want.code {
		t.Errorf("exit code %d, want %d", r.code, want.code)
	}
	if r.out != want.out {
		got, lines := strings.Split(r.out, "\n"), strings.Split(want.out, "\n")
		for i := range max(len(got), len(lines)) {
			if i >= len(got) || i >= len(lines) || got[i] != lines[i] {
				t.Errorf("%d lines, want %d; the first that differs is %d:\n%s\nwant\n%s", len(got), len(lines), i+1,
					strings.Join(got[min(i, len(got)):min(i+3, len(got))], "\n"), strings.Join(lines[min(i, len(lines)):min(i+3, len(lines))], "\n"))
				break
			}
		}
	}
	if !maps.Equal(r.facts, want.facts) {
		more, other := 0, 0
		for key, f := range r.facts {
			switch w, there := want.facts[key]; {
			case !there:
				more++
			case w != f:
				other++
			}
		}
		t.Errorf("%d facts, want %d: %d others, %d that differ", len(r.facts), len(want.facts), more, other)
	}
}

// clusterLimit is how long a run may take that is killed some times.
const clusterLimit = 100 * time.Second

// TestClusterKilled kills the processes of a cluster at random moments, in any combination, and
// starts them again: in the end a run has printed what one machine prints, with the same exit code and
// the same facts.
func TestClusterKilled(t *testing.T) {
	runs := 10
	if boards.Deep {
		runs = 200
	}
	want, inputs := map[string]result{}, map[string]string{}
	for _, c := range clusterCommands {
		inputs[c.name] = c.inputOf(t)
	}
	for run := range runs {
		seed := uint64(run + 1)
		if boards.Deep {
			seed = rand.Uint64()
		}
		c := clusterCommands[run%len(clusterCommands)]
		t.Run(fmt.Sprintf("%s/%d", c.name, seed), func(t *testing.T) {
			if _, there := want[c.name]; !there {
				want[c.name] = c.alone(t, inputs[c.name])
			}
			c.killed(t, inputs[c.name], seed).compare(t, want[c.name])
		})
	}
}

// killed has a cluster answer, and kills its processes. What is random depends on the seed.
func (c clusterCommand) killed(t *testing.T, input string, seed uint64) (r result) {
	random := rand.New(rand.NewPCG(seed, 42))
	wait := func(most float64) time.Duration { return time.Duration(random.Float64() * most * float64(time.Second)) }
	workers := 2 + random.IntN(2)
	var options []string
	if random.IntN(3) == 0 {
		options = []string{"--max-message", "64KiB"} // answers in many parts
	}
	farm := newKillable(t, workers, options...)
	runDir := filepath.Join(t.TempDir(), "run")
	to, dir := c.output(t)
	args := slices.Concat(c.args, []string{"--cluster", farm.dir, "--run", runDir}, to, []string{input})
	names := slices.Sorted(maps.Keys(farm.processes))
	start := time.Now()
	asking := farm.ask(args...)
	kills := map[string]int{}
	for range 3 + random.IntN(4) {
		if asking.over(300*time.Millisecond + wait(2.5)) {
			break
		}
		var dead []string
		for _, name := range names {
			if random.IntN(3) == 0 {
				farm.kill(name)
				dead = append(dead, name)
				kills[name]++
			}
		}
		asked := random.IntN(3) == 0
		if asked {
			_ = asking.cmd.Process.Kill()
			asking.over(clusterLimit)
			kills["coordinator"]++
		}
		time.Sleep(wait(1.5))
		slices.SortFunc(dead, func(a, b string) int { return strings.Compare(a, b) }) // "server" before "worker"
		for _, name := range dead {
			farm.again(name)
		}
		if asked && c.store && random.IntN(2) == 0 { // what is in the store is true, whatever was not written
			said(t, "store", "verify", "--sample", "5", dir)
		}
		if asked {
			asking = farm.ask(args...)
		}
	}
	again := 0
	for !asking.over(clusterLimit-time.Since(start)) || asking.code() < 0 || asking.code() == cli.BadInput && (asking.out.Len() == 0 || c.tables()) {
		if time.Since(start) > clusterLimit {
			_ = asking.cmd.Process.Signal(os.Interrupt)
			asking.over(5 * time.Second)
			t.Fatalf("seed %d: the run does not end; killed: %v; so far:\n%s", seed, kills, asking.out.String())
		}
		if again++; again > 5 {
			t.Fatalf("seed %d: the run ends with exit code %d", seed, asking.code())
		}
		asking = farm.ask(args...) // the server was killed when it had just been asked
	}
	t.Logf("seed %d, %d workers, %v: %v; killed: %v; asked %d times more", seed, workers, options, time.Since(start).Round(time.Millisecond), kills, again)
	if left, err := os.ReadDir(runDir); err == nil {
		t.Errorf("the directory of the run is left: %v", left)
	}
	return c.result(t, asking.code(), asking.out.String(), dir)
}

// code is the exit code, -1 if it was killed.
func (a *asking) code() int { return a.cmd.ProcessState.ExitCode() }
