package notation_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// randomGame draws a few turns that follow.
func randomGame(t *rapid.T, g *arimaa.Game) *arimaa.Game {
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
				if p.Occupied() == 0 {
					return // 4steps and records need a piece
				}
				g := arimaa.NewGame(p, rapid.IntRange(2, 99).Draw(t, "number"))
				if f.Game() && !g.Outcome().Over() {
					g = randomGame(t, g)
				}
				w := notation.Written{Game: notation.Line(g)}
				text, _ := f.Write(w)
				text = f.Head + text
				var names []string
				layers := rapid.IntRange(1, 2).Draw(t, "layers")
				for i := range layers {
					with := rapid.SampledFrom(surroundings).Draw(t, "decoration")
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
				if why := readAgain(f.Name, text, w, true); why != "" {
					t.Fatalf("%v: %s:\n%s", names, why, text)
				}
				for e := range entries("f", text) {
					if len(e.Notes) > 0 && e.Notes[0].Kind != "unusual setup" {
						t.Fatalf("%v: %+v\n%s", names, e.Notes, text)
					}
				}
			})
			for _, with := range surroundings {
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

// FuzzPastes reads any text twice, strictly and not. What has a note is refused strictly; what is
// read strictly is read the same without; what is read is read again as it is written.
func FuzzPastes(f *testing.F) {
	for _, k := range pastes() {
		for _, p := range k.members {
			f.Add(p.text)
		}
	}
	f.Fuzz(checkPaste)
}

// TestPastesSpliced reads the texts of TestPastes with lines of each other, with lines less or
// doubled, and with characters less or more.
func TestPastesSpliced(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var texts, lines []string
	for _, k := range pastes() {
		for _, p := range k.members {
			texts = append(texts, p.text)
			lines = append(lines, strings.SplitAfter(p.text, "\n")...)
		}
	}
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	splice := func(text string) string {
		all := strings.SplitAfter(text, "\n")
		i := random.IntN(len(all))
		at := random.IntN(len(all[i]) + 1)
		switch random.IntN(6) {
		case 0:
			all = slices.Delete(all, i, i+1)
		case 1:
			all = slices.Insert(all, i, pick(all))
		case 2, 3:
			all = slices.Insert(all, i, pick(lines))
		case 4:
			all[i] = all[i][:at] + pick(strings.Split(" ,.:;?!()[]{}|/#*'\"-gswrREe1x\n\t", "")) + all[i][at:]
		case 5:
			all[i] = all[i][:at] + all[i][min(at+1, len(all[i])):]
		}
		return strings.Join(all, "")
	}
	current := ""
	defer func() {
		if current != "" {
			t.Logf("the text:\n%s\n%q", current, current)
		}
	}()
	for range boards.Sized(2_000, 2_000_000) {
		current = pick(texts)
		for range 1 + random.IntN(3) {
			current = splice(current)
		}
		checkPaste(t, current)
	}
	current = ""
}

// checkPaste reads a text twice, as FuzzPastes says.
func checkPaste(t *testing.T, text string) {
	text = text[:min(len(text), 10_000)]
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
}
