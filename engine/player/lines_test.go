package player_test

import (
	"context"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/player"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

func game(t *testing.T, text string) *arimaa.Game {
	t.Helper()
	return arimaa.NewGame(boards.Parse(t, text), 2)
}

func newEngine(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.Options{Threads: 1, Memory: 16 << 20})
	require.NoError(t, err)
	return e
}

// results counts the positions after a turn, and those of them in which the side that moved has
// won.
func results(g *arimaa.Game) (all, won map[arimaa.Board]bool) {
	all, won = map[arimaa.Board]bool{}, map[arimaa.Board]bool{}
	p := g.Last()
	var turns arimaa.Generator
	for i := range turns.Generate(&p) {
		after := g.At(g.Len())
		if after.Play(turns.Turn(i)) != nil {
			continue
		}
		all[*turns.Board(i)] = true
		if o := after.Outcome(); o.Over() && o.Winner == p.Side() {
			won[*turns.Board(i)] = true
		}
	}
	return all, won
}

// TestLines compares the lines with all turns, by enumeration: as many as asked for or as there
// are, to different positions, the wins in one first and no others proved as such. Every report is
// a state between.
func TestLines(t *testing.T) {
	for _, text := range []string{
		"g [         R           r                                          ]",
		"g [         RH                rr              C                    ]",
		"s [                                  e     d      R    r           ]",
		"g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]",
	} {
		g := game(t, text)
		all, won := results(g)
		for _, n := range []int{1, 3, len(won) + 2} {
			n = min(n, 12)
			reports := 0
			lines, err := player.Lines(t.Context(), newEngine(t), g, engine.Limits{Depth: 3}, n, func(lines []engine.Report) {
				reports++
				if len(lines) == 0 || len(lines) > n {
					t.Errorf("%s: %d lines reported", text, len(lines))
				}
			})
			if err != nil || len(lines) != min(n, len(all)) || reports < len(lines) {
				t.Fatalf("%s: %d lines of %d in %d reports, %v", text, len(lines), n, reports, err)
			}
			p := g.Last()
			seen := map[arimaa.Board]bool{}
			for i, r := range lines {
				after, ok := p.Try(r.Turn)
				if !ok || !all[after.Board] || seen[after.Board] {
					t.Errorf("%s: line %d, %s, is illegal or comes twice", text, i+1, p.Notation(r.Turn))
				}
				seen[after.Board] = true
				if now := r.Win == 1; now != won[after.Board] || now != (i < len(won)) {
					t.Errorf("%s: line %d, %s: a win now: %v, by enumeration %v of %d", text, i+1, p.Notation(r.Turn), now, won[after.Board], len(won))
				}
				if i > 0 && lines[i-1].Win == 0 && r.Score > lines[i-1].Score {
					t.Errorf("%s: line %d is better than the one before", text, i+1)
				}
			}
		}
	}
}

// TestLinesLimits checks the ends of a search: the nodes, the time, an interruption before it
// begins, an end of the game.
func TestLinesLimits(t *testing.T) {
	g := game(t, "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	ignore := func([]engine.Report) {}
	lines, err := player.Lines(t.Context(), newEngine(t), g, engine.Limits{Nodes: 5000}, 3, ignore)
	if err != nil || len(lines) != 3 || lines[0].Nodes > 6000 {
		t.Errorf("nodes: %d lines, %v", len(lines), err)
	}
	begun := time.Now()
	lines, err = player.Lines(t.Context(), newEngine(t), g, engine.Limits{Time: 100 * time.Millisecond}, 2, ignore)
	if err != nil || len(lines) != 2 || time.Since(begun) > 10*time.Second {
		t.Errorf("time: %d lines after %v, %v", len(lines), time.Since(begun), err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if lines, err = player.Lines(done, newEngine(t), g, engine.Limits{}, 3, ignore); err != nil || len(lines) == 0 {
		t.Errorf("interrupted: %d lines, %v", len(lines), err)
	}
	over := game(t, "g [R                                              r                ]")
	if _, err = player.Lines(t.Context(), newEngine(t), over, engine.Limits{}, 3, ignore); err == nil {
		t.Error("lines of a game that is over")
	}
}

// TestLinesLost checks that a proved loss is told of every line at every depth.
func TestLinesLost(t *testing.T) {
	g := game(t, "g [                                        C       R      r        ]")
	_, err := player.Lines(t.Context(), newEngine(t), g, engine.Limits{Depth: 5}, 3, func(lines []engine.Report) {
		for i, r := range lines {
			if r.Loss != 1 {
				t.Errorf("line %d of %d: a loss within %d", i+1, len(lines), r.Loss)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}
