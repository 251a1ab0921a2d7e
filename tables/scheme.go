package tables

// Scheme decides which entry of a full bucket goes when a new one comes (Lazar 1995; Majerech 2012,
// section 4.2.1).
type Scheme interface {
	// victim returns the number of the entry that goes, or -1 if the new one is not to be kept.
	victim(old *[ways]worth, new worth) int
}

// worth is what a scheme knows about an entry.
type worth struct {
	work uint32 // nodes searched below it
	n    uint8  // turns that it has been searched for
	age  uint8  // since it was left last, in quarters of the table's size
}

// The schemes. A bucket is a sample of the table, so each discards, of a few entries
// taken at random, the one that is worth least.
var (
	// Greater keeps the greater subtrees: the entry with the least work goes, be it the
	// new one.
	Greater Scheme = scheme{less: lessWork, keepNew: false}
	// Deeper keeps what was searched for more turns.
	Deeper Scheme = scheme{less: func(a, b worth) bool { return a.n < b.n }, keepNew: false}
	// Newer lets the oldest entry go.
	Newer Scheme = scheme{less: func(a, b worth) bool { return a.age > b.age }, keepNew: true}
	// Older keeps what is there.
	Older Scheme = older{}
	// TwoLevel keeps the greater subtrees in all entries of a bucket but the last, and there
	// whatever came last.
	TwoLevel Scheme = twoLevel{}
	// Aged is Greater among entries of about the same age: work counts less the older it is.
	Aged Scheme = scheme{less: func(a, b worth) bool { return a.work>>a.age < b.work>>b.age }, keepNew: true}
)

func lessWork(a, b worth) bool { return a.work < b.work }

// scheme lets the least entry go.
type scheme struct {
	less    func(a, b worth) bool
	keepNew bool // even if it is the least
}

func (s scheme) victim(old *[ways]worth, new worth) int {
	least := 0
	for i := range old {
		if s.less(old[i], old[least]) {
			least = i
		}
	}
	if !s.keepNew && s.less(new, old[least]) {
		return -1
	}
	return least
}

type older struct{}

func (older) victim(*[ways]worth, worth) int { return -1 }

type twoLevel struct{}

func (twoLevel) victim(old *[ways]worth, new worth) int {
	least := 0
	for i := range old[:ways-1] {
		if old[i].work < old[least].work {
			least = i
		}
	}
	if new.work < old[least].work {
		return ways - 1
	}
	return least
}
