//go:build stress

package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/puzzles/training"
)

// TestTrainKilled kills programs that train on one file, two at a time: one as soon as it has told the
// result of an attempt, one a few results later. Each attempt whose result was told is in the record.
func TestTrainKilled(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record.json")
	// session reads so many results of attempts, which fail by a hint, and then kills the program.
	session := func(results int) (told int) {
		cmd := process(t, "goalproof", "train", "--record", record, "--memory", "64MiB", "--threads", "1")
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		go func() {
			for range 50 {
				if _, err := io.WriteString(in, "hint\nskip\n"); err != nil {
					return // it has been killed
				}
			}
		}()
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if !strings.Contains(lines.Text(), " Streak ") {
				continue
			}
			if told++; told == results {
				require.NoError(t, cmd.Process.Kill())
				for lines.Scan() { // what it has told before
					if strings.Contains(lines.Text(), " Streak ") {
						told++
					}
				}
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Error("it has ended before it was killed")
		}
		return told
	}
	const rounds = 8
	told := 0
	for round := range rounds {
		both := make(chan int, 2)
		for _, results := range []int{1, 2 + round} {
			go func() { both <- session(results) }()
		}
		told += <-both + <-both
		text, err := os.ReadFile(record)
		require.NoError(t, err)
		r, err := training.Parse(text)
		require.NoError(t, err)
		// A program may be killed between the two: then the record has one more.
		if r.Attempts < told || r.Attempts > told+2*(round+1) {
			t.Fatalf("round %d: %d attempts were told, the record has %d", round, told, r.Attempts)
		}
		tries := 0
		for i := range r.Exercises {
			tries += r.Exercises[i].Tries
		}
		if tries != r.Attempts {
			t.Errorf("round %d: %d tries, %d attempts", round, tries, r.Attempts)
		}
	}
}
