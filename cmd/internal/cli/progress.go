package cli

import (
	"io"
	"time"

	"github.com/cheggaaa/pb/v3"

	"goalproof/internal/printable"
)

// Counter returns a progress bar, which is drawn on terminals alone. A total of 0 is unknown.
func Counter(t Terminal, name string, total int) *pb.ProgressBar {
	return NewBar(t, t.Err, name, total).Start()
}

// NewBar returns a progress bar that is drawn to w if standard error is a terminal.
func NewBar(t Terminal, w io.Writer, name string, total int) *pb.ProgressBar {
	bar := pb.New(total).SetTemplateString(`{{string . "name"}}: {{counters . }} {{bar . }} {{etime . }}`)
	bar.Set("name", printable.Text(name)).Set(pb.CleanOnFinish, true).SetWriter(io.Discard)
	if IsTerminal(t.Err) {
		bar.Set(pb.Terminal, true).SetWriter(Raw(w)).SetRefreshRate(200 * time.Millisecond)
	}
	return bar
}
