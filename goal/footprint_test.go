package goal

import (
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// printed is an option of Silver on a board, with its footprint and its result.
type printed struct {
	before    *arimaa.Board
	option    arimaa.Option
	footprint footprint
	moved     arimaa.Bitboard // the squares that pieces leave and enter
	result    arimaa.Board
}

// printedOptions returns all options of Silver.
func printedOptions(b *arimaa.Board) (all []printed) {
	m := b.Mobility(arimaa.Silver)
	from := siteOf(b, &m)
	for s := m.Steps(arimaa.Everywhere, arimaa.Everywhere); s.Next(); {
		o := printed{before: b, option: s.Option(b), moved: s.From.Set() | s.To.Set(), result: *b}
		o.footprint = from.single(s.From, s.To, s.Play(&o.result))
		all = append(all, o)
	}
	for d := m.Doubles(arimaa.Everywhere, arimaa.Everywhere); d.Next(b); {
		o := printed{before: b, option: d.Option(b), moved: d.From.Set() | d.At.Set() | d.To.Set(), result: *b}
		d.Play(&o.result)
		o.footprint = doubleFootprint(&d)
		all = append(all, o)
	}
	return all
}

func (o *printed) changed() arimaa.Bitboard { return changed(o.before, &o.result) }

// among returns the option of others that is the same and has the same footprint, or nil.
func (o *printed) among(others []printed) *printed {
	for i := range others {
		if others[i].option == o.option && others[i].footprint == o.footprint {
			return &others[i]
		}
	}
	return nil
}

// gathered draws a position with pieces around one square.
func gathered(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	centre := random.IntN(64)
	for range 4 + random.IntN(16) {
		s := arimaa.Square(nearby(centre, 3, random))
		b.Put(s, arimaa.NewPiece(arimaa.Side(random.IntN(2)), arimaa.Kind(1+random.IntN(6))))
	}
	return settled(b)
}

// TestFootprint checks what [Detector.Defence] takes for granted of two options in a row.
func TestFootprint(t *testing.T) {
	t.Parallel()
	draws := boards.Sized(160, 20_000)
	random := rand.New(rand.NewPCG(1, 1))
	var pairs, swapped int
	for range draws {
		p := gathered(random)
		zone := arimaa.Square(random.IntN(64)).Set()
		first := printedOptions(&p.Board)
		for i := range first {
			o := &first[i]
			if extra := o.changed() &^ o.footprint.changed; extra != 0 {
				t.Fatalf("%v changes %x, which its footprint has not, at\n%v", o.option, uint64(extra), p)
			}
			second := printedOptions(&o.result)
			for j := range second {
				next := &second[j]
				pairs++
				if reason := leftOut(o, next, zone); reason != "" {
					t.Fatalf("%v, then %v, which changes square %v: %s, at\n%v", o.option, next.option, zone.First(), reason, p)
				}
				if o.footprint.conflicts(&next.footprint) {
					continue
				}
				swapped++
				before := next.among(first)
				if before == nil {
					t.Fatalf("%v is another one before %v, at\n%v", next.option, o.option, p)
				}
				after := o.among(printedOptions(&before.result))
				if after == nil || after.result != next.result {
					t.Fatalf("%v is another one after %v, at\n%v", o.option, next.option, p)
				}
			}
		}
	}
	t.Logf("%d pairs of options, %d without a conflict", pairs, swapped)
}

// leftOut says why the search for options that change a square of the zone leaves the last one out,
// or the one before it though they conflict; or it returns "".
func leftOut(o, last *printed, zone arimaa.Bitboard) string {
	r := reachOf(zone)
	within := func(o *printed, left int) bool {
		if o.option.Steps() > 1 {
			return o.moved&doubleZone(zone, left, o.before.Occupied(), &r) != 0
		}
		return o.moved&stepZone(zone, left, o.before.Of(arimaa.Silver), &r) != 0
	}
	touches, single := last.changed()&zone != 0, last.option.Steps() == 1
	if touches && !within(last, last.option.Steps()) {
		return "the last option is outside its zone"
	}
	if !single || !o.footprint.conflicts(&last.footprint) {
		return ""
	}
	from := last.option.First().From()
	switch {
	case !o.footprint.partners().Has(from):
		return "the last option is no partner"
	case !touches:
	case !r.last.Has(from):
		return "the last option is out of reach"
	case !r.meets(&o.footprint):
		return "the options do not meet"
	case !within(o, 1+o.option.Steps()):
		return "the first option is outside its zone"
	}
	return ""
}
