//go:build stress && linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
)

// reviewRows are all rows about reviews by which two libraries are compared: not the numbers of
// reviews, which depend on the order in which they were made, nor how long they took.
func reviewRows(t *testing.T, path string) string {
	t.Helper()
	var all strings.Builder
	for _, statement := range []string{
		"SELECT * FROM reviewing ORDER BY id",
		"SELECT game, reviewing, latest, open, nodes, chances, hex(answers) FROM review ORDER BY game, reviewing",
		"SELECT * FROM finding ORDER BY game, at, kind", "SELECT * FROM proof ORDER BY game, at",
	} {
		out, _ := holds(t, "library", "sql", "--csv", "--limit", "0", path, statement)
		all.WriteString(out)
	}
	return all.String()
}

// reviewsIn returns the number of reviews in a library, each of another game.
func reviewsIn(t *testing.T, path string) int {
	t.Helper()
	out, _ := holds(t, "library", "sql", "--csv", path, "SELECT count(*) AS all_of_them, count(DISTINCT game) AS games FROM review")
	numbers := strings.Split(strings.Fields(out)[1], ",")
	if numbers[0] != numbers[1] {
		t.Errorf("%s reviews of %s games", numbers[0], numbers[1])
	}
	n, err := strconv.Atoi(numbers[0])
	require.NoError(t, err)
	return n
}

// stressFlags are those of the reviews of many games.
var stressFlags = []string{"--nodes", "50", "--effort", "2", "--win-in", "2", "--memory", "128MiB"}

// reviewProcess prepares a process that reviews a library.
func reviewProcess(t *testing.T, path string, args ...string) (cmd *exec.Cmd, out, errors *bytes.Buffer) {
	t.Helper()
	cmd = process(t, "goalproof", slices.Concat([]string{"library", "review", path}, stressFlags, args)...)
	out, errors = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, errors
	return cmd, out, errors
}

// manyReviewed makes a library of generated games, and one of the same games with their reviews. It
// returns what reviewing them wrote as a table, and how long it took.
func manyReviewed(t *testing.T, many int) (bare []byte, whole, table string, takes time.Duration) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "library")
	importAll(t, path, games.Many(t, many))
	bare, err := os.ReadFile(path)
	require.NoError(t, err)
	cmd, out, _ := reviewProcess(t, path, "--csv")
	start := time.Now()
	require.NoError(t, cmd.Run())
	return bare, path, out.String(), time.Since(start)
}

// TestReviewsKilled kills the program at random moments while it reviews: the library is sound, no
// game has two reviews, each that was written out is there, and the same command makes those that
// are missing.
func TestReviewsKilled(t *testing.T) {
	many, kills := boards.Sized(10, 20), boards.Sized(4, 12)
	bare, whole, table, takes := manyReviewed(t, many)
	want := reviewRows(t, whole)
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	var there []int
	for i := range kills {
		path := filepath.Join(t.TempDir(), "library")
		require.NoError(t, os.WriteFile(path, bare, 0o666))
		cmd, out, _ := reviewProcess(t, path, "--csv")
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration((float64(i) + random.Float64()) / float64(kills) * float64(takes)))
		_ = cmd.Process.Kill() // it may have come to its end
		_ = cmd.Wait()
		if n := verified(t, path); n != many {
			t.Errorf("%d games", n)
		}
		n := reviewsIn(t, path)
		there = append(there, n)
		if lines := strings.Count(out.String(), "\n"); lines > n+1 || !strings.HasPrefix(table, out.String()) {
			t.Errorf("%d games have reviews, and these were written:\n%s", n, out)
		}
		cmd, out, errors := reviewProcess(t, path, "--csv")
		require.NoError(t, cmd.Run())
		if out.String() != table || !strings.Contains(errors.String(), fmt.Sprintf(" reviewed, %d before", n)) {
			t.Errorf("the rest:\n%s%s\nwant\n%s", out, errors, table)
		}
		if verified(t, path); reviewRows(t, path) != want {
			t.Errorf("killed with %d reviews: the rows are not those of an uninterrupted run", n)
		}
	}
	t.Logf("seed %d: %d runs of %v killed, with these numbers of reviews: %v", seed, kills, takes.Round(time.Millisecond), there)
}

