package dfpns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/published/games"
	"goalproof/pns"
)

// says is the answer of one of the two solvers about a win in n: for a yes, with a first turn.
type says func(p arimaa.Position, n int) (answer.Verdict, arimaa.Turn)

// pair is both solvers, who are asked the same questions. The memory of pns, in nodes, limits the
// work: positions that it does not decide with that are left out, so that every run compares the
// same ones.
type pair struct {
	dfpns, pns says
	tally      map[string]int
}

func newPair(t testing.TB, mebibytes uint64) *pair {
	fast, slow := newSolver(1<<20, 2), best(t, mebibytes)
	return &pair{
		dfpns: func(p arimaa.Position, n int) (answer.Verdict, arimaa.Turn) {
			r := ask(t, fast, p, n)
			return r.Verdict, r.Turn
		},
		pns: func(p arimaa.Position, n int) (answer.Verdict, arimaa.Turn) {
			r := slow.Solve(context.Background(), pns.Question{Position: p, N: n})
			return r.Verdict, r.Turn
		},
		tally: map[string]int{},
	}
}

// agree asks both for wins in up to deepest turns, until there is one, and reports whether pns
// decides about all of them.
func (b *pair) agree(t *testing.T, name string, p arimaa.Position, deepest int) bool {
	t.Helper()
	for n := 1; n <= deepest; n++ {
		slow, slowTurn := b.pns(p, n)
		if slow == answer.Unknown {
			b.tally[fmt.Sprintf("unknown in %d", n)]++
			return false
		}
		b.tally[fmt.Sprintf("%v in %d", slow, n)]++
		fast, fastTurn := b.dfpns(p, n)
		if fast != slow {
			first := slowTurn
			if fast == answer.Proved {
				first = fastTurn
			}
			t.Fatalf("%s: %v: a win in %d: dfpns says %v, pns says %v: %s", name, p, n, fast, slow, b.settle(p, n, first))
		}
		if slow == answer.Proved {
			break
		}
	}
	return true
}

// settle finds out who is wrong about a win in n that one of the two sees in a first turn. From
// that turn it goes down to a reply about which they differ as well, until two turns are left,
// which are enumerated.
func (b *pair) settle(p arimaa.Position, n int, first arimaa.Turn) string {
	after, ok := p.Try(first)
	if !ok {
		return fmt.Sprintf("at %v the first turn %v is not legal", p, first)
	}
	wrong := func(keeps bool, why string) string {
		if keeps {
			return fmt.Sprintf("the no is wrong: at %v %v wins in %d, %s", p, first, n, why)
		}
		return fmt.Sprintf("the yes is wrong: at %v %v does not win in %d, %s", p, first, n, why)
	}
	if o := after.Board.Ended(p.Side()); o.Over() || n == 1 {
		return wrong(o.Over() && o.Winner == p.Side(), "as the board after it shows")
	}
	if n == 2 {
		return wrong((&enumeration.Enumeration{}).Forces(&after), "as all replies show")
	}
	var replies arimaa.Generator
	for i := range replies.Generate(&after) {
		next := replies.Position(i, after.Side())
		if o := next.Board.Ended(after.Side()); o.Over() {
			if o.Winner == after.Side() {
				return wrong(false, fmt.Sprintf("%v wins first", replies.Turn(i)))
			}
			continue
		}
		fast, fastTurn := b.dfpns(next, n-1)
		slow, slowTurn := b.pns(next, n-1)
		switch {
		case fast == answer.Unknown || slow == answer.Unknown:
			return fmt.Sprintf("who is wrong depends on a win in %d at %v, and it is not decided", n-1, next)
		case fast == answer.Proved && slow == answer.Disproved:
			return b.settle(next, n-1, fastTurn)
		case fast == answer.Disproved && slow == answer.Proved:
			return b.settle(next, n-1, slowTurn)
		case fast == answer.Disproved:
			return wrong(false, fmt.Sprintf("both refute it by %v", replies.Turn(i)))
		}
	}
	return wrong(true, "both say after all replies")
}

