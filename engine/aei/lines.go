package aei

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"time"
)

// maxLine is the greatest length of a line, in bytes. The longest messages, a setup or a position,
// have about a hundred.
const maxLine = 1 << 16

// line is a line of the input without its end.
type line struct {
	text string // the beginning, if the line is too long
	long bool
	read time.Time
}

// readLines sends the lines of in until it ends or fails, and then the error, or until done is
// closed. It may be blocked in a read for longer than the session lasts.
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
		for errors.Is(err, bufio.ErrBufferFull) { // skip the rest, which may be endless
			_, err = r.ReadSlice('\n')
		}
		if err != nil {
			end <- err
			return
		}
	}
}
