package pns

import (
	"context"
	"io"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
)

// TestAims compares aims within one and two turns with the definition by package referee, with
// immediate and delayed evaluation.
func TestAims(t *testing.T) {
	var g arimaa.Generator
	var yes, no [3]int
	solver, err := New(16 << 20)
	require.NoError(t, err)
	boards.Check(t, 20, 400, func(t *rapid.T) {
		p := boards.Parse(t, rapid.OneOf(boards.Few(2), boards.Few(4), boards.Position()).Draw(t, "position"))
		name := rapid.SampledFrom([]string{"capture", "capture=r", "capture=d", "capture@c3", "capture@f6", "capture=c@c6",
			"capture=h@f3", "rabbit=2", "rabbit=4", "rabbit=5", "rabbit=7"}).Draw(t, "aim")
		aim, err := goal.ParseAim(name)
		require.NoError(t, err)
		other := p.EndTurn()
		size, n := max(g.Generate(&p), g.Generate(&other)), 1
		if size > 2_000 {
			t.Skip("too large")
		}
		if size <= 150 {
			n = 2
		}
		st := load.State(t, p)
		want := enumeration.PlainAim(name).Results(st, n)
		parameters := Defaults()
		if rapid.Bool().Draw(t, "delayed") {
			parameters.Evaluation = Delayed
		}
		require.NoError(t, solver.Tune(parameters))
		r := solver.Solve(context.Background(), Question{Position: p, N: n, Aim: aim})
		if err := solver.Err(); err != nil || r.Verdict != map[bool]answer.Verdict{true: answer.Proved, false: answer.Disproved}[len(want) > 0] {
			t.Fatalf("%v, %v in %d: %v, %v; by the referee %d turns reach it", p, aim, n, r.Verdict, err, len(want))
		}
		if r.Verdict == answer.Proved && !want[load.State(t, p.AfterTurn(r.Turn)).Board] {
			t.Fatalf("%v, %v in %d: %v does not reach it", p, aim, n, r.Turn)
		}
		if len(want) > 0 {
			yes[n]++
		} else {
			no[n]++
		}
	})
	t.Logf("reached in 1 and 2 turns: %v; not: %v", yes[1:], no[1:])
	if yes[1] == 0 || yes[2] == 0 || no[1] == 0 || no[2] == 0 {
		t.Error("a kind of answer is missing")
	}
}

// TestAimsAlone refuses a game and a save, and answers about a win afterwards.
func TestAimsAlone(t *testing.T) {
	solver, err := New(1 << 20)
	require.NoError(t, err)
	p := boards.Parse(t, "g [r       R                                                       ]")
	solver.Solve(context.Background(), Question{Position: p, N: 1, Aim: goal.RabbitOn(6), Game: arimaa.NewGame(p, 2)})
	if solver.Err() == nil {
		t.Error("a game is taken for an aim")
	}
	if r := solver.Solve(context.Background(), Question{Position: p, N: 1, Aim: goal.RabbitOn(3)}); r.Verdict != answer.Proved && r.Verdict != answer.Disproved {
		t.Errorf("%v", r.Verdict)
	}
	if solver.Save(io.Discard) == nil {
		t.Error("the search is saved")
	}
	if r := solver.Solve(context.Background(), Question{Position: p, N: 1}); r.Verdict != answer.Proved || solver.Err() != nil {
		t.Errorf("a rabbit beside its goal: %v, %v", r.Verdict, solver.Err())
	}
}
