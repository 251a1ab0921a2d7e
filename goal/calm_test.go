package goal

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

// rejoined plays a turn that has been taken back, if it is legal.
func rejoined(p arimaa.Position, options []arimaa.Option) (after arimaa.Position, steps int, ok bool) {
	var turn arimaa.Turn
	for _, o := range options {
		turn = turn.WithOption(o)
	}
	if turn.Len() == 0 {
		return p.EndTurn(), 0, true
	}
	after, ok = p.Try(turn)
	return after, turn.Len(), ok
}

// TestBoundsLetUndoneThrough takes a win back, and a turn of Gold before it, with a single step of
// Silver in between or a pass. No bound may say that so many steps are too few.
func TestBoundsLetUndoneThrough(t *testing.T) {
	for _, test := range []struct {
		name      string
		end       func(*rand.Rand) arimaa.Board
		few, many int
	}{
		{"immobilisation", stuck, 30_000, 4_000_000},
		{"goal", arrived, 50_000, 4_000_000},
		{"goal in a crowd", arrivedInCrowd, 60_000, 5_000_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := boards.Sized(test.few, test.many)
			random := rand.New(rand.NewPCG(11, 12))
			tally := map[string]int{}
			for range n {
				late, second := undone(test.end(random), random)
				won, steps2, ok := rejoined(late, second)
				if !ok || !regular(&late, &late.Board) || !hasWon(arimaa.Gold)(&won.Board) {
					continue
				}
				replier, before := arimaa.Bitboard(0), late.Board
				if random.IntN(2) == 0 {
					replier, before = replyBack(late.Board, random)
				}
				p, first := undone(before, random)
				next, steps1, ok := rejoined(p, first)
				if !ok || !regular(&p, &p.Board) || next.Board != before || next.Ended(arimaa.Gold).Over() {
					continue
				}
				tally[fmt.Sprintf("%d replies, %d steps", replier.Len(), steps1+steps2)]++
				checkBounds(t, p, replier, steps1, steps1+steps2, next.Board)
			}
			t.Log(tally)
			for replies := range 2 {
				for steps := 2; steps <= 8; steps++ {
					if tally[fmt.Sprintf("%d replies, %d steps", replies, steps)] == 0 {
						t.Errorf("no win after %d replies and %d steps", replies, steps)
					}
				}
			}
		})
	}
}

// arrivedInCrowd draws a board with a rabbit of Gold's on rank 8, beside a trap's file, and many
// pieces around the trap, more rabbits of Gold among them.
func arrivedInCrowd(random *rand.Rand) arimaa.Board {
	var b arimaa.Board
	home := 57 + random.IntN(3)
	for range 3 + random.IntN(9) {
		s := arimaa.Square(nearby(42, 2, random))
		if piece := anyPiece(arimaa.Side(random.IntN(2)), s, random); !rank8.Has(s) || piece.Side() == arimaa.Silver {
			b.Put(s, piece)
		}
		if s = arimaa.Square(nearby(42, 2, random)); random.IntN(3) == 0 && !rank8.Has(s) {
			b.Put(s, arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit))
		}
	}
	for rest := b.Undefended(); rest != 0; rest = rest.Rest() {
		b.Put(rest.First(), arimaa.Empty)
	}
	b.Put(arimaa.Square(8+random.IntN(16)), arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit))
	b.Put(arimaa.Square(home), arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit))
	return b
}

// replyBack takes a single step of Silver back, and returns the square from which it is made, if
// there is one.
func replyBack(b arimaa.Board, random *rand.Rand) (from arimaa.Bitboard, before arimaa.Board) {
	if b.Of(arimaa.Silver) == 0 {
		return 0, b
	}
	at := among(b.Of(arimaa.Silver), random)
	empty := at.Beside() &^ b.Occupied()
	if empty == 0 {
		return 0, b
	}
	s := among(empty, random)
	before = b
	piece := b.At(at)
	before.Put(at, arimaa.Empty)
	before.Put(s, piece)
	p := arimaa.NewPosition(before, arimaa.Silver)
	if after, ok := p.Try(arimaa.Turn{}.With(arimaa.StepBetween(piece, s, at))); !ok || after.Board != b || before.Undefended() != 0 {
		return 0, b
	}
	return s.Set(), before
}

