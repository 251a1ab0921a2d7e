package main

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/engine"
	"goalproof/engine/evaluation"
	"goalproof/engine/match"
	"goalproof/internal/testkit/require"
)

// TestMain makes the test binary the command when it is told to.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "ablation" {
		os.Args = os.Args[1:]
		main()
		return
	}
	os.Exit(m.Run())
}

// TestEverything checks that every part and every feature is measured once, by what it is called.
func TestEverything(t *testing.T) {
	names := map[string]bool{}
	parts, off := engine.Part(0), 0
	for _, name := range everything() {
		var o engine.Options
		if err := o.Vary(name); err != nil || names[name] {
			t.Errorf("%s stands twice, or not at all: %v", name, err)
		}
		names[name] = true
		parts |= o.Without
		if o.Weights != nil {
			off++
		}
	}
	if parts&engine.Probe == 0 || parts&engine.Hybrid == 0 || parts&(parts+1) != 0 || off != int(evaluation.Features) {
		t.Errorf("the parts %v and %d features", parts, off)
	}
}

// TestMeasure plays two games, and continues from their records.
func TestMeasure(t *testing.T) {
	a := ablation{games: 2, atOnce: 2, time: 2 * time.Millisecond, record: t.TempDir()}
	first, err := a.measure(t.Context(), "material")
	if err != nil || first.Games() != 2 {
		t.Fatalf("%v: %v", first.Tally, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing is left to be played
	again, _ := a.measure(ctx, "material")
	if again.Tally != first.Tally || again.Repeats != first.Repeats {
		t.Errorf("%v after a new start, before %v", again.Tally, first.Tally)
	}
	if other, err := a.measure(t.Context(), "material=1.5,killers"); err != nil || other.Games() != 2 {
		t.Errorf("another weight: %v: %v", other.Tally, err)
	}
	if _, err := a.measure(t.Context(), "luck"); err == nil {
		t.Error("an engine without luck has played")
	}
	if got := row("material", match.Tally{2, 0}); !strings.HasPrefix(got, "| material | 2 | 2 | +Inf [") {
		t.Error(got)
	}
}

// TestFlags refuses what cannot be measured.
func TestFlags(t *testing.T) {
	for _, args := range []string{"-games 0", "-games -3", "-at-once 0", "-time 0s", "luck"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"ablation"}, strings.Fields(args)...)...)
		flag, _, _ := strings.Cut(args, " ")
		if out, err := cmd.CombinedOutput(); err == nil || strings.HasPrefix(string(out), "|") || !strings.Contains(string(out), flag) {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
	}
}

// TestSignals checks that each signal ends a measurement with the row so far.
func TestSignals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows has no signals")
	}
	// A program inherits that SIGHUP is ignored, as under nohup, but not that it is handled.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	for _, sent := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		var errors strings.Builder
		cmd := exec.CommandContext(t.Context(), os.Args[0], "ablation", "-time", "1h", "killers")
		cmd.Stderr = &errors
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		require.NoError(t, err)
		last := ""
		for rows := bufio.NewScanner(out); rows.Scan(); {
			if last = rows.Text(); strings.HasPrefix(last, "| ---") { // it plays now
				if err := cmd.Process.Signal(sent); err != nil {
					t.Error(err)
				}
			}
		}
		if err := cmd.Wait(); err == nil || !strings.HasPrefix(last, "| killers | 0 |") || errors.String() != "interrupted\n" {
			t.Errorf("%v: %v, the last row %q, %q", sent, err, last, errors.String())
		}
	}
}
