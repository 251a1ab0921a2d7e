package evaluation

import (
	"bytes"
	_ "embed" // of the learned network
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"
)

//go:embed network.bin
var learned []byte

// Learned returns the network that is part of the program (docs/engine.md says how it was made).
var Learned = sync.OnceValue(func() *Network {
	n, err := ParseNetwork(learned)
	if err != nil {
		panic(err)
	}
	return n
})

// The file of a network is a line of text, the version, and after it little-endian numbers: float32
// weights of the features, then int16 the weights from each input to each hidden neuron, the biases
// of those, and the weights of each output; last, uint32, the digest.
const networkVersion = "goalproof network 2\n"

// digestOf returns the digest of weights as they are in a file: the CRC-32 of a line of text and of
// them.
func digestOf(weights []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE([]byte("goalproof network 1\n")), crc32.IEEETable, weights)
}

// mostWeight bounds the weights of the features.
const mostWeight = 1000

// Parameters are the weights of a network, as training finds them.
type Parameters struct {
	Features Weights
	In       [Inputs][Hidden]float32
	Bias     [Hidden]float32
	Out      [Buckets][Hidden]float32 // in centi-rabbits
}

// Write writes the file of a network. The error says that a weight is too large, or is that of w.
func (p *Parameters) Write(w io.Writer) error {
	var data []byte
	for _, x := range p.Features {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	var err error
	add := func(one float64, list []float32) {
		for _, x := range list {
			n := math.Round(float64(x) * one)
			if !(math.Abs(n) <= math.MaxInt16) {
				err = fmt.Errorf("the weight %v is too large for the file", x)
			}
			data = binary.LittleEndian.AppendUint16(data, uint16(int16(n)))
		}
	}
	for i := range p.In {
		add(One, p.In[i][:])
	}
	add(One, p.Bias[:])
	for i := range p.Out {
		add(OutOne, p.Out[i][:])
	}
	if err != nil {
		return err
	}
	data = binary.LittleEndian.AppendUint32(data, digestOf(data))
	_, err = w.Write(append([]byte(networkVersion), data...))
	return err
}

// ParseNetwork reads the file of a network. The error says that it is none, that it is damaged, or
// of another version.
func ParseNetwork(data []byte) (*Network, error) {
	const size = 4*int(Features) + 2*(Inputs*Hidden+Hidden+Buckets*Hidden)
	data, ok := bytes.CutPrefix(data, []byte(networkVersion))
	if !ok {
		var version int
		if _, err := fmt.Fscanf(bytes.NewReader(data), "goalproof network %d\n", &version); err == nil {
			return nil, fmt.Errorf("a network of version %d; this program reads version 2: learn it anew", version)
		}
		return nil, errors.New("this is no network")
	}
	if len(data) != size+4 {
		return nil, fmt.Errorf("the network is damaged: its file has %d bytes and not %d", len(networkVersion)+len(data), len(networkVersion)+size+4)
	}
	n := &Network{digest: digestOf(data[:size])}
	if binary.LittleEndian.Uint32(data[size:]) != n.digest {
		return nil, errors.New("the network is damaged: its checksum is wrong")
	}
	data = data[:size]
	for f := range n.weights {
		n.weights[f] = math.Float32frombits(binary.LittleEndian.Uint32(data))
		data = data[4:]
		ok = ok && math.Abs(float64(n.weights[f])) <= mostWeight
	}
	next := func() int {
		n := int(int16(binary.LittleEndian.Uint16(data)))
		data = data[2:]
		return n
	}
	bounded := func() int {
		x := next()
		ok = ok && math.Abs(float64(x)) <= MostIn*One+0.5
		return x
	}
	for i := range Inputs {
		for j := range Hidden {
			n.in[i/64][i%64].pack(j, bounded())
		}
	}
	for j := range Hidden {
		n.bias.pack(j, bounded()+laneZero)
	}
	if !ok {
		return nil, errors.New("a weight of the network is out of range")
	}
	for k := range n.out {
		for j := range n.out[k] {
			n.out[k][j] = int32(next())
		}
	}
	return n, nil
}

// Parameters returns the weights of a network, from which a training can go on.
func (n *Network) Parameters() *Parameters {
	p := &Parameters{Features: n.weights}
	for i := range p.In {
		in := n.in[i/64][i%64]
		for j := range p.In[i] {
			in.pack(j, laneZero)
		}
		for j := range p.In[i] {
			p.In[i][j] = float32(in.unpack(j)) / One
		}
	}
	for j := range p.Bias {
		p.Bias[j] = float32(n.bias.unpack(j)) / One
	}
	for k := range p.Out {
		for j, w := range n.out[k] {
			p.Out[k][j] = float32(w) / OutOne
		}
	}
	return p
}

// Digest returns a CRC-32 of the weights, which identifies the network.
func (n *Network) Digest() uint32 { return n.digest }

// Weights returns the weights of the features that were learned with the network.
func (n *Network) Weights() Weights { return n.weights }
