package goal

import (
	"math/rand/v2"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/proof/referee"
	"goalproof/zobrist"
)

// taken is a capture: a kind on a trap.
type taken struct {
	kind arimaa.Kind
	trap int
}

// plainCaptures goes through every point of a turn by the rules of package referee, and returns the
// fewest steps after which the turn can end with each capture made and the game not lost.
func plainCaptures(st referee.State) map[taken]int {
	type point struct {
		state referee.State
		mask  uint32 // which captures have been made, by their number
	}
	var numbers []taken
	number := func(c referee.Capture) uint32 {
		k := taken{kindOf(c.Piece), c.Square}
		for i := range numbers {
			if numbers[i] == k {
				return 1 << i
			}
		}
		numbers = append(numbers, k)
		return 1 << (len(numbers) - 1)
	}
	fewest := map[taken]int{}
	seen := map[point]bool{{st, 0}: true}
	layer := []point{{st, 0}}
	for used := 0; len(layer) > 0; used++ {
		var next []point
		for _, at := range layer {
			if at.mask != 0 && at.state.MayStop() {
				if winner, _, over := referee.Outcome(at.state.Board, st.Side); !over || winner == st.Side {
					for i, k := range numbers {
						if _, ok := fewest[k]; at.mask>>i&1 != 0 && !ok {
							fewest[k] = used
						}
					}
				}
			}
			for _, step := range at.state.Steps() {
				after, captures, err := at.state.Play(step)
				if err != nil {
					panic(err)
				}
				n := point{after, at.mask}
				for _, c := range captures {
					if owner(c.Piece) != st.Side {
						n.mask |= number(c)
					}
				}
				if !seen[n] {
					seen[n] = true
					next = append(next, n)
				}
			}
		}
		layer = next
	}
	return fewest
}

func kindOf(letter byte) arimaa.Kind {
	for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
		if letter|0x20 == kindLetters[k-1] {
			return k
		}
	}
	return arimaa.None
}

func owner(letter byte) referee.Side {
	if letter >= 'a' {
		return referee.Silver
	}
	return referee.Gold
}

// captureAims are all aims that are captures.
func captureAims() (all []Aim) {
	for k := arimaa.None; k <= arimaa.Elephant; k++ {
		all = append(all, CaptureOf(k, arimaa.Traps))
		for t := arimaa.Traps; t != 0; t = t.Rest() {
			all = append(all, CaptureOf(k, t.First().Set()))
		}
	}
	return all
}

// checkCaptures compares the detector with the referee for every aim, with one to four steps left,
// and plays its turns. It returns the fewest steps of a capture, 0 if there is none.
func checkCaptures(t rapid.TB, d *Detector, p arimaa.Position) int {
	t.Helper()
	st := load.State(t, p)
	plain, least := plainCaptures(st), 0
	for _, a := range captureAims() {
		want := 0
		for k, n := range plain {
			if a.Wants(k.kind, arimaa.Square(k.trap)) && (want == 0 || n < want) {
				want = n
			}
		}
		if a == CaptureOf(arimaa.None, arimaa.Traps) {
			least = want
		}
		for left := 1; left <= arimaa.StepsPerTurn; left++ {
			at := p.WithStepsLeft(left)
			got, turn := d.Capture(&at, a)
			steps, ok := got.Steps()
			if ok != (want > 0 && want <= left) || ok && steps != want {
				t.Fatalf("%v with %d steps left, %v: %v (%v), the referee says %d", p, left, a, got, turn, want)
			}
			if ok {
				checkCapturing(t, st, a, turn, steps)
			}
		}
	}
	return least
}

