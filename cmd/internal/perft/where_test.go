package perft

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// plain is a word of --where in terms of package referee alone: a capture, or something about the
// board after the turn.
type plain struct {
	text     string
	captures func(referee.Capture) bool
	after    func(start, b *referee.Board, mover referee.Side) bool
}

// owner returns the side of a piece.
func owner(piece byte) referee.Side {
	if piece >= 'a' {
		return referee.Silver
	}
	return referee.Gold
}

// squareName returns a square's name.
func squareName(s int) string { return string([]byte{'a' + byte(s%8), '1' + byte(s/8)}) }

// plainCapture is capture, with a kind unless that is "", and a trap unless that is "".
func plainCapture(mover referee.Side, kind, trap string) plain {
	w := plain{text: "capture"}
	if kind != "" {
		w.text += "=" + kind
	}
	if trap != "" {
		w.text += "@" + trap
	}
	w.captures = func(c referee.Capture) bool {
		return owner(c.Piece) != mover && (kind == "" || strings.ToLower(string(c.Piece)) == kind) && (trap == "" || squareName(c.Square) == trap)
	}
	return w
}

// plainOn is a piece on a square after the turn, or not there.
func plainOn(piece byte, square int, not bool) plain {
	text := string(piece) + squareName(square)
	if not {
		text = "!" + text
	}
	return plain{text: text, after: func(_, b *referee.Board, _ referee.Side) bool { return (b[square] == piece) != not }}
}

// plainOff is the piece on a square that leaves it.
func plainOff(square int) plain {
	return plain{text: "off=" + squareName(square), after: func(start, b *referee.Board, _ referee.Side) bool { return b[square] != start[square] }}
}

// plainRabbit is a rabbit on a rank, 1 to 8.
func plainRabbit(rank int) plain {
	return plain{text: fmt.Sprintf("rabbit=%d", rank), after: func(_, b *referee.Board, mover referee.Side) bool {
		rabbit := byte('R')
		if mover == referee.Silver {
			rabbit = 'r'
		}
		return slices.Contains(b[8*rank-8:8*rank], rabbit)
	}}
}

// plainWin is the win.
func plainWin() plain {
	return plain{text: "win", after: func(_, b *referee.Board, mover referee.Side) bool {
		winner, _, over := referee.Outcome(*b, mover)
		return over && winner == mover
	}}
}

// enumeration finds what turns do some words: it goes through all turns in all orders of steps.
type enumeration struct {
	words []plain
	least map[referee.Board]int // the fewest steps of a turn that does all words, by its result
	// passed holds the fewest steps of a turn that does all words and can be continued to the result,
	// if that is another one; it is found after least is complete.
	passed map[referee.Board]int
	seen   map[visit]bool
}

// visit is a point within a turn that an order of steps has come to.
type visit struct {
	state  referee.State
	made   int // bit i: a capture of words[i]
	passed int
}

func enumerate(st referee.State, words []plain) *enumeration {
	e := &enumeration{words: words, least: map[referee.Board]int{}, passed: map[referee.Board]int{}}
	e.seen = map[visit]bool{}
	e.walk(visit{st, 0, nothing}, false)
	e.seen = map[visit]bool{}
	e.walk(visit{st, 0, nothing}, true)
	return e
}

// does reports whether a turn may end at a point, having done all words.
func (e *enumeration) does(v visit) bool {
	for i, w := range e.words {
		if w.captures != nil && v.made>>i&1 == 0 || w.after != nil && !w.after(&v.state.Start, &v.state.Board, v.state.Side) {
			return false
		}
	}
	return v.state.MayStop()
}

func (e *enumeration) walk(v visit, second bool) {
	if e.seen[v] {
		return
	}
	e.seen[v] = true
	steps, b := 4-v.state.Left, v.state.Board
	if e.does(v) {
		if !second {
			if least, ok := e.least[b]; !ok || steps < least {
				e.least[b] = steps
			}
		} else {
			if least, ok := e.passed[b]; !ok || v.passed < least {
				e.passed[b] = v.passed
			}
			v.passed = min(v.passed, e.least[b])
		}
	}
	for _, step := range v.state.Steps() {
		next, captures, _ := v.state.Play(step) // it is legal
		made := v.made
		for _, c := range captures {
			for i, w := range e.words {
				if w.captures != nil && w.captures(c) {
					made |= 1 << i
				}
			}
		}
		e.walk(visit{next, made, v.passed}, second)
	}
}

