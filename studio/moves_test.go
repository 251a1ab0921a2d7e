package studio

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// TestMoves takes random turns apart, and compares the steps and the squares with package referee.
// Some of the steps are already made, as in a turn under way.
func TestMoves(t *testing.T) {
	tally := map[string]int{}
	boards.Check(t, 300, 5000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		state := load.State(t, p)
		steps, after := "", 0
		var want []Move
		from, to := map[int]int{}, map[int]int{} // where a piece is now, by where it was when the first step was shown, and the reverse
		shows := rapid.IntRange(0, 3).Draw(t, "steps made")
		for range 4 {
			all := state.Steps()
			if len(all) == 0 {
				break
			}
			step := rapid.SampledFrom(all).Draw(t, "step")
			next, captures, err := state.Play(step)
			require.NoError(t, err)
			steps += step.String() + " "
			move := Move{From: referee.SquareName(step.From), To: referee.SquareName(step.To), Piece: string(step.Piece), Kind: "step", Captured: []Capture{}}
			if (step.Piece >= 'a') != (state.Side == referee.Silver) {
				move.Kind = "pull"
				if next.Unfinished() {
					move.Kind = "push"
				}
			}
			tally[move.Kind]++
			for _, c := range captures {
				move.Captured = append(move.Captured, Capture{referee.SquareName(c.Square), string(c.Piece)})
				tally["capture"]++
			}
			state = next
			if after++; after <= shows {
				continue
			}
			want = append(want, move)
			first, ok := to[step.From]
			if !ok {
				first = step.From
			}
			delete(to, step.From)
			to[step.To], from[first] = first, step.To
			for _, c := range captures {
				if first, ok := to[c.Square]; ok {
					delete(to, c.Square)
					from[first] = -1
				}
			}
		}
		shows = min(shows, after)
		turn := func(text string) arimaa.Turn {
			s := arimaa.NewState(p)
			turn, err := playSteps(&s, text)
			require.NoError(t, err)
			return turn
		}
		whole := turn(steps)
		var made, shown arimaa.Turn
		for i := range whole.Len() {
			if i < shows {
				made = made.With(whole.Step(i))
			} else {
				shown = shown.With(whole.Step(i))
			}
		}
		got := movesOf("2g", p, shown, made)
		all := Moves{Label: "2g", Turn: got.Turn, From: []string{}, To: []string{}, Steps: append([]Move{}, want...)}
		for first, now := range from {
			all.From = append(all.From, referee.SquareName(first))
			if now >= 0 {
				all.To = append(all.To, referee.SquareName(now))
			}
		}
		slices.Sort(all.From)
		slices.Sort(all.To)
		if diff := cmp.Diff(&all, got); diff != "" {
			t.Errorf("%v, %q after %q (-want +got):\n%s", p, shown, made, diff)
		}
		if made.Len() == 0 && got.Turn != p.Notation(shown) {
			t.Errorf("%q is written as %q", shown, got.Turn)
		}
	})
	boards.ExpectAll(t, tally, "step", "push", "pull", "capture")
}

// TestLastTurn checks which turn a view shows as the last one, and what it counts as captured.
func TestLastTurn(t *testing.T) {
	s := &Server{}
	view := func(study Study, show string) *View {
		p, err := study.read()
		require.NoError(t, err)
		v, err := s.view(p, looks{Show: show})
		require.NoError(t, err)
		return v
	}
	start := Study{Position: "Ra1 Ed4 rd5 rh8 g"}
	if v := view(start, ""); v.Last != nil || v.Shown != nil {
		t.Errorf("nothing was played: %+v, %+v", v.Last, v.Shown)
	}
	if v := view(start, "rd5n Ed4n"); v.Last != nil || v.Shown.Turn != "rd5n Ed4n" || v.Shown.Steps[0].Kind != "push" {
		t.Errorf("shown: %+v", v.Shown)
	}
	start.Steps = "rd5w"
	if v := view(start, "Ed4n"); v.Last.Turn != "rd5w" || v.Last.Label != "2g" || v.Shown.Turn != "Ed4n" || len(v.Shown.Steps) != 1 {
		t.Errorf("a turn under way: %+v, %+v", v.Last, v.Shown)
	}
	start.Turns, start.Steps = []string{"rd5w Ed4n", "rh8s"}, ""
	if v := view(start, ""); v.Last.Turn != "rh8s" || v.Last.Label != "2s" || v.Shown != nil {
		t.Errorf("the last turn: %+v", v.Last)
	}
	for position, want := range map[string]Captured{
		"g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]": {"", ""},
		"g [rrrrrrr dhc mchd                                DHC ECH RRRRRRRR]": {"MD", "er"},
		"g [rrrrrrrrdhcemchd                E               DHCMECHDRRRRRRR ]": {"", ""}, // two elephants
	} {
		p, err := notation.ParsePosition(position)
		require.NoError(t, err)
		if got := captured(&p.Board); got != want {
			t.Errorf("%s: %+v, want %+v", position, got, want)
		}
	}
}
