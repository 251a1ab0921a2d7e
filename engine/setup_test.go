package engine

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// placed returns a board with a setup on it.
func placed(b arimaa.Board, setup []arimaa.Placement) arimaa.Board {
	for _, p := range setup {
		b.Put(p.Square, p.Piece)
	}
	return b
}

// checkSetup checks that a setup is one that the rules allow, with a full army.
func checkSetup(t rapid.TB, side arimaa.Side, setup []arimaa.Placement) {
	t.Helper()
	var words []string
	for _, p := range setup {
		words = append(words, p.String())
	}
	read, err := notation.ParseSetup(side, strings.Join(words, " "))
	if err != nil || len(read) != 16 {
		t.Fatalf("%v of %d pieces: %v", words, len(read), err)
	}
}

// checkSound checks the principles that the documentation of Setup names.
func checkSound(t rapid.TB, side arimaa.Side, setup []arimaa.Placement) {
	t.Helper()
	b := placed(arimaa.Board{}, setup)
	if side == arimaa.Silver {
		b = b.Swapped()
	}
	const west = arimaa.Bitboard(0x0f0f0f0f0f0f0f0f)
	own := func(kind arimaa.Kind) arimaa.Bitboard { return b.Pieces(arimaa.Gold, kind) }
	if e := own(arimaa.Elephant).First().String(); e != "d2" && e != "e2" {
		t.Fatalf("the elephant stands on %s", e)
	}
	for _, kind := range []arimaa.Kind{arimaa.Cat, arimaa.Dog} {
		if (own(kind) & west).Len() != 1 {
			t.Fatalf("both pieces are on one wing: %v", kind)
		}
	}
	for _, wing := range []arimaa.Bitboard{west, ^west} {
		if (own(arimaa.Camel)|own(arimaa.Horse))&wing == 0 {
			t.Fatal("no camel and no horse on a wing")
		}
	}
	for rabbits := own(arimaa.Rabbit); rabbits != 0; rabbits = rabbits.Rest() {
		if s := rabbits.First(); s > 7 && s != 8 && s != 15 {
			t.Fatalf("a rabbit stands on %v", s)
		}
	}
	for s := range arimaa.Square(8) {
		if b.At(s).Kind() > b.At(s+8).Kind() {
			t.Fatalf("the piece on %v stands behind a weaker one", s)
		}
	}
}

// distinct counts the setups that are met in many draws.
func distinct(draw func(*rand.Rand) []arimaa.Placement) int {
	random := rand.New(rand.NewPCG(1, 2))
	met := map[arimaa.Board]bool{}
	for range 2000 {
		met[placed(arimaa.Board{}, draw(random))] = true
	}
	return len(met)
}

// TestFirstSetup checks what a side places when it is the first.
func TestFirstSetup(t *testing.T) {
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		n := distinct(func(random *rand.Rand) []arimaa.Placement {
			setup := Setup(side, arimaa.Board{}, random)
			checkSetup(t, side, setup)
			checkSound(t, side, setup)
			b := placed(arimaa.Board{}, setup)
			if camel := b.Pieces(side, arimaa.Camel).First() & 7; camel != 3 && camel != 4 {
				t.Fatalf("%v's camel stands on the wing", side)
			}
			return setup
		})
		if want := 26; n != want {
			t.Errorf("%v: %d setups, want %d", side, n, want)
		}
	}
}

// TestAnswer checks the answer to any setup, sound or not, also with a handicap.
func TestAnswer(t *testing.T) {
	army := []arimaa.Kind{6, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1}
	rapid.Check(t, func(t *rapid.T) {
		side := arimaa.Side(rapid.IntRange(0, 1).Draw(t, "side"))
		var enemy arimaa.Board
		homes := arimaa.HomeRanks(side.Other())
		for _, kind := range rapid.Permutation(army).Draw(t, "army") {
			if rapid.IntRange(0, 9).Draw(t, "left out") > 0 {
				enemy.Put(homes.First(), arimaa.NewPiece(side.Other(), kind))
			}
			homes = homes.Rest()
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		setup := Setup(side, enemy, random)
		checkSetup(t, side, setup)
		checkSound(t, side, setup)
		b := placed(enemy, setup)
		file := func(side arimaa.Side, kind arimaa.Kind) int { return int(b.Pieces(side, kind).First() & 7) }
		if b.Pieces(side.Other(), arimaa.Camel) != 0 {
			camel := file(side.Other(), arimaa.Camel)
			if file(side, arimaa.Elephant)/4 != camel/4 {
				t.Fatal("the elephant is not on the wing of the enemy camel")
			}
			// An enemy with camel and elephant on one file leaves no choice.
			for rest := b.Pieces(side, arimaa.Horse); rest != 0; rest = rest.Rest() {
				if int(rest.First()&7) == camel && camel != file(side.Other(), arimaa.Elephant) {
					t.Fatal("a horse faces the enemy camel")
				}
			}
		}
		if b.Pieces(side.Other(), arimaa.Elephant) != 0 && file(side, arimaa.Camel) == file(side.Other(), arimaa.Elephant) {
			t.Fatal("the camel faces the enemy elephant")
		}
	})
}

// TestAnswersVary counts the answers to the usual setups of Gold.
func TestAnswersVary(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		gold := placed(arimaa.Board{}, Setup(arimaa.Gold, arimaa.Board{}, random))
		n := distinct(func(random *rand.Rand) []arimaa.Placement { return Setup(arimaa.Silver, gold, random) })
		if want := 12; n != want {
			t.Errorf("%d answers, want %d", n, want)
		}
	}
}
