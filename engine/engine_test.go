package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine/evaluation"
	"goalproof/internal/testkit/boards"
)

// example reads a position of the examples.
func example(t *testing.T, name string) arimaa.Position {
	t.Helper()
	text, err := os.ReadFile("../examples/" + name)
	require.NoError(t, err)
	diagrams, err := notation.ReadPositions(name, string(text))
	require.NoError(t, err)
	return diagrams[0].Position
}

// TestProved checks that forced wins are reported as proved with the probe, and not without it.
func TestProved(t *testing.T) {
	for name, turns := range map[string]int{"win-in-2.txt": 2, "win-in-3.txt": 3} {
		p := example(t, name)
		r := search(t, newEngine(t, Options{}), p, Limits{Time: 20 * time.Second})
		if r.Win != turns || r.Score < Won {
			t.Errorf("%s: win in %d, score %d", name, r.Win, r.Score)
		}
		if r := search(t, newEngine(t, Options{Without: Probe}), p, Limits{Depth: 4}); r.Win != 0 {
			t.Errorf("%s: proved a win in %d without the probe", name, r.Win)
		}
	}
}

// TestLossIsProved lets the engine search after the first turn of a forced win: the other side is
// reported as lost in one turn less, unless the turn is another one, the probe is switched off, or
// a position has occurred twice.
func TestLossIsProved(t *testing.T) {
	for name, turns := range map[string]int{"win-in-2.txt": 1, "win-in-3.txt": 2} {
		p := example(t, name)
		e := newEngine(t, Options{})
		winning := search(t, e, p, Limits{Time: 20 * time.Second}).Turn
		lost := p.AfterTurn(winning)
		r := search(t, e, lost, Limits{Depth: 4})
		if after, ok := lost.Try(r.Turn); r.Loss != turns || !ok || after.Ended(lost.Side()).Over() {
			t.Errorf("%s: lost in %d, turn %v", name, r.Loss, r.Turn)
		}
		if r := search(t, e, lost, Limits{Depth: 4, Exclude: []arimaa.Turn{r.Turn}}); r.Loss != 0 {
			t.Errorf("%s: asked whether the other turns lose", name)
		}
		if r := search(t, newEngine(t, Options{Without: Probe}), lost, Limits{Depth: 4}); r.Loss != 0 {
			t.Errorf("%s: a loss in %d without the probe", name, r.Loss)
		}
		g := arimaa.NewGame(lost, 2)
		if n := e.probeLoss(t.Context(), newRun(g, Limits{}), g); n != turns {
			t.Errorf("%s: lost in %d", name, n)
		}
		step, err := notation.ParseStep("Ra1n")
		require.NoError(t, err)
		held := p.AfterTurn(arimaa.Turn{}.With(step))
		if _, legal := p.Try(arimaa.Turn{}.With(step)); legal {
			if r := search(t, e, held, Limits{Depth: 4}); r.Loss != 0 {
				t.Errorf("%s: lost in %d after an idle turn", name, r.Loss)
			}
		}
	}
}

