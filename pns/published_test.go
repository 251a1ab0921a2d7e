package pns

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/published"
)

// claim is a published position with the number of turns of the win that it claims.
type claim struct {
	file     string
	position arimaa.Position
	n        int
}

// claims reads the positions of a folder.
func claims(t testing.TB, folder string) []claim {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(published.Dir(t), filepath.FromSlash(folder)))
	if err != nil {
		t.Fatal(err)
	}
	var all []claim
	for _, f := range files {
		name := folder + "/" + f.Name()
		positions, err := notation.ReadPositions(name, published.Read(t, name))
		if err != nil {
			t.Fatal(err)
		}
		n := 2
		if strings.Contains(name, "one-move") {
			n = 1
		}
		all = append(all, claim{name, positions[0].Position, n})
	}
	return all
}

// confirm checks by enumeration that a first turn keeps the win in one or two.
func confirm(t *testing.T, e *enumeration.Enumeration, c claim, n int, first arimaa.Turn) {
	t.Helper()
	e.Forget()
	after, ok := c.position.Try(first)
	if !ok {
		t.Fatalf("%s: the first turn %v is not legal", c.file, first)
	}
	if !e.Forces(&after) || n == 1 && !after.Board.Ended(c.position.Side()).Over() {
		t.Errorf("%s: %v does not win in %d", c.file, first, n)
	}
}

// TestPuzzles solves the four published puzzles, whose claims are true and the least.
func TestPuzzles(t *testing.T) {
	var e enumeration.Enumeration
	s := fresh(t, 64)
	all := claims(t, "puzzles")
	if len(all) != 4 {
		t.Fatalf("%d puzzles", len(all))
	}
	for _, c := range all {
		for n := 1; n <= c.n; n++ {
			got := ask(s, Question{Position: c.position, N: n})
			if want := verdict(n == c.n); got.Verdict != want {
				t.Fatalf("%s: a win in %d is %v, want %v", c.file, n, got.Verdict, want)
			}
			if n == c.n {
				confirm(t, &e, c, n, got.Turn)
			}
		}
	}
}

// TestPublishedWins proves published wins in two and confirms the first turns by enumeration: a
// sample of those that take little time, or all with the tag large.
func TestPublishedWins(t *testing.T) {
	var e enumeration.Enumeration
	all := append(claims(t, "win-in-2/reduced"), claims(t, "win-in-2/big")...)
	sample, limit := boards.Sized(4, len(all)), time.Second
	if boards.Deep {
		limit = 2 * time.Minute
	}
	random := rand.New(rand.NewPCG(2026, 2))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s := fresh(t, 1024)
	confirmed := 0
	for _, c := range all {
		for n := 1; n <= 2; n++ {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			got := s.Solve(ctx, Question{Position: c.position, N: n})
			cancel()
			if got.Verdict == answer.Proved {
				confirm(t, &e, c, n, got.Turn)
				confirmed++
				break
			}
		}
		if confirmed == sample {
			break
		}
	}
	t.Logf("%d confirmed", confirmed)
	if confirmed < sample*9/10 {
		t.Errorf("only %d of %d are proved", confirmed, sample)
	}
}

// falseClaims are the published wins in two that are none: the search says no.
var falseClaims = []string{"win-in-2/reduced/11778.txt", "win-in-2/big/08829.txt", "win-in-2/big/11255.txt"}

// TestPublishedFalseClaims disproves the false claims and confirms by enumeration that a first turn
// has a refutation: for a sample of first turns, or for all with the tag large.
func TestPublishedFalseClaims(t *testing.T) {
	var e enumeration.Enumeration
	var first arimaa.Generator
	s := fresh(t, 64)
	random := rand.New(rand.NewPCG(2026, 2))
	for _, file := range falseClaims {
		positions, err := notation.ReadPositions(file, published.Read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		p := positions[0].Position
		if got := ask(s, Question{Position: p, N: 2}); got.Verdict != answer.Disproved {
			t.Errorf("%s: %v", file, got.Verdict)
		}
		n := first.Generate(&p)
		turns := random.Perm(n)[:boards.Sized(40, n)]
		e.Forget()
		for _, i := range turns {
			if after := first.Position(i, p.Side()); e.Forces(&after) {
				t.Fatalf("%s: %v has no refutation", file, first.Turn(i))
			}
		}
		t.Logf("%s: %d of %d first turns are refuted", file, len(turns), n)
	}
}
