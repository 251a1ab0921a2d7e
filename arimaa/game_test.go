package arimaa_test

import (
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

func readGame(t testing.TB, text string) *arimaa.Game {
	t.Helper()
	g, err := notation.ReadGame("g.txt", strings.TrimPrefix(text, "\n"))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g
}

// diagram reads a position in long form.
func diagram(t testing.TB, text string) arimaa.Position {
	t.Helper()
	all, err := notation.ReadPositions("", text)
	require.NoError(t, err)
	return all[0].Position
}

// cage is a game at whose end every turn of Gold is forbidden: the elephant knows two squares, a1
// and b1, and with it on b1 the position has occurred twice with Silver to move, once as the first
// of the game and once when the cat came back. Each position with Gold to move has occurred once.
const cage = `
1w Eb1 Ch4 Rd4
1b ea2 eb2 ec1 dd5 dh5 cd8 ra8
2w pass
2b dh5n
3w Ch4w
3b dh6s
4w Cg4e
4b cd8e
5w Eb1w
5b ce8w
`

func TestOutcomeByRepetition(t *testing.T) {
	g := readGame(t, cage)
	want := arimaa.Outcome{Winner: arimaa.Silver, Reason: arimaa.Repetition}
	if got := g.Outcome(); got != want {
		t.Errorf("outcome %v, want %v", got, want)
	}
	// The same position without its history, and any earlier point of the game, is not over.
	if o := arimaa.NewGame(g.Last(), 6).Outcome(); o.Over() {
		t.Errorf("without history: %v", o)
	}
	for i := range g.Len() {
		if o := g.At(i).Outcome(); o.Over() {
			t.Errorf("before turn %s: %v", g.Label(i), o)
		}
	}
	checkTwice(t, g, []arimaa.Board{g.Position(0).Board}, nil)
	err := g.Play(turnOf(t, "Ea1e"))
	if err == nil || err.Error() != "the game is over: silver has won (repetition)" {
		t.Errorf("Play: %v", err)
	}
}

// TestLongerTurnIsLeft is the like of the cage with a third square, c1: from a1 each single option
// of Gold is forbidden, and a turn of two steps is not, although the position to which it leads has
// occurred once.
func TestLongerTurnIsLeft(t *testing.T) {
	g := readGame(t, `
1w Eb1 Rh4
1b ea2 eb2 ec2 ed1 dh5 cd8 ra8
2w pass
2b cd8e
3w Eb1w
3b ce8w
4w Ea1e
4b cd8s
5w Eb1e
5b cd7w
6w Ec1w
6b cc7e cd7n
7w Eb1e
7b cd8s
8w Ec1w
8b cd7w
9w Eb1w
9b cc7e cd7n
`)
	checkTwice(t, g, []arimaa.Board{g.Position(0).Board}, g.Twice(arimaa.Gold))
	if o := g.Outcome(); o.Over() {
		t.Errorf("outcome %v", o)
	}
	if err := g.Play(turnOf(t, "Ea1e")); err != arimaa.ErrThirdRepetition {
		t.Errorf("the single step: %v", err)
	}
	if err := g.Play(turnOf(t, "Ea1e Eb1e")); err != nil {
		t.Errorf("the two steps: %v", err)
	}
	if last := g.Last(); g.Occurrences(&last.Board, arimaa.Silver) != 2 {
		t.Errorf("%d occurrences, want 2", g.Occurrences(&last.Board, arimaa.Silver))
	}
}

// checkTwice compares the boards that each side may not create again.
func checkTwice(t rapid.TB, g *arimaa.Game, byGold, bySilver []arimaa.Board) {
	t.Helper()
	for side, want := range [2][]arimaa.Board{arimaa.Gold: bySilver, arimaa.Silver: byGold} {
		if got := g.Twice(arimaa.Side(side)); !slices.Equal(got, want) {
			t.Fatalf("twice with %v to move: %v, want %v", arimaa.Side(side), got, want)
		}
	}
}

func step(t testing.TB, text string) arimaa.Step {
	t.Helper()
	s, err := notation.ParseStep(text)
	require.NoError(t, err)
	return s
}

// turnOf reads the steps of a turn, where captures may be written.
func turnOf(t testing.TB, text string) arimaa.Turn {
	t.Helper()
	var turn arimaa.Turn
	for word := range strings.FieldsSeq(text) {
		if !strings.HasSuffix(word, "x") {
			turn = turn.With(step(t, word))
		}
	}
	return turn
}

// TestPlay plays and takes back turns on a game without a record.
func TestPlay(t *testing.T) {
	start := boards.Parse(t, "Rh1 Ra2 Cc2 Mg2 Rc3 Hb5 Dh5 Eh6 ea4 db7 hc7 mf7 ra8 rd8 cf8 rh8 s")
	g := arimaa.NewGame(start, 47)
	for _, test := range []struct{ turn, want string }{
		{"", "a turn must change the board"},
		{"rd8e re8w", "a turn must change the board"},
		{"ea4n Hb5s ea5s", "ea5s: the push must be completed by a step to b5"},
		{"ea4n Hb5e", "the push must be completed by a step to b5"},
		{"ea4n Hb5e ea5e", ""},
		{"Hc5e", "Hc5e: the piece is frozen"},
		{"Cc2w Rc3x Rh1n Eh6w", ""},
		{"eb5n eb6n", "eb6n: b7 is occupied"},
	} {
		before, turns := notation.Turns(g), g.Len()
		err := g.Play(turnOf(t, test.turn))
		if test.want == "" {
			if err != nil || g.Len() != turns+1 || g.Turn(turns) != turnOf(t, test.turn) {
				t.Fatalf("%q: %v, %d turns", test.turn, err, g.Len())
			}
			continue
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%q: %v, want %s", test.turn, err, test.want)
		}
		if notation.Turns(g) != before {
			t.Errorf("the illegal %q changed the game", test.turn)
		}
	}
	for i, want := range []string{"47s", "48g", "48s"} {
		if got := g.Label(i); got != want {
			t.Errorf("turn %d is %s, want %s", i, got, want)
		}
	}
	for range 2 {
		if err := g.TakeBack(); err != nil {
			t.Error(err)
		}
	}
	if err := g.TakeBack(); err == nil || err.Error() != "there is no turn to take back" {
		t.Errorf("a turn too many taken back: %v", err)
	}
	if g.Len() != 0 || g.Last() != start {
		t.Errorf("%d turns are left, position %v", g.Len(), g.Last())
	}
}

// TestEndIsTakenBack checks that a game whose record ended by resignation can be continued.
func TestEndIsTakenBack(t *testing.T) {
	const text = "1w Ca1 Rd2\n1b ra5\n2w Rd2n\n2b resigns\n"
	g := readGame(t, text)
	if err := g.Play(turnOf(t, "ra5s")); err != nil || g.End() != "" {
		t.Errorf("%v, end %q", err, g.End())
	}
	g = readGame(t, text)
	if err := g.TakeBack(); err != nil || g.End() != "" {
		t.Errorf("%v, end %q", err, g.End())
	}
	g = readGame(t, text)
	if h := g.At(g.Len()); h.End() != "" || g.End() != "resigns" {
		t.Errorf("ends %q and %q", h.End(), g.End())
	}
}

// TestNewGameNumber starts from a diagram of turn 1, which is the setup's.
func TestNewGameNumber(t *testing.T) {
	for number, want := range map[int]string{0: "2g", 1: "2g", 2: "2g", 3: "3g"} {
		g := arimaa.NewGame(arimaa.Position{}, number)
		if got := g.Label(0); got != want {
			t.Errorf("turn %d is labelled %s, want %s", number, got, want)
		}
	}
}

// TestFind looks for turns in games that begin with either side.
func TestFind(t *testing.T) {
	g := readGame(t, cage) // 2s to 6g
	h := readGame(t, "1w Ca1 Rd2\n1b ra5\n34w Rd2n\n34b ra5s\n35w")
	for _, test := range []struct {
		game   *arimaa.Game
		number int
		side   arimaa.Side
		want   int // or -1
	}{
		{g, 2, arimaa.Gold, -1}, {g, 2, arimaa.Silver, 0}, {g, 3, arimaa.Gold, 1}, {g, 3, arimaa.Silver, 2},
		{g, 6, arimaa.Gold, 7}, {g, 6, arimaa.Silver, -1}, {g, 0, arimaa.Gold, -1},
		{h, 33, arimaa.Silver, -1}, {h, 34, arimaa.Gold, 0}, {h, 34, arimaa.Silver, 1}, {h, 35, arimaa.Gold, 2}, {h, 35, arimaa.Silver, -1},
	} {
		i, ok := test.game.Find(test.number, test.side)
		if !ok {
			i = -1
		}
		if i != test.want {
			t.Errorf("%s: %d, want %d", arimaa.TurnLabel(test.number, test.side), i, test.want)
		}
	}
}

// TestLabels labels the turns of a line that begins with either side.
func TestLabels(t *testing.T) {
	line := []string{"a", "b", "c"}
	for _, test := range []struct {
		number int
		side   arimaa.Side
		want   string
	}{
		{34, arimaa.Gold, "34g a 34s b 35g c"}, {34, arimaa.Silver, "34s a 35g b 35s c"}, {0, arimaa.Silver, "1s a 2g b 2s c"},
	} {
		if got := strings.Join(arimaa.Labelled(test.number, test.side, line), " "); got != test.want {
			t.Errorf("%d%c: %s, want %s", test.number, test.side.Letter(), got, test.want)
		}
	}
}

// TestGamesAsCounted plays random games on small boards, where positions come back soon, and
// compares what the game knows with what a list of its positions tells.
func TestGamesAsCounted(t *testing.T) {
	var gen arimaa.Generator
	third, over := 0, 0
	boards.Check(t, 300, 3_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		g := arimaa.NewGame(p, rapid.IntRange(2, 50).Draw(t, "number"))
		list := []arimaa.Position{p}
		for range rapid.IntRange(0, 30).Draw(t, "turns") {
			checkCounts(t, g, list, &gen)
			if len(list) > 1 && rapid.IntRange(0, 9).Draw(t, "take back") == 0 {
				require.NoError(t, g.TakeBack())
				list = list[:len(list)-1]
				continue
			}
			if g.Outcome().Over() {
				over++
				continue
			}
			last := g.Last()
			options := last.Options(nil)
			turn := arimaa.Turn{}.WithOption(rapid.SampledFrom(options).Draw(t, "option"))
			if back, ok := undoing(g); ok && slices.Contains(options, back) && rapid.IntRange(0, 4).Draw(t, "back") > 0 {
				turn = arimaa.Turn{}.WithOption(back)
			}
			next := last.AfterTurn(turn)
			err := g.Play(turn)
			if n := count(list, next); n == 2 {
				third++
				if err != arimaa.ErrThirdRepetition {
					t.Fatalf("%v: %v for a third occurrence", turn, err)
				}
				continue
			} else if err != nil {
				t.Fatalf("%v: %v after %d occurrences", turn, err, n)
			}
			list = append(list, next)
		}
		checkCounts(t, g, list, &gen)
		checkAt(t, g, rapid.IntRange(0, g.Len()).Draw(t, "at"))
		if again, err := notation.ReadGame("", notation.Turns(g)); err != nil || notation.Turns(again) != notation.Turns(g) || !slices.Equal(positions(again), list) {
			t.Fatalf("%v from\n%s", err, notation.Turns(g))
		}
	})
	if third == 0 || over == 0 {
		t.Errorf("%d third occurrences, %d finished games: the test shows nothing", third, over)
	}
}