// TestProvedWithHistory checks that there is no probe if a position of the game has occurred twice:
// a proof might then repeat one for the third time.
func TestProvedWithHistory(t *testing.T) {
	p := boards.Parse(t, "g [    r                      R            e                   E   ]")
	e := newEngine(t, Options{})
	g := arimaa.NewGame(p, 2)
	if _, n := e.probe(t.Context(), newRun(g, Limits{}), g); n != 1 {
		t.Fatalf("win in %d", n)
	}
	for _, text := range []string{"Ee1n", "ea3n", "Ee2s", "ea4s"} {
		step, err := notation.ParseStep(text)
		require.NoError(t, err)
		require.NoError(t, g.Play(arimaa.Turn{}.With(step)))
	}
	if _, n := e.probe(t.Context(), newRun(g, Limits{}), g); n != 0 {
		t.Errorf("win in %d, where a position has occurred twice", n)
	}
	if r, err := e.Search(t.Context(), g, Limits{Depth: 4}, nil); err != nil || r.Score < Won || r.Win != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestGameOver searches a game that is over.
func TestGameOver(t *testing.T) {
	p := boards.Parse(t, "s [  R                           e                                 ]")
	if _, err := newEngine(t, Options{}).Search(t.Context(), arimaa.NewGame(p, 2), Limits{Depth: 2}, nil); !errors.Is(err, ErrNoTurn) {
		t.Error(err)
	}
}

// TestInterrupted stops searches at random moments: each returns a legal turn.
func TestInterrupted(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	e := newEngine(t, Options{Threads: 2})
	p := play(t, random, [2]player{&mover{random: random}, &mover{random: random}}, 20).Last()
	for range boards.Sized(12, 80) {
		ctx, cancel := context.WithCancel(t.Context())
		wait := time.Duration(random.IntN(20_000)) * time.Microsecond
		time.AfterFunc(wait, cancel)
		r, err := e.Search(ctx, arimaa.NewGame(p, 2), Limits{}, nil)
		require.NoError(t, err)
		if _, ok := p.Try(r.Turn); !ok {
			t.Fatalf("%v: the turn %v is illegal", p, r.Turn)
		}
		cancel()
	}
}

// TestReports checks that reports are consistent, that their lines are legal, and that limits are
// kept.
func TestReports(t *testing.T) {
	for threads := 1; threads <= 3; threads++ {
		t.Run(fmt.Sprint(threads), func(t *testing.T) { testReports(t, threads) })
	}
}

func testReports(t *testing.T, threads int) {
	depth := boards.Sized(5, 6)
	random := rand.New(rand.NewPCG(2, 1))
	p := play(t, random, [2]player{&mover{random: random}, &mover{random: random}}, 30).Last()
	e := newEngine(t, Options{Without: Probe, Threads: threads})
	var last Report
	seen := 0
	r, err := e.Search(t.Context(), arimaa.NewGame(p, 2), Limits{Depth: depth}, func(r Report) {
		seen++
		if r.Depth < last.Depth || r.Nodes < last.Nodes || r.Time < last.Time || len(r.Line) == 0 || r.Line[0] != r.Turn {
			t.Errorf("%+v after %+v", r, last)
		}
		if from, before := turnFrom(r), turnFrom(last); from < before || from == before && r.Score < last.Score {
			t.Errorf("%+v after %+v: worse", r, last)
		}
		at := p
		for _, turn := range r.Line {
			next, ok := at.Try(turn)
			if !ok {
				t.Fatalf("%v: the turn %v of the line %v is illegal", at, turn, r.Line)
			}
			at = next
		}
		last = r
	})
	if err != nil || seen < depth || r.Depth != depth || r.Deeper || r.Turn != last.Turn {
		t.Errorf("%d reports, last %+v, result %+v, %v", seen, last, r, err)
	}
	limited, err := e.Search(t.Context(), arimaa.NewGame(p, 2), Limits{Nodes: 3000}, nil)
	if most := uint64(3000 + 512*threads); err != nil || limited.Nodes > most {
		t.Errorf("%d nodes where 3,000 were allowed, %v", limited.Nodes, err)
	}
}

// turnFrom returns the depth at which the turn of a report was found.
func turnFrom(r Report) int {
	if r.Deeper {
		return r.Depth + 1
	}
	return r.Depth
}

// TestSameNodes checks that a search after Forget is deterministic.
func TestSameNodes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	e := newEngine(t, Options{Without: Probe})
	for range 2 {
		p := play(t, random, [2]player{&mover{random: random}, &mover{random: random}}, 40).Last()
		e.Forget()
		first := search(t, e, p, Limits{Depth: 6})
		e.Forget()
		second := search(t, e, p, Limits{Depth: 6})
		if first.Nodes != second.Nodes || first.Turn != second.Turn || first.Score != second.Score {
			t.Errorf("%v: %+v, then %+v", p, first, second)
		}
	}
}

// TestPartNames reads back the names of the parts.
func TestPartNames(t *testing.T) {
	all := Part(0)
	for _, name := range partNames {
		p, err := parsePart(name)
		if err != nil || p.String() != name || all&p != 0 {
			t.Errorf("%s: %v, %v", name, p, err)
		}
		all |= p
	}
	if all != allParts {
		t.Errorf("the names are those of %v", all)
	}
	if _, err := parsePart("nothing"); err == nil {
		t.Error("no error")
	}
}

// TestExclude searches the best turn, the second best and so on, with and without forced wins: each
// leads to another position, and wins are proved.
func TestExclude(t *testing.T) {
	for text, wins := range map[string]int{"Rh7 Rc5 Ec2 ef3 rd8 g": 2, "Ra1 Eh8 ea2 rd8 g": 0} {
		p, e, l := boards.Parse(t, text), newEngine(t, Options{}), Limits{Depth: 3}
		seen := map[arimaa.Position]bool{}
		for i := range 6 {
			r := search(t, e, p, l)
			after, _ := p.Try(r.Turn)
			if seen[after] {
				t.Errorf("%v: %v again", p, r.Turn)
			}
			seen[after] = true
			if i < wins && r.Win != 1 || wins == 0 && r.Win != 0 {
				t.Errorf("%v: turn %d, %v: win in %d", p, i, r.Turn, r.Win)
			}
			l.Exclude = append(l.Exclude, r.Turn)
		}
	}
}

// TestVary switches techniques and features off by name, and sets weights.
func TestVary(t *testing.T) {
	var o Options
	require.NoError(t, o.Vary("horizon,trap-control killers, material frame=-0.5"))
	want := evaluation.Learned().Weights()
	want[evaluation.TrapControl], want[evaluation.Material], want[evaluation.Frame] = 0, 0, -0.5
	if o.Without != Horizon|Killers || *o.Weights != want {
		t.Errorf("%v, %v", o.Without, *o.Weights)
	}
	o = Options{}
	require.NoError(t, o.Vary("frame=0,network"))
	want = evaluation.Default
	want[evaluation.Frame] = 0
	if o.Without != Network || *o.Weights != want {
		t.Errorf("%v, %v", o.Without, *o.Weights)
	}
	for _, bad := range []string{"nothing", "nothing=1", "killers=1", "frame=", "frame=NaN", "frame=1e9"} {
		name, _, _ := strings.Cut(bad, "=")
		if err := o.Vary("killers, " + bad); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
