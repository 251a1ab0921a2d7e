package solve

import (
	"context"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/printable"
	"goalproof/puzzles/describe"
	"goalproof/solve"
	"goalproof/solve/report"
)

// description is what --describe adds to an answer, with the third repetition set aside.
type description struct {
	position arimaa.Position
	worth    describe.Worth
	puzzle   *describe.Puzzle // nil: there is no win, or not all solutions are known
	sight    describe.Sight
	looked   bool // sight is known
}

// addDescription describes a position, with --describe, within the limit of a question.
func (w *writer) addDescription(ctx context.Context, s *solve.Solver, known *solved) (err error) {
	if !w.describe {
		return nil
	}
	a, q := known.Answer, known.Question
	ctx, cancel := w.search.Limit().Start(ctx)
	defer cancel()
	defer known.ends(ctx)
	d := &description{position: q.Position}
	horizon := describe.Horizon(&a)
	if a.Exact() && !q.All || q.Game != nil {
		a, err = s.Solve(ctx, solve.Question{Position: q.Position, Deepest: horizon, All: true, NoLine: true})
		if err != nil {
			return err
		}
	}
	if d.worth, err = describe.Turn(ctx, s, q.Position, &a, horizon); err != nil {
		return err
	}
	describer := describe.Describer{Solver: s}
	if d.puzzle, _, err = describer.Win(ctx, q.Position, &a); err != nil {
		return err
	}
	if d.puzzle != nil {
		d.sight, err = describe.NewEye(0).See(ctx, q.Position, &a)
		d.looked = err == nil
	}
	known.description = d
	return nil
}

// write writes the description for people.
func (d *description) write(w io.Writer) {
	if d == nil {
		return
	}
	side := d.position.Side()
	enemy := side.Other()
	passed := arimaa.NewPosition(d.position.Board, enemy)
	worth := &d.worth
	if worth.Opponent.Within > 0 {
		fmt.Fprintf(w, "Loss: %v wins in %s, whatever %v plays.\n", enemy, turns(&worth.Opponent), side)
	}
	switch threat := &worth.PassOpponent; {
	case threat.Within > 0:
		fmt.Fprintf(w, "Threat: %v threatens to win in %s by %s.\n", enemy, turns(threat), passed.Notation(threat.Turn))
	case threat.Verdict == answer.Disproved && worth.PassOwn.Within > 0:
		fmt.Fprintf(w, "Threat: none. If %v were to move, %v would win in %s.\n", enemy, side, turns(&worth.PassOwn))
	case threat.Verdict == answer.Disproved:
		fmt.Fprintf(w, "Threat: none within %s.\n", printable.Amount(worth.Horizon, "turn"))
	case !worth.Over:
		fmt.Fprintf(w, "Threat: not known (%v).\n", worth.Stop)
	}
	if z := worth.Zugzwang(); z != describe.NoZugzwang {
		fmt.Fprintf(w, "Zugzwang (%v): %s\n", z, d.zugzwang(z))
	}
	if worth.Horizon > 1 {
		fmt.Fprintln(w, "All of this sets the third repetition aside.")
	}
	if d.puzzle != nil {
		d.writePuzzle(w)
	}
	fmt.Fprintln(w)
}

// turns returns the turns of a win in words.
func turns(w *describe.Win) string { return w.AtMost() + printable.Amount(w.Within, "turn") }

// zugzwang explains a zugzwang of the side to move.
func (d *description) zugzwang(z describe.Zugzwang) string {
	side, w := d.position.Side(), &d.worth
	enemy := side.Other()
	switch z {
	case describe.Mutual:
		return "whoever is to move loses."
	case describe.Losing:
		return fmt.Sprintf("every turn of %v loses; after a pass %v would have no win in %d.", side, enemy, w.Horizon)
	case describe.Spoiling:
		return fmt.Sprintf("%v has no win in %d; after a pass it would win in %s.", side, w.Horizon, turns(&w.PassOwn))
	case describe.Hastening:
		return fmt.Sprintf("after a pass of %v, %v would have no win in %d.", side, enemy, w.PassOpponent.Refuted)
	}
	return fmt.Sprintf("after a pass %v would win in %s, and it has no win in %d if it moves.", side, turns(&w.PassOwn), w.Own.Refuted)
}

