package library

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/review"
	"goalproof/zobrist"
)

// Header is what a library says about a game besides its turns. What is not known is "" or 0.
type Header struct {
	Name                     string // that its source gives it, such as the id in an archive
	Gold, Silver             string // the players
	GoldRating, SilverRating int
	Date                     string // 2026-01-31
	Event, TimeControl       string
	Result                   string // gold, silver, draw, undecided; "": not finished, or nobody knows
	Ending                   string // goal, immobilisation, elimination, time, resignation, ...
	Turns                    int    // of both sides, without the setup
	GoldSetup, SilverSetup   string // [setupOf]; "" if it began with a position
}

// moves are the turns of a game, as the table record holds them.
type moves struct {
	start     []byte // the first position, packed
	number    int    // of the first turn
	turns     []byte // four bytes each
	ended     string // the word behind the last turn
	tags      string // JSON; "" if they say no more than the header
	annotated string // "" without comments and variations
}

// entry is a game with all that its rows hold.
type entry struct {
	Header
	moves
	digest    int64
	keys      []zobrist.Key // of each position
	stretches []stretch
}

// stretch is from when to when a game had the same pieces.
type stretch struct {
	material    material
	first, last int // turns before
}

// Letters of results in archives.
var resultLetters = map[string]string{"gold": "w", "silver": "b", "draw": "d", "undecided": "u"}

// entryOf returns the rows of a game that an entry of a text holds, under a name.
func entryOf(name string, e *notation.Entry, g *arimaa.Game) (*entry, error) {
	var tags map[string]string
	r := review.FromEntry(name, e, g, nil)
	annotated := ""
	if e.Record != nil {
		tags = e.Record.Tags()
	} else {
		a, err := e.Annotated()
		if err != nil {
			return nil, err
		}
		if tags = a.Tags; commented(a) {
			annotated = withoutTags(a).Write()
		}
	}
	return newEntry(cmp.Or(name, tags["Source"]), &r, tags, annotated)
}

// withoutTags returns an annotated game without its tags, which are kept as they are: in an
// annotated game some characters cannot stand in them.
func withoutTags(a *notation.Annotated) *notation.Annotated {
	out := *a
	out.Tags = nil
	return &out
}

// commented reports whether a game has more than its turns.
func commented(a *notation.Annotated) bool {
	if len(a.Nodes) > a.Main.Len()+1 {
		return true
	}
	for _, n := range a.Nodes {
		if n.Comment != "" || n.Sign != "" {
			return true
		}
	}
	return false
}

// newEntry returns the rows of a game.
func newEntry(name string, r *review.Record, tags map[string]string, annotated string) (*entry, error) {
	g := r.Game
	first := g.Position(0)
	if err := first.CheckStart(); err != nil {
		return nil, err
	}
	e := &entry{Header: Header{
		Name: name, Gold: r.Gold, Silver: r.Silver, GoldRating: rating(r.Details.GoldRating), SilverRating: rating(r.Details.SilverRating),
		Date: dateOf(r.Details.Date), Event: r.Details.Event, TimeControl: r.Details.TimeControl, Ending: r.Ended, Turns: g.Len(),
	}}
	switch {
	case r.Finished():
		e.Result = r.Winner.String()
	case r.Ended == "draw":
		e.Result = "draw"
	case r.Ended != "":
		e.Result = "undecided"
	}
	e.start, e.number, e.ended, e.annotated = first.AppendPacked(nil), g.Number(0), g.End(), annotated
	if !maps.Equal(tags, e.headerTags()) {
		text, err := json.Marshal(tags)
		if err != nil {
			return nil, err
		}
		e.tags = string(text)
	}
	gold, silver := setupOf(&first.Board, arimaa.Gold), setupOf(&first.Board, arimaa.Silver)
	if e.number == arimaa.FirstTurn && gold != "" && silver != "" {
		e.GoldSetup, e.SilverSetup = gold, silver
	}
	return e, e.index(g)
}

// dateOf returns a date as the library has it, 2020, 2020-06 or 2020-06-30; "" for what is none.
// Tags also have 2020.06.30 and 2020.06.??.
func dateOf(text string) string {
	text, _, _ = strings.Cut(strings.ReplaceAll(text, ".", "-"), "-?")
	for _, layout := range dates {
		if _, err := time.Parse(layout, text); err == nil {
			return text
		}
	}
	return ""
}

