package train

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	randv2 "math/rand/v2"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/puzzles/training"
	"goalproof/solve"
	"goalproof/solve/report"
)

// session is one run of the command.
type session struct {
	*flags
	t      cli.Terminal
	out    io.Writer // for a person
	solver *solve.Solver
	prompt *cli.Prompt
	file   training.File
	record training.Record
	all    []training.Puzzle
	passed map[int]bool // puzzles that are no exercises, or were skipped
	left   int          // puzzles that are no exercises, for a reason that was told
	others int          // puzzles that --win-in does not fit
	code   cli.Code     // of puzzles that are no exercises, or could not be read
	random *randv2.Rand
}

// run tries one exercise after the other.
func (s *session) run(ctx context.Context) error {
	s.prompt = cli.NewPrompt(ctx, s.t, s.out, promptHelp)
	fmt.Fprintln(s.out, "Type help to see what you can type.")
	solved := -1 // the last exercise, if it was clean
	for ended := 0; s.count == 0 || ended < s.count; {
		now := time.Now()
		if err := s.reread(); err != nil {
			return err
		}
		i := training.Next(s.all, &s.record, now, s.passed, s.random)
		if i < 0 || i == solved {
			return s.finished(now)
		}
		x, err := s.begin(ctx, &s.all[i], now)
		if err != nil {
			return err
		}
		if x == nil {
			s.passed[i] = true
			continue
		}
		err = x.play(ctx)
		if x.recorded {
			ended++
			if err := x.report(); err != nil {
				return err
			}
		} else {
			s.passed[i] = true
		}
		if solved = -1; x.clean() {
			solved = i
		}
		switch {
		case errors.Is(err, cli.ErrLeft):
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// reread reads the record, to which another program may have added.
func (s *session) reread() error {
	r, err := s.file.Read()
	if err != nil {
		return cli.Exit(cli.BadInput, fmt.Errorf("%s: %w", s.file.Name, err))
	}
	s.record = r
	return nil
}

// finished says that nothing is left, or returns an error if there was no exercise at all.
func (s *session) finished(now time.Time) error {
	if s.left+s.others == len(s.all) {
		return s.none()
	}
	said := " Train on another set."
	if next := s.next(now); !next.IsZero() {
		said = fmt.Sprintf(" The next one is due %s. Train on another set, or come back then.", next.Local().Format(time.DateTime))
	}
	_, err := fmt.Fprintf(s.out, "No exercise of these is due, and none is new.%s\n", said)
	return err
}

// none is the error that says why none of the puzzles is an exercise.
func (s *session) none() error {
	why := "see above why each was left out"
	switch {
	case s.left == 0:
		why = fmt.Sprintf("--win-in %d fits none of them", s.winIn)
	case s.others > 0:
		why = fmt.Sprintf("see above why some were left out; --win-in %d fits none of the others", s.winIn)
	}
	return cli.Exit(s.code, fmt.Errorf("no puzzle of these can be trained on: %s", why))
}

// next is when the first of the exercises comes that wait; zero if none does.
func (s *session) next(now time.Time) (next time.Time) {
	for i := range s.all {
		p := &s.all[i]
		at := s.record.Find(p.Position.String(), cmp.Or(p.WinIn, s.winIn))
		if at < 0 {
			continue
		}
		e := &s.record.Exercises[at]
		if e.Stage > 0 && !s.record.IsDue(e, now) && (next.IsZero() || e.Due.Before(next)) {
			next = e.Due
		}
	}
	return next
}

// begin proves that a puzzle is an exercise. It returns nil, and says why, if it is none.
func (s *session) begin(ctx context.Context, p *training.Puzzle, now time.Time) (*try, error) {
	q := solve.Question{Position: p.Position, Deepest: solve.MaxTurns, NoLine: true}
	if p.WinIn > 0 {
		q.Deepest = p.WinIn
	}
	err, code := q.Check(), cli.Code(cli.BadInput)
	if err == nil {
		limited, cancel := s.search.Start(ctx, s.solver)
		defer cancel()
		var a solve.Answer
		if a, err = s.solver.Solve(limited, q); err != nil {
			return nil, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", p.Name, err))
		}
		if ctx.Err() != nil {
			return nil, cli.Exit(cli.Unknown, errors.New("interrupted"))
		}
		known := report.Report{Question: q, Answer: a}
		switch {
		case a.Verdict != answer.Proved || !a.Exact() || p.WinIn > 0 && a.Within != p.WinIn:
			if code = cli.Unknown; a.Verdict == answer.Disproved || a.Exact() {
				code = cli.Fails
			}
			err = errors.New(known.Sentence())
			if p.WinIn > 0 {
				err = fmt.Errorf("it claims a win in %d. %w", p.WinIn, err)
			}
		case s.winIn > 0 && a.Within != s.winIn:
			s.others++
			s.code = s.code.Worse(cli.BadInput)
			return nil, nil
		default:
			x := &try{session: s, puzzle: p, winIn: a.Within, left: a.Within, game: arimaa.NewGame(p.Position, max(p.Number, arimaa.FirstTurn)),
				id: rand.Text(), began: now, player: s.record.Player}
			if at := s.record.Find(x.position(), x.winIn); at >= 0 {
				x.again = true
			}
			return x, nil
		}
	}
	s.left++
	s.code = s.code.Worse(code)
	fmt.Fprintf(s.t.Err, "goalproof: %s: left out: %v\n", p.Name, err)
	return nil, nil
}

// attempt is the line of --json about an attempt.
type attempt struct {
	Name         string     `json:"name"`
	Position     string     `json:"position"`
	WinIn        int        `json:"win_in"`
	Solved       bool       `json:"solved"`
	Clean        bool       `json:"clean"`
	Mistakes     int        `json:"mistakes"`
	Hints        int        `json:"hints"`
	Seconds      float64    `json:"seconds"`
	Rating       float64    `json:"rating"`
	Deviation    float64    `json:"deviation"`
	Volatility   float64    `json:"volatility"`
	PuzzleRating *float64   `json:"puzzle_rating"`
	Difficulty   *float64   `json:"difficulty"`
	ByResults    *float64   `json:"difficulty_by_results"`
	Streak       int        `json:"streak"`
	Best         int        `json:"best"`
	Stage        int        `json:"stage"`
	Due          *time.Time `json:"due"`
}

// clean reports whether the exercise was solved without help.
func (x *try) clean() bool { return x.solved && x.mistakes+x.hints == 0 }

// report says what became of an exercise. The record holds it.
func (x *try) report() error {
	r := &x.record
	e := r.Exercises[r.Find(x.position(), x.winIn)]
	clean := x.clean()
	if x.json {
		a := attempt{Name: x.puzzle.Name, Position: x.position(), WinIn: x.winIn, Solved: x.solved, Clean: clean, Mistakes: x.mistakes, Hints: x.hints,
			Seconds: x.seconds(), Rating: r.Player.Rating, Deviation: r.Player.Deviation, Volatility: r.Player.Volatility,
			Streak: r.Streak, Best: r.Best, Stage: e.Stage}
		if e.Rating != nil {
			a.PuzzleRating = &e.Rating.Rating
		}
		a.Difficulty, a.ByResults = x.puzzle.Difficulty, byResults(&e)
		if e.Stage > 0 {
			a.Due = &e.Due
		}
		return report.WriteJSON(x.t.Out, a)
	}
	said := "Not solved"
	if x.solved {
		said = fmt.Sprintf("Solved in %.0f s", x.seconds())
	}
	rating := "Rating"
	if r.Player != x.player {
		rating = fmt.Sprintf("Rating %.0f to", x.player.Rating)
	}
	_, err := fmt.Fprintf(x.out, "%s, %s. %s %.0f (deviation %.0f). Streak %d, best %d.%s%s\n", said, x.help(), rating, r.Player.Rating, r.Player.Deviation,
		r.Streak, r.Best, hard(x.puzzle.Difficulty, byResults(&e)), comes(r, &e))
	return err
}

// byResults returns the difficulty of an exercise by its results, nil if they say too little.
func byResults(e *training.Exercise) *float64 {
	if d, ok := e.Difficulty(); ok {
		return &d
	}
	return nil
}

// hard says how difficult an exercise is, as predicted and by the results, or "".
func hard(predicted, results *float64) string {
	switch {
	case results == nil:
		return ""
	case predicted == nil:
		return fmt.Sprintf(" Difficulty %.1f by your results.", *results)
	}
	return fmt.Sprintf(" Difficulty %.1f, %.1f by your results.", *predicted, *results)
}

// comes says when an exercise comes again, or "" if it does not.
func comes(r *training.Record, e *training.Exercise) string {
	switch {
	case e.Stage == 0:
		return ""
	case e.Stage == 1:
		return fmt.Sprintf(" It is due again after %s or an hour. Until then it comes only if nothing else is due or new.",
			printable.Amount(e.After-r.Attempts, "other attempt"))
	}
	return fmt.Sprintf(" It comes again on %s.", e.Due.Local().Format(time.DateOnly))
}

// help says what help was needed, such as "with 2 mistakes and 1 hint".
func (x *try) help() string {
	switch {
	case x.mistakes > 0 && x.hints > 0:
		return fmt.Sprintf("with %s and %s", printable.Amount(x.mistakes, "mistake"), printable.Amount(x.hints, "hint"))
	case x.mistakes > 0:
		return "with " + printable.Amount(x.mistakes, "mistake")
	case x.hints > 0:
		return "with " + printable.Amount(x.hints, "hint")
	}
	return "without a mistake"
}