// undoing returns the step back where the last turn of the side to move was a single step.
func undoing(g *arimaa.Game) (arimaa.Option, bool) {
	if g.Len() < 2 || g.Turn(g.Len()-2).Len() != 1 {
		return 0, false
	}
	s := g.Turn(g.Len() - 2).Step(0)
	back := map[arimaa.Direction]arimaa.Direction{
		arimaa.North: arimaa.South, arimaa.South: arimaa.North, arimaa.East: arimaa.West, arimaa.West: arimaa.East,
	}
	return arimaa.SingleStep(arimaa.NewStep(s.Piece(), s.To(), back[s.Direction()])), true
}

// count counts a position in a list.
func count(list []arimaa.Position, p arimaa.Position) int {
	n := 0
	for _, q := range list {
		if q == p {
			n++
		}
	}
	return n
}

// checkCounts compares a game with the list of its positions.
func checkCounts(t *rapid.T, g *arimaa.Game, list []arimaa.Position, gen *arimaa.Generator) {
	if g.Len() != len(list)-1 {
		t.Fatalf("%d turns, want %d", g.Len(), len(list)-1)
	}
	var twice [2][]arimaa.Board
	for i, p := range list {
		if g.Position(i) != p {
			t.Fatalf("position %d: %v, want %v", i, g.Position(i), p)
		}
		n := count(list, p)
		if got := g.Occurrences(&p.Board, p.Side()); got != n {
			t.Fatalf("%v: %d occurrences, want %d", p, got, n)
		}
		if n > 1 && !slices.Contains(twice[p.Side()], p.Board) {
			twice[p.Side()] = append(twice[p.Side()], p.Board)
		}
	}
	checkTwice(t, g, twice[arimaa.Silver], twice[arimaa.Gold])
	last := list[len(list)-1]
	other := last.Side().Other()
	want := last.Ended(other)
	if !want.Over() {
		allowed := false
		for i := range gen.Generate(&last) {
			allowed = allowed || !slices.Contains(twice[other], *gen.Board(i))
		}
		if !allowed {
			want = arimaa.Outcome{Winner: other, Reason: arimaa.Repetition}
		}
	}
	if got := g.Outcome(); got != want {
		t.Fatalf("outcome %v, want %v", got, want)
	}
}