// checkBounds checks that no bound speaks against a win that Gold has from p within n steps, of
// which the first steps lead to a board where Silver replies or passes.
func checkBounds(t *testing.T, p arimaa.Position, replier arimaa.Bitboard, first, n int, before arimaa.Board) {
	t.Helper()
	b := p.Board
	near, far := goalFar(&b, n)
	c := cordonOf(&b, n)
	top, stays := c.topFar(n, replier.Len()), c.staysMobile(n, replier)
	if replier == 0 {
		if far && eliminationCost(&b) > n && (top || stays) {
			t.Fatalf("%v: Gold wins in %d steps", p, n)
		}
		if n-first <= arimaa.StepsPerTurn && NoThreat(&b, arimaa.Gold, first) {
			t.Fatalf("%v: Gold threatens to win after %d steps", p, first)
		}
		return
	}
	if b.At(replier.First()) != before.At(replier.First()) {
		return // another piece replied
	}
	if replier&^near == 0 {
		far = farWithout(b, replier, n)
	}
	avoided := c.nearTop()&replier.First().Beside() != 0 || c.top&replier != 0
	if far && eliminationCost(&b) > n+savedByReply && (top && !avoided || stays) {
		t.Fatalf("%v: Gold wins in %d steps after a step of the piece on %v", p, n, replier.First())
	}
}

// TestTopFarLetsUndoneThrough does that for Silver's strongest piece alone: nothing else need be
// immobile in the end.
func TestTopFarLetsUndoneThrough(t *testing.T) {
	t.Parallel()
	n := boards.Sized(16_000, 3_000_000)
	random := rand.New(rand.NewPCG(13, 14))
	tally := map[string]int{}
	for range n {
		end, x := beset(random)
		late, second := undone(end, random)
		won, steps2, ok := rejoined(late, second)
		if !ok || won.Undefended() != 0 || won.At(x) != end.At(x) || !hasNoOption(&won.Board, x) {
			continue
		}
		replier, before := arimaa.Bitboard(0), late.Board
		if random.IntN(4) > 0 {
			replier, before = replyBack(late.Board, random)
		}
		p, first := undone(before, random)
		next, steps1, ok := rejoined(p, first)
		if !ok || next.Board != before || p.Undefended() != 0 {
			continue
		}
		c := cordonOf(&p.Board, mostInRow)
		to := changed(&before, &late.Board) &^ replier
		if c.top != x.Set() || (replier|to)&x.Set() != 0 || to&c.nearTop() != 0 {
			continue
		}
		tally[fmt.Sprintf("%d replies, %d steps", replier.Len(), steps1+steps2)]++
		if c.topFar(steps1+steps2, replier.Len()) {
			t.Fatalf("%v: %d steps make the piece on %v immobile, %v and then %v, with %d replies between", p, steps1+steps2, x,
				first, second, replier.Len())
		}
	}
	t.Log(tally)
	for replies := range 2 {
		for steps := 2; steps <= mostInRow; steps++ {
			if tally[fmt.Sprintf("%d replies, %d steps", replies, steps)] == 0 {
				t.Errorf("nothing after %d replies and %d steps", replies, steps)
			}
		}
	}
}

