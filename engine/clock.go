package engine

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"goalproof/arimaa"
)

// Control is a time control of Arimaa (match rules of arimaa.com, section "Time
// Controls"). A player has Move for each turn and draws on a reserve when that is over;
// what is left of Move goes to the reserve. A control without Move and Reserve leaves the
// turns free, up to TurnTime.
type Control struct {
	Move       time.Duration // for each turn
	Reserve    time.Duration // at the start of the game
	Percent    int           // of what is left of Move goes to the reserve
	MaxReserve time.Duration // 0: no limit
	Total      time.Duration // of both players, after which the game is decided by the pieces left; 0: no limit
	Turns      int           // of each player, after which it is decided in the same way; 0: no limit
	TurnTime   time.Duration // for a single turn with all reserve; 0: no limit
}

// maxTime bounds every time, so that sums of two do not overflow.
const maxTime = 10000 * 24 * time.Hour

// ParseControl reads a time control as the game room writes it: move, reserve, percent,
// maximum reserve, game, turn time, such as "15s/90s/100/120s/2h" or "0/2". The third and all
// that follow may be left out: 100 percent, and no limits. Times are written 1h30m, 90s or
// 0.5s; without a unit they are minutes, and the game hours; 1:30 has minutes and seconds,
// and for the game hours and minutes. A game such as "60t" is a number of turns.
func ParseControl(text string) (Control, error) {
	c := Control{Percent: 100}
	fields := strings.Split(text, "/")
	if len(fields) < 2 || len(fields) > 6 {
		return c, fmt.Errorf("time control %q: it has two to six parts, such as 15s/90s/100/120s/2h", text)
	}
	for i, field := range fields {
		var err error
		switch {
		case i == 2 && field == "":
		case i == 2:
			if c.Percent, err = strconv.Atoi(field); err == nil && (c.Percent < 0 || c.Percent > 100) {
				err = errors.New("a percentage is 0 to 100")
			}
		case i == 4 && strings.HasSuffix(field, "t"):
			if c.Turns, err = strconv.Atoi(strings.TrimSuffix(field, "t")); err == nil && c.Turns < 0 {
				err = errors.New("there are no fewer than 0 turns")
			}
		case i >= 2 && field == "":
		case i == 4:
			c.Total, err = parseTime(field, time.Hour)
		default:
			to := [...]*time.Duration{0: &c.Move, 1: &c.Reserve, 3: &c.MaxReserve, 5: &c.TurnTime}[i]
			*to, err = parseTime(field, time.Minute)
		}
		if err != nil {
			return Control{}, fmt.Errorf("time control %q: part %d, %q: %w", text, i+1, field, err)
		}
	}
	return c, nil
}

// timeUnits are those of a time, the greatest first.
var timeUnits = []struct {
	letter byte
	length time.Duration
}{{'d', 24 * time.Hour}, {'h', time.Hour}, {'m', time.Minute}, {'s', time.Second}}

// parseTime reads a time; unit is that of a number without one.
func parseTime(text string, unit time.Duration) (time.Duration, error) {
	bad := errors.New("it is not a time such as 90s, 1h30m or 1:30")
	if text == "" {
		return 0, bad
	}
	if big, small, ok := strings.Cut(text, ":"); ok {
		if big == "" {
			big = "0"
		}
		n, err := strconv.ParseUint(big, 10, 31)
		m, err2 := strconv.ParseUint(small, 10, 31)
		if err != nil || err2 != nil || m >= 60 {
			return 0, bad
		}
		return bounded(float64(n)*float64(unit) + float64(m)*float64(unit/60))
	}
	if n, err := parseNumber(text); err == nil {
		return bounded(n * float64(unit))
	}
	total, units := 0.0, timeUnits
	for text != "" {
		end := strings.IndexFunc(text, func(r rune) bool { return r >= 'a' && r <= 'z' })
		if end < 0 {
			return 0, bad
		}
		n, err := parseNumber(text[:end])
		for len(units) > 0 && units[0].letter != text[end] {
			units = units[1:]
		}
		if err != nil || len(units) == 0 {
			return 0, bad
		}
		total += n * float64(units[0].length)
		text, units = text[end+1:], units[1:]
	}
	return bounded(total)
}

