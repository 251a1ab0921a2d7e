package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"syscall"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/solve"
	"goalproof/tables"
	"goalproof/tables/store"
)

// StoreOptions returns the options with which this program writes stores.
func StoreOptions() store.Options {
	return store.Options{Memory: memory.StoreBuffers, Keys: solve.StoreKeys, Rules: solve.StoreRules}
}

// OpenStore opens a store for writing, and creates it if necessary.
func OpenStore(dir string) (*store.Store, error) { return openStore(dir, StoreOptions()) }

// ReadStore opens an existing store for reading only.
func ReadStore(dir string) (*store.Store, error) {
	o := StoreOptions()
	o.ReadOnly = true
	return openStore(dir, o)
}

func openStore(dir string, o store.Options) (*store.Store, error) {
	s, err := store.Open(dir, o)
	if errors.Is(err, store.ErrDamaged) {
		err = fmt.Errorf("%w; continue with an earlier copy of the directory, or with another one", err)
	}
	return s, err
}

// CloseStore closes a store and returns the error of the command that used it, or that of closing
// if it is worse.
func CloseStore(s *store.Store, err error) error {
	return StoreExit(worse(err, s.Close()))
}

// worse returns the error of a command, or that of storing its facts, which counts more than the
// mere exit code of a command that worked.
func worse(err, storing error) error {
	outcome, ok := errors.AsType[*cli.ExitError](err)
	if storing != nil && (err == nil || ok && outcome.Err == nil) {
		return storing
	}
	return err
}

// StoreExit gives an error about a store its exit code.
func StoreExit(err error) error {
	switch {
	case err == nil || errors.As(err, new(*cli.ExitError)):
		return err
	case errors.As(err, new(*tables.Contradiction)) || errors.Is(err, store.ErrFull):
		return cli.Exit(cli.Internal, err)
	case errors.Is(err, context.Canceled):
		return cli.Exit(cli.Unknown, errors.New("interrupted"))
	}
	return cli.Unwritten(err)
}

// directory is the value of a flag that names one.
type directory string

func (d *directory) String() string { return string(*d) }

func (d *directory) Type() string { return "string" }

func (d *directory) Set(name string) error {
	if name == "" {
		return errors.New("name a directory")
	}
	*d = directory(name)
	return nil
}

// denied reports whether an error says that a file must not be written.
func denied(err error) bool { return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) }

// readStore is a store that is only read: it drops facts and notes.
type readStore struct{ *store.Store }

func (readStore) Put([]byte, tables.Fact) error { return nil }

func (readStore) Note(_, _ []byte) error { return nil }

// kept is a store with notes.
type kept interface {
	tables.Store
	Note(key, note []byte) error
	Noted(key []byte) ([]byte, error)
}

// besideStore is a store with facts beside it that hold for this process alone.
type besideStore struct {
	kept
	found tables.Store
}

// Get returns what both know, and what the store knows where they contradict each other.
func (s besideStore) Get(key []byte) (tables.Fact, error) {
	f, err := s.kept.Get(key)
	if err != nil {
		return f, err
	}
	found, err := s.found.Get(key)
	if both := f.Merge(found); err == nil && both.Possible() {
		return both, nil
	}
	return f, err
}

// usedStore counts the facts and notes with which a store has answered: under a limit in nodes the
// results depend on them.
//
// A fresh store answers nothing: it could only pass results from one concurrent search to another,
// depending on how busy the machine is.
type usedStore struct {
	kept
	fresh    bool
	answered atomic.Uint64
}

// isFresh reports whether a directory is empty or missing.
func isFresh(dir string) bool {
	entries, err := os.ReadDir(dir)
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0
}

func (s *usedStore) Get(key []byte) (tables.Fact, error) {
	if s.fresh {
		return tables.Nothing, nil
	}
	f, err := s.kept.Get(key)
	if f.Known() {
		s.answered.Add(1)
	}
	return f, err
}

func (s *usedStore) Noted(key []byte) ([]byte, error) {
	if s.fresh {
		return nil, nil
	}
	note, err := s.kept.Noted(key)
	if note != nil {
		s.answered.Add(1)
	}
	return note, err
}

// say reports how often the store answered, if it did.
func (s *usedStore) say(w io.Writer) {
	if n := s.answered.Load(); n > 0 {
		fmt.Fprintf(w, "goalproof: --store answered with %s: without them as many nodes may find out less\n", printable.Amount(n, "fact"))
	}
}
