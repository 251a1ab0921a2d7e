package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goalproof/arimaa"
	"goalproof/cluster"
	"goalproof/engine/match"
	"goalproof/internal/batch"
)

// matching are the options of a run that plays a match.
type matching struct {
	Programs []match.Command // in which goalproof stands for the program of the worker
	Limits   match.Limits
	Turns    int
}

// pair is the question about two games from the same opening, with the colours exchanged. They are
// played on one machine, one after the other.
type pair struct {
	Number  int    // from 0, since an opening that comes again has games of its own
	Seats   [2]int // of the first game: programs, from 0
	Opening *line  // nil: the programs set up
}

// outcome is how a game of the answer went.
type outcome struct {
	line
	Winner arimaa.Side
	Ending match.Ending
	Detail string `json:",omitempty"`
}

// matchMemory is what two programs take unless their options say otherwise, in bytes.
const matchMemory = 512 << 20

// matchKind is the kind of questions of match.
var matchKind = cluster.Kind{
	Name:   "match",
	Varies: true,
	Open: func(_ context.Context, options []byte, _ cluster.Room, _ cluster.Inputs) (cluster.Answerer, error) {
		var o matching
		if err := read(options, &o); err != nil {
			return nil, fmt.Errorf("the options of the run: %w", err)
		}
		own, err := os.Executable()
		if err != nil {
			return nil, err
		}
		m := matchPlayer{rules: match.Rules{Control: o.Limits.Control, Turns: o.Turns}}
		for _, c := range o.Programs {
			if err := Ours(c); err != nil {
				return nil, err
			}
			c.Args = append([]string{own}, c.Args[1:]...)
			m.players = append(m.players, match.NewProgram(c, o.Limits))
		}
		return &m, nil
	},
	Memory: func([]byte) (uint64, error) { return matchMemory, nil },
}

// Ours returns an error unless a program is the engine of this one, with arguments that mean the
// same on every machine: workers start no other.
func Ours(c match.Command) error {
	if name := strings.TrimSuffix(filepath.Base(c.Args[0]), ".exe"); name != "goalproof" || len(c.Args) < 2 || c.Args[1] != "aei" {
		return fmt.Errorf("program %q: workers start goalproof aei alone", strings.Join(c.Args, " "))
	}
	for _, arg := range c.Args[2:] {
		if name, _, _ := strings.Cut(arg, "="); strings.HasPrefix(arg, "-") && !slices.Contains([]string{"--threads", "--memory", "--without"}, name) {
			return fmt.Errorf("program %q: of the flags of goalproof aei workers take --threads, --memory and --without", strings.Join(c.Args, " "))
		}
	}
	return nil
}

// matchPlayer answers with the two games of a pair.
type matchPlayer struct {
	rules   match.Rules
	players []match.Player
}

// Answer implements [cluster.Answerer].
func (m *matchPlayer) Answer(ctx context.Context, question []byte) ([]byte, error) {
	var q pair
	if err := read(question, &q); err != nil {
		return nil, err
	}
	if min(q.Seats[0], q.Seats[1]) < 0 || max(q.Seats[0], q.Seats[1]) >= len(m.players) {
		return nil, errors.New("there are no such programs")
	}
	var opening *arimaa.Game
	if q.Opening != nil {
		g, err := q.Opening.played()
		if err != nil {
			return nil, err
		}
		opening = g
	}
	var games [2]outcome
	for i := range games {
		players := [2]match.Player{m.players[q.Seats[i]], m.players[q.Seats[1-i]]}
		r, err := m.rules.Play(ctx, opening, players, nil)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		games[i] = outcome{line: lineOf(r.Game), Winner: r.Winner, Ending: r.Ending, Detail: r.Detail}
	}
	return pack(games)
}

// Match puts the questions of match.
type Match struct {
	Match    *match.Match
	Programs []match.Command
	Limits   match.Limits
}

