package train_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/train"
	"goalproof/internal/testkit/glicko"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles/training"
	"goalproof/solve"
)

// person types at the prompt what a solver finds, and fails by plan.
type person struct {
	*testing.T
	in     io.Writer
	solver *solve.Solver
	named  map[string]training.Puzzle
	game   *arimaa.Game
	began  int    // exercises
	fails  string // mistakes and hints still to make at this exercise
	typed  string // the last turn
	names  []string
}

// wrongs are the ways in which an exercise fails.
var wrongs = []string{"turn", "hint", "solution"}

// reads takes note of a line of the program.
func (p *person) reads(line string) {
	name, fresh := strings.CutPrefix(line, "New puzzle: ")
	if again, ok := strings.CutPrefix(line, "Again: "); ok {
		name = again
	} else if !fresh {
		if _, text, ok := strings.Cut(line, "Right. The reply is "); ok {
			require.NoError(p, notation.Play(p.game, p.typed))
			require.NoError(p, notation.Play(p.game, strings.TrimSuffix(text, ".")))
		}
		return
	}
	puzzle, ok := p.named[name]
	if !ok {
		p.Fatalf("there is no puzzle %q", name)
	}
	p.game, p.fails = arimaa.NewGame(puzzle.Position, puzzle.Number), ""
	if p.began%5 == 2 { // no mistake or hint is planned for the attempt at which it comes back
		p.fails = wrongs[p.began/5%len(wrongs)]
	}
	p.began++
	p.names = append(p.names, name)
}

// types answers a prompt.
func (p *person) types() {
	text := ""
	switch p.fails {
	case "hint", "solution":
		text = p.fails
	case "turn":
		text = p.turn(answer.Disproved)
	default:
		p.typed = p.turn(answer.Proved)
		text = p.typed
	}
	p.fails = ""
	_, err := fmt.Fprintln(p.in, text)
	require.NoError(p, err)
}

// turn returns a turn of which the solver says that it keeps the win, or that it does not.
func (p *person) turn(v answer.Verdict) string {
	last := p.game.Last()
	q := solve.Question{Position: last, Deepest: 2 - p.game.Len()/2}
	if v == answer.Proved {
		a, err := p.solver.Solve(context.Background(), q)
		require.NoError(p, err)
		return last.Notation(a.Line[0].Turn)
	}
	at := arimaa.NewState(last)
	for _, step := range at.Steps(nil) {
		t := arimaa.Turn{}.With(step)
		if _, legal := last.Try(t); !legal {
			continue
		}
		if a, err := p.solver.Try(context.Background(), q, t); err == nil && a.Verdict == v {
			return last.Notation(t)
		}
	}
	p.Fatalf("no wrong turn of one step at %v", last)
	return ""
}

// line is an object of --json.
type line struct {
	Name                          string
	Solved, Clean                 bool
	Mistakes, Hints               int
	Rating, Deviation, Volatility float64
	PuzzleRating                  float64 `json:"puzzle_rating"`
	Difficulty                    float64
	ByResults                     float64 `json:"difficulty_by_results"`
	Streak, Best, Stage           int
}