// writePuzzle writes the description of a win.
func (d *description) writePuzzle(w io.Writer) {
	z := d.puzzle
	themes := z.Themes.String()
	if themes == "" {
		themes = "none"
	}
	fmt.Fprintf(w, "Themes: %s.\n", themes)
	if z.Stop != answer.Finished {
		fmt.Fprintf(w, "(Some themes or counts are not known: %v.)\n", z.Stop)
	}
	number := func(n int) string { return humanize.Comma(int64(n)) }
	fmt.Fprintf(w, "First turns: %s; solutions: %s (%s essential)", number(z.Turns), number(z.Winning), number(len(z.Solutions)))
	if z.N > 1 {
		fmt.Fprintf(w, "; others that threaten to win at once: %s; near tries: %s (%s with a single defence)",
			number(z.Threats), number(z.NearTries), number(z.SingleDefence))
		fmt.Fprintf(w, ".\nReplies: %s", number(z.Replies))
		if z.Longest >= 0 {
			fmt.Fprintf(w, "; longest defences: %s", number(z.Longest))
		}
		if k := z.Solutions[0].Threatens; k > 1 {
			fmt.Fprintf(w, "; after a pass %v would win in %d", d.position.Side(), k)
		}
	}
	fmt.Fprintln(w, ".")
	if difficulty, ok := z.Difficulty(); ok {
		fmt.Fprintf(w, "Difficulty: %.1f of %d.\n", difficulty, describe.MaxDifficulty)
	}
	switch {
	case d.looked && d.sight.Seen:
		fmt.Fprintf(w, "Engine: sees a solution at depth %d, after %s.\n", d.sight.Depth, printable.Amount(d.sight.Nodes, "node"))
	case d.looked:
		fmt.Fprintf(w, "Engine: sees no solution in %s.\n", printable.Amount(d.sight.Nodes, "node"))
	}
}

// descriptionJSON is a description in JSON.
type descriptionJSON struct {
	Horizon    int        `json:"horizon"`
	Loss       report.Win `json:"loss"`
	Threat     report.Win `json:"threat"`
	PassWin    report.Win `json:"pass_win"`
	Zugzwang   *string    `json:"zugzwang"`
	Themes     []string   `json:"themes"`
	Essential  []themed   `json:"essential_turns"`
	Turns      *int       `json:"first_turns"`
	Winning    *int       `json:"winning"`
	Threats    *int       `json:"threats"`
	NearTries  *int       `json:"near_tries"`
	Single     *int       `json:"single_defence"`
	Replies    *int       `json:"replies"`
	Longest    *int       `json:"longest"`
	Difficulty *float64   `json:"difficulty"`
	Sight      *sightJSON `json:"engine"`
	Stopped    *string    `json:"stopped"`
}

// themed is an essential solution in JSON.
type themed struct {
	Turn      string   `json:"turn"`
	Themes    []string `json:"themes"`
	Threatens *int     `json:"threatens"`
}

// sightJSON is when the engine sees a solution, in JSON.
type sightJSON struct {
	Seen  bool   `json:"seen"`
	Depth *int   `json:"depth"`
	Nodes uint64 `json:"nodes"`
}

// json returns the description for programs.
func (d *description) json() *descriptionJSON {
	win := func(w *describe.Win, p arimaa.Position) report.Win {
		return report.WinOf(w.Verdict, w.Bounds, &p, w.Turn)
	}
	w := &d.worth
	passed := arimaa.NewPosition(d.position.Board, d.position.Side().Other())
	r := &descriptionJSON{
		Horizon: w.Horizon, Loss: win(&w.Opponent, d.position), Threat: win(&w.PassOpponent, passed), PassWin: win(&w.PassOwn, passed),
	}
	if z := w.Zugzwang(); z != describe.NoZugzwang {
		r.Zugzwang = new(z.String())
	}
	if w.Stop != answer.Finished {
		r.Stopped = new(w.Stop.String())
	}
	z := d.puzzle
	if z == nil {
		return r
	}
	if z.Stop != answer.Finished {
		r.Stopped = new(z.Stop.String())
	}
	r.Themes = z.Themes.Names()
	for i := range z.Solutions {
		s := &z.Solutions[i]
		e := themed{Turn: d.position.Notation(s.Turn), Themes: s.Themes.Names()}
		if s.Threatens > 0 {
			e.Threatens = &s.Threatens
		}
		r.Essential = append(r.Essential, e)
	}
	r.Turns, r.Winning = &z.Turns, &z.Winning
	if z.N > 1 {
		r.Threats, r.NearTries, r.Single, r.Replies = &z.Threats, &z.NearTries, &z.SingleDefence, &z.Replies
		if z.Longest >= 0 {
			r.Longest = &z.Longest
		}
	}
	if difficulty, ok := z.Difficulty(); ok {
		r.Difficulty = &difficulty
	}
	if d.looked {
		r.Sight = &sightJSON{Seen: d.sight.Seen, Nodes: d.sight.Nodes}
		if d.sight.Seen {
			r.Sight.Depth = &d.sight.Depth
		}
	}
	return r
}