// Games has games played, from number first to number end-1. A pair whose second game alone is
// missing is played again.
func (m *Match) Games(ctx context.Context, f *Flags, first, end int) iter.Seq[batch.Outcome[int, match.Result]] {
	return func(yield func(batch.Outcome[int, match.Result]) bool) {
		if first >= end {
			return
		}
		f.Total = (end+1)/2 - first/2
		asker, closer, err := f.Open(ctx, matchKind, func(cluster.Offerer) (any, error) {
			return matching{m.Programs, m.Limits, m.Match.Rules.Turns}, nil
		})
		if err != nil {
			yield(batch.Outcome[int, match.Result]{Job: first, Err: err})
			return
		}
		if !m.pairs(ctx, asker, first, end, yield) {
			_ = closer.Close() // the error that ended it counts
			return
		}
		if err := closer.Close(); err != nil {
			yield(batch.Outcome[int, match.Result]{Job: end, Err: err})
		}
	}
}

// pairs yields games, and reports whether that went on to the end.
func (m *Match) pairs(ctx context.Context, asker cluster.Asker, first, end int, yield func(batch.Outcome[int, match.Result]) bool) bool {
	for o := range Outcomes(ctx, asker, batch.Numbers(first/2, (end+1)/2), m, func(int) {}) {
		for i, r := range o.Value {
			number := 2*o.Job + i
			if number >= first && number < end && (!yield(batch.Outcome[int, match.Result]{Job: number, Value: r, Err: o.Err}) || o.Err != nil) {
				return false
			}
		}
	}
	return true
}

// Question implements [Questions].
func (m *Match) Question(number int) ([]byte, error) {
	q := pair{Number: number, Seats: m.Match.Seats(2 * number)}
	if g := m.Match.Opening(2 * number); g != nil {
		l := lineOf(g)
		q.Opening = &l
	}
	return json.Marshal(q)
}

// Here implements [Questions].
func (m *Match) Here(int) (none [2]match.Result, err error) { return none, nil }

// Check implements [Questions]: games of the opening with legal turns, and who has won on the board.
func (m *Match) Check(_ context.Context, question, answer []byte) error {
	var q pair
	if err := read(question, &q); err != nil {
		return err
	}
	games, err := m.read(answer)
	if err != nil {
		return err
	}
	for _, r := range games {
		if q.Opening != nil {
			if l := lineOf(r.Game); l.Start != q.Opening.Start || l.Number != q.Opening.Number || len(l.Turns) < len(q.Opening.Turns) ||
				!slices.Equal(l.Turns[:len(q.Opening.Turns)], q.Opening.Turns) {
				return errors.New("the game has another opening")
			}
		}
		switch o := r.Game.Outcome(); r.Ending {
		case match.Goal, match.Elimination, match.Immobilisation:
			if !o.Over() || o.Winner != r.Winner {
				return errors.New("the game has not ended so")
			}
		case match.Score, match.Resignation, match.Time, match.Illegal, match.Junk, match.Crash, match.Hang:
			if o.Over() {
				return errors.New("the game has ended on the board")
			}
		default:
			return fmt.Errorf("no game ends by %q", r.Ending)
		}
	}
	return nil
}

func (m *Match) read(answer []byte) (results [2]match.Result, err error) {
	var games [2]outcome
	if err := unpack(answer, &games); err != nil {
		return results, err
	}
	for i := range games {
		o := &games[i]
		g, err := o.played()
		if err != nil {
			return results, err
		}
		if o.Winner > arimaa.Silver {
			return results, io.ErrUnexpectedEOF
		}
		results[i] = match.Result{Game: g, Winner: o.Winner, Ending: o.Ending, Detail: o.Detail}
	}
	return results, nil
}

// Result implements [Questions].
func (m *Match) Result(_ int, answer cluster.Answer) ([2]match.Result, error) {
	return m.read(answer.Bytes)
}
