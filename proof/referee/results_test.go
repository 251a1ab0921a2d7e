package referee

import "testing"

// TestTurnTo asks for the way to boards that are reached and to one that is not.
func TestTurnTo(t *testing.T) {
	st := start(t, Gold, `
		5 ..r.....
		4 ..E.....`)
	for _, r := range Results(st) {
		turn, ok := TurnTo(st, r.Board)
		end, err := st.PlayTurn(turn)
		if !ok || err != nil || end.Board != r.Board || len(turn) != len(r.Turn) {
			t.Fatalf("%v, %t, %v: want %v", turn, ok, err, r.Turn)
		}
	}
	if turn, ok := TurnTo(st, st.Board); ok {
		t.Errorf("%v leads back", turn)
	}
}
