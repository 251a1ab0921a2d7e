package review_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
	"goalproof/review"
	"goalproof/solve"
)

// TestOneStory reviews published games: the headline, the remarks, the alternatives, the totals and
// the page say the same about each turn.
func TestOneStory(t *testing.T) {
	most := boards.Sized(2, 1000)
	turned, lost, held := 0, 0, 0
	s := newSolver(t)
	o := review.Options{WinIn: 2, Limit: answer.Limit{Nodes: 4000}, Effort: 100, Engine: newEngine(t)}
	// A turn that holds against a win in 1 is then proved to lose in 2.
	loses := publishedGame(t, "669239")
	loses.Game = games.Last(t, loses.Game, 8)
	for _, r := range append(archives(t, most), loses) {
		v := reviewed(t, r, o, s)
		checkStory(t, v)
		if strings.Contains(v.Headline(), "turning point at") {
			turned++
		}
		if strings.Contains(v.Headline(), "osing turn was") {
			lost++
		}
		page := html(t, v)
		for i, p := range pageData(t, page).Positions {
			all := v.Alternatives(i)
			for _, a := range all {
				if strings.Contains(a.What, "hold") {
					held++
				}
			}
			if len(p.Others) != len(all) || math.Abs(*p.Chance-v.GoldChance(i)) > 1e-4 {
				t.Fatalf("%s, %s: the page has %+v", r.Name, p.Label, p)
			}
		}
	}
	t.Logf("%d headlines with a turn by the evaluation, %d with a losing turn; %d turns are said to hold", turned, lost, held)
	if held == 0 {
		t.Error("no turn is said to hold")
	}
	if boards.Deep && (turned < 20 || lost < 1) {
		t.Error("too few headlines to tell")
	}
}

// better reports whether a chance of Gold's is better for a side than another.
func better(side arimaa.Side, gold, than float64) bool {
	if side == arimaa.Silver {
		return gold < than-1e-9
	}
	return gold > than+1e-9
}

// checkStory checks what is said about the turns of a game.
func checkStory(t *testing.T, v *review.Review) {
	t.Helper()
	g := v.Record.Game
	counts, losses := [2]map[string]int{{}, {}}, [2]float64{}
	graded := regexp.MustCompile(`gold (\d+)% -> (\d+)%`)
	percent := func(chance float64) string { return strings.TrimSuffix(engine.Percent(chance), "%") }
	for i := range v.Judgements {
		p := g.Position(i)
		side, j, after := p.Side(), &v.Judgements[i], v.GoldChance(i+1)
		all, remark := v.Alternatives(i), v.Remark(i)
		what := fmt.Sprintf("%s, %s (%q, %v)", v.Record.Name, g.Label(i), remark, all)
		for _, a := range all {
			if !a.Valued || better(side, a.Gold, all[0].Gold) {
				t.Errorf("%s: a listed turn is better than the first", what)
			}
			if strings.HasPrefix(a.What, "holds") && (a.Gold == 0 || a.Gold == 1) {
				t.Errorf("%s: a turn that is proved to lose or to win %s", what, a.What)
			}
		}
		fall := math.Abs(after - best(side, all, after))
		if len(all) > 0 && !v.Standings[i].Loss.Proved() && math.Abs(fall-j.Fall) > 1e-6 {
			t.Errorf("%s: the loss is %v, from the best to %v it is %v", what, j.Fall, after, fall)
		}
		if found := graded.FindStringSubmatch(remark); found != nil {
			if found[2] != percent(after) || len(all) == 0 || found[1] != percent(all[0].Gold) {
				t.Errorf("%s: the graph says %v", what, after)
			}
		}
		if v.Standings[i].Loss.Proved() && len(all) > 0 {
			t.Errorf("%s: alternatives in a lost position", what)
		}
		if j.Mark == review.Allows && (len(all) == 0 || !strings.HasPrefix(all[0].What, "holds against")) {
			t.Errorf("%s: what would have held is not named", what)
		}
		n := counts[side]
		n[v.Sign(i)]++
		n["turns"]++
		if j.Mark.Missed() {
			n["missed"]++
		}
		losses[side] += j.Fall
	}
	for side, p := range v.Players() {
		n := counts[side]
		want := review.Player{Turns: n["turns"], Blunders: n["??"], Mistakes: n["?"], Doubted: n["?!"], Missed: n["missed"], Loss: p.Loss}
		if p != want || math.Abs(p.Loss*float64(p.Turns)-losses[side]) > 1e-7 {
			t.Errorf("%s: totals %+v, want %+v and a loss of %v in all", v.Record.Name, p, want, losses[side])
		}
	}
	checkHeadline(t, v)
}

// best returns Gold's chance after the best of the alternatives and the turn that was played.
func best(side arimaa.Side, all []review.Alternative, played float64) float64 {
	if len(all) > 0 && better(side, all[0].Gold, played) {
		return all[0].Gold
	}
	return played
}

