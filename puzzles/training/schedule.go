package training

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Between is the number of attempts at other exercises after which one that failed is due again.
const Between = 3

// waits are how long an exercise waits on each stage, from the first on.
var waits = [...]time.Duration{time.Hour, day, 3 * day, 7 * day, 21 * day}

const (
	day       = 24 * time.Hour
	lastStage = len(waits)
)

// schedule puts an exercise on its stage after an attempt, which has been counted. Due says that it
// was due, or new.
func (r *Record) schedule(e *Exercise, clean, due bool, now time.Time) {
	switch {
	case !clean:
		e.Stage = 1
	case e.Stage == 0:
		return
	case !due:
		if e.Stage == 1 {
			e.After++ // only attempts at others bring it nearer
		}
		return
	case e.Stage == lastStage:
		e.Stage, e.Due, e.After = 0, time.Time{}, 0
		return
	default:
		e.Stage++
	}
	e.Due, e.After = now.Add(waits[e.Stage-1]).UTC().Truncate(time.Second), 0
	if e.Stage == 1 {
		e.After = r.Attempts + Between
	}
}

// IsDue reports whether an exercise of the record is due at a time.
func (r *Record) IsDue(e *Exercise, now time.Time) bool {
	return e.Stage > 0 && (!now.Before(e.Due) || e.Stage == 1 && r.Attempts >= e.After)
}

// near is the number of new exercises with the nearest ratings, of which one is drawn: nearest to the
// rating of the person minus its deviation, which the person's ability most likely exceeds. So a person
// who begins gets easy exercises, and harder ones as the rating grows or is surer. Later the
// deviation is 60 or so: exercises that a person solves 58% of the time, if their ratings are right.
const near = 5

// Next chooses one of the puzzles, and returns its index, or -1 if none is left: nothing is due, and
// all were tried and are clean, wait for days, or are in the set passed. The same record, time and
// state of the random numbers give the same choice.
func Next(all []Puzzle, r *Record, now time.Time, passed map[int]bool, random *rand.Rand) int {
	place := r.places()
	var fresh []int
	best, rank := -1, [2]int64{}
	for i := range all {
		p := &all[i]
		at, tried := place[named{p.Position.String(), p.WinIn}]
		switch {
		case passed[i]:
			continue
		case !tried:
			fresh = append(fresh, i)
			continue
		}
		e := &r.Exercises[at]
		if e.Stage == 0 {
			continue
		}
		k := [2]int64{0, int64(at)}
		switch due := r.IsDue(e, now); {
		case due && e.Stage > 1:
			k = [2]int64{1, e.Due.Unix()}
		case !due && e.Stage > 1:
			continue
		case !due:
			k[0] = waiting
		}
		if best < 0 || slices.Compare(k[:], rank[:]) < 0 {
			best, rank = i, k
		}
	}
	if best >= 0 && rank[0] < waiting || len(fresh) == 0 {
		return best
	}
	sought := r.Player.Rating - r.Player.Deviation
	away := func(i int) float64 { return math.Abs(RatingOf(all[i].WinIn, all[i].Difficulty).Rating - sought) }
	slices.SortStableFunc(fresh, func(a, b int) int { return cmp.Compare(away(a), away(b)) })
	return fresh[random.IntN(min(near, len(fresh)))]
}

// named is what an exercise is known by: its position, and the length of its win or 0.
type named struct {
	position string
	winIn    int
}

// places returns the indices of the exercises of a record. With the length 0 an index is that of the
// exercise of the position that was tried last.
func (r *Record) places() map[named]int {
	place := make(map[named]int, 2*len(r.Exercises))
	for i := range r.Exercises {
		e := &r.Exercises[i]
		place[named{e.Position, e.WinIn}], place[named{e.Position, 0}] = i, i
	}
	return place
}

// Waits returns when the first of the puzzles is due that are on the schedule and not due yet; zero
// if there is none.
func Waits(all []Puzzle, r *Record, now time.Time) (next time.Time) {
	place := r.places()
	for i := range all {
		at, tried := place[named{all[i].Position.String(), all[i].WinIn}]
		if !tried {
			continue
		}
		e := &r.Exercises[at]
		if e.Stage > 0 && !r.IsDue(e, now) && (next.IsZero() || e.Due.Before(next)) {
			next = e.Due
		}
	}
	return next
}

// waiting is the rank of an exercise that failed last and is not due yet.
const waiting = 2

// DueOf counts the exercises of the record that are due at a time. Next is when the first of those
// that wait for days is due; zero if none does.
func (r *Record) DueOf(now time.Time) (due int, next time.Time) {
	for i := range r.Exercises {
		e := &r.Exercises[i]
		switch {
		case r.IsDue(e, now):
			due++
		case e.Stage > 0 && (next.IsZero() || e.Due.Before(next)):
			next = e.Due
		}
	}
	return due, next
}
