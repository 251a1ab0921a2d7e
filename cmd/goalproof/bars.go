package main

import (
	"io"
	"time"

	"github.com/cheggaaa/pb/v3"
)

// counter is a progress bar on a terminal, and nothing elsewhere. Of 0 the total is not known.
func counter(t terminal, name string, total int) *pb.ProgressBar {
	return newBar(t, t.err, name, total).Start()
}

// newBar is a progress bar that is drawn to w if standard error is a terminal.
func newBar(t terminal, w io.Writer, name string, total int) *pb.ProgressBar {
	bar := pb.New(total).SetTemplateString(`{{string . "name"}}: {{counters . }} {{bar . }} {{etime . }}`)
	bar.Set("name", name).Set(pb.CleanOnFinish, true).SetWriter(io.Discard)
	if isTerminal(t.err) {
		bar.Set(pb.Terminal, true).SetWriter(w).SetRefreshRate(200 * time.Millisecond)
	}
	return bar
}
