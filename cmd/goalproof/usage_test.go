package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
)

// TestUsageErrors checks what is said of a command line that is wrong: what to write instead, and where the help is.
func TestUsageErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	const position = "'g [                R                                r              ]'"
	for _, c := range []struct{ line, want string }{
		{"solve --win-in two x", `--win-in "two": not a whole number; write for example --win-in 2
--win-in: look for a win, or the goal, within this many turns (default: no limit)
See goalproof solve --help.`},
		{"show 'g 8/8/R7/8/8/8/1rr6/8'", "rank 2 has more than 8 squares\n  g 8/8/R7/8/8/8/1rr6/8\n" + strings.Repeat(" ", 20) + "^\n"},
		{"solve --time 5 x", `--time "5": no unit; write 5s or 5m`},
		{"solve --time soon x", `--time "soon": not a time; write for example --time 10s`},
		{"verify --claim 99999999999999999999 x", `--claim "99999999999999999999": out of range; write for example --claim 2`},
		{"solve --win-in -99999999999999999999 x", `--win-in "-99999999999999999999": out of range`},
		{"match --seed -1 a b", `--seed "-1": not a whole number of 0 or more; write for example --seed 1`},
		{"solve --quiet=maybe x", `--quiet "maybe": not true or false; write for example --quiet=true`},
		{"solve --variations=x y", `--variations "x": not a whole number; write for example --variations=5`},
		{"learn --games x", `--games "x": not a list of whole numbers; write for example --games 5000`},
		{`mine --theme '"' x`, `--theme "\"": not a list of words; write for example --theme `},
		{"solve --side blue x", `--side "blue": not gold or silver; write for example --side gold`},
		{"solve --win-in", "--win-in needs a value, such as --win-in 2"},
		{"solve --certificate", "--certificate needs a value, such as --certificate FILE"},
		{"solve --wn-in 2 x", "there is no flag --wn-in; did you mean: --win-in\nSee goalproof solve --help."},
		{"solve -win-in 2 x", "there is no flag -win-in; did you mean: --win-in"},
		{"analyze --dept 2 x", "there is no flag --dept; did you mean: --depth\nSee goalproof analyze --help."},
		{"analyze --depth x y", `--depth "x": not a whole number; write for example --depth 8`},
		{"solve --= x", "--= is no flag; write --NAME or --NAME=VALUE"},
		{"show -x", "there is no flag -x\nSee goalproof show --help."},
		{"puzzle.txt", "there is no command puzzle.txt; did you mean: goalproof solve puzzle.txt\nSee goalproof --help."},
		{"puzzle.txt --win-in 2", "there is no flag --win-in; a command comes first; did you mean: goalproof solve puzzle.txt --win-in 2"},
		{position, "did you mean: goalproof solve " + position},
		{"sovle x", "there is no command sovle; did you mean: goalproof solve\n"},
		{"store inf", "there is no command inf; did you mean: goalproof store info\nSee goalproof store --help."},
		{"endgame nonsense", "there is no command nonsense\nSee goalproof endgame --help."},
		{"completion elvish", "there is no command elvish\nSee goalproof completion --help."},
		{"match", "match needs at least two programs (0 given)\nSee goalproof match --help."},
		{"match a" + strings.Repeat(" b", 26), "match takes at most 26 programs (27 given)"},
		{"store info", "store info takes one store (0 given)\nSee goalproof store info --help."},
		{"store info a b", "store info takes one store (2 given)"},
		{"store merge a", "store merge needs at least two stores (1 given)"},
		{"mine", "mine needs at least one file of games (0 given)"},
		{"play a b", "play takes at most one input (2 given)"},
		{"learn 'a b'", "learn takes no arguments: leave out 'a b'"},
		{"completion bash x", "completion bash takes no arguments: leave out x"},
		{"help formts", "there is no help on formts; did you mean: goalproof help formats\n"},
		{"help store inf", "there is no help on inf; did you mean: goalproof help store info\n"},
		{"help nonsense", "there is no help on nonsense; goalproof help topics lists the topics\n"},
		{"\x1b[31m", "there is no command '\uFFFD[31m'; did you mean"}, {"solve --\x1b[31m", "there is no flag --\uFFFD[31m\n"},
		{"help \x1b[31m", "there is no help on \uFFFD[31m;"}, {"learn \x1b", "leave out \uFFFD\n"},
		{"solve nosuch.txt", "nosuch.txt: no such file"}, {"evaluate nosuch.txt", "nosuch.txt: no such file"},
		{"check nosuch.proof", "nosuch.proof: no such file"}, {"tree nosuch.pns", "nosuch.pns: no such file"},
		{"review nosuch", "nosuch: no such file"}, {"store info nosuch", "store nosuch: no such file"},
		{"match --openings nosuch a b", "nosuch: no such file"}, {"learn --out n --from nosuch", "--from: nosuch: no such file"},
		{"endgame stats ER-er", "there is no table of ER-er; goalproof endgame build ER-er makes it"},
	} {
		code, out, errors := said(t, words(c.line)...)
		if code != cli.BadInput || out != "" || !strings.Contains(errors, c.want) || !strings.HasPrefix(errors, "goalproof: ") {
			t.Errorf("%s: exit code %d\n%s%s\nwant %s", c.line, code, out, errors, c.want)
		}
	}
}

