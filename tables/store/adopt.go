package store

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
)

// adopt makes a header of this layout from one of layout 1, in which a database of Badger's had a directory of its own. Its
// tables stay where they are until they are merged with newer ones. In a store that was closed all records are in them: Badger's
// levels are runs, and in its level 0 each table is one, the last the newest.
func (h *header) adopt(dir string) error {
	if h.State != stateClosed {
		return fmt.Errorf("store %s %w by the program that wrote it, an older one: open it once with that", dir, ErrNotClosed)
	}
	folder := fmt.Sprintf("g%06d", h.Generation)
	tables := map[uint64]file{}
	for _, f := range h.Files {
		f.Name = filepath.Join(folder, f.Name)
		if id, ok := table.ParseFileID(f.Name); ok {
			tables[id] = f // checked when it is opened
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			return unreadable(dir, f.Name, err)
		}
		if err := f.check(dir, data); err != nil {
			return err
		}
	}
	name := filepath.Join(folder, badger.ManifestFilename)
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return unreadable(dir, name, err)
	}
	defer f.Close()
	manifest, _, err := badger.ReplayManifestFile(f, 0, badger.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return damaged(dir, name, err.Error())
	}
	for level, l := range manifest.Levels {
		var run []file
		for _, id := range slices.Backward(slices.Sorted(maps.Keys(l.Tables))) {
			f, ok := tables[id]
			if !ok {
				return damaged(dir, name, fmt.Sprintf("table %d is not a file of the store", id))
			}
			if run = append(run, f); level == 0 {
				h.Runs, run = append(h.Runs, run), nil
			}
		}
		if len(run) > 0 {
			h.Runs = append(h.Runs, run)
		}
	}
	h.Schema, h.Journal, h.Generation, h.Files = Schema, 1, 0, nil
	return nil
}