// compare compares what the command lists with the enumeration, and returns the number of results.
func compare(t rapid.TB, position string, words []plain) int {
	t.Helper()
	p := boards.Parse(t, position)
	st, err := referee.ParsePosition(position)
	require.NoError(t, err)
	var values []string
	for _, w := range words {
		values = append(values, w.text)
	}
	w, err := parseWhere(values)
	require.NoError(t, err)
	all, err := w.matches(context.Background(), p)
	require.NoError(t, err)
	e := enumerate(st, words)
	got := map[referee.Board]bool{}
	for i, m := range all {
		text := p.Notation(m.turn)
		turn, after, err := st.ReadTurn(text)
		if err != nil || len(turn) != m.turn.Len() || !strings.EqualFold(text, written(t, st, turn)) {
			t.Fatalf("%s %v: %s: %v", position, values, text, err)
		}
		least, ok := e.least[after.Board]
		if !ok || got[after.Board] || least != len(turn) || !e.done(st, turn) {
			t.Fatalf("%s %v: %s: the fewest steps are %d (%v), listed before: %v", position, values, text, least, ok, got[after.Board])
		}
		if essential := e.passed[after.Board] >= least; essential != m.essential() {
			t.Fatalf("%s %v: %s: essential: %v, want %v", position, values, text, m.essential(), essential)
		}
		if i > 0 && (m.essential() && !all[i-1].essential() || m.essential() == all[i-1].essential() && m.turn.Len() < all[i-1].turn.Len()) {
			t.Fatalf("%s %v: %s stands too late", position, values, text)
		}
		got[after.Board] = true
	}
	if len(got) != len(e.least) {
		t.Fatalf("%s %v: %d results, want %d", position, values, len(got), len(e.least))
	}
	return len(got)
}

func written(t rapid.TB, st referee.State, turn []referee.Step) string {
	t.Helper()
	text, err := st.WriteTurn(turn)
	require.NoError(t, err)
	return text
}

// done reports whether a turn does all words itself.
func (e *enumeration) done(st referee.State, turn []referee.Step) bool {
	v := visit{state: st}
	for _, step := range turn {
		next, captures, _ := v.state.Play(step)
		for _, c := range captures {
			for i, w := range e.words {
				if w.captures != nil && w.captures(c) {
					v.made |= 1 << i
				}
			}
		}
		v.state = next
	}
	return e.does(v)
}

// nearTraps draws a position of few pieces between the western traps, where captures abound, at
// times with a piece on a trap that nobody defends.
func nearTraps() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		squares := []byte(strings.Repeat(" ", 64))
		free := []int{}
		for rank := 2; rank < 6; rank++ {
			free = append(free, 8*rank+1, 8*rank+2, 8*rank+3)
		}
		free = rapid.Permutation(free).Draw(t, "squares")
		pieces := "Rr" + string(rapid.Permutation([]byte("EMHDCemhdcRrr")).Draw(t, "pieces"))
		for i := range rapid.IntRange(2, 6).Draw(t, "number") {
			squares[free[i]] = pieces[i]
		}
		return rapid.SampledFrom([]string{"g", "s"}).Draw(t, "side") + " [" + string(squares) + "]"
	})
}

// played is a turn played at random.
type played struct {
	after    referee.Board
	captures []referee.Capture
}

// drawTurn plays turns at random, and returns the first one that captures a piece of the opponent,
// or else the last one. It returns nil if no turn came to an end.
func drawTurn(t *rapid.T, st referee.State) (last *played) {
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "turns"), 0))
	for range 30 {
		at, turn := st, played{}
		taken := false
		for range 4 {
			steps := at.Steps()
			if len(steps) == 0 {
				break
			}
			var captures []referee.Capture
			at, captures, _ = at.Play(steps[random.IntN(len(steps))])
			for _, c := range captures {
				turn.captures = append(turn.captures, c)
				taken = taken || owner(c.Piece) != st.Side
			}
		}
		if at.MayStop() {
			turn.after, last = at.Board, &turn
			if taken {
				break
			}
		}
	}
	return last
}

