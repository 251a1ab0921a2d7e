package arimaa_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/proof/referee"
)

// squares writes the 64 squares of a board in short form.
func squares(b arimaa.Board) string {
	s := arimaa.NewPosition(b, arimaa.Gold).String()
	return s[3:67]
}

func refereeSquares(b referee.Board) string {
	return referee.NewState(b, referee.Gold).Position()[3:67]
}

// outcome writes the end-of-turn table's answer.
func outcome(o arimaa.Outcome) string {
	if !o.Over() {
		return "not over"
	}
	return fmt.Sprintf("%c row %d", o.Winner.Letter(), o.Reason)
}

func refereeOutcome(b referee.Board, moved referee.Side) string {
	winner, reason, over := referee.Outcome(b, moved)
	if !over {
		return "not over"
	}
	return fmt.Sprintf("%v row %d", winner, reason)
}

// displacements returns every piece of a board with each direction, legal or not.
func displacements(b *arimaa.Board) (all []arimaa.Step) {
	for rest := b.Occupied(); rest != 0; rest = rest.Rest() {
		for d := arimaa.North; d <= arimaa.West; d++ {
			all = append(all, arimaa.NewStep(b.At(rest.First()), rest.First(), d))
		}
	}
	return all
}

// compare checks that two points of a turn are the same: the board, the steps that are legal, which
// alone can be played, whether the turn may end, and what the table says if it does.
func compare(t *rapid.T, s *arimaa.State, r referee.State) []string {
	if got, want := squares(s.Board), refereeSquares(r.Board); got != want {
		t.Fatalf("board %q, referee %q", got, want)
	}
	var got, want []string
	for _, step := range s.Steps(nil) {
		got = append(got, step.String())
	}
	for _, step := range r.Steps() {
		want = append(want, step.String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%v\nlegal steps (- referee, + arimaa):\n%s", s.Position, d)
	}
	for _, step := range displacements(&s.Board) {
		trial := *s
		if _, err := trial.Play(step); (err == nil) != slices.Contains(got, step.String()) || err != nil && trial != *s {
			t.Fatalf("%v: %v: %v", s.Position, step, err)
		}
	}
	if got, want := s.MayEnd() == nil, r.MayStop(); got != want {
		t.Fatalf("%v: the turn may end: %v, referee %v", s.Position, got, want)
	}
	for _, moved := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		if got, want := outcome(s.Ended(moved)), refereeOutcome(r.Board, referee.Side(moved)); got != want {
			t.Fatalf("%v after a turn of %v: %s, referee %s", s.Position, moved, got, want)
		}
	}
	if rebuilt := arimaa.NewPosition(s.Board, s.Side()); s.StepsLeft() == 4 && rebuilt.Key() != s.Key() {
		t.Fatalf("%v: the key kept up to date differs from the one made anew", s.Position)
	}
	return got
}

// TestTurnsAsReferee walks through turns on random positions with both implementations side by
// side.
func TestTurnsAsReferee(t *testing.T) {
	boards.Check(t, 2_000, 100_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		r, err := referee.ParsePosition(p.String())
		require.NoError(t, err)
		s := arimaa.NewState(p)
		for legal := compare(t, &s, r); len(legal) > 0; legal = compare(t, &s, r) {
			word := rapid.SampledFrom(legal).Draw(t, "step")
			step, err := notation.ParseStep(word)
			require.NoError(t, err)
			plain, err := referee.ParseStep(word)
			require.NoError(t, err)
			captured, err := s.Play(step)
			if err != nil {
				t.Fatalf("%v: %v", s.Position, err)
			}
			next, captures, err := r.Play(plain)
			require.NoError(t, err)
			var got, want []string
			for ; captured != 0; captured = captured.Rest() {
				got = append(got, captured.First().String())
			}
			for _, c := range captures {
				want = append(want, referee.SquareName(c.Square))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("captures by %s (- referee, + arimaa):\n%s", word, d)
			}
			r = next
		}
	})
}

// TestResultsAsReferee compares the distinct results of whole turns and of turns under way, each
// with the fewest steps that reach it.
func TestResultsAsReferee(t *testing.T) {
	var g arimaa.Generator
	boards.Check(t, 50, 3_000, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		p := boards.Parse(t, text)
		r, err := referee.ParsePosition(text)
		require.NoError(t, err)
		want := map[string]int{}
		for _, result := range referee.Results(r) {
			want[refereeSquares(result.Board)] = len(result.Turn)
		}
		got := map[string]int{}
		for i := range g.Generate(&p) {
			got[squares(*g.Board(i))] = g.Steps(i)
		}
		if !maps.Equal(want, got) { // the difference takes long
			d := cmp.Diff(want, got)
			t.Fatalf("%v: results with their steps (- referee, + arimaa):\n%s", p, strings.Join(strings.SplitN(d, "\n", 20)[:min(19, strings.Count(d, "\n"))], "\n"))
		}
		// The turns that reach them are legal and do reach them.
		for i := 0; i < g.Len(); i += 1 + g.Len()/50 {
			s := arimaa.NewState(p)
			turn := g.Turn(i)
			for j := range turn.Len() {
				if _, err := s.Play(turn.Step(j)); err != nil {
					t.Fatalf("%v: %v: %v", p, turn, err)
				}
			}
			if s.Board != *g.Board(i) || turn.Len() != g.Steps(i) || s.MayEnd() != nil {
				t.Fatalf("%v: %v does not reach the result it is given for", p, turn)
			}
			if after := g.Position(i, p.Side()); after != p.AfterTurn(turn) || after != arimaa.NewPosition(s.Board, p.Side().Other()) {
				t.Fatalf("%v: %v: the position after the turn differs", p, turn)
			}
		}
	})
}

// TestMirrored mirrors random positions, plays the same turns on both, and mirrors them back.
func TestMirrored(t *testing.T) {
	boards.Check(t, 30, 1_000, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		p, mirrored := boards.Parse(t, text), boards.Parse(t, boards.Mirror(text))
		if mirrored.Board != p.Board.Mirrored() {
			t.Fatalf("%v mirrored is %v", p, mirrored)
		}
		var g arimaa.Generator
		for i := range g.Generate(&p) {
			turn := g.Turn(i)
			if back := turn.Mirrored().Mirrored(); back != turn {
				t.Fatalf("%v, mirrored twice, is %v", turn, back)
			}
			if after, ok := mirrored.Try(turn.Mirrored()); !ok || after.Board.Mirrored() != *g.Board(i) {
				t.Fatalf("%v: %v mirrored leads to %v (%t)", p, turn, after, ok)
			}
		}
	})
}

// TestSwapped turns random positions over, and compares the squares of both.
func TestSwapped(t *testing.T) {
	boards.Check(t, 200, 2_000, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		p, swapped := boards.Parse(t, text), boards.Parse(t, boards.Swap(text))
		if swapped.Board != p.Board.Swapped() {
			t.Fatalf("%v swapped is %v", p, swapped)
		}
		for s := range arimaa.Square(64) {
			if p.Changed(&swapped.Board).Has(s) != (p.At(s) != swapped.At(s)) {
				t.Fatalf("%v and %v: %v", p, swapped, s)
			}
		}
	})
}
