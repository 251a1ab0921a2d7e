package cluster

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"goalproof/internal/files"
)

// keyring holds the keys of a cluster: in full those of the coordinator and of the server, in
// public those of the workers. Several goroutines may use it.
type keyring struct {
	dir                string
	coordinator, admin Key

	mu      sync.Mutex
	workers []Worker // in the order in which they were added; without processes
}

// openKeyring reads the keys of a directory, and makes those of the coordinator, of the server, and
// of a first worker where there are none.
func openKeyring(dir string) (*keyring, error) {
	k := &keyring{dir: dir}
	var err error
	if k.coordinator, err = ownKey(filepath.Join(dir, coordinatorFile), Coordinator); err != nil {
		return nil, err
	}
	if k.admin, err = ownKey(filepath.Join(dir, adminFile), serverUser); err != nil {
		return nil, err
	}
	if k.workers, err = readWorkers(dir); !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	first, err := ownKey(KeyFile(dir, FirstWorker), FirstWorker) // it is there if the server was killed just now
	if err != nil {
		return nil, err
	}
	return k, k.add(first.Name, first.Public())
}

// readWorkers reads the list of workers in the directory of a server.
func readWorkers(dir string) (workers []Worker, err error) {
	path := filepath.Join(dir, workersFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &workers); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	for i, w := range workers {
		if err := CheckName(w.Name); err != nil {
			return nil, fmt.Errorf("%s is damaged: worker %d: %w", path, i+1, err)
		}
		if !nkeys.IsValidPublicUserKey(w.Key) {
			return nil, fmt.Errorf("%s is damaged: the key of %s is no public key", path, w.Name)
		}
	}
	return workers, nil
}

// ownKey reads the key of a user from its file, or makes it.
func ownKey(path, name string) (Key, error) {
	key, err := ReadKey(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if key, err = NewKey(name); err == nil {
			err = key.Write(path)
		}
	case err == nil && key.Name != name:
		err = fmt.Errorf("%s is the key of %s, not that of %s", path, key.Name, name)
	}
	return key, err
}

// list returns the workers, also those that were revoked.
func (k *keyring) list() []Worker {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.workers)
}

// add lets a worker in, by its public key. A name that was revoked may be used again, with another
// key.
func (k *keyring) add(name, public string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if !nkeys.IsValidPublicUserKey(public) {
		return fmt.Errorf("%q is no public key", public)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.workers {
		if w.Key == public || public == k.coordinator.Public() || public == k.admin.Public() {
			return errors.New("this key is known already: each worker has its own")
		}
		if !w.Revoked && strings.EqualFold(w.Name, name) { // their key files must have two names on every system
			return fmt.Errorf("there is a worker %s: take another name, or revoke its key first", w.Name)
		}
	}
	return k.replace(append(slices.Clone(k.workers), Worker{Name: name, Key: public, Since: time.Now().UTC().Truncate(time.Second)}))
}

// revoke marks the key of a worker as revoked.
func (k *keyring) revoke(name string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	workers := slices.Clone(k.workers)
	found := false
	for i := range workers {
		if workers[i].Name == name {
			workers[i].Revoked, found = true, true // again, if the server was killed before it had purged the answers
		}
	}
	if !found {
		return fmt.Errorf("there is no worker %q; goalproof cluster status lists them", name)
	}
	return k.replace(workers)
}

// replace writes the list of workers, and uses it if it was written.
func (k *keyring) replace(workers []Worker) error {
	text, err := json.MarshalIndent(workers, "", "  ")
	if err != nil {
		return err
	}
	if err := files.WriteSecret(filepath.Join(k.dir, workersFile), append(text, '\n')); err != nil {
		return err
	}
	k.workers = workers
	return nil
}

// users returns all who may connect, by their names and public keys.
func (k *keyring) users() []Worker {
	all := []Worker{{Name: Coordinator, Key: k.coordinator.Public()}, {Name: serverUser, Key: k.admin.Public()}}
	return append(all, slices.DeleteFunc(k.list(), func(w Worker) bool { return w.Revoked })...)
}

// nkeyUsers returns all who may connect, for the embedded server.
func (k *keyring) nkeyUsers() (all []*server.NkeyUser) {
	for _, u := range k.users() {
		all = append(all, &server.NkeyUser{Nkey: u.Key, Permissions: Permissions(u.Name)})
	}
	return all
}

// trailLine is a line of the trail: what was done to the keys of a cluster.
type trailLine struct {
	Time time.Time `json:"time"`
	What string    `json:"what"` // add, revoke, drop
	Who  string    `json:"who"`  // the worker, or the run
	Why  string    `json:"why,omitempty"`
}

// note appends a line to the trail.
func (k *keyring) note(what, who, why string) error {
	line, err := json.Marshal(trailLine{time.Now().UTC().Truncate(time.Second), what, who, why})
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	file, err := os.OpenFile(filepath.Join(k.dir, trailFile), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return cmp.Or(err, file.Sync(), file.Close())
}
