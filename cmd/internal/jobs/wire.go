package jobs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxUnpacked is the greatest size of an answer, in bytes, when it is unpacked, maxText that of the
// text of a certificate in it.
const (
	maxUnpacked = 64 << 20
	maxText     = 16 << 20
)

// pack returns a value as compressed JSON. Equal values have equal bytes.
func pack(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if len(text) > maxUnpacked {
		return nil, fmt.Errorf("an answer of %d MiB, and at most %d travel", len(text)>>20, maxUnpacked>>20)
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.EncodeAll(text, nil), nil
}

// unpack reads what pack has written. The error says that the bytes are something else.
func unpack(data []byte, v any) error {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
	if err != nil {
		return err
	}
	defer r.Close()
	text, err := r.DecodeAll(data, nil)
	if err != nil {
		return fmt.Errorf("an answer: %w", err)
	}
	if bytes.Count(text, []byte("{"))*leastObject > len(text)+1024 {
		return errors.New("an answer: it has too many objects")
	}
	return read(text, v)
}

// leastObject is the least length of an object in an answer, on average in bytes: empty ones would
// take many times as much memory as their text.
const leastObject = 8

// read reads JSON that has nothing else than the fields of a value.
func read(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something behind the JSON")
	}
	return nil
}
