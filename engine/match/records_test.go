package match

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// mover plays turns at random, others in each game, and now and then what it must not.
type mover struct {
	seed   uint64
	random *rand.Rand
	turns  arimaa.Generator
}

func (m *mover) Begin(_ context.Context, g *arimaa.Game) error {
	first := g.Position(0)
	m.random = rand.New(rand.NewPCG(m.seed, first.Hash()))
	return nil
}

func (m *mover) Turn(_ context.Context, g *arimaa.Game, _ *clock.Clock) (string, error) {
	switch m.random.IntN(20) {
	case 0:
		return "resign", nil
	case 1:
		return "", &Failure{Crash, "exit status\t2"}
	case 2:
		return "Ea1n", nil // from where no elephant stands, as a rule
	}
	p := g.Last()
	for n := m.turns.Generate(&p); ; {
		if t := m.turns.Turn(m.random.IntN(n)); g.At(g.Len()).Play(t) == nil {
			return p.Notation(t), nil
		}
	}
}

func (m *mover) End() {}

// movers is a match of random movers.
func movers(seed uint64, games int) *Match {
	player := func() (Player, error) { return &mover{seed: seed}, nil }
	return &Match{New: []func() (Player, error){player, player}, Openings: setups1(), Rules: Rules{Turns: 5}, Games: games, AtOnce: 1}
}

// playRecorded plays the games of a match that are not recorded yet, up to a number.
func playRecorded(t testing.TB, m *Match, dir string, most int) Tally {
	t.Helper()
	r, err := OpenRecords(dir, "a schedule", []string{"first", "second"}, "1s/0")
	require.NoError(t, err)
	for p, err := range m.Run(context.Background(), r.Standing()) {
		require.NoError(t, err)
		require.NoError(t, r.Add(p))
		if most--; most == 0 {
			break
		}
	}
	require.NoError(t, r.Close())
	return r.Standing().Tally
}

// TestRecords checks that the records of random games, with every ending, replay: the rows of the
// archive and the lists of turns.
func TestRecords(t *testing.T) {
	boards.Check(t, 8, 100, func(t *rapid.T) {
		m := movers(rapid.Uint64().Draw(t, "seed"), 2)
		dir, err := os.MkdirTemp("", "records")
		require.NoError(t, err)
		defer os.RemoveAll(dir)
		r, err := OpenRecords(dir, "a schedule", []string{"first", "second"}, "1s/0")
		require.NoError(t, err)
		defer r.Close()
		for p, err := range m.Run(context.Background(), r.Standing()) {
			require.NoError(t, err)
			require.NoError(t, r.Add(p))
			list := filepath.Join(dir, "000"+string(rune('1'+p.Number))+".txt")
			g, err := notation.ReadGame(list, read(t, list))
			require.NoError(t, err)
			rows, err := notation.ReadArchive(archive, read(t, filepath.Join(dir, archive)))
			require.NoError(t, err)
			row := rows[p.Number]
			g2, err := row.Game()
			require.NoError(t, err)
			last, end := p.Game.Last(), ""
			if loser := p.Result.Winner.Other(); last.Side() == loser && !p.Game.Outcome().Over() && p.Ending != Score {
				end = map[bool]string{true: "resigns", false: "lost"}[p.Ending == Resignation]
			}
			for _, g := range []*arimaa.Game{g, g2} {
				if g.Last() != last || g.Len() != p.Game.Len() || g.End() != end {
					t.Errorf("%+v is recorded as\n%s", p.Result, notation.Turns(g))
				}
			}
			names := []string{"first", "second"}
			if row.Gold != names[p.Number%2] || row.Silver != names[1-p.Number%2] ||
				names[p.Winner()] != map[string]string{"w": row.Gold, "b": row.Silver}[row.Result] || row.Termination != p.Ending.Letter() {
				t.Errorf("%+v is recorded as %+v", p, row)
			}
		}
	})
}

// TestPlyCount compares the number of the last turn with the game room's, in its archive of 2026.
// (That of 2002 has both ways of counting.)
func TestPlyCount(t *testing.T) {
	const file = "games/archive-2026.tsv"
	all := published.Read(t, file)
	rows, err := notation.ReadArchive(file, all)
	require.NoError(t, err)
	header, _, _ := strings.Cut(all, "\n")
	column := slices.Index(strings.Split(header, "\t"), "plycount")
	for i, cells := range published.Rows(t, file) {
		g, err := rows[i].Game()
		require.NoError(t, err)
		r := Result{Game: g}
		if rows[i].Termination == Resignation.Letter() {
			r.Ending = Resignation
		}
		if got := fmt.Sprint(lastTurn(r)); got != cells[column] {
			t.Errorf("game %s, %s to play, %s: %s, want %s", cells[0], g.Label(g.Len()), rows[i].Termination, got, cells[column])
		}
	}
}