// parseNumber reads digits with at most one point between them.
func parseNumber(text string) (float64, error) {
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

// bounded turns nanoseconds into a duration of at most maxTime.
func bounded(ns float64) (time.Duration, error) {
	if ns > float64(maxTime) {
		return 0, errors.New("that is too long")
	}
	return time.Duration(math.Round(ns)), nil
}

// Clock is the time of both players of a game.
type Clock struct {
	Control  Control
	Reserve  [2]time.Duration // of Gold and Silver
	MoveUsed time.Duration    // on the present turn so far
	Elapsed  time.Duration    // on all turns before, of both players
}

// NewClock returns the clock at the start of a game.
func NewClock(c Control) Clock {
	k := Clock{Control: c}
	k.Reset()
	return k
}

// Reset puts the clock back to the start of a game.
func (k *Clock) Reset() {
	k.MoveUsed, k.Elapsed = 0, 0
	for side := range k.Reserve {
		k.Reserve[side] = min(k.Control.Reserve, k.Control.maxReserve())
	}
}

func (c *Control) maxReserve() time.Duration {
	if c.MaxReserve > 0 {
		return c.MaxReserve
	}
	return maxTime
}

// free tells whether turns have no time but TurnTime.
func (c *Control) free() bool { return c.Move == 0 && c.Reserve == 0 }

// Left returns how long side may still think on the present turn before it has lost on
// time; ok is false where nothing limits it.
func (k *Clock) Left(side arimaa.Side) (left time.Duration, ok bool) {
	left = maxTime
	if !k.Control.free() {
		left, ok = k.Control.Move+k.Reserve[side], true
	}
	if k.Control.TurnTime > 0 {
		left, ok = min(left, k.Control.TurnTime), true
	}
	return max(left-k.MoveUsed, 0), ok
}

// Charge ends the present turn, on which side has thought for the time used, MoveUsed
// not counted, and tells whether that was longer than it had. What is left of the time
// for the turn goes to the reserve, what was too much is taken from it.
func (k *Clock) Charge(side arimaa.Side, used time.Duration) (exceeded bool) {
	left, ok := k.Left(side)
	exceeded = ok && used > left
	used += k.MoveUsed
	k.MoveUsed = 0
	k.Elapsed += used
	if k.Control.free() {
		return exceeded
	}
	unused := k.Control.Move - used
	if unused > 0 {
		unused = unused / 100 * time.Duration(k.Control.Percent)
	}
	k.Reserve[side] = min(max(k.Reserve[side]+unused, 0), k.Control.maxReserve())
	return exceeded
}

// What a program takes beside its search is charged to its clock as well: messages wait
// for a processor in both directions, and a search ends where it next looks at the time.
// Budget keeps off the end of the time that is left by lag and one part in lagShare, for
// clocks that run differently, but never by more than half of it. With two threads on two
// cores that four other processes kept busy, bestmove came 15 to 25 ms after the end of its
// budget as a rule, and 94 ms at worst of 119 turns.
const (
	lag      = 250 * time.Millisecond
	lagShare = 50
)

// reserveTurns is the number of turns for which a reserve is meant to last: Budget takes one
// part in so many of what is left of it.
const reserveTurns = 20

// Budget returns how long side is to think on the present turn: what is left of the time for
// the turn and a part of the reserve, and less where a limit is near. It is 0 if nothing
// limits the turn, and otherwise more than 0 even when there is no time left.
//
// A budget takes no more than a part of the reserve that is left, so using every budget up
// leaves some of it for the next turn, and the clock does not run out.
func (k *Clock) Budget(side arimaa.Side) time.Duration {
	left, ok := k.Left(side)
	if k.Control.Total > 0 {
		left, ok = min(left, max(k.Control.Total-k.Elapsed-k.MoveUsed, 0)), true
	}
	if !ok {
		return 0
	}
	turn := k.Control.Move
	if k.Control.free() {
		turn = k.Control.TurnTime
	}
	turn = min(max(turn-k.MoveUsed, 0), left)
	want := turn + (left-turn)/reserveTurns
	margin := min(lag+left/lagShare, left/2)
	return max(min(want, left-margin), 1)
}
