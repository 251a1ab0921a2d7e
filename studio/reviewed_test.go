package studio

import (
	"context"
	"errors"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/enumeration"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
	"goalproof/review"
	"goalproof/solve"
)

// raceGame is a short game in which Gold misses a goal and Silver does not.
var raceGame = Study{Position: "Ra2 Eb2 rh7 eg7 g",
	Turns: []string{"Eb2n", "eg7s", "Ra2n Ra3n", "rh7s rh6s", "Ra4n Ra5n", "eg6s", "Eb3n", "rh5s rh4s rh3s rh2s"}}

// TestReviewData compares what a review says to be proved, as data, with package referee, and its
// other fields with the page of the review.
func TestReviewData(t *testing.T) {
	s := quietServer(t, Options{})
	study := raceGame
	r := &reviewRequest{Study: &study, Name: "race", WinIn: 1, searching: searching{resources: resources{Threads: 1}}}
	j, err := r.submit(s)
	require.NoError(t, err)
	await(t, s, j.ID, isDone)
	v, err := s.queue.reviewed(j.ID)
	require.NoError(t, err)
	p, err := raceGame.read()
	require.NoError(t, err)
	g := p.game
	if !v.Complete || len(v.Positions) != g.Len()+1 || v.Review.Game != "race" || len(v.Review.Turns) != g.Len()+1 || len(v.Moments) == 0 {
		t.Fatalf("%+v", v)
	}
	won, open := 0, 0
	for i, shown := range v.Positions {
		at := g.Position(i)
		if !shown.Examined || shown.Label != g.Label(i) || shown.Side != at.Side().String() || shown.Chance == nil {
			t.Errorf("position %d: %+v", i, shown)
			continue
		}
		if i == g.Len() {
			if shown.Played != "" || shown.Proved.Side != "silver" || shown.Within != 0 || *shown.Chance != 0 {
				t.Errorf("the end: %+v", shown)
			}
			continue
		}
		if shown.Played != at.Notation(g.Turn(i)) {
			t.Errorf("position %d: %+v", i, shown)
		}
		if proved := shown.Proved.Side != ""; proved != (*shown.Chance == 0 || *shown.Chance == 1) || proved != (shown.Facts != "") && !strings.Contains(shown.Facts, "threatens") {
			t.Errorf("position %d: %+v", i, shown)
		}
		switch state := load.State(t, at); shown.Proved.Side {
		case "":
			open++
			if referee.WinIn(state, 1) {
				t.Errorf("position %d: a win in 1 is overlooked", i)
			}
		case shown.Side:
			won++
			if shown.Within > 2 || !referee.WinIn(state, shown.Within) {
				t.Errorf("position %d: %+v", i, shown)
			}
		default:
			if !enumeration.Loses(state, shown.Within) {
				t.Errorf("position %d: %+v", i, shown)
			}
		}
	}
	if won == 0 || open == 0 {
		t.Errorf("a win is proved at %d positions, and nothing at %d: the comparison is empty", won, open)
	}
	for _, m := range v.Moments {
		if at := v.Positions[m.Position]; !at.Moment || m.Says != at.Remark || m.Says == "" || m.Label != at.Label || m.Sign != at.Sign {
			t.Errorf("%+v, and the position is %+v", m, at)
		}
	}
	if at := v.Positions[6]; at.Sign == "" || at.Better != 0 || !strings.Contains(at.Others[0].Worth, "wins in 1") || !at.Moment {
		t.Errorf("a win in 1 is missed: %+v", at)
	}
	play := &playRequest{position: position{Study: &Study{Position: openingPosition}}, timed: timed{0.01}}
	other, err := play.submit(s)
	require.NoError(t, err)
	_, wrong := s.queue.reviewed(other.ID)
	_, gone := s.queue.reviewed("x")
	if !errors.Is(wrong, errNoReview) || !errors.Is(gone, errNoJob) {
		t.Errorf("%v, %v", wrong, gone)
	}
}

// TestReviewGrows reads a review while it runs, and interrupts it: what it has found stays, and of
// the other positions it says nothing.
func TestReviewGrows(t *testing.T) {
	s := quietServer(t, Options{})
	p, err := raceGame.read()
	require.NoError(t, err)
	v, q := unreviewed(p.game), s.queue
	for i := range v.Positions {
		if at := &v.Positions[i]; at.Examined || at.Chance != nil || at.Proved != (review.Proved{}) || at.Sign != "" || at.Better != -1 || at.Label == "" {
			t.Errorf("before the review: %+v", at)
		}
	}
	solver, err := solve.New(solve.Options{Memory: 8 << 20, Threads: 1})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	const examined = 3
	o := review.Options{WinIn: 2, Limit: answer.Limit{Nodes: 100_000}}
	q.followReview(v, &o)
	o.Progress = func(done, total int) {
		for i := range v.Positions {
			if at := &v.Positions[i]; done <= examined && at.Examined != (i >= total-done) {
				t.Errorf("after %d of %d: %+v", done, total, at)
			}
		}
		if done == examined {
			stop()
		}
	}
	r, err := review.Game(ctx, []*solve.Solver{solver}, review.NewRecord("race", p.game), o)
	require.NoError(t, err)
	chance := 0.25
	v.Positions[0].Chance = &chance // as if the engine had come so far
	before := v.Positions[len(v.Positions)-2]
	q.finish(v, r)
	if !v.Complete || !v.Review.Interrupted || v.Review.Examined != examined || *v.Positions[0].Chance != chance {
		t.Errorf("%+v %+v", v, v.Review)
	}
	for i := range v.Positions {
		if at := &v.Positions[i]; at.Examined != (i >= len(v.Positions)-examined) {
			t.Errorf("at the end: %+v", at)
		}
	}
	if after := v.Positions[len(v.Positions)-2]; before.Proved.Side != arimaa.Silver.String() || after.Proved != before.Proved {
		t.Errorf("%+v was %+v", after, before)
	}
}
