package proof_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
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
		line := []byte(m.lines[i])
		a, b := 5+m.IntN(64), 5+m.IntN(64)
		line[a], line[b] = line[b], line[a]
		m.lines[i] = string(line)
		return line[a] != line[b]
	},
	"change a square": func(m *mutator) bool {
		i, _ := m.pick(m.heads)
		line := []byte(m.lines[i])
		at, piece := 5+m.IntN(64), " RCDHMErcdhme"[m.IntN(13)]
		old := line[at]
		line[at] = piece
		m.lines[i] = string(line)
		return old != piece
	},
	"change a step": func(m *mutator) bool {
		return m.turn(func(words []string) []string {
			i, k := m.IntN(len(words)), m.IntN(4)
			word := []byte(words[i])
			word[k] = []string{"RCDHMErcdhme", "abcdefgh", "12345678", "nsewx"}[k][m.IntN([]int{12, 8, 8, 5}[k])]
			words[i] = string(word)
			return words
		})
	},
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
		words := strings.Fields(m.lines[i])
		at, k := 1+m.IntN(len(words)-1), m.IntN(4)
		word := []byte(words[at])
		word[k] = []string{"RCDHMErcdhme", "abcdefgh", "12345678", "nsewx"}[k][m.IntN([]int{12, 8, 8, 5}[k])]
		words[at] = string(word)
		old := m.lines[i]
		m.lines[i] = strings.Join(words, " ")
		return m.lines[i] != old
	},
	"change where the game begins": func(m *mutator) bool {
		if len(m.turns) == 0 {
			return false
		}
		i := m.turns[0] - 1
		line := []byte(m.lines[i])
		a, b := 8+m.IntN(64), 8+m.IntN(64)
		line[a], line[b] = line[b], line[a]
		m.lines[i] = string(line)
		return line[a] != line[b]
	},
	"truncate": func(m *mutator) bool {
		text := strings.Join(m.lines, "\n") + "\n"
		text = text[:m.IntN(len(text))]
		m.lines = []string{text}
		return true
	},
	"change a byte": func(m *mutator) bool {
		i := m.IntN(len(m.lines))
		line := []byte(m.lines[i])
		k, b := m.IntN(len(line)), byte(m.IntN(256))
		old := line[k]
		line[k] = b
		m.lines[i] = string(line)
		return old != b
	},
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
	names, positions := claims(t)
	for _, name := range []string{"elimination.txt", "goal-in-3-steps.txt", "immobilisation.txt", "win-in-2.txt",
		"win-in-2-for-silver.txt", "zugzwang-in-2.txt", "win-in-3.txt"} {
		names = append(names, name)
		positions = append(positions, example(t, name))
	}
	b := newBuilder(t)
	var all []*proof.Certificate
	apart, certificates, wanted := boards.Sized(10, 1), boards.Sized(8, 100), boards.Sized(100, 5000)
	for i, p := range positions {
		if i%apart != 0 && strings.Contains(names[i], "/") {
			continue // some of the published positions are enough
		}
		most := 2
		if names[i] == "win-in-3.txt" {
			most = 3
		}
		if c := b.certify(p, most); c != nil {
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
		if p, ok := playText(parse(t, "root", c.Entries[0].Position), c.Entries[0].Turn); !ok {
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
	kinds := slices.Sorted(func(yield func(string) bool) {
		for kind := range edits {
			if !yield(kind) {
				return
			}
		}
	})
	bad, other := map[string]int{}, map[string]int{}
	unread, most := 0, time.Duration(0)
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
				began := time.Now()
				c, err := proof.Read(strings.NewReader(m.text()), "bad")
				if err != nil {
					unread++
					bad[kind]++
					if !strings.HasPrefix(err.Error(), "bad:") {
						t.Errorf("%s: %v names no place", kind, err)
					}
					continue
				}
				err = c.Check(context.Background(), nil)
				most = max(most, time.Since(began))
				why := valid(c)
				if (err == nil) != (why == "") {
					t.Errorf("%s: %v, but by package arimaa %q\n%s", kind, err, why, m.text())
				}
				if err == nil {
					other[kind]++
					continue
				}
				bad[kind]++
				var hole *proof.Hole
				if !errors.As(err, &hole) || hole.Line == 0 || !strings.HasPrefix(err.Error(), fmt.Sprintf("line %d: at ", hole.Line)) {
					t.Errorf("%s: %v names no place", kind, err)
				}
			}
		}
	}
	total, proofs := 0, 0
	for _, kind := range kinds {
		t.Logf("%-24s %5d rejected, %4d are other proofs", kind, bad[kind], other[kind])
		total += bad[kind]
		proofs += other[kind]
		if bad[kind] == 0 {
			t.Errorf("%s: nothing was rejected", kind)
		}
	}
	t.Logf("from %d certificates, %d of them of losses: %d bad ones, %d of them rejected by Read, and %d other proofs; the longest check took %v",
		len(all), losses, total, unread, proofs, most)
	if losses == 0 {
		t.Error("there is no certificate of a loss")
	}
	if len(all) < certificates || total < wanted {
		t.Errorf("%d bad certificates from %d good ones, want %d from %d", total, len(all), wanted, certificates)
	}
	for _, kind := range []string{"duplicate an answer", "drop an entry", "duplicate an entry", "change the claim", "truncate",
		"drop a turn of the game", "play the game twice"} {
		if other[kind] > 0 {
			t.Errorf("%s: %d were accepted", kind, other[kind])
		}
	}
}