// beset draws a board with a piece of Silver's that has no option, and its square.
func beset(random *rand.Rand) (b arimaa.Board, x arimaa.Square) {
	for {
		b = arimaa.Board{}
		x = arimaa.Square(random.IntN(64))
		kind := arimaa.Kind(4 + random.IntN(3))
		put := func(s arimaa.Square, strongest int) {
			side := arimaa.Side(random.IntN(2))
			k := arimaa.Kind(1 + random.IntN(strongest))
			if k == arimaa.Rabbit && arimaa.GoalRank(side).Has(s) {
				k = arimaa.Cat
			}
			b.Put(s, arimaa.NewPiece(side, k))
		}
		for rest := dilate(dilate(x.Set())) &^ x.Set(); rest != 0; rest = rest.Rest() {
			if s := rest.First(); x.Beside().Has(s) || random.IntN(4) > 0 {
				put(s, int(kind)-1)
			}
		}
		if random.IntN(4) == 0 {
			b.Put(among(x.Beside(), random), arimaa.NewPiece(arimaa.Gold, kind))
		}
		for range random.IntN(6) {
			if s := arimaa.Square(random.IntN(64)); b.At(s) == arimaa.Empty && s != x {
				put(s, int(kind)-1)
			}
		}
		b.Put(x, arimaa.NewPiece(arimaa.Silver, kind))
		if b.Undefended() == 0 && hasNoOption(&b, x) {
			return b, x
		}
	}
}

// hasNoOption reports whether Silver's piece on x has no step, push or pull.
func hasNoOption(b *arimaa.Board, x arimaa.Square) bool {
	m := b.Mobility(arimaa.Silver)
	if s := m.Steps(x.Set(), 0); s.Next() {
		return false
	}
	for d := m.Doubles(x.Beside(), arimaa.Everywhere); d.Next(b); {
		if d.From == x {
			return false
		}
	}
	return true
}

// TestFarIsFar compares the bounds with the detector, which is asked after up to three steps:
// random boards, many with pieces on and beside traps. Captures, which the tests of undone wins do
// not know, happen here.
func TestFarIsFar(t *testing.T) {
	t.Parallel()
	n := boards.Sized(100, 30_000)
	random := rand.New(rand.NewPCG(17, 18))
	var d Detector
	var g arimaa.Generator
	tally := map[int]int{}
	for range n {
		p := dangerous(random)
		if !regular(&p, &p.Board) {
			continue
		}
		goalIn, winIn := 99, 99 // steps in a row
		q := p.WithStepsLeft(random.IntN(4))
		for i := -1; i < g.Generate(&q); i++ {
			b, steps := p.Board, 0
			if i >= 0 {
				b, steps = *g.Board(i), g.Steps(i)
			}
			next := arimaa.NewPosition(b, arimaa.Gold)
			if !regular(&next, &b) {
				continue
			}
			if found, _ := goalRank(&b, arimaa.StepsPerTurn); found != None {
				m, _ := found.Steps()
				goalIn = min(goalIn, steps+m)
			}
			if found, _ := d.Win(&next, &next.Board); found != None {
				m, _ := found.Steps()
				winIn = min(winIn, steps+m)
			}
		}
		if goalIn < 99 {
			tally[goalIn]++
			if _, far := goalFar(&p.Board, goalIn); far {
				t.Fatalf("%v: a goal in %d steps is far", p, goalIn)
			}
		}
		if left := max(0, winIn-arimaa.StepsPerTurn); winIn < 99 && NoThreat(&p.Board, arimaa.Gold, left) {
			t.Fatalf("no threat at %v with %d steps, but wins in %d", p, left, winIn)
		}
	}
	t.Log(tally)
	for steps := 1; steps <= 7; steps++ {
		if tally[steps] == 0 {
			t.Errorf("no goal in %d steps", steps)
		}
	}
}

// TestFarKnowsPulls asks about a goal in six steps that begins with a pull: it captures the cat
// that freezes the rabbit and stands where the rabbit goes, and brings no friend beside the rabbit.
func TestFarKnowsPulls(t *testing.T) {
	p := drawn(t, "g", `
		........
		........
		..DH....
		..c.....
		..R.....
		.......r
		........
		........`)
	for n := 5; n <= 6; n++ {
		if _, far := goalFar(&p.Board, n); far != (n < 6) {
			t.Errorf("a goal in %d steps is far: %t", n, far)
		}
	}
}

