package dfpns

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/zobrist"
)

// TestPoints enters points into tables of several sizes.
func TestPoints(t *testing.T) {
	for _, bytes := range []uint64{0, 128, 1000, 1 << 14} {
		p := newPoints(bytes)
		if size := uint64(len(p.words)) * 16; size > max(bytes, 128) || size+16 <= bytes {
			t.Errorf("%d bytes for %d", size, bytes)
		}
		a := zobrist.Key{Lo: 12345 << 40, Hi: 8 * 777}
		b := zobrist.Key{Lo: a.Lo + 1, Hi: a.Hi} // takes the same place
		for steps := range 5 {
			if p.has(a, steps) || p.has(zobrist.Key{}, steps) {
				t.Errorf("%d bytes: an empty table refutes %d steps", bytes, steps)
			}
		}
		p.put(a, 2)
		p.put(a, 1) // less than what is known
		for steps := range 5 {
			if got := p.has(a, steps); got != (steps <= 2) {
				t.Errorf("%d bytes: %d steps refuted: %t, but 2 were entered", bytes, steps, got)
			}
		}
		if p.has(b, 1) || p.has(zobrist.Key{Lo: a.Lo, Hi: a.Hi + 1}, 1) || p.has(pointKey(a, arimaa.Silver), 1) {
			t.Errorf("%d bytes: another key is refuted", bytes)
		}
		p.put(b, 1)
		if p.has(a, 1) || !p.has(b, 1) || p.has(b, 2) {
			t.Errorf("%d bytes: the later entry has not replaced the earlier one", bytes)
		}
		if p.put(a, 0); p.has(a, 0) || !p.has(b, 1) {
			t.Errorf("%d bytes: an entry without steps has replaced one with a step", bytes)
		}
		p.at(b)[1].Store(b.Hi + 1) // as if another worker were writing
		if p.has(b, 1) {
			t.Errorf("%d bytes: half of an entry counts", bytes)
		}
		p.put(b, 1)
		p.clear()
		if p.has(b, 1) {
			t.Errorf("%d bytes: an entry is left after clear", bytes)
		}
		p.put(a, 0)
		if p.put(b, 0); p.has(a, 0) || !p.has(b, 0) || p.has(b, 1) {
			t.Errorf("%d bytes: of two entries without steps not the later one is there", bytes)
		}
		if p.put(a, 1); !p.has(a, 1) || p.has(b, 0) {
			t.Errorf("%d bytes: an entry with a step has not replaced one without", bytes)
		}
	}
}

// TestPointsAreTrue refutes wins in 2 of random endings, as the search for a win in 3 does after
// each turn of the attacker, and compares what the table then says of the points of these turns
// with listing: of all boards within so many steps, itself included, none forces a win. A turn may
// pass by the board at which another one starts; there are boards among them that the attacker
// would win by standing still, while no turn wins.
func TestPointsAreTrue(t *testing.T) {
	alone(t)
	endings := boards.Sized(40, 2000)
	random := rand.New(rand.NewPCG(2026, 24))
	tally := map[string]int{}
	positions := []arimaa.Position{
		boards.Parse(t, "g [            r      rR                                           ]"),
		boards.Parse(t, "s [                        r   r   R   R                           ]"),
		boards.Parse(t, "g [                                              rR      R         ]"),
	}
	for range endings {
		positions = append(positions, ending(t, random))
	}
	for _, p := range positions {
		s := newSolver(8<<20, 1)
		w := s.workers[0]
		_, done := s.begin(context.Background())
		defer done()
		if _, wins := w.detector.CanWin(&p, &p.Board); wins {
			continue
		}
		verdict, _ := w.winInTwo(&p, &s.turns)
		if verdict != answer.Disproved {
			tally["won"]++
			continue
		}
		stays := p.EndTurn()
		if w.forces(&stays) {
			tally["wins by standing still"]++
		}
		tally["refuted"]++
		var points, near arimaa.Generator
		points.Generate(&p)
		for i := -1; i < points.Len(); i++ {
			at := p
			if i >= 0 {
				at = points.Position(i, p.Side())
				at = arimaa.NewPosition(at.Board, p.Side())
				if random.IntN(8) > 0 {
					continue
				}
			}
			for steps := range arimaa.StepsPerTurn + 1 {
				if !w.points.has(pointKey(at.PiecesKey(), p.Side()), steps) {
					continue
				}
				tally[fmt.Sprintf("%d steps", steps)]++
				stays := at.EndTurn()
				if w.forces(&stays) {
					t.Fatalf("%v: the board is refuted with %d steps, but it forces a win", at, steps)
				}
				if steps == 0 {
					continue
				}
				from := at.WithStepsLeft(steps)
				for j := range near.Generate(&from) {
					if after := near.Position(j, p.Side()); w.forces(&after) {
						t.Fatalf("%v: %d steps are refuted, but %v forces a win", at, steps, near.Turn(j))
					}
				}
			}
		}
	}
	boards.ExpectAll(t, tally, "won", "refuted", "wins by standing still", "0 steps", "1 steps", "2 steps", "3 steps", "4 steps")
}

// TestPointsAreShared refutes a win in 3 with the table and with one of a single entry, which takes
// several times as many nodes.
func TestPointsAreShared(t *testing.T) {
	p := boards.Parse(t, "g [      r                  D        eR     H                  R   ]")
	nodes := func(bytes uint64) uint64 {
		s := newSolver(16<<20, 1)
		s.tables.points = newPoints(bytes)
		s.workers[0].points = s.tables.points
		r := ask(t, s, p, 3)
		if r.Verdict != answer.Disproved {
			t.Fatalf("%v: a win in 3 is %v", p, r.Verdict)
		}
		return r.Nodes
	}
	with, without := nodes(8<<20), nodes(0)
	t.Logf("%d nodes with the table, %d without", with, without)
	if 2*with > without {
		t.Errorf("%d nodes with the table, %d without", with, without)
	}
}

// TestPointsAreAboutWins asks for captures before wins in three that begin with a quiet turn, with
// the same tables. What does not lead to a capture may lead to a win.
func TestPointsAreAboutWins(t *testing.T) {
	for _, board := range []string{
		"s [   h   r                        R d   c                R  R     ]",
		"s [ r           r                      R         R                 ]",
	} {
		p := boards.Parse(t, board)
		s := newSolver(8<<20, 1)
		for _, aim := range []string{"capture=e", "capture", "capture=h@c3", "rabbit=2"} {
			a, err := goal.ParseAim(aim)
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			if _, err := s.Solve(ctx, Question{Position: p, N: 3, Aim: a}); err != nil {
				t.Fatal(err)
			}
			cancel()
			if s.tables.points.used.Load() {
				t.Errorf("%v, %s: points were entered", p, aim)
			}
		}
		if r := ask(t, s, p, 3); r.Verdict != answer.Proved {
			t.Errorf("%v: a win in 3 is %v after questions about other aims", p, r.Verdict)
		}
	}
}
