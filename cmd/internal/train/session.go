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
	t       cli.Terminal
	out     io.Writer // for a person
	solver  *solve.Solver
	prompt  *cli.Prompt
	file    training.File
	record  training.Record
	all     []training.Puzzle
	passed  map[int]bool // puzzles that are no exercises, or were skipped
	left    int          // puzzles that are no exercises, for a reason that was told
	others  int          // puzzles that the flags do not select, as a search has found
	skipped int          // puzzles
	code    cli.Code     // of puzzles that are no exercises, or could not be read
	random  *randv2.Rand
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
		x, err := s.exercise(ctx, &s.all[i], now)
		switch {
		case errors.Is(err, cli.ErrLeft):
			return nil
		case err != nil:
			return err
		case x == nil:
			s.passed[i] = true
			continue
		case x.recorded:
			ended++
		default:
			s.passed[i] = true
			s.skipped++
		}
		if solved = -1; x.clean() {
			solved = i
		}
	}
	return nil
}

// exercise has a puzzle tried, and reports what became of it, unless nothing was tried. It returns
// nil if the puzzle is no exercise.
func (s *session) exercise(ctx context.Context, p *training.Puzzle, now time.Time) (*try, error) {
	x, err := s.begin(ctx, p, now)
	if x == nil {
		return nil, err
	}
	err = x.play(ctx)
	if x.recorded {
		if failed := x.report(); failed != nil {
			return x, failed
		}
	}
	return x, err
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
	if next := training.Waits(s.all, &s.record, now); !next.IsZero() {
		said = fmt.Sprintf(" The next one is due %s. Train on another set, or come back then.", next.Local().Format(time.DateTime))
	}
	why := "No exercise of these is due, and none is new."
	if s.skipped > 0 {
		why = fmt.Sprintf("The rest, %s, was skipped, and comes again in the next session.", printable.Amount(s.skipped, "exercise"))
	}
	_, err := fmt.Fprintf(s.out, "%s%s\n", why, said)
	return err
}

// none is the error that says why none of the puzzles is an exercise.
func (s *session) none() error {
	why := "see above why each was left out"
	switch {
	case s.left == 0:
		why = "the flags select none of them"
	case s.others > 0:
		why = "see above why some were left out; the flags select none of the others"
	}
	return cli.Exit(s.code, fmt.Errorf("no puzzle of these can be trained on: %s", why))
}

