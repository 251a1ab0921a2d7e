package match

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
)

// TestLimit ends games with equal numbers of pieces at a limit: the side wins that was ahead most
// recently, whether the limit is reached in play or in the opening.
func TestLimit(t *testing.T) {
	silver := `1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2
1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7
2g Ee2n
2s cc7s cc6x
3g Ee3n
3s db7s
4g Cc2n Cc3x
4s db6s
5g Cf2n Cf3x
5s cf7s cf6x
`
	gold := silver[:len(silver)-len("5g Cf2n Cf3x\n5s cf7s cf6x\n")]
	for name, c := range map[string]struct {
		game   string
		turns  int // the limit
		played int // turns of the game then
		winner arimaa.Side
	}{
		"gold, in play":   {gold, 5, 8, arimaa.Gold},
		"gold, at once":   {gold, 4, 6, arimaa.Gold},
		"silver, at once": {silver, 5, 8, arimaa.Silver},
		"silver, in play": {silver, 6, 10, arimaa.Silver},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, err := notation.ReadGame(name, c.game)
			require.NoError(t, err)
			r := one(t, fake("plays"), fake("plays"), g, Rules{Turns: c.turns})
			if r.Winner != c.winner || r.Ending != Score || r.Game.Len() != c.played {
				t.Errorf("%v wins by %s after %d turns\n%s", r.Winner, r.Ending, r.Game.Len(), notation.Turns(r.Game))
			}
		})
	}
}
