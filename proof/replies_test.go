package proof

import (
	"errors"
	"strings"
	"testing"

	"goalproof/proof/referee"
)

// TestTooManyReplies has a win checked with limits of as many replies as there are and of one less.
func TestTooManyReplies(t *testing.T) {
	c, _, err := ReadEither("testdata/win-in-3.txt")
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
