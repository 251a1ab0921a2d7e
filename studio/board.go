package studio

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/printable"
	"goalproof/review"
)

// viewRequest asks for a view of a study as it is.
type viewRequest struct {
	Study Study `json:"study"`
	looks
}

func (s *Server) viewStudy(r viewRequest) (*View, error) {
	p, err := r.Study.read()
	if err != nil {
		return nil, err
	}
	return s.view(p, r.looks)
}

// stepRequest moves the piece on a square to another one, and answers with a view.
type stepRequest struct {
	Study Study  `json:"study"`
	From  string `json:"from"`
	To    string `json:"to"`
	looks
}

func (s *Server) step(r stepRequest) (*View, error) {
	p, err := r.Study.read()
	if err != nil {
		return nil, err
	}
	if o := p.game.Outcome(); o.Over() {
		return nil, fmt.Errorf("the game is over: %v wins by %v", o.Winner, o.Reason)
	}
	from, err := squareOf(r.From)
	if err != nil {
		return nil, err
	}
	to, err := squareOf(r.To)
	if err != nil {
		return nil, err
	}
	if err := p.move(from, to); err != nil {
		return nil, err
	}
	return s.view(p, r.looks)
}

// squareOf reads the name of a square.
func squareOf(name string) (arimaa.Square, error) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return 0, fmt.Errorf("%q is no square", notation.Legible(name))
	}
	return arimaa.Square(8*(name[1]-'1') + name[0] - 'a'), nil
}

// move moves a piece: by one step to a neighbouring square, or a piece of the side to move by
// several single steps to a square further away.
func (p *point) move(from, to arimaa.Square) error {
	piece := p.state.At(from)
	switch {
	case from == to:
		return errors.New("the piece stays where it is")
	case piece == arimaa.Empty:
		return fmt.Errorf("there is no piece on %v", from)
	case from.Beside().Has(to):
		step := arimaa.StepBetween(piece, from, to)
		if _, err := p.state.Play(step); err != nil {
			return err
		}
		p.steps = p.steps.With(step)
		return nil
	case p.state.At(to) != arimaa.Empty:
		return fmt.Errorf("%v is occupied", to)
	case piece.Side() != p.state.Side():
		return fmt.Errorf("a piece of %v is pushed or pulled step by step, to a neighbouring square", piece.Side())
	}
	state, steps, ok := walk(p.state, p.steps, from, to)
	if !ok {
		return fmt.Errorf("the piece on %v cannot go to %v by itself with %s left", from, to, printable.Amount(p.state.StepsLeft(), "step"))
	}
	p.state, p.steps = state, steps
	return nil
}

// walk moves a piece by single steps, as few as possible. Only the last one may capture.
func walk(state arimaa.State, steps arimaa.Turn, from, to arimaa.Square) (arimaa.State, arimaa.Turn, bool) {
	type place struct {
		state arimaa.State
		steps arimaa.Turn
		at    arimaa.Square
	}
	piece := state.At(from)
	met := from.Set()
	for level := []place{{state, steps, from}}; len(level) > 0; {
		var next []place
		for _, pl := range level {
			for d := arimaa.North; d <= arimaa.West; d++ {
				at, ok := pl.at.Next(d)
				if !ok || met.Has(at) {
					continue
				}
				step := arimaa.NewStep(piece, pl.at, d)
				after := pl.state
				captured, err := after.Play(step)
				if err != nil || captured != 0 && at != to {
					continue
				}
				if at == to {
					return after, pl.steps.With(step), true
				}
				met |= at.Set()
				next = append(next, place{after, pl.steps.With(step), at})
			}
		}
		level = next
	}
	return state, steps, false
}

// turnRequest plays a turn in place of the one under way. An empty turn ends the one under way.
type turnRequest struct {
	Study Study  `json:"study"`
	Turn  string `json:"turn"`
	looks
}

func (s *Server) turn(r turnRequest) (*View, error) {
	p, err := r.Study.read()
	if err != nil {
		return nil, err
	}
	if r.Turn != "" {
		err = notation.Play(p.game, r.Turn)
	} else if err = p.state.MayEnd(); err == nil {
		err = p.game.Play(p.steps)
	}
	if err != nil {
		return nil, err
	}
	p.state, p.steps = arimaa.NewState(p.game.Last()), arimaa.Turn{}
	return s.view(p, r.looks)
}