// checkHeadline holds the headline against graph and proofs.
func checkHeadline(t *testing.T, v *review.Review) {
	t.Helper()
	g, text := v.Record.Game, v.Headline()
	at := func(label string) int {
		for i := range v.Standings {
			if g.Label(i) == label {
				return i
			}
		}
		t.Fatalf("%s: no turn %s in %q", v.Record.Name, label, text)
		return 0
	}
	winner := v.Record.Winner
	if d := v.Decision; d != nil && !v.Record.Finished() {
		winner = d.Winner
	}
	favours := func(i int) bool { return better(winner, v.GoldChance(i), .5) }
	turning := -1 // as the headline has it
	if found := regexp.MustCompile(`turning point at (\w+) \((\d+)% to (\d+)%\)`).FindStringSubmatch(text); found != nil {
		i := at(found[1])
		turning = i
		if favours(i) || engine.Percent(v.GoldChance(i)) != found[2]+"%" || engine.Percent(v.GoldChance(i+1)) != found[3]+"%" {
			t.Errorf("%s: before %s the graph has %v, then %v: %q", v.Record.Name, found[1], v.GoldChance(i), v.GoldChance(i+1), text)
		}
		for k := i + 1; k < len(v.Standings); k++ {
			if !favours(k) {
				t.Errorf("%s: at %s the graph has %v: %q", v.Record.Name, g.Label(k), v.GoldChance(k), text)
			}
		}
	}
	if found := regexp.MustCompile(`greatest loss at (\w+)`).FindStringSubmatch(text); found != nil {
		i := at(found[1])
		for k := v.Turned(winner) + 1; k < len(v.Judgements); k++ {
			p := g.Position(k)
			if p.Side() != winner && v.Judgements[k].Fall > v.Judgements[i].Fall {
				t.Errorf("%s: %s loses more than %s: %q", v.Record.Name, g.Label(k), found[1], text)
			}
		}
	}
	if found := regexp.MustCompile(`[Tt]he losing turn was (\w+)`).FindStringSubmatch(text); found != nil {
		i := at(found[1])
		if v.Decision.Winner == winner {
			turning = i
		}
		if i+1 != v.Decision.From || v.Standings[i].Loss.Proved() {
			t.Errorf("%s: %s did not lose: %q", v.Record.Name, found[1], text)
		}
		if !v.Standings[i].Win.Proved() && !v.Standings[i].Loss.Tabled {
			t.Errorf("%s: it is not proved that %s lost: %q", v.Record.Name, found[1], text)
		}
	}
	if i, says := v.TurningPoint(); i != turning || i >= 0 && !strings.Contains(says, g.Label(i)) || i < 0 && says != "" {
		t.Errorf("%s: the turning point is %d, %q: %q", v.Record.Name, i, says, text)
	}
}

// TestTurningPoint has the turn that is proved to have lost, and none where the record's winner is the
// one who is proved to lose: the chances at the end are then the other's.
func TestTurningPoint(t *testing.T) {
	for _, c := range []struct{ result, label string }{{"0-1", "3g"}, {"1-0", ""}} {
		text := "1g Ra4 Eb2 1s rh5 eg7\n2g Eb2n 2s rh5s 3g Ra4n\n"
		r := review.FromTags("test", map[string]string{"Result": c.result}, read(t, text).Game)
		v := reviewed(t, r, review.Options{WinIn: 2, Limit: unhurried, Engine: newEngine(t), Effort: 100})
		if d := v.Decision; d == nil || !d.Losing || d.Winner != arimaa.Silver {
			t.Fatalf("the decision is %+v", d)
		}
		i, says := v.TurningPoint()
		if c.label == "" {
			if i != -1 || says != "" {
				t.Errorf("the turning point is %d, %q", i, says)
			}
		} else if i < 0 || v.Record.Game.Label(i) != c.label || says != "The losing turn was "+c.label+"." {
			t.Errorf("the turning point is %d, %q", i, says)
		}
	}
}

// TestReached interrupts a review: it says how far it came.
func TestReached(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := review.Options{WinIn: 2, Limit: unhurried, Engine: newEngine(t), Effort: 100}
	o.Progress = func(done, total int) {
		if done == 2 {
			cancel()
		}
	}
	v, err := review.Game(ctx, []*solve.Solver{newSolver(t)}, read(t, race), o)
	require.NoError(t, err)
	if want := "The review was interrupted: it examined 2 of 5 positions, from the end back to 3s."; !v.Interrupted ||
		v.Examined != 2 || v.Reached() != want || !strings.HasSuffix(v.Headline(), want) {
		t.Errorf("examined %d: %q", v.Examined, v.Headline())
	}
}
