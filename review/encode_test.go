package review_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// TestEncode writes reviews as bytes and reads them again: they say the same in every form.
func TestEncode(t *testing.T) {
	solver, e := newSolver(t), newEngine(t)
	records := archives(t, boards.Sized(2, 12))
	for n, r := range records {
		o := review.Options{WinIn: 3, Limit: answer.Limit{Nodes: 5_000}}
		if n%3 < 2 {
			o.Engine, o.Effort = e, 200
		}
		v := reviewed(t, r, o, solver)
		data, err := v.Encode()
		require.NoError(t, err)
		again, err := review.Decode(r, data)
		require.NoError(t, err)
		write := func(v *review.Review) string {
			text := v.Headline() + v.Annotated() + known(v) + describe(v) + html(t, v) + fmt.Sprint(v.Nodes, v.Summary(), v.Players(), v.Findings())
			for i := range v.Judgements {
				text += fmt.Sprint(v.Alternatives(i), v.Judgements[i])
			}
			return text
		}
		if diff := cmp.Diff(write(v), write(again)); diff != "" {
			t.Fatalf("%s (-made +read):\n%s", r.Name, diff)
		}
		if twice, err := again.Encode(); err != nil || string(twice) != string(data) {
			t.Errorf("%s: written again it is another: %v", r.Name, err)
		}
		if _, err := review.Decode(records[(n+1)%len(records)], data); err == nil {
			t.Errorf("the review of %s is taken for that of the next game", r.Name)
		}
		for _, broken := range [][]byte{nil, data[:len(data)/2], []byte("nothing")} {
			if _, err := review.Decode(r, broken); err == nil {
				t.Errorf("%s: %d bytes of %d are a review", r.Name, len(broken), len(data))
			}
		}
	}
}

// TestVersion notices when reviews say something else than before.
func TestVersion(t *testing.T) {
	const version, want = 1, "cb13a1e5ddce6d79"
	text, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	g, err := notation.ReadGame("game.turns", string(text))
	require.NoError(t, err)
	v := reviewed(t, review.NewRecord("test", g), review.Options{WinIn: 3, Limit: answer.Limit{Nodes: 5_000}, Engine: newEngine(t), Effort: 200})
	data, err := v.Encode()
	require.NoError(t, err)
	again, err := review.Decode(v.Record, data)
	require.NoError(t, err)
	sum := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d %s %+v", v.Nodes, describe(v), again.Evaluations)))
	if sum[:16] != want || review.Version != version {
		t.Errorf("version %d says %s: if a review says something else, raise Version, and note both here", review.Version, sum[:16])
	}
}