// dates are the forms of dates.
var dates = []string{time.DateOnly, "2006-01", "2006"}

// rating reads a rating, 0 if it is no number.
func rating(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1<<30 {
		return 0
	}
	return n
}

// index adds the turns, and what is found by positions.
func (e *entry) index(g *arimaa.Game) error {
	for i := range g.Len() + 1 {
		if i < g.Len() {
			e.turns = binary.BigEndian.AppendUint32(e.turns, g.Turn(i).Code())
		}
		p := g.Position(i)
		e.keys = append(e.keys, p.Key())
		m, err := materialOf(&p.Board)
		if err != nil {
			return err
		}
		if last := len(e.stretches) - 1; last < 0 || e.stretches[last].material != m {
			e.stretches = append(e.stretches, stretch{m, i, i})
		} else {
			e.stretches[last].last = i
		}
	}
	sum := digest(e.start, e.turns)
	e.digest = int64(binary.BigEndian.Uint64(sum[:]))
	return nil
}

// half returns what the index of positions has of a key; tests make it shorter.
var half = func(k zobrist.Key) int64 { return int64(k.Lo) }

// digest returns 16 bytes of the SHA-256 of some values, each behind its length.
func digest[T string | []byte](values ...T) []byte {
	var all []byte
	for _, v := range values {
		all = binary.AppendUvarint(all, uint64(len(v)))
		all = append(all, v...)
	}
	sum := sha256.Sum256(all)
	return sum[:16]
}

// identity returns the digest of all that is kept of a game. The n-th such game of one file has a
// number, from 0, of its own.
func (e *entry) identity(n int) []byte {
	return digest(e.Name, e.Gold, e.Silver, strconv.Itoa(e.GoldRating), strconv.Itoa(e.SilverRating), e.Date, e.Event, e.TimeControl,
		e.Result, e.Ending, string(e.start), strconv.Itoa(e.number), string(e.turns), e.ended, e.otherTags(), e.annotated, strconv.Itoa(n))
}

// endTags are tags that say in other words what a header says: Result, and Ending.
var endTags = []string{"Result", "ResultCode", "Termination", "PlyCount", "Source"}

// otherTags returns the tags as the identity has them: without those that tell the result, which
// may be told in several ways.
func (e *entry) otherTags() string {
	if e.tags == "" {
		return ""
	}
	var tags map[string]string
	if json.Unmarshal([]byte(e.tags), &tags) != nil {
		return e.tags
	}
	known := e.headerTags()
	if dateOf(tags["Date"]) == e.Date { // in another form
		delete(tags, "Date")
	}
	for _, name := range endTags {
		delete(tags, name)
	}
	maps.DeleteFunc(tags, func(name, value string) bool { return value == "" || known[name] == value })
	if len(tags) == 0 {
		return ""
	}
	text, err := json.Marshal(tags) // in the order of the names
	if err != nil {
		return e.tags
	}
	return string(text)
}

// headerTags returns the tags that a header gives a game, those of the row of an archive.
func (h *Header) headerTags() map[string]string {
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	r := notation.Record{
		ID: h.Name, Gold: h.Gold, Silver: h.Silver, Result: resultLetters[h.Result], Termination: notation.EndingLetter(h.Ending),
		Details: notation.Details{GoldRating: number(h.GoldRating), SilverRating: number(h.SilverRating),
			TimeControl: h.TimeControl, Event: h.Event, Date: h.Date},
	}
	return r.Tags()
}

// game returns the game of the turns. Each is held against the rules.
func (m *moves) game() (*arimaa.Game, error) {
	first, err := arimaa.UnpackPosition(m.start)
	if err != nil {
		return nil, err
	}
	g := arimaa.NewGame(first, m.number)
	for codes := m.turns; len(codes) >= 4; codes = codes[4:] {
		last := g.Last()
		t, _, ok := last.Decode(binary.BigEndian.Uint32(codes))
		if !ok {
			return nil, fmt.Errorf("turn %s is not legal", g.Label(g.Len()))
		}
		if err := g.Play(t); err != nil {
			return nil, fmt.Errorf("turn %s: %w", g.Label(g.Len()), err)
		}
	}
	if len(m.turns)%4 != 0 {
		return nil, errors.New("the last turn is not whole")
	}
	if m.ended != "" {
		g.SetEnd(m.ended)
	}
	return g, nil
}

