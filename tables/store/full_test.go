//go:build linux

package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
)

func init() {
	children["limited"] = childLimited
	children["unprivileged"] = childUnprivileged
	children["lives"] = childLives
}

// childLimited puts operations until the system lets no file grow beyond a few bytes.
func childLimited(dir string, from uint64) error {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := Open(dir, small)
	if err != nil {
		return err
	}
	for n := from; ; n++ {
		key, f := operation(n)
		err := s.Put(key, f)
		if n%1_000 == 0 && err == nil {
			if err = s.Sync(); err == nil {
				fmt.Println("acknowledged", n+1)
			}
		}
		if n == from+5_000 {
			few := syscall.Rlimit{Cur: 1 << 10, Max: 1 << 10}
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &few); err != nil {
				return err
			}
		}
		if err != nil {
			return errors.Join(err, s.Close())
		}
	}
}

// TestLimited lets files grow no more: writing ends with an error, and all that was
// acknowledged before is there.
func TestLimited(t *testing.T) {
	dir := t.TempDir()
	c := child("limited", dir, 0)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.StdoutPipe()
	noError(t, err)
	noError(t, c.Start())
	sure := acknowledged(out, 0, func() {})
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != refused || !strings.Contains(said.String(), "file too large") {
		t.Fatalf("%v\n%s", err, said.String())
	}
	s := open(t, dir, small)
	defer s.Close()
	if _, err := checkOperations(s, sure); err != nil || sure == 0 {
		t.Errorf("%d operations acknowledged: %v", sure, err)
	}
}

