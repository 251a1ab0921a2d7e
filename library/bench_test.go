package library

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
)

var benchGames = flag.Int("games", 10_000, "number of games of the library that is measured")

// BenchmarkImport imports all games, and then the same again, which adds nothing.
func BenchmarkImport(b *testing.B) {
	archive := games.Many(b, *benchGames)
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "games.db")
		began := time.Now()
		_, err := importFile(path, archive, usualChunk, func(Read) {})
		require.NoError(b, err)
		first := time.Since(began)
		began = time.Now()
		_, err = importFile(path, archive, usualChunk, func(Read) {})
		require.NoError(b, err)
		b.ReportMetric(first.Seconds(), "s/first")
		b.ReportMetric(time.Since(began).Seconds(), "s/again")
		info, err := os.Stat(path)
		require.NoError(b, err)
		l, err := Open(context.Background(), path)
		require.NoError(b, err)
		totals, err := l.Totals(context.Background())
		require.NoError(b, err)
		require.NoError(b, l.Close())
		b.ReportMetric(float64(info.Size())/float64(totals.Positions), "bytes/position")
	}
}

// benchQuestions are what a benchmark asks about.
type benchQuestions struct {
	positions []arimaa.Position // of games drawn at random, each turn alike
	frequent  arimaa.Position   // the most frequent one
	materials []string          // each alike
	players   []string          // each alike
}

// ask draws benchQuestions.
func ask(b *testing.B, l *Library) (q benchQuestions) {
	random := rand.New(rand.NewPCG(1, 1))
	ctx := context.Background()
	for len(q.positions) < 400 {
		for g, err := range l.Games(ctx, &Filter{ID: 1 + random.Int64N(int64(*benchGames))}, Sort{}) {
			require.NoError(b, err)
			played, err := g.Played()
			require.NoError(b, err)
			q.positions = append(q.positions, played.Position(random.IntN(played.Len()+1)))
		}
	}
	var h int64
	require.NoError(b, l.db.QueryRow("SELECT key FROM position GROUP BY key ORDER BY count(*) DESC LIMIT 1").Scan(&h))
	require.NoError(b, l.view(ctx, func(v *view) error {
		p, err := v.representative(ctx, v.query, h)
		q.frequent = *p
		return err
	}))
	names := func(text string) (all []string) {
		rows, err := l.db.Query(text)
		require.NoError(b, err)
		defer rows.Close()
		for rows.Next() {
			var name string
			require.NoError(b, rows.Scan(&name))
			all = append(all, name)
		}
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all[:min(400, len(all))]
	}
	q.materials = names("SELECT gold || '-' || silver FROM material ORDER BY id")
	q.players = names("SELECT name FROM player ORDER BY id")
	return q
}

// addFindings gives every game a review that says nothing, with findings: a first win, the end from
// which on it is won, and in two games of five a win that was missed.
func addFindings(b *testing.B, path string) {
	l, err := Edit(context.Background(), path)
	require.NoError(b, err)
	defer l.Close()
	require.NoError(b, l.transaction(context.Background(), func(w *writer) error {
		w.exec("INSERT INTO reviewing VALUES (1, 1, 3, 250000, 0, 0, 'dfpns', '')")
		w.exec("INSERT INTO review SELECT id, id, 1, 1, 0, 0, 0, NULL, x'' FROM game")
		w.exec("INSERT INTO finding SELECT id, turns - 5, 'first-win', iif(id % 2, 'gold', 'silver'), iif(id % 2, gold_rating, silver_rating), 1 + id % 3, 1, '', '', '' FROM game WHERE turns > 5")
		w.exec("INSERT INTO finding SELECT id, turns - 1, 'decided', iif(id % 2, 'gold', 'silver'), iif(id % 2, gold_rating, silver_rating), 1, 1, '', '', '' FROM game WHERE turns > 5")
		w.exec("INSERT INTO finding SELECT id, turns - 5, 'misses', iif(id % 2, 'gold', 'silver'), iif(id % 2, gold_rating, silver_rating), 1 + id % 3, 1, '', '', '' FROM game WHERE turns > 5 AND id % 5 < 2")
		w.exec("INSERT INTO proof SELECT id, turns - 1, iif(id % 2, 'gold', 'silver'), 1, 1 FROM game WHERE turns > 5")
		w.exec("PRAGMA optimize")
		return w.err
	}))
}

