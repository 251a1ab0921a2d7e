package notation

import "testing"

// TestClaimInWords takes claims from sentences.
func TestClaimInWords(t *testing.T) {
	for text, want := range map[string]int{
		"Gold to win in two": 2, "WIN IN 3": 3, "Silver wins in 1 turn": 1, "mate in ten": 10, "won in 7?": 7,
		"win in 4 steps": 0, "win in a few": 0, "win": 0, "": 0, "Berlin in 2": 0, "win in 0": 0, "win in 999": 0,
		"win in 99999999999999999999": 0, "win in 25": 25, "win in twofold": 0,
	} {
		if got := claimIn(text); got != want {
			t.Errorf("%q claims %d, want %d", text, got, want)
		}
	}
}
