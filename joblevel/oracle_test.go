package joblevel

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/require"
	"goalproof/tables/endgame"
)

// oracle answers questions from endgame tables: truly, as far as it says anything.
type oracle struct {
	t      testing.TB
	tables *endgame.Tables
	random *rand.Rand
	knows  float64 // how likely it says what it knows
}

// wins reports whether the side to move wins within n turns.
func (o *oracle) wins(p *arimaa.Position, n int) bool {
	v, ok := o.tables.Probe(&p.Board, p.Side())
	if !ok {
		o.t.Fatalf("no table knows %v", p)
	}
	least, wins := v.Win()
	return wins && least <= n
}

// keeps reports whether a turn that leads to a position keeps the mover's win within n turns.
func (o *oracle) keeps(after *arimaa.Position, n int) bool {
	attacker := after.Side().Other()
	if outcome := after.Board.Ended(attacker); outcome.Over() {
		return outcome.WonBy(attacker)
	}
	v, ok := o.tables.Probe(&after.Board, after.Side())
	if !ok {
		o.t.Fatalf("no table knows %v", after)
	}
	least, loses := v.Loss()
	return loses && least < n
}

// answer answers a question, by random how far.
func (o *oracle) answer(q *Question) (a Answer) {
	p, err := q.position()
	require.NoError(o.t, err)
	g := &arimaa.Generator{}
	turns := g.Generate(&p)
	if q.Whole() {
		switch {
		case q.N > 2 && o.random.Float64() > o.knows:
		case o.wins(&p, q.N):
			a.Win = o.winning(g, &p, q.N)
		default:
			a.Refuted = true
		}
		return a
	}
	if q.To > turns {
		o.t.Fatalf("%+v, of %d turns", q, turns)
	}
	a.To = q.From + 1 + o.random.IntN(q.To-q.From)
	for turn := q.From; turn < a.To; turn++ {
		after := g.Position(turn, p.Side())
		known := o.random.Float64() < o.knows
		switch keeps := o.keeps(&after, q.N); {
		case known && keeps && a.Win == 0:
			a.Win, a.Number = g.Turn(turn).Code(), turn
		case !known || keeps:
			a.Open = append(a.Open, Open{turn, o.random.IntN(3) == 0})
		}
	}
	if !a.settles(q) {
		a.Open[o.random.IntN(len(a.Open))].Hard = true
	}
	require.NoError(o.t, a.Check(q))
	return a
}

// winning returns the code of a turn that keeps a win.
func (o *oracle) winning(g *arimaa.Generator, p *arimaa.Position, n int) uint32 {
	for i := range g.Generate(p) {
		if after := g.Position(i, p.Side()); o.keeps(&after, n) {
			return g.Turn(i).Code()
		}
	}
	o.t.Fatalf("no turn wins %v within %d", p, n)
	return 0
}

// drawn returns a position without a win in one, and a number of turns that is hard to tell.
func (o *oracle) drawn(class endgame.Class) (arimaa.Position, int) {
	for {
		p, v := endings.Draw(o.t, o.tables, class, o.random)
		if p.CheckStart() != nil || v == endgame.WinIn(1) {
			continue
		}
		n := 2 + o.random.IntN(3)
		if least, wins := v.Win(); wins {
			n = max(2, least-o.random.IntN(2))
		}
		if n <= 5 {
			return p, n
		}
	}
}

// TestOracle has graphs take answers in random order, some of which are taken back. The
// verdict is the one of the tables; that of each node is true; the graph that is saved and read says
// the same, and so does one that never took what was taken back.
func TestOracle(t *testing.T) {
	tables, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(7, 1))
	tally := map[string]int{}
	for run := range boards.Sized(40, 4000) {
		o := &oracle{t, tables, random, []float64{0, 0.3, 0.9}[run%3]}
		p, n := o.drawn(classes[random.IntN(len(classes))])
		if o.knows == 0 { // all is asked, down to wins in two
			n = min(n, 3)
		}
		g, taken := o.decide(p, n, tally)
		if want := o.wins(&p, n); (g.Verdict() == answer.Proved) != want {
			t.Fatalf("%v: a win in %d is %v", p, n, g.Verdict())
		}
		tally[g.Verdict().String()]++
		o.checkNodes(g)
		again := New(p, n)
		random.Shuffle(len(taken), func(i, j int) { taken[i], taken[j] = taken[j], taken[i] })
		for _, x := range taken {
			again.Take(x.q, x.a)
		}
		again.Next() // what came before its node is looked at now
		require.NoError(t, again.Err())
		if again.Verdict() != g.Verdict() {
			t.Fatalf("%v: a win in %d is %v, and %v with the answers in another order", p, n, g.Verdict(), again.Verdict())
		}
		if read := o.reread(g); read.Verdict() != g.Verdict() {
			t.Fatalf("%v: a win in %d is %v, and %v when it is saved and read", p, n, g.Verdict(), read.Verdict())
		}
	}
	boards.ExpectAll(t, tally, "proved", "disproved", "taken back", "expanded after many tries")
}

