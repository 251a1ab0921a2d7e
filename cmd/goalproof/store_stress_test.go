//go:build stress

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/internal/interrupt"
	"goalproof/internal/testkit/boards"
	"goalproof/tables"
	"goalproof/tables/store"
)

// checkFacts checks a store that a search has left: there are facts, and a sample of them is true.
func checkFacts(t *testing.T, dir string) {
	t.Helper()
	got := info(t, dir)
	if t.Logf("%d facts", got.Facts); got.Facts < 2 || got.Contradictions > 0 { // one is there at once
		t.Errorf("%+v", got)
	}
	sample := boards.Sized(20, 500)
	code, out, errors := said(t, "store", "verify", "--sample", strconv.Itoa(sample), "--time", "2m", dir)
	if code != cli.Holds || errors != "" {
		t.Errorf("store verify: exit code %d\n%s%s", code, out, errors)
	}
}

// TestStoreKilled kills a search, which cannot be caught: commands that only read refuse the store,
// and say how to recover it; what the search had proved is there, and is used.
func TestStoreKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "facts")
	cmd := process(t, "goalproof", "solve", "--win-in", "9", "--time", "1h", "--memory", "64MiB", "--store", dir, restless)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	time.Sleep(3500 * time.Millisecond) // longer than between checkpoints, which nothing tells of
	require.NoError(t, cmd.Process.Kill())
	if err := cmd.Wait(); err == nil || out.Len() > 0 {
		t.Fatalf("%v: the search has ended before it was killed:\n%s", err, out.String())
	}
	for _, args := range [][]string{{"store", "info", dir}, {"store", "merge", filepath.Join(t.TempDir(), "new"), dir}} {
		refuses(t, cli.BadInput, []string{dir + " was not closed", "goalproof store verify " + dir}, args...)
	}
	if code, _, errors := said(t, "store", "verify", "--sample", "1", dir); code != cli.Holds {
		t.Errorf("store verify: exit code %d\n%s", code, errors)
	}
	checkFacts(t, dir)
	code, text, errors := said(t, "solve", "--quiet", "--win-in", "3", "--store", dir, restless)
	if code != cli.Fails || !strings.Contains(text, "no win in 3") {
		t.Errorf("the next search: exit code %d\n%s%s", code, text, errors)
	}
}

// TestStoreInterrupted interrupts a search: it says what it knows, and closes the store in order.
func TestStoreInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "facts")
	cmd := process(t, "goalproof", "solve", "--win-in", "9", "--time", "1h", "--memory", "64MiB", "--store", dir, restless)
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	require.NoError(t, cmd.Start())
	time.Sleep(2 * time.Second)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	start := time.Now()
	_ = cmd.Wait() // its exit code is checked
	checkInterrupted(t, cmd.ProcessState.ExitCode(), out.String(), time.Since(start))
	if errors.Len() > 0 {
		t.Errorf("errors:\n%s", errors.String())
	}
	o := search.StoreOptions()
	o.ReadOnly = true // only a store that was closed can be opened so
	s, err := store.Open(dir, o)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	checkFacts(t, dir)
}

// peakFile is the variable with the name of the file that runMeasured writes.
const peakFile = "GOALPROOF_TEST_PEAK"

// readyFile is the variable with the name of a file that runMeasured makes when it can be
// interrupted, or "".
const readyFile = "GOALPROOF_TEST_READY"

func init() { programs["goalproof-measured"] = runMeasured }

// runMeasured is the program, which then writes what /proc says about its memory. (The kernel
// charges the memory of the process that starts another one to that one's Maxrss.)
func runMeasured() {
	ctx := interrupt.Context()
	if name := os.Getenv(readyFile); name != "" {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			panic(err)
		}
	}
	code := run(ctx, os.Args[1:], cli.Terminal{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		err = os.WriteFile(os.Getenv(peakFile), status, 0o666)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(code)
}

// peakOf runs a command in a process of its own and returns the most memory, in bytes, that was
// resident at a time.
func peakOf(t *testing.T, code int, args ...string) (bytes int64) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "status")
	cmd := process(t, "goalproof-measured", args...)
	cmd.Env = append(os.Environ(), peakFile+"="+file)
	out, _ := cmd.CombinedOutput() // its exit code is checked
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("%v: exit code %d\n%s", args, got, out)
	}
	return peakIn(t, file)
}