// TestReviewsInterrupted interrupts the program while it reviews: it says so, what it has written
// is there, and nothing else.
func TestReviewsInterrupted(t *testing.T) {
	many := boards.Sized(10, 20)
	bare, whole, table, takes := manyReviewed(t, many)
	for i := range 3 {
		path := filepath.Join(t.TempDir(), "library")
		require.NoError(t, os.WriteFile(path, bare, 0o666))
		cmd, out, errors := reviewProcess(t, path, "--csv")
		require.NoError(t, cmd.Start())
		time.Sleep(takes * time.Duration(i+1) / 5)
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		start := time.Now()
		_ = cmd.Wait() // its exit code is checked
		n := reviewsIn(t, path)
		t.Logf("%d reviews, ended after %v", n, time.Since(start).Round(time.Millisecond))
		if code := cmd.ProcessState.ExitCode(); code != cli.Unknown || !strings.Contains(errors.String(), "interrupted: run the command again for the rest") ||
			!strings.Contains(errors.String(), " reviewed, 0 before") || !strings.HasPrefix(table, out.String()) || n > 0 && strings.Count(out.String(), "\n") != n+1 {
			t.Errorf("exit code %d, %d reviews\n%s%s", code, n, out, errors)
		}
		verified(t, path)
		cmd, out, _ = reviewProcess(t, path, "--csv")
		require.NoError(t, cmd.Run())
		if out.String() != table || reviewRows(t, path) != reviewRows(t, whole) {
			t.Errorf("the rest:\n%s\nwant\n%s", out, table)
		}
	}
}

// TestReviewsOfTwo reviews a library twice at the same time, while games are imported and questions
// asked: all of them come to their ends, and each game has one review.
func TestReviewsOfTwo(t *testing.T) {
	many := boards.Sized(10, 20)
	bare, whole, table, _ := manyReviewed(t, many)
	path := filepath.Join(t.TempDir(), "library")
	require.NoError(t, os.WriteFile(path, bare, 0o666))
	first, out1, errors1 := reviewProcess(t, path, "--csv", "--threads", "1")
	second, out2, errors2 := reviewProcess(t, path, "--csv", "--threads", "1")
	require.NoError(t, first.Start())
	require.NoError(t, second.Start())
	time.Sleep(300 * time.Millisecond)
	importAll(t, path, exampleGames)
	ended, before, asked := make(chan error, 2), 0, 0
	go func() { ended <- first.Wait() }()
	go func() { ended <- second.Wait() }()
	for running := 2; running > 0; asked++ {
		select {
		case err := <-ended:
			if running--; err != nil {
				t.Error(err)
			}
		default:
		}
		n := reviewsIn(t, path)
		if n < before {
			t.Errorf("%d reviews, and there were %d", n, before)
		}
		before = n
		holds(t, "library", "findings", "--csv", path)
	}
	if before != many || out1.String() != table || out2.String() != table {
		t.Errorf("%d reviews\n%s%s\n%s%s\nwant\n%s", before, out1, errors1, out2, errors2, table)
	}
	t.Logf("asked %d times; %s%s", asked, errors1, errors2)
	if got := verified(t, path); got != many+10 || reviewRows(t, path) != reviewRows(t, whole) {
		t.Errorf("%d games, or other reviews", got)
	}
}

// TestReviewsFull reviews on disks that are too small: the error names the file, and with more room
// the same command makes the reviews that are missing.
func TestReviewsFull(t *testing.T) {
	const many = 20
	bare, whole, table, _ := manyReviewed(t, many)
	for _, more := range []int{100, 140, 200, 300} { // KiB besides the library, for the files beside it
		disk := t.TempDir()
		size := len(bare)>>10 + more
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%dk", size)); err != nil {
			t.Skipf("a small disk to fill cannot be mounted: %v", err)
		}
		defer syscall.Unmount(disk, syscall.MNT_DETACH)
		path := filepath.Join(disk, "library")
		require.NoError(t, os.WriteFile(path, bare, 0o666))
		cmd, out, errors := reviewProcess(t, path, "--csv")
		_ = cmd.Run() // its exit code is checked
		if code := cmd.ProcessState.ExitCode(); code != cli.Internal || !strings.Contains(errors.String(), path+": no space left on device") ||
			strings.Count(errors.String(), "\n") != 1 || !strings.HasPrefix(table, out.String()) {
			t.Errorf("%d KiB: exit code %d\n%s%s", size, code, out, errors)
		}
		require.NoError(t, syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m"))
		verified(t, path)
		n := reviewsIn(t, path)
		if lines := strings.Count(out.String(), "\n"); lines > n+1 {
			t.Errorf("%d reviews, and these were written:\n%s", n, out)
		}
		t.Logf("%d KiB more: %d reviews; %s", more, n, errors)
		cmd, out, _ = reviewProcess(t, path, "--csv")
		require.NoError(t, cmd.Run())
		if verified(t, path); out.String() != table || reviewRows(t, path) != reviewRows(t, whole) {
			t.Errorf("the rest:\n%s\nwant\n%s", out, table)
		}
	}
}

// TestReviewsUnheard reviews with no output to write to: that is an error, and the reviews are
// there.
func TestReviewsUnheard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "library")
	importAll(t, path, exampleGames)
	args := slices.Concat([]string{"library", "review", path, "--turns", "..90"}, stressFlags)
	for _, redirections := range []string{">&-", "> /dev/full"} {
		code, _, errors := redirected(t, redirections, args...)
		if code != cli.Internal || !strings.Contains(errors, "the output could not be written") {
			t.Errorf("%s: exit code %d\n%s", redirections, code, errors)
		}
		if n := reviewsIn(t, path); n != 2 {
			t.Errorf("%s: %d reviews", redirections, n)
		}
	}
}
