package proof_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/proof"
)

// newRefutationMutator is a [mutator] of a refutation: its answers are the first turns.
func newRefutationMutator(random *rand.Rand, text string) *mutator {
	m := &mutator{Rand: random, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	for i, line := range m.lines {
		if line[0] == '+' {
			m.tails = append(m.tails, i)
		}
	}
	return m
}

// head is the line of the reply to the turn on a line.
func (m *mutator) head(i int) int {
	for m.lines[i][0] != '-' {
		i--
	}
	return i
}

// setReply gives the turn on a line a reply of its own.
func (m *mutator) setReply(i int, reply string) {
	head, rest := m.lines[m.head(i)], m.lines[i+1:]
	m.lines = slices.Concat(m.lines[:i], []string{strings.TrimSpace("- " + reply), m.lines[i], head}, rest)
	if len(rest) == 0 || rest[0][0] == '-' {
		m.lines = slices.Delete(m.lines, i+2, i+3) // a reply without turns
	}
	if m.lines[i-1][0] == '-' {
		m.lines = slices.Delete(m.lines, i-1, i)
	}
}

// position is the position after the turn on a line.
func (m *mutator) position(i int) (after arimaa.Position, over bool) {
	root, err := notation.ParsePosition(m.lines[2])
	if err != nil {
		panic(err)
	}
	after, _ = playText(root, m.lines[i][2:])
	return after, after.Board.Ended(root.Side()).Over()
}

// reply draws a reply to a turn that needs one, after which the attacker has a win or has none, and
// gives it to it.
func (m *mutator) reply(wins bool) bool {
	var g arimaa.Generator
	var detector goal.Detector
	for range 20 {
		i, _ := m.pick(m.tails)
		after, over := m.position(i)
		if over {
			continue
		}
		n := g.Generate(&after)
		for range 20 {
			k := m.IntN(n)
			next := g.Position(k, after.Side())
			if next.Board.Ended(after.Side()).Over() {
				continue
			}
			if _, ok := detector.CanWin(&next, &next.Board); ok == wins {
				m.setReply(i, g.Turn(k).String())
				return true
			}
		}
	}
	return false
}

// refutationEdits are the kinds of edit of a refutation. Those of certificates that fit are added
// to them.
var refutationEdits = map[string]func(m *mutator) bool{
	"another step order": func(m *mutator) bool {
		for range 50 {
			i, _ := m.pick(m.tails)
			words := strings.Fields(m.lines[i][2:])
			m.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
			line := "+ " + strings.Join(words, " ")
			root, _ := notation.ParsePosition(m.lines[2])
			after, ok := playText(root, line[2:])
			if before, _ := m.position(i); ok && line != m.lines[i] && after == before {
				m.lines = slices.Insert(m.lines, i+1, line)
				return true
			}
		}
		return false
	},
	"a reply that leaves a win": func(m *mutator) bool { return m.reply(true) },
	"another good reply":        func(m *mutator) bool { return m.reply(false) },
	"an illegal reply": func(m *mutator) bool {
		i, _ := m.pick(m.tails)
		_, over := m.position(i)
		m.setReply(i, []string{"Rh0n", "ra8s ra7s ra6s ra5s ra4s", m.lines[i][2:]}[m.IntN(3)])
		return !over
	},
	"a needless reply": func(m *mutator) bool {
		for range 50 {
			i, _ := m.pick(m.tails)
			if _, over := m.position(i); over {
				m.setReply(i, "ra3s")
				return true
			}
		}
		return false
	},
	"no reply": func(m *mutator) bool {
		i, _ := m.pick(m.tails)
		_, over := m.position(i)
		m.setReply(i, "")
		return !over
	},
	"change the claim": func(m *mutator) bool {
		m.lines[1] = []string{"claim no win in 1", "claim no win in 3", "claim no win in 0", "claim 2"}[m.IntN(4)]
		return true
	},
	"change the side": func(m *mutator) bool {
		m.lines[2] = string("gs"[strings.IndexByte("sg", m.lines[2][0])]) + m.lines[2][1:]
		return true
	},
	"another board": func(m *mutator) bool {
		return m.exchange(2, 3)
	},
	"another piece": func(m *mutator) bool {
		return m.replace(2, 3+m.IntN(64), " RCDHMErcdhme")
	},
	"drop a reply": func(m *mutator) bool {
		i, _ := m.pick(m.tails)
		i = m.head(i)
		m.lines = slices.Delete(m.lines, i, i+1)
		return true
	},
	"drop a group": func(m *mutator) bool {
		i, _ := m.pick(m.tails)
		i = m.head(i)
		end := i + 1
		for end < len(m.lines) && m.lines[end][0] == '+' {
			end++
		}
		m.lines = slices.Delete(m.lines, i, end)
		return true
	},
}

func init() {
	for _, kind := range []string{"drop an answer", "duplicate an answer", "exchange two lines", "change a step", "drop a step",
		"duplicate a step", "exchange two steps", "truncate", "change a byte"} {
		refutationEdits[kind] = edits[kind]
	}
}

// TestRefutationMutations edits good refutations at random. What is rejected is rejected with a
// message that names the place; package arimaa has to confirm those that are accepted, and to find
// something wrong with those that are rejected.
func TestRefutationMutations(t *testing.T) {
	var all []*proof.Refutation
	count, most, wanted := boards.Sized(8, 60), boards.Sized(100, 1000), boards.Sized(100, 2000)
	for seed := 0; len(all) < count; seed++ {
		if r := refutation(t, boards.Parse(t, boards.Few(6).Example(seed)), 2); r != nil && len(r.Refuted) > 20 && len(r.Refuted) <= most {
			all = append(all, r)
		}
	}
	random := rand.New(rand.NewPCG(2026, 6))
	kinds, tally := slices.Sorted(maps.Keys(refutationEdits)), newRejections()
	for _, whole := range all {
		text := text(t, whole)
		for _, kind := range kinds {
			for range 2 {
				m := newRefutationMutator(random, text)
				if !refutationEdits[kind](m) || m.text() == text {
					continue
				}
				_, r, err := proof.Read(strings.NewReader(m.text()), "bad")
				if err != nil {
					tally.unread(t, kind, err)
					continue
				}
				tally.checked(t, kind, r.Check(context.Background(), nil), validRefutation(r), m.text())
			}
		}
	}
	tally.report(t, kinds, wanted, "drop an answer", "duplicate an answer", "another step order", "a reply that leaves a win",
		"an illegal reply", "a needless reply", "no reply", "change the claim", "drop a group", "truncate")
	for _, kind := range kinds {
		if may := kind == "another good reply" || strings.HasPrefix(kind, "exchange two"); !may && tally.bad[kind] == 0 {
			t.Errorf("%s: nothing was rejected", kind)
		}
	}
}
