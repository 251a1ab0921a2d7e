package evaluation

import (
	"math/bits"

	"goalproof/arimaa"
)

// The inputs of the network. A plane is a set of squares, one input for each: a kind of one side,
// by its relative strength, or its frozen pieces.
const (
	strengths   = 8             // planes of pieces of a side: rabbits, others by the number of stronger enemies
	sidePlanes  = strengths + 2 // and frozen rabbits, other frozen pieces
	inputPlanes = 2 * sidePlanes
	Inputs      = 64 * inputPlanes
)

// Hidden is the number of neurons in the hidden layer, for each point of view.
const Hidden = 32

// Buckets is the number of output layers. The number of pieces on the board decides which one is
// used.
const Buckets = 4

// Bucket returns the output layer for a board.
func Bucket(b *arimaa.Board) int { return max(0, min(Buckets-1, (b.Occupied().Len()-12)/5)) }

// planes sets the planes of both sides, with absolute squares.
func (p *position) planes(to *[2][sidePlanes]arimaa.Bitboard) {
	for side := range p.armies {
		a, set := &p.armies[side], &to[side]
		*set = [sidePlanes]arimaa.Bitboard{}
		set[0] = a.kind[arimaa.Rabbit]
		for k := arimaa.Cat; k <= arimaa.Elephant; k++ {
			set[a.worth.plane[k]] |= a.kind[k]
		}
		set[strengths] = a.frozen & a.kind[arimaa.Rabbit]
		set[strengths+1] = a.frozen &^ a.kind[arimaa.Rabbit]
	}
}

// plane returns the plane of a kind, from Cat on, by the number of stronger enemies.
func plane(stronger int) int { return 1 + min(stronger, strengths-2) }

// left holds the files a to d.
const left arimaa.Bitboard = 0x0f0f0f0f0f0f0f0f

// mirrors reports whether a side sees the board mirrored, so that its elephant stands on files a to
// d. If its elephants decide nothing, other pieces do, the strongest first. So a side sees a board
// and its mirror image alike.
func (p *position) mirrors(side arimaa.Side) bool {
	own, foe := &p.armies[side], &p.armies[side.Other()]
	for k := arimaa.Elephant; k >= arimaa.Rabbit; k-- {
		for _, set := range [2]arimaa.Bitboard{own.kind[k], foe.kind[k]} {
			west, east := set&left, mirrored(set)&left
			if west != east {
				return own.relative(west) < own.relative(east)
			}
		}
	}
	return false
}

// mirrored reverses the files.
func mirrored(set arimaa.Bitboard) arimaa.Bitboard {
	return arimaa.Bitboard(bits.ReverseBytes64(bits.Reverse64(uint64(set))))
}

// turned returns the mask that turns a square, by exclusive or, into the one that a side sees
// there.
func (p *position) turned(side arimaa.Side) arimaa.Square {
	turned := p.armies[side].turned
	if p.mirrors(side) {
		turned ^= 7
	}
	return turned
}

// Active appends the inputs that are on, as the side to move sees the board, and then as its
// opponent does. Training uses it.
func (e *Evaluator) Active(b *arimaa.Board, toMove arimaa.Side, own, foe []uint16) ([]uint16, []uint16) {
	p := &e.position
	p.set(b)
	e.setMaterial(p)
	var planes [2][sidePlanes]arimaa.Bitboard
	p.planes(&planes)
	lists := [2][]uint16{own, foe}
	for i, viewer := range [2]arimaa.Side{toMove, toMove.Other()} {
		turned := p.turned(viewer)
		for j, side := range [2]arimaa.Side{viewer, viewer.Other()} {
			for k, set := range planes[side] {
				for ; set != 0; set = set.Rest() {
					lists[i] = append(lists[i], uint16(64*(j*sidePlanes+k)+int((set.First()^turned)&63)))
				}
			}
		}
	}
	return lists[0], lists[1]
}

