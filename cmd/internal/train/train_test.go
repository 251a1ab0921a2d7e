package train_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/train"
	"goalproof/internal/testkit/require"
	"goalproof/internal/testkit/trainee"
	"goalproof/puzzles/collection"
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
	winIn  int
	fails  string // mistakes and hints still to make at this exercise
	typed  string // the last turn
	names  []string
}

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
	p.game, p.winIn, p.fails = arimaa.NewGame(puzzle.Position, arimaa.FirstTurn), puzzle.WinIn, trainee.Plan(len(p.names))
	p.names = append(p.names, name)
}

// types answers a prompt.
func (p *person) types() {
	text := ""
	switch p.fails {
	case "hint", "solution":
		text = p.fails
	case "turn":
		text = p.turn(false)
	default:
		p.typed = p.turn(true)
		text = p.typed
	}
	p.fails = ""
	_, err := fmt.Fprintln(p.in, text)
	require.NoError(p, err)
}

// turn returns a turn that keeps the win, or one that does not.
func (p *person) turn(keeps bool) string {
	last := p.game.Last()
	return last.Notation(trainee.Turn(p, p.solver, last, p.winIn-p.game.Len()/2, keeps))
}

// line is an object of --json.
type line struct {
	Name                          string
	Solved, Clean                 bool
	Mistakes, Hints               int
	Rating, Deviation, Volatility float64
	PuzzleRating                  float64 `json:"puzzle_rating"`
	Difficulty                    float64
	ByResults                     *float64 `json:"difficulty_by_results"`
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
	p := &person{T: t, in: typing, named: map[string]training.Puzzle{}}
	for _, puzzle := range training.Collection(collection.Filter{}) {
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
	var results []trainee.Result
	lines, streak, shown := json.NewDecoder(out), 0, 0
	for i := range n {
		var l line
		require.NoError(t, lines.Decode(&l))
		how := trainee.Plan(i)
		stage := 0
		if streak++; how != "" {
			stage, streak = 1, 0
		} else if again := i - training.Between - 1; again >= 0 && trainee.Plan(again) != "" {
			stage = 2
		}
		if l.Name != p.names[i] || l.Clean != (how == "") || l.Solved != (how != "solution") || l.Streak != streak || l.Stage != stage {
			t.Errorf("attempt %d: %+v", i, l)
		}
		results = append(results, trainee.Result{Name: l.Name, Rating: l.Rating, Deviation: l.Deviation, Puzzle: l.PuzzleRating})
		if l.ByResults == nil {
			continue
		}
		shown++
		turns := float64(p.named[l.Name].WinIn - 2)
		if away := *l.ByResults - min(max(5+(l.PuzzleRating-1500)/120-turns, 0), 10); turns < 0 || !(math.Abs(away) < 1e-6) {
			t.Errorf("attempt %d: %+v: the difficulty by the results is %v", i, l, *l.ByResults)
		}
	}
	if shown == 0 {
		t.Error("there is no difficulty by the results")
	}
	if lines.More() {
		t.Error("there are more attempts")
	}
	trainee.Check(t, results)
}

// checkStats checks that the means of some theme are shown, as predicted and by the results, and
// differ.
func checkStats(t *testing.T, file string) {
	t.Helper()
	var out bytes.Buffer
	cmd := train.Command(cli.Terminal{Out: &out, Err: io.Discard})
	cmd.SetArgs([]string{"--record", file, "--stats"})
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	rows := regexp.MustCompile(`(?m)^[a-z]+(?: +\d+){4} +(\d+\.\d) +(\d+\.\d)$`).FindAllStringSubmatch(out.String(), -1)
	if !slices.ContainsFunc(rows, func(means []string) bool { return means[1] != means[2] }) {
		t.Errorf("%q in\n%s", rows, &out)
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
