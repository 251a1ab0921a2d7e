package proof_test

import (
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
)

// shuttled is a certificate with a game in front of it that brings its root about a second time:
// each side steps away with a piece and back. It is nil where no pieces can.
func shuttled(t testing.TB, c *proof.Certificate) *proof.Certificate {
	t.Helper()
	root := boards.Parse(t, c.Entries[0].Position)
	steps := func(p arimaa.Position) []arimaa.Step {
		st := arimaa.NewState(p)
		return st.Steps(nil)
	}
	back := func(s arimaa.Step) arimaa.Step { return arimaa.StepBetween(s.Piece(), s.To(), s.From()) }
	for _, first := range steps(root) {
		for _, second := range steps(root.AfterTurn(arimaa.Turn{}.With(first))) {
			g := arimaa.NewGame(root, 2)
			legal := !g.Outcome().Over()
			for _, step := range []arimaa.Step{first, second, back(first), back(second)} {
				legal = legal && g.Play(arimaa.Turn{}.With(step)) == nil
			}
			if legal && g.Last() == root && !g.Outcome().Over() {
				d := clone(c)
				d.Game = played(g)
				return d
			}
		}
	}
	return nil
}

// played is a game as certificates have it.
func played(g *arimaa.Game) *proof.Game {
	first := g.Position(0)
	game := &proof.Game{Start: first.String()}
	for i := range g.Len() {
		game.Turns = append(game.Turns, g.Position(i).Notation(g.Turn(i)))
	}
	return game
}

// TestGame has a win that is one only after its game, by the last row of the table.
func TestGame(t *testing.T) {
	root := position(t, "g", forcedReturn)
	st := boards.Parse(t, root)
	ended, _ := playText(st, there)
	var g arimaa.Generator
	if g.Generate(&ended) != 1 || g.Position(0, arimaa.Silver) != st {
		t.Fatal("silver has another turn")
	}
	// Silver's position as the first one of the game.
	silver := ended.String()

	c := claim(1, proof.Entry{Rank: 1, Position: root, Turn: there})
	game := func(start string, turns ...string) *proof.Certificate { return after(c, start, turns...) }
	rejected(t, game(silver, back), "does not win at once")
	for _, test := range []struct {
		phrase string
		c      *proof.Certificate
	}{
		{"the turn " + there + " is illegal: the turn may not end here: it would be the third", game(silver, back, there, back)},
		{"game: turn 4, " + there + ", is illegal: the turn may not end here: it would be the third", game(silver, back, there, back, there, back)},
		{"game: after 3 turns it is over: gold wins (repetition)", game(root, there, back, there)},
		{"the game leads to another position than that of the first entry: to " + silver, game(root, there)},
		{"turn 1, " + back + ", is illegal", game(root, back, there)},
		{"turn 1, Ca7n Ca8s, is illegal: the turn may not end here: it must change the board", game(position(t, "g", forcedReturn+"\n7:C......."), "Ca7n Ca8s")},
		{"turn 1, ca2s, is illegal: the turn may not end here: a push was begun", game(root, "ca2s", "Eb2w")},
		{"turn 2: a turn without steps", game(root, there, "")},
		{"game: position", game(root[1:], there, back)},
		{"the side to move is g or s, not \"w\"", game("w"+root[1:], there, back)},
		{"game: after 0 turns it is over: gold wins (goal)", game(position(t, "s", forcedReturn+"\n8:R......."), back)},
	} {
		rejected(t, test.c, test.phrase)
	}
	// A message names the line; the text may have comments.
	text := strings.Replace(text(t, game(root, there, there)), "turn", "# a game\n\nturn", 1)
	bad, _, err := proof.Read(strings.NewReader(text), "test")
	require.NoError(t, err)
	if err := bad.Check(t.Context(), nil); err == nil || !strings.HasPrefix(err.Error(), "line 7: at "+silver+": game: turn 2, ") {
		t.Errorf("the message is %v", err)
	}
	if good, _, err := proof.Read(strings.NewReader(strings.Replace(text, "turn "+there+"\n1", "turn "+back+"\n1", 1)), "test"); err != nil ||
		good.Check(t.Context(), nil) != nil || good.ToMove() != "gold" {
		t.Errorf("%+v, %v", good, err)
	}
}

// TestPublishedGames has certificates after real games, some with positions that occur twice: the
// game is never what is wrong.
func TestPublishedGames(t *testing.T) {
	repeated := 0
	for _, published := range games.Of(t, "archive-2026.tsv") {
		g := published.Game
		if g.Len() == 0 {
			continue
		}
		if g.Outcome().Over() {
			g = g.At(g.Len() - 1)
		}
		last := g.Last()
		st := arimaa.NewState(last)
		c := claim(1, proof.Entry{Rank: 1, Position: last.String(), Turn: st.Steps(nil)[0].String()})
		c.Game = played(g)
		for i := range g.Len() {
			if p := g.Position(i); g.Occurrences(&p.Board, p.Side()) == 2 {
				repeated++
			}
		}
		if err := c.Check(t.Context(), nil); err != nil && strings.Contains(err.Error(), "game:") {
			t.Errorf("refused: %v", err)
		}
	}
	if repeated < 10 {
		t.Errorf("%d positions occurred twice: the test says little", repeated)
	}
}
