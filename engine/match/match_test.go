package match

import "testing"

// TestSeats checks the schedule of every number of players: in a round each pair plays two games in
// a row with the colours exchanged, and the rounds are the same.
func TestSeats(t *testing.T) {
	for players := 2; players <= 7; players++ {
		met := map[[2]int]int{}
		const rounds = 3
		for number := range rounds * round(players) {
			at := seats(players, number)
			if at[0] < 0 || at[1] < 0 || at[0] >= players || at[1] >= players || at[0] == at[1] {
				t.Fatalf("%d players, game %d: %v", players, number, at)
			}
			if next := seats(players, number^1); next != [2]int{at[1], at[0]} {
				t.Errorf("%d players, game %d: %v, and with the colours exchanged %v", players, number, at, next)
			}
			met[at]++
			if met[at] != number/round(players)+1 {
				t.Errorf("%d players, game %d: %v meet for the %dth time", players, number, at, met[at])
			}
		}
		if len(met) != round(players) {
			t.Errorf("%d players: %d pairs of seats", players, len(met))
		}
	}
	for number := range 10 { // two players: as A and B take turns
		if at := seats(2, number); at[0] != number%2 || at[1] != 1-number%2 {
			t.Errorf("game %d: %v", number, at)
		}
	}
}
