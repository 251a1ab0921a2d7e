//go:build stress

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// TestMatchInterrupted interrupts a match while games are played, continues it, and compares the
// records with those of one that was not interrupted.
func TestMatchInterrupted(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	link := filepath.Join(t.TempDir(), "goalproof") // testscript.Main runs a command by its name
	require.NoError(t, os.Symlink(exe, link))
	program := fmt.Sprintf(`"%s" aei --memory 64MiB threads=1`, link)
	play := func(dir, until string) (code int, out string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r, w := io.Pipe()
		done := make(chan int)
		go func() {
			args := []string{"match", "--games", "5", "--at-once", "2", "--depth", "1", "--turns", "6", "--record", dir, program, program}
			code := run(ctx, args, cli.Terminal{In: os.Stdin, Out: w, Err: io.Discard})
			w.Close()
			done <- code
		}()
		for s := bufio.NewScanner(r); s.Scan(); {
			out += s.Text() + "\n"
			if until != "" && strings.HasPrefix(s.Text(), until) {
				cancel()
			}
		}
		return <-done, out
	}
	whole, parts := t.TempDir(), t.TempDir()
	if code, out := play(whole, ""); code != cli.Holds {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	code, out := play(parts, "game 2: ")
	if code != cli.Unknown || strings.Contains(out, "\n5 of 5 games in ") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	if code, out := play(parts, ""); code != cli.Holds || !strings.Contains(out, " games are recorded: ") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	for _, name := range []string{"games.tsv", "0002.txt", "0003.txt", "0005.txt"} {
		want, err := os.ReadFile(filepath.Join(whole, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(parts, name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
		}
	}
}