// smallDisk mounts a disk of this size in MiB.
func smallDisk(t *testing.T, mib int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", mib)); err != nil {
		t.Skipf("a small disk to fill cannot be mounted: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fillDisk takes all the room of a disk that is left.
func fillDisk(t *testing.T, disk string) (ballast string) {
	t.Helper()
	ballast = filepath.Join(disk, "ballast")
	f, err := os.Create(ballast)
	noError(t, err)
	defer f.Close()
	for chunk := make([]byte, 1<<20); len(chunk) > 0; {
		n, err := f.Write(chunk)
		if n < len(chunk) && !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		if err != nil {
			chunk = chunk[:len(chunk)/2] // pages that are left
		}
	}
	return ballast
}

// TestFull fills a small disk with facts: writing ends with an error, what was put and synced is there and can be read on the
// full disk, which takes no more. When there is room again the store continues.
func TestFull(t *testing.T) {
	disk := smallDisk(t, 16)
	dir := filepath.Join(disk, "store")
	s := open(t, dir, small)
	sure, n := uint64(0), uint64(0)
	var err error
	for ; err == nil && n < 10_000_000; n++ {
		key, f := operation(n)
		if err = s.Put(key, f); n%10_000 == 0 && err == nil {
			if err = s.Sync(); err == nil {
				sure = n + 1
			}
		}
	}
	if !errors.Is(err, ErrFull) {
		t.Fatalf("after %d facts: %v", n, err)
	}
	if err := s.Close(); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	ballast := fillDisk(t, disk)
	for _, o := range []Options{small, {ReadOnly: true, Memory: leastMemory}} {
		s := open(t, dir, o)
		if _, err := checkOperations(s, sure); err != nil || sure == 0 {
			t.Errorf("%d operations acknowledged: %v", sure, err)
		}
		if !o.ReadOnly {
			if err := s.Note([]byte("key"), []byte("note")); !errors.Is(err, ErrFull) {
				t.Errorf("a note on a full disk: %v", err)
			}
		}
		s.Close()
	}
	if _, err := Open(filepath.Join(disk, "another"), small); !errors.Is(err, ErrFull) {
		t.Errorf("a new store on a full disk: %v", err)
	}
	noError(t, os.Remove(ballast))
	noError(t, os.WriteFile(ballast, nil, 0o666))
	noError(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT, "size=64m"))
	s = open(t, dir, small)
	noError(t, s.Put(operation(sure)))
	noError(t, s.GC(t.Context(), nil))
	if _, err := checkOperations(s, sure+1); err != nil {
		t.Error(err)
	}
	noError(t, s.Close())
}

// TestRoom leaves so much and so little room on a disk that each step of writing fails in turn: what was synced is there.
func TestRoom(t *testing.T) {
	const facts, more = 4_000, 3_000
	disk := smallDisk(t, 8)
	dir := filepath.Join(disk, "store")
	s := open(t, dir, small)
	for n := range uint64(facts) {
		noError(t, s.Put(operation(n)))
		if n == facts/2 {
			noError(t, s.GC(t.Context(), nil))
		}
	}
	noError(t, s.Close())
	kept := copied(t, dir)
	page := int64(os.Getpagesize())
	failed := map[string]int{}
	for room := int64(0); failed["nothing"] == 0; room++ {
		noError(t, os.RemoveAll(dir))
		noError(t, os.CopyFS(dir, os.DirFS(kept)))
		ballast := fillDisk(t, disk)
		info, err := os.Stat(ballast)
		noError(t, err)
		noError(t, os.Truncate(ballast, info.Size()-room*page))
		sure := uint64(facts)
		s := open(t, dir, small)
		step := "put"
		err = func() error {
			for n := range uint64(more) {
				if err := s.Put(operation(facts + n)); err != nil {
					return err
				}
				if n%300 == 0 {
					if err := s.Sync(); err != nil {
						return err
					}
					sure = facts + n + 1
				}
			}
			if err := s.Sync(); err != nil {
				return err
			}
			sure, step = facts+more, "gc"
			if err := s.GC(t.Context(), nil); err != nil {
				// What is put after that is as safe.
				if s.Put(operation(sure)) == nil && s.Sync() == nil {
					sure++
				}
				return err
			}
			step = "nothing"
			return nil
		}()
		if err != nil && (!errors.Is(err, ErrFull) || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("%d pages of room: %v", room, err)
		}
		if err := s.Close(); err != nil && (!errors.Is(err, ErrFull) || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("%d pages of room: closing: %v", room, err)
		} else if err != nil && step == "nothing" {
			step = "close"
		}
		failed[step]++
		noError(t, os.Remove(ballast))
		for range 2 {
			s = open(t, dir, small)
			if _, err := checkOperations(s, sure); err != nil {
				t.Fatalf("%d pages of room, %s failed: %v", room, step, err)
			}
			noError(t, s.Note([]byte("key"), nil))
			noError(t, s.Close())
		}
	}
	// Only closing fails.
	s = open(t, dir, small)
	noError(t, s.Put(operation(facts+more)))
	noError(t, s.Sync())
	ballast := fillDisk(t, disk)
	if err := s.Close(); !errors.Is(err, ErrFull) || strings.Contains(err.Error(), "\n") {
		t.Errorf("closing on a full disk: %v", err)
	}
	noError(t, os.Remove(ballast))
	s = open(t, dir, small)
	if _, err := checkOperations(s, facts+more+1); err != nil {
		t.Error(err)
	}
	noError(t, s.Close())
	if t.Log(failed); failed["put"] == 0 || failed["gc"] == 0 {
		t.Error("that is too little")
	}
}

// childLives puts operations, syncs and acknowledges some, with GC now and then, and closes the store after a while.
func childLives(dir string, from uint64) error {
	s, err := Open(dir, small)
	if err != nil {
		return err
	}
	fmt.Println("acknowledged", from)
	random := rand.New(rand.NewPCG(from, uint64(time.Now().UnixNano())))
	for n, last := from, from+random.Uint64N(60_000); n < last && err == nil; n++ {
		err = s.Put(operation(n))
		if err == nil && random.IntN(500) == 0 {
			if err = s.Sync(); err == nil {
				fmt.Println("acknowledged", n+1)
			}
		}
		if err == nil && random.IntN(15_000) == 0 {
			err = s.GC(context.Background(), nil)
		}
	}
	if e := s.Close(); err == nil {
		err = e
	}
	return err
}

// TestFilled fills a small disk from outside at random moments, while processes open a store, write to it, merge its tables and
// close it: none crashes, each says so in one line, and what it acknowledged is there.
func TestFilled(t *testing.T) {
	fills := 3
	if boards.Large {
		fills = 50
	}
	disk := smallDisk(t, 48)
	dir := filepath.Join(disk, "store")
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	sure, full, most := uint64(0), 0, uint64(0)
	at := map[string]int{} // by the kind of file that could not be written
	for tries := 0; full < fills && tries < 20*fills; tries++ {
		c := child("lives", dir, sure)
		var said strings.Builder
		c.Stderr = &said
		out, err := c.StdoutPipe()
		noError(t, err)
		noError(t, c.Start())
		time.Sleep(time.Duration(random.IntN(250)) * time.Millisecond)
		ballast := fillDisk(t, disk)
		sure = acknowledged(out, sure, func() {})
		err = c.Wait()
		noError(t, os.Remove(ballast))
		var exit *exec.ExitError
		lines := strings.Split(strings.TrimSuffix(said.String(), "\n"), "\n")
		switch {
		case err == nil && said.Len() == 0: // it was done before
		case errors.As(err, &exit) && exit.ExitCode() == refused && len(lines) == 1 && strings.Contains(lines[0], ErrFull.Error()):
			full++
			_, file, _ := strings.Cut(lines[0], "store/")
			name, _, _ := strings.Cut(filepath.Base(file), ":")
			at[cmp.Or(filepath.Ext(name), name)]++
		default:
			t.Fatalf("%v:\n%.2000s", err, said.String())
		}
		s := open(t, dir, small)
		if _, err := checkOperations(s, sure); err != nil {
			t.Fatalf("after %d times: %v", tries+1, err)
		}
		noError(t, s.Close())
		if most = max(most, sure); sure > 150_000 {
			noError(t, os.RemoveAll(dir)) // the disk is too small for more
			sure = 0
		}
	}
	t.Logf("%d times the disk was full in time, %v; at most %d operations were acknowledged", full, at, most)
	if full < fills || most == 0 {
		t.Error("that is too little")
	}
}

// childUnprivileged opens a store as a user who may only read it.
func childUnprivileged(dir string, from uint64) error {
	if os.Getuid() == 0 {
		if err := syscall.Setuid(65534); err != nil {
			return err
		}
	}
	r, err := Open(dir, Options{ReadOnly: true, Memory: leastMemory})
	if err != nil {
		return fmt.Errorf("for reading: %w", err)
	}
	if _, err := checkOperations(r, from); err != nil {
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	s, err := Open(dir, small)
	if err == nil {
		return errors.Join(errors.New("opened for writing"), s.Close())
	}
	if !errors.Is(err, ErrNotWritable) {
		return err
	}
	fmt.Println(err)
	return nil
}

// TestReadOnlyDirectory reads stores, closed and not, where nothing can be written, and cannot open them for writing.
func TestReadOnlyDirectory(t *testing.T) {
	const facts = 1_000
	parent, err := os.MkdirTemp("", "store") // others may enter it
	noError(t, err)
	defer os.RemoveAll(parent)
	noError(t, os.Chmod(parent, 0o755))
	s := open(t, filepath.Join(parent, "closed"), small)
	for n := range uint64(facts) {
		noError(t, s.Put(operation(n)))
	}
	noError(t, s.Sync())
	noError(t, os.CopyFS(filepath.Join(parent, "killed"), os.DirFS(s.dir)))
	noError(t, s.Close())
	for _, name := range []string{"closed", "killed"} {
		dir := filepath.Join(parent, name)
		mode := func(directory, file os.FileMode) {
			noError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
				if err == nil && e.IsDir() {
					return os.Chmod(path, directory)
				}
				return errors.Join(err, os.Chmod(path, file))
			}))
		}
		for _, m := range []struct{ directory, file os.FileMode }{{0o555, 0o444}, {0o777, 0o444}} {
			mode(m.directory, m.file)
			out, err := child("unprivileged", dir, facts).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "permission denied") || !strings.Contains(string(out), dir) {
				t.Errorf("%s, %o: %v:\n%s", name, m.directory, err, out)
			}
		}
		// A file that may not even be read is not damaged.
		for _, file := range []string{headerName, journalName(1)} {
			mode(0o555, 0o444)
			path := filepath.Join(dir, file)
			noError(t, os.Chmod(path, 0))
			out, err := child("unprivileged", dir, facts).CombinedOutput()
			if err == nil || !strings.Contains(string(out), path+": permission denied") || strings.Contains(string(out), ErrDamaged.Error()) {
				t.Errorf("%s: %v:\n%s", file, err, out)
			}
		}
	}
}

// TestReadOnlyDisk reads a store on a disk that is mounted for reading only, as root too, and cannot open it for writing.
func TestReadOnlyDisk(t *testing.T) {
	disk := smallDisk(t, 8)
	dir := filepath.Join(disk, "store")
	s := open(t, dir, small)
	noError(t, s.Put(operation(0)))
	noError(t, s.Close())
	noError(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	r := open(t, dir, Options{ReadOnly: true, Memory: leastMemory})
	if _, err := checkOperations(r, 1); err != nil {
		t.Error(err)
	}
	noError(t, r.Close())
	if _, err := Open(dir, small); !errors.Is(err, ErrNotWritable) || !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}
