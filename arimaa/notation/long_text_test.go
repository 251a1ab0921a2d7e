package notation_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// wandering writes a legal game of about size bytes in which pieces of both sides wander about with
// single steps and never capture anything. Some turns are taken back at once.
func wandering(t testing.TB, size int) string {
	t.Helper()
	const setup = "1w Ed4 Mc2 Hf2 Ra1\n1b ee5 mc7 hf7 ra8\n"
	random := rand.New(rand.NewPCG(1, 2))
	g, err := notation.ReadGame("", setup)
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString(setup)
	for b.Len() < size {
		p := g.Last()
		options := p.Options(nil)
		o := options[random.IntN(len(options))]
		if o.Steps() == 2 || o.First().Piece().Kind() == arimaa.Rabbit || arimaa.Traps.Has(o.First().To()) {
			continue
		}
		label := g.Label(g.Len())
		if g.Play(arimaa.Turn{}.WithOption(o)) != nil {
			continue // the third repetition
		}
		fmt.Fprintf(&b, "%s %v\n", label, o)
		if random.IntN(5) == 0 {
			fmt.Fprintf(&b, "%s takeback\n", g.Label(g.Len()))
			require.NoError(t, g.TakeBack())
		}
	}
	return b.String()
}

// TestLongTexts reads texts of all kinds, as long as they may be. Each takes a fraction of a second
// when the time grows with the length; most would take minutes if it grew with the square.
func TestLongTexts(t *testing.T) {
	size, limit := notation.MaxEntry/4, 3*time.Second
	if boards.Large {
		size, limit = notation.MaxEntry-1000, 15*time.Second
	}
	fill := func(text string) string { return strings.Repeat(text, size/len(text)) }
	game := wandering(t, size*9/10)
	escaped := strings.ReplaceAll(game, "\n", `\n`)
	for _, test := range []struct {
		name, text string
		ok         bool
		broken     int // rows of an archive that hold no game
	}{
		{"a game", game, true, 0},
		{"a game with an error at its end", game + "1w", false, 0},
		{"a game in an archive", "id\tmovelist\n1\t" + escaped + "\n", true, 0},
		{"rows of an archive", "id\tmovelist\n" + fill("1\t"+`1w Ra1\n1b ra8`+"\n"), true, 0},
		{"empty rows of an archive", "id\tmovelist\n" + fill("1\t\n"), true, size / 3},
		{"columns of an archive", "id\tmovelist" + fill("\t") + "\n1", false, 0},
		{"positions in short form", fill(sampleGold + "\n"), true, 0},
		{"one position in short form", "g [" + fill(" ") + "]", false, 0},
		{"tabs behind a position", sampleGold + fill("\tx"), true, 0},
		{"border lines", "47g\n" + fill("-\n"), false, 0},
		{"one border line", "47g\n" + fill("-") + fill("|"), false, 0},
		{"one rank", "47g\n8|" + fill("r ") + "|", false, 0},
		{"one rank between tabs", "47g\n8|" + fill("r\t") + "|", false, 0},
		{"comments", fill("#\n") + sampleGold, true, 0},
		{"blank lines", fill("\n") + sampleGold, true, 0},
		{"marks", fill("\ufeff") + sampleGold, true, 0},
		{"words of a game", "1w Ra1\n1b ra8\n2w " + fill("Ra1n "), false, 0},
		{"one word", "1w " + fill("R"), false, 0},
		{"digits", fill("1"), false, 0},
		{"passes", "1w Ra1\n1b rb8\n" + fill("2w pass\n2b takeback\n"), true, 0},
		{"setups taken back", fill("1w Ra1\n1b takeback\n"), true, 0},
		{"turns taken back", "1w Ra1\n1b rb8\n" + fill("2w Ra1n\n2b takeback\n"), true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			var failed error
			broken := 0
			for e, err := range entries("", test.text) {
				if failed = err; err != nil {
					break
				}
				if e.Game != nil {
					checkTurns(t, e.Game)
				}
				if e.Record != nil {
					if _, err := e.Record.Game(); err != nil {
						broken++
					}
				}
			}
			took := time.Since(start)
			t.Logf("%d bytes took %v", len(test.text), took)
			if took > limit {
				t.Error("that is too long")
			}
			if (failed == nil) != test.ok || broken != test.broken {
				t.Errorf("%d rows without a game, error %.200v", broken, failed)
			}
		})
	}
}
