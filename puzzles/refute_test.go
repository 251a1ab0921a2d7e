package puzzles

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// TestRefutation gives turns as solutions of published wins in two, and a claim to positions
// without such a win: what is shown to refute a wrong one leaves no win in one, by listing all
// turns.
func TestRefutation(t *testing.T) {
	most, each := boards.Sized(2, 51), boards.Sized(3, 12)
	var set []Puzzle
	for _, p := range readAll(t, filepath.Join(published.Dir(t), "win-in-2", "reduced"))[:most] {
		var g arimaa.Generator
		n := g.Generate(&p.Position)
		p.Claim = 2
		for k := range each {
			p.Solution = p.Position.Notation(g.Turn((2*k + 1) * n / (2 * each)))
			set = append(set, p)
		}
	}
	no := example(t, "no-win-in-2.txt")
	no.Claim = 2
	set = append(set, no)
	refuted := 0
	for _, r := range all(t, set, Options{Limit: answer.Limit{Time: time.Minute}}) {
		wrong := r.SolutionOK != nil && !*r.SolutionOK
		if r.Err != nil || wrong != (r.Refutation != nil) && r.Puzzle.Name != no.Name {
			t.Errorf("%s: %v, wrong %v, refutation %v", r.Puzzle.Label(), r.Err, wrong, r.Refutation)
		}
		if r.Refutation == nil {
			continue
		}
		refuted++
		p := r.Puzzle.Position
		first := played(p, r.Refutation[0])
		after := p.AfterTurn(first)
		if over := after.Ended(p.Side()); over.Over() && over.Winner != p.Side() && len(r.Refutation) == 1 {
			continue // the turn loses the game at once
		}
		if wrong && r.Refutation[0] != r.Puzzle.Solution || len(r.Refutation) != 2 {
			t.Fatalf("%s: %q is refuted by %v", r.Puzzle.Label(), r.Puzzle.Solution, r.Refutation)
		}
		reply := played(after, r.Refutation[1])
		end, legal := after.Try(reply)
		if !legal {
			t.Fatalf("%s: %v is illegal", r.Puzzle.Label(), r.Refutation)
		}
		if end.Ended(after.Side()).Over() && end.Ended(after.Side()).Winner == after.Side() {
			continue
		}
		if won(&end) {
			t.Errorf("%s: a win in 1 is left after %v", r.Puzzle.Label(), r.Refutation)
		}
	}
	if refuted < len(set)/2 || !slices.ContainsFunc(set, func(p Puzzle) bool { return p.Name == no.Name }) {
		t.Errorf("only %d of %d are refuted", refuted, len(set))
	}
}

// won reports whether the side to move has a turn that wins.
func won(p *arimaa.Position) bool {
	var g arimaa.Generator
	for i := range g.Generate(p) {
		after := g.Position(i, p.Side())
		if o := after.Board.Ended(p.Side()); o.Over() && o.Winner == p.Side() {
			return true
		}
	}
	return false
}

// TestShows checks what is said of a refutation: it does not deny that a turn wins which does so
// later.
func TestShows(t *testing.T) {
	two, three, no := example(t, "win-in-2.txt"), example(t, "win-in-3.txt"), example(t, "no-win-in-2.txt")
	for _, c := range []struct {
		puzzle        Puzzle
		claim         int
		solution      string
		want, instead string
	}{
		{two, 1, "Re1e Rh2w Ed6n Ed7w", "the given solution wins in 2, not in 1", "the least is 2"},
		{three, 2, "Ec4w Eb4n Eb5n", "the given solution wins in 3, not in 2 (the third repetition set aside)", "the least is 3"},
		{two, 2, "Ed6n", "the given solution does not win in 2 (the third repetition set aside)", ""},
		{three, 2, "Rg3e", "the given solution does not win in 3 (the third repetition set aside)", "the least is 3"},
		{three, 2, "", "a threat does not win in 2 (the third repetition set aside)", "the least is 3"},
		{two, 1, "", "a threat does not win in 1", "the least is 2"},
		{no, 2, "", "a threat does not win in 2 (the third repetition set aside)", "there is no win in 3"},
		{two, 3, "", "", "the least is 2"},
	} {
		p := c.puzzle
		p.Claim, p.Solution = c.claim, c.solution
		r := all(t, []Puzzle{p}, Options{WinIn: 3})[0]
		yes, known := r.ClaimTrue()
		if r.Err != nil || r.Shows != c.want || !known || yes != (c.instead == "") || !yes && r.Instead() != c.instead {
			t.Errorf("%s, claim %d, %q: %q and %q, want %q and %q: %v", p.Name, c.claim, c.solution, r.Shows, r.Instead(), c.want, c.instead, r.Err)
		}
		if plies := map[bool]int{true: 0, false: min(c.claim, 2)}[c.want == ""]; len(r.Refutation) != plies || c.solution != "" && r.Refutation[0] != c.solution {
			t.Errorf("%s, claim %d, %q: refuted by %v", p.Name, c.claim, c.solution, r.Refutation)
		}
	}
}
