//go:build linux

package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() {
	children["limited"] = childLimited
	children["unprivileged"] = childUnprivileged
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

// TestFull fills a small disk: writing ends with an error before the disk is full, what
// was put and synced is there, and a disk that is too full is not written to at all.
func TestFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=48m"); err != nil {
		t.Skipf("a small disk to fill cannot be mounted: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
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
	if err := os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, 48<<20), 0o666); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("the rest of the disk: %v", err)
	}
	if _, err := Open(dir, small); !errors.Is(err, ErrFull) {
		t.Errorf("on a full disk: %v", err)
	}
	r := open(t, dir, Options{ReadOnly: true, Memory: leastMemory})
	if _, err := checkOperations(r, sure); err != nil || sure == 0 {
		t.Errorf("%d operations acknowledged: %v", sure, err)
	}
	noError(t, r.Close())
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
	if err != nil {
		fmt.Println(err)
		return nil
	}
	return errors.Join(errors.New("opened for writing"), s.Close())
}

// TestReadOnlyDirectory reads a store where nothing can be written, and cannot open it
// for writing.
func TestReadOnlyDirectory(t *testing.T) {
	dir, err := os.MkdirTemp("", "store")
	noError(t, err)
	defer os.RemoveAll(dir)
	const facts = 1_000
	s := open(t, dir, small)
	for n := range uint64(facts) {
		key, f := operation(n)
		noError(t, s.Put(key, f))
	}
	noError(t, s.Close())
	mode := func(directory, file os.FileMode) {
		noError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.IsDir() {
				return os.Chmod(path, directory)
			}
			return errors.Join(err, os.Chmod(path, file))
		}))
	}
	mode(0o555, 0o444)
	defer mode(0o755, 0o644)
	out, err := child("unprivileged", dir, facts).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "permission denied") || !strings.Contains(string(out), dir) {
		t.Errorf("%v:\n%s", err, out)
	}
}
