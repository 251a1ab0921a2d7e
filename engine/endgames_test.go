package engine

import (
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/tables/endgame"
)

// TestWinsEndings plays won endings against random turns and against itself: the engine wins within
// the turns that the table says, with the least number against itself. Package referee checks each
// turn.
func TestWinsEndings(t *testing.T) {
	ts, classes := endings.Open(t)
	n := boards.Sized(20, 100)
	random := rand.New(rand.NewPCG(7, 1))
	e := newEngine(t, Options{Memory: 16 << 20, Endgames: ts})
	lengths := map[int]int{}
	for i := range n {
		p, v := endings.Draw(t, ts, classes[i%len(classes)], random)
		for rather := 1 + random.IntN(4); ; p, v = endings.Draw(t, ts, classes[i%len(classes)], random) {
			if turns, wins := v.Win(); wins && turns >= rather {
				break
			}
			if random.IntN(1000) == 0 {
				rather = 1 // not every class has long wins
			}
		}
		least, _ := v.Win()
		lengths[least]++
		for name, opponent := range map[string]player{"random turns": &mover{random: random}, "itself": e} {
			players := [2]player{opponent, opponent}
			players[p.Side()] = e
			g := arimaa.NewGame(p, 2)
			won := 0
			for !g.Outcome().Over() {
				at := g.Last()
				if at.Side() == p.Side() {
					won++
				}
				if won > least {
					t.Fatalf("%v, %v: not won against %s in time", p, v, name)
				}
				turn := players[at.Side()].choose(t, g)
				if err := g.Play(turn); err != nil {
					t.Fatalf("%v: %v: %v", at, turn, err)
				}
				checkByReferee(t, at, turn, g.Last())
			}
			if g.Len()%2 == 0 { // the opponent's last turn lost the game, where the next would have won it
				won++
			}
			if g.Outcome().Winner != p.Side() || name == "itself" && won != least {
				t.Errorf("%v, %v: against %s: %+v after %d turns", p, v, name, g.Outcome(), won)
			}
		}
	}
	t.Log(lengths)
}

// TestScoresOfEndings hides the root from the tables: what the search finds below it says who wins,
// and no sooner than the table does. (It ends with the first win that it finds.)
func TestScoresOfEndings(t *testing.T) {
	ts, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(7, 2))
	e := newEngine(t, Options{Memory: 16 << 20, Endgames: ts, Without: Probe | Futility | Ordering})
	met := map[string]int{}
	for i := range 100 {
		p, v := endings.Draw(t, ts, classes[i%len(classes)], random)
		if v == endgame.Neither {
			continue
		}
		r := newRun(arimaa.NewGame(p, 2), Limits{Depth: arimaa.StepsPerTurn + 1})
		e.workers[0].deepen(r)
		met[v.String()]++
		_, wins := v.Win()
		got, want := r.shared.best.Score, scoreOf(v, 0)
		if n, _ := v.Win(); n == 1 {
			want += arimaa.StepsPerTurn - 1 // a win at once may take fewer steps
		}
		if wins && (got < Won || got > want) || !wins && got > -Won {
			t.Errorf("%v, %v: the search scores %d, the table %d", p, v, got, want)
		}
	}
	t.Log(met)
}
