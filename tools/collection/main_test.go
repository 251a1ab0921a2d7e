package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/describe"
	"goalproof/tables/endgame"
)

// TestStage checks that a stage which is interrupted, in a line as well, continues to the same file, with any number of threads.
func TestStage(t *testing.T) {
	const jobs = 20
	want := "header\n"
	for i := range jobs {
		want += fmt.Sprintln("job", i)
	}
	for _, threads := range []int{1, 3} {
		file := filepath.Join(t.TempDir(), "stage")
		broken := errors.New("broken")
		run := func(end int) error {
			s := stage[int]{file: file, header: "header", jobs: jobs, threads: threads, start: func() (int, error) { return 0, nil },
				do: func(_ context.Context, _, job int) (string, error) {
					if job == end {
						return "", broken
					}
					return fmt.Sprint("job ", job), nil
				}}
			return s.run(t.Context())
		}
		if err := run(7); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, text[:len(text)-3], 0o666))
		require.NoError(t, run(jobs))
		if text, err = os.ReadFile(file); err != nil || string(text) != want {
			t.Errorf("%d threads: %q, %v", threads, text, err)
		}
	}
}

// TestFinder looks at the last turns of a game, and proves what is found in them.
func TestFinder(t *testing.T) {
	text, err := os.ReadFile("../../examples/game.turns")
	require.NoError(t, err)
	whole, err := notation.ReadGame("game.turns", string(text))
	require.NoError(t, err)
	const turns = 4
	g := arimaa.NewGame(whole.Position(whole.Len()-turns), arimaa.FirstTurn)
	for i := range turns {
		require.NoError(t, g.Play(whole.Turn(whole.Len()-turns+i)))
	}
	f, err := newFinder()
	require.NoError(t, err)
	_, err = f.game(t.Context(), "game", g)
	require.NoError(t, err)
	if f.Looked <= turns || f.Wins[1]+f.Wins[2] == 0 {
		t.Errorf("%+v", f.counts)
	}
	var all []collection.Puzzle
	for i := range f.Candidates {
		p, err := f.Candidates[i].puzzle()
		require.NoError(t, err)
		all = append(all, p)
	}
	if len(all) == 0 {
		t.Fatal("there is no candidate")
	}
	require.NoError(t, prove(t.Context(), all, 1))
	all[0].Turns++
	if err := prove(t.Context(), all[:1], 1); err == nil {
		t.Error("a wrong claim is proved")
	}
}

// TestEndings draws puzzles from a small table and, where there is no table, by the solver, which proves them. The file is the same
// for any number of threads.
func TestEndings(t *testing.T) {
	all := []material{{"ER-r", 3, true, 1, 0}, {"ER-er", 3, false, 1, 0}}
	tables, err := openEndings(t.Context(), t.TempDir(), all, 1)
	require.NoError(t, err)
	defer tables.Close()
	run := func(threads int) string {
		file := filepath.Join(t.TempDir(), "endings.jsonl")
		s := stage[*ender]{file: file, jobs: endingJobs(all), threads: threads,
			start: func() (*ender, error) { return newEnder(tables, all) },
			do:    func(ctx context.Context, e *ender, job int) (string, error) { return e.job(ctx, 1, job) }}
		require.NoError(t, s.run(t.Context()))
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(text)
	}
	text := run(1)
	if other := run(2); other != text {
		t.Errorf("with two threads\n%swith one\n%s", other, text)
	}
	var puzzles []collection.Puzzle
	for line := range strings.Lines(text) {
		var f foundEnding
		require.NoError(t, json.Unmarshal([]byte(line), &f))
		if n := f.Sifted; n.Wins == 0 || n.Wins != n.Open+n.Several+n.Plain+n.Ordered {
			t.Errorf("%s does not add up", line)
		}
		if len(f.Candidates) != 1 {
			t.Fatalf("%d candidates in %s", len(f.Candidates), line)
		}
		p, err := f.Candidates[0].puzzle()
		require.NoError(t, err)
		if p.Turns != 3 || p.Position.Unusual() != nil {
			t.Errorf("%v: a win in %d", p.Position, p.Turns)
		}
		puzzles = append(puzzles, p)
	}
	require.NoError(t, prove(t.Context(), puzzles, 1))
}

