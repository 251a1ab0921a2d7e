package aei

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/engine/player"
)

// option sets an option to a value. The error says what is wrong with the value.
type option func(s *session, value string) error

// maxLines is the greatest value of multipv.
const maxLines = 100

// options are those of the protocol, some of which have no effect, and threads, nodes, multipv and
// without.
var options = map[string]option{
	"tcmove":       seconds(func(s *session, d time.Duration) { s.clock.Control.Move = d }),
	"tcreserve":    seconds((*session).setReserve),
	"tcpercent":    number(0, 100, func(s *session, n int) { s.clock.Control.Percent = n }),
	"tcmax":        seconds(func(s *session, d time.Duration) { s.clock.Control.MaxReserve = d }),
	"tctotal":      seconds(func(s *session, d time.Duration) { s.clock.Control.Total = d }),
	"tcturns":      number(0, math.MaxInt32, func(s *session, n int) { s.clock.Control.Turns = n }),
	"tcturntime":   seconds(func(s *session, d time.Duration) { s.clock.Control.TurnTime = d }),
	"greserve":     seconds(func(s *session, d time.Duration) { s.clock.Reserve[arimaa.Gold] = d }),
	"sreserve":     seconds(func(s *session, d time.Duration) { s.clock.Reserve[arimaa.Silver] = d }),
	"moveused":     seconds(func(s *session, d time.Duration) { s.clock.MoveUsed = d }),
	"gused":        seconds(func(*session, time.Duration) {}),
	"sused":        seconds(func(*session, time.Duration) {}),
	"lastmoveused": seconds(func(*session, time.Duration) {}),

	"opponent":        func(*session, string) error { return nil },
	"event":           func(*session, string) error { return nil },
	"opponent_rating": number(math.MinInt32, math.MaxInt32, func(*session, int) {}),
	"rating":          number(math.MinInt32, math.MaxInt32, func(*session, int) {}),
	"rated":           number(0, 1, func(*session, int) {}),

	"depth":   number(math.MinInt32, math.MaxInt32, func(s *session, n int) { s.depth = max(n, 0) }),
	"nodes":   number(0, math.MaxInt32, func(s *session, n int) { s.nodes = uint64(n) }),
	"multipv": number(1, maxLines, func(s *session, n int) { s.lines = n }),
	"hash": setting(func(to *player.Settings, initial player.Settings, n int) {
		to.Memory = cmp.Or(uint64(n)<<20, initial.Memory)
	}),
	"threads": setting(func(to *player.Settings, initial player.Settings, n int) { to.Threads = cmp.Or(n, initial.Threads) }),
	"without": func(s *session, value string) error {
		settings := s.settings
		settings.Without = value
		return s.set(settings)
	},
}

// setOption handles setoption.
func (s *session) setOption(rest string) error {
	rest, ok := strings.CutPrefix(rest, "name ")
	name, value, hasValue := strings.Cut(" "+rest+" ", " value ")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" {
		return errors.New("the form is setoption name NAME value VALUE")
	}
	set, ok := options[name]
	if !ok {
		s.log("Warning: setoption: there is no option %q", name)
		return nil
	}
	if !hasValue {
		return fmt.Errorf("%s: the value is missing", name)
	}
	if err := set(s, value); err != nil {
		return fmt.Errorf("%s: %q: %w", name, value, err)
	}
	return nil
}

// setReserve sets the reserve at the start of the game and, before the first turn, the current one.
func (s *session) setReserve(d time.Duration) {
	s.clock.Control.Reserve = d
	if s.game == nil || s.game.Len() == 0 {
		s.clock.Reserve = [2]time.Duration{d, d}
	}
}

// maxSeconds is about three years.
const maxSeconds = 1e8

// seconds is an option with a time in seconds, perhaps with a fraction.
func seconds(set func(*session, time.Duration)) option {
	return func(s *session, value string) error {
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || strings.Trim(value, "0123456789.") != "" {
			return errors.New("not a number of seconds")
		}
		if x > maxSeconds {
			return errors.New("the time is too long")
		}
		set(s, time.Duration(math.Round(x*float64(time.Second))))
		return nil
	}
}

// number is an option with an integer.
func number(least, most int, set func(*session, int)) option {
	return func(s *session, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil {
			return errors.New("not an integer")
		}
		if n < least || n > most {
			return fmt.Errorf("not between %d and %d", least, most)
		}
		set(s, n)
		return nil
	}
}

// setting is an option that changes the settings of the player; initial are those at the start of
// the session.
func setting(set func(to *player.Settings, initial player.Settings, n int)) option {
	return func(s *session, value string) error {
		settings := s.settings
		var n int
		if err := number(0, math.MaxInt32, func(_ *session, m int) { n = m })(s, value); err != nil {
			return err
		}
		set(&settings, s.Config.Settings, n)
		return s.set(settings)
	}
}

// set changes the settings of the player, unless there cannot be one with them.
func (s *session) set(settings player.Settings) error {
	err := s.Check(settings)
	if err == nil {
		s.settings = settings
	}
	return err
}
