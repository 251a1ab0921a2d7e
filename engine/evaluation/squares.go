package evaluation

import "goalproof/arimaa"

// The piece-square tables (Wu 2015, section 6.3.2), by the number of stronger enemies; rabbits
// have their own.
const (
	strongest = iota // nothing beats it
	second           // one enemy does
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

// squareTables gives centi-rabbits for files a to d, the others mirror them. Rank 8, the
// enemy's first, is above. The strongest piece belongs in the centre; the next one near the
// home traps, where the enemy's elephant cannot take it along; small pieces around the home
// traps, and not on them; rabbits at the edges rather than in the middle.
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

// squareValues is squareTables by square, as Gold sees it.
var squareValues = func() (v [squareClasses][64]int8) {
	for class := range v {
		for s := range v[class] {
			file := min(s%8, 7-s%8)
			v[class][s] = squareTables[class][7-s/8][file]
		}
	}
	return v
}()

// fullCount is worth.left against a complete army.
const fullCount = 24

// advanceTables gives centi-rabbits for a rabbit on each rank, as its owner sees it, while the
// enemy has all his pieces, and when he has none.
var advanceTables = [2][8]int{
	{0, 0, -3, -8, -16, -22, -15, 0},
	{0, 5, 15, 30, 60, 110, 180, 0},
}

// advance values the advance of rabbits: bad while the enemy has the pieces to take them, good
// when he has not (Wu 2015, section 6.3.2).
func (a *army) advance(foe *army) int {
	sum := 0
	set := a.seen(a.kind[arimaa.Rabbit])
	for rank := 1; rank < 7; rank++ {
		n := (set >> (8 * rank) & 0xff).Len()
		full, none := advanceTables[0][rank], advanceTables[1][rank]
		sum += n * (full*a.worth.left + none*(fullCount-a.worth.left))
	}
	return sum / fullCount
}
