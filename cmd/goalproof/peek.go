package main

import "iter"

// peeked is a sequence whose first elements are known.
type peeked[T any] struct {
	first []T
	whole bool        // there are no others
	all   iter.Seq[T] // all elements, once
	stop  func()      // must be called in the end
}

// peek takes the first elements of a sequence, at least two if there are so many, until their sizes exceed the room.
func peek[T any](seq iter.Seq[T], room int, size func(T) int) peeked[T] {
	next, stop := iter.Pull(seq)
	p := peeked[T]{stop: stop}
	for taken := 0; len(p.first) < 2 || taken < room; {
		v, ok := next()
		if !ok {
			p.whole = true
			break
		}
		p.first = append(p.first, v)
		taken += size(v)
	}
	p.all = func(yield func(T) bool) {
		for _, v := range p.first {
			if !yield(v) {
				return
			}
		}
		for v, ok := next(); ok && yield(v); v, ok = next() {
		}
	}
	return p
}

// one is the size of elements that are counted.
func one[T any](T) int { return 1 }

// total returns the number of elements, or 0 if it is not known.
func (p *peeked[T]) total() int {
	if p.whole {
		return len(p.first)
	}
	return 0
}
