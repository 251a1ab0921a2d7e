package studio

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"goalproof/arimaa/notation"
	"goalproof/internal/printable"
	"goalproof/proof"
	"goalproof/solve/report"
)

// The kinds of texts. A text that is of several kinds is of the one that says most: a set of
// puzzles is also a list of positions, and a run lists puzzles.
const (
	textPosition    = "position"
	textPositions   = "positions"
	textGame        = "game"
	textAnnotated   = "annotated" // a game with comments, marks or variations
	textGames       = "games"
	textMixed       = "mixed"   // positions and games
	textPuzzles     = "puzzles" // one at least has a claim or a solution
	textCertificate = "certificate"
	textRun         = "run" // of goalproof verify --json
)

// openAnswer says what a text is.
type openAnswer struct {
	Kind   string     `json:"kind"`
	Says   string     `json:"says"` // what it is, in a few words
	Counts openCounts `json:"counts"`
	readAnswer
}

// openCounts counts what is found in a text, and listed.
type openCounts struct {
	Positions int `json:"positions"`
	Games     int `json:"games"`
	Puzzles   int `json:"puzzles"` // positions or games with a claim or a solution; of a run all
	Broken    int `json:"broken"`  // what cannot be read
}

// identify says what a text is that somebody has pasted or dropped.
func (s *Server) identify(r readRequest) (a openAnswer, err error) {
	switch first := firstLine(r.Text); {
	case strings.HasPrefix(first, "goalproof certificate "), strings.HasPrefix(first, "goalproof refutation "):
		return openCertificate(r)
	case isRun(r.Text):
		return openRun(r)
	}
	commented := false
	a.readAnswer, err = readParts(r, func(f *found) {
		commented = commented || f.Annotated.commented()
		a.Counts.add(f)
	})
	if err != nil {
		return a, err
	}
	a.Kind, a.Says = a.Counts.kind(commented)
	if a.Says == "" {
		a.Says = a.Found[0].About
		if _, about, ok := strings.Cut(a.Says, ": "); ok && a.Kind == textPosition {
			a.Says = about // without its line
		}
	}
	if a.Counts.Broken > 0 {
		a.Says += fmt.Sprintf(", %d of which cannot be read", a.Counts.Broken)
	}
	a.Says += a.rest()
	return a, nil
}

// rest says that a text holds more than what is counted, if it does.
func (a *readAnswer) rest() string {
	if a.More {
		return ", and more that is not listed"
	}
	return ""
}

// firstLine returns the first line of a text without blanks around it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// add counts a position or game.
func (c *openCounts) add(f *found) {
	switch {
	case f.Error != "":
		c.Broken++
		return
	case f.Game != nil:
		c.Games++
	default:
		c.Positions++
	}
	if f.Claim > 0 || f.Solution != "" {
		c.Puzzles++
	}
}

// kind returns the kind of a text that holds positions and games, and says it. What is broken in it
// may be either.
func (c *openCounts) kind(commented bool) (kind, says string) {
	switch {
	case c.Puzzles > 0:
		return textPuzzles, printable.Amount(c.Positions+c.Games+c.Broken, "puzzle")
	case c.Games > 0 && c.Positions > 0:
		return textMixed, fmt.Sprintf("%s and %s", printable.Amount(c.Positions, "position"), printable.Amount(c.Games, "game"))
	case c.Games == 1 && c.Broken == 0 && commented:
		return textAnnotated, ""
	case c.Games == 1 && c.Broken == 0:
		return textGame, ""
	case c.Games > 0:
		return textGames, printable.Amount(c.Games+c.Broken, "game")
	case c.Positions == 1 && c.Broken == 0:
		return textPosition, ""
	}
	return textPositions, printable.Amount(c.Positions+c.Broken, "position")
}

// commented reports whether a game has comments, marks or variations. In a variation a turn does
// not follow the one before it.
func (g *Game) commented() bool {
	if g == nil {
		return false
	}
	for i, n := range g.Nodes {
		if n.Comment != "" || n.Sign != "" || n.Parent != i-1 {
			return true
		}
	}
	return false
}

// openCertificate says what a certificate claims, and finds the position that it is about. Whether
// the certificate holds is a matter of a job of the kind check.
func openCertificate(r readRequest) (a openAnswer, err error) {
	c, refutation, err := proof.Read(strings.NewReader(r.Text), cmp.Or(notation.Legible(r.Name), "certificate"))
	if err != nil {
		return a, err
	}
	a.Kind, a.Counts.Positions = textCertificate, 1
	f := found{About: "position of the certificate"}
	if c != nil {
		a.Says = report.Claim(c)
		f.Study = Study{Position: c.Entries[0].Position}
		if c.Game != nil {
			f.Study = Study{Position: c.Game.Start, Turns: c.Game.Turns}
		}
	} else {
		a.Says = report.NoWin(refutation)
		f.Study = Study{Position: refutation.Position}
	}
	a.Says = "certificate, not checked: " + a.Says
	p, err := f.Study.read()
	if err != nil {
		return a, err
	}
	f.Study = p.study()
	a.Found = []found{f}
	return a, nil
}

// isRun reports whether a text begins with an object of goalproof verify --json, which alone has
// the field claim_true.
func isRun(text string) bool {
	var first map[string]json.RawMessage
	if json.NewDecoder(strings.NewReader(text)).Decode(&first) != nil {
		return false
	}
	_, ok := first["claim_true"]
	return ok
}

// openRun reads a run. Its positions are found in it as well.
func openRun(r readRequest) (a openAnswer, err error) {
	if _, err := readRun(strings.NewReader(r.Text)); err != nil {
		return a, err
	}
	a.Kind = textRun
	a.readAnswer, err = readParts(r, a.Counts.add)
	if err != nil {
		a.Found = []found{} // no puzzle of the run could be read
	}
	a.Counts.Puzzles = a.Counts.Positions + a.Counts.Games + a.Counts.Broken
	a.Says = "run of goalproof verify, " + printable.Amount(a.Counts.Puzzles, "puzzle") + a.rest()
	return a, nil
}
