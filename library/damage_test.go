package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// asked is what a test asks of a library.
type asked struct {
	name string
	ask  func(ctx context.Context, l *Library) (string, error)
}

// listed asks for the games that a filter selects.
func listed(f *Filter, by string) func(context.Context, *Library) (string, error) {
	return func(ctx context.Context, l *Library) (string, error) {
		var b strings.Builder
		for g, err := range l.Games(ctx, f, Sort{By: by}) {
			if err != nil {
				return "", err
			}
			fmt.Fprintln(&b, g.ID, g.Header, g.Source, g.Line, g.Twin, g.At)
		}
		n, err := l.Count(ctx, f)
		fmt.Fprintln(&b, n)
		return b.String(), err
	}
}

// written asks for all games as they were played.
func written(ctx context.Context, l *Library) (string, error) {
	var b strings.Builder
	for g, err := range l.Games(ctx, &Filter{}, Sort{}) {
		if err != nil {
			return "", err
		}
		w, err := g.Written()
		if err != nil {
			return "", err
		}
		b.WriteString(w.Game.Write())
	}
	return b.String(), nil
}

// findings asks for what reviews found out.
func findings(ctx context.Context, l *Library) (string, error) {
	var b strings.Builder
	for f, err := range l.Findings(ctx, &Filter{}, Sort{}) {
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&b, f.Game.ID, f.Kind, f.At, f.Label, f.Side, f.Turns, f.Played, f.Better)
	}
	return b.String(), nil
}

// questions returns what tests ask of a damaged library.
func questions(t *testing.T, p *arimaa.Position, player string) []asked {
	t.Helper()
	pattern, err := ParsePattern("Ed4")
	require.NoError(t, err)
	return []asked{
		{"totals", func(ctx context.Context, l *Library) (string, error) {
			n, err := l.Totals(ctx)
			return fmt.Sprint(n), err
		}},
		{"all", listed(&Filter{}, "")},
		{"player", listed(&Filter{Player: player}, "")},
		{"date", listed(&Filter{Date: Range{From: "2003"}}, "date")},
		{"position", listed(&Filter{Position: p, Mirrored: true}, "")},
		{"material", listed(&Filter{Material: "EMHHDDCCR8-emhhddccr7"}, "")},
		{"pattern", listed(&Filter{Pattern: pattern}, "")},
		{"written", written},
		{"tree", func(ctx context.Context, l *Library) (string, error) {
			tree, err := l.Tree(ctx, p, &Filter{})
			return fmt.Sprint(tree), err
		}},
		{"setups", func(ctx context.Context, l *Library) (string, error) {
			tree, err := l.Setups(ctx, "", &Filter{})
			return fmt.Sprint(tree), err
		}},
		{"sql", func(ctx context.Context, l *Library) (string, error) {
			var b strings.Builder
			for row, err := range l.Select(ctx, "SELECT m.pieces, m.class, g.ending, count(*) FROM materials m JOIN games g ON g.id = m.game GROUP BY 1, 2, 3", Limits{}) {
				if err != nil {
					return "", err
				}
				fmt.Fprintln(&b, row)
			}
			return b.String(), nil
		}},
		{"finding", listed(&Filter{Finding: "any"}, "")},
		{"findings", findings},
		{"puzzles", func(ctx context.Context, l *Library) (string, error) {
			var b strings.Builder
			for p, err := range l.Puzzles(ctx, &PuzzleFilter{All: true}, Sort{}) {
				if err != nil {
					return "", err
				}
				o := p.Origin
				if p.Origin = nil; o != nil {
					fmt.Fprintln(&b, o.text())
				}
				fmt.Fprintln(&b, *p)
			}
			return b.String(), nil
		}},
	}
}

// damages is a library, and how its copies answered that were damaged.
type damages struct {
	data      []byte
	pages     map[int]string // the tables and indices of pages
	turns     [][]byte       // of some games
	questions []asked
	sound     map[string]string // the answers of the library as it is
	outcomes  map[string]int
}

// newDamages makes a library of so many games.
func newDamages(t *testing.T, games int) *damages {
	t.Helper()
	plain, some := plainGames(t), []plain(nil)
	step := max(len(plain)/games, 1)
	for i := 0; i < len(plain) && len(some) < games; i += step {
		some = append(some, plain[i])
	}
	l := importText(t, 1<<10, archive(some))
	puzzle := "g [r       Rr     r   E dr                    e  r        RR  RR  R]"
	addText(t, l, 1, "puzzles", "position\tclaim\n"+puzzle+"\t2\n"+boards.Mirror(puzzle)+"\t3\n")
	addText(t, l, 1, "mined", archive(gamesToMine(t, 3)))
	_, _, err := mineInto(t.Context(), l, Filter{Source: "mined"}, minedNodes, 2, unread)
	require.NoError(t, err)
	with := rand.New(rand.NewPCG(7, 8))
	keep(t, l, quick, all(t, l, &Filter{}), func(g *Game) *review.Review { return invented(t, with, g) })
	p := boards.Parse(t, some[0].positions[0])
	d := &damages{pages: map[int]string{}, questions: questions(t, &p, some[0].gold), sound: map[string]string{}, outcomes: map[string]int{}}
	rows, err := l.db.Query("SELECT pageno, name FROM dbstat")
	require.NoError(t, err)
	for rows.Next() {
		var number int
		var name string
		require.NoError(t, rows.Scan(&number, &name))
		d.pages[number] = name
	}
	require.NoError(t, rows.Err())
	for g, err := range l.Games(t.Context(), &Filter{}, Sort{}) {
		require.NoError(t, err)
		d.turns = append(d.turns, g.moves.turns)
	}
	for _, q := range d.questions {
		if d.sound[q.name], err = q.ask(t.Context(), l); err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
	}
	require.NoError(t, l.Close())
	d.data, err = os.ReadFile(l.path)
	require.NoError(t, err)
	return d
}

