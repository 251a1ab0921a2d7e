package dfpns

import "container/heap"

// queue selects among the children of an OR node in the order of selectChild, without passing over all of
// them: there may be tens of thousands, and most are searched one after the other. It is a heap of their numbers.
type queue struct {
	children []child
	order    []int32 // the heap: first what is to be searched next
	place    []int32 // of each child in order
	busy     []int32 // children with other workers in their subtree
	disproof uint64  // sum of the disproof numbers
}

// fill puts children into the queue. Their numbers change through the queue alone from then on.
func (q *queue) fill(children []child) {
	q.children, q.order, q.place, q.busy, q.disproof = children, q.order[:0], q.place[:0], q.busy[:0], 0
	for i := range children {
		q.order, q.place = append(q.order, int32(i)), append(q.place, int32(i))
		q.disproof += uint64(children[i].disproof)
	}
	heap.Init(q)
}

// first returns the child to search next, the number of the second-best child, and the numbers of the node. If the node
// is solved the child is -1, or the proved one.
func (q *queue) first() (best int, second uint32, total numbers) {
	if q.disproof == 0 {
		return -1, infinite, disproved
	}
	best, second = int(q.order[0]), infinite
	total = numbers{q.children[best].proof, uint32(min(q.disproof, infinite-1))}
	for _, i := range q.busy {
		total.proof = min(total.proof, q.children[i].proof)
	}
	if total.proof == 0 {
		return best, infinite, proved
	}
	for _, i := range q.order[1:min(3, len(q.order))] {
		second = min(second, q.number(i))
	}
	return best, second, total
}

// put changes a child.
func (q *queue) put(i int, c child) {
	before := &q.children[i]
	q.disproof += uint64(c.disproof) - uint64(before.disproof)
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

// Len, Less, Swap, Push and Pop make the queue a [heap.Interface]. Of equal children the first comes first.
func (q *queue) Len() int { return len(q.order) }

func (q *queue) Less(i, j int) bool {
	a, b := q.order[i], q.order[j]
	x, y := q.number(a), q.number(b)
	return x < y || x == y && a < b
}

// number returns the proof number of a child as it looks, by which the children are ordered.
func (q *queue) number(i int32) uint32 {
	c := &q.children[i]
	if c.numbers == disproved {
		return infinite
	}
	return c.looks(c.proof)
}

func (q *queue) Swap(i, j int) {
	q.order[i], q.order[j] = q.order[j], q.order[i]
	q.place[q.order[i]], q.place[q.order[j]] = int32(i), int32(j)
}

func (q *queue) Push(any) { panic("dfpns: a queue does not grow") }
func (q *queue) Pop() any { panic("dfpns: a queue does not shrink") }
