package library

import (
	"goalproof/arimaa"
)

// GameRow is a game in a list, as commands and the studio write it in JSON; null is what is not
// known. The help topic json documents the fields of all rows.
type GameRow struct {
	Number       int64   `json:"number"`
	Source       string  `json:"source"`
	SourceLine   int     `json:"source_line"`
	Name         *string `json:"name"`
	Gold         *string `json:"gold"`
	Silver       *string `json:"silver"`
	GoldRating   *int    `json:"gold_rating"`
	SilverRating *int    `json:"silver_rating"`
	Date         *string `json:"date"`
	Event        *string `json:"event"`
	TimeControl  *string `json:"time_control"`
	Result       *string `json:"result"`
	Ending       *string `json:"ending"`
	Turns        int     `json:"turns"` // of both sides
	GoldSetup    *string `json:"gold_setup"`
	SilverSetup  *string `json:"silver_setup"`
	SameTurnsAs  *int64  `json:"same_turns_as"`
	At           *string `json:"at"`
	Position     string  `json:"position"`
}

// Row returns the game in a list, and the game up to the position that the row has: the one that
// the filter found, or else the last one. The error is that of a damaged file.
func (g *Game) Row() (row GameRow, to *arimaa.Game, err error) {
	to, err = g.Played()
	if err != nil {
		return row, nil, err
	}
	var at *string
	if g.At >= 0 {
		at, to = new(g.Label(g.At)), to.At(g.At)
	}
	position := to.Last()
	return GameRow{g.ID, g.Source, g.Line, known(g.Name), known(g.Gold), known(g.Silver), known(g.GoldRating), known(g.SilverRating), known(g.Date),
		known(g.Event), known(g.TimeControl), known(g.Result), known(g.Ending), g.Turns, known(g.GoldSetup), known(g.SilverSetup), known(g.Twin), at,
		position.String()}, to, nil
}

// FindingRow is a finding in a list, in JSON.
type FindingRow struct {
	Number   int64   `json:"number"`
	Game     *string `json:"game"`
	Date     *string `json:"date"`
	Turn     string  `json:"turn"`
	At       int     `json:"at"`
	Finding  string  `json:"finding"`
	Side     string  `json:"side"`
	Player   *string `json:"player"`
	Rating   *int    `json:"rating"`
	Turns    int     `json:"turns"` // of the win
	Exact    bool    `json:"exact"`
	Played   *string `json:"played"`
	Better   *string `json:"better"`
	Position string  `json:"position"`
}

// Row returns the finding in a list. The error is that of a damaged file.
func (f *Finding) Row() (row FindingRow, err error) {
	position, err := f.before()
	if err != nil {
		return row, err
	}
	g := f.Game
	return FindingRow{g.ID, known(g.Name), known(g.Date), f.Label, f.At, f.Kind, f.Side, known(f.Player()), known(f.Rating), f.Turns, f.Exact, known(f.Played), known(f.Better),
		position.String()}, nil
}

// PuzzleRow is a puzzle in a list, in JSON.
type PuzzleRow struct {
	Number     int64   `json:"number"`
	Source     string  `json:"source"`
	SourceLine int     `json:"source_line"`
	Name       *string `json:"name"`
	Position   string  `json:"position"`
	Claim      *int    `json:"claim"` // turns
	Solution   *string `json:"solution"`
	*OriginRow
}

// OriginRow is what a row of a mined puzzle has besides.
type OriginRow struct {
	Game       int64    `json:"game_number"`
	At         string   `json:"at"`
	SameIdeaAs *int64   `json:"same_idea_as"`
	Pieces     int      `json:"pieces"`
	Replies    int      `json:"replies"`
	Tries      int      `json:"tries"`
	Quiet      bool     `json:"quiet"`
	Difficulty float64  `json:"difficulty"`
	Winning    int      `json:"winning"`
	First      int      `json:"first_turns"`
	Themes     []string `json:"themes"`
}

// Row returns the puzzle in a list.
func (p *Puzzle) Row() PuzzleRow {
	row := PuzzleRow{p.ID, p.Source, p.Line, known(p.Name), p.Position.String(), known(p.Claim), known(p.Solution), nil}
	if o := p.Origin; o != nil {
		row.OriginRow = &OriginRow{o.Game, p.Label(), known(o.Idea), o.Pieces, o.Replies, o.Tries, o.Quiet, o.Difficulty, o.Winning, o.First, o.Themes.Names()}
	}
	return row
}

// ScoreRow is a score in JSON.
type ScoreRow struct {
	Games        int        `json:"games"`
	GoldWins     int        `json:"gold_wins"`
	SilverWins   int        `json:"silver_wins"`
	Rating       *int       `json:"rating"`
	First        *string    `json:"first_date"`
	Last         *string    `json:"last_date"`
	GoldProved   *ProofsRow `json:"gold_proved"`
	SilverProved *ProofsRow `json:"silver_proved"`
}

// ProofsRow is [Proofs] in JSON.
type ProofsRow struct {
	Games int  `json:"games"`
	Turns int  `json:"turns"` // of the winner
	Exact bool `json:"exact"`
}

// Row returns the score in JSON.
func (s *Score) Row() ScoreRow {
	return ScoreRow{s.Games, s.Gold, s.Silver, known(s.Rating()), known(s.From), known(s.To), known(ProofsRow(s.Proofs[0])), known(ProofsRow(s.Proofs[1]))}
}

// GroupRow is a group in JSON.
type GroupRow struct {
	By      string         `json:"by"`
	Group   *string        `json:"group"`
	Games   int            `json:"games"`
	Won     int            `json:"won"`
	Lost    int            `json:"lost"`
	Other   int            `json:"other"`
	Turns   float64        `json:"mean_turns"`
	Rating  *int           `json:"rating"`
	Endings map[string]int `json:"endings"`
}

// Row returns the group in JSON; by is what the games are grouped by.
func (g *Group) Row(by string) GroupRow {
	return GroupRow{by, known(g.Name), g.Games, g.Won, g.Lost, g.Other, g.Turns(), known(g.Rating()), g.Endings}
}

// TotalsRow is [Totals] in JSON.
type TotalsRow struct {
	Games     int     `json:"games"`
	Twins     int     `json:"twins"`
	Positions int     `json:"positions"`
	Players   int     `json:"players"`
	Setups    int     `json:"setups"`
	Puzzles   int     `json:"puzzles"`
	Mined     int     `json:"mined_puzzles"`
	Ideas     int     `json:"ideas"`
	Sources   int     `json:"sources"`
	Reviewed  int     `json:"reviewed"`
	Findings  int     `json:"findings"`
	First     *string `json:"first_date"`
	Last      *string `json:"last_date"`
}

// Row returns the totals in JSON.
func (t *Totals) Row() TotalsRow {
	return TotalsRow{t.Games, t.Twins, t.Positions, t.Players, t.Setups, t.Puzzles, t.Mined, t.Ideas, t.Sources, t.Reviewed, t.Findings, known(t.From), known(t.To)}
}

// known returns a value for JSON, null for one that is not known.
func known[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
