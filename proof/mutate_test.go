package proof_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof"
)

// mutator edits certificates at random.
type mutator struct {
	*rand.Rand
	lines []string // of the text of a good certificate
	heads []int    // the lines that are entries
	tails []int    // the lines that are answers
	turns []int    // the lines that are turns of a game
}

func newMutator(random *rand.Rand, text string) *mutator {
	m := &mutator{Rand: random, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	for i, line := range m.lines {
		switch {
		case strings.HasPrefix(line, "+ "):
			m.tails = append(m.tails, i)
		case strings.HasPrefix(line, "turn "):
			m.turns = append(m.turns, i)
		case line[0] >= '1' && line[0] <= '9':
			m.heads = append(m.heads, i)
		}
	}
	return m
}

// pick draws one of a list, which may be empty.
func (m *mutator) pick(from []int) (i int, ok bool) {
	if len(from) == 0 {
		return 0, false
	}
	return from[m.IntN(len(from))], true
}

// edits are the kinds of edit. Each changes the lines, or returns false where there is nothing for
// it to change.
var edits = map[string]func(m *mutator) bool{
	"drop an answer": func(m *mutator) bool {
		i, ok := m.pick(m.tails)
		if ok {
			m.lines = slices.Delete(m.lines, i, i+1)
		}
		return ok
	},
	"duplicate an answer": func(m *mutator) bool {
		i, ok := m.pick(m.tails)
		if ok {
			m.lines = slices.Insert(m.lines, i, m.lines[i])
		}
		return ok
	},
	"drop an entry": func(m *mutator) bool {
		i, _ := m.pick(m.heads)
		m.lines = slices.Delete(m.lines, i, m.endOf(i))
		return true
	},
	"duplicate an entry": func(m *mutator) bool {
		i, _ := m.pick(m.heads)
		m.lines = append(m.lines, m.lines[i:m.endOf(i)]...)
		return true
	},
	"exchange two positions": func(m *mutator) bool {
		i, _ := m.pick(m.heads)
		j, _ := m.pick(m.heads)
		a, b := positionOf(m.lines[i]), positionOf(m.lines[j])
		m.lines[i] = strings.Replace(m.lines[i], a, b, 1)
		m.lines[j] = strings.Replace(m.lines[j], b, a, 1)
		return a != b
	},
	"exchange two lines": func(m *mutator) bool {
		i, j := m.IntN(len(m.lines)), m.IntN(len(m.lines))
		m.lines[i], m.lines[j] = m.lines[j], m.lines[i]
		return m.lines[i] != m.lines[j]
	},
	"change a rank": func(m *mutator) bool {
		i, _ := m.pick(m.heads)
		m.lines[i] = string(m.lines[i][0]+byte(1-2*m.IntN(2))) + m.lines[i][1:]
		return true
	},
	"change the claim": func(m *mutator) bool {
		last := len(m.lines[1]) - 1
		m.lines[1] = m.lines[1][:last] + string(m.lines[1][last]+byte(1-2*m.IntN(2)))
		return true
	},
	"change the side": func(m *mutator) bool {
		i, _ := m.pick(m.heads)
		m.lines[i] = strings.NewReplacer("g [", "s [", "s [", "g [").Replace(m.lines[i])
		return true
	},
	"exchange two squares": func(m *mutator) bool {
		i, _ := m.pick(m.heads)
		return m.exchange(i, 5)
	},
	"change a square": func(m *mutator) bool {
		i, _ := m.pick(m.heads)
		return m.replace(i, 5+m.IntN(64), " RCDHMErcdhme")
	},
	"change a step": func(m *mutator) bool { return m.turn(m.step) },
	"drop a step": func(m *mutator) bool {
		return m.turn(func(words []string) []string {
			i := m.IntN(len(words))
			return slices.Delete(words, i, i+1)
		})
	},
	"duplicate a step": func(m *mutator) bool {
		return m.turn(func(words []string) []string {
			i := m.IntN(len(words))
			return slices.Insert(words, i, words[i])
		})
	},
	"exchange two steps": func(m *mutator) bool {
		return m.turn(func(words []string) []string {
			i, j := m.IntN(len(words)), m.IntN(len(words))
			words[i], words[j] = words[j], words[i]
			return words
		})
	},
	"drop a turn of the game": func(m *mutator) bool {
		i, ok := m.pick(m.turns)
		if ok {
			m.lines = slices.Delete(m.lines, i, i+1)
		}
		return ok
	},
	"drop two turns of the game": func(m *mutator) bool {
		if len(m.turns) < 2 {
			return false
		}
		i := m.turns[m.IntN(len(m.turns)-1)]
		m.lines = slices.Delete(m.lines, i, i+2)
		return true
	},
	"play the game twice": func(m *mutator) bool {
		if len(m.turns) == 0 {
			return false
		}
		first, last := m.turns[0], m.turns[len(m.turns)-1]+1
		m.lines = slices.Insert(m.lines, last, m.lines[first:last]...)
		return true
	},
	"exchange two turns of the game": func(m *mutator) bool {
		i, ok := m.pick(m.turns)
		j, _ := m.pick(m.turns)
		m.lines[i], m.lines[j] = m.lines[j], m.lines[i]
		return ok && m.lines[i] != m.lines[j]
	},
	"change a step of the game": func(m *mutator) bool {
		i, ok := m.pick(m.turns)
		if !ok {
			return false
		}
		old := m.lines[i]
		m.lines[i] = "turn " + strings.Join(m.step(strings.Fields(old)[1:]), " ")
		return m.lines[i] != old
	},
	"change where the game begins": func(m *mutator) bool {
		return len(m.turns) > 0 && m.exchange(m.turns[0]-1, 8)
	},
	"truncate": func(m *mutator) bool {
		text := strings.Join(m.lines, "\n") + "\n"
		text = text[:m.IntN(len(text))]
		m.lines = []string{text}
		return true
	},
	"change a byte": func(m *mutator) bool {
		i := m.IntN(len(m.lines))
		return m.replace(i, m.IntN(len(m.lines[i])), string([]byte{byte(m.IntN(256))}))
	},
}

// exchange exchanges two of the 64 squares that begin at a byte of a line.
func (m *mutator) exchange(i, begin int) bool {
	line := []byte(m.lines[i])
	a, b := begin+m.IntN(64), begin+m.IntN(64)
	line[a], line[b] = line[b], line[a]
	m.lines[i] = string(line)
	return line[a] != line[b]
}

// replace puts one of some letters into a line.
func (m *mutator) replace(i, at int, letters string) bool {
	line, letter := m.lines[i], letters[m.IntN(len(letters))]
	m.lines[i] = line[:at] + string([]byte{letter}) + line[at+1:]
	return line[at] != letter
}

// step changes a letter of a step.
func (m *mutator) step(words []string) []string {
	i, k := m.IntN(len(words)), m.IntN(4)
	letters := []string{"RCDHMErcdhme", "abcdefgh", "12345678", "nsewx"}[k]
	words[i] = words[i][:k] + string(letters[m.IntN(len(letters))]) + words[i][k+1:]
	return words
}

// endOf is the line after the last answer of the entry on a line.
func (m *mutator) endOf(head int) int {
	for i := head + 1; i < len(m.lines); i++ {
		if m.lines[i][0] != '+' {
			return i
		}
	}
	return len(m.lines)
}

// positionOf is the position on the line of an entry.
func positionOf(line string) string { return line[2:69] }

// turn edits the words of the turn on a line.
func (m *mutator) turn(edit func(words []string) []string) bool {
	i, _ := m.pick(slices.Concat(m.heads, m.tails))
	old := m.lines[i]
	before := "+"
	if old[0] != '+' {
		at := strings.Index(old, "] ")
		if at < 0 { // the root of a loss has no turn
			return false
		}
		before = old[:at+1]
	}
	words := edit(strings.Fields(old[len(before):]))
	m.lines[i] = before + " " + strings.Join(words, " ")
	return m.lines[i] != old
}

// text is the edited text.
func (m *mutator) text() string {
	text := strings.Join(m.lines, "\n")
	if len(m.lines) == 1 { // truncated
		return text
	}
	return text + "\n"
}

// TestMutations edits good certificates at random. What is rejected, by Read or by Check, is
// rejected with a message that names the place. An edit can make another proof: package arimaa has
// to confirm those that are accepted, and to find something wrong with those that are rejected.
// (With a fifth of the published positions; all, and more edits, with the tag large.)
func TestMutations(t *testing.T) {
	claimed := load.Claims(t, load.WinsInTwo)
	for _, name := range []string{"elimination.txt", "goal-in-3-steps.txt", "immobilisation.txt", "win-in-2.txt",
		"win-in-2-for-silver.txt", "zugzwang-in-2.txt", "win-in-3.txt"} {
		claimed = append(claimed, load.Claim{Name: name, Position: load.Example(t, name)})
	}
	b := newBuilder(t)
	var all []*proof.Certificate
	apart, certificates, wanted := boards.Sized(25, 1), boards.Sized(3, 100), boards.Sized(40, 5000)
	for i, claim := range claimed {
		if i%apart != 0 && strings.Contains(claim.Name, "/") {
			continue // some of the published positions are enough
		}
		most := 2
		if claim.Name == "win-in-3.txt" {
			most = 3
		}
		if c := b.certify(claim.Position, most); c != nil {
			all = append(all, c)
		}
	}
	losses, losing := 0, 4
	if boards.Large {
		losing = 2
	}
	for i, c := range slices.Clone(all) {
		if i%losing != 0 && len(c.Entries) == 1 || len(c.Entries[0].Answers) == 0 {
			continue // some losses in one are enough; a turn that ends the game leaves none
		}
		if p, ok := playText(boards.Parse(t, c.Entries[0].Position), c.Entries[0].Turn); !ok {
			t.Fatalf("%s is illegal", c.Entries[0].Turn)
		} else if c := b.lose(p, c.Turns-1); c == nil {
			t.Fatalf("%v is not lost", p)
		} else {
			all = append(all, c)
			losses++
		}
	}
	for i, c := range all {
		if i%4 != 0 && len(c.Entries) == 1 {
			continue // some with a game are enough
		}
		if d := shuttled(t, c); d != nil {
			all = append(all, d)
		}
	}
	each := 1
	if boards.Large {
		each = 5
		all = append(all, gameWins(b, 3)...)
	}
	random := rand.New(rand.NewPCG(2026, 5))
	kinds, r := slices.Sorted(maps.Keys(edits)), newRejections()
	for _, c := range all {
		whole := text(t, c)
		each := each
		if len(c.Entries) > 1 {
			each *= 5 // few have several, which can be damaged in more ways
		}
		for _, kind := range kinds {
			for range each {
				m := newMutator(random, whole)
				if !edits[kind](m) || m.text() == whole {
					continue
				}
				c, _, err := proof.Read(strings.NewReader(m.text()), "bad")
				if err != nil {
					r.unread(t, kind, err)
					continue
				}
				r.checked(t, kind, c.Check(context.Background(), nil), valid(c), m.text())
			}
		}
	}
	r.report(t, kinds, wanted, "duplicate an answer", "drop an entry", "duplicate an entry", "change the claim", "truncate",
		"drop a turn of the game", "play the game twice")
	t.Logf("from %d certificates, %d of them of losses", len(all), losses)
	for _, kind := range kinds {
		if r.bad[kind] == 0 {
			t.Errorf("%s: nothing was rejected", kind)
		}
	}
	if losses == 0 || len(all) < certificates {
		t.Errorf("%d good certificates, %d of them of losses, want %d", len(all), losses, certificates)
	}
}

// rejections counts what became of damaged proofs, by the kind of the damage.
type rejections struct {
	bad, other map[string]int // rejected, and other proofs
	early      int            // rejected when they were read
}

func newRejections() *rejections { return &rejections{bad: map[string]int{}, other: map[string]int{}} }

// unread counts a text that was not read.
func (r *rejections) unread(t *testing.T, kind string, err error) {
	t.Helper()
	r.early++
	r.bad[kind]++
	if !strings.HasPrefix(err.Error(), "bad:") {
		t.Errorf("%s: %v names no place", kind, err)
	}
}

// checked counts a text that was read and checked. Why is what package arimaa has against it.
func (r *rejections) checked(t *testing.T, kind string, err error, why, text string) {
	t.Helper()
	if (err == nil) != (why == "") {
		t.Errorf("%s: %v, but by package arimaa %q\n%s", kind, err, why, text)
	}
	if err == nil {
		r.other[kind]++
		return
	}
	r.bad[kind]++
	var hole *proof.Hole
	if !errors.As(err, &hole) || hole.Line == 0 || !strings.HasPrefix(err.Error(), fmt.Sprintf("line %d: at ", hole.Line)) {
		t.Errorf("%s: %v names no place", kind, err)
	}
}

// report asks for a number of rejections, and that all damage of certain kinds was rejected.
func (r *rejections) report(t *testing.T, kinds []string, wanted int, never ...string) {
	t.Helper()
	total := 0
	for _, kind := range kinds {
		t.Logf("%-26s %5d rejected, %4d are other proofs", kind, r.bad[kind], r.other[kind])
		total += r.bad[kind]
		if r.other[kind] > 0 && slices.Contains(never, kind) {
			t.Errorf("%s: %d were accepted", kind, r.other[kind])
		}
	}
	if t.Logf("%d rejected, %d of them when they were read", total, r.early); total < wanted {
		t.Errorf("%d were rejected, want %d", total, wanted)
	}
}
