package studio_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// example returns the text of an example of the project.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "examples", name))
	require.NoError(t, err)
	return string(text)
}

// study returns a position of the examples.
func study(t *testing.T, name string) *studio.Study {
	t.Helper()
	all, err := notation.ReadPositions(name, example(t, name))
	require.NoError(t, err)
	return &studio.Study{Position: all[0].Position.String(), Number: all[0].Number}
}

// viewOf asks for a view.
func viewOf(c *client, path string, body map[string]any) studio.View {
	c.Helper()
	return ask[studio.View](c, "POST", "/api/"+path, body)
}

// TestPlay plays games of random steps on the board of the studio, and the same turns by package
// arimaa.
func TestPlay(t *testing.T) {
	c := start(t, studio.Options{})
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3 {
		first, err := notation.ParsePosition(boards.Position().Example(i))
		require.NoError(t, err)
		game := arimaa.NewGame(first, 2)
		v := viewOf(c, "view", map[string]any{"study": studio.Study{Position: first.String()}})
		state := arimaa.NewState(first)
		for range 30 {
			var legal []studio.ViewStep
			if !game.Outcome().Over() {
				for _, s := range state.Steps(nil) {
					legal = append(legal, studio.ViewStep{From: s.From().String(), To: s.To().String(), Step: state.Notation(arimaa.Turn{}.With(s))})
				}
			}
			if !slices.Equal(legal, v.Steps) || v.Left != state.StepsLeft() || v.Squares != letters(&state.Board) {
				t.Fatalf("%+v: steps %v, want %v, on %q", v.Study, v.Steps, legal, state.Position)
			}
			if (v.Over != nil) != game.Outcome().Over() {
				t.Fatalf("%+v: over %v", v.Study, v.Over)
			}
			if v.NoEnd == nil && random.IntN(3) == 0 || len(legal) == 0 && v.NoEnd == nil {
				turn := v.Study.Steps
				v = viewOf(c, "turn", map[string]any{"study": v.Study})
				if err := notation.Play(game, turn); err != nil || v.Study.Turns[game.Len()-1] != turn || v.Label != game.Label(game.Len()) {
					t.Fatalf("%s: %v, %+v", turn, err, v.Study)
				}
				state = arimaa.NewState(game.Last())
				continue
			}
			if len(legal) == 0 {
				break
			}
			s := legal[random.IntN(len(legal))]
			v = viewOf(c, "step", map[string]any{"study": v.Study, "from": s.From, "to": s.To})
			if _, err := notation.PlaySteps(&state, s.Step); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// letters returns the letters of a board.
func letters(b *arimaa.Board) string {
	all := make([]byte, 64)
	for s := range all {
		all[s] = b.At(arimaa.Square(s)).Letter()
	}
	return string(all)
}

// TestIllegal makes steps that are not allowed, and ends turns that may not end. The reason is
// told.
func TestIllegal(t *testing.T) {
	c := start(t, studio.Options{})
	position := studio.Study{Position: "Ra5 Ed4 re4 hf4 Rg4 Hb2 ca2 rc3 dc4 rh7 Rh2 g"}
	for _, test := range []struct {
		steps, from, to string
		want            string
	}{
		{"", "a5", "a4", "a rabbit does not step backward"},
		{"", "g4", "g5", "frozen"},
		{"", "d4", "c4", "occupied"},
		{"", "d4", "z9", "no square"},
		{"", "b7", "b8", "no piece on b7"},
		{"", "h7", "h6", "can push or pull"},
		{"re4n", "b2", "b3", "the push must be completed by a step to e4"},
		{"Ra5n Ra6n Hb2n", "e4", "e5", "a push needs two steps"},
		{"", "d4", "d4", "stays"},
		{"", "d4", "a1", "cannot go to a1 by itself with 4 steps left"},
		{"", "h7", "h5", "step by step"},
		{"", "a5", "a2", "occupied"},
	} {
		study := position
		study.Steps = test.steps
		c.refusedFor(422, test.want, "POST", "/api/step", map[string]any{"study": study, "from": test.from, "to": test.to})
	}
	for steps, want := range map[string]string{"": "must change", "Ed4n Ed5s": "must change", "re4n": "push must be completed"} {
		study := position
		study.Steps = steps
		c.refusedFor(0, want, "POST", "/api/turn", map[string]any{"study": study})
		if v := viewOf(c, "view", map[string]any{"study": study}); v.NoEnd == nil || !strings.Contains(*v.NoEnd, want) {
			t.Errorf("%q: the view says %v", steps, v.NoEnd)
		}
	}
	// The third occurrence of a position is forbidden.
	again := studio.Study{Position: "Ea1 Rb1 eh8 rg8 g"}
	for range 2 {
		again.Turns = append(again.Turns, "Ea1n", "eh8s", "Ea2s", "eh7n")
	}
	again.Turns = again.Turns[:7]
	again.Steps = "eh7n"
	if v := viewOf(c, "view", map[string]any{"study": again}); v.NoEnd == nil || !strings.Contains(*v.NoEnd, "third") {
		t.Errorf("the view says %v of the third repetition", v.NoEnd)
	}
}

// TestWalk moves each piece of random positions to every square at once. That works where single
// steps of the piece lead there without a capture on the way, tried out in all orders, and takes as
// few as possible.
func TestWalk(t *testing.T) {
	c := start(t, studio.Options{})
	positions := boards.Sized(2, 20)
	for i := range positions {
		first, err := notation.ParsePosition(boards.Position().Example(50 + i))
		require.NoError(t, err)
		if first.Ended(first.Side().Other()).Over() {
			continue
		}
		for rest := first.Of(first.Side()); rest != 0; rest = rest.Rest() {
			from := rest.First()
			least := map[arimaa.Square]int{}
			var try func(s arimaa.State, at arimaa.Square, steps int)
			try = func(s arimaa.State, at arimaa.Square, steps int) {
				for d := arimaa.North; d <= arimaa.West; d++ {
					to, ok := at.Next(d)
					if !ok {
						continue
					}
					after := s
					captured, err := after.Play(arimaa.NewStep(first.At(from), at, d))
					if err != nil {
						continue
					}
					if n, met := least[to]; !met || steps+1 < n {
						least[to] = steps + 1
					}
					if captured == 0 {
						try(after, to, steps+1)
					}
				}
			}
			try(arimaa.NewState(first), from, 0)
			for to := arimaa.Square(0); to < 64; to++ {
				if to == from || first.At(to) != arimaa.Empty {
					continue
				}
				body := map[string]any{"study": studio.Study{Position: first.String()}, "from": from.String(), "to": to.String()}
				n, ok := least[to]
				if !ok {
					c.refused("POST", "/api/step", body)
				} else if v := viewOf(c, "step", body); v.Left != arimaa.StepsPerTurn-n {
					t.Errorf("%v: %v to %v: %s, want %d steps", first, from, to, v.Study.Steps, n)
				}
			}
		}
	}
}

// TestEdit sets positions up.
func TestEdit(t *testing.T) {
	c := start(t, studio.Options{})
	begin := studio.Study{Position: "Ra1 ra8 g", Number: 5, Turns: []string{"Ra1n"}}
	for _, test := range []struct {
		body map[string]any
		want string
	}{
		{map[string]any{}, "Ra2 ra8 s"},
		{map[string]any{"side": "gold", "number": 7}, "Ra2 ra8 g"},
		{map[string]any{"put": []any{map[string]any{"square": "c3", "piece": "E"}, map[string]any{"square": "a8", "piece": ""}}}, "Ra2 Ec3 s"},
		{map[string]any{"clear": true, "put": []any{map[string]any{"square": "h8", "piece": "m"}}}, "mh8 s"},
		{map[string]any{"exchange": true}, "ra7 Ra1 g"},
	} {
		test.body["study"] = begin
		v := viewOf(c, "edit", test.body)
		want, err := notation.ParsePosition(test.want)
		require.NoError(t, err)
		if v.Study.Position != want.String() || len(v.Study.Turns) != 0 {
			t.Errorf("%v: %+v, want %v", test.body, v.Study, want)
		}
	}
	if v := viewOf(c, "edit", map[string]any{"study": begin, "clear": true}); strings.TrimSpace(v.Squares) != "" || len(v.Unusual) == 0 {
		t.Errorf("an empty board: %+v", v)
	}
	for want, body := range map[string]map[string]any{
		"letter of no piece": {"put": []any{map[string]any{"square": "a1", "piece": "Q"}}},
		"no square":          {"put": []any{map[string]any{"square": "i1", "piece": "R"}}},
		"gold or silver":     {"side": "white"},
		"0 to 1000000":       {"number": -1},
	} {
		body["study"] = begin
		c.refusedFor(0, want, "POST", "/api/edit", body)
	}
}

// readAnswer is what /api/read answers.
type readAnswer struct {
	Found []struct {
		Study                  studio.Study
		About, Solution, Error string
	}
	More bool
}

// TestRead reads every example, writes it in all forms, and reads these again.
func TestRead(t *testing.T) {
	c := start(t, studio.Options{})
	files, err := filepath.Glob("../examples/*.t*")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		a := ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": example(t, filepath.Base(file)), "name": file})
		if games := filepath.Ext(file) == ".tsv"; len(a.Found) == 0 || len(a.Found) > 1 && !games || a.Found[0].Error != "" {
			t.Fatalf("%s: %.200v", file, a)
		}
		v := viewOf(c, "view", map[string]any{"study": a.Found[0].Study})
		forms := ask[struct{ Forms []struct{ Name, Text string } }](c, "POST", "/api/forms", map[string]any{"study": v.Study}).Forms
		if len(forms) != len(notation.Forms()) {
			t.Errorf("%s: %d forms", file, len(forms))
		}
		for _, f := range forms {
			b := ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": f.Text})
			if len(b.Found) != 1 || b.Found[0].Error != "" {
				t.Fatalf("%s as %s: %+v", file, f.Name, b)
			}
			again := viewOf(c, "view", map[string]any{"study": b.Found[0].Study})
			turns := f.Name == "turns" || f.Name == "annotated" || f.Name == "archive" || f.Name == "aei"
			if again.Squares != v.Squares || again.Side != v.Side || turns && !slices.Equal(again.Study.Turns, v.Study.Turns) {
				t.Errorf("%s as %s: %+v, want %+v", file, f.Name, again.Study, v.Study)
			}
		}
	}
}

// TestReadBroken reads texts that are broken: the place is shown with a caret, and a missing side
// is told apart.
func TestReadBroken(t *testing.T) {
	c := start(t, studio.Options{})
	_, why := c.refused("POST", "/api/read", map[string]any{"text": "g [rrr]", "name": "set.txt"})
	if !strings.HasPrefix(why, "set.txt:1") || !strings.Contains(why, "^") {
		t.Errorf("the place is not shown: %q", why)
	}
	text := strings.SplitN(example(t, "win-in-2.txt"), "44g\n", 2)[1]
	status, body, _ := c.do(c.request("POST", "/api/read", map[string]any{"text": text}))
	if status != 422 || !strings.Contains(body, `"code":"no_side"`) {
		t.Errorf("without a side: %d %s", status, body)
	}
	a := ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": text, "side": "silver"})
	if len(a.Found) != 1 || !strings.HasPrefix(a.Found[0].Study.Position, "s [") {
		t.Errorf("with a side: %+v", a)
	}
	// One broken entry of several does not hide the others.
	good := study(t, "win-in-2.txt").Position
	a = ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": good + "\ng [x]\n" + good + "\n"})
	var broken []bool
	for _, f := range a.Found {
		broken = append(broken, f.Error != "")
	}
	if diff := cmp.Diff([]bool{false, true, false}, broken); diff != "" {
		t.Errorf("%s %+v", diff, a)
	}
	if a = ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": strings.Repeat(good+"\n", 600)}); len(a.Found) != 500 || !a.More {
		t.Errorf("%d of 600 positions, more: %v", len(a.Found), a.More)
	}
}