// TestAsideDoesNotMatter takes away pieces of Silver that no rabbit comes near on its ways: what is
// far stays far.
func TestAsideDoesNotMatter(t *testing.T) {
	t.Parallel()
	n := boards.Sized(30_000, 1_000_000)
	random := rand.New(rand.NewPCG(19, 20))
	taken := 0
	for range n {
		p := crowded(random)
		if random.IntN(2) == 0 {
			p = dangerous(random)
		}
		steps := 1 + random.IntN(8)
		near, far := goalFar(&p.Board, steps)
		if !far {
			continue
		}
		for rest := p.Of(arimaa.Silver) &^ near; rest != 0; rest = rest.Rest() {
			taken++
			b := p.Board
			b.Put(rest.First(), arimaa.Empty)
			_, still := goalFar(&b, steps)
			for lost := b.Undefended(); lost != 0; lost = lost.Rest() {
				b.Put(lost.First(), arimaa.Empty)
			}
			if _, far := goalFar(&b, steps); !far || !still {
				t.Fatalf("%v: %d steps are too few, but not without the piece on %v", p, steps, rest.First())
			}
		}
	}
	t.Logf("%d pieces taken away", taken)
	if taken == 0 {
		t.Error("no piece was taken away")
	}
}

// TestEliminationCost checks what one option saves of the steps for the elimination.
func TestEliminationCost(t *testing.T) {
	t.Parallel()
	draws := boards.Sized(8_000, 500_000)
	random := rand.New(rand.NewPCG(7, 8))
	tally := map[string]int{}
	var options []arimaa.Option
	for range draws {
		gold := gathered(random)
		cost := eliminationCost(&gold.Board)
		if (cost == 0) != (gold.Rabbits(arimaa.Silver) == 0) {
			t.Fatalf("it costs %d steps at\n%v", cost, gold)
		}
		for _, p := range []arimaa.Position{gold, gold.EndTurn()} {
			options = p.Options(options[:0])
			for _, o := range options {
				most := savedByReply
				switch {
				case p.Side() == arimaa.Silver && o.Steps() > 1:
					continue
				case p.Side() == arimaa.Gold && o.Steps() > 1:
					most = o.Steps()
				case p.Side() == arimaa.Gold:
					most = 0
				}
				after := p.After(o)
				saved := cost - eliminationCost(&after.Board)
				if saved > most {
					t.Fatalf("%v saves %d steps at\n%v", o, saved, p)
				}
				tally[fmt.Sprintf("%v, %d steps: %d saved", p.Side(), o.Steps(), max(0, saved))]++
			}
		}
	}
	t.Log(tally)
}

// TestForcedIsNotCalm draws boards on which Silver is to move and loses whatever it replies, some
// of them in zugzwang, and takes back steps of Gold. None of the boards may be called calm, and
// none after which Gold threatens to win is called one without a threat.
func TestForcedIsNotCalm(t *testing.T) {
	for _, test := range []struct {
		name      string
		draw      func(*rand.Rand) arimaa.Board
		few, many int
	}{
		{"immobilisation", replied(stuck), 10_000, 1_500_000},
		{"goal", replied(arrived), 20_000, 1_500_000},
		{"zugzwang", cornered, 4_000, 600_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := boards.Sized(test.few, test.many)
			random := rand.New(rand.NewPCG(15, 16))
			tally := map[string]int{}
			var d Detector
			for range n {
				b := test.draw(random)
				silver := arimaa.NewPosition(b, arimaa.Silver)
				if !regular(&silver, &b) || silver.Ended(arimaa.Gold).Over() {
					continue
				}
				if _, holds := d.Defence(&silver); holds {
					continue
				}
				kind := "zugzwang"
				if _, wins := d.Threat(&silver); wins {
					kind = "threat"
				}
				p, first := undone(b, random)
				next, steps, ok := rejoined(p, first)
				if !ok || !regular(&p, &p.Board) || next.Board != b {
					p, steps = arimaa.NewPosition(b, arimaa.Gold), 0
				}
				tally[fmt.Sprintf("%s after %d steps", kind, steps)]++
				if Calm(&p.Board, arimaa.Gold, steps) {
					t.Fatalf("%v is calm, but %v forces a win", p, first)
				}
				if kind == "threat" && NoThreat(&p.Board, arimaa.Gold, steps) {
					t.Fatalf("no threat at %v, but %v threatens to win", p, first)
				}
			}
			t.Log(tally)
			zugzwang := 0
			for steps := range arimaa.StepsPerTurn + 1 {
				zugzwang += tally[fmt.Sprintf("zugzwang after %d steps", steps)]
			}
			if test.name == "zugzwang" && zugzwang == 0 {
				t.Error("no zugzwang")
			}
		})
	}
}

