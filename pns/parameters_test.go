package pns

import (
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
)

// variants are parameters that differ from the default ones in one thing, or in many.
var variants = []struct {
	name       string
	parameters Parameters
}{
	{"default", Defaults()},
	{"no killers", Parameters{}},
	{"delayed", Parameters{Evaluation: Delayed, Killers: 2}},
	{"mobility", Parameters{Start: Mobility, Killers: 2}},
	{"distance", Parameters{Start: Distance, Killers: 2}},
	{"widening", Parameters{Widening: 10, Killers: 2}},
	{"collected", Parameters{High: 20_000, Killers: 2}},
}

// TestParametersAsReferee compares the verdicts by parameters drawn at random with complete
// enumeration.
func TestParametersAsReferee(t *testing.T) {
	var g arimaa.Generator
	s := fresh(t, 4)
	tally := map[string]int{}
	drawings := rapid.OneOf(small(), jammed())
	boards.Check(t, 200, 2_000, func(t *rapid.T) {
		p := boards.Parse(t, drawings.Draw(t, "position"))
		err := s.Tune(Parameters{
			Evaluation: Evaluation(rapid.IntRange(0, 1).Draw(t, "evaluation")),
			Start:      Start(rapid.IntRange(0, 2).Draw(t, "start")),
			Widening:   rapid.IntRange(0, 4).Draw(t, "widening"),
			Killers:    rapid.IntRange(0, MaxKillers).Draw(t, "killers"),
			High:       rapid.SampledFrom([]int{0, 3_000}).Draw(t, "high"),
		})
		require.NoError(t, err)
		st := load.State(t, p)
		for n := 1; n <= 3 && work(&g, p, 1) <= affordable[n]; n++ {
			want := verdict(referee.WinIn(st, n))
			got := ask(s, Question{Position: p, N: n})
			if got.Verdict == answer.Unknown && got.Stop == answer.Memory {
				tally["memory is full"]++
				break
			}
			if got.Verdict != want {
				t.Fatalf("%v, %+v: a win in %d is %v, the referee says %v", p, s.parameters, n, got.Verdict, want)
			}
			tally[want.String()+" in "+string(rune('0'+n))]++
			if want == answer.Proved {
				checkWin(t, p, got.Turn, n, map[string]int{})
				break
			}
		}
	})
	boards.ExpectAll(t, tally, "proved in 1", "proved in 2", "disproved in 2", "disproved in 3")
}

// TestVariants answers fixed questions by several parameters: they change the way and never the
// verdict.
func TestVariants(t *testing.T) {
	for _, v := range variants {
		s := fresh(t, 64)
		require.NoError(t, s.Tune(v.parameters))
		changed := 0
		for _, f := range fixed[2:4] {
			got := ask(s, Question{Position: boards.Parse(t, f.board), N: f.n})
			if got.Verdict != f.verdict {
				t.Errorf("%s, %s: %v", v.name, f.name, got.Verdict)
			}
			if got.Nodes != f.nodes {
				changed++
			}
		}
		if (changed > 0) != (v.name != "default") {
			t.Errorf("%s: %d searches differ from those by default", v.name, changed)
		}
	}
}

// TestBadParameters checks that senseless parameters are refused and change nothing.
func TestBadParameters(t *testing.T) {
	s := fresh(t, 1)
	for _, p := range []Parameters{
		{Evaluation: Delayed + 1}, {Start: Distance + 1}, {Widening: -1}, {Killers: -1}, {Killers: MaxKillers + 1},
		{High: -1}, {High: 100, Low: -1}, {High: 100, Low: 91}, {Low: 1},
	} {
		if s.Tune(p) == nil || s.parameters != Defaults() {
			t.Errorf("%+v is accepted", p)
		}
	}
}

// TestFirstNumbers looks at what turns begin with.
func TestFirstNumbers(t *testing.T) {
	p := drawn(t, arimaa.Gold, `
		8 r.......
		3 ....R...
		1 R.......`)
	reply := p.EndTurn()
	for _, tt := range []struct {
		start           Start
		attack, defence [2]uint32
	}{
		{One, [2]uint32{1, 1}, [2]uint32{1, 1}},
		{Mobility, [2]uint32{1, 5}, [2]uint32{2, 1}}, // e3 three ways, a1 two; a8 two
		{Distance, [2]uint32{5, 3}, [2]uint32{5, 3}},
	} {
		s := fresh(t, 1)
		s.parameters.Start = tt.start
		s.attacker = arimaa.Gold
		for i, want := range [][2]uint32{tt.attack, tt.defence} {
			at := []*arimaa.Position{&p, &reply}[i]
			if pn, dn := s.initial(at, i == 1); [2]uint32{pn, dn} != want {
				t.Errorf("start %d, %v to move: %d and %d, want %v", tt.start, at.Side(), pn, dn, want)
			}
		}
	}
}

// TestKillers checks which options a level remembers, and in what order.
func TestKillers(t *testing.T) {
	var k killers
	one := &node{turns: 2, flags: 4}
	other := &node{turns: 2, flags: 4 | defends}
	a, b, c := arimaa.Option(1), arimaa.Option(2), arimaa.Option(3)
	for _, o := range []arimaa.Option{a, b, a, 0, c} {
		k.raise(one, o, 2)
	}
	if got := k.of(one, 2); got[0] != c || got[1] != a {
		t.Errorf("%v, want the last one first, and the one before it", got)
	}
	if got := k.of(other, 2); got[0] != 0 {
		t.Errorf("another level has %v", got)
	}
}

// TestProofTable learns the solved turns of a search and asks for them with as many turns, fewer
// and more. With a history it neither learns nor asks.
func TestProofTable(t *testing.T) {
	s := fresh(t, 4)
	s.evaluator = silent{}
	p := boards.Parse(t, fixed[0].board)
	for _, defender := range []bool{false, true} {
		for _, flag := range []uint8{proved, disproved} {
			for _, g := range []*arimaa.Game{nil, arimaa.NewGame(p, 2)} {
				s.begin(Question{Position: p, N: 3, Game: g})
				s.next = p
				side := uint8(0)
				if defender {
					s.next, side = p.EndTurn(), defends
				}
				s.learn(&node{board: p.Board, turns: 2, flags: side | flag | arimaa.StepsPerTurn})
				for turns, want := range map[uint8]answer.Verdict{1: answer.Unknown, 2: answer.Proved, 3: answer.Proved} {
					if flag == disproved {
						want = map[uint8]answer.Verdict{1: answer.Disproved, 2: answer.Disproved, 3: answer.Unknown}[turns]
					}
					if g != nil {
						want = answer.Unknown
						if s.facts.Get(s.next.Key()).Known() {
							t.Fatal("a fact is learned with a history")
						}
					}
					if got := s.evaluate(side, turns, line{}); got != want {
						t.Errorf("defender %v, flag %d, history %v, %d turns: %d, want %d", defender, flag, g != nil, turns, got, want)
					}
				}
			}
		}
	}
}
