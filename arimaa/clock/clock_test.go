package clock

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
)

const (
	s = time.Second
	m = time.Minute
	h = time.Hour
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Control{
		"15s/90s/100/120s/2h":  {Move: 15 * s, Reserve: 90 * s, Percent: 100, MaxReserve: 120 * s, Total: 2 * h},
		"3s/30s/100/60s/10m":   {Move: 3 * s, Reserve: 30 * s, Percent: 100, MaxReserve: 60 * s, Total: 10 * m},
		"0/2":                  {Reserve: 2 * m, Percent: 100},
		"0:30/5/75/0/4/6":      {Move: 30 * s, Reserve: 5 * m, Percent: 75, Total: 4 * h, TurnTime: 6 * m},
		":15/1:30//2:00/1:30":  {Move: 15 * s, Reserve: 90 * s, Percent: 100, MaxReserve: 2 * m, Total: 90 * m},
		"15s/30s/100/0/60t":    {Move: 15 * s, Reserve: 30 * s, Percent: 100, Turns: 60},
		"1d/30d/100/60d/0/12h": {Move: 24 * h, Reserve: 720 * h, Percent: 100, MaxReserve: 1440 * h, TurnTime: 12 * h},
		"0.1s/1m30s/0":         {Move: 100 * time.Millisecond, Reserve: 90 * s},
		"0/0/0/0/0":            {},
		"30S/2M/100/0/4H/1M5s": {Move: 30 * s, Reserve: 2 * m, Percent: 100, Total: 4 * h, TurnTime: 65 * s},
		"1D12H/3D/100/0/60T":   {Move: 36 * h, Reserve: 72 * h, Percent: 100, Turns: 60},
		"8s/10s///":            {Move: 8 * s, Reserve: 10 * s, Percent: 100},
	} {
		got, err := Parse(text)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", text, err, d)
		}
	}
}

func TestParseRefused(t *testing.T) {
	for _, text := range []string{
		"", "15s", "/", "15s/", "/15s", "a/b", "15s/90s/101", "15s/90s/-1", "15s/90s/x", "15x/90s", "-15s/90s", "s/90s",
		"15s15/90s", "3m4/90s", "1m1h/90s", "1s1s/90s", "1:60/2", "1:2:3/2", "1:/2", "1e3/2", "1E3/2", "15X/90s", "1M1H/90s", "2M/0/100/0/T", "60T/0", "15ſ/90s", "NaN/2", ".s/2", "1..5/2", "0x10/2",
		"15s/90s/100/120s/2h/6/7", "15s/90s/100/120s/xt", "15s/90s/100/120s/-1t", "15s /90s", "99999999999/2", "99999d/0",
		strings.Repeat("9", 1000) + "/2",
	} {
		c, err := Parse(text)
		if err == nil || !strings.HasPrefix(err.Error(), "time control ") || strings.Contains(err.Error(), "strconv") {
			t.Errorf("%.40q was read as %+v: %v", text, c, err)
		}
	}
}

// TestPublishedControls reads the time controls of the recorded games.
func TestPublishedControls(t *testing.T) {
	for _, file := range []string{"games/archive-2026.tsv", "games/archive-2002.tsv"} {
		for _, row := range published.Rows(t, file) {
			if _, err := Parse(row[17]); err != nil {
				t.Errorf("game %s: %v", row[0], err)
			}
		}
	}
}

// controls draws time controls with times that a game can be played in.
var controls = rapid.Custom(func(t *rapid.T) Control {
	span := func(name string, least time.Duration) time.Duration {
		if rapid.Bool().Draw(t, "no "+name) {
			return 0
		}
		return least + time.Duration(rapid.Int64Range(0, int64(3*m)).Draw(t, name))
	}
	return Control{
		Move:       span("move", 10*time.Millisecond),
		Reserve:    span("reserve", s),
		Percent:    rapid.IntRange(0, 100).Draw(t, "percent"),
		MaxReserve: span("maximum reserve", s),
		Total:      span("total", m),
		TurnTime:   span("turn time", 10*time.Millisecond),
	}
})

// judge is a clock of one player, kept the plain way: as a referee does it with a stopwatch.
type judge struct {
	c       Control
	reserve float64 // seconds
}

