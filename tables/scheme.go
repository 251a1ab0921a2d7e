package tables

// Scheme decides which entry of a full bucket a new entry replaces (Lazar 1995; Majerech 2012,
// section 4.2.1).
type Scheme interface {
	// victim returns the index of the entry to replace, or -1 to discard the new one.
	victim(old *[ways]worth, new worth) int
}

// worth is the part of an entry that a scheme compares.
type worth struct {
	work uint32 // nodes searched below it
	n    uint8  // turns that it was searched for
	age  uint8  // since the last update, in quarters of the table's size
}

// The schemes. A bucket is a random sample of the table, so each scheme discards the least valuable
// of a few entries.
var (
	// Greater keeps the greater subtrees: the entry with the least work goes, even if it is the new
	// one.
	Greater Scheme = scheme{less: lessWork, keepNew: false}
	// Deeper keeps entries that were searched for more turns.
	Deeper Scheme = scheme{less: func(a, b worth) bool { return a.n < b.n }, keepNew: false}
	// Newer replaces the oldest entry.
	Newer Scheme = scheme{less: func(a, b worth) bool { return a.age > b.age }, keepNew: true}
	// Older replaces nothing.
	Older Scheme = older{}
	// TwoLevel keeps the greater subtrees in all entries of a bucket but one, which takes the
	// newest of the others.
	TwoLevel Scheme = twoLevel{}
	// Aged is Greater among entries of about the same age: work counts less the older it is.
	Aged Scheme = scheme{less: func(a, b worth) bool { return a.work>>a.age < b.work>>b.age }, keepNew: true}
)

// SchemeNamed returns the scheme with a name: greater, deeper, newer, older, two-level or aged; nil
// if there is none.
func SchemeNamed(name string) Scheme {
	return map[string]Scheme{
		"greater": Greater, "deeper": Deeper, "newer": Newer, "older": Older, "two-level": TwoLevel, "aged": Aged,
	}[name]
}

func lessWork(a, b worth) bool { return a.work < b.work }

// scheme replaces the least entry.
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