// TestFifty trains on fifty exercises in the terminal. Each rating is that of a plain computation, and
// what failed comes back after three others.
func TestFifty(t *testing.T) {
	const n = 50
	in, typing, err := os.Pipe()
	require.NoError(t, err)
	said, saying, err := os.Pipe()
	require.NoError(t, err)
	record := filepath.Join(t.TempDir(), "record.json")
	var out bytes.Buffer
	ended := make(chan error)
	go func() {
		cmd := train.Command(cli.Terminal{In: in, Out: &out, Err: saying})
		cmd.SetArgs([]string{"--record", record, "--json", "--seed", "7", "--count", fmt.Sprint(n), "--nodes", "1000000", "--memory", "512MiB"})
		err := cmd.ExecuteContext(t.Context())
		saying.Close()
		ended <- err
	}()
	all, err := training.Shipped()
	require.NoError(t, err)
	p := &person{T: t, in: typing, named: map[string]training.Puzzle{}}
	for _, puzzle := range all {
		p.named[puzzle.Name] = puzzle
	}
	p.solver, err = solve.New(solve.Options{Threads: 1, Memory: 64 << 20})
	require.NoError(t, err)
	text := ""
	for r := bufio.NewReader(said); ; {
		b, err := r.ReadByte()
		if err != nil {
			break
		}
		switch text += string(b); {
		case b == '\n':
			p.reads(strings.TrimSuffix(text, "\n"))
			text = ""
		case strings.HasSuffix(text, "> "):
			p.types()
			text = ""
		}
	}
	require.NoError(t, <-ended)
	checkFifty(t, p, &out, n)
	checkRecord(t, record, n)
	checkStats(t, record)
}

// checkFifty checks the lines about n attempts.
func checkFifty(t *testing.T, p *person, out io.Reader, n int) {
	t.Helper()
	player, puzzles := training.New, map[string]training.Rating{}
	lines, failed, streak := json.NewDecoder(out), map[int]string{}, 0
	for i := range n {
		var l line
		require.NoError(t, lines.Decode(&l))
		clean := i%5 != 2
		if streak++; !clean {
			failed[i+training.Between+1] = l.Name
			streak = 0
		}
		if l.Name != p.names[i] || l.Clean != clean || l.Solved != (clean || wrongs[i/5%len(wrongs)] != "solution") || l.Streak != streak {
			t.Errorf("attempt %d: %+v", i, l)
		}
		if name, back := failed[i]; back && (l.Name != name || l.Stage != 2) || !clean && l.Stage != 1 || clean && !back && l.Stage != 0 {
			t.Errorf("attempt %d: %+v, want %q", i, l, name)
		}
		puzzle, ok := puzzles[l.Name]
		if !ok {
			puzzle = training.Rating{Rating: 1500 + 120*(*p.named[l.Name].Difficulty-5), Deviation: 200, Volatility: 0.06}
		}
		score := 0.0
		if clean {
			score = 1
		}
		player, puzzles[l.Name] = glicko.Game(player, puzzle, score), glicko.Game(puzzle, player, 1-score)
		if away := math.Abs(l.Rating-player.Rating) + math.Abs(l.Deviation-player.Deviation) + math.Abs(l.PuzzleRating-puzzles[l.Name].Rating); !(away < 0.01) {
			t.Errorf("attempt %d: %+v, want %+v and %+v", i, l, player, puzzles[l.Name])
		}
		if away := l.Difficulty - *p.named[l.Name].Difficulty + l.ByResults - 5 - (l.PuzzleRating-1500)/120; !(math.Abs(away) < 1e-6) {
			t.Errorf("attempt %d: %+v: the difficulties are wrong", i, l)
		}
	}
	if lines.More() || len(failed) != n/5 || len(puzzles) != n-n/5+1 { // the last one does not come back any more
		t.Errorf("%d failed, %d puzzles", len(failed), len(puzzles))
	}
}

// checkStats checks that the means of some theme are shown, as predicted and by the results, and
// differ.
func checkStats(t *testing.T, file string) {
	t.Helper()
	var out bytes.Buffer
	cmd := train.Command(cli.Terminal{Out: &out, Err: io.Discard})
	cmd.SetArgs([]string{"--record", file, "--stats"})
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	means := regexp.MustCompile(`(?m)^goal( +\d+){4} +(\d+\.\d) +(\d+\.\d)$`).FindStringSubmatch(out.String())
	if means == nil || means[2] == means[3] {
		t.Errorf("%q in\n%s", means, &out)
	}
}

// checkRecord checks the file after n attempts.
func checkRecord(t *testing.T, file string, n int) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	r, err := training.Parse(text)
	require.NoError(t, err)
	if r.Attempts != n {
		t.Errorf("%d attempts", r.Attempts)
	}
}
