package cli

import (
	"errors"
	"io"
	"os"
)

// Standard returns the terminal of the process. The Go runtime opens the null device in place of a
// closed standard descriptor, so that no other file gets its number. Writing to an output that was
// closed is an error all the same.
func Standard() Terminal {
	t := Terminal{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	if closed(os.Stdout) && !sharesFile(1, 0) && !sharesFile(1, 2) {
		t.Out = closedOutput{}
	}
	return t
}

// closedOutput is a closed standard output: every write fails.
type closedOutput struct{}

func (closedOutput) Write([]byte) (int, error) {
	return 0, errors.New("standard output is closed; > /dev/null discards it")
}

// closed reports whether the runtime seems to have opened a file: it is the null device, opened for
// reading too, unlike a shell's > /dev/null. A parent process may open it that way as well, but
// most then use it for several of the standard descriptors.
func closed(out *os.File) bool {
	info, err := out.Stat()
	if err != nil {
		return false
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || !os.SameFile(info, null) {
		return false
	}
	_, err = out.Read(make([]byte, 1))
	return err == io.EOF
}
