package answer

import "testing"

// TestBounds says which bounds leave the least number of turns open, and how.
func TestBounds(t *testing.T) {
	for b, want := range map[Bounds]struct {
		exact bool
		in    string
	}{
		{1, 0}: {true, "1"}, {3, 2}: {true, "3"}, {3, 1}: {false, "at most 3"}, {2, 0}: {false, "at most 2"},
		{0, 2}: {false, "0"}, {}: {false, "0"}, // no win, and a game that is over
	} {
		if b.Exact() != want.exact || b.In() != want.in {
			t.Errorf("%+v: exact %t, %q", b, b.Exact(), b.In())
		}
	}
}
