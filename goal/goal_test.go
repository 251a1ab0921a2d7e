package goal

import (
	"strconv"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/published"
)

func mustParse(t testing.TB, text string) arimaa.Position {
	t.Helper()
	p, err := arimaa.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPublished answers the question "a rabbit on its goal rank this turn" on every
// published row.
func TestPublished(t *testing.T) {
	var d Detector
	for _, file := range []string{"composed.tsv", "from-games.tsv"} {
		for _, row := range published.Rows(t, "goal-this-turn/"+file) {
			p := mustParse(t, row[0])
			want, err := strconv.Atoi(row[1])
			if err != nil {
				t.Fatal(err)
			}
			got, turn := d.Goal(&p, &p.Board)
			if n, _ := got.Steps(); n != want {
				t.Errorf("%v: %v, want %d", p, got, want)
			} else if got != None {
				checkTurn(t, p, turn, got)
			}
		}
	}
}

// checkTurn plays a turn and checks that it is legal and as long as it was said to be.
func checkTurn(t testing.TB, p arimaa.Position, turn arimaa.Turn, d Distance) arimaa.State {
	t.Helper()
	s := arimaa.NewState(p)
	for i := range turn.Len() {
		if _, err := s.Play(turn.Step(i)); err != nil {
			t.Fatalf("%v: %v: %v", p, turn, err)
		}
	}
	if n, ok := d.Steps(); !ok || n != turn.Len() {
		t.Errorf("%v: %v takes %d steps, said %v", p, turn, turn.Len(), d)
	}
	return s
}