// editRequest sets a position up, starting from the board of a study. The answer is a view of a
// study of this position alone.
type editRequest struct {
	Study    Study       `json:"study"`
	Clear    bool        `json:"clear"`    // remove all pieces first
	Put      []placement `json:"put"`      // pieces, in this order
	Exchange bool        `json:"exchange"` // then exchange the colours: the board upside down, the other side to move
	Side     string      `json:"side"`     // to move: gold or silver; "": as it is
	Number   int         `json:"number"`   // of the turn to come; 0: as it is
	looks
}

// placement puts a piece on a square: the letter of the piece, or "" to clear the square.
type placement struct {
	Square string `json:"square"`
	Piece  string `json:"piece"`
}

func (s *Server) edit(r editRequest) (*View, error) {
	p, err := r.Study.read()
	if err != nil {
		return nil, err
	}
	last := p.diagram()
	board, side := p.state.Board, last.Position.Side()
	if r.Clear {
		board = arimaa.Board{}
	}
	for _, put := range r.Put {
		square, err := squareOf(put.Square)
		if err != nil {
			return nil, err
		}
		piece, err := pieceOf(put.Piece)
		if err != nil {
			return nil, err
		}
		board.Put(square, piece)
	}
	if r.Exchange {
		board, side = board.Swapped(), side.Other()
	}
	if named, ok, err := sideOf(r.Side); err != nil {
		return nil, err
	} else if ok {
		side = named
	}
	if r.Number < 0 || r.Number > maxNumber {
		return nil, fmt.Errorf("number %d: it is 0 to %d", r.Number, maxNumber)
	}
	set := Study{Position: arimaa.NewPosition(board, side).String(), Number: cmp.Or(r.Number, last.Number)}
	if p, err = set.read(); err != nil {
		return nil, err
	}
	return s.view(p, r.looks)
}

// sideOf reads the name of a side; ok is false for "".
func sideOf(name string) (side arimaa.Side, ok bool, err error) {
	switch name {
	case "":
		return side, false, nil
	case arimaa.Gold.String():
		return arimaa.Gold, true, nil
	case arimaa.Silver.String():
		return arimaa.Silver, true, nil
	}
	return side, false, fmt.Errorf("side %q: it is gold or silver", notation.Legible(name))
}

// pieceOf reads the letter of a piece.
func pieceOf(letter string) (arimaa.Piece, error) {
	if letter == "" {
		return arimaa.Empty, nil
	}
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
			if piece := arimaa.NewPiece(side, kind); piece.String() == letter {
				return piece, nil
			}
		}
	}
	return arimaa.Empty, fmt.Errorf("%q is the letter of no piece", notation.Legible(letter))
}

// readRequest reads a text in any form of package notation.
type readRequest struct {
	Text string `json:"text"`
	Name string `json:"name"` // of the file, for errors
	Side string `json:"side"` // to move where the text does not say it: gold, silver, or ""
}

// readAnswer is what a text holds.
type readAnswer struct {
	Found []found `json:"found"`
	More  bool    `json:"more"` // there are more than are listed
}

// found is a position or game of a text.
type found struct {
	Study    Study      `json:"study"`
	About    string     `json:"about"`           // what it is, in a few words
	Claim    int        `json:"claim,omitempty"` // of a puzzle: the turns in which the side to move is said to win
	Solution string     `json:"solution"`        // of a puzzle, as it is published
	Game     *gameFacts `json:"game,omitempty"`  // of a game
	// Annotated is the game with its comments and variations, of a text that can have them.
	Annotated *Game  `json:"annotated,omitempty"`
	Error     string `json:"error,omitempty"` // why it could not be read: the study is then what could be, or empty
	// Notes say what was mended, one of each kind.
	Notes []string `json:"notes,omitempty"`
}

