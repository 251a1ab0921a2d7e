package show

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
)

// pngSquare is the size of a square of a bitmap, in pixels.
const pngSquare = 64

// picture holds the flags of pictures.
type picture struct {
	svg, png string // files to write
	flip     bool
}

func (p *picture) register(flags *pflag.FlagSet) {
	flags.StringVar(&p.svg, "svg", "", "write the board as a scalable picture to this `file`")
	flags.StringVar(&p.png, "png", "", "write the board as a bitmap to this `file`")
	flags.BoolVar(&p.flip, "flip", false, "draw the picture from silver's side")
	help.Group(flags, help.Output, "svg", "png", "flip")
}

// check returns an error if a file cannot be written or is an input.
func (p *picture) check(inputs []string) error {
	if err := cli.Writable("svg", p.svg, inputs...); err != nil {
		return err
	}
	return cli.Writable("png", p.png, append(slices.Clone(inputs), p.svg)...)
}

// what says which flag takes only one input, "" if none does.
func (p *picture) what(as notation.Form) string {
	switch {
	case !as.Several:
		return "--as " + as.Name + " writes one game"
	case p.svg != "" || p.png != "":
		return "--svg and --png write one picture"
	}
	return ""
}

// write writes the pictures.
func (p *picture) write(t cli.Terminal, it inputs.Item) error {
	if p.svg == "" && p.png == "" {
		return nil
	}
	if err := t.Durable(); err != nil {
		return err
	}
	drawn := render.Picture{Position: it.Diagram.Position, Flipped: p.flip}
	drawn.Title = fmt.Sprintf("%s, %v to move", it.Name, drawn.Position.Side())
	if it.Game != nil && it.Game.Len() > 0 {
		drawn.Last = it.Game.Turn(it.Game.Len() - 1)
	}
	if p.svg != "" {
		if err := cli.WriteText(p.svg, drawn.SVG()); err != nil {
			return err
		}
	}
	if p.png == "" {
		return nil
	}
	return cli.WriteFile(p.png, func(file io.Writer) error { return drawn.PNG(file, pngSquare) })
}
