package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
	"goalproof/review"
	"goalproof/solve"
	"goalproof/tables/store"
)

func newStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Options{Memory: 8 << 20, Keys: solve.StoreKeys, Rules: solve.StoreRules})
	require.NoError(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// playStored reviews a game with a store, and nothing else from an earlier review.
func playStored(t *testing.T, r review.Record, s *store.Store, o review.Options) *review.Review {
	t.Helper()
	solver, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1, Store: s})
	require.NoError(t, err)
	o.Notes = s
	v := reviewed(t, r, o, solver)
	require.NoError(t, s.Sync())
	return v
}

// known writes all that was found out about a game: standings, turns that save, and lines.
func known(v *review.Review) string {
	var b strings.Builder
	b.WriteString(describe(v))
	for i := range v.Standings {
		s := &v.Standings[i]
		for _, saving := range s.Saving {
			b.WriteString(saving.Turn.String() + "; ")
		}
		b.WriteString(s.Turn.String() + "\n")
	}
	for i := range v.Judgements {
		b.WriteString(strings.Join(v.Notation(i, v.Judgements[i].Line), " / ") + "\n")
	}
	return b.String()
}

// repeating is a game in which silver's only turn brings the board back once; the second time it
// may not, and has lost.
const repeating = `1w Eb2 Cc1 Rd2
1b ca2 cb1 dc2 rb3
2w ca2s Eb2w Ea2e
2b ca1n
3w ca2s Eb2w Ea2e
`

// TestAgain reviews games twice with one store: the second time takes no nodes at all, and finds
// the same. Within a wider limit it asks again what had stayed open.
func TestAgain(t *testing.T) {
	for _, test := range []struct {
		name   string
		record func(*testing.T) review.Record
		winIn  int
		limit  answer.Limit
		open   bool
	}{
		{"missed", func(t *testing.T) review.Record { return read(t, inThree) }, 3, unhurried, false},
		{"lost", func(t *testing.T) review.Record { return read(t, waits) }, 2, unhurried, false},
		{"repetition", func(t *testing.T) review.Record { return read(t, repeating) }, 2, unhurried, false},
		{"published", func(t *testing.T) review.Record {
			r := publishedGame(t, "")
			r.Game = games.Last(t, r.Game, 20)
			return r
		}, 4, answer.Limit{Nodes: 3000}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, facts := test.record(t), newStore(t)
			o := review.Options{WinIn: test.winIn, Limit: test.limit}
			first := playStored(t, r, facts, o)
			second := playStored(t, r, facts, o)
			if diff := cmp.Diff(known(first), known(second)); diff != "" {
				t.Errorf("the second review (-first +second):\n%s", diff)
			}
			o.Limit.Time, o.Limit.Nodes = 3*o.Limit.Time, 3*o.Limit.Nodes
			more := playStored(t, r, facts, o)
			open := first.Summary().Undecided
			t.Logf("nodes: %d, then %d, within a wider limit %d; %d positions open", first.Nodes, second.Nodes, more.Nodes, open)
			if first.Nodes == 0 || second.Nodes > 0 {
				t.Errorf("%d and %d nodes: the second is to take none", first.Nodes, second.Nodes)
			}
			if test.open != (open > 0) || test.open && more.Nodes < first.Nodes/10 {
				t.Errorf("%d positions are open, and within a wider limit %d nodes after %d", open, more.Nodes, first.Nodes)
			}
		})
	}
}

// hasty are notes that say that there was hardly a node to spend.
type hasty struct{ *store.Store }

func (h hasty) Noted(key []byte) ([]byte, error) {
	note, err := h.Store.Noted(key)
	if len(note) > 8 {
		clear(note[:7])
		note[7] = 1
	}
	return note, err
}

