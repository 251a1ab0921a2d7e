//go:build stress && unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
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
	args  []string // besides its input, unless INPUT stands for that; DIR is a directory of its own
	input string   // a file, of which so many lines, or all if it is a directory; empty: none
	lines int
	store bool                                  // with a store, whose facts are compared
	begin func(t *testing.T, dir, input string) // prepares the directory; nil: it is empty
	left  func(t *testing.T, dir string) string // what it leaves there, without times; nil: nothing
}

// clusterCommands are the commands that are killed.
var clusterCommands = []clusterCommand{
	{name: "puzzles", args: []string{"verify", "--nodes", "50000", "--describe"}, input: "win-in-2/big"},
	{name: "puzzles with a store", args: []string{"verify", "--nodes", "20000"}, input: "win-in-2/reduced", store: true},
	{name: "late", args: []string{"verify", "--nodes", "50000"}, input: "late.tsv", lines: 100},
	{name: "late with a store", args: []string{"verify", "--nodes", "20000"}, input: "late.tsv", lines: 100, store: true},
	{name: "untrusted", args: []string{"verify", "--nodes", "20000", "--untrusted"}, input: "late.tsv", lines: 60},
	{name: "mine", args: []string{"mine", "--nodes", "2000"}, input: "games/archive-2026.tsv", lines: 20},
	{name: "mine with a store", args: []string{"mine", "--nodes", "2000"}, input: "games/archive-2026.tsv", lines: 12, store: true},
	{name: "review", args: []string{"review", "--nodes", "200", "--summary"}, input: "games/archive-2026.tsv", lines: 3},
	{name: "library review", args: []string{"library", "review", "DIR/games", "--nodes", "200", "--effort", "2", "--csv"}, input: "games/archive-2026.tsv", lines: 12,
		begin: func(t *testing.T, dir, input string) { importAll(t, filepath.Join(dir, "games"), input) },
		left:  func(t *testing.T, dir string) string { return reviewRows(t, filepath.Join(dir, "games")) }},
	{name: "match", args: []string{"match", "--games", "20", "--nodes", "500", "--turns", "20", "goalproof aei threads=1", "goalproof aei threads=1 without=killers"}},
	{name: "experiment", args: []string{"experiment", "--out", "DIR/out", "--nodes", "20000", "--win-in", "3", "--grid", "algorithm=pns,dfpns", "--grid", "memory=16MiB", "--grid", "killers=0,2"},
		input: "win-in-2/reduced", left: filesOf},
	{name: "experiment, untrusted", args: []string{"experiment", "--out", "DIR/out", "--nodes", "5000", "--grid", "algorithm=pns,dfpns", "--grid", "memory=16MiB", "--untrusted"},
		input: "win-in-2/reduced", left: filesOf},
	{name: "tables", args: []string{"endgame", "build", "--endgames", "DIR/tables", "R-r", "RR-r", "ER-r", "RRR-r", "ERR-r", "HHR-r"}, left: filesOf},
	{name: "solve", args: []string{"solve", "--quiet", "--threads", "1", "--win-in", "3", "DIR/position.txt"}, begin: lateEnding},
	{name: "compose", args: []string{"compose", "--nodes", "5000", "--rounds", "100"}, input: "win-in-2/reduced"},
	{name: "learn from archives", args: []string{"learn", "--out", "DIR/net", "--games", "40", "--nodes", "50", "--epochs", "1", "--archives", "INPUT"},
		input: "games/archive-2026.tsv", lines: 30, left: filesOf},
}

// lateEnding writes a position in which a win in three takes longer to refute than one machine
// searches before it asks others.
func lateEnding(t *testing.T, dir, _ string) {
	t.Helper()
	n := 0
	for _, row := range published.Rows(t, "late.tsv") {
		if row[1] < "3" || row[1] > "5" {
			continue
		}
		if n++; n == 38 {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "position.txt"), []byte(row[3]+"\n"), 0o600))
		}
	}
}

// line returns the command line about an input in a directory.
func (c clusterCommand) line(dir, input string, more ...string) (args []string) {
	named := input == ""
	for _, arg := range c.args {
		named = named || arg == "INPUT" || strings.HasPrefix(arg, "DIR/games")
		if arg == "INPUT" {
			arg = input
		}
		args = append(args, strings.ReplaceAll(arg, "DIR", dir))
	}
	args = append(args, more...)
	if !named {
		args = append(args, input)
	}
	return args
}

// filesOf returns the files below a directory, the rows of an experiment without their times.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if filepath.Base(path) == "runs.csv" {
			text = rowTimes.ReplaceAll(text, nil)
		}
		fmt.Fprintf(&all, "%s: %q\n", strings.TrimPrefix(path, dir), text)
		return err
	}))
	return all.String()
}

var (
	rowTimes = regexp.MustCompile(`(?m),[0-9.]+,[0-9a-f]{8}$`) // of runs.csv, with the checksums
	took     = regexp.MustCompile(`(games|B) in [0-9hmsµ.]+`)  // of a match, and of tables
)

// prepared makes the directory of a command.
func (c clusterCommand) prepared(t *testing.T, input string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if c.begin != nil {
		c.begin(t, dir, input)
	}
	return dir
}

// leaves returns what a command leaves in its directory.
func (c clusterCommand) leaves(t *testing.T, dir string) string {
	t.Helper()
	if c.left == nil {
		return ""
	}
	return strings.ReplaceAll(c.left(t, dir), dir, "DIR")
}

// result is what a command leaves.
type result struct {
	code  int
	out   string // without times
	left  string
	facts map[string]tables.Fact
}

// killable is a cluster of processes, for a test that kills them.
type killable struct {
	t         *testing.T
	program   string
	dir       string
	listen    string
	options   []string // of serve
	processes map[string]*exec.Cmd
	lines     map[string][]string // command lines, by name
	log       *os.File            // what all of them say to people
}

