package match

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/testkit/require"
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
// says how. Without a clock a program that ends, and leaves a child behind that holds its output or
// its standard error, loses soon by its exit status; what a program writes before go, a second
// bestmove that would win, is no answer to it; and a warning about an option counts for nothing.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		rules Rules
		want  map[string]string
	}{
		{Rules{Control: quick}, map[string]string{
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
			"junk":      `junk: malformed or unexpected message: "Segmentation imminent!"`,
			"twice":     `junk: malformed or unexpected message: "readyok"`,
			"long":      "junk: malformed or unexpected message: a line of more than 65536 bytes",
			"endless":   "junk: malformed or unexpected message: a line of more than 65536 bytes",
			"stays":     "hang: no bestmove: context deadline exceeded",
			"resign":    "resignation",
		}},
		{Rules{}, map[string]string{
			"leaves output": `crash: exit status 3, "panic: out of book"`, "leaves errors": `crash: exit status 3, "panic: out of book"`,
			"double": "junk", "less": "resignation",
		}},
	} {
		for which, want := range c.want {
			t.Run(which, func(t *testing.T) {
				if which != "flood" && which != "endless" { // which keep a core busy
					t.Parallel()
				}
				r := one(t, fake(which, Option{"hash", "10"}), fake("plays"), opening(t, race), c.rules)
				f := Failure{r.Ending, r.Detail}
				if r.Winner != arimaa.Silver || !strings.HasPrefix(f.Error(), want) {
					t.Errorf("%v wins, %v; want %s", r.Winner, &f, want)
				}
				if played := map[string]int{"double": 2}[which]; r.Game.Len() != played {
					t.Errorf("turns were played:\n%s", notation.Turns(r.Game))
				}
			})
		}
	}
}

// TestNoStart checks that a program that cannot be started has not lost: the match ends.
func TestNoStart(t *testing.T) {
	t.Parallel()
	gone := Command{Args: []string{filepath.Join(t.TempDir(), "gone")}}
	m := Match{
		New:      []func() (Player, error){program(fake("plays"), Limits{}), program(gone, Limits{})},
		Openings: setups1(), Rules: Rules{Turns: 2}, Games: 2, AtOnce: 1,
	}
	standing := Standing{}
	for p, err := range m.Run(t.Context(), &standing) {
		if !errors.Is(err, ErrStart) || !strings.HasPrefix(err.Error(), gone.Args[0]+" does not start: ") {
			t.Errorf("%v, %v", p.Result, err)
		}
	}
	if standing.Games() != 0 {
		t.Errorf("it has lost: %v", standing.Tally)
	}
}

// TestWindow lets the first of many games last: the others go ahead of it only so far, and are
// played when it is over.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const games, atOnce = 50, 2
		var begun atomic.Int32
		openings := setups1()
		player := func() (Player, error) { return &quitter{begun: &begun}, nil }
		slow := func() (Player, error) { return &quitter{&begun, openings(0).Last()}, nil }
		m := Match{New: []func() (Player, error){slow, player}, Openings: openings, Games: games, AtOnce: atOnce}
		time.AfterFunc(time.Minute, func() {
			if n := begun.Load(); n != runAhead*atOnce {
				t.Errorf("%d games have begun, want %d", n, runAhead*atOnce)
			}
		})
		n := 0
		for _, err := range m.Run(t.Context(), &Standing{}) {
			if n++; err != nil {
				t.Fatal(err)
			}
		}
		if n != games || begun.Load() != games {
			t.Errorf("%d games, %d begun, want %d", n, begun.Load(), games)
		}
	})
}

// quitter is a player that resigns, in one position after an hour.
type quitter struct {
	begun *atomic.Int32 // games
	slow  arimaa.Position
}

func (q *quitter) Begin(context.Context, *arimaa.Game) error { return nil }

func (q *quitter) Turn(_ context.Context, g *arimaa.Game, _ *clock.Clock) (string, error) {
	q.begun.Add(1)
	if g.Last() == q.slow {
		time.Sleep(time.Hour)
	}
	return "resign", nil
}

func (q *quitter) End() {}

