//go:build stress && unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"goalproof/cluster"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// Positions without a win in four, which one machine does not find out before it asks others, and a
// cluster finds out in some seconds.
const (
	fewSeconds  = "g [        rd    E r       RR  e           C      h      C         ]"
	someSeconds = "g [     e  d      C      r     r            H       E h  R    R    ]"
)

// solve has the cluster solve a position, with more flags.
func (c *killable) solve(position string, more ...string) *asking {
	c.t.Helper()
	return c.ask(append([]string{"solve", "--quiet", "--threads", "1", "--win-in", "4", "--cluster", c.dir, position}, more...)...)
}

// answered waits until so many answers have come in a run of the cluster.
func (c *killable) answered(least int) {
	c.t.Helper()
	for end := time.Now().Add(clusterLimit); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		text, err := c.process("cluster", "status", "--json", "--cluster", c.dir).Output()
		require.NoError(c.t, err)
		var st cluster.Status
		require.NoError(c.t, json.Unmarshal(text, &st))
		for _, r := range st.Runs {
			if r.Answered >= least {
				return
			}
		}
	}
	c.t.Fatalf("there are not %d answers", least)
}

// ends waits for the end, and compares the exit code and, with patterns, what was printed and said.
func (a *asking) ends(t *testing.T, code int, out, err string) {
	t.Helper()
	if !a.over(clusterLimit) {
		t.Fatal("it does not end")
	}
	if a.code() != code || !regexp.MustCompile(out).MatchString(a.out.String()) || !regexp.MustCompile(err).MatchString(a.err.String()) {
		t.Fatalf("exit code %d:\n%s%s\nwant %d, %q and %q", a.code(), a.out.String(), a.err.String(), code, out, err)
	}
}

// TestSolveGoesOn ends a solve by a cluster with Ctrl-C, and then by its time, while no worker
// is there. The same command, whatever its --time, continues with the answers it has. The facts in
// the store are true each time.
func TestSolveGoesOn(t *testing.T) {
	facts, graph := filepath.Join(t.TempDir(), "facts"), filepath.Join(t.TempDir(), "search.graph")
	allTrue := func() {
		t.Helper()
		if code, out, errors := said(t, "store", "verify", "--sample", "50", facts); code != cli.Holds {
			t.Errorf("store verify: exit code %d:\n%s%s", code, out, errors)
		}
	}
	farm := newKillable(t, copyProgram(t), 2)
	const goesOn = `^goalproof: going on with a run that was interrupted: [1-9][0-9]* questions are answered\n`

	first := farm.solve(someSeconds, "--store", facts, "--save", graph)
	farm.answered(2)
	require.NoError(t, first.cmd.Process.Signal(os.Interrupt))
	first.ends(t, cli.Unknown, `^position: unknown \(interrupted\), no win in [23] `, "")
	allTrue()
	if code, out, errors := said(t, "tree", graph); code != cli.Holds || !strings.Contains(out, ": unknown") {
		t.Errorf("tree: exit code %d:\n%s%s", code, out, errors)
	}

	farm.kill("worker1")
	farm.kill("worker2")
	farm.solve(someSeconds, "--store", facts, "--save", graph, "--time", "20s").ends(t, cli.Unknown, `^position: unknown \(time is up\), no win in [23] `, "")

	farm.again("worker1")
	farm.again("worker2")
	farm.solve(someSeconds, "--store", facts, "--time", "10m").ends(t, cli.Fails, `^position: no win in 4 `, goesOn)
	allTrue()
	p := boards.Parse(t, someSeconds)
	if f := factsOf(t, facts)[string(p.AppendPacked(nil))]; f.RefutedUpTo != 4 {
		t.Errorf("the fact of the position is %v", f)
	}
}

// TestSolveUntrusted has workers that are not trusted refute a win: two, and one whose answers this
// machine gives again.
func TestSolveUntrusted(t *testing.T) {
	program := copyProgram(t)
	for workers, says := range map[int]string{2: "", 1: `one worker alone, and it is not trusted: this machine answers every question, too`} {
		farm := newKillable(t, program, workers)
		farm.solve(fewSeconds, "--untrusted").ends(t, cli.Fails, `^position: no win in 4 `, says)
	}
}
