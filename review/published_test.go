package review_test

import (
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/proof"
	"goalproof/review"
)

// archives returns the first games of the published archives that can be read, half of them of
// each. In a normal run they are cut down to their last turns, where there is something to prove.
func archives(t *testing.T, most int) (records []review.Record) {
	t.Helper()
	for _, file := range []string{"archive-2002.tsv", "archive-2026.tsv"} {
		all := games.Of(t, file)
		for _, g := range all[:min(most/2, len(all))] {
			if !boards.Large {
				g.Game = games.Last(t, g.Game, 6)
			}
			records = append(records, review.FromArchive(g.Record, g.Game))
		}
	}
	return records
}

// TestConsistent reviews published games: what is said about one position agrees with what is said
// about the next.
func TestConsistent(t *testing.T) {
	s := newSolver(t)
	counts := map[review.Mark]int{}
	proofs := 0
	most, few := boards.Sized(6, 50), boards.Sized(3, 20)
	for _, r := range archives(t, most) {
		g := r.Game
		o := review.Options{WinIn: 2, Limit: answer.Limit{Nodes: 40_000}}
		o.Certify = func(i int, c *proof.Certificate) error {
			p := g.Position(i)
			if c.Entries[0].Position != p.String() {
				t.Errorf("%s, %s: the certificate is about %s", r.Name, g.Label(i), c.Entries[0].Position)
			}
			proofs++
			return c.Check(t.Context(), nil)
		}
		v := reviewed(t, r, o, s)
		again, _, err := notation.ReadAnnotated(r.Name, v.Annotated())
		if err != nil || again.Len() != g.Len() || again.Last() != g.Last() {
			t.Errorf("%s: the game with comments cannot be read again: %v", r.Name, err)
		}
		for i := range v.Standings {
			s := &v.Standings[i]
			if s.Win.Proved() && s.Loss.Proved() {
				t.Errorf("%s, %s: won and lost", r.Name, g.Label(i))
			}
			if i == g.Len() {
				continue
			}
			j, next := &v.Judgements[i], &v.Standings[i+1]
			counts[j.Mark]++
			if next.Loss.Proved() && (!s.Win.Proved() || s.Win.Within > next.Loss.Within+1) {
				t.Errorf("%s, %s: after a turn the opponent is lost in %d, but before it %+v",
					r.Name, g.Label(i), next.Loss.Within, s.Win)
			}
			if s.Loss.Proved() && (!next.Win.Proved() || next.Win.Within > s.Loss.Within) {
				t.Errorf("%s, %s: lost in %d, but after the turn the opponent has %+v", r.Name, g.Label(i), s.Loss.Within, next.Win)
			}
			if j.Mark == review.Keeps && i+2 <= g.Len() {
				if then := &v.Standings[i+2].Win; !then.Proved() || then.Within > s.Win.Within-1 {
					t.Errorf("%s, %s: keeps a win in %d, and then %+v", r.Name, g.Label(i), s.Win.Within, then)
				}
			}
			if j.Mark == review.Wins && s.Win.Within != 1 {
				t.Errorf("%s, %s: the turn ends the game, but before it %+v", r.Name, g.Label(i), s.Win)
			}
		}
		if end := g.Outcome(); end.Over() && (v.Decision == nil || v.Decision.Winner != end.Winner) {
			t.Errorf("%s: %v has won by %v, decision %+v", r.Name, end.Winner, end.Reason, v.Decision)
		}
	}
	t.Logf("turns by mark: %v; %d certificates accepted", counts, proofs)
	if counts[review.Keeps] == 0 || counts[review.Allows] == 0 || counts[review.Wins] < few || proofs < few {
		t.Errorf("turns by mark %v, %d certificates: the test says little", counts, proofs)
	}
}

// TestHolds checks, by trying all turns, that where another turn is said to hold against a win in
// one there is such a turn, and where the position is said to be lost there is none. In game 669174
// two wins one after the other follow from those after them.
func TestHolds(t *testing.T) {
	var d goal.Detector
	var turns arimaa.Generator
	s := newSolver(t)
	held, lost := 0, 0
	most := boards.Sized(5, 60)
	for _, r := range append(archives(t, most), publishedGame(t, "669174")) {
		v := reviewed(t, r, review.Options{WinIn: 1, Limit: answer.Limit{Nodes: 200_000}}, s)
		holds := func(i int) bool { // another turn than the one that was played
			p := r.Game.Position(i)
			for k := range turns.Generate(&p) {
				after := turns.Position(k, p.Side())
				if after == r.Game.Position(i+1) {
					continue
				}
				if o := after.Board.Ended(p.Side()); o.Over() {
					if o.Winner == p.Side() {
						return true
					}
					continue
				}
				if _, wins := d.CanWin(&after, &after.Board); !wins {
					return true
				}
			}
			return false
		}
		for i := range v.Standings {
			if v.Standings[i].Loss.Proved() && v.Standings[i].Loss.Within == 1 && i < r.Game.Len() {
				lost++
				if holds(i) {
					t.Errorf("%s, %s: it is not lost", r.Name, r.Game.Label(i))
				}
			}
		}
		if c := v.Decision; c != nil && c.Last >= 0 && c.Holds > 0 {
			held++
			if !holds(c.Last) {
				t.Errorf("%s, %s: no turn holds", r.Name, r.Game.Label(c.Last))
			}
		}
	}
	t.Logf("%d turns are said to hold, %d positions to be lost", held, lost)
	if held == 0 || lost == 0 {
		t.Error("nothing has been tried")
	}
}

// publishedGame returns the game of an id or, with none, a short game that was played to its end.
func publishedGame(t *testing.T, id string) review.Record {
	t.Helper()
	for _, g := range games.Of(t, "archive-2026.tsv") {
		if g.Record.ID == id || id == "" && g.Outcome().Over() && g.Len() > 20 && g.Len() < 40 {
			return review.FromArchive(g.Record, g.Game)
		}
	}
	t.Fatal("there is no such game")
	return review.Record{}
}
