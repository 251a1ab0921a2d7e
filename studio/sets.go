package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/puzzles"
	"goalproof/solve"
)

// Verified is what is found out about a puzzle of a set.
type Verified struct {
	Label      string   `json:"label"`
	Study      Study    `json:"study"`
	Claim      int      `json:"claim"`      // turns; 0: none
	True       *bool    `json:"true"`       // the claim; null: none, or not known
	Verdict    string   `json:"verdict"`    // win, no-win, unknown or error
	Says       string   `json:"says"`       // the finding in words
	Unique     *bool    `json:"unique"`     // there is one essential solution; null: not known, or no win
	Solution   string   `json:"solution"`   // as it is published, or else the first that was found; "": none
	Right      *bool    `json:"right"`      // the published solution; null: none, or not known
	Second     []string `json:"second"`     // solutions that are not published
	Refutation []string `json:"refutation"` // why the published solution or the claim is wrong: a turn, and a reply if it takes one
	Shows      string   `json:"shows"`      // what the refutation shows, in words; "": there is none
	WinIn      *int     `json:"win_in"`     // turns of the shortest win; null: not known, or no win
	Difficulty *float64 `json:"difficulty"` // from 0 to 10; null: not asked for, or not known
	Themes     []string `json:"themes"`     // of the solutions, if asked for
	Seconds    float64  `json:"seconds"`
}

// submitSet puts the verification of a set into the queue.
func (s *Server) submitSet(t Task) (Job, error) {
	if t.Study != nil || t.Turn != "" || t.All || t.Any {
		return Job{}, errors.New("verify has no study, turn, all or any")
	}
	if t.WinIn < 0 || t.WinIn > solve.MaxTurns || t.Claim < 0 || t.Claim > solve.MaxTurns {
		return Job{}, fmt.Errorf("win_in and claim are 0 to %d", solve.MaxTurns)
	}
	o, err := s.solverOptions(&t)
	if err != nil {
		return Job{}, err
	}
	if o.Algorithm != solve.DFPNS {
		return Job{}, errors.New("sets are verified by dfpns")
	}
	var all []puzzles.Puzzle
	for p := range puzzles.Parse(cmp.Or(notation.Legible(t.Name), "pasted"), strings.NewReader(t.Text)) {
		all = append(all, p)
	}
	if len(all) == 1 && all[0].Err != nil {
		return Job{}, all[0].Err
	}
	t.Text = ""
	each := puzzles.Options{WinIn: t.WinIn, Limit: answer.Limit{Time: t.each()}, Unusual: t.Unusual, Describe: t.Describe}
	return s.queue.add(t, &o, o.Memory, func(ctx context.Context, j *job) (*Result, error) {
		solver := j.solver
		s.queue.follow(j, func(shown *Job) { shown.Trying, shown.Nodes = solver.Progress() })
		s.queue.report(j, 0, len(all))
		wrong := 0
		for i, p := range all {
			p.Claim = cmp.Or(p.Claim, t.Claim)
			found := puzzles.Verify(ctx, j.solver, p, each)
			if ctx.Err() != nil {
				break
			}
			v := verified(&found)
			if v.True != nil && !*v.True {
				wrong++
			}
			s.queue.verified(j, v, found, len(all))
			if i == len(all)-1 {
				return s.finishSet("verified", says(len(all), wrong))
			}
		}
		return nil, errors.New("interrupted: the puzzles that are listed have been verified")
	})
}

// finishSet is the result of a set of which everything has been looked at.
func (s *Server) finishSet(verdict, says string) (*Result, error) {
	r := &Result{Verdict: verdict, Says: says, Line: []ViewTurn{}, Solutions: []Solution{}}
	if s.options.Sync == nil {
		return r, nil
	}
	err := s.options.Sync()
	r.Kept = err == nil
	return r, err
}

// says sums a set up.
func says(puzzles, wrong int) string {
	return fmt.Sprintf("%s, %s.", amount(puzzles, "puzzle"), amount(wrong, "false claim"))
}

// verified writes a result down.
func verified(r *puzzles.Result) Verified {
	p := &r.Puzzle
	v := Verified{Label: p.Label(), Claim: p.Claim, Verdict: string(r.Verdict), Solution: p.Solution, Right: r.SolutionOK,
		Second: []string{}, Themes: []string{}, Refutation: append([]string{}, r.Refutation...), Shows: r.Shows, Seconds: r.Time.Seconds()}
	if p.Err == nil {
		v.Study = Study{Position: p.Position.String()}
	}
	if yes, known := r.ClaimTrue(); known {
		v.True = &yes
	}
	if yes, known := r.EssentiallyUnique(); known {
		v.Unique = &yes
	}
	if r.Verdict == puzzles.Win && r.Exact() {
		v.WinIn = new(r.Within)
	}
	if d := r.Description; d != nil {
		v.Themes = append(v.Themes, d.Themes.Names()...)
		if difficulty, ok := d.Difficulty(); ok {
			v.Difficulty = &difficulty
		}
	}
	for _, s := range r.Second() {
		v.Second = append(v.Second, s.Turn)
	}
	if v.Solution == "" && len(r.Solutions) > 0 {
		v.Solution = r.Solutions[0].Turn
	}
	v.Says = finding(r)
	return v
}

// finding says what was found out about a puzzle.
func finding(r *puzzles.Result) string {
	switch r.Verdict {
	case puzzles.Win:
		text := fmt.Sprintf("win in %s", r.In())
		if unique, known := r.Unique(); known && unique {
			text += ", unique"
		} else if unique, known := r.EssentiallyUnique(); known && unique {
			text += ", essentially unique"
		} else if known {
			text += fmt.Sprintf(", %s", amount(r.Essential(), "essential solution"))
		}
		if r.Err != nil {
			text += ": " + r.Err.Error()
		}
		return text
	case puzzles.NoWin:
		return fmt.Sprintf("no win in %d%s", r.Refuted, r.Aside())
	case puzzles.Unknown:
		return fmt.Sprintf("unknown (%v), no win in %d%s", r.Stop, r.Refuted, r.Aside())
	}
	if r.Err != nil {
		return notation.Explain(r.Err)
	}
	return "error"
}

// each is the time for a puzzle of a set.
func (t *Task) each() time.Duration {
	if t.Seconds == 0 {
		return time.Minute
	}
	return time.Duration(t.Seconds * float64(time.Second))
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

// puzzles answers with the puzzles that a job has verified, from a number on.
func (s *Server) puzzles(w http.ResponseWriter, r *http.Request) {
	from := 0
	if text := r.FormValue("from"); text != "" {
		var err error
		if from, err = strconv.Atoi(text); err != nil || from < 0 {
			refuse(w, http.StatusUnprocessableEntity, fmt.Errorf("from %q: it is a number", notation.Legible(text)))
			return
		}
	}
	s.queue.mu.Lock()
	j := s.queue.jobs[r.PathValue("id")]
	a := puzzlesAnswer{Puzzles: []Verified{}}
	if j != nil {
		a.Puzzles = append(a.Puzzles, j.verified[min(from, len(j.verified)):]...)
	}
	s.queue.mu.Unlock()
	if j == nil {
		refuse(w, http.StatusNotFound, errNoJob)
		return
	}
	reply(w, http.StatusOK, a)
}
