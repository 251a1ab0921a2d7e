package match

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/engine"
)

// The side to move wins the race; is ahead; is not; and can capture the last enemy rabbit.
const (
	race = `
|........|
|........|
|R.x..x..|
|.......r|
|........|
|..x..x..|
|........|
|.......C|`
	ahead = `
|r.......|
|........|
|..x..x..|
|........|
|...E.e..|
|..x..x..|
|........|
|C......R|`
	equal = `
|r.......|
|........|
|..x..x..|
|........|
|...E...e|
|..x..x..|
|........|
|.......R|`
	trapped = `
|........|
|........|
|Erx..x..|
|........|
|....e...|
|..x..x..|
|........|
|.......R|`
)

// TestFailures plays against programs that do what they must not: the game is lost, and the result
// says how.
func TestFailures(t *testing.T) {
	for which, want := range map[string]string{
		"crash":     `crash: exit status 3, "panic: out of book"`,
		"close":     "crash: it has closed its output",
		"hang":      "hang: no bestmove: context deadline exceeded",
		"flood":     "hang: no bestmove: context deadline exceeded",
		"late":      "time: no turn within 100ms",
		"illegal":   "illegal: turn 2g, Ra6s: ",
		"unchanged": "illegal: turn 2g, Ch1n Ch2s: the turn may not end here: it must change the board",
		"captures":  "illegal: turn 2g, Ra6n ra7x: ra7x: the step before it does not capture that piece",
		"pass":      `junk: turn 2g, "pass": these are no steps`,
		"nothing":   `junk: turn 2g, "": these are no steps`,
		"foreign":   "junk: turn 2g, ",
		"junk":      `junk: not a message that belongs here: "Segmentation imminent!"`,
		"twice":     `junk: not a message that belongs here: "readyok"`,
		"long":      "junk: not a message that belongs here: a line of more than 65536 bytes",
		"resign":    "resignation",
	} {
		t.Run(which, func(t *testing.T) {
			t.Parallel()
			r := one(t, fake(which), fake("plays"), opening(t, race), Rules{Control: quick})
			f := Failure{r.Ending, r.Detail}
			if r.Winner != arimaa.Silver || !strings.HasPrefix(f.Error(), want) {
				t.Errorf("%v wins, %v; want %s", r.Winner, &f, want)
			}
			if r.Game.Len() != 0 {
				t.Errorf("turns were played:\n%s", r.Game.Turns())
			}
		})
	}
}

// TestFailureLater checks that Silver loses, too, after a good turn of Gold.
func TestFailureLater(t *testing.T) {
	t.Parallel()
	r := one(t, fake("plays"), fake("crash"), Setups(1)(0), Rules{})
	if r.Winner != arimaa.Gold || r.Ending != Crash || r.Game.Len() != 1 {
		t.Errorf("%+v", r)
	}
}

// TestOutcomes checks results by rule.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name, position string
		rules          Rules
		winner         arimaa.Side
		ending         Ending
		turns          int
	}{
		{"goal", race, Rules{Turns: 9}, arimaa.Gold, Goal, 1},
		{"pieces", ahead, Rules{Turns: 2}, arimaa.Gold, Score, 2},
		{"equal", equal, Rules{Turns: 3}, arimaa.Silver, Score, 4},
		{"control", equal, Rules{Turns: 9, Control: engine.Control{Turns: 3}}, arimaa.Silver, Score, 4},
		{"time", ahead, Rules{Control: engine.Control{Total: 1}}, arimaa.Gold, Score, 1},
		{"elimination", trapped, Rules{Turns: 9}, arimaa.Gold, Elimination, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := one(t, fake("a"), fake("b"), opening(t, c.position), c.rules)
			if r.Winner != c.winner || r.Ending != c.ending || r.Game.Len() != c.turns {
				t.Errorf("%v wins by %s after %d turns\n%s", r.Winner, r.Ending, r.Game.Len(), r.Game.Turns())
			}
		})
	}
}

