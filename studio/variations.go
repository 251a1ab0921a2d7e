package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"goalproof/arimaa"
	"goalproof/solve"
)

// The limits of variations.
const (
	maxWidth     = 10 // groups of replies to the first turn
	defaultWidth = 5
	maxReplies   = 50 // replies of a group that are listed
)

// Variation is a turn of the attacker that keeps his win, with what follows it.
type Variation struct {
	Label         string  `json:"label"`
	Turn          string  `json:"turn"`
	Threat        *string `json:"threat"`         // the turn that would win at once if the defender could pass, or null
	EndsBy        *string `json:"ends_by"`        // how the turn wins, or null
	Replies       int     `json:"replies"`        // that the defender has, told apart by their results
	Groups        []Group `json:"groups"`         // those that hold out longest first, the largest one last
	Hidden        int     `json:"hidden"`         // groups that are left out before the last one
	HiddenReplies int     `json:"hidden_replies"` // replies of those
}

// Group are replies that meet the same answer.
type Group struct {
	Label   string     `json:"label"`
	Replies []string   `json:"replies"` // fewest steps first, at most 50
	Count   int        `json:"count"`   // of all replies of the group
	Needs   int        `json:"needs"`   // turns that the attacker needs after them; 0: the replies lose by themselves
	Answer  *Variation `json:"answer"`  // to the first reply, or null
}

// vary lists the variations of a win that was found.
func (a *asked) vary(ctx context.Context, j *job, solver *solve.Solver, found *solve.Answer) error {
	if len(found.Line) == 0 {
		return errors.New("the variations are not listed: time was up before the first turn of the win was known")
	}
	v, err := solver.Variations(ctx, a.question, found.Within, found.Line[0].Turn, cmp.Or(a.task.Width, defaultWidth))
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = errors.New("time is up")
		}
		return fmt.Errorf("the variations are not listed: %w", err)
	}
	shown := variation(v, a.point.diagram().Number)
	a.s.queue.mu.Lock()
	defer a.s.queue.mu.Unlock()
	j.varied = shown
	return nil
}

// variation writes a variation down; its turn has this number.
func variation(v *solve.Variation, number int) *Variation {
	side, after := v.Before.Side(), v.Before.AfterTurn(v.Turn)
	shown := &Variation{Label: arimaa.TurnLabel(number, side), Turn: v.Before.Notation(v.Turn), Replies: v.Replies,
		Groups: []Group{}, Hidden: v.Hidden, HiddenReplies: v.HiddenReplies}
	if v.Threat.Len() > 0 {
		passed := after.EndTurn()
		shown.Threat = new(passed.Notation(v.Threat))
	}
	if v.Outcome.Over() {
		shown.EndsBy = new(v.Outcome.Reason.String())
	}
	reply := number // each side has a turn of a number, gold the first
	if side == arimaa.Silver {
		reply++
	}
	for _, g := range v.Groups {
		group := Group{Label: arimaa.TurnLabel(reply, side.Other()), Count: len(g.Replies), Needs: g.Turns}
		for _, r := range g.Replies[:min(len(g.Replies), maxReplies)] {
			group.Replies = append(group.Replies, after.Notation(r))
		}
		if g.Answer != nil {
			group.Answer = variation(g.Answer, number+1)
		}
		shown.Groups = append(shown.Groups, group)
	}
	return shown
}

// variations answers with the variations that a job has listed.
func (s *Server) variations(w http.ResponseWriter, r *http.Request) {
	s.queue.mu.Lock()
	j := s.queue.jobs[r.PathValue("id")]
	var v *Variation
	if j != nil {
		v = j.varied
	}
	s.queue.mu.Unlock()
	switch {
	case j == nil:
		refuse(w, http.StatusNotFound, errNoJob)
	case v == nil:
		refuse(w, http.StatusNotFound, errUnvaried)
	default:
		reply(w, http.StatusOK, v)
	}
}