// try asks a damaged copy everything, and returns the questions that it answered wrongly without a
// word, and those that it refused. Verify may not call such a copy sound.
func (d *damages) try(t *testing.T, what string, data []byte) (wrong, refused []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "library")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	named := func(question string, err error) {
		said := errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) || errors.Is(err, ErrNewer)
		if strings.Contains(err.Error(), "no such ") { // the schema has other names
			said = strings.Contains(err.Error(), path) || question == "sql"
		} else if said {
			said = strings.Contains(err.Error(), path)
		}
		if !said {
			t.Errorf("%s, %s: %v", what, question, err)
		}
	}
	l, err := Open(ctx, path)
	if err != nil {
		named("opened", err)
		return nil, []string{"opened"}
	}
	defer l.Close()
	for _, q := range d.questions {
		switch got, err := q.ask(ctx, l); {
		case err != nil:
			named(q.name, err)
			refused = append(refused, q.name)
		case got != d.sound[q.name]:
			wrong = append(wrong, q.name)
		}
	}
	switch err := l.Verify(ctx, func(int) {}); {
	case err != nil:
		named("verified", err)
		refused = append(refused, "verified")
	case len(wrong) > 0:
		t.Errorf("%s: verified, and these answers are wrong: %v", what, wrong)
	}
	return wrong, refused
}

// page returns whose page a byte lies in.
func (d *damages) page(at int) string {
	size := int(d.data[16])<<8 | int(d.data[17])
	switch name := d.pages[at/size+1]; {
	case at < headerSize:
		return "header"
	case name == "":
		return "free"
	default:
		return name
	}
}

// ofReviews are the tables about reviews, and the indices of them that have names.
var ofReviews = []string{"reviewing", "review", "finding", "proof", "review_latest", "finding_kind"}

// flip changes so many bits, each in a copy of its own; of some pages, if any are named.
func (d *damages) flip(t *testing.T, random *rand.Rand, bits int, pages ...string) {
	t.Helper()
	silent := map[string]int{}
	for n := 0; n < bits; {
		at, bit := random.IntN(len(d.data)), random.IntN(8)
		if len(pages) > 0 && !slices.Contains(pages, d.page(at)) {
			continue
		}
		n++
		data := bytes.Clone(d.data)
		data[at] ^= 1 << bit
		wrong, refused := d.try(t, fmt.Sprintf("bit %d of byte %d, %s", bit, at, d.page(at)), data)
		switch {
		case len(wrong) > 0:
			d.outcomes["wrong without a word, found by verify"]++
			silent[fmt.Sprint(d.page(at), " ", wrong)]++
		case len(refused) > 1 || len(refused) == 1 && refused[0] != "verified":
			d.outcomes["said by questions"]++
		case len(refused) == 1:
			d.outcomes["said by verify alone"]++
		default:
			d.outcomes["nothing is wrong"]++
		}
	}
	t.Logf("%d bits: %v; wrong without a word: %v", bits, d.outcomes, silent)
}

// flipTurns changes bits in the turns of games: questions that replay them say so, and none is
// answered wrongly.
func (d *damages) flipTurns(t *testing.T, random *rand.Rand, bits int) {
	t.Helper()
	tried := 0
	for range bits {
		turns := d.turns[random.IntN(len(d.turns))]
		if !bytes.Contains(d.data, turns) || len(turns) == 0 {
			continue // they lie on several pages
		}
		at, bit := random.IntN(len(turns)), random.IntN(8)
		changed := bytes.Clone(turns)
		changed[at] ^= 1 << bit
		data := bytes.ReplaceAll(d.data, turns, changed) // the file has copies that are not used
		tried++
		what := fmt.Sprintf("turns: bit %d of byte %d", bit, at)
		wrong, refused := d.try(t, what, data)
		if len(wrong) > 0 {
			t.Errorf("%s: wrong answers: %v", what, wrong)
		}
		for _, q := range []string{"pattern", "written", "verified"} {
			if !slices.Contains(refused, q) {
				t.Errorf("%s: %s does not notice", what, q)
			}
		}
	}
	if t.Logf("%d bits of turns", tried); tried < bits/2 {
		t.Errorf("only %d of %d flips were tried", tried, bits)
	}
}

// cut takes the ends of copies away.
func (d *damages) cut(t *testing.T, random *rand.Rand, cuts int) {
	t.Helper()
	for range cuts {
		length := random.IntN(len(d.data)-1) + 1
		if wrong, refused := d.try(t, fmt.Sprintf("%d bytes are left", length), d.data[:length]); len(wrong) > 0 { // of the last page nothing may be in use
			t.Errorf("%d bytes are left: wrong: %v, refused: %v", length, wrong, refused)
		}
	}
}

// TestDamaged damages a small library.
func TestDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	d := newDamages(t, 12)
	d.flip(t, random, 6)
	d.flip(t, random, 6, ofReviews...)
	d.flipTurns(t, random, 4)
	d.cut(t, random, 4)
}
