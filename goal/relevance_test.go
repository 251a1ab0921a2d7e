package goal

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestRelevanceZone lists, where the side that is not to move threatens to win, all turns of the
// other side. After each one that changes no square of the threat's relevance zone, the same turn
// must be legal and win. That is the whole of what the search for defences takes from such squares.
func TestRelevanceZone(t *testing.T) {
	var d Detector
	var g arimaa.Generator
	positions := rapid.OneOf(boards.Position(), boards.Few(6))
	threats, same, narrow, immobile := 0, 0, 0, 0
	boards.Check(t, 1_200, 60_000, func(t *rapid.T) {
		p := boards.Parse(t, positions.Draw(t, "position"))
		attack := p.EndTurn()
		if !regular(&attack, &attack.Board) {
			return
		}
		turn, wins := d.CanWin(&attack, &attack.Board)
		if !wins {
			return
		}
		zone, wins := RelevanceZone(&attack, turn)
		if !wins {
			t.Fatalf("%v: %v is a win, but has no relevance zone", attack, turn)
		}
		threats++
		won, side := attack, attack.Side()
		if turn.Len() > 0 {
			won, _ = attack.Try(turn)
		}
		if won.Rabbits(side)&arimaa.GoalRank(side) == 0 && won.Rabbits(side.Other()) != 0 {
			immobile++
			if zone != arimaa.Everywhere {
				t.Fatalf("%v: %v makes the opponent immobile, and its zone is %x alone", attack, turn, uint64(zone))
			}
		}
		if zone.Len() < 12 {
			narrow++
		}
		for i := range g.Generate(&p) {
			after := g.Position(i, p.Side())
			if changed(&p.Board, &after.Board)&zone != 0 || after.Board.Ended(p.Side()).Over() {
				continue
			}
			same++
			end, legal := after.Try(turn)
			if !legal {
				t.Fatalf("%v has the zone %x; after %v it is not legal", turn, uint64(zone), after)
			}
			if o := end.Board.Ended(after.Side()); !o.Over() || o.Winner != after.Side() {
				t.Fatalf("%v has the zone %x; after %v it does not win", turn, uint64(zone), after)
			}
		}
	})
	t.Logf("%d threats, %d of them have a zone of fewer than 12 squares, %d make immobile; %d replies leave them alone", threats, narrow, immobile, same)
	if immobile == 0 {
		t.Error("no threat to make immobile")
	}
}

// TestGoalRelevanceZone takes turns that end with a goal to other boards, which agree on their
// relevance zones and elsewhere have what another board has. Where nobody has won and no trap holds
// an undefended piece, the turn must be legal and make the goal.
func TestGoalRelevanceZone(t *testing.T) {
	var d Detector
	positions := rapid.OneOf(boards.Position(), boards.Few(6))
	same := 0
	boards.Check(t, 2_000, 60_000, func(t *rapid.T) {
		p := boards.Parse(t, positions.Draw(t, "position"))
		found, turn := d.Goal(&p, &p.Board)
		if n, ok := found.Steps(); !ok || n == 0 || !regular(&p, &p.Board) {
			return
		}
		other := boards.Parse(t, positions.Draw(t, "other"))
		zone, _ := RelevanceZone(&p, turn)
		for s := range arimaa.Square(64) {
			if zone.Has(s) {
				other.Put(s, p.At(s))
			}
		}
		q := arimaa.NewPosition(other.Board, p.Side())
		if !regular(&q, &q.Board) {
			return
		}
		same++
		if end, legal := q.Try(turn); !legal || end.Rabbits(p.Side())&arimaa.GoalRank(p.Side()) == 0 {
			t.Fatalf("%v has the zone %x at %v; at %v it makes no goal", turn, uint64(zone), p, q)
		}
	})
	t.Logf("%d goals on other boards", same)
	if same == 0 {
		t.Error("no goal leads to another board")
	}
}

// TestSameCourse replays random turns on other boards, which agree on the zone and elsewhere have
// what chance puts there. Where no trap holds an undefended piece, the turn must be legal and lead
// to the same pieces on the zone.
func TestSameCourse(t *testing.T) {
	t.Parallel()
	draws := boards.Sized(40_000, 2_000_000)
	random := rand.New(rand.NewPCG(3, 4))
	same := 0
	var options []arimaa.Option
	for range draws {
		p := gathered(random)
		var turn arimaa.Turn
		for next := p; next.StepsLeft() > 0; {
			if options = next.Options(options[:0]); len(options) == 0 {
				break
			}
			o := options[random.IntN(len(options))]
			next, turn = next.After(o), turn.WithOption(o)
		}
		b, zone := p.Board, arimaa.Bitboard(0)
		if turn.Len() == 0 || !replay(&b, arimaa.Gold, &turn, &zone) || b == p.Board {
			continue // a push that replay takes for a pull, or no turn
		}
		other := p.Board
		for range 1 + random.IntN(4) {
			s := among(^zone, random)
			other.Put(s, arimaa.Empty)
			if random.IntN(2) == 0 {
				other.Put(s, anyPiece(arimaa.Side(random.IntN(2)), s, random))
			}
		}
		if other.Undefended() != 0 {
			continue
		}
		same++
		q := arimaa.NewPosition(other, arimaa.Gold)
		if _, legal := q.Try(turn); !legal {
			t.Fatalf("%v has the zone %x at\n%v\nbut is not legal at\n%v", turn, uint64(zone), p, q)
		}
		if !replay(&other, arimaa.Gold, &turn, new(arimaa.Bitboard)) || changed(&b, &other)&zone != 0 {
			t.Fatalf("%v has the zone %x at\n%v\nbut leads to something else at\n%v", turn, uint64(zone), p, q)
		}
	}
	t.Logf("%d of %d turns replayed", same, draws)
	if same < draws/10 {
		t.Error("too few")
	}
}

// changed returns the squares on which two boards differ.
func changed(a, b *arimaa.Board) (squares arimaa.Bitboard) {
	for s := range arimaa.Square(64) {
		if a.At(s) != b.At(s) {
			squares |= s.Set()
		}
	}
	return squares
}