func (j *judge) late(used time.Duration) bool {
	u := used.Seconds()
	if j.c.TurnTime > 0 && used > j.c.TurnTime {
		return true
	}
	if j.c.Move == 0 && j.c.Reserve == 0 {
		return false
	}
	if u <= j.c.Move.Seconds() {
		j.reserve += (j.c.Move.Seconds() - u) * float64(j.c.Percent) / 100
	} else {
		j.reserve -= u - j.c.Move.Seconds()
	}
	if j.reserve < -1e-6 {
		return true
	}
	if j.c.MaxReserve > 0 {
		j.reserve = min(j.reserve, j.c.MaxReserve.Seconds())
	}
	return false
}

// TestBudgetNeverRunsOut plays games in which both sides use up every budget, and a part of what it
// keeps off the limit.
func TestBudgetNeverRunsOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := controls.Draw(t, "control")
		overrun := rapid.Float64Range(0, 0.9).Draw(t, "overrun")
		k := New(c)
		judges := [2]judge{}
		for side := range judges {
			judges[side] = judge{c, k.Reserve[side].Seconds()}
		}
		for i := range 160 {
			side := arimaa.Side(i % 2)
			_, used := k.Budget(side)
			left, limited := k.Left(side)
			if limited && (c.Move > 0 || c.Reserve == 0) { // a reserve alone pays for every overrun, and ends
				used += time.Duration(overrun * float64(min(left-used, lag)))
			}
			if limited != (used > 0) && c.Total == 0 {
				t.Fatalf("turn %d: the budget is %v, limited: %v", i, used, limited)
			}
			if limited && used > left {
				t.Fatalf("turn %d: %v used, %v left", i, used, left)
			}
			if exceeded, late := k.Charge(side, used), judges[side].late(used); exceeded || late {
				t.Fatalf("turn %d: %v took too long: by the clock %v, by the judge %v", i, used, exceeded, late)
			}
		}
	})
}

// TestChargeJudge compares the clock with the plain judge for any times, until one is late.
func TestChargeJudge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := controls.Draw(t, "control")
		k := New(c)
		j := judge{c, k.Reserve[arimaa.Gold].Seconds()}
		for range 50 {
			k.MoveUsed = time.Duration(rapid.Int64Range(0, int64(s)).Draw(t, "used before"))
			used := time.Duration(rapid.Int64Range(0, int64(2*c.Move+10*s)).Draw(t, "used"))
			if left, _ := k.Left(arimaa.Gold); max(used-left, left-used) < time.Microsecond {
				continue // too close for a judge with fractions
			}
			late := j.late(k.MoveUsed + used)
			if got := k.Charge(arimaa.Gold, used); got != late {
				t.Fatalf("%v: too late by the clock: %v, by the judge: %v", used, got, late)
			}
			if late {
				return
			}
			if d := k.Reserve[arimaa.Gold].Seconds() - j.reserve; max(d, -d) > 1e-4 && !k.Control.free() {
				t.Fatalf("the reserve is %v, by the judge %v", k.Reserve[arimaa.Gold], j.reserve)
			}
		}
	})
}

func TestCharge(t *testing.T) {
	c := Control{Move: 10 * s, Reserve: 20 * s, Percent: 50, MaxReserve: 30 * s, TurnTime: 25 * s}
	for _, test := range []struct {
		used     time.Duration
		before   time.Duration
		exceeded bool
		reserve  time.Duration
	}{
		{10 * s, 0, false, 20 * s},
		{2 * s, 0, false, 24 * s},
		{2 * s, 2 * s, false, 23 * s},
		{15 * s, 0, false, 15 * s},
		{20 * s, 6 * s, true, 4 * s}, // the turn time
		{25 * s, 0, false, 5 * s},
		{40 * s, 0, true, 0},
	} {
		t.Run(fmt.Sprint(test.used, test.before), func(t *testing.T) {
			k := New(c)
			k.MoveUsed = test.before
			if got := k.Charge(arimaa.Silver, test.used); got != test.exceeded {
				t.Errorf("exceeded: %v", got)
			}
			want := Clock{c, [2]time.Duration{20 * s, test.reserve}, 0, test.used + test.before}
			if d := cmp.Diff(want, k); d != "" {
				t.Error(d)
			}
		})
	}
	k := New(c)
	for range 10 {
		k.Charge(arimaa.Gold, 0)
	}
	if k.Reserve[arimaa.Gold] != c.MaxReserve {
		t.Errorf("the reserve has grown to %v", k.Reserve[arimaa.Gold])
	}
	k.Reset()
	if d := cmp.Diff(New(c), k); d != "" {
		t.Errorf("after Reset:\n%s", d)
	}
}

