package puzzles

import (
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"
)

func play(t require.T, p arimaa.Position, text string) arimaa.Turn {
	t.Helper()
	s := arimaa.NewState(p)
	turn, err := notation.PlaySteps(&s, text)
	require.NoError(t, err)
	return turn
}

// TestIdeas adds puzzles to one that a march solves.
func TestIdeas(t *testing.T) {
	const march = "g [ r r    R          d      m        E C            h            R]"
	for _, test := range []struct {
		name, position, solution string
		turns                    int
		same                     bool
	}{
		{"the same", march, "Ed4n Ed5e Cf4n", 2, true},
		{"other order", march, "Cf4n Ed4n Ed5e", 2, true},
		{"another step", march, "Ed4n Ed5e Cf4e", 2, true},
		{"one step more", march, "Ed4n Ed5e Cf4n Cf5n", 2, true},
		{"one step less", march, "Ed4n Ed5e", 2, true},
		{"two steps less", march, "Ed4n", 2, false},
		{"two other steps", march, "Ed4n Cf4e Cg4e", 2, false},
		{"a longer win", march, "Ed4n Ed5e Cf4n", 3, false},
		{"an enemy elsewhere", "g [ r r    R          d          m    E C            h            R]", "Ed4n Ed5e Cf4n", 2, true},
		{"a piece in common", "g [r     r  R       d                 E D             m  Dh H  R   ]", "Ed4n Ed5e Df4n", 2, false},
	} {
		var ideas Ideas
		first := boards.Parse(t, march)
		ideas.Add(first, 2, play(t, first, "Ed4n Ed5e Cf4n"))
		p := boards.Parse(t, test.position)
		idea, isNew := ideas.Add(p, test.turns, play(t, p, test.solution))
		if isNew == test.same || (idea == 1) != test.same {
			t.Errorf("%s: idea %d, new: %t", test.name, idea, isNew)
		}
	}
}

// TestIdeasChain adds puzzles of which each is like the one before. They are one idea, although the
// last is not like the first.
func TestIdeasChain(t *testing.T) {
	var ideas, resumed Ideas
	p := boards.Parse(t, "g [ r r    R          d      m        E C            h            R]")
	for _, solution := range []string{"Ed4n Ed5e Cf4n", "Ed4n Cf4n Cf5e", "Cf4n Cf5e Rh1n", "Ed4s Ed3s Ed2s"} {
		idea, isNew := ideas.Add(p, 2, play(t, p, solution))
		again := resumed
		if other, alsoNew := again.Add(p, 2, play(t, p, solution)); other != idea || alsoNew != isNew {
			t.Errorf("%s: idea %d, and with those before added by their ideas %d", solution, idea, other)
		}
		known := idea
		if isNew {
			known = 0
		}
		if other := resumed.AddTo(known, p, 2, play(t, p, solution)); other != idea {
			t.Errorf("%s: idea %d, and it was %d", solution, other, idea)
		}
		if last := solution == "Ed4s Ed3s Ed2s"; isNew != (last || len(ideas.members) == 1) || last != (idea == 2) {
			t.Errorf("%s: idea %d, new: %t", solution, idea, isNew)
		}
	}
}

// TestIdeasTurned adds random positions, with a turn as if it were the solution, mirrored and with
// the colours exchanged.
func TestIdeasTurned(t *testing.T) {
	mirror := strings.NewReplacer("a", "h", "b", "g", "c", "f", "d", "e", "e", "d", "f", "c", "g", "b", "h", "a")
	boards.Check(t, 50, 5000, func(t *rapid.T) {
		text := boards.Position().Draw(t, "position")
		p := boards.Parse(t, text)
		var turns arimaa.Generator
		n := turns.Generate(&p)
		if n == 0 {
			return
		}
		turn := turns.Turn(rapid.IntRange(0, n-1).Draw(t, "turn"))
		var mirrored, swapped, both []string
		for i := range turn.Len() {
			step := turn.Step(i)
			piece, from, to := step.Piece(), step.From(), step.To()
			file := func(s arimaa.Square) string { return mirror.Replace(s.String()[:1]) }
			rank := func(s arimaa.Square) string { return string('1' + '8' - s.String()[1]) }
			swap := piece.Letter() ^ 0x20
			mirrored = append(mirrored, written(piece.Letter(), file(from)+from.String()[1:], file(to)+to.String()[1:]))
			swapped = append(swapped, written(swap, from.String()[:1]+rank(from), to.String()[:1]+rank(to)))
			both = append(both, written(swap, file(from)+rank(from), file(to)+rank(to)))
		}
		for text, steps := range map[string][]string{
			boards.Mirror(text): mirrored, boards.Swap(text): swapped, boards.Swap(boards.Mirror(text)): both,
		} {
			var ideas Ideas
			ideas.Add(p, 2, turn)
			q := boards.Parse(t, text)
			if _, isNew := ideas.Add(q, 2, play(t, q, strings.Join(steps, " "))); isNew {
				t.Fatalf("%v and %v, %v and %v", p, q, turn, steps)
			}
		}
	})
}

// written is a step as text.
func written(piece byte, from, to string) string {
	direction := "n"
	switch {
	case to[0] < from[0]:
		direction = "w"
	case to[0] > from[0]:
		direction = "e"
	case to[1] < from[1]:
		direction = "s"
	}
	return string(piece) + from + direction
}