// decide has a graph decided, and returns the answers that count.
func (o *oracle) decide(p arimaa.Position, n int, tally map[string]int) (*Graph, []answered) {
	g := New(p, n)
	var waiting []Question
	var taken []answered
	for steps := 0; g.Verdict() == answer.Unknown; steps++ {
		for len(waiting) < 6 {
			q, ok := g.Next()
			if !ok {
				break
			}
			if slices.ContainsFunc(waiting, func(w Question) bool { return w.name() == q.name() }) { // taken back while it was out
				break
			}
			waiting = append(waiting, q)
		}
		if len(waiting) == 0 || steps > 1e6 {
			o.t.Fatalf("after %d answers nothing is asked, and nothing is known of a win in %d at %v", steps, n, p)
		}
		i := o.random.IntN(len(waiting))
		q := waiting[i]
		waiting = slices.Delete(waiting, i, i+1)
		if o.random.IntN(50) == 0 && len(taken) > 0 && len(taken) < 200 {
			j := o.random.IntN(len(taken))
			g.Retract(taken[j].q)
			taken = slices.Delete(taken, j, j+1)
			tally["taken back"]++
		}
		a := o.answer(&q)
		g.Take(q, a)
		require.NoError(o.t, g.Err())
		taken = append(taken, answered{q, a})
	}
	whole := func(x answered) bool {
		return x.q.Whole() && x.q.N == n && bytes.Equal(x.q.Position, p.AppendPacked(nil)) && x.a.Refuted
	}
	if decided, turns, _ := g.Progress(); g.Verdict() == answer.Disproved && decided != turns && !slices.ContainsFunc(taken, whole) {
		o.t.Fatalf("%v is no win in %d, and %d of %d turns are refuted", p, n, decided, turns)
	}
	for i := range g.ands {
		if g.ands[i].n == 2 && g.ands[i].tries > mostTries {
			tally["expanded after many tries"]++
		}
	}
	return g, taken
}

// checkNodes checks the verdicts of all nodes, and the turns that win.
func (o *oracle) checkNodes(g *Graph) {
	for i := range g.ors {
		x := &g.ors[i]
		if x.verdict != answer.Unknown && (x.verdict == answer.Proved) != o.wins(&x.position, int(x.n)) {
			o.t.Fatalf("a win in %d at %v is %v", x.n, x.position, x.verdict)
		}
		if x.verdict == answer.Proved {
			if _, after, legal := x.position.Decode(x.win); !legal || !o.keeps(&after, int(x.n)) {
				o.t.Fatalf("a win in %d at %v begins with the turn %d", x.n, x.position, x.win)
			}
		}
	}
	for i := range g.ands {
		x := &g.ands[i]
		if x.verdict != answer.Unknown && (x.verdict == answer.Proved) != o.keeps(&x.position, int(x.n)+1) {
			o.t.Fatalf("after the turn to %v, %d turns left, a win is %v", x.position, x.n, x.verdict)
		}
	}
}

// TestCommon checks what two true answers have in common: it is an answer, says what both say and
// nothing else, and does not depend on their order but for what only one can say.
func TestCommon(t *testing.T) {
	tables, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(8, 1))
	tally := map[string]int{}
	for range boards.Sized(2000, 200000) {
		o := &oracle{t, tables, random, random.Float64()}
		p, n := o.drawn(classes[random.IntN(len(classes))])
		q := Question{Position: p.AppendPacked(nil), N: n, Effort: 1}
		if random.IntN(3) > 0 {
			turns := (&arimaa.Generator{}).Generate(&p)
			q.From = random.IntN(turns)
			q.To = min(turns, q.From+1+random.IntN(20))
		}
		a, b := o.answer(&q), o.answer(&q)
		both, agree := Common(&q, &a, &b)
		if !agree {
			t.Fatalf("%+v: %+v and %+v contradict each other", q, a, b)
		}
		other, _ := Common(&q, &b, &a)
		require.NoError(t, both.Check(&q))
		if both.Refuted != other.Refuted || (both.Win == 0) != (other.Win == 0) || both.Number != other.Number || both.To != other.To || !slices.Equal(both.Open, other.Open) {
			t.Fatalf("%+v: %+v in common, and %+v the other way round", q, both, other)
		}
		if both.Refuted != (a.Refuted && b.Refuted) || q.Whole() && (both.Win != 0) != (a.Win != 0 && b.Win != 0) {
			t.Fatalf("%+v: %+v and %+v have %+v in common", q, a, b, both)
		}
		for turn := q.From; turn < both.To; turn++ {
			says := func(a *Answer) (refuted bool) { return turn < a.To && a.open(turn) == nil && !a.wins(turn) }
			if says(&both) != (says(&a) && says(&b)) || both.wins(turn) != (a.wins(turn) && b.wins(turn)) {
				t.Fatalf("%+v, turn %d: %+v and %+v have %+v in common", q, turn, a, b, both)
			}
		}
		if same, agree := Common(&q, &a, &a); !agree || same.Win != a.Win || same.To != a.To || !slices.Equal(same.Open, a.Open) {
			t.Fatalf("%+v: %+v has %+v in common with itself", q, a, same)
		}
		if !q.Whole() && both.To > q.From && both.Win == 0 && len(both.Open) == 0 { // a lie about a turn
			lie := both
			lie.Win, lie.Number = 1, q.From
			if _, agree := Common(&q, &both, &lie); agree {
				t.Fatalf("%+v: %+v and %+v agree", q, both, lie)
			}
			tally["lies"]++
		}
		if both.Win != 0 { // what only one says is a turn that wins
			lie := both
			lie.Win++
			if less, agree := Common(&q, &lie, &both); !agree || less.Win != 0 || less.Refuted || !q.Whole() && less.open(both.Number) == nil {
				t.Fatalf("%+v: %+v and %+v have %+v in common", q, lie, both, less)
			}
			tally["wins"]++
		}
	}
	boards.ExpectAll(t, tally, "lies", "wins")
}
