package aei

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"time"
)

// maxLine is the greatest length of a line in bytes. The longest messages of the protocol, a
// game's setup or a position, take about a hundred.
const maxLine = 1 << 16

// line is a line of the input without its end.
type line struct {
	text string // of a line that is too long, its beginning
	long bool
	read time.Time
}

// readLines sends the lines of in until it ends or fails, then the reason, or until done is
// closed. It may wait in a read for longer than the session lasts.
func readLines(in io.Reader, lines chan<- line, end chan<- error, done <-chan struct{}) {
	r := bufio.NewReaderSize(in, maxLine)
	for {
		text, err := r.ReadSlice('\n')
		l := line{text: string(text), long: errors.Is(err, bufio.ErrBufferFull), read: time.Now()}
		l.text = strings.TrimSuffix(strings.TrimSuffix(l.text, "\n"), "\r")
		if l.text != "" {
			select {
			case lines <- l:
			case <-done:
				return
			}
		}
		for errors.Is(err, bufio.ErrBufferFull) { // the rest, which may never end
			_, err = r.ReadSlice('\n')
		}
		if err != nil {
			end <- err
			return
		}
	}
}
