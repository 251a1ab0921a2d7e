//go:build stress

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
)

// quick returns positions that take little time, few of them none.
func quick(t *testing.T, count int) (all []string) {
	t.Helper()
	drawn := boards.Position()
	for i := 0; len(all) < count; i++ {
		p, err := notation.ParsePosition(drawn.Example(i))
		if err == nil && p.Unusual() == nil && p.Occupied().Len() > 6 {
			all = append(all, p.String())
		}
	}
	return all
}

// verdictOf is the verdict about a position: a win in least turns, or none in refuted.
type verdictOf struct {
	File           string
	Name           string
	Verdict        string
	Least, Refuted int
	Nodes          uint64
}

func parseVerdicts(t *testing.T, lines []string) (all []verdictOf) {
	t.Helper()
	for _, line := range lines {
		var v verdictOf
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, v)
	}
	return all
}

// quiet reads a line of solve --quiet.
var quiet = regexp.MustCompile(`:(\d+): (win|no win) in (\d+)`)

// printed returns the positions of a set about which something was printed, and their verdicts.
func printed(t *testing.T, form string, set, lines []string) (positions []string, verdicts []verdictOf) {
	t.Helper()
	if form == "quiet" {
		for _, line := range lines {
			m := quiet.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("what does it say? %q", line)
			}
			v := verdictOf{Name: m[1], Verdict: map[string]string{"win": "proved", "no win": "disproved"}[m[2]]}
			v.Least, _ = strconv.Atoi(m[3])
			verdicts = append(verdicts, v)
		}
	} else {
		verdicts = parseVerdicts(t, lines)
	}
	number := regexp.MustCompile(`\d+$`)
	for _, v := range verdicts {
		n, err := strconv.Atoi(number.FindString(v.Name + v.File))
		if v.Name != "" {
			n, err = strconv.Atoi(number.FindString(v.Name))
		}
		if err != nil || n < 1 || n > len(set) {
			t.Fatalf("which position? %+v", v)
		}
		positions = append(positions, set[n-1])
	}
	return positions, verdicts
}

// TestPrintedIsDurable kills a command at random moments, most of them just when a verdict has been printed. Every
// verdict that was printed is answered by the store afterwards, without a search.
func TestPrintedIsDurable(t *testing.T) {
	kills := boards.Sized(1, 10)
	set := quick(t, 600)
	for form, args := range map[string][]string{
		"quiet":  {"solve", "--quiet", "--win-in", "2", "--threads", "1"},
		"json":   {"solve", "--json", "--win-in", "2", "--threads", "2"},
		"verify": {"verify", "--json", "--claim", "2", "--threads", "2"},
	} {
		t.Run(form, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(len(form)), 7))
			searched := 0
			for range kills {
				dir := t.TempDir()
				facts := filepath.Join(dir, "facts")
				args := append(slices.Clone(args), "--memory", "64MiB", "--store", facts, put(t, filepath.Join(dir, "set.txt"), set))
				lines := killed(t, args, 50+random.IntN(len(set)/4), time.Duration(random.IntN(3)*random.IntN(20_000))*time.Microsecond)
				positions, verdicts := printed(t, form, set, lines)
				searched += answered(t, dir, facts, positions, verdicts)
			}
			if searched < 5*kills {
				t.Errorf("%d of the verdicts took a search: too few to say much", searched)
			}
		})
	}
}

// killed runs a command until it has written this number of lines, and a while longer, kills it, and returns all lines that it has
// written.
func killed(t *testing.T, args []string, after int, longer time.Duration) (lines []string) {
	t.Helper()
	cmd := process(t, "goalproof", args...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	require.NoError(t, cmd.Start())
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break // the last line may have been cut
		}
		if lines = append(lines, strings.TrimSuffix(line, "\n")); len(lines) == after {
			time.Sleep(longer)
			require.NoError(t, cmd.Process.Kill())
		}
	}
	err = cmd.Wait() // on a busy machine it may have come to its end
	if code := cmd.ProcessState.ExitCode(); code > cli.Fails || errors.Len() > 0 {
		t.Fatalf("%v\n%s", err, errors.String())
	}
	return lines
}

// answered asks a store about positions. It checks that the verdicts are the same, and that none takes a search: one node
// for each number of turns. It returns how many of them take one without the store.
func answered(t *testing.T, dir, facts string, positions []string, verdicts []verdictOf) (searched int) {
	t.Helper()
	ask := func(args ...string) []verdictOf {
		args = append([]string{"solve", "--json", "--win-in", "2", "--memory", "64MiB", "--threads", "1"}, args...)
		code, out, errors := said(t, append(args, put(t, filepath.Join(dir, "printed.txt"), append(positions, positions[0])))...)
		if code > cli.Fails {
			t.Fatalf("exit code %d\n%s", code, errors)
		}
		return parseVerdicts(t, strings.Split(strings.TrimSpace(out), "\n"))
	}
	bare := ask()
	for i, got := range ask("--store", facts)[:len(verdicts)] {
		want := verdicts[i]
		if got.Verdict != want.Verdict || got.Verdict == "proved" && got.Least != want.Least || bare[i].Verdict != want.Verdict {
			t.Errorf("%s: %+v, it was %+v", positions[i], got, want)
		}
		if got.Nodes > uint64(max(got.Least, got.Refuted)) {
			t.Errorf("%s: number %d of %d that were printed took %d nodes again", positions[i], i+1, len(verdicts), got.Nodes)
		}
		if bare[i].Nodes > uint64(max(got.Least, got.Refuted)) {
			searched++
		}
	}
	return searched
}