// TestBudget checks that a budget makes use of the time there is.
func TestBudget(t *testing.T) {
	for _, test := range []struct {
		control  string
		moveUsed time.Duration
		elapsed  time.Duration
		from, to time.Duration
	}{
		{"0/0/0", 0, 0, 0, 0},
		{"15s/90s/100/120s/2h", 0, 0, 18 * s, 21 * s},
		{"15s/90s/100/120s/2h", 5 * s, 0, 13 * s, 16 * s},
		{"15s/90s/100/120s/2h", 25 * s, 0, 3 * s, 5 * s},
		{"15s/90s/100/120s/2h", 0, 2*h - 10*s, 8 * s, 10 * s},
		{"15s/90s/100/120s/2h", 0, 3 * h, 1, s},
		{"15s/90s/100/120s/2h", 106 * s, 0, 1, 1},
		{"8s/0/100", 0, 0, 7 * s, 8*s - lag},
		{"0.1s/0/100", 0, 0, 40 * time.Millisecond, 60 * time.Millisecond},
		{"0/2", 0, 0, 5 * s, 7 * s},
		{"1m/10m/100/0/0/20s", 0, 0, 19 * s, 20*s - lag},
		{"0/0/0/0/0/20s", 0, 0, 19 * s, 20*s - lag},
		{"0/0/0/0/10m", 0, 0, 20 * s, m},
	} {
		c, err := Parse(test.control)
		require.NoError(t, err)
		k := New(c)
		k.MoveUsed, k.Elapsed = test.moveUsed, test.elapsed
		aim, most := k.Budget(arimaa.Gold)
		if aim < test.from || aim > test.to {
			t.Errorf("%s, %v used: %v, want %v to %v", test.control, test.moveUsed, aim, test.from, test.to)
		}
		if left, ok := k.Left(arimaa.Gold); most < aim || most > mostAims*aim || ok && most > left && left > 0 {
			t.Errorf("%s, %v used: at most %v, of %v", test.control, test.moveUsed, most, left)
		}
	}
}

// TestAdjudicate checks when a limit ends a game, and for whom.
func TestAdjudicate(t *testing.T) {
	for _, test := range []struct {
		control, position string
		number            int
		elapsed           time.Duration
		limit             string
		winner            arimaa.Side
	}{
		{"0/0", "g [R                                                              r]", 99, 9 * h, "", 0},
		{"0/0/0/0/2h", "g [R                                                              r]", 9, 2*h - 1, "", 0},
		{"0/0/0/0/2h", "g [R                                                              r]", 9, 2 * h, "the game's time is up", arimaa.Silver},
		{"0/0/0/0/2h", "s [RR                                                             r]", 9, 2 * h, "the game's time is up", arimaa.Gold},
		{"0/0/0/0/60t", "g [RR                                                             r]", 60, 0, "", 0},
		{"0/0/0/0/60t", "s [RR                                                             r]", 61, 0, "", 0},
		{"0/0/0/0/60t", "g [RR                                                             r]", 61, 0, "the game ends after turn 60", arimaa.Gold},
	} {
		c, err := Parse(test.control)
		require.NoError(t, err)
		p := boards.Parse(t, test.position)
		k := New(c)
		k.Elapsed = test.elapsed
		winner, limit, over := k.Adjudicate(arimaa.NewGame(p, test.number))
		if limit != test.limit || over != (limit != "") || over && winner != test.winner {
			t.Errorf("%s, turn %d, %v: %v, %q", test.control, test.number, test.elapsed, winner, limit)
		}
	}
}