// BenchmarkQuery asks a library, and reports the median time of a kind of question and that below
// which 95 % of them lie.
func BenchmarkQuery(b *testing.B) {
	archive := games.Many(b, *benchGames)
	path := filepath.Join(b.TempDir(), "games.db")
	_, err := importFile(path, archive, usualChunk, func(Read) {})
	require.NoError(b, err)
	addFindings(b, path)
	l, err := Open(context.Background(), path)
	require.NoError(b, err)
	defer l.Close()
	q := ask(b, l)
	ctx := context.Background()
	list := func(f *Filter, order Sort, most int) {
		n := 0
		for _, err := range l.Games(ctx, f, order) {
			require.NoError(b, err)
			if n++; n == most {
				return
			}
		}
	}
	count := func(f *Filter) {
		_, err := l.Count(ctx, f)
		require.NoError(b, err)
	}
	tree := func(p *arimaa.Position) {
		_, err := l.Tree(ctx, p, &Filter{})
		require.NoError(b, err)
	}
	missed := Filter{Finding: "missed", WinIn: Range{"2", "2"}, Rating: Range{From: "2000"}}
	findings := func(order Sort) {
		for _, err := range l.Findings(ctx, &missed, order) {
			require.NoError(b, err)
		}
	}
	rows := func(statement string, values ...any) {
		rows, err := l.db.Query(statement, values...)
		require.NoError(b, err)
		defer rows.Close()
		for rows.Next() {
		}
		require.NoError(b, rows.Err())
	}
	pattern, err := ParsePattern("Ed4 !Rc3 Ra-h7")
	require.NoError(b, err)
	for _, kind := range []struct {
		name string
		n    int // of different benchQuestions
		ask  func(i int)
	}{
		{"position", len(q.positions), func(i int) { list(&Filter{Position: &q.positions[i]}, Sort{}, 100) }},
		{"position-count", len(q.positions), func(i int) { count(&Filter{Position: &q.positions[i]}) }},
		{"tree", len(q.positions), func(i int) { tree(&q.positions[i]) }},
		{"tree-frequent", 1, func(int) { tree(&q.frequent) }},
		{"material", len(q.materials), func(i int) { list(&Filter{Material: q.materials[i]}, Sort{}, 100) }},
		{"opponents", len(q.players), func(i int) {
			rows("SELECT opponent, count(*) FROM players WHERE name = ? GROUP BY opponent", q.players[i])
		}},
		{"endings-by-month", 1, func(int) { rows("SELECT substr(date, 1, 7), ending, count(*) FROM games GROUP BY 1, 2") }},
		{"rating-count", 1, func(int) { count(&Filter{Rating: Range{From: "2000"}}) }},
		{"rating-by-date", 1, func(int) { list(&Filter{Rating: Range{From: "2000"}}, Sort{By: "date"}, 0) }},
		{"missed-count", 1, func(int) { count(&missed) }},
		{"missed-by-date", 1, func(int) { findings(Sort{By: "date"}) }},
		{"pattern", 1, func(int) { count(&Filter{Pattern: pattern}) }},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				for i := range max(kind.n, 5) {
					began := time.Now()
					kind.ask(i % kind.n)
					times = append(times, time.Since(began))
				}
			}
			slices.Sort(times)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(times[len(times)/2]), "ms/median")
			b.ReportMetric(ms(times[len(times)*95/100]), "ms/95%")
		})
	}
}
