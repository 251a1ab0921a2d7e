package solve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// certified makes the certificate of an answer, which is a win, and has it checked.
func certified(t rapid.TB, s *Solver, q Question, a Answer) {
	t.Helper()
	c, err := s.Certificate(context.Background(), q, a)
	if err != nil {
		t.Fatalf("%v: %v", q.Position, err)
	}
	played := 0
	if q.Game != nil {
		played = q.Game.Len()
	}
	if (c.Game != nil) != (played > 0) || played > 0 && len(c.Game.Turns) != played {
		t.Fatalf("%v: %d turns were played, and the certificate has the game %+v", q.Position, played, c.Game)
	}
	if c.Turns != a.Within || c.Entries[0].Position != q.Position.String() {
		t.Fatalf("%v, win in %d: the certificate is of a win in %d at %s", q.Position, a.Within, c.Turns, c.Entries[0].Position)
	}
	if err := c.Check(context.Background(), nil); err != nil {
		t.Fatalf("%v, win in %d: %v", q.Position, a.Within, err)
	}
}

// TestCertificates certifies the wins of the examples, of published puzzles and of random boards: of
// these it also plays the lines, and certifies the first win that is found, which may be longer.
func TestCertificates(t *testing.T) {
	s := newSolver(t)
	positions := func(t *testing.T, name, data string) []notation.Diagram {
		d, err := notation.ReadPositions(name, data)
		require.NoError(t, err)
		return d
	}
	ask := func(t rapid.TB, p arimaa.Position, deepest int) Answer {
		q := Question{Position: p, Deepest: deepest}
		a := solved(t, s, context.Background(), q)
		if a.Verdict == answer.Proved {
			certified(t, s, q, a)
		}
		return a
	}
	t.Run("examples", func(t *testing.T) {
		files, err := filepath.Glob("../examples/*.txt")
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		wins := 0
		for _, file := range files {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, d := range positions(t, file, string(data)) {
				if ask(t, d.Position, 3).Verdict == answer.Proved {
					wins++
				}
			}
		}
		if wins < 10 {
			t.Errorf("%d wins among the examples", wins)
		}
	})
	t.Run("published", func(t *testing.T) {
		apart := boards.Sized(25, 1)
		names := published.Names(t, "win-in-2/*/*.txt")
		for i := 0; i < len(names); i += apart {
			ask(t, positions(t, names[i], published.Read(t, names[i]))[0].Position, 2)
		}
	})
	t.Run("random", func(t *testing.T) {
		deep := 0
		boards.Check(t, 150, 2_000, func(t *rapid.T) {
			p := drawn(t, boards.Few(5))
			if p.Unusual() != nil {
				return
			}
			a := ask(t, p, 3)
			if a.Verdict == answer.Proved {
				checkLine(t, p, a)
				q := Question{Position: p, Deepest: 20, Any: true, NoLine: true}
				certified(t, s, q, solved(t, s, context.Background(), q))
			}
			if a.Within > 1 {
				deep++
			}
		})
		if deep < 5 {
			t.Errorf("%d wins in more than one turn: too few to say much", deep)
		}
	})
}

// TestCertificatesInGames certifies wins with the history of a game.
func TestCertificatesInGames(t *testing.T) {
	g := exampleGame(t)
	s := newSolver(t)
	wins, apart := 0, boards.Sized(12, 1)
	for i := range g.Len() {
		game := g.At(i)
		q := Question{Position: game.Last(), Deepest: 2, Game: game}
		if i < 2 || (g.Len()-1-i)%apart != 0 || q.Check() != nil || game.Outcome().Over() {
			continue // setting up, or over
		}
		if a := solved(t, s, t.Context(), q); a.Verdict == answer.Proved {
			wins++
			certified(t, s, q, a)
		}
	}
	if wins == 0 {
		t.Error("no win in the game")
	}
}

// TestCertificateAfterRepetition certifies a win where a position has occurred twice: silver may
// not bring about the root a third time, which is its only turn.
func TestCertificateAfterRepetition(t *testing.T) {
	g := gameOf(t, singleReply)
	s := newSolver(t)
	q := Question{Position: g.Last(), Deepest: 2, Game: g}
	a := solved(t, s, t.Context(), q)
	if a.Within != 1 || a.Line[0].Outcome.Reason != arimaa.Repetition {
		t.Fatalf("%+v", a)
	}
	certified(t, s, q, a)
	// Without the game it is none.
	c, err := s.Certificate(t.Context(), q, a)
	require.NoError(t, err)
	if c.Game = nil; c.Check(t.Context(), nil) == nil {
		t.Error("accepted without the game")
	}
}

// TestNoCertificate asks for certificates where no win is proved, and when time is up.
func TestNoCertificate(t *testing.T) {
	s := newSolver(t)
	q := Question{Position: exampleOf(t, "win-in-3.txt"), Deepest: 2}
	a := solved(t, s, t.Context(), q)
	if _, err := s.Certificate(t.Context(), q, a); !errors.Is(err, ErrNoCertificate) {
		t.Errorf("of no win: %v", err)
	}
	q.Deepest = 3
	a = solved(t, s, t.Context(), q)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Certificate(ctx, q, a); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestNoCertificateOfRepetition has games in which the win comes from the third repetition, which
// the opponent's only reply would be.
func TestNoCertificateOfRepetition(t *testing.T) {
	s := newSolver(t)
	const begin = "1w Eb2 Cc1 Rd1\n1b ca2 cb1 dc2 rb4\n"
	for _, turns := range []string{"2w Rd1n\n2b rb4s\n3w\n", "2w Rd1e\n2b rb4e\n3w Re1w\n3b rc4w\n4w Rd1n\n4b rb4s\n5w\n"} {
		g := gameOf(t, begin+turns)
		q := Question{Position: g.Last(), Deepest: 2, Game: g}
		a := solved(t, s, t.Context(), q)
		if a.Verdict != answer.Proved || a.Within != 2 {
			t.Fatalf("%s: %+v", turns, a)
		}
		if c, err := s.Certificate(t.Context(), q, a); !errors.Is(err, ErrNoCertificate) {
			t.Errorf("%s: %v; checked: %v", turns, err, c.Check(t.Context(), nil))
		}
	}
}
