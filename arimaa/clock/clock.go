// Package clock has the time controls of Arimaa and the clocks of a game: how long a player may
// think about a turn, how long he should, and when a limit ends the game.
package clock

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"goalproof/arimaa"
)

// Control is a time control of Arimaa (match rules of arimaa.com, section "Time Controls"). A
// player has Move for each turn and draws on a reserve after that; unused move time is added to the
// reserve. Without Move and Reserve only TurnTime limits a turn.
type Control struct {
	Move       time.Duration // for each turn
	Reserve    time.Duration // at the start of the game
	Percent    int           // of unused move time that is added to the reserve, 0 to 100
	MaxReserve time.Duration // 0: no limit
	Total      time.Duration // of both players together; then adjudication; 0: no limit
	Turns      int           // of each player, the setup included; then adjudication; 0: no limit
	TurnTime   time.Duration // of a single turn, reserve included; 0: no limit
}

// maxTime bounds every time, so that sums of two do not overflow.
const maxTime = 10000 * 24 * time.Hour

// Parse reads a time control in the notation of the game room: move, reserve, percent, maximum
// reserve, game, turn time, such as "15s/90s/100/120s/2h" or "0/2". The parts from the third on are
// optional; they default to 100 percent and no limits. Times are written 1h30m, 90s or 0.5s. A time
// without a unit is in minutes, that of the game in hours; 1:30 has minutes and seconds, for the
// game hours and minutes. A game of "60t" has 60 turns. The units may be in upper case; 2M has two
// minutes, as nothing is given in months. The error names the part that is wrong.
func Parse(text string) (Control, error) {
	c := Control{Percent: 100}
	fields := strings.Split(text, "/")
	if len(fields) < 2 || len(fields) > 6 {
		return c, fmt.Errorf("time control %q: a control has two to six parts, such as 15s/90s/100/120s/2h", text)
	}
	for i, field := range fields {
		var err error
		turns, ofTurns := strings.CutSuffix(strings.ToLower(field), "t")
		switch {
		case i == 2 && field == "":
		case i == 2:
			if c.Percent, err = strconv.Atoi(field); err != nil || c.Percent < 0 || c.Percent > 100 {
				err = errors.New("a percentage is 0 to 100")
			}
		case i == 4 && ofTurns:
			if c.Turns, err = strconv.Atoi(turns); err != nil || c.Turns < 0 {
				err = errors.New("a number of turns is 0 or more")
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

// timeUnits are the units of a time, the longest first.
var timeUnits = []struct {
	letter byte
	length time.Duration
}{{'d', 24 * time.Hour}, {'h', time.Hour}, {'m', time.Minute}, {'s', time.Second}}

// parseTime reads a time; unit applies to a number without one.
func parseTime(text string, unit time.Duration) (time.Duration, error) {
	bad := errors.New("not a time such as 90s, 1h30m or 1:30")
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
	text = strings.ToLower(text)
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

// parseNumber reads digits with at most one decimal point.
func parseNumber(text string) (float64, error) {
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

// bounded converts nanoseconds to a duration of at most maxTime.
func bounded(ns float64) (time.Duration, error) {
	if ns > float64(maxTime) {
		return 0, errors.New("the time is too long")
	}
	return time.Duration(math.Round(ns)), nil
}

// Clock measures the time of both players in a game.
type Clock struct {
	Control  Control
	Reserve  [2]time.Duration // of Gold and Silver
	MoveUsed time.Duration    // on the current turn so far
	Elapsed  time.Duration    // on all earlier turns, of both players
}

// New returns the clock at the start of a game.
func New(c Control) Clock {
	k := Clock{Control: c}
	k.Reset()
	return k
}

// Reset resets the clock to the start of a game.
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

// free reports whether nothing but TurnTime limits a turn.
func (c *Control) free() bool { return c.Move == 0 && c.Reserve == 0 }

// Left returns how long side may still think about the current turn before it loses on time; ok is
// false if nothing limits the turn.
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

// Charge ends the current turn of side, which has thought for used in addition to MoveUsed, and
// reports whether it exceeded its time. Unused move time is added to the reserve, overtime is taken
// from it.
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

// Adjudicate reports whether a limit of the control ends a game before its next turn, and which.
// The side wins that has more pieces, or had more most recently ([arimaa.Game.MorePieces]).
func (k *Clock) Adjudicate(g *arimaa.Game) (winner arimaa.Side, limit string, over bool) {
	winner = g.MorePieces()
	p, number := g.Last(), g.Number(g.Len())
	switch c := &k.Control; {
	case c.Total > 0 && k.Elapsed >= c.Total:
		return winner, "the game's time is up", true
	case c.Turns > 0 && p.Side() == arimaa.Gold && number > c.Turns:
		return winner, fmt.Sprintf("the game ends after turn %d", c.Turns), true
	}
	return winner, "", false
}

// A program's clock also runs while messages wait for a processor, and a search ends only where it
// next looks at the time. Budget therefore stays clear of the limit by lag and, as two clocks run
// differently, by one part in lagShare of the time left, but never by more than half of it.
const (
	lag      = 250 * time.Millisecond
	lagShare = 50
)

// reserveTurns is the number of turns for which a reserve is meant to last: a budget spends one
// part in reserveTurns of it. A difficult turn may take mostAims times its budget, and spend one
// part in hardTurns of the reserve.
const (
	reserveTurns = 20
	hardTurns    = 4
	mostAims     = 3
)

// Budget returns how long side is to think about the current turn: aim as a rule, which is the rest
// of its move time and a part of the reserve, less near a limit, and at most most if the turn is
// difficult. They are 0 if nothing limits the turn, and otherwise positive even when no time is
// left.
//
// As a budget takes only a part of the reserve, a player who uses up every budget never loses on
// time.
func (k *Clock) Budget(side arimaa.Side) (aim, most time.Duration) {
	left, ok := k.Left(side)
	if k.Control.Total > 0 {
		left, ok = min(left, max(k.Control.Total-k.Elapsed-k.MoveUsed, 0)), true
	}
	if !ok {
		return 0, 0
	}
	turn := k.Control.Move
	if k.Control.free() {
		turn = k.Control.TurnTime
	}
	turn = min(max(turn-k.MoveUsed, 0), left)
	margin := min(lag+left/lagShare, left/2)
	aim = max(min(turn+(left-turn)/reserveTurns, left-margin), 1)
	return aim, max(min(turn+(left-turn)/hardTurns, left-margin, mostAims*aim), 1)
}
