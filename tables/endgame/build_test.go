package endgame

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// smallClasses returns the classes of two and three pieces.
func smallClasses() []Class { return append(Classes(2), Classes(3)...) }

// sameAsEmbedded checks that a table is that which is part of the program.
func sameAsEmbedded(t *testing.T, dir string, c Class) {
	t.Helper()
	built, err := os.ReadFile(fileName(dir, c))
	require.NoError(t, err)
	part, err := embedded.ReadFile("embedded/" + c.String() + Extension)
	if err != nil || string(part) != string(built) {
		t.Errorf("%v: the table in the program differs (%v): goalproof endgame build --again --endgames endgame/embedded R-r RR-r ER-r writes it", c, err)
	}
}

// TestEmbedded builds the tables of two and three pieces again, with any number of threads: they
// are those that are part of the program.
func TestEmbedded(t *testing.T) {
	for threads := 1; threads <= 3; threads++ {
		dir := t.TempDir()
		require.NoError(t, Build(t.Context(), smallClasses(), BuildOptions{Dir: dir, Threads: threads}))
		for _, c := range smallClasses() {
			sameAsEmbedded(t, dir, c)
		}
	}
}

// TestBuildAlone builds tables without a directory, and checks them: they are those that are part
// of the program.
func TestBuildAlone(t *testing.T) {
	for _, c := range smallClasses() {
		ts := open(t, "")
		built, err := ts.Build(t.Context(), c)
		require.NoError(t, err)
		part, err := embedded.ReadFile("embedded/" + c.String() + Extension)
		if err != nil || string(part) != string(built) {
			t.Errorf("%v: the table in the program differs (%v)", c, err)
		}
		require.NoError(t, ts.Check(t.Context(), c, built, 1000))
	}
}

// TestCheck changes one value in ten of a table: it is refused, whatever the values are.
func TestCheck(t *testing.T) {
	for _, c := range smallClasses() {
		table, err := openEmbedded(c)
		require.NoError(t, err)
		right, err := table.all(t.Context())
		require.NoError(t, err)
		for _, wrong := range []func(v uint8) uint8{
			func(v uint8) uint8 { return v + 2 },
			func(uint8) uint8 { return uint8(over) },
			func(uint8) uint8 { return uint8(Neither) },
			func(v uint8) uint8 { return v ^ 3 },
			func(uint8) uint8 { return uint8(rand.IntN(256)) },
		} {
			values := slices.Clone(right)
			for i := range values {
				if rand.IntN(10) == 0 {
					values[i] = wrong(values[i])
				}
			}
			var file bytes.Buffer
			require.NoError(t, write(&file, table.header, values))
			if err := open(t, "").Check(t.Context(), c, file.Bytes(), 1000); !errors.Is(err, ErrFile) {
				t.Errorf("%v: %v", c, err)
			}
		}
	}
}

// TestBuildInterrupted interrupts Build and continues it.
func TestBuildInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	err := Build(ctx, smallClasses(), BuildOptions{Dir: dir, Threads: 2, Progress: func(p Progress) {
		if p.Class.String() == "ER-r" && p.N == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if err != nil || !slices.Equal(names, []string{"R-r.endgame", "RR-r.endgame"}) {
		t.Errorf("files %q, %v", names, err)
	}
	var kept []string
	err = Build(t.Context(), smallClasses(), BuildOptions{Dir: dir, Threads: 2, Progress: func(p Progress) {
		if p.Kept {
			kept = append(kept, p.Class.String())
		}
	}})
	if err != nil || !slices.Equal(kept, []string{"R-r", "RR-r"}) {
		t.Errorf("kept %q, %v", kept, err)
	}
	for _, c := range smallClasses() {
		sameAsEmbedded(t, dir, c)
	}
}

// TestBuildRefuses checks what stops Build before it begins to work.
func TestBuildRefuses(t *testing.T) {
	dir := t.TempDir()
	five := []Class{Classes(5)[0]}
	if err := Build(t.Context(), five, BuildOptions{Dir: dir, Threads: 1, Memory: 2 << 30}); err == nil || !strings.Contains(err.Error(), five[0].String()) {
		t.Errorf("with too little memory: %v", err)
	}
	require.NoError(t, os.WriteFile(fileName(dir, smallClasses()[0]), []byte("something else"), 0o666))
	if err := Build(t.Context(), smallClasses(), BuildOptions{Dir: dir, Threads: 1}); !errors.Is(err, ErrFile) {
		t.Errorf("with a file that is no table: %v", err)
	}
	if err := Build(t.Context(), smallClasses(), BuildOptions{Dir: fileName(dir, smallClasses()[0]), Threads: 1}); err == nil {
		t.Error("a file served as the directory")
	}
}

// TestMemoryNeeded checks that every class of five pieces can be built within 16 GiB, and those of
// four within 2 GiB.
func TestMemoryNeeded(t *testing.T) {
	for n, limit := range map[int]uint64{4: 2 << 30, 5: 16 << 30} {
		for _, c := range Classes(n) {
			if need := MemoryNeeded(c); need > limit {
				t.Errorf("%v needs %d bytes", c, need)
			}
		}
	}
}
