package review_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/review"
)

// TestFindings makes findings of facts that are given: each says no more than its fact, above all
// whether a win may take fewer turns.
func TestFindings(t *testing.T) {
	r := exampleGame(t)
	g := r.Game
	turn := g.Turn(0)
	for _, refuted := range []int{1, 2} { // of a win in 3
		win := review.Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 3, Refuted: refuted}}
		exact := refuted == 2
		for _, c := range []struct {
			mark          review.Mark
			before, after review.Fact // whether the side to move wins
			gives         int
			stops         review.Stops
			want          string
		}{
			{review.Misses, win, review.Fact{}, 0, review.Stops{}, fmt.Sprintf("first-win 3 %t, misses 3 %[1]t", exact)},
			{review.Delays, win, review.Fact{}, 0, review.Stops{}, fmt.Sprintf("first-win 3 %t, delays 3 %[1]t", exact)},
			{review.ThrowsAway, win, win, 3, review.Stops{}, fmt.Sprintf("first-win 3 %t, throws-away 3 %[1]t", exact)},
			{review.Unclear, win, review.Fact{}, 0, review.Stops{}, fmt.Sprintf("first-win 3 %t", exact)},
			{review.Keeps, win, review.Fact{}, 0, review.Stops{}, fmt.Sprintf("first-win 3 %t", exact)},
			{review.Loses, review.Fact{}, win, 3, review.Stops{}, fmt.Sprintf("loses 3 %t, first-win 3 %[1]t after", exact)},
			{review.Allows, review.Fact{}, win, 3, review.Stops{}, fmt.Sprintf("allows 3 %t, first-win 3 %[1]t after", exact)},
			{review.Open, review.Fact{}, win, 3, review.Stops{}, fmt.Sprintf("first-win 3 %t after", exact)},
			{review.Allows, review.Fact{}, win, 3, review.Stops{Hold: 1, Turns: 9, Simplest: turn},
				fmt.Sprintf("allows 3 %t, only-defence 3 %[1]t, first-win 3 %[1]t after", exact)},
			{review.Open, review.Fact{}, win, 3, review.Stops{Hold: 1, Turns: 9, Undecided: 1}, fmt.Sprintf("first-win 3 %t after", exact)},
			{review.Open, review.Fact{}, win, 3, review.Stops{Hold: 2, Turns: 9}, fmt.Sprintf("first-win 3 %t after", exact)},
		} {
			v := review.Review{Record: r, WinIn: 3, Standings: make([]review.Standing, g.Len()+1), Judgements: make([]review.Judgement, g.Len())}
			v.Standings[0].Win, v.Standings[1].Win = c.before, c.after
			if c.before.Proved() {
				v.Standings[0].Turn = turn
				v.Standings[1].Win = review.Fact{}
				if c.mark == review.ThrowsAway {
					v.Standings[1].Win = review.Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 3, Refuted: 3 - refuted}}
				}
			}
			v.Judgements[0] = review.Judgement{Mark: c.mark, Gives: c.gives, Stops: c.stops}
			said := ""
			for _, f := range v.Findings() {
				if said != "" {
					said += ", "
				}
				said += fmt.Sprintf("%s %d %t", f.Kind, f.Turns, f.Exact)
				p := g.Position(f.At)
				if f.Side != p.Side() || f.At > 1 {
					t.Errorf("%v: %+v is not about the side to move", c.mark, f)
				}
				if f.At == 1 {
					said += " after"
				}
			}
			if diff := cmp.Diff(c.want, said); diff != "" {
				t.Errorf("%v (-want +said):\n%s", c.mark, diff)
			}
		}
	}
	v := review.Review{Record: r, Standings: make([]review.Standing, g.Len()+1), Judgements: make([]review.Judgement, g.Len())}
	// A game is decided by the win that is proved there, however long it went on.
	position := g.Position(4)
	for _, at := range []int{4, 5} {
		for _, c := range []struct {
			within, refuted int
			exact           bool
		}{{3, 2, true}, {3, 1, false}, {0, 0, true}} {
			v.Decision = &review.Decision{Winner: position.Side(), From: at, Last: -1, Turns: 7}
			win := review.Fact{Verdict: answer.Proved, Bounds: answer.Bounds{Within: c.within, Refuted: c.refuted}}
			v.Standings[at] = review.Standing{Loss: win}
			if at == 4 {
				v.Standings[at] = review.Standing{Win: win}
			}
			want := review.Finding{Kind: review.IsDecided, At: at, Side: position.Side(), Turns: c.within, Exact: c.exact}
			if got := v.Findings(); len(got) == 0 || got[len(got)-1] != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			v.Standings[at] = review.Standing{}
		}
	}
	// A mover who ends the game to his opponent's win gives one that takes no turns, no "at most".
	v.Decision, v.Judgements[0] = nil, review.Judgement{Mark: review.Allows}
	v.Standings[1].Win = review.Fact{Verdict: answer.Proved}
	if got := v.Findings(); len(got) != 1 || got[0].Kind != review.IsAllowed || got[0].Turns != 0 || !got[0].Exact {
		t.Errorf("%+v", got)
	}
}