// written returns the game as it can be written in any form.
func (m *moves) written(h *Header) (notation.Written, error) {
	w := notation.Written{Name: h.Name}
	if m.annotated != "" {
		a, err := notation.ReadVariations("", m.annotated)
		if err != nil {
			return w, err
		}
		w.Game = a
	} else {
		g, err := m.game()
		if err != nil {
			return w, err
		}
		w.Game = notation.Line(g)
	}
	if w.Game.Tags = h.headerTags(); m.tags != "" {
		w.Game.Tags = nil
		if err := json.Unmarshal([]byte(m.tags), &w.Game.Tags); err != nil {
			return w, err
		}
	}
	return w, nil
}

// unchanged returns an error if the turns are not those that were imported.
func (m *moves) unchanged(sum int64) error {
	if want := digest(m.start, m.turns); int64(binary.BigEndian.Uint64(want)) != sum {
		return errors.New("its turns have changed")
	}
	return nil
}

// replay calls each for every position of the game with the number of turns before it, until it
// returns false. The error says that the turns are not those that were imported.
func (m *moves) replay(sum int64, each func(at int, p *arimaa.Position) bool) error {
	if err := m.unchanged(sum); err != nil {
		return err
	}
	p, err := arimaa.UnpackPosition(m.start)
	if err != nil {
		return err
	}
	for at := 0; each(at, &p) && 4*at < len(m.turns); at++ {
		var ok bool
		if p, ok = p.Replay(binary.BigEndian.Uint32(m.turns[4*at:])); !ok {
			return fmt.Errorf("turn %d is none", at+1)
		}
	}
	return nil
}

// position returns the position after some turns.
func (m *moves) position(sum int64, at int) (*arimaa.Position, error) {
	var last arimaa.Position
	n := -1
	err := m.replay(sum, func(i int, p *arimaa.Position) bool {
		last, n = *p, i
		return i < at
	})
	if err == nil && n != at {
		err = fmt.Errorf("it has no turn %d", at)
	}
	return &last, err
}

// Puzzle is a position that a set holds, with what its author says, or that was mined from a game.
type Puzzle struct {
	ID       int64
	Source   string // if it was mined, that of its game
	Line     int    // of the source, from 1
	Name     string // that the source gives it, or the game with the turn; "" if it gives none
	Position arimaa.Position
	Number   int    // of the turn to come
	Claim    int    // the side to move is said to win in so many turns; 0: nothing is said
	Solution string // the turn that is said to do so, as records write it; "" if there is none
	Tags     map[string]string
	Origin   *Origin // nil: it was imported
}

// puzzleOf returns the puzzle that an entry of a text holds.
func puzzleOf(name string, e *notation.Entry) (*Puzzle, error) {
	w, err := e.Written()
	if err != nil {
		return nil, err
	}
	return &Puzzle{Name: name, Position: e.Position.Position, Number: w.Game.Main.Number(0), Claim: e.Claim, Solution: e.Solution, Tags: w.Game.Tags}, nil
}

// tagText returns the tags of a puzzle as JSON, "" without any.
func (p *Puzzle) tagText() string {
	if len(p.Tags) == 0 {
		return ""
	}
	text, err := json.Marshal(p.Tags)
	if err != nil {
		panic(err) // strings are always JSON
	}
	return string(text)
}

// identity is that of a game, for a puzzle. One that was mined is no imported one, and its game and
// turn tell it from all others.
func (p *Puzzle) identity(n int) []byte {
	all := []string{p.Name, p.Position.String(), strconv.Itoa(p.Number), strconv.Itoa(p.Claim), p.Solution, p.tagText(), strconv.Itoa(n)}
	if p.Origin != nil {
		all = append(all, p.Origin.text())
	}
	return digest(all...)
}

// Label returns the label of the turn to come, such as 12g.
func (p *Puzzle) Label() string { return arimaa.LabelAfter(p.Number, p.Position.Side(), 0) }

// Written returns the puzzle as it can be written in any form.
func (p *Puzzle) Written() notation.Written {
	w := notation.Written{Game: notation.Line(arimaa.NewGame(p.Position, p.Number)), Name: p.Name, Claim: p.Claim, Solution: p.Solution}
	w.Game.Tags = p.Tags
	return w
}
