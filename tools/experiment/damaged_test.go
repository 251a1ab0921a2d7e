package experiment

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestDamagedRecords flips a bit of each byte of the rows: the file is refused by name and stays as
// it is. Without its last line break the last row counts as torn, and its run is done again.
func TestDamagedRecords(t *testing.T) {
	p := plan(t, "killers=0")
	dir, text := recorded(t, p)
	written := open(t, dir, p)
	runs := written.Runs()
	written.Close()
	path := filepath.Join(dir, runsFile)
	for i := range text {
		bit := 8*i + i%8
		damaged := slices.Clone(text)
		damaged[bit/8] ^= 1 << (bit % 8)
		require.NoError(t, os.WriteFile(path, damaged, 0o666))
		again, err := OpenRecords(dir, p)
		if err == nil {
			if got := again.Runs(); bit/8 < len(text)-1 || !slices.Equal(got, runs[:len(runs)-1]) {
				t.Errorf("bit %d of byte %d is flipped, and it is read as %+v", bit%8, bit/8, got)
			}
			again.Close()
			continue
		}
		if !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
		if got, err := os.ReadFile(path); err != nil || !slices.Equal(got, damaged) {
			t.Errorf("bit %d of byte %d: the file has become %q, %v", bit%8, bit/8, got, err)
		}
	}
}