// Network holds the weights of a network as integers. It comes from [ParseNetwork]; the zero one
// weighs nothing.
type Network struct {
	digest  uint32 // of the file
	weights Weights
	in      [inputPlanes][64]neurons
	bias    neurons
	out     [Buckets][Hidden]int32
}

// neurons holds a number for each hidden neuron, four in a word: the sum of n<<(16*i) over i from 0
// to 3, where n may be negative. Sums of such words are right whatever the carries, as long as the
// sum for each neuron, with the offset of laneZero in the bias, is from 0 to 1<<16-1.
type neurons [Hidden / 4]uint64

// laneZero is how 0 is stored in the sum for a neuron.
const laneZero = 1 << 15

// Units of the integers.
const (
	// One is the integer that stands for 1 in the hidden layer.
	One = 255
	// MostIn bounds the weights and biases of the hidden layer. In a game a board has 32 pieces at
	// most, of which 30 can be frozen, so a sum has no more than 63 terms, and keeps within the 16
	// bits of a neuron: 63 * 1.98 * 255 < 1<<15. On a board set up by hand with more pieces sums
	// may overflow. That spoils the score of this board alone: what was added is subtracted again.
	MostIn = 1.98
	// OutOne is the integer that stands for a centi-rabbit in the weights of the output.
	OutOne = 8
)

// pack adds to the number of a neuron.
func (n *neurons) pack(i, value int) { n[i/4] += uint64(value) << (16 * (i % 4)) }

// unpack returns the number of a neuron that holds the offset of laneZero.
func (n *neurons) unpack(i int) int { return int(n[i/4]>>(16*(i%4))&0xffff) - laneZero }

// accumulator holds the sums of the hidden layer for a point of view, and the planes for which it
// was computed.
type accumulator struct {
	planes [2][sidePlanes]arimaa.Bitboard // own, enemy
	sums   neurons
}

// update brings an accumulator up to date.
func (n *Network) update(a *accumulator, own, foe *[sidePlanes]arimaa.Bitboard, turned arimaa.Square) {
	for j, planes := range [2]*[sidePlanes]arimaa.Bitboard{own, foe} {
		for k := range planes {
			set, was := planes[k], &a.planes[j][k]
			if set == *was {
				continue
			}
			rows := &n.in[j*sidePlanes+k]
			for on := set &^ *was; on != 0; on = on.Rest() {
				row := &rows[(on.First()^turned)&63]
				for i := range a.sums {
					a.sums[i] += row[i]
				}
			}
			for off := *was &^ set; off != 0; off = off.Rest() {
				row := &rows[(off.First()^turned)&63]
				for i := range a.sums {
					a.sums[i] -= row[i]
				}
			}
			*was = set
		}
	}
}

// difference returns the sum over the neurons of the weight times the difference of the squared
// activations.
func (n *Network) difference(own, foe *neurons, k int) (sum int) {
	weights := &n.out[k]
	for i := range own {
		w := (*[4]int32)(weights[4*i:])
		a, b := own[i], foe[i]
		for j := range w {
			v := max(0, min(One, int(a>>(16*j)&0xffff)-laneZero))
			u := max(0, min(One, int(b>>(16*j)&0xffff)-laneZero))
			sum += (v*v - u*u) * int(w[j])
		}
	}
	return sum
}

// network returns the part of the score for Gold that the network contributes.
func (e *Evaluator) network(b *arimaa.Board) int {
	p, n := &e.position, e.net
	p.planes(&e.planes)
	var sums [2]*neurons
	for side := range arimaa.Side(2) {
		turned := p.turned(side)
		a := &e.accumulators[side][turned>>1&1]
		n.update(a, &e.planes[side], &e.planes[side.Other()], turned)
		sums[side] = &a.sums
	}
	return n.difference(sums[arimaa.Gold], sums[arimaa.Silver], Bucket(b)) / (One * One * OutOne)
}
