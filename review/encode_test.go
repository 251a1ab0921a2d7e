package review_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
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

// TestCertifyKept makes the certificates of a review that was written and read again: they are those
// that it received when it was made. An interruption is an error.
func TestCertifyKept(t *testing.T) {
	limit := answer.Limit{Nodes: 5_000}
	for _, text := range []string{inThree, race, waits} {
		r := read(t, text)
		made, again := map[int]string{}, map[int]string{}
		into := func(to map[int]string) func(int, *proof.Certificate) error {
			return func(i int, c *proof.Certificate) error {
				var b strings.Builder
				err := c.Write(&b)
				to[i] = b.String()
				return err
			}
		}
		data, err := reviewed(t, r, review.Options{WinIn: 2, Limit: limit, Certify: into(made)}, newSolver(t)).Encode()
		require.NoError(t, err)
		kept, err := review.Decode(r, data)
		require.NoError(t, err)
		require.NoError(t, kept.Certify(t.Context(), newSolver(t), limit, into(again)))
		if diff := cmp.Diff(made, again); diff != "" || len(made) == 0 {
			t.Errorf("%d certificates (-made +again):\n%s", len(made), diff)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = kept.Certify(ctx, newSolver(t), limit, func(int, *proof.Certificate) error {
			cancel()
			return nil
		})
		cancel()
		if len(made) > 1 && !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted: %v", err)
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
