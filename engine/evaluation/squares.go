package evaluation

import "goalproof/arimaa"

// The piece-square tables (Wu 2015, section 6.3.2): one for rabbits, the others by the number of
// stronger enemies.
const (
	strongest = iota // none
	second           // one
	middling         // two or three
	small            // more
	rabbits
	squareClasses
)

func squareClass(k arimaa.Kind, stronger int) int {
	switch {
	case k == arimaa.Rabbit:
		return rabbits
	case stronger == 0:
		return strongest
	case stronger == 1:
		return second
	case stronger <= 3:
		return middling
	}
	return small
}

// squareTables holds centi-rabbits for files a to d, which the other files mirror, with rank 8, the
// enemy's first, at the top. The strongest piece belongs in the centre, the second near the home
// traps, where the enemy elephant cannot take it hostage, small pieces around the home traps but
// not on them, rabbits at the edges.
var squareTables = [squareClasses][8][4]int8{
	strongest: {
		{-80, -60, -45, -35},
		{-30, -20, -12, -8},
		{-15, 0, 5, 10},
		{-8, 4, 16, 22},
		{-8, 4, 16, 22},
		{-14, -4, 8, 14},
		{-30, -20, -10, -8},
		{-80, -60, -45, -35},
	},
	second: {
		{-70, -60, -60, -60},
		{-45, -40, -40, -40},
		{-25, -15, -20, -15},
		{-5, 0, 0, -5},
		{5, 10, 10, 6},
		{0, 8, 6, 10},
		{-8, -2, 0, 0},
		{-25, -20, -18, -18},
	},
	middling: {
		{-50, -45, -40, -40},
		{-20, -12, -15, -20},
		{-2, 8, -8, -10},
		{4, 8, 0, -4},
		{4, 8, 4, 0},
		{2, 8, 2, 4},
		{-2, 2, 2, 0},
		{-15, -12, -12, -12},
	},
	small: {
		{-50, -50, -50, -50},
		{-40, -35, -38, -40},
		{-25, -18, -30, -30},
		{-16, -14, -16, -20},
		{-8, -6, -2, -8},
		{-3, 8, -12, 4},
		{-2, 4, 10, 4},
		{-4, -2, 0, 0},
	},
	rabbits: {
		{0, 0, 0, 0},
		{0, 0, 0, 0},
		{2, 2, -4, -4},
		{2, 0, -6, -8},
		{2, 0, -6, -10},
		{2, 2, -12, -4},
		{2, 3, 1, -2},
		{2, 2, 3, 0},
	},
}

// squareValues is squareTables by square, for Gold.
var squareValues = func() (v [squareClasses][64]int8) {
	for class := range v {
		for s := range v[class] {
			file := min(s%8, 7-s%8)
			v[class][s] = squareTables[class][7-s/8][file]
		}
	}
	return v
}()

// fullCount is the value of worth.left against a complete army.
const fullCount = 24

// advanceTables holds centi-rabbits for a rabbit by its rank, as its owner sees it: against a
// complete army, and against none.
var advanceTables = [2][8]int{
	{0, 0, -3, -8, -16, -22, -15, 0},
	{0, 5, 15, 30, 60, 110, 180, 0},
}

// advance is the value of advanced rabbits: negative while the enemy has the pieces to capture
// them, positive later (Wu 2015, section 6.3.2).
func (a *army) advance(foe *army) int {
	sum := 0
	set := a.relative(a.kind[arimaa.Rabbit])
	for rank := 1; rank < 7; rank++ {
		n := (set >> (8 * rank) & 0xff).Len()
		full, none := advanceTables[0][rank], advanceTables[1][rank]
		sum += n * (full*a.worth.left + none*(fullCount-a.worth.left))
	}
	return sum / fullCount
}