// checkAt checks an earlier point of a game, and that playing on from there and taking turns back
// leave the game as it is.
func checkAt(t *rapid.T, g *arimaa.Game, i int) {
	before := notation.Turns(g)
	h := g.At(i)
	if h.Len() != i || h.Last() != g.Position(i) || h.Label(i) != g.Label(i) {
		t.Fatalf("at %d: %d turns, %v", i, h.Len(), h.Last())
	}
	for j := range i {
		p := g.Position(j)
		if n := count(positions(h), p); h.Occurrences(&p.Board, p.Side()) != n {
			t.Fatalf("at %d: %v occurs %d times, want %d", i, p, h.Occurrences(&p.Board, p.Side()), n)
		}
	}
	for range min(i, 2) {
		require.NoError(t, h.TakeBack())
	}
	for range 3 {
		if last := h.Last(); !h.Outcome().Over() {
			options := last.Options(nil)
			// It may be a third repetition: then there is one turn less.
			_ = h.Play(arimaa.Turn{}.WithOption(options[len(options)-1]))
		}
	}
	if whole := g.At(g.Len()); notation.Turns(g) != before || !slices.Equal(positions(whole), positions(g)) {
		t.Fatalf("playing on from turn %d changed\n%s\ninto\n%s", i, before, notation.Turns(g))
	}
}

func positions(g *arimaa.Game) []arimaa.Position {
	var all []arimaa.Position
	for i := range g.Len() + 1 {
		all = append(all, g.Position(i))
	}
	return all
}
