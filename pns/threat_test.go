package pns

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
)

// later plays an option of each side, up to a number of times, and returns the position, with the
// same side to move at the start of its turn. The board is settled then; ok is false if somebody
// has won or cannot move.
func later(t *rapid.T, p arimaa.Position, most int) (q arimaa.Position, ok bool) {
	for range 2 * rapid.IntRange(1, most).Draw(t, "rounds") {
		options := p.Options(nil)
		if len(options) == 0 {
			return p, false
		}
		side := p.Side()
		p = p.After(rapid.SampledFrom(options).Draw(t, "option")).EndTurn()
		if p.Ended(side).Over() {
			return p, false
		}
	}
	return p, true
}

// TestThreat looks for threats on boards that come after the one on which the turn won. Where a
// threat says that the turn wins it is legal there and wins; and where it wins by anything but a
// goal the threat says so.
func TestThreat(t *testing.T) {
	var d goal.Detector
	tally := map[string]int{}
	boards.Check(t, 5_000, 100_000, func(t *rapid.T) {
		p, ok := later(t, boards.Parse(t, boards.Position().Draw(t, "position")), 1)
		if !ok {
			return
		}
		turn, ok := d.CanWin(&p, &p.Board)
		if !ok {
			return
		}
		threat := newThreat(&p, turn)
		if !threat.wins(&p) {
			t.Fatalf("%v wins at %v, the threat says no", turn, p)
		}
		q, ok := later(t, p, 4)
		if !ok {
			return
		}
		after, legal := q.Try(turn)
		wins := legal && after.Ended(q.Side()).Over() && after.Ended(q.Side()).Winner == q.Side()
		got := threat.wins(&q)
		if got && !wins || wins && !got && threat.zone == 0 {
			t.Fatalf("%v wins at %v; at %v that is %v, the threat says %v", turn, p, q, wins, got)
		}
		switch {
		case threat.zone == 0:
			tally["no goal"]++
		case got:
			tally["wins again"]++
		case wins:
			tally["missed"]++
		default:
			tally["wins no more"]++
		}
	})
	boards.ExpectAll(t, tally, "no goal", "wins again", "wins no more")
}

// TestPlayable asks on other boards, that differ in a few pieces, for the options of a position.
func TestPlayable(t *testing.T) {
	tally := map[bool]int{}
	boards.Check(t, 3_000, 50_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		q, ok := later(t, p, 3)
		if !ok {
			return
		}
		legal := q.Options(nil)
		for _, o := range p.Options(nil) {
			want := slices.Contains(legal, o)
			if playable(&q, o) != want {
				t.Fatalf("%v from %v at %v: playable is %v", o, p, q, !want)
			}
			tally[want]++
		}
	})
	t.Log(tally)
	if tally[true] == 0 || tally[false] == 0 {
		t.Error("every option is playable, or none")
	}
}