// newKillable starts a server with two keys of workers, and so many processes of workers, of which
// those after the second have the key of the first.
func newKillable(t *testing.T, program string, workers int, options ...string) *killable {
	t.Helper()
	dir := t.TempDir()
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	c := &killable{t: t, program: program, dir: filepath.Join(dir, "cluster"), listen: "127.0.0.1:0", options: options, processes: map[string]*exec.Cmd{}, lines: map[string][]string{}, log: log}
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
	cmd := programProcess(c.t, c.program, args...)
	cmd.Env = append(cmd.Env, "HOME="+filepath.Dir(c.dir), "XDG_DATA_HOME=", "XDG_CACHE_HOME=")
	return cmd
}

// copyProgram returns a copy of the test binary that is the program by its name, also for workers,
// who start themselves as an engine: a link would show them the name of what it leads to.
func copyProgram(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	text, err := os.ReadFile(exe)
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "goalproof")
	require.NoError(t, os.WriteFile(program, text, 0o777))
	return program
}

// programProcess prepares a process of the program, which finds the program by its name.
func programProcess(t *testing.T, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program))
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
	err   bytes.Buffer
	ended chan struct{}
}

// ask starts a coordinator.
func (c *killable) ask(args ...string) *asking {
	c.t.Helper()
	a := &asking{cmd: c.process(args...), ended: make(chan struct{})}
	a.cmd.Stdout, a.cmd.Stderr = &a.out, io.MultiWriter(c.log, &a.err)
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
	if c.input == "" {
		return ""
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
func (c clusterCommand) alone(t *testing.T, program, input string) (r result) {
	t.Helper()
	facts, dir := filepath.Join(t.TempDir(), "facts"), c.prepared(t, input)
	var more []string
	if c.args[0] != "match" {
		more = append(more, "--threads", "1")
	}
	if c.store {
		more = append(more, "--store", facts)
	}
	args := slices.DeleteFunc(c.line(dir, input, more...), func(arg string) bool { return arg == "--untrusted" })
	cmd := programProcess(t, program, args...)
	var out bytes.Buffer
	cmd.Stdout = &out
	_ = cmd.Run() // its exit code is compared
	r = c.result(t, cmd.ProcessState.ExitCode(), out.String(), dir)
	if c.store {
		r.facts = factsOf(t, facts)
	}
	return r
}

// result returns what a command leaves in its directory, and has printed.
func (c clusterCommand) result(t *testing.T, code int, out, dir string) result {
	t.Helper()
	return result{code: code, out: took.ReplaceAllString(strings.ReplaceAll(out, dir, "DIR"), "TIME"), left: c.leaves(t, dir)}
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
	if r.left != want.left {
		t.Errorf("it leaves\n%.3000s\nwant\n%.3000s", r.left, want.left)
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
const clusterLimit = 5 * time.Minute

// TestClusterKilled kills the processes of a cluster at random moments, in any combination, and
// starts them again: in the end a run has printed what one machine prints, with the same exit code and
// the same facts.
func TestClusterKilled(t *testing.T) {
	runs := len(clusterCommands)
	if boards.Deep {
		runs = 200
	}
	program := copyProgram(t)
	inputs, alone := map[string]string{}, map[string]func() result{}
	for _, c := range clusterCommands {
		inputs[c.name] = c.inputOf(t)
		alone[c.name] = sync.OnceValue(func() result { return c.alone(t, program, inputs[c.name]) })
	}
	for run := range runs {
		seed := uint64(run + 1)
		if boards.Deep {
			seed = rand.Uint64()
		}
		c := clusterCommands[run%len(clusterCommands)]
		t.Run(fmt.Sprintf("%s/%d", c.name, seed), func(t *testing.T) {
			t.Parallel() // they wait for one another much of the time
			c.killed(t, program, inputs[c.name], seed).compare(t, alone[c.name]())
		})
	}
}

// killed has a cluster answer, and kills its processes. What is random depends on the seed.
func (c clusterCommand) killed(t *testing.T, program, input string, seed uint64) (r result) {
	random := rand.New(rand.NewPCG(seed, 42))
	wait := func(most float64) time.Duration { return time.Duration(random.Float64() * most * float64(time.Second)) }
	workers := 2 + random.IntN(2)
	var options []string
	if random.IntN(3) == 0 {
		options = []string{"--max-message", "64KiB"} // answers in many parts
	}
	farm := newKillable(t, program, workers, options...)
	runDir, facts := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "facts")
	dir, more := c.prepared(t, input), []string{"--cluster", farm.dir, "--run", runDir}
	if c.store {
		more = append(more, "--store", facts)
	}
	args := c.line(dir, input, more...)
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
			if _, err := os.Stat(facts); err == nil {
				if code, out, errors := said(t, "store", "verify", "--sample", "5", facts); code != cli.Holds && code != cli.Unknown {
					t.Errorf("seed %d: store verify ends with exit code %d:\n%s%s", seed, code, out, errors)
				}
			}
		}
		if asked {
			asking = farm.ask(args...)
		}
	}
	again := 0
	for !asking.over(clusterLimit-time.Since(start)) || asking.code() < 0 || asking.away() {
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
	r = c.result(t, asking.code(), asking.out.String(), dir)
	if c.store {
		r.facts = factsOf(t, facts)
	}
	return r
}

// away reports whether it has ended since the server did not answer when it began to ask.
func (a *asking) away() bool {
	return a.code() == cli.BadInput && strings.Contains(a.err.String(), "no server answers")
}

// code is the exit code, -1 if it was killed.
func (a *asking) code() int { return a.cmd.ProcessState.ExitCode() }
