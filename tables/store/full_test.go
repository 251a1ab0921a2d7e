//go:build linux

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

func init() { children["unprivileged"] = childUnprivileged }

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

// running is a child that writes to a store until it is killed, or its disk is full.
type running struct {
	cmd     *exec.Cmd
	started chan struct{} // closed when it writes
	ended   chan struct{}
	sure    uint64 // when it has ended: the operations that it acknowledged
	stderr  strings.Builder
	err     error // when it has ended
}

// run starts a child on a store that has so many operations.
func run(t *testing.T, dir string, sure uint64) *running {
	t.Helper()
	r := &running{cmd: child("write", dir, sure), started: make(chan struct{}), ended: make(chan struct{})}
	r.cmd.Stderr = &r.stderr
	out, err := r.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, r.cmd.Start())
	go func() {
		defer close(r.ended)
		begun := false
		r.sure = acknowledged(out, sure, func() { close(r.started); begun = true })
		if !begun {
			close(r.started)
		}
		r.err = r.cmd.Wait()
	}()
	return r
}

// kill kills the child.
func (r *running) kill(t *testing.T) {
	t.Helper()
	r.cmd.Process.Kill()
	<-r.ended
	var exit *exec.ExitError
	if !errors.As(r.err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("the child ended by itself: %v\n%s", r.err, r.stderr.String())
	}
}

// refusedFull reports whether the child ended as it should on a full disk: with one line.
func (r *running) refusedFull() bool {
	var exit *exec.ExitError
	said := r.stderr.String()
	return errors.As(r.err, &exit) && exit.ExitCode() == refused && strings.Count(said, "\n") == 1 && strings.Contains(said, ErrFull.Error())
}

// holds checks that a store has the operations that were acknowledged, and closes it.
func holds(t *testing.T, dir string, sure uint64) {
	t.Helper()
	s := open(t, dir, small)
	if _, err := checkOperations(s, sure); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, s.Close())
}

// TestKilled kills a process that writes: what it acknowledged is there, and nothing is wrong.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	sure := uint64(0)
	for range 2 {
		r := run(t, dir, sure)
		<-r.started
		time.Sleep(100 * time.Millisecond)
		r.kill(t)
		sure = r.sure
		holds(t, dir, sure)
	}
}

// TestFull takes most of the room of a disk while a process writes: it ends with an error, what it
// acknowledged is there, and the store continues when there is room again.
func TestFull(t *testing.T) {
	disk := smallDisk(t, 64)
	dir, full := filepath.Join(disk, "store"), filepath.Join(disk, ballast)
	r := run(t, dir, 0)
	<-r.started
	time.Sleep(100 * time.Millisecond)
	require.NoError(t, os.WriteFile(full, make([]byte, 50<<20), 0o666))
	<-r.ended
	if !r.refusedFull() {
		t.Fatalf("%v\n%s", r.err, r.stderr.String())
	}
	for _, dir := range []string{dir, filepath.Join(disk, "another")} {
		if _, err := Open(dir, small); !errors.Is(err, ErrFull) {
			t.Errorf("%s on a full disk: %v", dir, err)
		}
	}
	require.NoError(t, os.Remove(full))
	s := open(t, dir, small)
	if _, err := checkOperations(s, r.sure); err != nil {
		t.Error(err)
	}
	require.NoError(t, os.WriteFile(full, make([]byte, 50<<20), 0o666))
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		err := s.Put(operation(r.sure))
		if errors.Is(err, ErrFull) {
			break
		}
		if err != nil || time.Now().After(end) {
			t.Fatal(err)
		}
	}
	if err := s.GC(context.Background()); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	if err := s.Close(); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
}

// childUnprivileged opens a store as a user who may only read it.
func childUnprivileged(dir string, from uint64) error {
	if os.Getuid() == 0 {
		if err := syscall.Setuid(65534); err != nil {
			return err
		}
	}
	r, err := Open(dir, reading)
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

// TestReadOnlyDirectory reads a closed store where nothing can be written, and cannot open it for
// writing.
func TestReadOnlyDirectory(t *testing.T) {
	const facts = 1_000
	dir, err := os.MkdirTemp("", "store") // others may enter it
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	s := open(t, dir, small)
	putOperations(t, s, 0, facts)
	require.NoError(t, s.Close())
	mode := func(directory, file os.FileMode) {
		require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
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
			t.Errorf("%o: %v:\n%s", m.directory, err, out)
		}
	}
	// A file that may not even be read is not damaged.
	for _, file := range []string{headerName, filepath.Join(databaseName, "MANIFEST")} {
		mode(0o555, 0o444)
		path := filepath.Join(dir, file)
		require.NoError(t, os.Chmod(path, 0))
		out, err := child("unprivileged", dir, facts).CombinedOutput()
		if err == nil || !strings.Contains(string(out), path+": permission denied") || strings.Contains(string(out), ErrDamaged.Error()) {
			t.Errorf("%s: %v:\n%s", file, err, out)
		}
	}
}

// TestReadOnlyDisk reads a store on a disk that is mounted for reading only, as root too, and
// cannot open it for writing.
func TestReadOnlyDisk(t *testing.T) {
	disk := smallDisk(t, 64)
	dir := filepath.Join(disk, "store")
	s := open(t, dir, small)
	require.NoError(t, s.Put(operation(0)))
	require.NoError(t, s.Close())
	require.NoError(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	r := open(t, dir, reading)
	if _, err := checkOperations(r, 1); err != nil {
		t.Error(err)
	}
	require.NoError(t, r.Close())
	if _, err := Open(dir, small); !errors.Is(err, ErrNotWritable) || !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}