// gameFacts are the facts that the record of a game gives besides its turns; "" if it does not say.
type gameFacts struct {
	Name         string `json:"name"` // in its archive
	Gold         string `json:"gold"`
	Silver       string `json:"silver"`
	GoldRating   string `json:"gold_rating"`
	SilverRating string `json:"silver_rating"`
	Event        string `json:"event"`
	Date         string `json:"date"`   // on which it began
	Winner       string `json:"winner"` // gold or silver
	Ended        string `json:"ended"`  // how: "goal", "resignation", "time", ...
	Result       string `json:"result"` // both in words, or that it is not finished
	Turns        int    `json:"turns"`
}

// facts returns those of a record.
func facts(r review.Record) *gameFacts {
	f := &gameFacts{Name: r.Name, Gold: r.Gold, Silver: r.Silver, GoldRating: r.Details.GoldRating, SilverRating: r.Details.SilverRating,
		Event: r.Details.Event, Date: r.Details.Date, Ended: r.Ended, Result: r.Result(), Turns: r.Game.Len()}
	if r.Finished() {
		f.Winner = r.Winner.String()
	}
	return f
}

// mostFound is how many positions and games of a text are listed.
const mostFound = 500

func (s *Server) read(r readRequest) (readAnswer, error) {
	return readParts(r, func(*found) {})
}

// readParts reads a text, and passes each part on that is listed.
func readParts(r readRequest, visit func(*found)) (a readAnswer, err error) {
	lines := notation.NewLines(notation.Legible(r.Name), strings.NewReader(r.Text))
	if side, ok, err := sideOf(r.Side); err != nil {
		return a, err
	} else if ok {
		lines.Assume(side)
	}
	a.Found = []found{}
	broken := 0
	var first error
	for p := range notation.Parts(lines) {
		if a.More = len(a.Found) == mostFound; a.More {
			break
		}
		f := foundIn(&p)
		if p.Game != nil && p.Err == nil {
			if annotated, err := p.Annotated(); err == nil { // as the game has been read
				f.Annotated = gameOf(annotated)
			}
		}
		if f.Error != "" {
			if broken++; first == nil {
				first = cmp.Or(p.Err, errors.New(f.Error))
			}
		}
		visit(&f)
		a.Found = append(a.Found, f)
	}
	if broken == len(a.Found) && first != nil {
		return a, first
	}
	return a, nil
}

// foundIn returns what a part of a text holds.
func foundIn(e *notation.Part) (f found) {
	game, err := e.Played()
	switch {
	case e.Position != nil:
		f.Study = Study{Position: e.Position.Position.String(), Number: e.Position.Number}
		f.About = fmt.Sprintf("position, %v to move", e.Position.Position.Side())
		if e.Position.Line > 0 {
			f.About = fmt.Sprintf("line %d: %s", e.Position.Line, f.About)
		}
	case e.Record != nil:
		f.About = notation.Legible(fmt.Sprintf("game %s, %s against %s", e.Record.ID, e.Record.Gold, e.Record.Silver))
	case game == nil:
		f.About = "not read"
	default:
		f.About = "game"
		if gold, silver := e.Tags["Gold"], e.Tags["Silver"]; gold != "" || silver != "" {
			f.About = notation.Legible(fmt.Sprintf("game, %s against %s", gold, silver))
		}
	}
	if game != nil {
		p := point{game: game}
		f.Game = facts(review.FromEntry("", &e.Entry, game, err))
		f.Study = p.study()
		f.About += ", " + printable.Amount(game.Len(), "turn")
	}
	if err != nil {
		f.Error = notation.Explain(err)
	}
	f.Claim, f.Solution, f.Notes = e.Claim, e.Solution, e.Sentences()
	return f
}

// form is a study in one of the forms that are written.
type form struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Text  string `json:"text"`
}

// formsRequest asks for a study in every form: the position before the turn under way, or the game
// that led there.
type formsRequest struct {
	Study Study `json:"study"`
}

// formsAnswer holds the forms, the one for people first.
type formsAnswer struct {
	Forms []form `json:"forms"`
}

func (s *Server) forms(r formsRequest) (a formsAnswer, err error) {
	p, err := r.Study.read()
	if err != nil {
		return a, err
	}
	for _, f := range notation.Forms() {
		text, _ := f.Write(notation.Written{Game: notation.Line(p.game)})
		a.Forms = append(a.Forms, form{f.Name, f.About, f.Head + text})
	}
	return a, nil
}
