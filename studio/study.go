package studio

import (
	"errors"
	"fmt"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/internal/printable"
	"goalproof/tables/endgame"
)

// Study is a position with the turns played from it, and the steps of the turn under way. The
// client keeps it and sends it with each request.
type Study struct {
	Position string   `json:"position"`        // the first one, in any form of one line, and at the start of a turn
	Number   int      `json:"number"`          // of the turn that comes first; less than 2 means 2
	Turns    []string `json:"turns,omitempty"` // as records write them, without labels
	Steps    string   `json:"steps,omitempty"` // of the turn under way, in the same way
}

// point is a parsed study.
type point struct {
	game  *arimaa.Game // up to the turn under way
	state arimaa.State
	steps arimaa.Turn // of the turn under way
}

// read plays a study. The error says what is not legal.
func (s *Study) read() (*point, error) {
	first, err := notation.ParsePosition(s.Position)
	if err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	if first.StepsLeft() != arimaa.StepsPerTurn {
		return nil, errors.New("position: it is inside a turn")
	}
	p := &point{game: arimaa.NewGame(first, min(max(s.Number, arimaa.FirstTurn), maxNumber))}
	for _, turn := range s.Turns {
		if err := notation.Play(p.game, turn); err != nil {
			return nil, err // which names the turn
		}
	}
	p.state = arimaa.NewState(p.game.Last())
	p.steps, err = playSteps(&p.state, s.Steps)
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	return p, nil
}

// playSteps makes steps, none for an empty text.
func playSteps(s *arimaa.State, text string) (arimaa.Turn, error) {
	if text == "" {
		return arimaa.Turn{}, nil
	}
	return notation.PlaySteps(s, text)
}

// maxNumber is the greatest number of a turn that a study begins with.
const maxNumber = 1_000_000

// study returns the study of the point.
func (p *point) study() Study {
	s := Study{Position: p.game.Position(0).String(), Number: p.game.Number(0)}
	for i := range p.game.Len() {
		s.Turns = append(s.Turns, p.game.Position(i).Notation(p.game.Turn(i)))
	}
	s.Steps = p.game.Last().Notation(p.steps)
	return s
}

// label returns the number of the turn under way, with its side.
func (p *point) label() string { return p.game.Label(p.game.Len()) }

// diagram returns the position before the turn under way.
func (p *point) diagram() notation.Diagram {
	return notation.Diagram{Position: p.game.Last(), Number: p.game.Number(p.game.Len())}
}

// View is what a page shows of a study.
type View struct {
	Study    Study      `json:"study"`
	Label    string     `json:"label"`      // of the turn under way, such as "12g"
	Side     string     `json:"side"`       // to move: gold or silver
	Left     int        `json:"steps_left"` // in the turn under way
	Squares  string     `json:"squares"`    // a letter for each, a1, b1, ... h8; blank if empty
	Steps    []ViewStep `json:"steps"`      // that are legal now; none if the game is over
	NoEnd    *string    `json:"no_end"`     // why the turn may not end here, or null
	Over     *string    `json:"over"`       // how the game has ended, or null
	Unusual  []string   `json:"unusual"`    // what cannot come up in a game about the position before the turn
	Table    *string    `json:"table"`      // what an endgame table knows about the position before the turn, or null
	Turns    []ViewTurn `json:"turns"`      // that have been played
	Last     *Moves     `json:"last"`       // the turn under way, or else the last one that was played, or null
	Shown    *Moves     `json:"shown"`      // the steps that the request draws with arrows, or null
	Captured Captured   `json:"captured"`
	Shows    string     `json:"shows"` // for screen readers
	// Shapes draw the pieces, the coordinates and the turn that is shown on an empty board.
	Shapes []render.Shape `json:"shapes"`
}

// ViewStep is a legal step.
type ViewStep struct {
	From string `json:"from"`
	To   string `json:"to"`
	Step string `json:"step"` // with what it captures
}

// ViewTurn is a turn of the game.
type ViewTurn struct {
	Label string `json:"label"`
	Turn  string `json:"turn"`
}

// looks are the options of a view. Every request that is answered by a view has them.
type looks struct {
	Flipped bool     `json:"flipped"` // silver's home ranks are below
	Show    string   `json:"show"`    // steps that are drawn with arrows, from the present point
	Marks   []string `json:"marks"`   // squares with a ring, such as "d4", and arrows, such as "d4e6"
}

// view returns the view of a point.
func (s *Server) view(p *point, l looks) (*View, error) {
	last, state := p.game.Last(), p.state
	v := &View{Study: p.study(), Label: p.label(), Side: last.Side().String(), Left: state.StepsLeft(),
		Steps: []ViewStep{}, Unusual: []string{}, Turns: []ViewTurn{}}
	letters := make([]byte, 64)
	for sq := range letters {
		letters[sq] = state.At(arimaa.Square(sq)).Letter()
	}
	v.Squares = string(letters)
	if o := p.game.Outcome(); o.Over() {
		v.Over = new(fmt.Sprintf("%v wins by %v", o.Winner, o.Reason))
	} else {
		for _, step := range state.Steps(nil) {
			v.Steps = append(v.Steps, ViewStep{step.From().String(), step.To().String(), state.Notation(arimaa.Turn{}.With(step))})
		}
		v.Table = s.table(p.game)
	}
	if err := p.mayEnd(); err != nil {
		v.NoEnd = new(err.Error())
	}
	if err := last.Unusual(); err != nil {
		v.Unusual = strings.Split(err.Error(), "\n")
	}
	for i, turn := range v.Study.Turns {
		v.Turns = append(v.Turns, ViewTurn{p.game.Label(i), turn})
	}
	picture, err := p.picture(l)
	if err != nil {
		return nil, err
	}
	v.Shapes, v.Shows = picture.Shapes(), picture.Describe()
	v.Last, v.Shown, v.Captured = p.last(), p.shown(picture.Turn), captured(&state.Board)
	return v, nil
}

// mayEnd returns an error if the turn under way may not end.
func (p *point) mayEnd() error {
	if err := p.state.MayEnd(); err != nil {
		return err
	}
	return p.game.At(p.game.Len()).Play(p.steps)
}

// table says what an endgame table knows about the last position of a game, with the third
// repetition set aside.
func (s *Server) table(g *arimaa.Game) *string {
	last := g.Last()
	value, known := s.options.Endgames.Probe(&last.Board, last.Side())
	if !known {
		return nil
	}
	side, aside := last.Side(), answer.Aside(value == endgame.Neither || endgame.HistoryMatters(g))
	if n, ok := value.Win(); ok {
		return new(fmt.Sprintf("%v wins in %s%s", side, printable.Amount(n, "turn"), aside))
	}
	if n, ok := value.Loss(); ok {
		return new(fmt.Sprintf("%v loses: %v wins in %s%s", side, side.Other(), printable.Amount(n, "turn"), aside))
	}
	return new("neither side can force a win" + aside)
}
