package match

import (
	"path/filepath"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
)

// repeating is a match of players without chance that has two openings; in one Silver begins.
func repeating(games int) *Match {
	m := movers(3, games)
	first, second := m.Openings(0), m.Openings(1).Last()
	m.Openings = func(pair int) *arimaa.Game {
		if pair%2 == 0 {
			return first
		}
		return arimaa.NewGame(arimaa.NewPosition(second.Board, arimaa.Silver), 2)
	}
	return m
}

// TestRepeats checks that games that repeat others do not count, those with the colours exchanged
// do, and that it is the same when the match is interrupted between the games.
func TestRepeats(t *testing.T) {
	const games = 11
	var once Standing
	for _, err := range repeating(4).Run(t.Context(), &once) {
		require.NoError(t, err)
	}
	if once.Tally.Games() != 4 || once.Remark() != "" {
		t.Fatalf("%v, %q", once.Tally, once.Remark())
	}
	for _, parts := range [][]int{{-1}, {1, 5, 2, -1}} {
		dir := t.TempDir()
		for i, most := range parts {
			got := playRecorded(t, repeating(games), dir, most)
			if last := i == len(parts)-1; last && got != once.Tally {
				t.Errorf("%v: %v, want %v", parts, got, once.Tally)
			}
		}
		r, err := OpenRecords(dir, "a schedule", []string{"first", "second"}, "1s/0")
		require.NoError(t, err)
		s := r.Standing()
		if want := "11 games, 7 of them repeat others and do not count"; s.Tally != once.Tally || s.Remark() != want || s.Games() != games {
			t.Errorf("%v: %v, %q", parts, s.Tally, s.Remark())
		}
		require.NoError(t, r.Close())
		rows := strings.Split(read(t, filepath.Join(dir, archive)), "\n")[2:]
		for i := range games {
			if got, want := strings.Contains(rows[i], "; repeats game "+string(rune('1'+i%4))+", not counted\t"), i >= 4; got != want {
				t.Errorf("%v: game %d: %s", parts, i+1, rows[i])
			}
		}
	}
}

// TestSameTurns checks what makes two games the same: player and turns, and the position that they
// begin from.
func TestSameTurns(t *testing.T) {
	play := func(number int, board, turn string) Played {
		g := opening(t, board)
		require.NoError(t, notation.Play(g, turn))
		return newPlayed(2, number, Result{Game: g})
	}
	var s Standing
	for number, c := range []struct {
		board, turn string
		first       int
	}{
		{ahead, "Ed4n", 0}, {ahead, "Ed4n", 1}, {ahead, "Ed4s", 2}, {equal, "Ed4n", 3}, {ahead, "Ed4n", 0}, {equal, "Ed4n", 3}, {ahead, "Ed4s", 2},
	} {
		p := play(number, c.board, c.turn)
		if s.add(&p); p.First != c.first {
			t.Errorf("game %d repeats %d, want %d", number, p.First, c.first)
		}
	}
	if s.Tally != (Tally{2, 2}) || s.Repeats != 3 {
		t.Errorf("%v, %d repeat others", s.Tally, s.Repeats)
	}
}
