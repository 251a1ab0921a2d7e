package ordering

import (
	"bytes"
	_ "embed" // of the learned weights
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"

	"goalproof/arimaa"
)

//go:embed ordering.bin
var learned []byte

// Learned returns the weights that are part of the program (docs/engine.md says how they were
// made).
var Learned = sync.OnceValue(func() *Weights {
	w, err := Parse(learned)
	if err != nil {
		panic(err)
	}
	return w
})

// One is the integer that stands for a unit of log-odds. No weight is larger than Most units, so
// that scores are less than Most*MostActive units.
const (
	One  = 256
	Most = 16
)

// Weights are the weights of the features, in units of 1/One. The zero Weights order nothing.
type Weights struct {
	digest uint32 // of the file
	of     [Features]int16
}

// The file of weights is a line of text, the version, and after it the weights as little-endian
// int16.
const fileVersion = "goalproof ordering 1\n"

// Write writes the file of some weights, given in units of log-odds. The error says that a weight
// is too large, or is that of w.
func Write(w io.Writer, weights *[Features]float32) error {
	data := []byte(fileVersion)
	for _, x := range weights {
		n := math.Round(float64(x) * One)
		if !(math.Abs(n) <= Most*One) {
			return fmt.Errorf("the weight %v is too large for the file", x)
		}
		data = binary.LittleEndian.AppendUint16(data, uint16(int16(n)))
	}
	_, err := w.Write(data)
	return err
}

// Parse reads the file of some weights. The error says that it is none.
func Parse(data []byte) (*Weights, error) {
	w := &Weights{digest: crc32.ChecksumIEEE(data)}
	data, ok := bytes.CutPrefix(data, []byte(fileVersion))
	if !ok || len(data) != 2*Features {
		return nil, errors.New("this is no file of weights for the order of options, or one of another version")
	}
	for i := range w.of {
		w.of[i] = int16(binary.LittleEndian.Uint16(data[2*i:]))
		if w.of[i] < -Most*One || w.of[i] > Most*One {
			return nil, fmt.Errorf("weight %d is out of range", i)
		}
	}
	return w, nil
}

// Digest returns the CRC-32 of the file, which identifies the weights.
func (w *Weights) Digest() uint32 { return w.digest }

// Score returns the score of an option, in units of 1/One.
func (w *Weights) Score(c *Context, o arimaa.Option) (sum int32) {
	var active [MostActive]uint16
	for _, f := range c.Active(o, active[:0]) {
		sum += int32(w.of[f])
	}
	return sum
}

// End returns the score of ending the turn after one step or more, in units of 1/One.
func (w *Weights) End(c *Context) int32 { return int32(w.of[c.End()]) }
