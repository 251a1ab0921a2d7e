package inputs

import "iter"

// Peeked is a sequence whose first elements are known.
type Peeked[T any] struct {
	First []T
	Whole bool        // there are no others
	All   iter.Seq[T] // all elements, once
	Stop  func()      // must be called at the end
}

// Peek reads the first elements of a sequence, at least two if there are that many, until their
// sizes exceed the room.
func Peek[T any](seq iter.Seq[T], room int, size func(T) int) Peeked[T] {
	next, stop := iter.Pull(seq)
	p := Peeked[T]{Stop: stop}
	for taken := 0; len(p.First) < 2 || taken < room; {
		v, ok := next()
		if !ok {
			p.Whole = true
			break
		}
		p.First = append(p.First, v)
		taken += size(v)
	}
	p.All = func(yield func(T) bool) {
		for _, v := range p.First {
			if !yield(v) {
				return
			}
		}
		for v, ok := next(); ok && yield(v); v, ok = next() {
		}
	}
	return p
}

// One is the size of elements that are counted.
func One[T any](T) int { return 1 }

// Total returns the number of elements, or 0 if it is unknown.
func (p *Peeked[T]) Total() int {
	if p.Whole {
		return len(p.First)
	}
	return 0
}