// TestSettle lets one of the two lie about positions of known truth: the other one is found right.
func TestSettle(t *testing.T) {
	b := newPair(t, 64)
	two, three, none := load.Example(t, "win-in-2.txt"), load.Example(t, "win-in-3.txt"), load.Example(t, "no-win-in-2.txt")
	_, winsTwo := b.pns(two, 2)
	_, winsThree := b.pns(three, 3)
	var turns arimaa.Generator
	after := three.AfterTurn(winsThree)
	turns.Generate(&after)
	inside := turns.Position(0, after.Side())
	quiet := turns.Turn(turns.Generate(&none) - 1)
	honest := b.dfpns
	for _, tt := range []struct {
		name  string
		p     arimaa.Position
		n     int
		first arimaa.Turn
		lie   answer.Verdict
		at    arimaa.Position // where dfpns lies
		want  string
	}{
		{"a win in two is denied", two, 2, winsTwo, answer.Disproved, two, "the no is wrong"},
		{"a win in three is denied", three, 3, winsThree, answer.Disproved, three, "the no is wrong"},
		{"a win in three is denied after a reply", three, 3, winsThree, answer.Disproved, inside, "the no is wrong: at " + inside.String()},
		{"a win in two is made up", none, 2, quiet, answer.Proved, none, "the yes is wrong"},
		{"a win in three is made up", none, 3, quiet, answer.Proved, none, "both refute it"},
		{"a win in three has a first turn of another position", none, 3, winsThree, answer.Proved, none, "not legal"},
	} {
		b.dfpns = func(p arimaa.Position, n int) (answer.Verdict, arimaa.Turn) {
			if p == tt.at {
				return tt.lie, tt.first
			}
			return honest(p, n)
		}
		if got := b.settle(tt.p, tt.n, tt.first); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// ending draws a position of 3 to 8 pieces, a rabbit of each side among them, that a game may lead
// to. Most rabbits are in their own half: else nearly all endings are won in one.
func ending(t testing.TB, random *rand.Rand) arimaa.Position {
	for {
		pieces := []byte("EMHHDDCCRRRRRRRemhhddccrrrrrrr")
		random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		squares := []byte(strings.Repeat(" ", 64))
		places := random.Perm(64)
		for i, piece := range append([]byte("Rr"), pieces[:1+random.IntN(6)]...) {
			at := places[i]
			if ahead := at < 32; (piece == 'R' && ahead || piece == 'r' && !ahead) && random.IntN(4) > 0 {
				at = 63 - at
			}
			squares[at] = piece
		}
		p := boards.Parse(t, string("gs"[random.IntN(2)])+" ["+string(squares)+"]")
		if n := p.Occupied().Len(); n >= 3 && n <= 8 && p.Unusual() == nil { // two may meet on a square
			return p
		}
	}
}

// TestEndingsAsPNS compares the two searches on random endings, the same in every run, for up to
// four turns: on so many that both decide.
func TestEndingsAsPNS(t *testing.T) {
	alone(t)
	endings := boards.Sized(5, 2_000)
	b := newPair(t, 8)
	random := rand.New(rand.NewPCG(2026, 9))
	decided, drawn := 0, 0
	for ; decided < endings && drawn < 2*endings; drawn++ {
		if b.agree(t, fmt.Sprintf("ending %d", drawn), ending(t, random), 4) {
			decided++
		}
	}
	t.Logf("%d of %d endings are decided by both", decided, drawn)
	if decided < endings {
		t.Errorf("only %d of %d endings are decided", decided, drawn)
	}
	answers := []string{"proved in 1", "proved in 2", "proved in 3", "disproved in 1", "disproved in 2", "disproved in 3", "disproved in 4"}
	if boards.Deep {
		answers = append(answers, "proved in 4")
	}
	boards.ExpectAll(t, b.tally, answers...)
}

// TestPublishedAsPNS compares the two searches on the published positions and those of the
// published games: on some of them.
func TestPublishedAsPNS(t *testing.T) {
	alone(t)
	sets := []struct {
		name      string
		positions []arimaa.Position
		deepest   int    // turns
		mebibytes uint64 // for pns
		every     int
	}{
		{"won in two", nil, 2, 64, 20},
		{"puzzles", nil, 3, 64, 1},
		{"goals this turn", nil, 3, 4, 40},
		{"endings", nil, 4, 64, 1},
		{"perft", nil, 2, 16, 5},
		{"games", games.Positions(t), 2, 2, 600},
	}
	for _, c := range load.Claims(t, load.WinsInTwo) {
		sets[0].positions = append(sets[0].positions, c.Position)
	}
	for _, c := range load.Claims(t, load.Puzzles) {
		sets[1].positions = append(sets[1].positions, c.Position)
	}
	for i, names := range [][]string{{"goal-this-turn/composed.tsv", "goal-this-turn/from-games.tsv"}, {"endings.tsv"}, {"perft.tsv"}} {
		for _, name := range names {
			for _, row := range published.Rows(t, name) {
				sets[2+i].positions = append(sets[2+i].positions, boards.Parse(t, row[0]))
			}
		}
	}
	for _, set := range sets {
		b := newPair(t, set.mebibytes)
		every := boards.Sized(4*set.every, (set.every+9)/10)
		asked, decided := 0, 0
		for i := 0; i < len(set.positions); i += every {
			p := set.positions[i]
			if p.Board.Ended(p.Side().Other()).Over() {
				continue // nobody asks
			}
			if asked++; b.agree(t, fmt.Sprintf("%s, %d", set.name, i), p, set.deepest) {
				decided++
			}
		}
		t.Logf("%s: %d of %d are decided by both: %v", set.name, decided, asked, b.tally)
		if asked == 0 || decided == 0 {
			t.Errorf("%s: %d asked, %d decided", set.name, asked, decided)
		}
	}
}
