package main

import (
	"io"

	"github.com/cheggaaa/pb/v3"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/input"
)

// known is how many elements of the inputs are read before the work begins: where there are no more, their number is known.
const known = 1000

// progress is a bar on a terminal that counts what is done, or the bytes that have been read where nobody knows how
// much there is to do.
type progress struct {
	bar    *pb.ProgressBar
	source *input.Source // nil: it counts
}

// inputCounter returns a bar, drawn to w, for inputs with a total, or, where it is 0, with as many bytes as are found in the
// files with these endings that the arguments name.
func inputCounter(t cli.Terminal, w io.Writer, name string, total int, source *input.Source, args []string, endings ...string) progress {
	if total > 0 {
		return progress{bar: cli.NewBar(t, w, name, total).Start()}
	}
	size := 0
	if cli.IsTerminal(t.Err) {
		size = int(input.Size(args, endings...))
	}
	return progress{cli.NewBar(t, w, name, size).Set(pb.Bytes, true).Start(), source}
}

// advance says that something has been done; workers may call it.
func (p progress) advance() {
	if p.source == nil {
		p.bar.Increment()
		return
	}
	p.bar.SetCurrent(p.source.Read())
}

func (p progress) finish() {
	if !p.bar.IsFinished() {
		p.bar.Finish()
	}
}
