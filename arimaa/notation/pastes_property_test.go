package notation_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// writeAs writes a game, or a position if there is no game, in a form.
func writeAs(f notation.Form, d notation.Diagram, g *arimaa.Game) string { return f.Write(d, g) }

// randomGame draws a few turns from a position.
func randomGame(t *rapid.T, p arimaa.Position, number int) *arimaa.Game {
	g := arimaa.NewGame(p, number)
	for range rapid.IntRange(1, 4).Draw(t, "turns") {
		at := g.Last()
		options := at.Options(nil)
		if len(options) == 0 || g.Outcome().Over() || g.Play(arimaa.Turn{}.WithOption(rapid.SampledFrom(options).Draw(t, "option"))) != nil {
			break
		}
	}
	return g
}

// TestFormsDecorated writes random positions and games in every form, decorates them at random, once
// or twice, and reads them again.
func TestFormsDecorated(t *testing.T) {
	for _, f := range notation.Forms() {
		t.Run(f.Name, func(t *testing.T) {
			met := map[string]int{}
			boards.Check(t, 150, 10_000, func(t *rapid.T) {
				p := boards.Parse(t, boards.Position().Draw(t, "position"))
				d := notation.Diagram{Position: p, Number: rapid.IntRange(2, 99).Draw(t, "number"), Line: 1}
				var g *arimaa.Game
				if f.Game && !p.Ended(p.Side().Other()).Over() {
					g = randomGame(t, p, d.Number)
				}
				text := writeAs(f, d, g)
				var names []string
				layers := rapid.IntRange(1, 2).Draw(t, "decorations")
				for i := range layers {
					with := rapid.SampledFrom(decorations).Draw(t, "decoration")
					switch {
					case with.name == "prose below" && !strings.Contains(text, "+-"):
						continue // more of a list, of a log or of a record, and so an error or a note
					case with.name == "mark" && i < layers-1:
						continue // it stands at the beginning of a file alone
					}
					text = with.apply(text)
					names = append(names, with.name)
					met[with.name]++
				}
				n := 0
				for e, err := range entries("f", text) {
					n++
					switch {
					case err != nil:
						t.Fatalf("%v: %v\n%s", names, err, text)
					case len(e.Notes) > 0:
						t.Fatalf("%v: %+v\n%s", names, e.Notes, text)
					case g == nil && e.Position != nil && e.Position.Position == p:
					case g == nil && e.Game != nil && e.Game.Len() == 0 && e.Game.Last() == p:
					case g != nil && e.Game != nil && same(g, e.Game):
					case g != nil && e.Position != nil && e.Position.Position == g.Last():
					default:
						t.Fatalf("%v: %s is read from\n%s", names, entryPlace(e), text)
					}
				}
				if n != 1 {
					t.Fatalf("%v: %d entries are read from\n%s", names, n, text)
				}
			})
			for _, with := range decorations {
				if with.name != "prose below" {
					boards.ExpectAll(t, met, with.name)
				}
			}
		})
	}
}

// entryPlace shows the position of an entry.
func entryPlace(e notation.Entry) string {
	switch {
	case e.Position != nil:
		return e.Position.Position.String()
	case e.Game != nil:
		return fmt.Sprintf("%d turns to %v", e.Game.Len(), e.Game.Last())
	}
	return "a row"
}

// TestRecordsSplit writes random games on one line, as a cell, and with a line end at every blank:
// the same is read.
func TestRecordsSplit(t *testing.T) {
	form, _ := notation.FormNamed("turns")
	for name, shape := range map[string]func(text string) string{
		"joined": func(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", " ") + "\n" },
		"split":  func(text string) string { return strings.ReplaceAll(text, " ", "\n") },
		"cell":   func(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", `\n`) },
	} {
		t.Run(name, func(t *testing.T) {
			boards.Check(t, 200, 10_000, func(t *rapid.T) {
				p := boards.Parse(t, boards.Position().Draw(t, "position"))
				if p.Ended(p.Side().Other()).Over() {
					t.Skip("nothing can be played")
				}
				g := randomGame(t, p, rapid.IntRange(2, 99).Draw(t, "number"))
				text := shape(writeAs(form, notation.Diagram{}, g))
				n := 0
				for e, err := range entries("f", text) {
					if n++; err != nil || e.Game == nil || !same(g, e.Game) {
						t.Fatalf("%v is read, %v, from\n%s", entryPlace(e), err, text)
					}
				}
				if n != 1 {
					t.Fatalf("%d entries are read from\n%s", n, text)
				}
			})
		})
	}
}

// FuzzPastes reads any text twice, strictly and not. What has a note is refused strictly; what is
// read strictly is read the same without; what is read is read again as it is written.
func FuzzPastes(f *testing.F) {
	for _, k := range pastes() {
		for _, p := range k.members {
			f.Add(p.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			t.Skip()
		}
		var all []string // what is read
		noted, failed := 0, 0
		for e, err := range entries("f", text) {
			if err != nil {
				failed++
				checkFailure(t, text, err)
				continue
			}
			if len(e.Notes) > 0 {
				noted++
			}
			switch {
			case e.Position != nil:
				checkPosition(t, *e.Position)
				all = append(all, entryPlace(e)+e.Solution+fmt.Sprint(e.Claim))
			case e.Game != nil:
				checkGame(t, e.Game)
				all = append(all, entryPlace(e))
			default:
				checkRecord(t, text, e.Record)
				all = append(all, e.Record.ID)
			}
		}
		lines := notation.NewLines("f", strings.NewReader(text))
		lines.Strict()
		var strict []string
		refused := 0
		for e, err := range notation.Read(lines) {
			switch {
			case err != nil:
				refused++
				if errors.As(err, new(*notation.ParseError)) {
					checkFailure(t, text, err)
				}
			case len(e.Notes) > 0:
				t.Fatalf("strictly, and noted: %+v", e.Notes)
			case e.Record != nil:
				strict = append(strict, e.Record.ID)
			case e.Position != nil:
				strict = append(strict, entryPlace(e)+e.Solution+fmt.Sprint(e.Claim))
			default:
				strict = append(strict, entryPlace(e))
			}
		}
		if noted > 0 && refused == 0 {
			t.Fatalf("%d entries have notes, and nothing is refused strictly", noted)
		}
		if refused == 0 && strings.Join(strict, "\n") != strings.Join(all, "\n") {
			t.Fatalf("strictly %q is read, otherwise %q", strict, all)
		}
	})
}
