package aei

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/engine/player"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
)

// ranked is an engine that finds the first turn that is not excluded, with a score that falls.
type ranked struct{ turns []arimaa.Turn }

func (e *ranked) Forget() {}

func (e *ranked) Search(_ context.Context, _ *arimaa.Game, l engine.Limits, _ func(engine.Report)) (engine.Report, error) {
	for i, turn := range e.turns {
		if !slices.Contains(l.Exclude, turn) {
			return engine.Report{Turn: turn, Line: []arimaa.Turn{turn}, Score: 100 - i, Depth: l.Depth, Nodes: 10}, nil
		}
	}
	return engine.Report{}, engine.ErrNoTurn
}

// TestMultiPV checks the lines of several variations, the best one last, and that the best turn is
// played.
func TestMultiPV(t *testing.T) {
	c := config(&fake{t: t})
	c.New = func(player.Settings) (player.Player, error) {
		e := &ranked{}
		for _, turn := range []string{"Ee2n", "Md2n", "Ha2n"} {
			e.turns = append(e.turns, turns(t, mustPosition(t), turn)...)
		}
		return e, nil
	}
	session := controlWith(t, &fake{t: t}, c)
	session.send("setoption name multipv value 2", "setoption name depth value 1", inOpening, "setoption name multipv value 0")
	session.expect(`log Error: setoption: multipv: "0": not between 1 and 100`)
	session.send("go")
	best, before := session.expect("bestmove ")
	group := func(line, nodes int, score, pv string) []string {
		return []string{
			fmt.Sprintf("info multipv %d", line), "info depth 1", "info time 0", fmt.Sprintf("info nodes %d", nodes),
			"info score " + score, "info pv " + pv,
		}
	}
	want := append(group(2, 20, "99", "Md2n"), group(1, 10, "100", "Ee2n")...)
	if got := before[max(len(before)-len(want), 0):]; best != "bestmove Ee2n" || !slices.Equal(got, want) {
		t.Errorf("%s after %q, want %q", best, before, want)
	}
	session.quit()
}

// prover answers go mate.
type prover struct {
	ranked
	answer solve.Answer
	err    error
	asked  chan int
}

func (e *prover) Prove(ctx context.Context, _ *arimaa.Game, n int) (solve.Answer, error) {
	e.asked <- n
	if e.answer.Verdict == answer.Unknown {
		<-ctx.Done()
	}
	return e.answer, e.err
}

// TestMate checks the answers to go mate, and that it has no other limit than stop.
func TestMate(t *testing.T) {
	g, err := notation.ReadGame("", "1g Ee2 Cc2 Rh1\n1s ea8 dd7 rg8\n2g")
	require.NoError(t, err)
	p := g.Last()
	var line []solve.Ply
	at := p
	for _, turn := range turns(t, p, "Ee2n", "dd7s", "Rh1n") {
		line = append(line, solve.Ply{Before: at, Turn: turn})
		at, _ = at.Try(turn)
	}
	proved := func(within, refuted int) solve.Answer {
		return solve.Answer{Verdict: answer.Proved, Bounds: answer.Bounds{Within: within, Refuted: refuted}, Line: line, Nodes: 7}
	}
	for _, test := range []struct {
		answer solve.Answer
		err    error
		want   []string
	}{
		{proved(2, 1), nil, []string{
			"info time 0", "info nodes 7", fmt.Sprint("info score ", engine.WinScore(2)), "info pv Ee2n s dd7s g Rh1n",
			"log proved: win in 2", "bestmove Ee2n",
		}},
		{proved(3, 1), nil, []string{
			"info time 0", "info nodes 7", fmt.Sprint("info score ", engine.WinScore(3)), "info pv Ee2n s dd7s g Rh1n",
			"log proved: win in at most 3", "bestmove Ee2n",
		}},
		{solve.Answer{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 4}}, nil, []string{
			"info time 0", "info nodes 0", "log disproved: no win in 4 (the third repetition set aside)", "bestmove none",
		}},
		{solve.Answer{Bounds: answer.Bounds{Refuted: 2}}, nil, []string{
			"info time 0", "info nodes 0",
			"log unknown: no win in 4 is proved or disproved; there is none in 2 (the third repetition set aside)", "bestmove none",
		}},
		{solve.Answer{Verdict: answer.Disproved}, errors.New("a contradiction"), []string{"log Error: go: a contradiction"}},
	} {
		e := &prover{ranked{}, test.answer, test.err, make(chan int, 1)}
		out, err := serve(t, e, "setoption name tcmove value 0.001\nsetposition "+p.String()+"\ngo mate 4\nstop\nquit\n")
		require.NoError(t, err)
		text := strings.TrimSuffix(out, "log Error: stop: no search is running\n") // if the answer came before
		got := strings.Split(strings.TrimSpace(text), "\n")[len(opened):]
		if d := cmp.Diff(test.want, got); d != "" {
			t.Error(d)
		}
		if n := <-e.asked; n != 4 {
			t.Errorf("asked for a win in %d", n)
		}
	}
	e := &prover{ranked{}, proved(1, 0), nil, make(chan int, 1)}
	out, err := serve(t, e, "go mate 2\n"+inOpening+"\ngo mate\ngo mate 0\ngo mate x\ngo mate 1 2\ngo infinite 3\nquit\n")
	require.NoError(t, err)
	if n := strings.Count(out, "log Error: go: "); n != 6 || strings.Contains(out, "bestmove") {
		t.Errorf("%d of 6 refused\n%s", n, out)
	}
	if got, err := converse(t, &fake{t: t}, "aei\n"+inOpening+"\ngo mate 2\n"); err != nil || got[len(opened)] != "log Error: go: mate: this engine proves nothing" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestInfinite checks that go infinite has no limits and answers at stop alone.
func TestInfinite(t *testing.T) {
	c := control(t, &fake{t: t})
	c.send("setoption name depth value 4", "setoption name nodes value 9", "setoption name tcmove value 0.001", inOpening, "go infinite")
	c.expect("info depth 3")
	c.send("isready")
	if _, before := c.expect("readyok"); slices.ContainsFunc(before, isBest) {
		t.Fatalf("a bestmove without stop: %q", before)
	}
	c.send("stop")
	c.expect("bestmove ")
	c.quit()
	if asked := c.fake.asked(); len(asked) != 1 || !cmp.Equal(asked[0].limits, engine.Limits{}, cmp.AllowUnexported(arimaa.Turn{})) {
		t.Errorf("%+v", asked)
	}
}