// peakIn returns the most memory, in bytes, by what runMeasured wrote to a file, without the parts of
// the program's own file that the system has mapped: how many these are is a matter of its page cache.
func peakIn(t *testing.T, file string) int64 {
	t.Helper()
	status, err := os.ReadFile(file)
	require.NoError(t, err)
	kib := func(name string) int64 {
		_, rest, _ := strings.Cut(string(status), name)
		n, err := strconv.ParseInt(strings.Fields(rest + " none none")[0], 10, 64)
		if err != nil {
			t.Fatalf("%v:\n%s", err, status)
		}
		return n
	}
	return (kib("VmHWM:") - kib("RssFile:")) << 10
}

// needsMemory skips a test where the memory of the program cannot be measured.
func needsMemory(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("skipped: the peak of a process's memory is read from /proc, which only Linux has")
	}
	if underRace {
		t.Skip("skipped under the race detector, which takes several times the memory")
	}
}

// TestMemory measures what a search with two threads takes: --memory and at most 15 % more, from
// 64 MiB on.
func TestMemory(t *testing.T) {
	needsMemory(t)
	budgets, limit := []int64{64}, "2s"
	if boards.Deep {
		budgets, limit = []int64{64, 128, 256}, "4s"
	}
	for _, position := range []string{restless, opening} {
		if position == opening && !boards.Deep {
			break // takes less
		}
		for _, mib := range budgets {
			for _, attached := range []bool{false, true} {
				args := []string{
					"solve", "--memory", strconv.FormatInt(mib, 10) + "MiB", "--threads", "2", "--win-in", "9", "--time", limit, "--quiet",
				}
				if attached {
					args = append(args, "--store", filepath.Join(t.TempDir(), "facts"))
				}
				peak := peakOf(t, cli.Unknown, append(args, position)...)
				t.Logf("--memory %d MiB, store %v: %d MiB", mib, attached, peak>>20)
				if peak > mib<<20*115/100 {
					t.Errorf("--memory %d MiB, store %v: %d MiB at the most", mib, attached, peak>>20)
				}
			}
		}
	}
}

// TestMemoryOfLargeStore measures what a search takes with a store whose files leave too little of
// --memory for it, if they count: Badger maps them, and reads all of them at the beginning.
func TestMemoryOfLargeStore(t *testing.T) {
	needsMemory(t)
	facts, limit := 300_000, "2s"
	if boards.Deep {
		facts, limit = 1_000_000, "3s"
	}
	dir := filepath.Join(t.TempDir(), "facts")
	s, err := store.Open(dir, search.StoreOptions())
	require.NoError(t, err)
	random := rand.NewChaCha8([32]byte{})
	var key [25]byte
	for range facts {
		random.Read(key[:])
		require.NoError(t, s.Put(key[:], tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 2}))
	}
	// After that many facts Badger would merge during the search what it has not merged yet, which
	// takes some memory of its own (store.Options).
	err = s.GC(t.Context())
	if e := s.Close(); err != nil || e != nil {
		t.Fatal(err, e)
	}
	const mib = 128
	peak := peakOf(t, cli.Unknown, "solve", "--memory", strconv.Itoa(mib)+"MiB", "--threads", "2", "--win-in", "9", "--time", limit, "--quiet",
		"--store", dir, restless)
	t.Logf("--memory %d MiB, %d facts: %d MiB", mib, facts, peak>>20)
	if peak > mib<<20*115/100 {
		t.Errorf("--memory %d MiB, %d facts: %d MiB at the most", mib, facts, peak>>20)
	}
}