// checkCapturing plays a turn by the referee, which must capture what the aim wants and not lose.
func checkCapturing(t rapid.TB, st referee.State, a Aim, turn arimaa.Turn, steps int) {
	t.Helper()
	side, reached := st.Side, false
	for i := range turn.Len() {
		s := turn.Step(i)
		next, captures, err := st.Play(referee.Step{Piece: s.Piece().Letter(), From: int(s.From()), To: int(s.To())})
		if err != nil {
			t.Fatalf("%v: %v: %v", st.Position(), turn, err)
		}
		for _, c := range captures {
			reached = reached || owner(c.Piece) != side && a.Wants(kindOf(c.Piece), arimaa.Square(c.Square))
		}
		st = next
	}
	if winner, _, over := referee.Outcome(st.Board, side); !reached || turn.Len() != steps || !st.MayStop() || over && winner != side {
		t.Fatalf("%v: %v does not reach %v in %d steps", st.Position(), turn, a, steps)
	}
}

// trapped draws a position with pieces crowded around a trap, near the edge of what a turn can do
// there.
func trapped(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	traps := [...]int{18, 21, 42, 45}
	t := traps[random.IntN(4)]
	put := func(s int, piece arimaa.Piece) {
		if piece.Kind() == arimaa.Rabbit && s/8 == 7*int(1-piece.Side()) && random.IntN(8) > 0 {
			return
		}
		b.Put(arimaa.Square(s), piece)
	}
	for range 2 + random.IntN(14) {
		f, r := t%8+random.IntN(7)-3, t/8+random.IntN(7)-3
		if f >= 0 && f < 8 && r >= 0 && r < 8 {
			put(8*r+f, arimaa.NewPiece(arimaa.Side(random.IntN(2)), arimaa.Kind(1+random.IntN(6))))
		}
	}
	put(random.IntN(64), arimaa.NewPiece(arimaa.Gold, arimaa.Rabbit))
	put(random.IntN(64), arimaa.NewPiece(arimaa.Silver, arimaa.Rabbit))
	if random.IntN(10) > 0 {
		for rest := b.Undefended(); rest != 0; rest = rest.Rest() {
			b.Put(rest.First(), arimaa.Empty)
		}
	}
	return arimaa.NewPosition(b, arimaa.Side(random.IntN(2)))
}

// lean draws a position with a piece beside a trap and few others about it, so that what a capture
// needs is scarce, and seldom there at once. Rabbits on goal ranks and sides without rabbits are
// common, so captures may lose.
func lean(random *rand.Rand) arimaa.Position {
	var b arimaa.Board
	traps := [...]int{18, 21, 42, 45}
	t := traps[random.IntN(4)]
	side := arimaa.Side(random.IntN(2))
	put := func(near, far int, piece arimaa.Piece) {
		for {
			f, r := t%8+random.IntN(2*far+1)-far, t/8+random.IntN(2*far+1)-far
			if distance := abs(f-t%8) + abs(r-t/8); f < 0 || f > 7 || r < 0 || r > 7 || distance < near || distance > far {
				continue
			}
			if at := arimaa.Square(8*r + f); b.At(at) == arimaa.Empty {
				b.Put(at, piece)
			}
			return
		}
	}
	put(0, 1, arimaa.NewPiece(side.Other(), arimaa.Kind(1+random.IntN(2))))
	for range 1 + random.IntN(2) {
		put(1, 3, arimaa.NewPiece(side, arimaa.Kind(2+random.IntN(3)))) // may be the pusher
	}
	for range 1 + random.IntN(3) {
		put(1, 4, arimaa.NewPiece(side.Other(), arimaa.Kind(1+random.IntN(6))))
	}
	for range 1 + random.IntN(4) {
		put(0, 5, arimaa.NewPiece(side, arimaa.Kind(1+random.IntN(2)))) // helps, or is in the way
	}
	for rest := b.Undefended(); rest != 0; rest = rest.Rest() {
		b.Put(rest.First(), arimaa.Empty)
	}
	return arimaa.NewPosition(b, side)
}

func abs(n int) int { return max(n, -n) }

