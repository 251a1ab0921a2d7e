package studio

import (
	"fmt"

	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
)

// maxMarks is how many marks a board may have.
const maxMarks = 200

// picture returns the board as it is seen.
func (p *point) picture(l looks) (*render.Picture, error) {
	drawn := &render.Picture{Position: p.state.Position, Last: p.steps, Flipped: l.Flipped}
	if p.steps.Len() == 0 && p.game.Len() > 0 {
		drawn.Last = p.game.Turn(p.game.Len() - 1)
	}
	shown := p.state
	var err error
	if drawn.Turn, err = playSteps(&shown, l.Show); err != nil {
		return nil, fmt.Errorf("show: %w", err)
	}
	if len(l.Marks) > maxMarks {
		return nil, fmt.Errorf("%d marks: there may be %d", len(l.Marks), maxMarks)
	}
	for _, text := range l.Marks {
		if err := mark(drawn, text); err != nil {
			return nil, fmt.Errorf("marks: %w", err)
		}
	}
	return drawn, nil
}

// mark adds a mark to a picture: a square, or two of them.
func mark(drawn *render.Picture, text string) error {
	if len(text) != 4 {
		s, err := squareOf(text)
		drawn.Marked |= s.Set()
		return err
	}
	from, err := squareOf(text[:2])
	if err != nil {
		return err
	}
	to, err := squareOf(text[2:])
	if err != nil {
		return err
	}
	if from == to {
		return fmt.Errorf("%q: an arrow leads to another square", notation.Legible(text))
	}
	drawn.Pointers = append(drawn.Pointers, render.Pointer{From: from, To: to})
	return nil
}

// pictureAnswer is a board as an SVG file.
type pictureAnswer struct {
	SVG string `json:"svg"`
}

func (s *Server) picture(r viewRequest) (a pictureAnswer, err error) {
	p, err := r.Study.read()
	if err != nil {
		return a, err
	}
	drawn, err := p.picture(r.looks)
	if err != nil {
		return a, err
	}
	return pictureAnswer{drawn.SVG()}, nil
}
