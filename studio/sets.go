package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/internal/printable"
	"goalproof/puzzles"
)

// Verified is the result for a puzzle of a set.
type Verified struct {
	Label  string   `json:"label"`
	Study  Study    `json:"study"`
	Says   string   `json:"says"`   // the finding in words
	Second []string `json:"second"` // solutions that are not published
	puzzles.Record
}

// verifyRequest asks whether the claims and solutions of a set are right.
type verifyRequest struct {
	kind
	Text     string `json:"text,omitempty"` // the set
	Name     string `json:"name"`           // of the text
	Claim    int    `json:"claim"`          // the turns that puzzles claim which claim nothing
	WinIn    int    `json:"win_in"`         // the longest win to look for; 0: the claim, but at least 2, and without a claim no limit
	Describe bool   `json:"describe"`       // add themes and difficulty, which takes several times as long
	Unusual  bool   `json:"unusual"`
	searching
	timed // for each puzzle
}

func (t *verifyRequest) label() string { return notation.Legible(t.Name) }

func (t *verifyRequest) submit(s *Server) (Job, error) {
	limit, err := t.each(time.Minute)
	if err := cmp.Or(err, within("win_in", t.WinIn, 0), within("claim", t.Claim, 0)); err != nil {
		return Job{}, err
	}
	o, err := t.settle(s, true)
	if err != nil {
		return Job{}, err
	}
	var all []puzzles.Puzzle
	for p := range puzzles.Parse(notation.NewLines(cmp.Or(notation.Legible(t.Name), "pasted"), strings.NewReader(t.Text))) {
		all = append(all, p)
	}
	if len(all) == 1 && all[0].Err != nil {
		return Job{}, all[0].Err
	}
	t.Text = ""
	each := puzzles.Options{WinIn: t.WinIn, Limit: answer.Limit{Time: limit}, Unusual: t.Unusual, Describe: t.Describe}
	return s.queue.add(t, MaxTime, &o, o.Memory, func(ctx context.Context, j *job) (*Result, error) {
		return s.verify(ctx, j, all, t.Claim, each)
	})
}

// verify verifies a set, in which puzzles without a claim make the given one.
func (s *Server) verify(ctx context.Context, j *job, all []puzzles.Puzzle, claim int, each puzzles.Options) (*Result, error) {
	s.queue.followSolver(j)
	s.queue.report(j, 0, len(all))
	var sum tally
	for i, p := range all {
		if err := s.queue.yield(ctx, j); ctx.Err() != nil {
			break
		} else if err != nil {
			return nil, err
		}
		p.Claim = cmp.Or(p.Claim, claim)
		found := puzzles.Verify(ctx, j.solver, p, each)
		if ctx.Err() != nil {
			break
		}
		sum.add(&found)
		s.queue.verified(j, verified(&found), found, len(all))
		if i == len(all)-1 {
			return s.finishSet("verified", sum.says())
		}
	}
	return nil, errors.New("interrupted: the puzzles that are listed have been verified")
}

// finishSet returns the result of a completed set.
func (s *Server) finishSet(verdict, says string) (*Result, error) {
	r := &Result{Verdict: verdict, Says: says}
	if s.options.Sync == nil {
		return r, nil
	}
	err := s.options.Sync()
	r.Kept = err == nil
	return r, err
}

// tally counts puzzles that were verified.
type tally struct {
	puzzles, wrong int // wrong: their claims are false
	open           int // without a verdict
}

func (t *tally) add(r *puzzles.Result) {
	t.puzzles++
	if holds, known := r.ClaimTrue(); known && !holds {
		t.wrong++
	}
	if r.Verdict == answer.Unknown {
		t.open++
	}
}

// says sums them up in words. That no claim is false says little where some puzzles have no verdict.
func (t *tally) says() string {
	text := printable.Amount(t.puzzles, "puzzle") + ", " + printable.Amount(t.wrong, "false claim")
	if t.open > 0 {
		text += fmt.Sprintf(", %d not decided or broken", t.open)
	}
	return text + "."
}

// verified returns a result in JSON.
func verified(r *puzzles.Result) Verified {
	v := Verified{Label: r.Puzzle.Label(), Says: finding(r), Second: []string{}, Record: r.Record()}
	if v.Position != nil {
		v.Study = Study{Position: *v.Position, Number: r.Puzzle.Number}
	}
	for _, s := range r.Second() {
		v.Second = append(v.Second, s.Turn)
	}
	return v
}

// finding says the result of a puzzle in words.
func finding(r *puzzles.Result) string {
	switch r.Verdict {
	case answer.Proved:
		text := fmt.Sprintf("win in %s", r.In())
		if unique, known := r.Unique(); known && unique {
			text += ", unique"
		} else if unique, known := r.EssentiallyUnique(); known && unique {
			text += ", essentially unique"
		} else if known {
			text += fmt.Sprintf(", %s", printable.Amount(r.Essential(), "essential solution"))
		}
		if r.Err != nil {
			text += ": " + r.Err.Error()
		}
		return text
	case answer.Disproved:
		return fmt.Sprintf("no win in %d%s", r.Refuted, r.Aside())
	}
	if !r.Failed() {
		return fmt.Sprintf("unknown (%v), no win in %d%s", r.Stop, r.Refuted, r.Aside())
	}
	if r.Err != nil {
		return notation.Explain(r.Err)
	}
	return "error"
}

// verified adds a puzzle to those of a job.
func (q *queue) verified(j *job, v Verified, found puzzles.Result, all int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j.verified == nil {
		q.retain(j)
		j.found = []puzzles.Result{}
	}
	j.verified = append(j.verified, v)
	if j.found != nil { // newer sets have not taken its place
		j.found = append(j.found, found)
	}
	j.parts = [2]int{len(j.verified), all}
}

// puzzlesAnswer lists puzzles of a job.
type puzzlesAnswer struct {
	Puzzles []Verified `json:"puzzles"`
}

// puzzlesFrom asks for the puzzles of a job from a number on, 0 for all.
type puzzlesFrom struct {
	From int `json:"from,omitempty"` // the number of the first one
}

// puzzles answers with the puzzles that a job has verified.
func (s *Server) puzzles(_ http.ResponseWriter, r *http.Request, q puzzlesFrom) (a puzzlesAnswer, err error) {
	if q.From < 0 {
		return a, fmt.Errorf("from %d: it is 0 or more", q.From)
	}
	return ofJob(s.queue, subject(r), func(j *job) (puzzlesAnswer, error) {
		return puzzlesAnswer{append([]Verified{}, j.verified[min(q.From, len(j.verified)):]...)}, nil
	})
}
