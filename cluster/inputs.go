package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/files"
)

// Store is where files that questions refer to are kept: the object store of the server, and copies
// in a directory of this machine. Several goroutines may use it.
type Store struct {
	c   *Conn
	dir string

	mu    sync.Mutex
	local map[string]string // paths of files that this process has offered, by digest
}

// NewStore returns the files that the server of a connection has, with copies in a directory, which
// is made when there is one.
func NewStore(c *Conn, dir string) *Store {
	return &Store{c: c, dir: dir, local: map[string]string{}}
}

// Offer puts a file into the object store, unless it is there.
func (s *Store) Offer(ctx context.Context, path string) (digest string, err error) {
	if digest, err = digestOf(path); err != nil {
		return "", err
	}
	s.mu.Lock()
	s.local[digest] = path
	s.mu.Unlock()
	bucket, err := s.c.JS.ObjectStore(ctx, inputsBucket)
	if err != nil {
		return "", fmt.Errorf("%s cannot be sent: %w", path, err)
	}
	if _, err := bucket.GetInfo(ctx, digest); err == nil {
		return digest, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := bucket.Put(ctx, jetstream.ObjectMeta{Name: digest, Description: filepath.Base(path)}, file); err != nil {
		return "", fmt.Errorf("%s cannot be sent: %w; goalproof serve --disk gives inputs more room", path, err)
	}
	return digest, nil
}

// File returns the path of a file with these bytes. It gets them from the server, unless they are
// here. The error says that no coordinator has offered them, or that they are other bytes.
func (s *Store) File(ctx context.Context, digest string) (path string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock() // two goroutines would get the same
	if path := s.local[digest]; path != "" {
		return path, nil
	}
	if b, err := hex.DecodeString(digest); err != nil || len(b) != sha256.Size {
		return "", fmt.Errorf("%q is no digest of a file", digest)
	}
	path = filepath.Join(s.dir, digest)
	if have, err := digestOf(path); err == nil && have == digest {
		return path, nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", err
	}
	bucket, err := s.c.JS.ObjectStore(ctx, inputsBucket)
	if err != nil {
		return "", fmt.Errorf("the input %s: %w", digest, err)
	}
	object, err := bucket.Get(ctx, digest)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return "", fmt.Errorf("the input %s is not at the server", digest)
	}
	if err != nil {
		return "", fmt.Errorf("the input %s: %w", digest, err)
	}
	defer object.Close()
	sum := sha256.New()
	err = files.Write(path, func(w io.Writer) error {
		_, err := io.Copy(io.MultiWriter(w, sum), object)
		if got := hex.EncodeToString(sum.Sum(nil)); err == nil && got != digest {
			err = fmt.Errorf("the input %s has other bytes at the server", digest)
		}
		return err
	})
	return path, err
}

// digestOf returns the digest of a file, in hex.
func digestOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
