package proof

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"goalproof/internal/testkit/boards"
	"goalproof/proof/referee"
)

// TestTooManyReplies has a win checked with limits of as many replies as there are and of one less.
func TestTooManyReplies(t *testing.T) {
	c, err := ReadFile("testdata/win-in-3.txt")
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, e := range c.Entries {
		st, _ := referee.ParsePosition(e.Position)
		_, end, err := st.ReadTurn(e.Turn)
		if err != nil {
			t.Fatal(err)
		}
		after, err := end.Stop()
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, referee.Distinct(after))
	}
	if err := c.check(t.Context(), nil, most); err != nil {
		t.Errorf("%d replies are allowed: %v", most, err)
	}
	err = c.check(t.Context(), nil, most-1)
	var hole *Hole
	if !errors.Is(err, ErrTooManyReplies) || errors.As(err, &hole) || !strings.HasPrefix(err.Error(), "line ") {
		t.Errorf("%d replies are allowed: %v", most-1, err)
	}
}

// TestMemory has a win checked after whose turn there are more replies than are looked at, and all that are have an
// answer.
func TestMemory(t *testing.T) {
	if !boards.Large {
		t.Skip("skipped without the tag large: a million replies take ten seconds")
	}
	c, err := ReadFile("testdata/million.proof")
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := c.Check(t.Context(), nil); !errors.Is(err, ErrTooManyReplies) {
		t.Errorf("the error is %v", err)
	}
	runtime.ReadMemStats(&after)
	const limit = 300 << 20
	if grown := after.HeapSys - before.HeapSys; after.HeapSys > before.HeapSys && grown > limit {
		t.Errorf("the heap has grown by %d MB", grown>>20)
	} else {
		t.Logf("the heap has grown by %d MB", grown>>20)
	}
}