// TestOwnSetups lets the programs set up, or fail to.
func TestOwnSetups(t *testing.T) {
	t.Parallel()
	r := one(t, fake("a"), fake("b"), nil, Rules{Turns: 2})
	if r.Ending != Score || r.Game.Len() != 2 {
		t.Errorf("%+v", r)
	}
	for which, want := range map[string]Ending{"illegal": Illegal, "crash": Crash, "resign": Illegal} {
		if r := one(t, fake("a"), fake(which), nil, Rules{}); r.Ending != want || r.Winner != arimaa.Gold {
			t.Errorf("%s: %+v", which, r)
		}
	}
}

// TestCheck checks what is said before a match about programs that cannot play it.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command Command
		limits  Limits
		want    string
	}{
		{fake("plays"), Limits{Depth: 4}, ""},
		{fake("plays", Option{"threads", "2"}), Limits{}, ""},
		{fake("plays"), Limits{Nodes: 100}, ""},
		{fake("plays"), Limits{Nodes: 1 << 40}, `option nodes of `},
		{fake("plays", Option{"threads", "99"}), Limits{}, "too many threads"},
		{fake("plays", Option{"contempt", "3"}), Limits{}, `there is no option "contempt"`},
		{Command{Args: []string{"/no/such/program"}}, Limits{}, "no such file"},
		{Command{Args: []string{os.Args[0], "-test.run", "^$"}}, Limits{}, "PASS"}, // what it prints
	} {
		name, err := NewProgram(c.command, c.limits).Check(t.Context())
		switch {
		case c.want == "" && (err != nil || name != "goalproof 1"):
			t.Errorf("%v: %q, %v", c.command, name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v: %v, want %s", c.command, err, c.want)
		}
	}
}

// TestInterrupted checks that a match ends at once, and without a result, while a program thinks.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	m := Match{
		New:      [2]func() (Player, error){program(fake("hang"), Limits{}), program(fake("hang"), Limits{})},
		Openings: Setups(1), Games: 4, AtOnce: 2,
	}
	time.AfterFunc(300*time.Millisecond, cancel)
	start := time.Now()
	for p, err := range m.Run(ctx, 0) {
		if err == nil || ctx.Err() == nil {
			t.Errorf("game %d: %v: %v", p.Number, p.Result, err)
		}
	}
	if took := time.Since(start); took > Patience/10 {
		t.Errorf("it took %v", took)
	}
}

// TestClock checks that a player's reserve is what the turns have left of it, and that who exceeds
// it loses.
func TestClock(t *testing.T) {
	t.Parallel()
	control := engine.Control{Move: 50 * time.Millisecond, Reserve: 100 * time.Millisecond, Percent: 100}
	slow := &sleeper{sleep: 90 * time.Millisecond}
	m := Match{
		New:      [2]func() (Player, error){func() (Player, error) { return slow, nil }, func() (Player, error) { return &sleeper{}, nil }},
		Openings: Setups(1), Games: 1, AtOnce: 1, Rules: Rules{Control: control, Turns: 100},
	}
	for p, err := range m.Run(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Ending == Time {
			t.Errorf("%v lost within the margin: %+v", slow, p.Result)
		}
	}
	if len(slow.reserves) < 5 || slow.reserves[0] != 100*time.Millisecond || slow.reserves[1] > 60*time.Millisecond || slow.reserves[4] != 0 {
		t.Errorf("reserves: %v", slow.reserves)
	}
	slow.sleep = 50*time.Millisecond + 100*time.Millisecond + Margin + time.Millisecond
	for p, err := range m.Run(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Ending != Time || p.Winner() != 1 {
			t.Errorf("a player %v too late: %+v", slow.sleep, p.Result)
		}
	}
}

// sleeper is a player that takes its time for the turn that first plays.
type sleeper struct {
	sleep    time.Duration
	reserves []time.Duration // at each turn
}

func (s *sleeper) Begin(context.Context, *arimaa.Game) error {
	s.reserves = nil
	return nil
}

func (s *sleeper) Turn(ctx context.Context, g *arimaa.Game, k *engine.Clock) (string, error) {
	last := g.Last()
	s.reserves = append(s.reserves, k.Reserve[last.Side()])
	if len(s.reserves) <= 5 {
		time.Sleep(s.sleep)
	}
	r, err := first{}.Search(ctx, g, engine.Limits{}, nil)
	return last.Notation(r.Turn), err
}

func (s *sleeper) End() {}
