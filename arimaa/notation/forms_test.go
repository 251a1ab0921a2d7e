package notation_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	archive "goalproof/internal/testkit/published/games"
)

// fataler is a test, or one of its cases.
type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkForms writes a position, or a game, in all forms and reads it again.
func checkForms(t fataler, d notation.Diagram, g *arimaa.Game) {
	t.Helper()
	if g == nil {
		g = arimaa.NewGame(d.Position, d.Number)
	}
	w := notation.Written{Game: notation.Line(g)}
	for _, f := range notation.Forms() {
		if last := g.Last(); f.Name == "4steps" && last.Occupied() == 0 {
			continue // without a piece nothing stands before the side
		}
		text, lost := f.Write(w)
		if checkLost(t, f.Name, lost, w); !strings.HasSuffix(text, "\n") {
			t.Fatalf("%s: no line end\n%s", f.Name, text)
		}
		if why := readAgain(f.Name, f.Head+text, w, true); why != "" {
			t.Fatalf("%s: %s\n%s", f.Name, why, text)
		}
	}
}

// ongoing is the game without how its record ends, which the AEI does not tell.
func ongoing(g *arimaa.Game) *arimaa.Game {
	g = g.At(g.Len())
	g.SetEnd("")
	return g
}

// TestForms writes random positions, and games from there, in all forms and reads them again.
func TestForms(t *testing.T) {
	boards.Check(t, 250, 20_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		d := notation.Diagram{Position: p, Number: rapid.IntRange(2, 100_000).Draw(t, "number"), Line: 1}
		checkForms(t, d, nil)
		if d.Number > 90_000 || p.Ended(p.Side().Other()).Over() {
			return
		}
		g := arimaa.NewGame(p, d.Number)
		for range rapid.IntRange(0, 4).Draw(t, "turns") {
			at := g.Last()
			options := at.Options(nil)
			if len(options) == 0 || g.Outcome().Over() || g.Play(arimaa.Turn{}.WithOption(rapid.SampledFrom(options).Draw(t, "option"))) != nil {
				break
			}
		}
		if rapid.Bool().Draw(t, "resigned") && !g.Outcome().Over() {
			g.SetEnd("resigns")
		}
		checkForms(t, d, g)
	})
}

// TestFormsOfGames writes every published game in all forms and reads it again.
func TestFormsOfGames(t *testing.T) {
	for i, g := range archive.All(t) {
		checkForms(t, notation.Diagram{}, g)
		if err := pyrimaa(notation.Turns(ongoing(g))); err != nil {
			t.Errorf("pyrimaa does not read game %d: %v", i, err)
		}
	}
}

// pyrimaa reads a list of turns as the programs of pyrimaa 2 do (pyrimaa/analyze.py and
// pyrimaa/board.py by Brian Haskin), and returns why it gives up. Turns begin with a digit. What
// follows the third character of a line is the turn: steps, of which captures are passed over, or
// else pieces on empty squares. It knows no other word.
func pyrimaa(text string) error {
	var b arimaa.Board
	side := arimaa.Gold
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		if l == "" || l[0] < '0' || l[0] > '9' {
			return fmt.Errorf("the list ends before %q", l)
		}
		words := strings.Fields(l[min(3, len(l)):])
		if len(words) == 0 {
			return fmt.Errorf("%q: no steps in move given to parse", l)
		}
		placing := false
		var steps []string
		for _, w := range words {
			if len(w) < 3 || w[1] < 'a' || w[1] > 'h' {
				return fmt.Errorf("%q: %q names no square", l, w)
			}
			if _, err := strconv.Atoi(w[2:3]); err != nil {
				return fmt.Errorf("%q: %w", l, err)
			}
			switch {
			case len(w) == 3:
				placing = true
			case w[3] == 'x':
			case strings.IndexByte("nsew", w[3]) < 0:
				return fmt.Errorf("%q: invalid step direction", l)
			default:
				steps = append(steps, w)
			}
			if placing {
				break
			}
		}
		if placing {
			for _, w := range words {
				piece := strings.IndexByte("RCDHMErcdhme", w[0])
				if len(w) != 3 || piece < 0 {
					return fmt.Errorf("%q: found mixture of step types", l)
				}
				at := arimaa.Square(w[1]-'a') + 8*arimaa.Square(w[2]-'1')
				if b.At(at) != arimaa.Empty {
					return fmt.Errorf("%q: tried to place a piece onto another", l)
				}
				b.Put(at, arimaa.NewPiece(arimaa.Side(piece/6), arimaa.Rabbit+arimaa.Kind(piece%6)))
			}
			side = side.Other()
			continue
		}
		if len(steps) > 4 {
			return errors.New("tried to take more than 4 steps")
		}
		s := arimaa.NewState(arimaa.NewPosition(b, side))
		for _, w := range steps {
			step, err := notation.ParseStep(w)
			if err != nil {
				return err
			}
			if _, err := s.Play(step); err != nil {
				return err
			}
		}
		b, side = s.Board, side.Other()
	}
	return nil
}

// TestPyrimaa checks that the stand-in for pyrimaa refuses what pyrimaa refuses.
func TestPyrimaa(t *testing.T) {
	const setup = "1w Ra1 Ee2\n1b ra8 ee7\n"
	for text, ok := range map[string]bool{
		setup: true, setup + "2w Ee2n\n": true, setup + "2w\n": false, setup + "2w pass\n": false, setup + "12w Ee2n": true, setup + "102w Ee2n": false,
		setup + "2w Ee2n resigns\n": false, "1w Ra1 Ra1\n": false, "1w Ra1 Ee2n\n": false, "1w\n": false,
	} {
		if err := pyrimaa(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestFormNamed finds every form by its name, and no other.
func TestFormNamed(t *testing.T) {
	for _, f := range notation.Forms() {
		if g, ok := notation.FormNamed(f.Name); !ok || g.Name != f.Name || f.About == "" {
			t.Errorf("%s: %v", f.Name, ok)
		}
	}
	if _, ok := notation.FormNamed("pgn"); ok {
		t.Error("there is a form pgn")
	}
}
