package notation

import (
	"maps"
	"slices"

	"goalproof/arimaa"
)

// Form is a way to write a position or a game. All of them are read again by [Read].
type Form struct {
	Name    string
	About   string // for a list of forms, in a few words
	Head    string // a line above the first entry of a text, with its end; "" if there is none
	Several bool   // a text may hold several entries, with blank lines between them
	holds   part
	write   func(w *Written) string
}

// Written is what [Form.Write] writes: a game, or a position, which is a game without turns, and
// what its record says besides.
type Written struct {
	Game     *Annotated
	Name     string // of the entry; only archives and puzzle texts name their entries
	Claim    int    // the side to move is said to win in so many turns; 0: nothing is said
	Solution string // the turn that is said to do so, as records write it; "" if there is none

	lost part // what the form can hold, but not in this case
}

// part is a set of what a text can say besides the position and the side to move.
type part uint16

const (
	theTurns part = 1 << iota
	theNumber
	theEnd    // a word such as resigns behind the last turn
	theResult // what tags add to that, or say where there is none
	theTags
	theComments
	theSigns
	theVariations
	theClaim
	theSolution
	theTakebacks
)

// parts names what may be lost.
var parts = []struct {
	part
	name string
}{
	{theTurns, "the turns before"},
	{theNumber, "the number of the turn"},
	{theEnd | theResult, "how the game ended"},
	{theTags, "the tags"},
	{theComments, "the comments"},
	{theSigns, "the marks"},
	{theVariations, "the variations"},
	{theClaim, "the claim"},
	{theSolution, "the solution"},
	{theTakebacks, "the turns taken back"},
}

// Forms returns the forms that are written, the one for people first. The puzzle file of the client
// 4steps is read and not among them: it is no text.
func Forms() []Form {
	return []Form{
		{Name: "board", About: "a board in long form, as most programs read it", Several: true,
			holds: theNumber, write: writeBoard},
		{Name: "short", About: "g [64 squares], a8 to h1", Several: true, write: writeShort},
		{Name: "ranks", About: "a turn such as 22g, then rrrddrrr/8/... in one line, as bot_sharp reads it", Several: true,
			holds: theNumber, write: writeRanks},
		{Name: "4steps", About: "pieces with their squares and the side to move, as the client 4steps pastes them", Several: true, write: writePieces},
		{Name: "link", About: "a link to the picture of the board, as forums have it", Several: true, write: writeLink},
		{Name: "post", About: "a board for a forum, with its claim and the solution hidden", Several: true,
			holds: theNumber | theClaim | theSolution, write: writePost},
		{Name: "puzzle", About: "the puzzle text of arimaa.com, with the solution", Several: true,
			holds: theTurns | theNumber | theTags | theClaim | theSolution, write: writePuzzle},
		{Name: "turns", About: "a list of turns: the setup, or the pieces of the first position, then the turns",
			holds: theTurns | theNumber | theEnd, write: writeTurns},
		{Name: "annotated", About: "a game in the shape of the PGN files of chess, with its comments and variations", Several: true,
			holds: ^(theClaim | theSolution), write: writeAnnotated},
		{Name: "archive", About: "a row of the game room's archive, below its header", Several: true, Head: archiveHead(),
			holds: theTurns | theNumber | theEnd | theResult | theTags, write: writeRow},
		{Name: "aei", About: "the commands of the Arimaa Engine Interface that lead there",
			holds: theTurns | theNumber, write: writeCommands},
	}
}

// FormNamed returns a form by its name.
func FormNamed(name string) (Form, bool) {
	for _, f := range Forms() {
		if f.Name == name {
			return f, true
		}
	}
	return Form{}, false
}

// Game reports whether the form holds the turns of a game; otherwise it holds its last position
// alone.
func (f Form) Game() bool { return f.holds&theTurns != 0 }

// Write writes a game or a position, ending with a newline. The head of the form is not written.
// What the form cannot hold of it is named, for example "the comments".
func (f Form) Write(w Written) (text string, lost []string) {
	w.lost = w.Game.lost
	text = f.write(&w)
	missing := w.parts() &^ (f.holds &^ w.lost)
	if missing&theTurns != 0 {
		missing &^= theTakebacks
	}
	for _, p := range parts {
		if missing&p.part != 0 {
			lost = append(lost, p.name)
		}
	}
	return text, lost
}

// parts returns what there is to write.
func (w *Written) parts() (all part) {
	add := func(there bool, p part) {
		if there {
			all |= p
		}
	}
	g := w.Game.Main
	all = w.Game.lost
	add(g.Len() > 0, theTurns)
	add(g.Number(g.Len()) != arimaa.FirstTurn, theNumber)
	add(g.End() != "", theEnd)
	add(ResultOf(g, w.Game.Tags) != ResultOf(g, nil), theResult)
	add(w.tagged(), theTags)
	add(len(w.Game.Nodes) > g.Len()+1, theVariations)
	for _, n := range w.Game.Nodes {
		add(n.Comment != "", theComments)
		add(n.Sign != "", theSigns)
	}
	add(w.Claim > 0, theClaim)
	add(w.Solution != "", theSolution)
	return all
}

// endTags are the tags that say how a game ended.
var endTags = []string{"Result", "ResultCode", "Termination", "PlyCount"}

// tagged reports whether there are tags besides those that say how the game ended, and others that
// are named.
func (w *Written) tagged(besides ...string) bool {
	for name, value := range w.Game.Tags {
		if value != "" && !slices.Contains(endTags, name) && !slices.Contains(besides, name) {
			return true
		}
	}
	return false
}

// Written returns the entry as it can be written in any form. The error is that of reading its
// game.
func (e *Entry) Written() (Written, error) {
	w := Written{Name: e.Name, Claim: e.Claim, Solution: e.Solution}
	if e.Position == nil {
		var err error
		w.Game, err = e.Annotated()
		return w, err
	}
	w.Game = Line(arimaa.NewGame(e.Position.Position, e.Position.Number))
	w.Game.Tags = maps.Clone(e.Tags)
	for _, field := range []string{"mode", "movelist", "side", "startmove"} { // of a puzzle text: they are the position
		delete(w.Game.Tags, field)
	}
	return w, nil
}
