package files

import (
	"fmt"
	"io"
)

// ReadLimited reads a whole text of at most the given number of bytes. The error is that of
// reading, or says that the text is longer.
func ReadLimited(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("it has more than %d bytes", most)
	}
	return text, err
}
