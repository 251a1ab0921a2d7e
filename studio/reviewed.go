package studio

import (
	"math"
	"slices"

	"goalproof/arimaa"
	"goalproof/review"
)

// Reviewed is a review as data. It grows while the review runs, from the end of the game backwards:
// verdicts, and the engine's estimates. Remarks, signs and better turns come when all is done.
type Reviewed struct {
	Complete  bool               `json:"complete"`  // the review has ended
	Positions []ReviewedPosition `json:"positions"` // before each turn, and at the end
	Moments   []Moment           `json:"moments"`   // turns worth a look
	Turning   *Turning           `json:"turning"`   // the turn that decided the game; null: none, or not known yet
	Review    *review.Object     `json:"review"`    // as of review --json; null before the end
}

// ReviewedPosition is a position of a game in a review.
type ReviewedPosition struct {
	Side     string `json:"side"`     // to move
	Examined bool   `json:"examined"` // what is proved is known
	review.Shown
}

// Turning is the turn at which a game was decided, by proof or as the engine sees it.
type Turning struct {
	Position int    `json:"position"` // before it: its number, from 0
	Says     string `json:"says"`
}

// Moment is a turn of a game that is worth a look.
type Moment struct {
	Position int    `json:"position"` // its number, from 0
	Label    string `json:"label"`
	Sign     string `json:"sign"` // ?!, ?, ?? or ""
	Says     string `json:"says"`
}

// unreviewed returns the review of a game before it has begun.
func unreviewed(g *arimaa.Game) *Reviewed {
	v := &Reviewed{Positions: []ReviewedPosition{}, Moments: []Moment{}}
	for i := range g.Len() + 1 {
		p := g.Position(i)
		v.Positions = append(v.Positions, ReviewedPosition{Side: p.Side().String(), Shown: review.Blank(g, i)})
	}
	return v
}

// found changes what is shown of position i while a review runs.
func (q *queue) found(v *Reviewed, i int, change func(*ReviewedPosition)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	change(&v.Positions[i])
}

// followReview adds to the options of a review that what it finds out is shown at once.
func (q *queue) followReview(v *Reviewed, o *review.Options) {
	o.Examined = func(i int, proved review.Proved) {
		q.found(v, i, func(p *ReviewedPosition) { p.Examined, p.Proved = true, proved })
	}
	o.Evaluated = func(i int, gold float64) {
		gold = math.Round(1e4*gold) / 1e4
		q.found(v, i, func(p *ReviewedPosition) { p.Chance = &gold })
	}
}

// finish replaces what was shown while a review ran. One that was interrupted keeps the estimates
// of positions that it has not evaluated.
func (q *queue) finish(v *Reviewed, r *review.Review) {
	all, moments := make([]review.Shown, len(r.Standings)), []Moment{}
	for i := range all {
		if all[i] = r.Shown(i); all[i].Moment {
			moments = append(moments, Moment{i, all[i].Label, all[i].Sign, all[i].Remark})
		}
	}
	var turning *Turning
	if i, says := r.TurningPoint(); i >= 0 {
		turning = &Turning{i, says}
	}
	object := r.Object()
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range v.Positions {
		p := &v.Positions[i]
		if all[i].Chance == nil {
			all[i].Chance = p.Chance
		}
		p.Shown = all[i]
	}
	v.Complete, v.Moments, v.Turning, v.Review = true, moments, turning, object
}

var errNoReview = missing("the job is no review")

// reviewed returns what a review has found so far.
func (q *queue) reviewed(id string) (Reviewed, error) {
	return ofJob(q, id, func(j *job) (v Reviewed, err error) {
		t, ok := j.request.(*reviewRequest)
		if !ok {
			return v, errNoReview
		}
		v = *t.found
		v.Positions = slices.Clone(v.Positions)
		return v, nil
	})
}