// TestLetters compares the letters of the endings with the game room's ([notation.Record]): g goal,
// m immobilisation, e elimination, t time, r resignation, i illegal, f forfeit, s score.
func TestLetters(t *testing.T) {
	letters := ""
	for _, e := range []Ending{Goal, Elimination, Immobilisation, Score, Resignation, Time, Illegal, Junk, Crash, Hang} {
		letters += e.Letter()
	}
	if letters != "gemsrtifff" {
		t.Error(letters)
	}
}

// TestNames checks that players of one name are told apart in the archive.
func TestNames(t *testing.T) {
	for names, want := range map[[2]string]string{
		{"x 1", "x 2"}: "\tx 1\tx 2\t", {"x 1", "x  1"}: "\tx 1 A\tx 1 B\t", {}: "\tA\tB\t",
	} {
		dir := t.TempDir()
		r, err := OpenRecords(dir, "a schedule", names[:], "")
		require.NoError(t, err)
		require.NoError(t, r.Add(newPlayed(2, 0, Result{Game: opening(t, race), Ending: Resignation})))
		require.NoError(t, r.Close())
		if text := read(t, filepath.Join(dir, archive)); !strings.Contains(text, "\n1"+want) {
			t.Errorf("%q: %s", names, text)
		}
	}
}

func read(t rapid.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// TestResume checks that a match that is interrupted again and again plays the same games as one
// that is not, and several at once the same as one by one.
func TestResume(t *testing.T) {
	const games = 12
	whole, parts := t.TempDir(), t.TempDir()
	tally := playRecorded(t, movers(3, games), whole, -1)
	if tally.Games() != games || tally[0] == games || tally[1] == games {
		t.Fatalf("the games end %v", tally)
	}
	path := filepath.Join(parts, archive)
	for i, most := range []int{5, 1, 0, -1} { // the first time begun and ended before a game
		if most == 0 {
			cut(t, path) // as if the program had ended while a row was written
		}
		m := movers(3, games)
		m.AtOnce = 1 + i
		if got := playRecorded(t, m, parts, max(most, -1)); most < 0 && got != tally {
			t.Errorf("%v, not %v", got, tally)
		}
	}
	if d := cmp.Diff(read(t, filepath.Join(whole, archive)), read(t, path)); d != "" {
		t.Error(d)
	}
}

// cut takes the end off a file.
func cut(t *testing.T, path string) {
	t.Helper()
	text := read(t, path)
	require.NoError(t, os.WriteFile(path, []byte(text[:len(text)-7]), 0o666))
}

// TestOtherMatch checks that games are not added to the records of another match, or to a file
// that is no record.
func TestOtherMatch(t *testing.T) {
	dir := t.TempDir()
	playRecorded(t, movers(3, 1), dir, -1)
	refused := func(schedule, want string) {
		t.Helper()
		r, err := OpenRecords(dir, schedule, []string{"", ""}, "")
		if err == nil {
			r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	refused("another", "holds another match")
	path := filepath.Join(dir, archive)
	text := read(t, path)
	for _, c := range []struct{ old, new, want string }{
		{"\n1\t", "\n2\t", "it is not game 1"}, {"\tw\t", "\tz\t", "with a result"}, {"\tb\t", "\t\t", "with a result"},
		{`\n2w `, `\n2w Zz9z`, "is not a step"},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		if changed == text {
			continue // it was the other side that won
		}
		require.NoError(t, os.WriteFile(path, []byte(changed), 0o666))
		refused("a schedule", c.want)
	}
	require.NoError(t, os.WriteFile(path, []byte("an unrelated file"), 0o666))
	refused("a schedule", "holds another match")
	if text := read(t, path); text != "an unrelated file" {
		t.Errorf("it was changed: %q", text)
	}
}

// TestBrokenPlayer checks that an error that is no failure of a player in the game ends the match.
func TestBrokenPlayer(t *testing.T) {
	m := movers(1, 4)
	broken := errors.New("no engine")
	m.New[1] = func() (Player, error) { return nil, broken }
	n := 0
	for _, err := range m.Run(t.Context(), &Standing{}) {
		if n++; !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	if n != 1 {
		t.Errorf("%d outcomes", n)
	}
}
