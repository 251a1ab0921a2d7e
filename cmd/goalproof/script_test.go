package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"github.com/rogpeppe/go-internal/testscript"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

func TestMain(m *testing.M) {
	testscript.Main(m, programs)
}

// programs are the parts that the test binary plays when it is called by these names.
var programs = map[string]func(){"goalproof": runLittle, "goalproof-logs": runLogs}

// runLittle is the program with [little] memory, unless tests are large.
func runLittle() {
	if !boards.Large {
		os.Args = append(os.Args[:1], little(os.Args[1:])...)
	}
	main()
}

// little gives a command that searches little memory, unless its flags choose the memory or the
// nodes: large tables often take longer to clear than the search lasts.
func little(args []string) []string {
	chosen := func(arg string) bool { return strings.HasPrefix(arg, "--memory") || strings.HasPrefix(arg, "--nodes") }
	if len(args) == 0 || !slices.Contains([]string{"analyze", "compose", "defend", "mine", "play", "review", "solve", "train", "verify"}, args[0]) ||
		slices.ContainsFunc(args, chosen) {
		return args
	}
	return slices.Insert(slices.Clone(args), 1, "--memory", "64MiB")
}

// TestScripts runs the command tests in testdata/script. The command "exits N" after a
// command line checks the exit code, which testscript alone does not.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "large" {
				return boards.Large, nil
			}
			return false, fmt.Errorf("there is no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 {
					ts.Fatalf("usage: exits CODE COMMAND ARG...")
				}
				want, err := strconv.Atoi(args[0])
				if err != nil {
					ts.Fatalf("%v", err)
				}
				got := 0
				var failed *exec.ExitError
				if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
					got = failed.ExitCode()
				} else if err != nil {
					ts.Fatalf("%v", err)
				}
				if got != want {
					ts.Fatalf("exit code %d, want %d", got, want)
				}
			},
		},
	})
}

// opening is a position without a win for far longer than anyone waits.
const opening = "g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"

// checkInterrupted checks what an interrupted search says.
func checkInterrupted(t *testing.T, code int, out string, waited time.Duration) {
	t.Helper()
	if code != cli.Unknown {
		t.Errorf("exit code %d, want %d", code, cli.Unknown)
	}
	if !strings.Contains(out, "Unknown: interrupted while looking for a win in") {
		t.Errorf("what is known is missing:\n%s", out)
	}
	if waited > 5*time.Second { // in fact a few milliseconds; machines stall
		t.Errorf("stopped after %v", waited)
	}
}

// TestCancel checks that a cancelled search stops at once and says what it knows.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var stopped time.Time
	time.AfterFunc(300*time.Millisecond, func() {
		stopped = time.Now()
		cancel()
	})
	var out, errors bytes.Buffer
	code := run(ctx, little([]string{"solve", "--win-in", "9", opening}), cli.Terminal{In: os.Stdin, Out: &out, Err: &errors})
	checkInterrupted(t, code, out.String(), time.Since(stopped))
}

// TestLostOutput checks that an answer that cannot be written is an error.
func TestLostOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full to write to: ", err)
	}
	defer full.Close()
	position := "g [                R                                r              ]"
	for _, args := range [][]string{
		{"solve", position}, {"solve", "--json", position}, {"solve", "--quiet", position},
		{"show", position}, {"perft", position}, {"perft", "--json", position}, {"--help"},
		{"verify", "--json", "../../examples/win-in-2.txt"}, {"verify", "--all", "../../examples/win-in-2.txt"},
	} {
		var errors bytes.Buffer
		code := run(t.Context(), little(args), cli.Terminal{In: os.Stdin, Out: full, Err: &errors})
		if code != cli.Internal || !strings.Contains(errors.String(), "the output could not be written") {
			t.Errorf("%v: exit code %d, want %d\n%s", args, code, cli.Internal, errors.String())
		}
	}
}

// TestPublishedPuzzles solves the published puzzles by the command: all are decided, and
// each is won in as many turns as its name says.
func TestPublishedPuzzles(t *testing.T) {
	dir := published.Dir(t)
	code, out, errors := said(t, "solve", "--quiet", filepath.Join(dir, "puzzles"))
	if code != cli.Holds {
		t.Errorf("exit code %d, want %d\n%s%s", code, cli.Holds, out, errors)
	}
	for _, want := range []string{
		"puzzle1-one-move.txt: win in 1: ", "puzzle3-one-move.txt: win in 1: ",
		"puzzle5-two-moves.txt: win in 2: ", "puzzle6-two-moves.txt: win in 2: ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
}

// put writes lines to a file.
func put(t *testing.T, name string, lines []string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	return name
}

// TestDefaultMemory solves with the memory that the program takes by default.
func TestDefaultMemory(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"solve", "--quiet", "--win-in", "1", quickWin}, cli.Terminal{In: os.Stdin, Out: &out, Err: &errs})
	if code != cli.Holds || errs.Len() > 0 {
		t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
	}
}
