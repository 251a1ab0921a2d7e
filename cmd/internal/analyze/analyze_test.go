package analyze

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/engine"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/load"
	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// TestPrefixes compares the turns that begin with what is searched with those of package referee
// that begin with the steps made, from any point of a turn, also between the two halves of a push
// or pull.
func TestPrefixes(t *testing.T) {
	boards.Check(t, 30, 1000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		state := load.State(t, p)
		if _, _, over := referee.Outcome(state.Board, state.Side.Other()); over || p.Undefended() != 0 {
			return
		}
		var made []string
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			if steps := state.Steps(); len(steps) > 0 {
				step := rapid.SampledFrom(steps).Draw(t, "step")
				made = append(made, step.String())
				after, _, err := state.Play(step)
				require.NoError(t, err)
				state = after
			}
		}
		if len(made) == 0 {
			return
		}
		want := map[string]bool{}
		for _, r := range referee.Results(state) {
			want[strings.ReplaceAll(r.Board.String(), ".", " ")] = true
		}
		f := flags{made: strings.Join(made, " ")}
		a, err := f.analysis(nil, inputs.Item{Diagram: notation.Diagram{Position: p, Number: 2}})
		require.NoError(t, err)
		got := map[string]bool{}
		var complete func(at arimaa.Position)
		complete = func(at arimaa.Position) {
			if at.Board != p.Board {
				end := load.State(t, at.EndTurn())
				got[strings.ReplaceAll(end.Board.String(), ".", " ")] = true
			}
			for _, o := range at.Options(nil) {
				complete(at.After(o))
			}
		}
		for _, prefix := range a.prefixes() {
			at, ok := p.TryPart(prefix)
			if !ok || !strings.HasPrefix(prefix.String(), f.made) {
				t.Fatalf("%v does not begin with %s", prefix, f.made)
			}
			complete(at)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%v, %s:\n%s", p, f.made, d)
		}
	})
}

// TestWithoutSteps checks that captures go with the steps that caused them.
func TestWithoutSteps(t *testing.T) {
	for _, c := range []struct {
		notation string
		steps    int
		want     string
	}{
		{"hc4s hc3x Md4w Md3n", 0, "hc4s hc3x Md4w Md3n"}, {"hc4s hc3x Md4w Md3n", 1, "Md4w Md3n"},
		{"hc4s hc3x Md4w Md3n", 2, "Md3n"}, {"hc4s hc3x", 1, "pass"},
	} {
		if got := withoutSteps(c.notation, c.steps); got != c.want {
			t.Errorf("%q without %d: %q, want %q", c.notation, c.steps, got, c.want)
		}
	}
}

// TestSort checks that what was not searched stands last, also where all else loses.
func TestSort(t *testing.T) {
	a := analysis{best: []engine.Report{{}, {Score: -50, Depth: 3}, {Score: -20, Depth: 2}, {Score: 100, Win: 1}, {Score: -70}}}
	a.sort()
	var got []int
	for _, r := range a.best {
		got = append(got, r.Score)
	}
	if d := cmp.Diff([]int{100, -20, -50, -70, 0}, got); d != "" {
		t.Error(d)
	}
}

// TestCandidatesInTime asks for more candidates than there is time for: those that were found are
// shown, and not all of the 2,233 turns.
func TestCandidatesInTime(t *testing.T) {
	var out, errors strings.Builder
	args := []string{"--candidates", "100000", "--time", "20ms", "--memory", "64MiB", "--threads", "1", "../../../examples/win-in-2.txt"}
	code := cli.Run(t.Context(), args, cli.Terminal{In: os.Stdin, Out: &out, Err: &errors}, Command)
	if n := strings.Count(out.String(), "\n1"); code != cli.Holds || n == 0 || strings.Contains(out.String(), "\n1500. ") {
		t.Errorf("exit code %d\n%s%s", code, out.String(), errors.String())
	}
}