// TestFailureLater checks that Silver loses, too, after a good turn of Gold.
func TestFailureLater(t *testing.T) {
	t.Parallel()
	r := one(t, fake("plays"), fake("crash"), setups1()(0), Rules{})
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
		{"control", equal, Rules{Turns: 9, Control: clock.Control{Turns: 3}}, arimaa.Silver, Score, 4},
		{"time", ahead, Rules{Control: clock.Control{Total: 1}}, arimaa.Gold, Score, 1},
		{"elimination", trapped, Rules{Turns: 9}, arimaa.Gold, Elimination, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := one(t, fake("a"), fake("b"), opening(t, c.position), c.rules)
			if r.Winner != c.winner || r.Ending != c.ending || r.Game.Len() != c.turns {
				t.Errorf("%v wins by %s after %d turns\n%s", r.Winner, r.Ending, r.Game.Len(), notation.Turns(r.Game))
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
		{fake("hashing", Option{"hash", "10"}), Limits{}, ""},
		{fake("hashing", Option{"huge", "1"}), Limits{}, "option huge of "},
		{fake("less", Option{"hash", "10"}), Limits{}, "hash: 9 MB of 10"},
		{Command{Args: []string{"/no/such/program"}}, Limits{}, "no such file"},
		{Command{Args: []string{os.Args[0], "-test.run", "^$"}}, Limits{}, `junk: .*"PASS"|crash: exit status 0, "`}, // what it prints, or that it has ended
	} {
		name, err := NewProgram(c.command, c.limits).Check(t.Context())
		switch {
		case c.want == "" && (err != nil || name != "goalproof 1" && name != "broken 7"):
			t.Errorf("%v: %q, %v", c.command, name, err)
		case c.want != "" && (err == nil || !regexp.MustCompile(c.want).MatchString(err.Error())):
			t.Errorf("%v: %v, want %s", c.command, err, c.want)
		}
	}
}

// TestSetupTime checks how long programs may take to set up.
func TestSetupTime(t *testing.T) {
	for want, c := range map[time.Duration]clock.Control{
		15 * time.Second: {Move: 4 * time.Second, Reserve: 10 * time.Second},
		50 * time.Second: {Move: 20 * time.Second, Reserve: 30 * time.Second},
		patience:         {},
	} {
		if got := (Limits{Control: c}).setupTime(); got != want {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
}

// TestInterrupted checks that a match ends at once, and without a result, while a program thinks.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	m := Match{
		New:      []func() (Player, error){program(fake("hang"), Limits{}), program(fake("hang"), Limits{})},
		Openings: setups1(), Games: 4, AtOnce: 2,
	}
	time.AfterFunc(300*time.Millisecond, cancel)
	start := time.Now()
	for p, err := range m.Run(ctx, &Standing{}) {
		if err == nil || ctx.Err() == nil {
			t.Errorf("game %d: %v: %v", p.Number, p.Result, err)
		}
	}
	if took := time.Since(start); took > patience/10 {
		t.Errorf("it took %v", took)
	}
}

// TestEndsTogether checks that a loss does not count when the match is interrupted: the
// interruption may have ended the player, too.
func TestEndsTogether(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	killed := func() (Player, error) { return &victim{cancel}, nil }
	m := Match{New: []func() (Player, error){killed, killed}, Openings: setups1(), Games: 2, AtOnce: 1}
	var standing Standing
	n := 0
	for p, err := range m.Run(ctx, &standing) {
		if n++; !errors.Is(err, context.Canceled) {
			t.Errorf("%+v, %v", p.Result, err)
		}
	}
	if n != 1 || standing.Games() != 0 {
		t.Errorf("%d outcomes, %v", n, standing.Tally)
	}
}

// victim is a player that crashes with the match.
type victim struct{ interrupt func() }

func (v *victim) Begin(context.Context, *arimaa.Game) error { return nil }

func (v *victim) Turn(context.Context, *arimaa.Game, *clock.Clock) (string, error) {
	v.interrupt()
	return "", &Failure{Crash, "signal: killed"}
}

func (v *victim) End() {}

// TestClock checks that a player's reserve is what the turns have left of it, and that who exceeds
// it loses.
func TestClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		control := clock.Control{Move: 50 * time.Millisecond, Reserve: 100 * time.Millisecond, Percent: 100}
		slow := &sleeper{sleep: 90 * time.Millisecond}
		m := Match{
			New:      []func() (Player, error){func() (Player, error) { return slow, nil }, func() (Player, error) { return &sleeper{}, nil }},
			Openings: setups1(), Games: 1, AtOnce: 1, Rules: Rules{Control: control, Turns: 100},
		}
		for p, err := range m.Run(t.Context(), &Standing{}) {
			require.NoError(t, err)
			if p.Ending == Time {
				t.Errorf("%v lost within the margin: %+v", slow, p.Result)
			}
		}
		if len(slow.reserves) < 5 || slow.reserves[0] != 100*time.Millisecond || slow.reserves[1] > 60*time.Millisecond || slow.reserves[4] != 0 {
			t.Errorf("reserves: %v", slow.reserves)
		}
		slow.sleep = 50*time.Millisecond + 100*time.Millisecond + margin + time.Millisecond
		for p, err := range m.Run(t.Context(), &Standing{}) {
			require.NoError(t, err)
			if p.Ending != Time || p.Winner() != 1 {
				t.Errorf("a player %v too late: %+v", slow.sleep, p.Result)
			}
		}
	})
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

func (s *sleeper) Turn(ctx context.Context, g *arimaa.Game, k *clock.Clock) (string, error) {
	last := g.Last()
	s.reserves = append(s.reserves, k.Reserve[last.Side()])
	if len(s.reserves) <= 5 {
		time.Sleep(s.sleep)
	}
	r, err := first{}.Search(ctx, g, engine.Limits{}, nil)
	return last.Notation(r.Turn), err
}

func (s *sleeper) End() {}
