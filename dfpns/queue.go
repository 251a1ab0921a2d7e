package dfpns

import (
	"container/heap"

	"goalproof/tables"
)

// queue selects among the children of a node and backs up its numbers, without passing over all of
// them each time: an OR node may have tens of thousands, and most are searched one after the other.
// It is a heap. The best child of an OR node has the least proof number, that of an AND node the
// least disproof number. Other workers in the subtree of a child multiply its number (virtual proof
// numbers, Kaneko 2010).
type queue struct {
	children []child
	and      bool
	order    []int32 // the heap: first what is to be searched next
	place    []int32 // of each child in order
	busy     []int32 // children with other workers in their subtree
	sum      uint64  // of the numbers that the side to move does not minimise
}

// fill puts the children of a node into the queue. Their numbers change through the queue alone
// from then on.
func (q *queue) fill(children []child, and bool) {
	*q = queue{children: children, and: and, order: q.order[:0], place: q.place[:0], busy: q.busy[:0]}
	for i := range children {
		q.order, q.place = append(q.order, int32(i)), append(q.place, int32(i))
		q.sum += uint64(children[i].turned(and).disproof)
	}
	heap.Init(q)
}

// first returns the child to search next, the number of the second-best child, and the numbers of
// the node. If the node is solved the child is the one that solves it, or -1 if all do.
func (q *queue) first() (best int, second uint32, total numbers) {
	if q.sum == 0 {
		return -1, tables.Infinity, disproved.turned(q.and)
	}
	best, second = int(q.order[0]), tables.Infinity
	least := q.children[best].turned(q.and).proof
	for _, i := range q.busy {
		least = min(least, q.children[i].turned(q.and).proof)
	}
	if least == 0 {
		return best, tables.Infinity, proved.turned(q.and)
	}
	for _, i := range q.order[1:min(3, len(q.order))] {
		second = min(second, q.number(i))
	}
	return best, second, numbers{least, tables.Saturated(q.sum)}.turned(q.and)
}

// put changes a child.
func (q *queue) put(i int, c child) {
	before := &q.children[i]
	q.sum += uint64(c.turned(q.and).disproof) - uint64(before.turned(q.and).disproof)
	if before.busy == 0 && c.busy > 0 {
		q.busy = append(q.busy, int32(i))
	}
	*before = c
	heap.Fix(q, int(q.place[i]))
}

// clearBusy forgets which children other workers were in.
func (q *queue) clearBusy() {
	for _, i := range q.busy {
		q.children[i].busy = 0
		heap.Fix(q, int(q.place[i]))
	}
	q.busy = q.busy[:0]
}

// Len, Less, Swap, Push and Pop make the queue a [heap.Interface]. Of equal children the first
// comes first.
func (q *queue) Len() int { return len(q.order) }

func (q *queue) Less(i, j int) bool {
	a, b := q.order[i], q.order[j]
	x, y := q.number(a), q.number(b)
	return x < y || x == y && a < b
}

// number returns the number by which a child is ordered.
func (q *queue) number(i int32) uint32 {
	c := &q.children[i]
	number := c.turned(q.and).proof
	if number == tables.Infinity {
		return number // solved against the side to move
	}
	return tables.Saturated(uint64(number) * (1 + uint64(c.busy)))
}

func (q *queue) Swap(i, j int) {
	q.order[i], q.order[j] = q.order[j], q.order[i]
	q.place[q.order[i]], q.place[q.order[j]] = int32(i), int32(j)
}

func (q *queue) Push(any) { panic("dfpns: a queue does not grow") }
func (q *queue) Pop() any { panic("dfpns: a queue does not shrink") }
