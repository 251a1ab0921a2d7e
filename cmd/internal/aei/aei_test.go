package aei

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// converse runs the aei command and returns what sends it a line, and what reads from its
// output up to a line that begins with a prefix. The session ends with the test.
func converse(t *testing.T, args ...string) (send func(string), until func(prefix string) []string) {
	t.Helper()
	in, w, err := os.Pipe()
	require.NoError(t, err)
	r, out := io.Pipe()
	done := make(chan int)
	go func() {
		done <- cli.Run(context.Background(), args, cli.Terminal{In: in, Out: out, Err: os.Stderr}, Command)
		out.Close()
	}()
	lines := bufio.NewScanner(r)
	send = func(line string) { fmt.Fprintln(w, line) }
	until = func(prefix string) (all []string) {
		t.Helper()
		for lines.Scan() {
			all = append(all, lines.Text())
			if strings.HasPrefix(lines.Text(), prefix) {
				return all
			}
		}
		t.Fatalf("the output ends before %q: %q", prefix, all)
		return nil
	}
	t.Cleanup(func() {
		w.Close()
		go io.Copy(io.Discard, r)
		if code := <-done; code != cli.Holds {
			t.Errorf("exit code %d", code)
		}
		in.Close()
	})
	return send, until
}

// TestAEIGame plays a game, fast, and reads it as a record.
func TestAEIGame(t *testing.T) {
	send, until := converse(t, "--memory", "64MiB", "--threads", "2")
	send("aei\nsetoption name tcmove value 0.02\nsetoption name tcreserve value 0.1\nnewgame")
	var record strings.Builder
	for i := range boards.Sized(16, 400) {
		send("go")
		lines := until("bestmove ")
		turn := strings.TrimPrefix(lines[len(lines)-1], "bestmove ")
		fmt.Fprintf(&record, "%s %s\n", arimaa.TurnLabel(1+i/2, arimaa.Side(i%2)), turn)
		send("makemove " + turn + "\ngo ponder") // for no time at all
		if i == 0 {
			continue
		}
		g, err := notation.ReadGame("", record.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, record.String())
		}
		if g.Outcome().Over() {
			break
		}
	}
}

// TestAEIBeyond asks the real engine for a turn that wins, which is announced, for proofs and for
// several lines.
func TestAEIBeyond(t *testing.T) {
	send, until := converse(t, "--memory", "64MiB", "--threads", "1")
	send("aei\nsetposition g [                R                                r              ]\ngo")
	if got := until("bestmove "); !slices.Contains(got, "log proved: win in 1") || got[len(got)-1] != "bestmove Ra6n Ra7n" {
		t.Errorf("%q", got)
	}
	send("setposition g [r       Rr     r   E dr                    e  r        RR  RR  R]\ngo mate 2")
	lines := strings.Join(until("bestmove "), "\n")
	if !strings.Contains(lines, "\nlog proved: win in ") || strings.HasSuffix(lines, "none") || !strings.Contains(lines, "\ninfo pv ") {
		t.Error(lines)
	}
	send("go mate 1")
	if got := until("bestmove "); got[len(got)-1] != "bestmove none" || got[len(got)-2] != "log disproved: no win in 1" {
		t.Errorf("%q", got)
	}
	send("setposition g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]\ngo mate 9\nstop")
	if got := until("bestmove "); got[len(got)-1] != "bestmove none" || !strings.HasPrefix(got[len(got)-2], "log unknown: no win in 9 ") {
		t.Errorf("%q", got)
	}
	send("setoption name multipv value 3\nsetoption name depth value 4\ngo")
	lines = strings.Join(until("bestmove "), "\n")
	i := strings.LastIndex(lines, "info multipv 3\n")
	if j := strings.LastIndex(lines, "info multipv 1\ninfo depth 4\n"); i < 0 || i > j || strings.Contains(lines, "info multipv 4") {
		t.Error(lines)
	}
	send("setoption name without value probe\ngo mate 2")
	if got := until("log Error: "); got[len(got)-1] != "log Error: go: the prover is switched off" {
		t.Errorf("%q", got)
	}
}