// TestAgainInVain asks again what stayed open, with next to no nodes: what was known stays known.
func TestAgainInVain(t *testing.T) {
	r, notes := publishedGame(t, ""), newStore(t)
	r.Game = games.Last(t, r.Game, 12)
	o := review.Options{WinIn: 4, Limit: answer.Limit{Nodes: 20_000}, Notes: notes}
	first := reviewed(t, r, o)
	o.Limit, o.Notes = answer.Limit{Nodes: 2}, hasty{notes}
	second := reviewed(t, r, o)
	refuted := 0
	for i := range first.Standings {
		one, other := first.Standings[i], second.Standings[i]
		for k, f := range []review.Fact{one.Win, one.Threat, one.Loss} {
			now := []review.Fact{other.Win, other.Threat, other.Loss}[k]
			if f.Verdict != answer.Unknown && now != f || now.Refuted < f.Refuted {
				t.Errorf("%s: %+v, and then %+v", r.Game.Label(i), f, now)
			}
			refuted += f.Refuted
		}
		if len(other.Saving) < len(one.Saving) {
			t.Errorf("%s: turns that hold: %v, and then %v", r.Game.Label(i), one.Saving, other.Saving)
		}
	}
	if first.Summary().Undecided == 0 || refuted == 0 {
		t.Errorf("%d positions are open: the test says little", first.Summary().Undecided)
	}
}

// stale are notes that speak of another verdict about what came next, which is behind the limit and
// three facts of six bytes.
type stale struct{ *store.Store }

func (s stale) Noted(key []byte) ([]byte, error) {
	note, err := s.Store.Noted(key)
	if len(note) > 16+3*6 {
		note[16+3*6] ^= 1
	}
	return note, err
}

// TestAgainOtherwise takes no loss over that was found out when something else was known about what
// came next.
func TestAgainOtherwise(t *testing.T) {
	r, notes := read(t, waits), newStore(t)
	o := review.Options{WinIn: 2, Limit: unhurried, Notes: notes}
	var nodes [2]uint64
	for i := range nodes {
		v := reviewed(t, r, o)
		if diff := cmp.Diff(known(play(t, r, 2)), known(v)); diff != "" {
			t.Errorf("-without notes +with notes:\n%s", diff)
		}
		nodes[i], o.Notes = v.Nodes, stale{notes}
	}
	if nodes[1] == 0 || nodes[1] >= nodes[0] {
		t.Errorf("nodes %v: the second time only losses are to be asked about", nodes)
	}
}

// TestAgainCertified writes the proofs down in a second review as well.
func TestAgainCertified(t *testing.T) {
	r, facts := read(t, race), newStore(t)
	o := review.Options{WinIn: 2, Limit: unhurried}
	first := playStored(t, r, facts, o)
	proofs := 0
	o.Certify = func(_ int, c *proof.Certificate) error {
		proofs++
		return c.Check(t.Context(), nil)
	}
	second := playStored(t, r, facts, o)
	if diff := cmp.Diff(known(first), known(second)); diff != "" || proofs != 3 {
		t.Errorf("%d proofs, want 3; -first +second:\n%s", proofs, diff)
	}
}

// TestOwnHistory reviews games that come to the same positions in different ways, with one store:
// what holds in one of them for the third repetition's sake is not taken over by the other.
func TestOwnHistory(t *testing.T) {
	games := []review.Record{
		read(t, repeating),
		// The same last turn, and nothing has occurred before.
		read(t, "1w Eb2 Cc1 Rd2\n1b ca2 cb1 dc2 rb3\n2w ca2s Eb2w Ea2e\n"),
	}
	facts := newStore(t)
	o := review.Options{WinIn: 2, Limit: unhurried}
	for range 2 {
		for i, r := range games {
			want := known(play(t, r, 2))
			if diff := cmp.Diff(want, known(playStored(t, r, facts, o))); diff != "" {
				t.Errorf("game %d (-alone +with the store):\n%s", i+1, diff)
			}
		}
	}
	lost := func(r review.Record) bool { return strings.HasSuffix(describe(play(t, r, 2)), "loss 0 threat 0\n") }
	if !lost(games[0]) || lost(games[1]) {
		t.Error("silver is to have lost in the first game and not in the second")
	}
}
