package solve

import (
	"fmt"

	"goalproof/arimaa"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/solve"
)

// draw writes the picture of an answer, if that is asked for: the line of the win, animated, or the board.
func (f *flags) draw(t cli.Terminal, it *inputs.Item, a solve.Answer) error {
	if f.svg == "" {
		return nil
	}
	if err := t.Durable(); err != nil {
		return err
	}
	picture := render.Picture{Position: it.Diagram.Position, Title: fmt.Sprintf("%s, %v to move", it.Name, it.Diagram.Position.Side())}
	if len(a.Line) == 0 {
		return cli.WriteText(f.svg, picture.SVG())
	}
	most := ""
	if !a.Exact() {
		most = "at most "
	}
	picture.Title = fmt.Sprintf("%s: %v %s in %s%d", it.Name, it.Diagram.Position.Side(), f.aim.Present(), most, a.Within)
	var line []arimaa.Turn
	var captions []string
	number, side := it.Diagram.Number, picture.Position.Side()
	for _, ply := range a.Line {
		line = append(line, ply.Turn)
		captions = append(captions, arimaa.TurnLabel(number, side)+" "+ply.Before.Notation(ply.Turn))
		if side == arimaa.Silver {
			number++
		}
		side = side.Other()
	}
	return cli.WriteText(f.svg, picture.Animation(line, captions))
}
