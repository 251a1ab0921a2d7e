//go:build stress && linux

package store

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

var (
	kills   = flag.Int("kills", boards.Sized(10, 60), "processes to kill")
	fills   = flag.Int("fills", boards.Sized(10, 50), "full disks, at each speed")
	damaged = flag.Int("damaged", boards.Sized(30, 400), "stores to damage")
	cuts    = flag.Int("cuts", boards.Sized(5, 30), "power cuts")
)

func init() { children["look"] = childLooks }

func newRandom(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// TestKills kills a process again and again on the same store: while it opens, writes, compacts or
// closes.
func TestKills(t *testing.T) {
	random := newRandom(t)
	dir := t.TempDir()
	sure := uint64(0)
	for n := range *kills {
		r := run(t, dir, sure)
		if n%4 > 0 {
			<-r.started
		}
		time.Sleep(time.Duration(random.IntN(400)) * time.Millisecond)
		r.kill(t)
		sure = r.sure
		if n%2 == 0 { // or else the next child looks
			holds(t, dir, sure)
		}
	}
	t.Logf("%d kills: %d operations were acknowledged, and none is lost", *kills, sure)
}

// TestFills has another process fill a small disk while one writes, at two speeds. A child that
// faults is counted; what it acknowledged must be there all the same.
func TestFills(t *testing.T) {
	for name, rate := range map[string]uint64{"50 MB a second": 50e6, "full speed": 0} {
		t.Run(name, func(t *testing.T) {
			random := newRandom(t)
			disk := smallDisk(t, 64)
			dir := filepath.Join(disk, "store")
			sure, all, faults := uint64(0), uint64(0), 0
			for n := range *fills {
				r := run(t, dir, sure)
				if n%4 > 0 {
					<-r.started
				}
				time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
				filler := child("fill", disk, rate)
				require.NoError(t, filler.Run())
				<-r.ended
				switch said := r.stderr.String(); {
				case r.refusedFull():
				case strings.Contains(said, "SIGBUS") || strings.Contains(said, "unexpected fault address"):
					faults++
				default:
					t.Fatalf("%v\n%.3000s", r.err, said)
				}
				require.NoError(t, os.Remove(filepath.Join(disk, ballast)))
				all += r.sure - sure
				sure = r.sure
				holds(t, dir, sure)
				if sure > 60_000 {
					require.NoError(t, os.RemoveAll(dir)) // the disk is too small for more
					sure = 0
				}
			}
			t.Logf("%d full disks: %d faults; %d operations were acknowledged, and none is lost", *fills, faults, all)
		})
	}
}

// childLooks opens a store and reads all of it, twice and with the comparison in between. It says
// what it finds.
func childLooks(dir string, sure uint64) error {
	s, err := Open(dir, small)
	if err != nil {
		return err
	}
	facts, err := checkOperations(s, 0)
	if err != nil {
		return err
	}
	for range 50 {
		if err, _ = s.failure(); err != nil {
			return err
		}
		time.Sleep(2 * time.Millisecond)
	}
	if err := s.GC(s.background); err != nil {
		return err
	}
	if _, err := checkOperations(s, sure); err != nil {
		fmt.Println("silent loss:", facts, "facts,", err)
	}
	return s.Close()
}

// TestDamages damages stores, closed ones and some whose writers were killed: in each a bit, a page
// or the end of a file, or the file. Nothing that is read may be wrong, and loss must be said.
func TestDamages(t *testing.T) {
	random := newRandom(t)
	const operations = 60_000
	closed := t.TempDir()
	s := open(t, closed, small)
	putOperations(t, s, 0, operations)
	require.NoError(t, s.Close())
	killed := t.TempDir()
	r := run(t, killed, 0)
	<-r.started
	for range 100 {
		time.Sleep(20 * time.Millisecond)
		if tables, _ := filepath.Glob(filepath.Join(killed, databaseName, "*.sst")); len(tables) > 2 {
			break
		}
	}
	r.kill(t)
	outcome := map[string]int{}
	for n := range *damaged {
		from, sure, state := closed, uint64(operations), "closed"
		if n%2 == 1 {
			from, sure, state = killed, r.sure, "killed"
		}
		dir := copied(t, from)
		files, err := filepath.Glob(filepath.Join(dir, databaseName, "*"))
		require.NoError(t, err)
		files = slices.DeleteFunc(append(files, filepath.Join(dir, headerName)), func(f string) bool {
			i, err := os.Stat(f)
			return err != nil || i.Size() == 0 || strings.HasSuffix(f, "LOCK")
		})
		path := files[random.IntN(len(files))]
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		used := len(bytes.TrimRight(data, "\x00")) // logs have room at their end
		at, what := random.IntN(max(used, 1)), "bit"
		switch random.IntN(5) {
		case 0:
			what, data = "end cut off", data[:at]
		case 1:
			what = "page of zeros"
			clear(data[at&^4095 : min(at&^4095+4096, len(data))])
		default:
			data[at] ^= 1 << random.IntN(8)
		}
		require.NoError(t, os.WriteFile(path, data, 0o666))
		var exit *exec.ExitError
		out, err := child("look", dir, sure).CombinedOutput()
		said := string(out)
		result := "nothing was lost"
		switch {
		case errors.As(err, &exit) && exit.ExitCode() != refused:
			result = fmt.Sprintf("exit code %d", exit.ExitCode())
			t.Logf("%s: %s of %s, %s at %d: %.200s", result, state, filepath.Base(path), what, at, said)
		case err != nil && strings.Contains(said, errWrong.Error()):
			t.Errorf("%s of %s, %s at %d: %s", state, filepath.Base(path), what, at, said)
		case err != nil && strings.Count(said, "\n") != 1:
			t.Errorf("%s of %s, %s at %d: more than one line: %.500s", state, filepath.Base(path), what, at, said)
		case err != nil:
			result = "said"
		case said != "":
			result = "silent loss"
			t.Logf("%s of %s, %s at %d: %s", state, filepath.Base(path), what, at, said)
		}
		outcome[state+", "+result]++
		os.RemoveAll(dir)
	}
	t.Logf("%d damages: %v", *damaged, outcome)
}

// TestPowerCuts copies the disk of a process that writes: an image of ext4 on a loop device has
// what was written back or synced, and nothing of what the system still keeps in memory. What was
// acknowledged before is in it.
func TestPowerCuts(t *testing.T) {
	random := newRandom(t)
	work := t.TempDir()
	command := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Skipf("%s: %v: %s", name, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	mount := func(image, at string) (unmount func()) {
		require.NoError(t, os.MkdirAll(at, 0o777))
		command("mount", "-o", "loop,commit=300", image, at)
		return func() { command("umount", at) }
	}
	image := filepath.Join(work, "disk")
	require.NoError(t, os.WriteFile(image, nil, 0o666))
	require.NoError(t, os.Truncate(image, 160<<20))
	command("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
	at := filepath.Join(work, "at")
	unmount := mount(image, at)
	defer func() { unmount() }()
	dir := filepath.Join(at, "store")
	sure, all, lost := uint64(0), uint64(0), 0
	for n := range *cuts {
		// What was acknowledged before the copy begins counts.
		r := child("write", dir, sure)
		out, err := os.Create(filepath.Join(work, "out"))
		require.NoError(t, err)
		r.Stdout, r.Stderr = out, os.Stderr
		require.NoError(t, r.Start())
		time.Sleep(time.Duration(300+random.IntN(1_500)) * time.Millisecond)
		text, err := os.ReadFile(out.Name())
		require.NoError(t, err)
		before := acknowledged(bytes.NewReader(text[:bytes.LastIndexByte(text, '\n')+1]), sure, func() {})
		require.NoError(t, r.Process.Signal(syscall.SIGSTOP))
		left := filepath.Join(work, "left")
		command("cp", "--sparse=always", image, left)
		require.NoError(t, r.Process.Kill())
		r.Wait()
		out.Close()
		unmount()
		all += before - sure
		sure = before
		require.NoError(t, os.Rename(left, image))
		unmount = mount(image, at)
		s, err := Open(dir, small)
		if err == nil {
			_, err = checkOperations(s, sure)
			err = errors.Join(err, s.Close())
		} else if sure == 0 && errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		if err != nil {
			lost++
			t.Errorf("cut %d: %v", n, err)
		}
		if sure > 300_000 || err != nil {
			require.NoError(t, os.RemoveAll(dir))
			sure = 0
		}
	}
	t.Logf("%d power cuts: %d operations were acknowledged; lost in %d", *cuts, all, lost)
}
