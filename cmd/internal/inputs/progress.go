package inputs

import (
	"io"

	"github.com/cheggaaa/pb/v3"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
)

// LookAhead is the number of elements that are read before the work begins. If there are fewer, the
// total is known.
const LookAhead = 1000

// Progress is a bar on a terminal that counts elements, or bytes of the inputs where the total is
// unknown.
type Progress struct {
	bar   *pb.ProgressBar
	bytes bool
}

// NewProgress returns a bar, drawn to w, that counts up to the total of inputs, or, if that is 0,
// up to the bytes of the files with these endings that the arguments name.
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

// Advance counts one finished element with its bytes; workers may call it.
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
