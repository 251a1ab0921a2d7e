package solve

import (
	"fmt"

	"goalproof/arimaa"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/solve/report"
)

// draw writes the picture of an answer, if it was asked for: the line of the win, animated, or the
// board.
func (w *writer) draw(known *solved) error {
	if w.svg == "" {
		return nil
	}
	if err := w.t.Durable(); err != nil {
		return err
	}
	side := known.Position.Side()
	picture := render.Picture{Position: known.Position, Title: fmt.Sprintf("%s, %v to move", known.Name, side)}
	if len(known.Line) == 0 {
		return cli.WriteText(w.svg, picture.SVG())
	}
	picture.Title = fmt.Sprintf("%s: %v %s in %s", known.Name, side, w.aim.Present(), known.In())
	var line []arimaa.Turn
	for _, ply := range known.Line {
		line = append(line, ply.Turn)
	}
	turns := report.LineOf(known.Number, known.Line).Line
	return cli.WriteText(w.svg, picture.Animation(line, arimaa.Labelled(known.Number, side, turns)))
}
