package notation_test

import (
	"runtime"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// manyOf are entries of each kind, one of which is written n times. Head stands above all of them.
var manyOf = []struct {
	name, head, entry string
	entries           int // that one of them is
}{
	{"short form", "", sampleGold + "\n", 1},
	{"ranks", "", "g " + sampleRanks + "\n", 1},
	{"links", "", "See http://example.org/boardimg.php?ranks=" + sampleRanks + "&side=g\n", 1},
	{"diagrams", "", "47g\n" + sampleBoard + "\n", 1},
	{"captions", "", "Study. Gold to play and win in 1.\n\n" + study + "\nSolution: Ra7n\n\n", 1},
	{"records", "", record + "\n", 1},
	{"records with tags", "", "[Gold \"ann\"]\n[Silver \"bob\"]\n\n" + record + "\n", 1},
	{"records with players", "", "Gold: ann (1500)\nSilver: bob\nEvent: Club\n\n" + record + "\n", 1},
	{"records on a line", "", strings.ReplaceAll(record, "\n", " ") + "\n", 1},
	{"cells", "", strings.ReplaceAll(record, "\n", `\n`) + "\n", 1},
	{"rows", "", archiveRow("7", record), 1},
	{"rows below a header", "id\tmovelist\n", "7\t" + strings.ReplaceAll(record, "\n", `\n`) + "\n", 1},
	{"puzzle texts", "", puzzleOf("1w Ra6 Ee1\n1b rh7 eh8\n2w Ra6n Ra7n"), 1},
	{"lists of pieces", "", "Gold: Ra6, Ee3. Silver: rh7, ed6. Gold to move.\n\n", 1},
	{"sentences", "", "What about " + sampleGold + " then?\n", 1},
	{"logs", "", "setposition " + sampleSilver + "\nmakemove ea4n\n", 1},
}

// times writes an entry until there are so many bytes, and returns how many entries there are.
func times(head, entry string, bytes int) (text string, n int) {
	n = max(bytes/len(entry), 1)
	return head + strings.Repeat(entry, n), n
}

// readCost reads a text and returns how many entries it has and how many bytes were allocated.
func readCost(t testing.TB, text string) (entries int, allocated uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for e, err := range notation.Read(notation.NewLines("f", strings.NewReader(text))) {
		if err != nil {
			t.Fatalf("%v after %d entries", err, entries)
		}
		if e.Record != nil {
			if _, err := e.Record.Game(); err != nil {
				t.Fatal(err)
			}
		}
		entries++
	}
	runtime.ReadMemStats(&after)
	return entries, after.TotalAlloc - before.TotalAlloc
}

// TestReadCost reads many entries of each kind, and four times as many: what is allocated for each
// stays the same.
func TestReadCost(t *testing.T) {
	size := 256 << 10
	if boards.Large {
		size = 10 << 20
	}
	for _, kind := range manyOf {
		t.Run(kind.name, func(t *testing.T) {
			var each [2]float64
			for i, bytes := range []int{size / 4, size} {
				text, n := times(kind.head, kind.entry, bytes)
				entries, allocated := readCost(t, text)
				if entries != n*kind.entries {
					t.Fatalf("%d entries are read, want %d", entries, n*kind.entries)
				}
				each[i] = float64(allocated) / float64(n)
			}
			t.Logf("%.0f and %.0f bytes for each entry of %d", each[0], each[1], len(kind.entry))
			if each[1] > 1.2*each[0]+100 {
				t.Errorf("an entry among few takes %.0f bytes, among four times as many %.0f", each[0], each[1])
			}
		})
	}
}

// TestEntryTooLong reads one entry of each kind that is longer than it may be: that is an error, and
// takes no more memory than a few copies of the longest one.
func TestEntryTooLong(t *testing.T) {
	fill := func(text string) string { return strings.Repeat(text, notation.MaxEntry/len(text)+1) }
	for name, text := range map[string]string{
		"short form":            "g [" + fill(" ") + "]\n",
		"ranks":                 "g " + fill("8/") + "\n",
		"a link":                "http://example.org/?ranks=" + fill("8/") + "&side=g\n",
		"a diagram":             "47g\n" + fill(" +-----------------+\n") + sampleBoard,
		"a rank":                "47g\n8|" + fill("r ") + "|\n",
		"a record":              setUp + fill("2w Ee2n\n2b takeback\n"),
		"a record on a line":    strings.ReplaceAll(setUp, "\n", " ") + fill("2w Ee2n 2b takeback "),
		"a record with tags":    "[Gold \"ann\"]\n\n" + setUp + fill("2w Ee2n\n2b takeback\n"),
		"tags":                  fill("[Gold \"ann\"]\n") + setUp,
		"a comment":             setUp + "2w Ee2n {" + fill("so it is\n") + "}\n",
		"variations":            setUp + "2w Ee2n\n" + fill("(2w Ra2n)\n"),
		"a cell":                strings.ReplaceAll(setUp, "\n", `\n`) + fill(`2w Ee2n\n2b takeback\n`) + "\n",
		"a row":                 archiveRow("7", setUp+fill("2w Ee2n\n2b takeback\n")),
		"a puzzle text":         puzzleOf(setUp + fill("2w Ee2n\n2b takeback\n")),
		"a title":               puzzleOf(setUp+"2w Ee2n") + "&chat=" + fill("so it is\n"),
		"a list of pieces":      "Gold: Ra6, " + fill("Ee3, ") + "gold to move\n",
		"a log":                 "newgame\nmakemove Ra2 Ee2\nmakemove rh7 ed7\n" + fill("makemove Ee2n\n"),
		"turns without labels":  "Ra2 Ee2\nrh7 ed7\n" + fill("Ee2n\n"),
		"setups without labels": strings.Repeat("Ra2 ", notation.MaxEntry/7) + "\n" + strings.Repeat("rh7 ", notation.MaxEntry/7) + "\nEe2n\n",
		"prose":                 fill("and so on\n"),
		"prose in a line":       fill("and so on "),
		"foreign lines":         setUp + "2w Ee2n\n" + fill("and so on\n"),
		"players":               fill("Gold: Ann Lee (1712)\n"),
		"players below a game":  setUp + "2w Ee2n\n" + fill("Gold: ann\n"),
		"words below a game":    setUp + "2w Ee2n\n" + fill("Gold to move\n"),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			failed := 0
			for _, err := range entries("f", text) {
				if err != nil {
					failed++
				}
			}
			runtime.ReadMemStats(&after)
			const most = 100 * notation.MaxEntry
			if allocated := after.TotalAlloc - before.TotalAlloc; failed == 0 || failed > 10 || allocated > most {
				t.Errorf("%d errors, %d bytes were allocated, more than %d are too many", failed, allocated, most)
			}
		})
	}
}

// BenchmarkRead reads a text of each kind.
func BenchmarkRead(b *testing.B) {
	for _, kind := range manyOf {
		b.Run(strings.ReplaceAll(kind.name, " ", "-"), func(b *testing.B) {
			text, n := times(kind.head, kind.entry, 1<<20)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if entries, _ := readCost(b, text); entries != n*kind.entries {
					b.Fatalf("%d entries, want %d", entries, n*kind.entries)
				}
			}
		})
	}
}
