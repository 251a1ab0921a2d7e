package compose

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"goalproof/internal/files"
	"goalproof/puzzles/describe"
)

// States are the searches of a set of puzzles, kept in a file. They may be used by several
// goroutines.
type States struct {
	path string // empty: they are not kept

	mutex   sync.Mutex
	file    saved
	written time.Time
}

// saved is what the file holds.
type saved struct {
	Version  int              `json:"goalproof_compose"`
	Aim      Aim              `json:"aim"`
	Themes   string           `json:"themes"`
	Rounds   int              `json:"rounds"`
	Seed     uint64           `json:"seed"`
	Searches map[string]Saved `json:"searches"` // by the puzzle that they began with
}

const (
	stateVersion = 1
	stateEvery   = 2 * time.Second
	largestState = 64 << 20 // bytes
)

// OpenStates reads the file of that path, if there is one, for searches with an aim, themes, a
// number of rounds and a seed. The error is that it holds something else. Without a path nothing is
// kept.
func OpenStates(path string, aim Aim, themes describe.Themes, rounds int, seed uint64) (*States, error) {
	s := &States{path: path, written: time.Now()}
	s.file = saved{stateVersion, aim, themes.String(), rounds, seed, map[string]Saved{}}
	if path == "" {
		return s, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var old saved
	text, err := files.ReadLimited(file, largestState)
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: it is not a file that compose has written: %w", path, err)
	case old.Version != stateVersion:
		return nil, fmt.Errorf("%s: it is not a file that this compose has written", path)
	case old.Aim != s.file.Aim || old.Themes != s.file.Themes || old.Rounds != s.file.Rounds || old.Seed != s.file.Seed:
		return nil, fmt.Errorf("%s: its searches have the aim %s, the themes %q, %d rounds and the seed %d; name another file for others",
			path, old.Aim, old.Themes, old.Rounds, old.Seed)
	case old.Searches != nil:
		s.file.Searches = old.Searches
	}
	for key, v := range s.file.Searches {
		if v.Aim != old.Aim || v.Themes != old.Themes || v.Rounds != old.Rounds || v.Seed != old.Seed || v.Round < 0 || v.Round > v.Rounds || key != keyOf(v.Start, v.Turns) {
			return nil, fmt.Errorf("%s: the search of %s is damaged", path, key)
		}
	}
	return s, nil
}

func keyOf(position string, turns int) string { return fmt.Sprintf("%d %s", turns, position) }

// Of returns the state of a puzzle's search, if there is one.
func (s *States) Of(z *Puzzle) (Saved, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	v, ok := s.file.Searches[keyOf(z.Position.String(), z.Turns)]
	return v, ok
}

// Keep stores the state of a puzzle's search, and writes the file from time to time.
func (s *States) Keep(z *Puzzle, search *Search) {
	if s.path == "" {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.file.Searches[keyOf(z.Position.String(), z.Turns)] = search.Save(z)
	if time.Since(s.written) >= stateEvery {
		_ = s.put() // it is tried again, and at the end the error counts
	}
}

// Write writes all states.
func (s *States) Write() error {
	if s.path == "" {
		return nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.put()
}

// put writes the file, which the caller has locked.
func (s *States) put() error {
	s.written = time.Now()
	return files.Write(s.path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(s.file)
	})
}