// TestCapturesRandom compares the detection of captures with the referee, which shares no code with
// it, on crowds around a trap and on all sorts of positions, some with undefended pieces on traps,
// with rabbits on goal ranks or without rabbits.
func TestCapturesRandom(t *testing.T) {
	n := boards.Sized(5, 1_000) // times five
	random := rand.New(rand.NewPCG(23, 2))
	var d Detector
	var steps [arimaa.StepsPerTurn + 1]int
	for range n {
		steps[checkCaptures(t, &d, trapped(random))]++
		for range 4 {
			steps[checkCaptures(t, &d, lean(random))]++
		}
	}
	for i, n := range steps {
		if n == 0 && i != 1 {
			t.Errorf("no position with a capture in %d steps", i)
		}
	}
	t.Logf("positions by the steps of a capture, 0 for none: %v", steps)
	boards.Check(t, 2, 300, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		checkCaptures(t, &d, p)
	})
}

// TestCapturesByListing compares the detection of captures on any trap with the list of all
// results, on many lean positions: turns in which each step is needed for its own reason are rare.
func TestCapturesByListing(t *testing.T) {
	t.Parallel()
	n := boards.Sized(400, 40_000)
	random := rand.New(rand.NewPCG(3, 1))
	var d Detector
	var g arimaa.Generator
	for range n {
		p := lean(random)
		enemy := p.Side().Other()
		var want [arimaa.Elephant + 1]Distance // by the kind captured, and of any kind at None
		for i := range g.Generate(&p) {
			b := g.Board(i)
			if o := b.Ended(p.Side()); b.Of(enemy).Len() == p.Of(enemy).Len() || o.Over() && o.Winner == enemy {
				continue
			}
			for k := range want {
				missing := arimaa.Kind(k) == arimaa.None || b.Pieces(enemy, arimaa.Kind(k)).Len() < p.Pieces(enemy, arimaa.Kind(k)).Len()
				if missing && want[k] == None {
					want[k] = After(g.Steps(i))
				}
			}
		}
		for k := range want {
			a := CaptureOf(arimaa.Kind(k), arimaa.Traps)
			if got, turn := d.Capture(&p, a); got != want[k] {
				t.Fatalf("%v, %v: %v (%v), want %v", p, a, got, turn, want[k])
			}
		}
	}
}

// TestCapturesInGames does the same on positions of the published games, with either side to move.
func TestCapturesInGames(t *testing.T) {
	t.Parallel()
	every := boards.Sized(6_001, 41) // odd, to meet both sides
	if *full {
		every = 1
	}
	var d Detector
	positions, tally := gamePositions(t), map[string]int{}
	for i := 0; i < len(positions); i += every {
		checkCaptures(t, &d, positions[i])
		tally[positions[i].Side().String()]++
	}
	boards.ExpectAll(t, tally, "gold", "silver")
}

// TestCaptureBothWays has a result that captures a cat on c3 by one turn and on f3 by another.
func TestCaptureBothWays(t *testing.T) {
	p := boards.Parse(t, "g [r                                  EM      cc                  R]")
	after := p.Board
	after.Put(20, arimaa.Empty) // the cat on e3; one stays on d3
	var d Detector
	for _, square := range []string{"c3", "f3"} {
		a, err := ParseAim("capture=c@" + square)
		require.NoError(t, err)
		found := false
		for _, turn := range d.ReachAll(&p, a) {
			found = found || p.AfterTurn(turn).Board == after
		}
		if !found {
			t.Errorf("%v: %v by no turn that ends with a cat on d3", p, a)
		}
	}
}

// TestReplies compares the replies that do not give up a piece with the referee's.
func TestReplies(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 9))
	var g arimaa.Generator
	fewer := 0
	n := boards.Sized(20, 500)
	for range n {
		p := trapped(random)
		if p.Undefended() != 0 {
			continue
		}
		st := load.State(t, p)
		aims := captureAims()
		a := aims[random.IntN(len(aims))]
		want := map[string]bool{}
		for b := range referee.EndsWithout(st, func(c referee.Capture) bool {
			return owner(c.Piece) == st.Side && a.Wants(kindOf(c.Piece), arimaa.Square(c.Square))
		}) {
			want[referee.NewState(b, st.Side.Other()).Position()] = true
		}
		n := a.Replies(&g, &p)
		for i := range n {
			if got := g.Position(i, p.Side()); !want[got.String()] {
				t.Fatalf("%v, %v: the turn %v to %v gives a piece up", p, a, g.Turn(i), got)
			}
		}
		if n != len(want) {
			t.Fatalf("%v, %v: %d replies, the referee has %d", p, a, n, len(want))
		}
		if n < g.Generate(&p) {
			fewer++
		}
	}
	if fewer == 0 {
		t.Error("no position in which the other replies could be told apart")
	}
}

