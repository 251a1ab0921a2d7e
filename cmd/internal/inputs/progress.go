package inputs

import (
	"io"

	"github.com/cheggaaa/pb/v3"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
)

// Known is how many elements of the inputs are read before the work begins: where there are no more, their number is known.
const Known = 1000

// Progress is a bar on a terminal that counts what is done, or its bytes in the inputs where nobody knows how much there
// is to do.
type Progress struct {
	bar   *pb.ProgressBar
	bytes bool
}

// NewProgress returns a bar, drawn to w, for inputs with a total, or, where it is 0, with as many bytes as are found in the
// files with these endings that the arguments name.
func NewProgress(t cli.Terminal, w io.Writer, name string, total int, args []string, endings ...string) Progress {
	if total > 0 {
		return Progress{bar: cli.NewBar(t, w, name, total).Start()}
	}
	size := 0
	if cli.IsTerminal(t.Err) {
		size = int(files.Size(args, endings...))
	}
	return Progress{cli.NewBar(t, w, name, size).Set(pb.Bytes, true).Start(), true}
}

// Advance says that something has been done that took so many bytes of the inputs; workers may call it.
func (p Progress) Advance(bytes int64) {
	if p.bytes {
		p.bar.Add64(bytes)
	} else {
		p.bar.Increment()
	}
}

func (p Progress) Finish() {
	if !p.bar.IsFinished() {
		p.bar.Finish()
	}
}
