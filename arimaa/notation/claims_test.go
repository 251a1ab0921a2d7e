package notation

import "testing"

// TestClaimInWords takes claims from sentences.
func TestClaimInWords(t *testing.T) {
	for text, want := range map[string]int{
		"Gold to win in two": 2, "WIN IN 3": 3, "Silver wins in 1 turn": 1, "mate in ten": 10, "won in 7?": 0,
		"win in 4 steps": 0, "win in a few": 0, "win": 0, "": 0, "Berlin in 2": 0, "win in 0": 0, "win in 999": 0,
		"win in 99999999999999999999": 0, "win in 25": 25, "win in twofold": 0,
		"silver wins, claimed in 4": 4, "Gold wins by force in 3": 3, "a win in at most 4": 0, "The win is forced in 3": 3, "Gold goals in 2": 2, "a two-move win": 2, "a 3-turn goal": 3, "a 2-turn mate": 2,
		"Neither side wins in 2": 0, "nor can gold win in 2": 0, "win in 2 if silver passes": 0, "gold would win in 2": 0, "gold could win in 2": 0,
		"gold might win in 2": 0, "gold may win in 2": 0, "a win in 2 without the dog": 0, "gold hardly wins in 2": 0, "almost a win in 2": 0,
		"Rb2n instead wins in 2": 0, "gold missed a win in 2": 0, "gold doesn’t win in 2": 0,
		"wins in 3 seconds": 0, "wins in 3 hours": 0, "wins in 3 days": 0, "wins in 3 games": 0, "wins in 3 rounds": 0, "wins in 3 points": 0,
		"wins in 2–3 turns": 0, "wins in 2,5 turns": 0,
	} {
		if got := winIn(plainWords(text)).claim; got != want {
			t.Errorf("%q claims %d, want %d", text, got, want)
		}
	}
}
