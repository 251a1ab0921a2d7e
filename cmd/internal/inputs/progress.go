package inputs

import (
	"io"

	"github.com/cheggaaa/pb/v3"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/input"
)

// Known is how many elements of the inputs are read before the work begins: where there are no more, their number is known.
const Known = 1000

// Progress is a bar on a terminal that counts what is done, or the bytes that have been read where nobody knows how
// much there is to do.
type Progress struct {
	bar    *pb.ProgressBar
	source *input.Source // nil: it counts
}

// NewProgress returns a bar, drawn to w, for inputs with a total, or, where it is 0, with as many bytes as are found in the
// files with these endings that the arguments name.
func NewProgress(t cli.Terminal, w io.Writer, name string, total int, source *input.Source, args []string, endings ...string) Progress {
	if total > 0 {
		return Progress{bar: cli.NewBar(t, w, name, total).Start()}
	}
	size := 0
	if cli.IsTerminal(t.Err) {
		size = int(input.Size(args, endings...))
	}
	return Progress{cli.NewBar(t, w, name, size).Set(pb.Bytes, true).Start(), source}
}

// Advance says that something has been done; workers may call it.
func (p Progress) Advance() {
	if p.source == nil {
		p.bar.Increment()
		return
	}
	p.bar.SetCurrent(p.source.Read())
}

func (p Progress) Finish() {
	if !p.bar.IsFinished() {
		p.bar.Finish()
	}
}
