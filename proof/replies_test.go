package proof

import (
	"errors"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/proof/referee"
)

// TestTooManyReplies has a win checked with limits of as many replies as there are and of one less.
func TestTooManyReplies(t *testing.T) {
	c, _, err := ReadFile("testdata/win-in-3.txt")
	require.NoError(t, err)
	most := 0
	for _, e := range c.Entries {
		st, _ := referee.ParsePosition(e.Position)
		_, end, err := st.ReadTurn(e.Turn)
		require.NoError(t, err)
		after, err := end.Stop()
		require.NoError(t, err)
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