// TestEndingsByTable compares what a table says of positions with what a solver proves.
func TestEndingsByTable(t *testing.T) {
	tables, err := endgame.Open("", 1<<20)
	require.NoError(t, err)
	defer tables.Close()
	e, err := newEnder(tables, nil)
	require.NoError(t, err)
	const n = 3
	pool, err := e.pool(t.Context(), rand.New(rand.NewPCG(1, 2)), material{"ER-r", n, true, 1, 0}, describe.InZugzwang, &sifted{})
	require.NoError(t, err)
	var met describe.Themes
	for i := 0; i < len(pool); i += 1 + len(pool)/20 {
		x := &pool[i]
		m, j, err := look(t.Context(), e.asked, x.position, n, endingNodes)
		require.NoError(t, err)
		if m == nil {
			t.Fatalf("%v: by the solver a win in %d, %d solutions", x.position, j.Least, len(j.Solutions))
		}
		solutions := e.solutions(&x.position, n, &e.turns)
		if tries := e.tries(&x.position, solutions); len(solutions) != m.Solutions || tries != m.Tries {
			t.Errorf("%v: %d solutions and %d tries, by the solver %d and %d", x.position, len(solutions), tries, m.Solutions, m.Tries)
		}
		const same = describe.Threat | describe.Quiet | describe.InZugzwang | describe.Sacrifice | describe.Capture
		if x.themes&same != m.Themes&same || (x.themes&describe.Push == 0) != (m.Themes&(describe.Push|describe.Pull) == 0) {
			t.Errorf("%v: %v, by the solver %v", x.position, x.themes, m.Themes)
		}
		met |= x.themes
	}
	if want := describe.Threat | describe.Quiet; met&want != want {
		t.Errorf("the themes that were met are %v", met)
	}
}

// TestSift checks which puzzles are trivial, that of one idea the one that was picked is left, and that what is rare is chosen
// first.
func TestSift(t *testing.T) {
	read := func(turns int, position, solution, themes, idea string) collection.Puzzle {
		c := candidate{Position: position, Turns: turns, Solution: solution, Themes: themes, Tries: 1}
		p, err := c.puzzle()
		require.NoError(t, err)
		p.Idea = idea
		return p
	}
	board := func(pieces string) string { return fmt.Sprintf("g [%-56sCD    DC]", pieces) }
	empty := strings.Repeat(" ", 8)
	march := read(1, board(empty+empty+empty+empty+"R      r"), "Ra4n Ra5n Ra6n Ra7n", "goal", "")
	push := read(1, board(empty+"  E     "+empty+"       r"+"R"), "Ec7w Eb7w Ra4n Ra5n", "push, goal", "")
	short := read(1, board(empty+" R     "+empty+"r"), "Rb7n", "goal", "")
	threat := read(2, board(empty+empty+empty+empty+"R      r"), "Ra4n Ra5n", "threat, goal", "")
	quiet := read(2, board(empty+empty+empty+empty+"R      r"), "Ra4n Ra5n", "quiet", "")
	walk := read(2, board(empty+empty+empty+empty+"R      r"), "Ra4n Ra5n Ra6e", "threat, goal", "")
	loose := read(2, board(empty+"  E     "+empty+"       r"+"R"), "Ec7w Eb7w Ra4n", "threat, push, goal", "")
	tight := loose
	loose.Mined.Solutions = manyWinning
	for name, test := range map[string]struct {
		p    collection.Puzzle
		want bool
	}{"a march": {march, true}, "a push": {push, false}, "one step": {short, true}, "a plain threat": {threat, true}, "a quiet turn": {quiet, false},
		"a walk": {walk, true}, "a loose turn": {loose, true}, "with one winning turn": {tight, false}} {
		if got := trivial(&test.p); got != test.want {
			t.Errorf("%s: trivial %t", name, got)
		}
	}
	mirrored := read(1, board(empty+"     E  "+empty+"r      "+"        R"), "Ef7e Eg7e Rh4n Rh5n", "push, goal", "A sentence.")
	var s sieves
	left := sift([]collection.Puzzle{push, march, mirrored, quiet}, &s)
	if len(left) != 2 || left[0].Idea == "" || left[1].Themes != describe.Quiet {
		t.Errorf("%d are left: %+v", len(left), left)
	}
	if chosen := choose(left, 1); len(chosen) != 1 || chosen[0].Idea == "" || chosen[0].Number != 1 {
		t.Errorf("not the picked one is chosen: %+v", chosen)
	}
}