// drawWord draws a word about a position, mostly one that a turn does.
func drawWord(t *rapid.T, st referee.State, turn *played) plain {
	var there, after []int
	for s := range 64 {
		if empty := referee.EmptyBoard()[s]; st.Board[s] != empty {
			there = append(there, s)
		}
		if empty := referee.EmptyBoard()[s]; turn.after[s] != empty {
			after = append(after, s)
		}
	}
	moved := slices.DeleteFunc(slices.Clone(there), func(s int) bool { return st.Board[s] == turn.after[s] })
	taken := slices.DeleteFunc(slices.Clone(turn.captures), func(c referee.Capture) bool { return owner(c.Piece) == st.Side })
	switch kind := rapid.SampledFrom([]string{"taken", "taken", "capture", "win", "rabbit", "not on", "on", "on", "off", "off"}).Draw(t, "word"); {
	case kind == "taken" && len(taken) > 0:
		c := rapid.SampledFrom(taken).Draw(t, "taken")
		kinds := rapid.SampledFrom([]string{"", strings.ToLower(string(c.Piece))})
		traps := rapid.SampledFrom([]string{squareName(c.Square), ""})
		return plainCapture(st.Side, kinds.Draw(t, "kind"), traps.Draw(t, "trap"))
	case kind == "capture":
		kinds, traps := rapid.SampledFrom([]string{"", "r", "h", "e"}), rapid.SampledFrom([]string{"c3", "f3", "c6", "f6", ""})
		return plainCapture(st.Side, kinds.Draw(t, "kind"), traps.Draw(t, "trap"))
	case kind == "win":
		return plainWin()
	case kind == "rabbit":
		return plainRabbit(rapid.IntRange(1, 8).Draw(t, "rank"))
	case kind == "not on":
		s := rapid.SampledFrom(there).Draw(t, "square")
		return plainOn(st.Board[s], s, true)
	case kind == "on" && len(after) > 0:
		s := rapid.SampledFrom(after).Draw(t, "square")
		return plainOn(turn.after[s], s, false)
	case len(moved) > 0:
		return plainOff(rapid.SampledFrom(moved).Draw(t, "square"))
	}
	return plainOff(rapid.SampledFrom(there).Draw(t, "square"))
}

// TestWhere compares counts, turns and what is essential with all turns in all orders, by package
// referee.
func TestWhere(t *testing.T) {
	tally := map[string]int{}
	positions := rapid.OneOf(nearTraps(), nearTraps(), boards.Few(4), boards.Position())
	most := boards.Sized(1500, 40_000) // results
	boards.Check(t, 1000, 40_000, func(t *rapid.T) {
		position := positions.Draw(t, "position")
		st, err := referee.ParsePosition(position)
		require.NoError(t, err)
		p := boards.Parse(t, position)
		var g arimaa.Generator
		if g.Generate(&p) > most {
			return
		}
		turn := drawTurn(t, st)
		if turn == nil {
			return
		}
		var words []plain
		for range rapid.IntRange(1, 3).Draw(t, "words") {
			words = append(words, drawWord(t, st, turn))
		}
		n := compare(t, position, words)
		if n == 0 {
			return
		}
		tally[st.Side.String()]++
		if len(words) > 1 {
			tally["several"]++
		}
		for _, w := range words {
			name := strings.TrimRight(w.text, "12345678")
			switch {
			case w.captures != nil && strings.Contains(name, "@"):
				name = "capture on a trap"
			case w.captures != nil:
				name = "capture"
			case name[0] == '!':
				name = "not on"
			case !strings.Contains(name, "=") && name != "win":
				name = "on"
			case strings.HasPrefix(name, "off"):
				name = "off"
			}
			tally[name]++
			if w.captures != nil && w.text != "capture" && len(words) == 1 && byTrap(st, w) {
				tally["only by some orders"]++
			}
		}
	})
	boards.ExpectAll(t, tally, "g", "s", "several", "capture", "capture on a trap", "win", "rabbit=", "on", "not on", "off", "only by some orders")
	t.Log(tally)
}

// byTrap reports whether some result can be reached with a capture and without it.
func byTrap(st referee.State, w plain) bool {
	with := enumerate(st, []plain{w})
	for b := range referee.EndsWithout(st, w.captures) {
		if _, ok := with.least[b]; ok {
			return true
		}
	}
	return false
}

