package aei

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
)

// converse runs the aei command and returns what sends it a line, and what reads from its
// output up to a line that begins with a prefix. The session ends with the test.
func converse(t *testing.T, args ...string) (send func(string), until func(prefix string) []string) {
	t.Helper()
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
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

// TestAEIWin checks that a proved win is announced and played.
func TestAEIWin(t *testing.T) {
	send, until := converse(t, "--memory", "64MiB", "--threads", "1")
	send("aei\nsetoption name depth value 4\nsetposition g [                R                                r              ]\ngo")
	lines := until("bestmove ")
	if all := strings.Join(lines, "\n"); !strings.Contains(all, "\nlog proved: win in 1\n") || !strings.HasSuffix(all, "\nbestmove Ra6n Ra7n") {
		t.Error(all)
	}
}

// TestAEIGame plays a game, fast, and reads it as a record.
func TestAEIGame(t *testing.T) {
	send, until := converse(t, "--memory", "64MiB", "--threads", "2")
	send("aei\nsetoption name tcmove value 0.02\nsetoption name tcreserve value 0.1\nnewgame")
	var record strings.Builder
	for i := range 80 {
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
