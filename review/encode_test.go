package review_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
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
		for _, broken := range [][]byte{nil, data[:len(data)/2], []byte("nothing"), append(data[:len(data):len(data)], 0)} {
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

var writeReview = flag.Bool("write-review", false, "write testdata/versionN.review for the present version")

// versions are what reviews of the example game say, by their version: digests of the text, and of
// all fields.
var versions = [][2]string{1: {"cb13a1e5ddce6d79", "3dd81468e4bc702c"}}

// exampleGame returns the record of the example game.
func exampleGame(t *testing.T) review.Record {
	text, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	g, err := notation.ReadGame("game.turns", string(text))
	require.NoError(t, err)
	return review.NewRecord("test", g)
}

// digests returns those of a review.
func digests(v *review.Review) (all [2]string) {
	for i, text := range []string{
		fmt.Sprintf("%d %s %+v", v.Nodes, describe(v), v.Evaluations),
		fmt.Sprintf("%d %d %+v %+v %+v", v.WinIn, v.Examined, v.Decision, v.Standings, v.Judgements),
	} {
		all[i] = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16]
	}
	return all
}

// TestVersion notices when reviews say something else than before.
func TestVersion(t *testing.T) {
	r := exampleGame(t)
	o := review.Options{WinIn: 3, Limit: answer.Limit{Nodes: 5_000}, Defence: answer.Limit{Nodes: 5_000}, Engine: newEngine(t), Effort: 200}
	data, err := reviewed(t, r, o).Encode()
	require.NoError(t, err)
	if *writeReview {
		require.NoError(t, os.WriteFile(fmt.Sprintf("testdata/version%d.review", review.Version), data, 0o666))
	}
	again, err := review.Decode(r, data)
	require.NoError(t, err)
	if got := digests(again); review.Version != len(versions)-1 || got != versions[review.Version] {
		t.Errorf("version %d says %q: if a review says something else, raise Version, note it here, and write a review of it", review.Version, got)
	}
}

// TestKept reads a review of each version that there has been: it says what it said then.
func TestKept(t *testing.T) {
	for version, want := range versions[1:] {
		name := fmt.Sprintf("testdata/version%d.review", version+1)
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		v, err := review.Decode(exampleGame(t), data)
		require.NoError(t, err)
		if got := digests(v); got != want {
			t.Errorf("%s says %q, and it said %q", name, got, want)
		}
	}
}
