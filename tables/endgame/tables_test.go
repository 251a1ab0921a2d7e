package endgame

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// copyEmbedded writes the tables of the program into a directory and returns it.
func copyEmbedded(t testing.TB) (dir string) {
	dir = t.TempDir()
	entries, err := embedded.ReadDir("embedded")
	require.NoError(t, err)
	for _, e := range entries {
		data, err := embedded.ReadFile("embedded/" + e.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, e.Name()), data, 0o666)
		}
		require.NoError(t, err)
	}
	return dir
}

// parse reads a position.
func parse(t rapid.TB, text string) arimaa.Position {
	p, err := notation.ParsePosition(text)
	require.NoError(t, err)
	return p
}

// TestProbeTurned checks that mirrored boards, boards with colours exchanged, and pieces of other
// kinds with the same order of strength have the same values, and that anything but a position of
// the table has none.
func TestProbeTurned(t *testing.T) {
	ts := open(t, "")
	known := 0
	boards.Check(t, 2000, 100_000, func(t *rapid.T) {
		text := boards.Few(1).Draw(t, "position")
		p := parse(t, text)
		v, ok := ts.Probe(&p.Board, p.Side())
		over := p.Ended(p.Side().Other()).Over() || p.Undefended() != 0
		if ok == over {
			t.Fatalf("%v: %v, %v", p, v, ok)
		}
		if ok {
			known++
		}
		kind := rapid.SampledFrom([]string{"C", "D", "H", "M", "E"}).Draw(t, "kind")
		other := text[:1] + strings.Map(func(c rune) rune {
			switch {
			case strings.ContainsRune("CDHME", c):
				return rune(kind[0])
			case strings.ContainsRune("cdhme", c):
				return rune(kind[0] + 'a' - 'A')
			}
			return c
		}, text[1:])
		for _, same := range []string{boards.Mirror(text), boards.Swap(text), other} {
			p := parse(t, same)
			if w, also := ts.Probe(&p.Board, p.Side()); w != v || also != ok {
				t.Fatalf("%s: %v, %v; %s: %v, %v", text, v, ok, same, w, also)
			}
		}
	})
	if known == 0 {
		t.Error("no position was known")
	}
}

// TestProbeUnknown checks what no table knows.
func TestProbeUnknown(t *testing.T) {
	ts := open(t, "")
	for name, text := range map[string]string{
		"four pieces without a table": "g [                R               r        E     e                ]",
		"six pieces":                  "g [                RRR             rrr                             ]",
		"no rabbits of silver":        "g [                R               c                               ]",
		"no pieces":                   "g [                                                                ]",
		"gold has reached the goal":   "s [R                               r                               ]",
		"silver has reached it":       "s [                R                                              r]",
		"undefended on a trap":        "g [                  R             r                               ]",
		"silver cannot move":          "s [rE             R                                                ]",
	} {
		p := parse(t, text)
		if v, ok := ts.Probe(&p.Board, p.Side()); ok {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// TestProbeAllocates checks that a warm look-up allocates nothing.
func TestProbeAllocates(t *testing.T) {
	ts := open(t, "")
	p := parse(t, "s [        E       R               r                               ]")
	if n := testing.AllocsPerRun(100, func() {
		if _, ok := ts.Probe(&p.Board, p.Side()); !ok {
			t.Error("unknown")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestLittleMemory looks things up from several goroutines with room for one block only.
func TestLittleMemory(t *testing.T) {
	plenty := open(t, "")
	little, err := Open("", 1)
	require.NoError(t, err)
	defer little.Close()
	var group sync.WaitGroup
	for first := range 4 {
		group.Go(func() {
			for i := range 300 {
				table := plenty.classes[(first+i)%len(plenty.classes)]
				b, ok := table.layout.board((first + i*7919) % table.Numbers)
				if !ok {
					continue
				}
				for side := arimaa.Gold; side <= arimaa.Silver; side++ {
					v, ok := plenty.Probe(&b, side)
					if w, also := little.Probe(&b, side); v != w || ok != also {
						t.Errorf("%v: %v, %v; with little memory %v, %v", b, v, ok, w, also)
					}
				}
			}
		})
	}
	group.Wait()
	if n := len(little.clock); n != 1 {
		t.Errorf("%d blocks in memory", n)
	}
}

// TestRefused checks that files that are no sound tables are refused by name.
func TestRefused(t *testing.T) {
	const class = "ER-r"
	sound, err := embedded.ReadFile("embedded/" + class + Extension)
	require.NoError(t, err)
	refused := func(t *testing.T, name string, data []byte) {
		t.Helper()
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o666))
		ts, err := Open(dir, 1<<20)
		if err == nil {
			c, _ := ParseClass(class)
			_, err = ts.Verify(t.Context(), c, VerifyOptions{Threads: 1, Sample: 1}) // reads all of it
			ts.Close()
		}
		if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v", err)
		}
	}
	header := strings.Replace(string(sound), `"rules":1`, `"rules":9`, 1)
	for name, data := range map[string][]byte{
		"empty":       nil,
		"foreign":     []byte(strings.Repeat("something else\n", 1000)),
		"other rules": []byte(header),
		"longer":      append(sound[:len(sound):len(sound)], 0),
	} {
		t.Run(name, func(t *testing.T) { refused(t, class+Extension, data) })
	}
	t.Run("other name", func(t *testing.T) { refused(t, "RR-r"+Extension, sound) })
	t.Run("truncated", func(t *testing.T) {
		for n := 1; n < len(sound); n += 1 + n/4 {
			refused(t, class+Extension, sound[:n])
		}
	})
	t.Run("flipped", func(t *testing.T) {
		for i := 0; i < len(sound); i += 1 + i/16 {
			data := append([]byte{}, sound...)
			data[i] ^= 1 << (i % 8)
			refused(t, class+Extension, data)
		}
	})
}

// TestDamagedBlock checks that Probe knows nothing of a damaged block, and says why.
func TestDamagedBlock(t *testing.T) {
	dir := copyEmbedded(t)
	path := filepath.Join(dir, "ER-r"+Extension)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	data[len(data)-1] ^= 1
	require.NoError(t, os.WriteFile(path, data, 0o666))
	ts, err := Open(dir, 1<<20)
	require.NoError(t, err)
	defer ts.Close()
	known, unknown := 0, 0
	table := ts.classes[2]
	for number := range table.Numbers {
		if b, ok := table.layout.board(number); ok && !b.Ended(arimaa.Gold).Over() {
			if _, ok := ts.Probe(&b, arimaa.Silver); ok {
				known++
			} else {
				unknown++
			}
		}
	}
	if known == 0 || unknown == 0 || !errors.Is(ts.Err(), ErrFile) || !strings.Contains(ts.Err().Error(), path) {
		t.Errorf("%d known, %d unknown, %v", known, unknown, ts.Err())
	}
}

func BenchmarkProbe(b *testing.B) {
	ts := open(b, "")
	table := ts.classes[2]
	var all []arimaa.Board
	for number := 0; len(all) < 1024; number += 97 {
		if board, ok := table.layout.board(number); ok {
			all = append(all, board)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ts.Probe(&all[i%len(all)], arimaa.Gold)
	}
}
