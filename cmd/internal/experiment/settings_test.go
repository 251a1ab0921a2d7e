package experiment

import (
	"strings"
	"testing"

	"goalproof/cmd/internal/search"
	"goalproof/internal/memory"
	"goalproof/internal/testkit/require"
	"goalproof/tables"
	"goalproof/tools/experiment"
)

// TestExperimentTables reads the parameters of the tables of dfpns.
func TestExperimentTables(t *testing.T) {
	grid, err := experiment.ParseGrid([]string{"proof-table=64KiB", "transposition-table=1000", "scheme=two-level"})
	require.NoError(t, err)
	settings, _, err := searches(grid)
	require.NoError(t, err)
	if o := settings[0].Options(); o.ProofTable != 64<<10 || o.TranspositionTable != 1000 || o.Scheme != tables.TwoLevel {
		t.Errorf("%+v", o)
	}
	for _, bad := range [][]string{
		{"scheme=best"}, {"proof-table=x"}, {"proof-table=0"}, {"transposition-table=-1"}, {"proof-table=1GiB", "memory=64MiB"},
		{"algorithm=pns", "scheme=newer"},
	} {
		grid, err := experiment.ParseGrid(bad)
		if err == nil {
			_, _, err = searches(grid)
		}
		if err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestLimitMemory checks that searches side by side do not get more memory than there is.
func TestLimitMemory(t *testing.T) {
	total := memory.Machine()
	if total == 0 {
		t.Skip("the system does not say how much memory it has")
	}
	settings := []search.Cell{{Memory: 1 << 20}, {Memory: total/2 + 1}}
	if err := limitMemory(settings, 2); err == nil || !strings.HasPrefix(err.Error(), "2 searches at a time with ") {
		t.Errorf("error %v", err)
	}
}

// TestPortion checks percentages of marks up to the greatest that the flag takes.
func TestPortion(t *testing.T) {
	for _, c := range []struct{ value, of, want string }{
		{"40", "100", "40"}, {"50%", "99", "49"}, {"50%", "99999999999", "49999999999"},
		{"100%", "9223372036854775807", "9223372036854775807"},
	} {
		if got, err := portion(c.value, c.of); err != nil || got != c.want {
			t.Errorf("%s of %s: %s, %v, want %s", c.value, c.of, got, err, c.want)
		}
	}
}