// words are the words of a command line, some of them in single quotes.
func words(line string) (all []string) {
	for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		all = append(all, strings.Trim(word, "'"))
	}
	return all
}

// TestRefused gives the command lines of testdata/refused.tsv, which ask for what cannot be: each
// ends with its error, and writes no file. No file that they name is there, but for the examples.
func TestRefused(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	table, err := os.ReadFile("testdata/refused.tsv")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	for row := range strings.Lines(strings.ReplaceAll(string(table), "EXAMPLES", examples)) {
		line, want, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		if line == "line" {
			continue // the first row
		}
		code, out, errors := said(t, words(line)...)
		if first, _, _ := strings.Cut(errors, "\n"); code != cli.BadInput || out != "" || first != "goalproof: "+want {
			t.Errorf("%s: exit code %d\n%s%s\nwant %s", line, code, out, errors, want)
		}
		if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
			t.Fatalf("%s: there are files: %v, %v", line, left, err)
		}
	}
}

// rawWords are those of the libraries below.
var rawWords = regexp.MustCompile(`strconv\.|parsing|time: (missing|invalid|unknown)|invalid argument|arg\(s\)|unknown (short|flag|command)|: (open|stat) \S+:|COMMAND --help`)

// TestFlagErrors gives every flag of every command a wrong value and none, and reads the values that are
// suggested.
func TestFlagErrors(t *testing.T) {
	said := func(args ...string) string {
		var errors bytes.Buffer
		code := run(t.Context(), args, cli.Terminal{In: os.Stdin, Out: &bytes.Buffer{}, Err: &errors})
		text := errors.String()
		if code != cli.BadInput || rawWords.MatchString(text) {
			t.Errorf("%v: exit code %d\n%s", args, code, text)
		}
		return text
	}
	wrong := 0
	for _, c := range everyCommand(rootCommand(cli.Terminal{})) {
		path := strings.Fields(c.CommandPath())[1:]
		c.Flags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.Type() {
			case "string", "stringArray": // any value is one, as far as the flag knows
			default:
				for _, value := range []string{"\"?", "99999999999999999999999"} {
					if f.Value.Set(value) != nil {
						wrong++
						checkSuggested(t, c, f, said(append(path, "--"+f.Name+"="+value)...))
					}
				}
			}
			if f.NoOptDefVal == "" {
				checkSuggested(t, c, f, said(append(path, "--"+f.Name)...))
			}
		})
	}
	if wrong < 100 {
		t.Errorf("%d wrong values", wrong)
	}
}

// checkSuggested checks that an error about a flag shows its usage, and that the value that it suggests is one.
func checkSuggested(t *testing.T, c *cobra.Command, f *pflag.Flag, text string) {
	t.Helper()
	_, usage := pflag.UnquoteUsage(f)
	if !strings.Contains(text, "\n--"+f.Name+": "+usage+"\nSee "+c.CommandPath()+" --help.\n") {
		t.Errorf("the usage is missing:\n%s", text)
	}
	suggested := regexp.MustCompile(`(?:write for example|such as) --` + f.Name + `[ =]('[^'\n]*'|\S+)`).FindStringSubmatch(text)
	switch {
	case suggested != nil:
		if err := f.Value.Set(strings.Trim(suggested[1], "'")); err != nil {
			t.Errorf("%v, which is suggested:\n%s", err, text)
		}
	default:
		t.Errorf("nothing is suggested:\n%s", text)
	}
}

// TestUnreadJSON checks that commands with --json write an object for an input that cannot be read, with the reason.
func TestUnreadJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	const position = "g [                R                                r              ]"
	require.NoError(t, os.WriteFile("bad.txt", []byte("g [R]\n"), 0o666))
	for _, command := range []string{"analyze --depth 1", "perft", "evaluate", "endgame show"} {
		args := append(strings.Fields(command), "--json", "nosuch.txt", "bad.txt", position)
		code, out, errors := said(t, args...)
		lines := strings.Split(out, "\n")
		if code != cli.BadInput || errors != "" || len(lines) != 4 ||
			lines[0] != `{"schema":1,"file":"nosuch.txt","position":null,"history":null,"error":"nosuch.txt: no such file or directory"}` ||
			!strings.HasPrefix(lines[1], `{"schema":1,"file":"bad.txt","position":null,"history":null,"error":"bad.txt:1:3: `) ||
			!strings.HasPrefix(lines[2], `{"schema":1,"file":"position","position":"`+position) {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out, errors)
		}
	}
}

// TestHelpTopics checks that help topics lists all topics, and nothing else.
func TestHelpTopics(t *testing.T) {
	code, out, errors := said(t, "help", "topics")
	var want strings.Builder
	for _, c := range rootCommand(cli.Terminal{}).Commands() {
		if c.IsAdditionalHelpTopicCommand() {
			fmt.Fprintf(&want, "  %-13s %s\n", c.Name(), c.Short)
		}
	}
	if code != cli.Holds || errors != "" || out != want.String() || strings.Count(out, "\n") < 10 {
		t.Errorf("exit code %d\n%s%s\nwant\n%s", code, out, errors, want.String())
	}
}