// replied draws a board from which a single step of Silver, and perhaps steps of Gold, lead to
// another kind of board.
func replied(end func(*rand.Rand) arimaa.Board) func(*rand.Rand) arimaa.Board {
	return func(random *rand.Rand) arimaa.Board {
		late, _ := undone(end(random), random)
		_, b := replyBack(late.Board, random)
		return b
	}
}

// cornered draws a board on which Silver has little room, and two rabbits in corners where they can
// neither move nor be captured soon.
func cornered(random *rand.Rand) arimaa.Board {
	b := stuck(random)
	switch random.IntN(3) {
	case 0:
		b = hemmed(random).Board
	case 1:
		b = crowded(random).Board
	}
	for _, at := range [][2]int{{56, 57}, {63, 62}} {
		corner, beside := at[0], at[1]
		b.Put(arimaa.Square(corner), arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit))
		b.Put(arimaa.Square(beside), arimaa.NewPiece(arimaa.Gold, arimaa.Kind(2+random.IntN(5))))
		b.Put(arimaa.Square(corner-8), arimaa.NewPiece(arimaa.Gold, arimaa.Kind(1+random.IntN(6))))
	}
	if s := arimaa.Square(40 + random.IntN(16)); random.IntN(2) == 0 && b.At(s) == arimaa.Empty {
		b.Put(s, arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit))
	}
	b = settled(b).Board
	if random.IntN(2) == 0 {
		_, b = replyBack(b, random)
	}
	return b
}

// TestCalm compares NoThreat and Calm with the detector, on every result of the turn: at points
// within turns in positions of games, and in random ones of several kinds.
func TestCalm(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 14))
	var d Detector
	var g arimaa.Generator
	tally := map[string]int{}
	check := func(p arimaa.Position, left int) {
		noThreat, calm := NoThreat(&p.Board, p.Side(), left), Calm(&p.Board, p.Side(), left)
		if !noThreat && !calm {
			return
		}
		if noThreat {
			tally[fmt.Sprintf("no threat with %d steps", left)]++
		}
		if calm {
			tally[fmt.Sprintf("calm with %d steps", left)]++
		}
		q := p.WithStepsLeft(left)
		for i := -1; i < g.Generate(&q); i++ {
			after := p.EndTurn()
			if i >= 0 {
				after = g.Position(i, p.Side())
			}
			o := after.Ended(p.Side())
			if o.Over() && o.Winner != p.Side() {
				continue
			}
			if noThreat {
				if turn, wins := d.Threat(&after); wins || o.Over() {
					t.Fatalf("no threat at %v with %d steps, but after %v %v wins", p, left, after, turn)
				}
			}
			if calm && !o.Over() {
				if _, holds := d.Defence(&after); !holds {
					t.Fatalf("%v is calm with %d steps, but %v is a forced win", p, left, after)
				}
			}
		}
	}
	// A point within a turn of p, and the steps left there.
	within := func(p arimaa.Position) {
		for p.StepsLeft() > 0 {
			options := p.Options(nil)
			if len(options) == 0 {
				break
			}
			o := options[random.IntN(len(options))]
			p = p.After(o)
			if regular(&p, &p.Board) {
				check(arimaa.NewPosition(p.Board, p.Side()), p.StepsLeft())
			}
			if random.IntN(3) == 0 {
				break
			}
		}
	}
	every, drawn := boards.Sized(100, 1), boards.Sized(150, 10_000)
	for i, row := range published.Rows(t, "late.tsv") {
		if i%every == 0 {
			p := boards.Parse(t, row[3])
			within(p)
			p = p.EndTurn() // the other side attacks
			within(p)
		}
	}
	for range drawn {
		for _, draw := range []func(*rand.Rand) arimaa.Position{dangerous, hemmed, crowded} {
			p := draw(random)
			if regular(&p, &p.Board) {
				check(p, random.IntN(3))
				within(p)
			}
		}
	}
	t.Log(tally)
	for left := range arimaa.StepsPerTurn {
		for _, kind := range []string{"no threat", "calm"} {
			if name := fmt.Sprintf("%s with %d steps", kind, left); tally[name] == 0 {
				t.Errorf("%s: not met once", name)
			}
		}
	}
}

