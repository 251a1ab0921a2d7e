package main

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// written returns an archive of so many games that begin as the published ones.
func written(t *testing.T, games int) []byte {
	t.Helper()
	a := archive{seed: 7}
	dir := filepath.Join(published.Dir(t), "games")
	require.NoError(t, a.read([]string{filepath.Join(dir, "archive-2026.tsv"), filepath.Join(dir, "archive-2002.tsv")}))
	if len(a.origins) != 103 || a.unread != 2 {
		t.Errorf("%d games are read and %d are not, want 103 and 2", len(a.origins), a.unread)
	}
	var out bytes.Buffer
	require.NoError(t, a.write(&out, games))
	return out.Bytes()
}

// TestArchive reads an archive back: all games are legal, their rows say what the board says and
// leave nothing out, and some have the turns of another one and other players.
func TestArchive(t *testing.T) {
	const games = 600
	text := string(written(t, games))
	records, err := notation.ReadArchive("many.tsv", text)
	require.NoError(t, err)
	if len(records) != games {
		t.Fatalf("%d games, want %d", len(records), games)
	}
	turns, copies, byBoard := 0, 0, 0
	first := map[string]*notation.Record{} // by the turns
	for i, r := range records {
		g, err := r.Game()
		require.NoError(t, err)
		turns += g.Len()
		if g.Len() > longest || r.ID != "many-7-"+strconv.Itoa(i+1) || r.Gold == r.Silver {
			t.Errorf("game %s of %d turns between %s and %s", r.ID, g.Len(), r.Gold, r.Silver)
		}
		if g.Outcome().Over() {
			byBoard++
		}
		if got, want := (notation.Result{Result: r.Result, Termination: r.Termination}), notation.ResultOf(g, r.Tags()); got != want || len(r.Notes) > 0 {
			t.Errorf("game %s ends %+v, want %+v; notes %v", r.ID, got, want, r.Notes)
		}
		checkDetails(t, r)
		moves := notation.Turns(g)
		if f := first[moves]; f == nil {
			first[moves] = r
		} else if copies++; f.Gold == r.Gold && f.Silver == r.Silver {
			t.Errorf("games %s and %s are the same", f.ID, r.ID)
		}
	}
	if mean := float64(turns) / games; mean < 45 || mean > 60 || copies == 0 || copies > games/20 || byBoard < games/20 {
		t.Errorf("%.1f turns a game, %d copies, %d games ended by the board", mean, copies, byBoard)
	}
	for i, row := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
		cells := strings.Split(row, "\t")
		start, err := strconv.Atoi(cells[19])
		require.NoError(t, err)
		end, err := strconv.Atoi(cells[20])
		require.NoError(t, err)
		g, _ := records[i].Game()
		if g.Label(g.Len() - 1)[:len(cells[23])] != cells[23] || start >= end || !strings.Contains("hb", cells[13]) || !strings.Contains("hb", cells[14]) {
			t.Errorf("row %q", cells[:27])
		}
	}
}

// checkDetails checks what a row says besides the turns and the result.
func checkDetails(t *testing.T, r *notation.Record) {
	t.Helper()
	d := r.Details
	for side, text := range []string{arimaa.Gold: d.GoldRating, arimaa.Silver: d.SilverRating} {
		if rating, err := strconv.Atoi(text); err != nil || rating < 960 || rating > 2840 {
			t.Errorf("game %s: %v is rated %q", r.ID, arimaa.Side(side), text)
		}
	}
	if d.Date < "2002-01-01" || d.Date > "2026-01-01" || d.Event == "" || d.TimeControl == "" {
		t.Errorf("game %s: %+v", r.ID, d)
	}
}

// TestPrefix checks that the same seed gives the same games, however many.
func TestPrefix(t *testing.T) {
	all, again, few := written(t, 150), written(t, 150), written(t, 100)
	if !bytes.Equal(all, again) || !bytes.HasPrefix(all, few) || bytes.Count(few, []byte("\n")) != 101 {
		t.Errorf("archives of %d, %d and %d bytes differ", len(all), len(again), len(few))
	}
}

// TestPlayers checks that the players have different names.
func TestPlayers(t *testing.T) {
	met := map[string]bool{}
	for i := range players {
		met[playerOf(i).name] = true
	}
	if len(met) != players {
		t.Errorf("%d names for %d players", len(met), players)
	}
}
