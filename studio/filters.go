package studio

import (
	"errors"
	"fmt"

	"goalproof/arimaa"
	"goalproof/library"
	themed "goalproof/puzzles/describe"
)

// maxAsked is the greatest length of a text in a filter, in bytes.
const maxAsked = 500

// gameFilter is a [library.Filter] in JSON. What is "", 0 or false is not asked for; a range is
// A..B, A.., ..B, or A.
type gameFilter struct {
	Player   string `json:"player"`
	Opponent string `json:"opponent"`
	Gold     string `json:"gold"`
	Silver   string `json:"silver"`
	Rating   string `json:"rating"` // range
	Date     string `json:"date"`   // range
	Event    string `json:"event"`
	Source   string `json:"source"`
	Name     string `json:"name"`
	Number   int64  `json:"number"` // of the game in the library
	Result   string `json:"result"`
	Ending   string `json:"ending"`
	Turns    string `json:"turns"` // range
	Setup    string `json:"setup"`
	Twins    bool   `json:"twins"`
	Finding  string `json:"finding"`
	WinIn    string `json:"win_in"` // range, of turns
	Material string `json:"material"`
	Endgame  string `json:"endgame"`
	boardAsked
}

// read returns the filter. The error, a [*library.FilterError], names the field.
func (f *gameFilter) read() (*library.Filter, error) {
	out := &library.Filter{Player: f.Player, Opponent: f.Opponent, Gold: f.Gold, Silver: f.Silver, Event: f.Event, Source: f.Source, Name: f.Name,
		ID: f.Number, Result: f.Result, Ending: f.Ending, Setup: f.Setup, Twins: f.Twins, Finding: f.Finding, Material: f.Material, Class: f.Endgame,
		Mirrored: f.Mirrored, Exchanged: f.Exchanged}
	if f.Number < 0 {
		return nil, meaningless("number", fmt.Errorf("%d: the first game is number 1", f.Number))
	}
	if err := short("player", f.Player, "opponent", f.Opponent, "gold", f.Gold, "silver", f.Silver, "event", f.Event,
		"source", f.Source, "name", f.Name, "result", f.Result, "ending", f.Ending, "setup", f.Setup, "finding", f.Finding, "material", f.Material,
		"endgame", f.Endgame); err != nil {
		return nil, err
	}
	if err := ranges([]namedRange{{"rating", f.Rating, &out.Rating}, {"date", f.Date, &out.Date}, {"turns", f.Turns, &out.Turns},
		{"win_in", f.WinIn, &out.WinIn}}); err != nil {
		return nil, err
	}
	var err error
	out.Position, out.Pattern, err = f.boardAsked.read()
	return out, err
}

// puzzleFilter is a [library.PuzzleFilter] in JSON.
type puzzleFilter struct {
	Source string `json:"source"`
	Name   string `json:"name"`
	WinIn  string `json:"win_in"` // range, of the turns that are claimed

	Game       int64    `json:"game_number"` // mined from this game
	Themes     []string `json:"themes"`
	Difficulty string   `json:"difficulty"` // range
	Unique     bool     `json:"unique"`
	All        bool     `json:"all"`
	boardAsked
}

// read returns the filter. The error, a [*library.FilterError], names the field.
func (f *puzzleFilter) read() (*library.PuzzleFilter, error) {
	out := &library.PuzzleFilter{Source: f.Source, Name: f.Name, Game: f.Game, Unique: f.Unique, All: f.All, Mirrored: f.Mirrored, Exchanged: f.Exchanged}
	if err := short("source", f.Source, "name", f.Name); err != nil {
		return nil, err
	}
	if err := ranges([]namedRange{{"win_in", f.WinIn, &out.Claim}, {"difficulty", f.Difficulty, &out.Difficulty}}); err != nil {
		return nil, err
	}
	var err error
	if out.Themes, err = themed.ParseThemes(f.Themes); err != nil {
		return nil, meaningless("themes", err)
	}
	out.Position, out.Pattern, err = f.boardAsked.read()
	return out, err
}

// boardAsked is what filters ask of a board.
type boardAsked struct {
	Position  string `json:"position"` // in any form of one line
	Study     *Study `json:"study"`    // in place of it: the position after its turns
	Pattern   string `json:"pattern"`
	Mirrored  bool   `json:"mirrored"`
	Exchanged bool   `json:"exchanged"`
}

func (b *boardAsked) read() (at *arimaa.Position, pattern *library.Pattern, err error) {
	if err := short("position", b.Position, "pattern", b.Pattern); err != nil {
		return nil, nil, err
	}
	if b.Pattern != "" {
		if pattern, err = library.ParsePattern(b.Pattern); err != nil {
			return nil, nil, &library.FilterError{Err: err} // which names it
		}
	}
	study := b.Study
	switch {
	case study == nil && b.Position == "":
		return nil, pattern, nil
	case study == nil:
		study = &Study{Position: b.Position}
	case b.Position != "":
		return nil, nil, meaningless("position", errors.New("it cannot be combined with a study"))
	}
	p, err := study.read()
	switch {
	case err != nil:
		return nil, nil, &library.FilterError{Err: err} // which names the field
	case p.steps.Len() > 0:
		return nil, nil, meaningless("steps", errors.New("the turn under way has some: end it, or take them back"))
	}
	return new(p.game.Last()), pattern, nil
}

// short returns an error if a text is long: SQLite takes long patterns apart without a break. Each
// text stands behind the name of its field.
func short(fields ...string) error {
	for i := 0; i < len(fields); i += 2 {
		if len(fields[i+1]) > maxAsked {
			return meaningless(fields[i], fmt.Errorf("it has more than %d bytes", maxAsked))
		}
	}
	return nil
}

// namedRange is a range in a filter.
type namedRange struct {
	field, text string
	to          *library.Range
}

// ranges reads ranges.
func ranges(all []namedRange) error {
	for _, r := range all {
		if *r.to = library.ParseRange(r.text); r.text != "" && *r.to == (library.Range{}) {
			return meaningless(r.field, fmt.Errorf("%.20q bounds nothing: write A..B, A.., ..B or A", r.text))
		}
	}
	return nil
}