// begin proves that a puzzle is an exercise. It returns nil if it is none, and says why, or if the
// flags do not select it.
func (s *session) begin(ctx context.Context, p *training.Puzzle, now time.Time) (*try, error) {
	winIn, err := s.prove(ctx, p)
	x := &try{session: s, puzzle: p, winIn: winIn, left: winIn, game: arimaa.NewGame(p.Position, max(p.Number, arimaa.FirstTurn)),
		id: rand.Text(), began: now, player: s.record.Player}
	by := &s.selection.Filter
	if err == nil && p.Themes == 0 && (by.Themes != 0 || by.Difficulty != nil) {
		err = x.learn(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return nil, cli.Exit(cli.Unknown, errors.New("interrupted"))
	case err != nil:
		code := cli.Code(cli.Unknown)
		if failed := new(cli.ExitError); errors.As(err, &failed) {
			code = failed.Code
		}
		if code == cli.Internal {
			return nil, err
		}
		s.left++
		s.code = s.code.Worse(code)
		fmt.Fprintf(s.t.Err, "goalproof: %s: left out: %v\n", p.Name, err)
		return nil, nil
	case !by.Fits(winIn, p.Themes, p.Difficulty):
		s.others++
		s.code = s.code.Worse(cli.BadInput)
		return nil, nil
	}
	x.again = s.record.Find(x.position(), x.winIn) >= 0
	return x, nil
}

// learn finds the themes and the difficulty of the exercise.
func (x *try) learn(ctx context.Context) error {
	z, err := x.describe(ctx)
	switch {
	case err != nil:
		return err
	case z == nil:
		return errors.New("its themes were not found within the limit; give more with --time or --nodes")
	}
	x.puzzle.Themes = z.Themes
	if d, ok := z.Difficulty(); ok {
		x.puzzle.Difficulty = &d
	}
	return nil
}

// prove returns the length of the shortest win. The error says why a puzzle is no exercise, with an
// exit code.
func (s *session) prove(ctx context.Context, p *training.Puzzle) (winIn int, err error) {
	q := solve.Question{Position: p.Position, Deepest: solve.MaxTurns, NoLine: true}
	if p.WinIn > 0 {
		q.Deepest = p.WinIn
	}
	if err := q.Check(); err != nil {
		return 0, cli.Exit(cli.BadInput, err)
	}
	limited, cancel := s.search.Start(ctx, s.solver)
	defer cancel()
	a, err := s.solver.Solve(limited, q)
	if err != nil {
		return 0, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", p.Name, err))
	}
	if a.Verdict == answer.Proved && a.Exact() && (p.WinIn == 0 || a.Within == p.WinIn) {
		return a.Within, nil
	}
	code, known := cli.Code(cli.Unknown), report.Report{Question: q, Answer: a}
	if a.Verdict == answer.Disproved || a.Exact() {
		code = cli.Fails
	}
	err = errors.New(known.Sentence())
	if p.WinIn > 0 {
		err = fmt.Errorf("it claims a win in %d. %w", p.WinIn, err)
	}
	return 0, cli.Exit(code, err)
}

// attempt is the line of --json about an attempt.
type attempt struct {
	Name         string     `json:"name"`
	Position     string     `json:"position"`
	WinIn        int        `json:"win_in"`
	Difficulty   *float64   `json:"difficulty"`
	Themes       []string   `json:"themes"`
	Idea         *string    `json:"idea"`
	Solved       bool       `json:"solved"`
	Clean        bool       `json:"clean"`
	Mistakes     int        `json:"mistakes"`
	Hints        int        `json:"hints"`
	Seconds      float64    `json:"seconds"`
	Rating       float64    `json:"rating"`
	Deviation    float64    `json:"deviation"`
	Volatility   float64    `json:"volatility"`
	PuzzleRating *float64   `json:"puzzle_rating"`
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
		a := attempt{Name: x.puzzle.Name, Position: x.position(), WinIn: x.winIn, Difficulty: x.puzzle.Difficulty, Solved: x.solved, Clean: clean,
			Mistakes: x.mistakes, Hints: x.hints, Seconds: x.seconds(), Rating: r.Player.Rating, Deviation: r.Player.Deviation,
			Volatility: r.Player.Volatility, ByResults: e.Difficulty(), Streak: r.Streak, Best: r.Best, Stage: e.Stage}
		if x.puzzle.Themes != 0 {
			a.Themes = x.puzzle.Themes.Names()
		}
		if x.puzzle.Idea != "" {
			a.Idea = &x.puzzle.Idea
		}
		if e.Rating != nil {
			a.PuzzleRating = &e.Rating.Rating
		}
		if e.Stage > 0 {
			a.Due = &e.Due
		}
		return report.WriteJSON(x.t.Out, a)
	}
	if x.puzzle.Themes != 0 {
		fmt.Fprintf(x.out, "Themes: %v.\n", x.puzzle.Themes)
	}
	if x.puzzle.Idea != "" {
		fmt.Fprintf(x.out, "Idea: %s\n", x.puzzle.Idea)
	}
	rating := "Rating"
	if r.Player != x.player {
		rating = fmt.Sprintf("Rating %.0f to", x.player.Rating)
	}
	_, err := fmt.Fprintf(x.out, "%s. %s %.0f (deviation %.0f). Streak %d, best %d.%s%s\n", x.ended(), rating, r.Player.Rating, r.Player.Deviation,
		r.Streak, r.Best, hard(x.puzzle.Difficulty, e.Difficulty()), comes(r, &e))
	return err
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

// ended says whether the exercise was solved, and with what help.
func (x *try) ended() string {
	help := x.help()
	switch {
	case x.solved:
		return fmt.Sprintf("Solved in %.0f s, %s", x.seconds(), cmp.Or(help, "without a mistake"))
	case !x.shown:
		return "Not solved, " + help // it was left
	case help == "":
		return "Not solved: the solution was shown"
	}
	return "Not solved: the solution was shown, " + help
}

// help says what help was needed, such as "with 2 mistakes and 1 hint", or "".
func (x *try) help() string {
	switch {
	case x.mistakes > 0 && x.hints > 0:
		return fmt.Sprintf("with %s and %s", printable.Amount(x.mistakes, "mistake"), printable.Amount(x.hints, "hint"))
	case x.mistakes > 0:
		return "with " + printable.Amount(x.mistakes, "mistake")
	case x.hints > 0:
		return "with " + printable.Amount(x.hints, "hint")
	}
	return ""
}