// plainStay reports whether, by the referee, a rabbit of the side that is not to move stands on a
// rank and stays.
func plainStay(st referee.State, rank int) bool {
	attacker := st.Side.Other()
	stands := func(b *referee.Board) bool {
		for s := 8 * (rank - 1); s < 8*rank; s++ {
			if b[s] == map[referee.Side]byte{referee.Gold: 'R', referee.Silver: 'r'}[attacker] {
				return true
			}
		}
		return false
	}
	if !stands(&st.Board) {
		return false
	}
	for b := range referee.Ends(st) {
		winner, _, over := referee.Outcome(b, st.Side)
		if over && winner != attacker || !over && !stands(&b) {
			return false
		}
	}
	return true
}

// TestRabbits compares the results that bring a rabbit to a rank to stay, or win, with the
// referee's.
func TestRabbits(t *testing.T) {
	var d Detector
	reached := 0
	boards.Check(t, 25, 400, func(t *rapid.T) {
		p := boards.Parse(t, boards.Few(3).Draw(t, "position"))
		st := load.State(t, p)
		rank := rapid.IntRange(1, 8).Draw(t, "rank")
		want := map[string]bool{}
		for b := range referee.Ends(st) {
			winner, _, over := referee.Outcome(b, st.Side)
			after := referee.NewState(b, st.Side.Other())
			if over && winner == st.Side || !over && plainStay(after, rank) {
				want[after.Position()] = true
			}
		}
		all := d.ReachAll(&p, RabbitOn(rank))
		for _, turn := range all {
			if after := p.AfterTurn(turn); !want[after.String()] {
				t.Fatalf("%v, rank %d: %v does not reach it to stay", p, rank, turn)
			}
		}
		if turn, ok := d.Reach(&p, RabbitOn(rank)); len(all) != len(want) || ok != (len(want) > 0) ||
			ok && !want[p.AfterTurn(turn).String()] {
			t.Fatalf("%v, rank %d: %d results and %v, %v, the referee has %d", p, rank, len(all), turn, ok, len(want))
		}
		if len(want) > 0 {
			reached++
		}
	})
	if reached == 0 {
		t.Error("no position in which the aim is reached")
	}
}

// TestAims reads what it writes, and refuses what is no aim.
func TestAims(t *testing.T) {
	keys := map[zobrist.Key]Aim{}
	all := append(captureAims(), Aim{})
	for rank := 1; rank <= 8; rank++ {
		all = append(all, RabbitOn(rank))
	}
	for _, a := range all {
		got, err := ParseAim(a.String())
		if err != nil || got != a {
			t.Errorf("%v is read as %v: %v", a, got, err)
		}
		if other, taken := keys[a.Key()]; taken {
			t.Errorf("%v and %v have the same key", a, other)
		}
		keys[a.Key()] = a
	}
	for _, text := range []string{"", "Win", "goal", "captures", "capture=", "capture=x", "capture=ee", "capture@", "capture@e4",
		"capture@f6=e", "capture=@f6", "capture=e@", "capture e", "rabbit", "rabbit=", "rabbit=0", "rabbit=9", "rabbit=07", "rabbit=r"} {
		if a, err := ParseAim(text); err == nil {
			t.Errorf("%q is read as %v", text, a)
		}
	}
	for text, want := range map[string]string{
		"win": "wins", "capture": "captures a piece or wins", "capture=E": "captures an elephant or wins", "capture@c3": "captures a piece on c3 or wins",
		"capture=c@f6": "captures a cat on f6 or wins", "rabbit=7": "brings a rabbit to rank 7 or wins",
	} {
		if a, err := ParseAim(text); err != nil || a.Present() != want {
			t.Errorf("%s: %q, %v, want %q", text, a.Present(), err, want)
		}
	}
}
