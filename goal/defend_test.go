package goal

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
)

// defences lists all replies at p that leave the opponent no win in one turn, by enumeration, with
// the fewest steps to each.
func defences(p *arimaa.Position) map[arimaa.Board]bool {
	var g arimaa.Generator
	var d Detector
	all := map[arimaa.Board]bool{}
	for i := range g.Generate(p) {
		next := g.Position(i, p.Side())
		if o := next.Board.Ended(p.Side()); o.Over() {
			if o.Winner == p.Side() {
				all[next.Board] = true
			}
			continue
		}
		if _, wins := d.CanWin(&next, &next.Board); !wins {
			all[next.Board] = true
		}
	}
	return all
}

// checkDefence compares Defence and Defences with enumeration at the start of a turn.
func checkDefence(t rapid.TB, d *Detector, p *arimaa.Position) (threat, defended bool) {
	t.Helper()
	if p.Board.Ended(p.Side().Other()).Over() || !regular(p, &p.Board) {
		return false, false
	}
	want := defences(p)
	turn, defended := d.Defence(p)
	if defended != (len(want) > 0) {
		t.Fatalf("%v: a defence: %v (%v), enumeration finds %d", p, defended, turn, len(want))
	}
	if defended {
		after, legal := p.Try(turn)
		if !legal || !want[after.Board] {
			t.Fatalf("%v: %v is no defence", p, turn)
		}
	}
	other := p.EndTurn()
	_, threat = d.CanWin(&other, &other.Board)
	if _, wins := d.CanWin(p, &p.Board); !wins {
		checkDefences(t, d, p, want)
		const most = 3
		switch n := d.CountDefences(p, most); {
		case n < most && n != len(want), n > most, n == most && len(want) == 0: // two of the recent ones may be the same
			t.Fatalf("%v: %d defences are counted, up to %d; enumeration finds %d", p, n, most, len(want))
		}
	}
	return threat, defended
}

// checkDefences compares Defences with what enumeration finds.
func checkDefences(t rapid.TB, d *Detector, p *arimaa.Position, want map[arimaa.Board]bool) {
	t.Helper()
	got := map[arimaa.Board]bool{}
	d.Defences(p, func(b *arimaa.Board, turn arimaa.Turn) bool {
		after, legal := p.Try(turn)
		if !legal || after.Board != *b {
			t.Fatalf("%v: %v does not lead to the board it comes with", p, turn)
		}
		if got[*b] {
			t.Fatalf("%v: %v visited twice", p, turn)
		}
		got[*b] = true
		return true
	})
	for b := range want {
		if !got[b] {
			t.Fatalf("%v: the reply that leads to %v is missing", p, arimaa.NewPosition(b, p.Side().Other()))
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%v: %d defences, enumeration finds %d", p, len(got), len(want))
	}
}

// checkDefenceWithin compares DefenceWithin with enumeration at a point within a turn.
func checkDefenceWithin(t rapid.TB, d *Detector, p *arimaa.Position) (defended bool) {
	t.Helper()
	want := false
	seen := map[arimaa.Position]bool{}
	var list func(q arimaa.Position)
	list = func(q arimaa.Position) {
		for _, o := range q.Options(nil) {
			after := q.After(o)
			if seen[after] {
				continue
			}
			seen[after] = true
			want = want || holds(&after)
			list(after)
		}
	}
	list(*p)
	rest, defended := d.DefenceWithin(p)
	if defended != want {
		t.Fatalf("%v: a rest that is a defence: %v (%v), enumeration says %v", p, defended, rest, want)
	}
	if !defended {
		return false
	}
	if after, ok := p.TryPart(rest); !ok || rest.Len() == 0 || !holds(&after) {
		t.Fatalf("%v: the rest %v is no defence", p, rest)
	}
	return true
}

// holds reports whether the opponent has no win in one turn once the turn has ended at p.
func holds(p *arimaa.Position) bool {
	if o := p.Board.Ended(p.Side()); o.Over() {
		return o.Winner == p.Side()
	}
	var d Detector
	next := p.EndTurn()
	_, wins := d.CanWin(&next, &next.Board)
	return !wins
}

// TestDefenceWithin compares the search for a rest that is a defence with enumeration, at points
// within turns after which the opponent would win.
func TestDefenceWithin(t *testing.T) {
	var d Detector
	positions := rapid.OneOf(boards.Position(), boards.Few(6))
	var checked, defended [arimaa.StepsPerTurn]int // by the steps left
	boards.Check(t, 2_000, 100_000, func(t *rapid.T) {
		p := boards.Parse(t, positions.Draw(t, "position"))
		for {
			options := p.Options(nil)
			if p.Board.Ended(p.Side()).Over() || !regular(&p, &p.Board) || len(options) == 0 {
				return
			}
			p = p.After(options[rapid.IntRange(0, len(options)-1).Draw(t, "option")])
			if p.StepsLeft() == 0 {
				break
			}
			if _, wins := d.CanWin(&p, &p.Board); wins || holds(&p) {
				continue
			}
			checked[p.StepsLeft()]++
			if checkDefenceWithin(t, &d, &p) {
				defended[p.StepsLeft()]++
			}
		}
		if rest, ok := d.DefenceWithin(&p); ok {
			t.Fatalf("%v: no step is left, but %v is a defence", p, rest)
		}
	})
	t.Logf("points with a threat, and those of them with a defence, by the steps left: %v, %v", checked, defended)
	for left := 1; left < arimaa.StepsPerTurn; left++ {
		if defended[left] == 0 || defended[left] == checked[left] {
			t.Errorf("%d steps left: %d of %d points have a defence", left, defended[left], checked[left])
		}
	}
}

// TestDefencesExact compares the search for defences with enumeration on random positions and after
// a random turn from there, which often threatens something.
func TestDefencesExact(t *testing.T) {
	var d Detector
	var g arimaa.Generator
	positions := rapid.OneOf(boards.Position(), boards.Few(6))
	checked, threats, stopped := 0, 0, 0
	boards.Check(t, 240, 20_000, func(t *rapid.T) {
		p := boards.Parse(t, positions.Draw(t, "position"))
		count := func(threat, defended bool) {
			checked++
			if threat {
				threats++
				if defended {
					stopped++
				}
			}
		}
		count(checkDefence(t, &d, &p))
		if n := g.Generate(&p); n > 0 {
			next := g.Position(rapid.IntRange(0, n-1).Draw(t, "turn"), p.Side())
			count(checkDefence(t, &d, &next))
		}
	})
	t.Logf("%d positions, %d with a threat, %d of those with a defence", checked, threats, stopped)
}

// TestDefencesDrawn draws boards, with Silver to move, with replies that random positions seldom
// have: some must be made in one order, though most of their options are far from the relevance
// zone of the threat.
func TestDefencesDrawn(t *testing.T) {
	for _, test := range []struct{ name, rows string }{
		{"the elephant comes to b6 first, or the horse that freezes the rabbit leaves the trap undefended", `
			........
			.eh.R...
			..r.....
			........
			........
			M.......
			........
			........`},
		{"when the camel freezes the rabbit from d7, it leaves both the dog, which the rabbit comes to b6 to defend, and the cat, which it keeps free to step aside", `
			........
			r...R...
			..dm....
			...cD...
			........
			........
			........
			........`},
		{"the cat can be captured on f6 before the camel freezes the rabbit from e6, not after, and the other rabbit comes to b6 for the dog", `
			........
			r...R...
			..dm..c.
			........
			........
			........
			........
			........`},
		{"the camel comes from two squares away to push or pull the dog, and the elephant that is to free the rabbit is captured", `
			.......r
			hR......
			..E.....
			..D.....
			....m...
			........
			........
			........`},
		{"the rabbit is pushed away that would keep the elephant alive on its way over the trap", `
			........
			.c.Rh..r
			.R.e....
			.mE.....
			........
			........
			........
			........`},
		{"the horse takes the cat away, so the dog that freezes the cat on f7 is captured, and the cat freezes the rabbit", `
			........
			.....c.R
			r..hCD..
			........
			........
			........
			........
			........`},
		{"the camel can push the rabbit home and pull it off again", `
			Hr......
			..Rm....
			........
			........
			R.......
			........
			........
			........`},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := drawn(t, "s", test.rows)
			var d Detector
			checkDefences(t, &d, &p, defences(&p)) // before it knows other threats
			if threat, defended := checkDefence(t, &d, &p); !threat || !defended {
				t.Errorf("a threat: %v; a reply holds: %v", threat, defended)
			}
		})
	}
}

