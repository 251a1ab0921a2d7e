package evaluation

import (
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// reasons holds for each feature a position in which Gold is ahead because of it alone. They depend
// on the weights: a change of those may need other positions here.
var reasons = [Features]struct{ why, board string }{
	Material: {"a dog in the enemy's corner is still a dog", `2g
8| D     r       h |
7|                 |
6|     x     x     |
5|                 |
4|         E       |
3|     x e   x     |
2|                 |
1| R     R         |`},
	PieceSquare: {"Silver's dog stands on a trap at home", `2g
8| r r r r r r r r |
7|   d h     h     |
6|   m x     d     |
5|       e         |
4|         E       |
3|     x   M x     |
2|   D H     H D   |
1| R R R R R R R R |`},
	RabbitAdvance: {"Silver's rabbits have gone too far against a full army", `2g
8|   r r r r r r   |
7|   d h     h d   |
6|     x m c c     |
5|       e         |
4|         E       |
3| r   x M C C   r |
2|   D H     H D   |
1| R R R R R R R R |`},
	TrapControl: {"Gold's elephant takes over the trap f6", `2g
8| r r r r r r r r |
7|   d h       d h |
6|     x m E x     |
5|       e         |
4|     H           |
3|     x   M x     |
2|   D       H D   |
1| R R R R R R R R |`},
	Freeing: {"Silver's camel is frozen", `2g
8|   r r r r r r r |
7| r d h     h d   |
6|     x     x     |
5| m E   e         |
4|                 |
3|     x   M x     |
2|   D H     H D   |
1| R R R R R R R   |`},
	Domination: {"Silver's camel stands beside the elephant", `2g
8| r r r r r r r r |
7|   d h     h d   |
6|     x     x     |
5|       e m       |
4|         E       |
3|     x     x     |
2|   D H   M H D   |
1| R R R R R R R R |`},
	CaptureNow: {"the camel on the trap has one defender, whom the elephant can pull away", `2g
8| r r r r r r r r |
7|   d h     h d   |
6|     m E   h     |
5|   e             |
4|                 |
3|     x     M     |
2|   D H     H D   |
1|   R R R R R R   |`},
	CaptureNext: {"Gold threatens the horse beside the trap f6", `2s
8| r r r r r r r r |
7|   d       h d   |
6|     x m   x     |
5|         E       |
4|     H e         |
3|     x   M x     |
2|   D       H D   |
1| R R R R R R R R |`},
	GoalDistance: {"one rabbit has an open way", `2g
8| r r r r r r     |
7|   d h       h   |
6|     x m   x     |
5|       e       R |
4|         E       |
3|     x   M x     |
2|   D H       D   |
1| R R R R R R     |`},
	Frame: {"Silver's elephant must defend the horse on the trap", `2s
8| r r r r r r r r |
7|   d   m   h d   |
6|     x     x     |
5|                 |
4|     E           |
3|   M h e   x     |
2|   D H     H D   |
1| R R R R R R R R |`},
	Mobility: {"Silver's elephant stands behind its own pieces", `2g
8| r r r r r r r r |
7|   d h e   h d   |
6|     x m   x     |
5|                 |
4|     H   E       |
3|     x   M x     |
2|   D       H D   |
1| R R R R R R R R |`},
	Blockade: {"Silver's elephant is shut in at h2, for a horse", `2s
8| r r r r r r r r |
7|   d h   m h d   |
6|     x     x     |
5|       E         |
4|               M |
3|     x     x R D |
2|           D H e |
1| R R R R R   R R |`},
	Alignment: {"Silver's elephant has gone away from the camel", `2g
8| r r r r r r r r |
7|   d h     h d   |
6|     x m   x     |
5|   e             |
4|         E       |
3|     x   M x     |
2| D     H   H   D |
1| R R R R R R R R |`},
	Imbalance: {"Silver's strong pieces crowd together", `2g
8| r r r r r r r r |
7|   d h h     d   |
6|     x m   x     |
5|       e         |
4|         E       |
3|     x   M x     |
2| H D       H D   |
1| R R R R R R R R |`},
}

// TestDecides checks for each feature that it decides who is ahead.
func TestDecides(t *testing.T) {
	for f, r := range reasons {
		t.Run(Feature(f).String(), func(t *testing.T) {
			list, err := notation.ReadPositions("board", r.board)
			require.NoError(t, err)
			p := list[0].Position
			score := func(w *Weights) int { // for Gold
				n := New(w, nil).Score(&p.Board, p.Side())
				if p.Side() == arimaa.Silver {
					return -n
				}
				return n
			}
			if n := score(&Default); n <= 0 {
				t.Errorf("%s: Gold scores %d", r.why, n)
			}
			without := Default
			without[f] = 0
			if n := score(&without); n > 0 {
				t.Errorf("%s: Gold scores %d without the feature", r.why, n)
			}
			if t.Failed() {
				for _, term := range New(&Default, nil).Explain(&p.Board, p.Side()) {
					t.Logf("%-16v %8.1f", term.Feature, term.Points)
				}
			}
		})
	}
}
