package endgame

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
	"goalproof/proof/referee"
)

// VerifyOptions say how much of a table is verified.
type VerifyOptions struct {
	Threads  int             // 1 or more
	Sample   int             // this many boards drawn at random; 0 means all
	Referee  int             // the number of positions that the slow rules check as well
	Seed     uint64          // of the random choices
	Progress func(n, of int) // if not nil: boards done; called by several goroutines
}

// Verified says what a verification has seen.
type Verified struct {
	Positions int     // checked
	Referee   int     // of these also with package referee
	Wrong     int     // positions that do not follow from what comes after them
	Examples  []Wrong // the first of them that were met, at most 10
}

// Wrong is a position whose value does not follow from what its turns lead to.
type Wrong struct {
	Position arimaa.Position
	Table    string // what the table says
	Turns    string // what follows from the turns
}

// Verify checks the table of a class: each value against those of what all turns of the position
// lead to. The turns are those of package arimaa, which share no code with the construction of
// tables. If everything is right so is the table: a wrong least N, whatever the table says instead,
// would not agree with the right smaller ones. All of a table is read, and its checksums compared.
// A nil context sets no limit. The error says that the class has no table, that one of a smaller
// class is missing, that there is no thread, what is wrong with the file, or is that of the
// context.
func (ts *Tables) Verify(ctx context.Context, c Class, o VerifyOptions) (v Verified, err error) {
	ctx = cmp.Or(ctx, context.Background())
	if o.Threads < 1 {
		return v, errThreads
	}
	t, err := ts.table(c)
	if err != nil {
		return v, err
	}
	for i := range t.blocks {
		if _, err := t.read(i); err != nil {
			return v, err
		}
	}
	n, board := o.boards(t)
	every := max(1, n/max(1, o.Referee)) // the referee looks at one of so many boards
	var mu sync.Mutex
	done := 0
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err = each(ctx, o.Threads, n, func(_ *worker, from, to int) {
		var g arimaa.Generator
		var d goal.Detector
		var part Verified
		for i := from; i < to && ctx.Err() == nil; i++ {
			for side := range t.Sides {
				if err := ts.verify(&g, &d, t, board(i), arimaa.Side(side), o.Referee > 0 && i%every == 0, &part); err != nil {
					cancel(err)
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		v.Positions += part.Positions
		v.Referee += part.Referee
		v.Wrong += part.Wrong
		v.Examples = append(v.Examples, part.Examples[:min(len(part.Examples), 10-len(v.Examples))]...)
		done += to - from
		if o.Progress != nil {
			o.Progress(done, n)
		}
	})
	if err != nil {
		err = context.Cause(ctx)
	}
	return v, err
}

// Check looks at bytes that should be the file of the table of a class, while the tables of the
// classes of [Class.Smaller] are open: its form, its checksums, and so many boards drawn at random,
// which are verified. Afterwards the table is open, too, so there must be no other goroutine. The
// error wraps [ErrFile] if something is wrong with it, or is as for [Tables.Verify].
func (ts *Tables) Check(ctx context.Context, c Class, file []byte, sample int) error {
	name := "the table of " + c.String()
	t, err := openTable(name, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return err
	}
	if t.layout.class != c {
		return fmt.Errorf("%s: %w: it is that of %v", name, ErrFile, t.layout.class)
	}
	ts.classes = append(slices.DeleteFunc(ts.classes, func(t *table) bool { return t.layout.class == c }), t)
	ts.register(t)
	v, err := ts.Verify(ctx, c, VerifyOptions{Threads: 1, Sample: sample, Referee: 1, Seed: rand.Uint64()})
	switch {
	case errors.Is(err, ErrUnknown): // it says of a board that the game is over
		return fmt.Errorf("%s: %w: %w", name, ErrFile, err)
	case err == nil && v.Wrong > 0:
		return fmt.Errorf("%s: %w: %v", name, ErrFile, v.Examples[0])
	}
	return err
}

// boards returns how many boards are verified, and the number of the i-th of them.
func (o *VerifyOptions) boards(t *table) (n int, number func(i int) int) {
	if o.Sample <= 0 || o.Sample >= t.Numbers {
		return t.Numbers, func(i int) int { return i }
	}
	random := rand.New(rand.NewPCG(o.Seed, 1))
	drawn := make([]int, o.Sample)
	for i := range drawn {
		drawn[i] = random.IntN(t.Numbers)
	}
	return o.Sample, func(i int) int { return drawn[i] }
}

// table returns the table of a class.
func (ts *Tables) table(c Class) (*table, error) {
	if ts != nil {
		for _, t := range ts.classes {
			if t.layout.class == c {
				return t, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no table of %[1]v; goalproof endgame build %[1]v makes it", c)
}

// verify checks what a table says about the board of a number.
func (ts *Tables) verify(g *arimaa.Generator, d *goal.Detector, t *table, number int, side arimaa.Side, withReferee bool, to *Verified) error {
	b, ok := t.layout.board(number)
	if !ok {
		return nil
	}
	p := arimaa.NewPosition(b, side)
	got, known := ts.Probe(&b, side)
	if !known && ts.Err() != nil {
		return ts.Err()
	}
	wrong := func(table, turns string) {
		to.Wrong++
		if len(to.Examples) < 10 {
			to.Examples = append(to.Examples, Wrong{p, table, turns})
		}
	}
	if b.Ended(side.Other()).Over() {
		if known {
			wrong(got.String(), "the game is over")
		}
		return nil
	}
	to.Positions++
	if !known {
		wrong("the game is over", "there are turns")
		return nil
	}
	want, err := ts.byTurns(g, d, p)
	if err != nil {
		return err
	}
	if got != want {
		wrong(got.String(), want.String())
		return nil
	}
	if withReferee {
		to.Referee++
		want, err := ts.byReferee(p)
		if err != nil {
			return err
		}
		if got != want {
			wrong(got.String(), want.String()+" by the slow rules")
		}
	}
	return nil
}

// byTurns computes a value from the results of the turns. If a turn wins at once the others need
// not be listed.
func (ts *Tables) byTurns(g *arimaa.Generator, d *goal.Detector, p arimaa.Position) (best Value, err error) {
	if turn, ok := d.CanWin(&p, &p.Board); ok {
		after, legal := p.Try(turn)
		if o := after.Ended(p.Side()); legal && o.Over() && o.Winner == p.Side() {
			return WinIn(1), nil
		}
	}
	best = LossIn(1) // every position that is not over has a turn
	for i := range g.Generate(&p) {
		v, _, err := ts.after(g.Board(i), p.Side())
		if err != nil {
			return 0, err
		}
		if v.Better(best) {
			best = v
		}
	}
	return best, nil
}

// byReferee computes a value from the results of the turns, by the rules of package referee.
func (ts *Tables) byReferee(p arimaa.Position) (best Value, err error) {
	st, err := referee.ParsePosition(p.String())
	if err != nil {
		return 0, err
	}
	best = LossIn(1)
	for _, r := range referee.Results(st) {
		v := LossIn(1)
		if winner, _, over := referee.Outcome(r.Board, st.Side); !over {
			after, err := notation.ParsePosition(referee.NewState(r.Board, st.Side.Other()).Position())
			if err != nil {
				return 0, err
			}
			reply, ok := ts.Probe(&after.Board, after.Side())
			if !ok {
				return 0, fmt.Errorf("%v: %w", after, ErrUnknown)
			}
			v = reply.before()
		} else if winner == st.Side {
			v = WinIn(1)
		}
		if v.Better(best) {
			best = v
		}
	}
	return best, nil
}

// String says what is wrong in a line.
func (w Wrong) String() string {
	return fmt.Sprintf("%v: the table says %s, the turns say %s", strings.TrimRight(w.Position.String(), "\n"), w.Table, w.Turns)
}