// TestDefencesPublished does the same after turns from the published puzzles, where most threats
// are and the replies many.
func TestDefencesPublished(t *testing.T) {
	t.Parallel()
	var d Detector
	var g arimaa.Generator
	every, each := boards.Sized(6, 1), boards.Sized(1, 6)
	random := rand.New(rand.NewPCG(2, 3))
	checked, threats, stopped := 0, 0, 0
	for i, c := range load.Claims(t, load.WinsInTwo) {
		puzzle := c.Position
		if i%every != 0 {
			continue
		}
		n := g.Generate(&puzzle)
		for range each {
			next := g.Position(random.IntN(n), puzzle.Side())
			threat, defended := checkDefence(t, &d, &next)
			checked++
			if threat {
				threats++
				if defended {
					stopped++
				}
			}
		}
	}
	t.Logf("%d positions, %d with a threat, %d of those with a defence", checked, threats, stopped)
	if threats == 0 || stopped == 0 {
		t.Error("that says nothing")
	}
}

// TestDefenceWithinPublished does what TestDefenceWithin does after a turn that threatens a win in
// a published puzzle and a random option of the defender.
func TestDefenceWithinPublished(t *testing.T) {
	t.Parallel()
	var d Detector
	every, each := boards.Sized(15, 1), boards.Sized(1, 10)
	random := rand.New(rand.NewPCG(4, 5))
	checked, defended := 0, 0
	for i, c := range load.Claims(t, load.WinsInTwo) {
		puzzle := c.Position
		if i%every != 0 {
			continue
		}
		var after []arimaa.Position
		d.ThreatTurns(&puzzle, func(result *arimaa.Position, _ arimaa.Turn) bool {
			after = append(after, *result)
			return true
		})
		for range min(each, len(after)) {
			p := after[random.IntN(len(after))]
			options := p.Options(nil)
			if len(options) == 0 || p.Board.Ended(p.Side().Other()).Over() {
				continue
			}
			p = p.After(options[random.IntN(len(options))])
			if _, wins := d.CanWin(&p, &p.Board); wins || holds(&p) || p.StepsLeft() == 0 {
				continue
			}
			checked++
			if checkDefenceWithin(t, &d, &p) {
				defended++
			}
		}
	}
	t.Logf("%d points with a threat, %d of them with a defence", checked, defended)
	if defended == 0 || defended == checked {
		t.Error("they say nothing")
	}
}
