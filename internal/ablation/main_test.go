package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"goalproof/engine"
	"goalproof/engine/evaluation"
	"goalproof/match"
)

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

// TestMeasure plays two games, and goes on from their records.
func TestMeasure(t *testing.T) {
	a := ablation{games: 2, atOnce: 2, time: 2 * time.Millisecond, record: t.TempDir()}
	first, err := a.measure(t.Context(), "material")
	if err != nil || first.Games() != 2 {
		t.Fatalf("%v: %v", first, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing is left to be played
	again, _ := a.measure(ctx, "material")
	if again != first {
		t.Errorf("%v after a new start, before %v", again, first)
	}
	if other, err := a.measure(t.Context(), "material=1.5,killers"); err != nil || other.Games() != 2 {
		t.Errorf("another weight: %v: %v", other, err)
	}
	if _, err := a.measure(t.Context(), "luck"); err == nil {
		t.Error("an engine without luck has played")
	}
	if got := row("material", match.Tally{2, 0}); !strings.HasPrefix(got, "| material | 2 | 2 | +Inf [") {
		t.Error(got)
	}
}
