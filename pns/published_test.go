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
	"goalproof/internal/boards"
	"goalproof/internal/published"
)

// claim is a published position with the number of turns in which it is said to be won.
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
		positions, err := arimaa.ReadPositions(name, published.Read(t, name))
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

// enumeration answers questions about one and two turns by listing all results and
// looking at the end-of-turn table: no detector, no search, no memory of positions.
// Turns that decided before are tried first.
type enumeration struct {
	attacks, replies arimaa.Generator
	wins, refutes    []arimaa.Turn
}

// front puts a turn in front of a list of those that decided lately.
func front(list []arimaa.Turn, t arimaa.Turn) []arimaa.Turn {
	list = append([]arimaa.Turn{t}, list...)
	return list[:min(len(list), 30)]
}

// winsNow tells whether the side to move has a turn after which the table names it the
// winner.
func (e *enumeration) winsNow(p arimaa.Position) bool {
	won := func(b *arimaa.Board) bool {
		o := b.Ended(p.Side())
		return o.Over() && o.Winner == p.Side()
	}
	for _, t := range e.wins {
		if after, ok := p.Try(t); ok && won(&after.Board) {
			return true
		}
	}
	for i := range e.attacks.Generate(&p) {
		if won(e.attacks.Board(i)) {
			e.wins = front(e.wins, e.attacks.Turn(i))
			return true
		}
	}
	return false
}

// holds tells whether the defender's turn that led to p leaves the attacker no win with
// his next turn, and has not lost at once.
func (e *enumeration) holds(p arimaa.Position) bool {
	if o := p.Board.Ended(p.Side().Other()); o.Over() {
		return o.Winner != p.Side()
	}
	return !e.winsNow(p)
}

// refutation looks for a reply to the attacker's turn that led to p after which he has no
// win with his next turn. over says that the turn has won at once.
func (e *enumeration) refutation(p arimaa.Position) (reply arimaa.Turn, refuted, over bool) {
	if o := p.Board.Ended(p.Side().Other()); o.Over() {
		return reply, o.Winner == p.Side(), true
	}
	for _, t := range e.refutes {
		if after, ok := p.Try(t); ok && e.holds(after) {
			return t, true, false
		}
	}
	for i := range e.replies.Generate(&p) {
		if e.holds(e.replies.Position(i, p.Side())) {
			reply = e.replies.Turn(i)
			e.refutes = front(e.refutes, reply)
			return reply, true, false
		}
	}
	return reply, false, false
}

// confirm checks by enumeration that a first turn keeps the win in one or two.
func (e *enumeration) confirm(t *testing.T, c claim, n int, first arimaa.Turn) {
	t.Helper()
	e.wins, e.refutes = nil, nil
	after, ok := c.position.Try(first)
	if !ok {
		t.Fatalf("%s: the first turn %v is not legal", c.file, first)
	}
	reply, refuted, over := e.refutation(after)
	if refuted || n == 1 && !over {
		t.Errorf("%s: %v does not win in %d: %v", c.file, first, n, reply)
	}
}

// TestPuzzles solves the four published puzzles, whose claims are true and the least.
func TestPuzzles(t *testing.T) {
	var e enumeration
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
				e.confirm(t, c, n, got.Turn)
			}
		}
	}
}

// TestPublishedWins proves published wins in two and confirms the first turns by
// enumeration: a sample of those that take little time, or all with the tag large.
func TestPublishedWins(t *testing.T) {
	var e enumeration
	all := append(claims(t, "win-in-2/reduced"), claims(t, "win-in-2/big")...)
	sample, limit := 25, time.Second
	if boards.Large {
		sample, limit = len(all), 2*time.Minute
	}
	random := rand.New(rand.NewPCG(2026, 2))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s := fresh(t, 1024)
	confirmed, replies := 0, 0
	for _, c := range all {
		for n := 1; n <= 2; n++ {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			got := s.Solve(ctx, Question{Position: c.position, N: n})
			cancel()
			if got.Verdict == answer.Proved {
				e.confirm(t, c, n, got.Turn)
				confirmed++
				replies += e.replies.Len()
				break
			}
		}
		if confirmed == sample {
			break
		}
	}
	t.Logf("%d confirmed, %d replies met", confirmed, replies)
	if confirmed < sample*9/10 {
		t.Errorf("only %d of %d are proved", confirmed, sample)
	}
}

// falseClaims are the published wins in two that are none: the search says no.
var falseClaims = []string{"win-in-2/reduced/11778.txt", "win-in-2/big/08829.txt", "win-in-2/big/11255.txt"}

// TestPublishedFalseClaims disproves the false claims and confirms by enumeration
// that a first turn has a refutation: for a sample of first turns, or for all with
// the tag large.
func TestPublishedFalseClaims(t *testing.T) {
	var e enumeration
	var first arimaa.Generator
	s := fresh(t, 64)
	random := rand.New(rand.NewPCG(2026, 2))
	for _, file := range falseClaims {
		positions, err := arimaa.ReadPositions(file, published.Read(t, file))
		if err != nil {
			t.Fatal(err)
		}
		p := positions[0].Position
		if got := ask(s, Question{Position: p, N: 2}); got.Verdict != answer.Disproved {
			t.Errorf("%s: %v", file, got.Verdict)
		}
		n := first.Generate(&p)
		turns := random.Perm(n)
		if !boards.Large {
			turns = turns[:200]
		}
		e.wins, e.refutes = nil, nil
		for _, i := range turns {
			if _, refuted, over := e.refutation(first.Position(i, p.Side())); !refuted {
				t.Fatalf("%s: %v has no refutation (wins at once: %v)", file, first.Turn(i), over)
			}
		}
		t.Logf("%s: %d of %d first turns are refuted", file, len(turns), n)
	}
}
