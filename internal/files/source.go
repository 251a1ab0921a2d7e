package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
)

// Source opens the inputs of a command.
type Source struct {
	ctx context.Context
	out fs.FileInfo // of the file that the output goes to, or nil

	interrupted atomic.Pointer[Interrupted]
}

// NewSource returns a source that serves until the context is done. If out is a regular file, no
// input may be that file: reading one's own output might not end.
func NewSource(ctx context.Context, out any) *Source {
	s := &Source{ctx: ctx}
	if file, ok := out.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			s.out = info
		}
	}
	return s
}

// Interrupted returns the error of the first input that could not be opened or read before the
// context was done, or nil.
func (s *Source) Interrupted() error {
	if err := s.interrupted.Load(); err != nil {
		return err
	}
	return nil
}

// Interrupted is the error of an input that could not be opened or read before the context was
// done.
type Interrupted struct{ Name string }

// Error names the input.
func (e *Interrupted) Error() string { return "interrupted while reading " + e.Name }

// Unwrap returns [context.Canceled].
func (e *Interrupted) Unwrap() error { return context.Canceled }

// Open opens a file. The error names the file and the reason of the system, is an [*Interrupted],
// or says that the file is a directory or the output.
func (s *Source) Open(path string) (io.ReadCloser, error) {
	file, err := Await(s.ctx, path, func() (*os.File, error) {
		file, err := os.Open(path)
		if err == nil && s.ctx.Err() != nil {
			file.Close()
		}
		return file, err
	})
	if err != nil {
		return nil, s.note(plain(err))
	}
	r, err := s.Reader(path, file)
	if err != nil {
		file.Close()
	}
	return r, err
}

// Reader returns a reader of an open file, which its Close closes. Errors are those of Open and
// call the file by the given name. An error of reading is returned again by each further call.
func (s *Source) Reader(name string, file *os.File) (io.ReadCloser, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: this is a directory, not a file", name)
	case s.out != nil && os.SameFile(info, s.out):
		return nil, fmt.Errorf("%s: the output goes to this file: write to another one", name)
	}
	return &reader{s: s, name: name, file: file, buffer: make([]byte, bufferSize)}, nil
}

// plain returns an error of the system with the file and the reason, but without the name of the
// call.
func plain(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

// note records the first interruption.
func (s *Source) note(err error) error {
	if i, ok := errors.AsType[*Interrupted](err); ok {
		s.interrupted.CompareAndSwap(nil, i)
	}
	return err
}

// bufferSize is how much is read at a time at most, in bytes.
const bufferSize = 64 << 10

type reader struct {
	s      *Source
	name   string
	file   *os.File
	buffer []byte // must not be touched after an interruption
	err    error
}

func (r *reader) Read(p []byte) (n int, err error) {
	if r.err != nil {
		return 0, r.err
	}
	part := r.buffer[:min(len(p), len(r.buffer))]
	n, err = Await(r.s.ctx, r.name, func() (int, error) { return r.file.Read(part) })
	r.err = r.s.note(err)
	copy(p, part[:n])
	return n, err
}

// Close closes the file.
func (r *reader) Close() error { return r.file.Close() }

// muesli/cancelreader (v0.2.2) cannot cancel the opening of a pipe that nobody writes to, refuses
// regular files on Linux, and on Windows cancels the reading of a console alone.

// Await returns what do returns, or an [*Interrupted] with a name as soon as the context is done.
// Then do may still be running, so the caller must not free what do uses.
func Await[T any](ctx context.Context, name string, do func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil {
		return none, &Interrupted{name}
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := do()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		return none, &Interrupted{name}
	}
}

// Files yields a file, or all files below a directory with one of the endings, such as ".txt" or
// ".proof.gz", in the order of their names. It follows symbolic links and visits each directory
// once; broken links are skipped. An error comes with the name of what could not be read. It names
// the file and the reason of the system, is an [*Interrupted], or says that the directory has no
// such file.
func (s *Source) Files(path string, endings ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			yield(path, plain(err))
			return
		}
		found := false
		w := walk{s: s, endings: endings, visited: map[string]bool{}, yield: func(name string, err error) bool {
			found = true
			return yield(name, err)
		}}
		if w.directory(path); !found {
			yield(path, fmt.Errorf("%s: there is no %s file in this directory", path, strings.Join(endings, " or ")))
		}
	}
}

// walk is a walk through the files below a directory.
type walk struct {
	s       *Source
	endings []string
	visited map[string]bool // directories, by their paths without links
	yield   func(string, error) bool
}

// directory walks through a directory, unless it was visited before, and reports whether to go on.
func (w *walk) directory(path string) bool {
	if w.s.ctx.Err() != nil {
		w.yield(path, w.s.note(&Interrupted{path}))
		return false
	}
	whole, err := filepath.EvalSymlinks(path)
	if err == nil {
		whole, err = filepath.Abs(whole)
	}
	if err != nil {
		return w.yield(path, plain(err))
	}
	if w.visited[whole] {
		return true
	}
	w.visited[whole] = true
	entries, err := os.ReadDir(path) // sorted
	if err != nil && !w.yield(path, plain(err)) {
		return false
	}
	for _, e := range entries {
		name := filepath.Join(path, e.Name())
		kind := e.Type()
		if kind&fs.ModeSymlink != 0 {
			info, err := os.Stat(name)
			if err != nil {
				continue
			}
			kind = info.Mode().Type()
		}
		switch {
		case kind.IsDir():
			if !w.directory(name) {
				return false
			}
		case w.s.ctx.Err() != nil:
			w.yield(name, w.s.note(&Interrupted{name}))
			return false
		case kind.IsRegular() && slices.ContainsFunc(w.endings, func(ending string) bool { return strings.HasSuffix(name, ending) }):
			if !w.yield(name, nil) || w.s.ctx.Err() != nil {
				return false
			}
		}
	}
	return true
}

// Size returns the bytes of the regular files that the arguments of a command name.
func Size(paths []string, endings ...string) (bytes int64) {
	s := NewSource(context.Background(), nil)
	for _, path := range paths {
		for name, err := range s.Files(path, endings...) {
			if info, failed := os.Stat(name); err == nil && failed == nil && info.Mode().IsRegular() {
				bytes += info.Size()
			}
		}
	}
	return bytes
}
