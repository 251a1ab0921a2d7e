package engine

import (
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/endgame"
	"goalproof/internal/boards"
)

// openEndgames opens the tables that are part of the program and, in a large run, those of four pieces; it also returns
// the classes from which positions are drawn.
func openEndgames(t testing.TB) (*endgame.Tables, []endgame.Class) {
	t.Helper()
	dir, classes := "", append(endgame.Classes(2), endgame.Classes(3)...)
	if boards.Large {
		dir, classes = t.TempDir(), endgame.Classes(4)
		if err := endgame.Build(t.Context(), classes, endgame.BuildOptions{Dir: dir, Threads: 2}); err != nil {
			t.Fatal(err)
		}
	}
	ts, err := endgame.Open(dir, 256<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ts.Close() })
	return ts, classes
}

// drawEnding draws a position of a class.
func drawEnding(t testing.TB, ts *endgame.Tables, class string, random *rand.Rand) (arimaa.Position, endgame.Value) {
	for {
		var b arimaa.Board
		side := arimaa.Gold
		for _, letter := range class {
			if letter == '-' {
				side = arimaa.Silver
				continue
			}
			kind := map[rune]arimaa.Kind{'E': arimaa.Elephant, 'H': arimaa.Horse, 'R': arimaa.Rabbit}[letter&^0x20]
			s := arimaa.Square(random.IntN(64))
			for b.At(s) != arimaa.Empty {
				s = arimaa.Square(random.IntN(64))
			}
			b.Put(s, arimaa.NewPiece(side, kind))
		}
		if random.IntN(2) == 0 {
			b = b.Swapped()
		}
		side = arimaa.Side(random.IntN(2))
		if v, ok := ts.Probe(&b, side); ok {
			return arimaa.NewPosition(b, side), v
		}
	}
}

// TestWinsEndings plays won endings against random turns and against itself: the engine wins within the turns that the
// table says, with the least number against itself. Package referee checks each turn.
func TestWinsEndings(t *testing.T) {
	ts, classes := openEndgames(t)
	n := 20
	if boards.Large {
		n = 100
	}
	random := rand.New(rand.NewPCG(7, 1))
	e := newEngine(t, Options{Memory: 16 << 20, Endgames: ts})
	lengths := map[int]int{}
	for i := range n {
		p, v := drawEnding(t, ts, classes[i%len(classes)].String(), random)
		for rather := 1 + random.IntN(4); ; p, v = drawEnding(t, ts, classes[i%len(classes)].String(), random) {
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

// TestScoresOfEndings hides the root from the tables: what the search finds below it says who wins, and no sooner than
// the table does. (It ends with the first win that it finds.)
func TestScoresOfEndings(t *testing.T) {
	ts, classes := openEndgames(t)
	random := rand.New(rand.NewPCG(7, 2))
	e := newEngine(t, Options{Memory: 16 << 20, Endgames: ts, Without: Probe | NullMove})
	met := map[string]int{}
	for i := range 100 {
		p, v := drawEnding(t, ts, classes[i%len(classes)].String(), random)
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