// crowded draws a position with Gold to move in which Silver has many pieces close together and
// little room.
func crowded(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	wide, high := 4+random.IntN(5), 3+random.IntN(4)
	left, low := random.IntN(9-wide), random.IntN(9-high)
	put := func(side arimaa.Side, kinds []arimaa.Kind) {
		for _, kind := range kinds {
			s := arimaa.Square(8*(low+random.IntN(high)) + left + random.IntN(wide))
			piece := arimaa.NewPiece(side, kind)
			if b.At(s) == arimaa.Empty && !(kind == arimaa.Rabbit && arimaa.GoalRank(side).Has(s)) {
				b.Put(s, piece)
			}
		}
	}
	put(arimaa.Silver, []arimaa.Kind{1, 1, 1, 1, 1, 1, 2, 3, arimaa.Kind(2 + random.IntN(5)), arimaa.Kind(2 + random.IntN(5))})
	var kinds []arimaa.Kind
	for range 3 + random.IntN(12) {
		kinds = append(kinds, arimaa.Kind(1+random.IntN(6)))
	}
	put(arimaa.Gold, kinds)
	return settled(b)
}

// TestCanStep plays all options of Gold for some steps after which canStep says that one of some
// pieces has a step.
func TestCanStep(t *testing.T) {
	t.Parallel()
	draws := boards.Sized(4_000, 200_000)
	random := rand.New(rand.NewPCG(21, 22))
	var g arimaa.Generator
	tally := map[int]int{}
	for range draws {
		p := crowded(random)
		if random.IntN(2) == 0 {
			p = gathered(random)
		}
		n := random.IntN(arimaa.StepsPerTurn + 1)
		if p.Board.Rabbits(arimaa.Gold)&rank8 != 0 || p.Board.Rabbits(arimaa.Silver)&rank1 != 0 {
			continue
		}
		c := cordonOf(&p.Board, n)
		pieces := p.Of(arimaa.Silver)
		if random.IntN(2) == 0 {
			pieces &= arimaa.Bitboard(random.Uint64())
		}
		avoid := arimaa.Bitboard(random.Uint64() & random.Uint64() & random.Uint64())
		if !c.canStep(pieces, n, avoid) {
			continue
		}
		tally[n]++
		to := ^p.Board.Occupied() &^ arimaa.Traps &^ avoid
		q := p.WithStepsLeft(n)
		for i := range g.Generate(&q) {
			b := g.Board(i)
			m := b.Mobility(arimaa.Silver)
			able := false
			for s := m.Steps(pieces, 0); s.Next() && !able; {
				able = p.At(s.From) == b.At(s.From) && to.Has(s.To)
			}
			if !able {
				t.Fatalf("after %v none of %x can step to %x, at\n%v", g.Turn(i), uint64(pieces), uint64(to), p)
			}
		}
	}
	t.Log(tally)
	for n := range arimaa.StepsPerTurn + 1 {
		if tally[n] == 0 {
			t.Errorf("nothing can step after %d steps", n)
		}
	}
}