// TestWhereByHand checks small examples of what counts, and of what is essential.
func TestWhereByHand(t *testing.T) {
	for _, c := range []struct{ position, words, want string }{
		// The rabbit falls on either trap, and the elephant returns to c5 either way.
		{"Ec5 rc4 g", "capture=r@c3 Ec5", "*rc4s rc3x Ec5s Ec4n"},
		{"Ec5 rc4 g", "capture=r@c6 Ec5", "*Ec5w rc4n rc5n rc6x Eb5e"},
		// No order of steps captures on both.
		{"Ec5 rc4 g", "capture=r@c3 capture=r@c6 Ec5", ""},
		// The turn might have ended in the middle of the pull, so the pull is not essential.
		{"Ed4 rd5 g", "Ed3 rd4-5", "*Ed4s, Ed4s rd5s"},
		// The middle of a pull is a result that is reached sooner, in the layer of the point before it.
		{"Ra1 De4 cf4 rh8 g", "off=e4 !Da-h1-8 Ra1",
			"*De4s De3e Df3x, *cf4s cf3x De4e Df4s Df3x, *cf4e De4e Df4s Df3x, *De4s cf4w De3e Df3x, cf4n De4e Df4s Df3x, De4s cf4w De3e Df3x ce4s"},
		{"ra8 de5 Cf5 Rh1 s", "off=e5 !da-h1-8 ra8",
			"*de5n de6e df6x, *Cf5e de5e df5n df6x, *Cf5n Cf6x de5e df5n df6x, *de5n Cf5w de6e df6x, Cf5s de5e df5n df6x, de5n Cf5w de6e df6x Ce5n"},
		// A rabbit that another one replaces has not left.
		{"Ra2 Rb2 g", "off=b2 Rb3 Ra-b2", "*Rb2n"},
		{"Ra2 Rb2 g", "Rb2 Rb3 .a2", "*Ra2n Ra3e"},
	} {
		w, err := parseWhere(strings.Fields(c.words))
		require.NoError(t, err)
		p := boards.Parse(t, c.position)
		all, err := w.matches(context.Background(), p)
		require.NoError(t, err)
		var got []string
		for _, m := range all {
			mark := ""
			if m.essential() {
				mark = "*"
			}
			got = append(got, mark+p.Notation(m.turn))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s %s: %s, want %s", c.position, c.words, text, c.want)
		}
	}
}

// TestPublished compares counts for the published positions, which have full boards, with all turns
// in all orders.
func TestPublished(t *testing.T) {
	rows := published.Rows(t, "perft.tsv")
	for _, row := range rows[:boards.Sized(1, len(rows))] {
		st, err := referee.ParsePosition(row[0])
		require.NoError(t, err)
		n := 0
		for s, piece := range st.Board {
			if piece == 'E' || piece == 'e' {
				n += compare(t, row[0], []plain{plainOff(s)})
			}
		}
		if n == 0 {
			t.Errorf("%s: no elephant moves", row[0])
		}
		compare(t, row[0], []plain{plainCapture(st.Side, "", "")})
		compare(t, row[0], []plain{plainCapture(st.Side, "r", "c3"), plainRabbit(4)})
	}
}

// TestReachAll compares captures and wins with the detector of package goal, for which a capture
// that loses is none, and a win is a capture.
func TestReachAll(t *testing.T) {
	tally := map[string]int{}
	results := func(t *rapid.T, p *arimaa.Position, values ...string) map[arimaa.Board]bool {
		w, err := parseWhere(values)
		require.NoError(t, err)
		all, err := w.matches(context.Background(), *p)
		require.NoError(t, err)
		boards := map[arimaa.Board]bool{}
		for _, m := range all {
			boards[p.AfterTurn(m.turn).Board] = true
		}
		return boards
	}
	boards.Check(t, 60, 3_000, func(t *rapid.T) {
		p := boards.Parse(t, rapid.OneOf(nearTraps(), boards.Position()).Draw(t, "position"))
		text := rapid.SampledFrom([]string{"capture", "capture=r", "capture@c3", "capture=r@c6"}).Draw(t, "aim")
		aim, err := goal.ParseAim(text)
		require.NoError(t, err)
		want := results(t, &p, "win")
		wins := len(want)
		tally["win"] += wins
		for b := range results(t, &p, text) {
			if b.Ended(p.Side()).WonBy(p.Side().Other()) {
				tally["losing capture"]++
				continue
			}
			want[b] = true
		}
		tally["capture"] += len(want) - wins
		var d goal.Detector
		got := d.ReachAll(&p, aim)
		for _, turn := range got {
			if !want[p.AfterTurn(turn).Board] {
				t.Errorf("%v %s: %v", p, text, turn)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%v %s: %d results, want %d", p, text, len(got), len(want))
		}
	})
	boards.ExpectAll(t, tally, "win", "capture", "losing capture")
}

// TestInterrupted ends a listing.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w, err := parseWhere([]string{"capture"})
	require.NoError(t, err)
	p := boards.Parse(t, "g [                                  rE                            ]")
	if all, err := w.matches(ctx, p); !errors.Is(err, context.Canceled) || all != nil {
		t.Errorf("%v, %v", all, err)
	}
}
