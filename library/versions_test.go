package library

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

var writeVersion = flag.Bool("write-version", false, "write testdata/versionN.db.gz for the present version")

// ofVersion returns a copy of the small library of a version that testdata has.
func ofVersion(t *testing.T, version int) (path string) {
	data, err := os.ReadFile(fmt.Sprintf("testdata/version%d.db.gz", version))
	require.NoError(t, err)
	text, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	whole, err := io.ReadAll(text)
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), "library")
	require.NoError(t, os.WriteFile(path, whole, 0o666))
	return path
}

// tables returns what a file says of its tables, indices and views.
func tables(t *testing.T, l *Library) (text string) {
	require.NoError(t, l.view(context.Background(), func(v *view) error {
		_, err := v.query(context.Background(), "SELECT group_concat(name || ': ' || COALESCE(sql, ''), char(10) ORDER BY name) FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'",
			nil, &text)
		return err
	}))
	return text
}

// addReview adds a review with findings to the first game, with the options [quick].
func addReview(t *testing.T, l *Library) {
	r := newReviewer(t)
	keep(t, l, quick, all(t, l, &Filter{ID: 1}), func(g *Game) *review.Review {
		v := r.of(t, g, &quick)
		v.Time = 0 // so that the file has the same bytes each time
		v.Standings[g.Turns].Win = review.Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 1}}
		v.Decision = &review.Decision{Winner: arimaa.Gold, From: g.Turns, Last: -1}
		return v
	})
}

// TestVersions opens a library of each version that there has been, to write and to read: it is
// brought up to date, with the same games, and then has the tables of a new one.
func TestVersions(t *testing.T) {
	game := "[Gold \"ann\"]\n[Silver \"bob\"]\n[Date \"2026-01-31\"]\n\n" + short
	fresh := importText(t, 1, game+"\n[Gold \"cho\"]\n\n"+short+"\ng [r       Rr     r   E dr                    e  r        RR  RR  R] win in 2\n")
	addReview(t, fresh)
	if *writeVersion {
		addText(t, fresh, 1, "mined", archive(gamesToMine(t, 1)))
		_, _, err := mineInto(t.Context(), fresh, Filter{Source: "mined"}, minedNodes, 1, unread)
		require.NoError(t, err)
		require.NoError(t, fresh.Close())
		data, err := os.ReadFile(fresh.path)
		require.NoError(t, err)
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		require.NoError(t, err)
		_, err = z.Write(data)
		require.NoError(t, err)
		require.NoError(t, z.Close())
		require.NoError(t, os.WriteFile(fmt.Sprintf("testdata/version%d.db.gz", Version), b.Bytes(), 0o666))
		return
	}
	for version := 1; version <= Version; version++ {
		for _, open := range []func(context.Context, string) (*Library, error){Create, Edit, Open} {
			l, err := open(t.Context(), ofVersion(t, version))
			require.NoError(t, err)
			defer l.Close()
			require.NoError(t, l.Verify(t.Context(), func(int) {}))
			games := all(t, l, &Filter{})
			if len(games) != 1+min(version, 2) || games[0].Gold != "ann" || games[1].Twin != 1 || games[0].Turns != 3 {
				t.Errorf("version %d: %d games: %+v", version, len(games), games)
			}
			if got, want := tables(t, l), tables(t, fresh); got != want {
				t.Errorf("a library of version %d has the tables\n%s\nand a new one has\n%s\nRaise Version, with an upgrade and a file of it in testdata.", version, got, want)
			}
			reviews, err := l.Totals(t.Context())
			require.NoError(t, err)
			if (reviews.Mined > 0) != (version > 1) {
				t.Errorf("version %d: %d puzzles were mined", version, reviews.Mined)
			}
			if (reviews.Findings > 0) != (reviews.Reviewed > 0) || version > 1 && reviews.Reviewed == 0 {
				t.Errorf("version %d: %d games have a review, with %d findings", version, reviews.Reviewed, reviews.Findings)
			}
			if l.write == nil {
				continue
			}
			if im := addText(t, l, 1, "again", game); im.Known != 1 || im.Added != 0 {
				t.Errorf("version %d: its game is not known again: %+v", version, im)
			}
			if reviews.Reviewed == 0 {
				addReview(t, l)
			}
			if n := len(all(t, l, &Filter{Finding: "decided"})); n != 1 {
				t.Errorf("version %d: findings of %d games", version, n)
			}
			require.NoError(t, l.Verify(t.Context(), func(int) {}))
		}
	}
}

// TestOlderOpened opens an older library several times at once, to read and to write: each has it
// as it is now.
func TestOlderOpened(t *testing.T) {
	for range boards.Sized(5, 100) {
		path := ofVersion(t, 1)
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				open := Open
				if i%4 == 3 {
					open = Edit
				}
				l, err := open(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if n, err := l.Count(t.Context(), &Filter{Finding: "any"}); n != 0 || err != nil {
					t.Errorf("%d games, %v", n, err)
				}
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.NoError(t, opened(t, path).Verify(t.Context(), func(int) {}))
	}
}
