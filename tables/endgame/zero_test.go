package endgame

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/require"
)

// TestZeroValues gives each function the zero value of what it takes, one at a time: work on no
// thread is no work done.
func TestZeroValues(t *testing.T) {
	ctx := t.Context()
	ts, err := Open("", 0)
	require.NoError(t, err)
	class, err := ParseClass("R-r")
	require.NoError(t, err)
	var zero arimaa.Position
	empty := arimaa.NewPosition(arimaa.Board{}, arimaa.Gold)
	inside := parse(t, "g [                                R       r                       ]").WithStepsLeft(0)
	build := func(classes []Class, o BuildOptions) func() error {
		return func() error {
			if o.Dir != "" {
				o.Dir = t.TempDir()
			}
			err := Build(ctx, classes, o)
			if o.Dir != "" {
				if files, _ := os.ReadDir(o.Dir); len(files) > 0 {
					t.Errorf("a build of %v with %+v leaves %v", classes, o, files)
				}
			}
			return err
		}
	}
	turns := func(p arimaa.Position) func() error {
		return func() error { _, err := ts.Turns(&p); return err }
	}
	best := func(p arimaa.Position) func() error {
		return func() error { _, err := ts.Best(&p, nil); return err }
	}
	verify := func(ts *Tables, c Class, o VerifyOptions) func() error {
		return func() error { _, err := ts.Verify(ctx, c, o); return err }
	}
	stats := func(ts *Tables, c Class, threads int) func() error {
		return func() error { _, err := ts.Stats(ctx, c, threads); return err }
	}
	const threads, position, table = "at least one thread", "there is no position", "there is no table"
	for _, tt := range []struct {
		function, zero, want string
		call                 func() error
	}{
		{"Build", "threads", threads, build([]Class{class}, BuildOptions{Dir: "temporary"})},
		{"Build", "threads below", threads, build([]Class{class}, BuildOptions{Dir: "temporary", Threads: -1})},
		{"Build", "directory", "no directory", build([]Class{class}, BuildOptions{Threads: 1})},
		{"Build", "classes", "no class", build(nil, BuildOptions{Dir: "temporary", Threads: 1})},
		{"Build", "class", "no class", build([]Class{class, {}}, BuildOptions{Dir: "temporary", Threads: 1})},
		{"Verify", "threads", threads, verify(ts, class, VerifyOptions{})},
		{"Verify", "class", table, verify(ts, Class{}, VerifyOptions{Threads: 1})},
		{"Verify", "tables", table, verify(nil, class, VerifyOptions{Threads: 1})},
		{"Stats", "threads", threads, stats(ts, class, 0)},
		{"Stats", "class", table, stats(ts, Class{}, 1)},
		{"Stats", "tables", table, stats(nil, class, 1)},
		{"Turns", "position", position, turns(zero)},
		{"Turns", "board", position, turns(empty)},
		{"Turns", "steps left", "start of a turn", turns(inside)},
		{"Best", "position", position, best(zero)},
		{"Best", "steps left", "start of a turn", best(inside)},
		{"Line", "position", position, func() error { _, err := ts.Line(zero); return err }},
		{"ParseClass", "text", "hyphen", func() error { _, err := ParseClass(""); return err }},
	} {
		if err := tt.call(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with no %s: the error is %v, want %q", tt.function, tt.zero, err, tt.want)
		}
	}
	for n := -1; n < 2; n++ {
		if all := Classes(n); len(all) > 0 {
			t.Errorf("there are classes of %d pieces: %v", n, all)
		}
	}
	if all := Classes(MaxPieces + 2); len(all) > 0 {
		t.Errorf("there are classes of %d pieces", MaxPieces+2)
	}
	if HistoryMatters(nil) || HistoryMatters(&arimaa.Game{}) {
		t.Error("the history of no game matters")
	}
	for n, v := range []Value{WinIn(0), LossIn(0)} {
		_, wins := v.Win()
		_, loses := v.Loss()
		if wins || loses {
			t.Errorf("value %d of no turns is a %v", n, v)
		}
	}
	if name := (Class{}).String(); name != "-" || (Class{}).Len() != 0 {
		t.Errorf("the zero class is %q", name)
	}
}

// TestNoTables asks nil and zero Tables, which know nothing.
func TestNoTables(t *testing.T) {
	p := parse(t, "g [                                R       r                       ]")
	for name, ts := range map[string]*Tables{"nil": nil, "zero": {}} {
		if _, known := ts.Probe(&p.Board, p.Side()); known || len(ts.Classes()) > 0 || ts.Bytes() > 0 || ts.Err() != nil {
			t.Errorf("%s tables know something", name)
		}
		if _, known := ts.Wins(&p.Board, arimaa.Gold, arimaa.Gold, 3); known {
			t.Errorf("%s tables know about a win", name)
		}
		if _, err := ts.Best(&p, nil); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s tables: Best: %v", name, err)
		}
		if _, err := ts.Turns(&p); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s tables: Turns: %v", name, err)
		}
		if _, err := ts.Line(p); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s tables: Line: %v", name, err)
		}
		if err := ts.Close(); err != nil {
			t.Errorf("%s tables: Close: %v", name, err)
		}
	}
}

// TestNoContext works without a context, which sets no limit.
func TestNoContext(t *testing.T) {
	var none context.Context
	class, err := ParseClass("R-r")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, Build(none, []Class{class}, BuildOptions{Dir: dir, Threads: 1}))
	ts, err := Open(dir, 1<<20)
	require.NoError(t, err)
	defer ts.Close()
	if v, err := ts.Verify(none, class, VerifyOptions{Threads: 1, Sample: 10}); err != nil || v.Positions == 0 || v.Wrong > 0 {
		t.Errorf("Verify: %+v, %v", v, err)
	}
	if s, err := ts.Stats(none, class, 1); err != nil || s.N == 0 {
		t.Errorf("Stats: %v", err)
	}
}
