package report

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"goalproof/arimaa"
	"goalproof/internal/printable"
	"goalproof/solve"
)

// Variation is a turn of the attacker that keeps his win, with what follows it, in JSON.
type Variation struct {
	Label         string  `json:"label"` // of the turn, such as "34g"
	Turn          string  `json:"turn"`
	Threat        *string `json:"threat"`         // the turn that would win at once if the defender could pass, or null
	EndsBy        *string `json:"ends_by"`        // how the turn wins, or null
	Count         int     `json:"count"`          // of the replies that the defender has, told apart by their results
	Groups        []Group `json:"groups"`         // those that hold out longest first, the largest one last
	Hidden        int     `json:"hidden"`         // groups that are left out before the last one
	HiddenReplies int     `json:"hidden_replies"` // replies of those
}

// Group are replies that meet the same answer, in JSON.
type Group struct {
	Label   string     `json:"label"`
	Replies []string   `json:"replies"` // fewest steps first, at most 50
	Count   int        `json:"count"`   // of all replies of the group
	Needs   int        `json:"needs"`   // turns that the attacker needs after them; 0: the replies lose by themselves
	Answer  *Variation `json:"answer"`  // to the first reply, or null
}

// maxReplies is the greatest number of replies of a group that are listed.
const maxReplies = 50

// VariationOf writes a variation down; its turn has a number.
func VariationOf(v *solve.Variation, number int) *Variation {
	side, after := v.Before.Side(), v.Before.AfterTurn(v.Turn)
	j := &Variation{Label: arimaa.TurnLabel(number, side), Turn: v.Before.Notation(v.Turn), Count: v.Replies, Groups: []Group{},
		Hidden: v.Hidden, HiddenReplies: v.HiddenReplies}
	if v.Threat.Len() > 0 {
		passed := after.EndTurn()
		j.Threat = new(passed.Notation(v.Threat))
	}
	if v.Outcome.Over() {
		j.EndsBy = new(v.Outcome.Reason.String())
	}
	for _, g := range v.Groups {
		group := Group{Label: arimaa.LabelAfter(number, side, 1), Count: len(g.Replies), Needs: g.Turns}
		for _, r := range g.Replies[:min(len(g.Replies), maxReplies)] {
			group.Replies = append(group.Replies, after.Notation(r))
		}
		if g.Answer != nil {
			group.Answer = VariationOf(g.Answer, number+1)
		}
		j.Groups = append(j.Groups, group)
	}
	return j
}

// Does says what the turn does.
func (v *Variation) Does() string {
	switch {
	case v.EndsBy != nil:
		return "wins by " + *v.EndsBy
	case v.Threat != nil:
		return "threatens " + *v.Threat
	}
	return "quiet"
}

// String says which turn it is, and what it does.
func (v *Variation) String() string { return fmt.Sprintf("%s %s, %s", v.Label, v.Turn, v.Does()) }

// Replies says which replies a group has: the first of them, or for the last group how many other
// ones there are.
func (v *Variation) Replies(i int) string {
	g := &v.Groups[i]
	switch n := g.Count; {
	case i == len(v.Groups)-1 && i > 0 && n > 1:
		return printable.Amount(n, "other turn")
	case i == 0 && n == v.Count && n > 1:
		return "any turn"
	case n > 1:
		return fmt.Sprintf("%s and %s more", g.Replies[0], humanize.Comma(int64(n-1)))
	}
	return g.Replies[0]
}

// Left says which groups are left out.
func (v *Variation) Left() string {
	return fmt.Sprintf("%s with %s not shown: --variations=N shows more", printable.Amount(v.Hidden, "more answer"), printable.Amount(v.HiddenReplies, "turn"))
}
