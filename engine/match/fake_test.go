package match

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/engine/aei"
	"goalproof/engine/player"
	"goalproof/internal/testkit/require"
)

// Programs to play against are the test binary again, which then runs one of the fakes instead of
// tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "fake" {
		if fakes[os.Args[2]] != nil {
			broken(os.Args[2])
		} else if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Set("test.parallel", "4") // tests wait for programs more than they compute
	os.Exit(m.Run())
}

// fake returns the command of a fake.
func fake(which string, options ...Option) Command {
	return Command{Args: []string{os.Args[0], "fake", which}, Options: options}
}

// fakes are programs that do as they should until they are told to go, and this then. (All other
// names are programs that play.)
var fakes = map[string]func(in *bufio.Scanner){
	"crash": func(*bufio.Scanner) {
		fmt.Fprintln(os.Stderr, "starting\npanic: out of book")
		os.Exit(3)
	},
	"close": func(in *bufio.Scanner) {
		os.Stdout.Close()
		wait()
	},
	"hang":      func(*bufio.Scanner) { wait() },
	"late":      func(in *bufio.Scanner) { in.Scan(); fmt.Println("bestmove Ra6n Ra7n") },
	"illegal":   func(*bufio.Scanner) { fmt.Println("bestmove Ra6s") },
	"unchanged": func(*bufio.Scanner) { fmt.Println("bestmove Ch1n Ch2s") },
	"captures":  func(*bufio.Scanner) { fmt.Println("bestmove Ra6n ra7x") },
	"pass":      func(*bufio.Scanner) { fmt.Println("bestmove pass") },
	"nothing":   func(*bufio.Scanner) { fmt.Println("bestmove") },
	"foreign":   func(*bufio.Scanner) { fmt.Println("bestmove Ra6n\ufeffRa7n") },
	"junk":      func(*bufio.Scanner) { fmt.Println("Segmentation imminent!") },
	"twice":     func(*bufio.Scanner) { fmt.Println("readyok\nbestmove Ra6n Ra7n") },
	"long":      func(*bufio.Scanner) { fmt.Println(strings.Repeat("x", 1<<17)) },
	"flood": func(*bufio.Scanner) {
		for {
			fmt.Println("info depth 1")
		}
	},
	"endless": func(*bufio.Scanner) {
		for {
			fmt.Print("bestmove ")
		}
	},
	"double":  func(*bufio.Scanner) { fmt.Println("bestmove Ra6n\nbestmove Ra7n") },
	"resign":  func(*bufio.Scanner) { fmt.Println("log Warning: no hope\nbestmove resign") },
	"hashing": func(*bufio.Scanner) { fmt.Println("bestmove resign") },
	"less":    func(*bufio.Scanner) { fmt.Println("bestmove resign") },
	"stays":   func(*bufio.Scanner) { leaveGroup(); wait() },
	"leaves output": func(*bufio.Scanner) {
		leave(func(child *exec.Cmd) { child.Stdout = os.Stdout })
	},
	"leaves errors": func(*bufio.Scanner) {
		leave(func(child *exec.Cmd) { child.Stderr = os.Stderr })
	},
}

// leave ends a fake, and leaves a child behind that holds some of its files, and waits for quit.
func leave(holds func(child *exec.Cmd)) {
	child := exec.Command(os.Args[0], "fake", "hang")
	child.Stdin = os.Stdin
	holds(child)
	if err := child.Start(); err != nil {
		fmt.Println(err)
	}
	fmt.Fprintln(os.Stderr, "panic: out of book")
	os.Exit(3)
}

// warnings are what fakes log at isready.
var warnings = map[string]string{
	"hashing": "log Warning: hashing with huge pages is off\n",
	"less":    "log Warning: hash: 9 MB of 10\n",
}

// broken is a session up to go.
func broken(which string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		switch in.Text() {
		case "aei":
			fmt.Println("protocol-version 1\nid name broken\nid version 7\naeiok")
		case "isready":
			fmt.Print(warnings[which] + "readyok\n")
		case "go":
			fakes[which](in)
		case "quit":
			return
		}
	}
}

// serve is a session of a program that plays.
func serve() error {
	return aei.Serve(context.Background(), os.Stdin, os.Stdout, aei.Config{
		Version:  "1",
		Settings: player.Settings{Threads: 1, Memory: 1 << 20},
		Check: func(s player.Settings) error {
			if s.Threads > 8 {
				return errors.New("too many threads")
			}
			return nil
		},
		New:    func(player.Settings) (player.Player, error) { return first{}, nil },
		Random: rand.New(rand.NewPCG(1, 2)),
	})
}

// first is an engine that plays the turn that is listed first of those with the fewest steps, or
// wins.
type first struct{}

func (first) Forget() {}

func (first) Search(_ context.Context, g *arimaa.Game, _ engine.Limits, _ func(engine.Report)) (r engine.Report, err error) {
	p := g.Last()
	var turns arimaa.Generator
	for i := range turns.Generate(&p) {
		t := turns.Turn(i)
		after, _ := p.Try(t)
		if wins := after.Ended(p.Side()).Winner == p.Side() && after.Ended(p.Side()).Over(); !wins && r.Turn.Len() > 0 || g.At(g.Len()).Play(t) != nil {
			continue
		} else if r.Turn = t; wins {
			break
		}
	}
	return r, nil
}

// program makes players from a command.
func program(c Command, l Limits) func() (Player, error) {
	return func() (Player, error) { return NewProgram(c, l), nil }
}

// one plays one game between two programs; the first has Gold.
func one(t *testing.T, gold, silver Command, opening *arimaa.Game, r Rules) Result {
	t.Helper()
	m := Match{
		New:      []func() (Player, error){program(gold, Limits{Control: r.Control}), program(silver, Limits{Control: r.Control})},
		Openings: func(int) *arimaa.Game { return opening }, Rules: r, Games: 1, AtOnce: 1,
	}
	for p, err := range m.Run(t.Context(), &Standing{}) {
		require.NoError(t, err)
		return p.Result
	}
	t.Fatal("no game")
	return Result{}
}

// setups1 are openings.
var setups1 = sync.OnceValue(func() Openings { return Setups(1) })

// wait lets a fake do nothing for longer than any test takes.
func wait() { time.Sleep(time.Hour) }

// opening begins a game from a board, with Gold to move.
func opening(t testing.TB, board string) *arimaa.Game {
	t.Helper()
	all, err := notation.ReadPositions("", "2g\n"+board)
	require.NoError(t, err)
	return arimaa.NewGame(all[0].Position, 2)
}

// quick is a time control that no fake needs.
var quick = clock.Control{Move: 100 * time.Millisecond, Percent: 100}
