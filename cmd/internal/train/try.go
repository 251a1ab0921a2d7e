package train

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/puzzles/describe"
	"goalproof/puzzles/training"
	"goalproof/solve"
	"goalproof/solve/report"
)

// try is an exercise that is tried.
type try struct {
	*session
	puzzle *training.Puzzle
	winIn  int
	left   int          // turns to the win, from the last position of the game
	game   *arimaa.Game // the right turns and the replies
	steps  arimaa.Turn  // of the current turn
	again  bool         // it was tried before
	began  time.Time
	player training.Rating // before it

	mistakes, hints int
	level           int           // hints to the current turn
	key             *solve.Answer // of the current position; nil: not asked for

	id       string
	recorded bool // the record holds it
	solved   bool
	shown    bool // the solution was
}

func (x *try) position() string { return x.puzzle.Position.String() }

// seconds are those since it began.
func (x *try) seconds() float64 { return time.Since(x.began).Seconds() }

// promptHelp is shown by the command help at the prompt.
const promptHelp = `At the prompt, type the turn that wins, in the notation of game records:

  Ee2n Ee3n Ee4n hd5s   plays the turn; you may omit captures (hc3x)
  + Ee2n                makes one or more steps without ending the turn
  end                   ends the turn
  undo                  takes back the last step, or else your last right turn

Other commands:

  hint                  tells the theme, then the piece, then step after step
  solution              shows the solution; the exercise has failed
  skip                  leaves the exercise; without a mistake or a hint it does
                        not count
  board                 draws the board again
  quit, help`

// play asks for turns until the exercise ends.
func (x *try) play(ctx context.Context) error {
	kind := "New puzzle"
	if x.again {
		kind = "Again"
	}
	fmt.Fprintf(x.out, "\n%s: %s\n", kind, printable.Text(x.puzzle.Name))
	x.draw()
	x.task()
	for {
		played := x.game.Len()
		over := false
		err := x.prompt.Ask(ctx, x.game.Label(played), func(ctx context.Context, word, line string) (done bool, err error) {
			over, err = x.command(ctx, word, line)
			return over || x.game.Len() != played, err
		})
		if over || err != nil {
			return err
		}
	}
}

// side is the side that wins.
func (x *try) side() arimaa.Side { return x.puzzle.Position.Side() }

// task says what is to be done.
func (x *try) task() {
	if x.game.Len() > 0 { // the reply is the longest defence that is known
		fmt.Fprintf(x.out, "Proved: %v wins within %s.\n", x.side(), printable.Amount(x.left, "turn"))
		return
	}
	fmt.Fprintf(x.out, "Proved: %v wins in %s.\n", x.side(), printable.Amount(x.left, "turn"))
	if x.puzzle.Difficulty != nil {
		fmt.Fprintf(x.out, "Difficulty: %.1f\n", *x.puzzle.Difficulty)
	}
}

// draw draws the board after the steps of the current turn.
func (x *try) draw() {
	at := x.point()
	fmt.Fprintf(x.out, "\n%s\n", render.Board(notation.Diagram{Position: at.Position, Number: x.game.Number(x.game.Len())}, x.t.Styled))
}

// point returns the state after the steps of the current turn.
func (x *try) point() arimaa.State {
	at := arimaa.NewState(x.game.Last())
	for i := range x.steps.Len() {
		if _, err := at.Play(x.steps.Step(i)); err != nil {
			panic(err) // it was legal when it was made
		}
	}
	return at
}

// command executes a line, and reports whether the exercise is over.
func (x *try) command(ctx context.Context, word, line string) (over bool, err error) {
	switch word {
	case "board":
		x.draw()
		return false, nil
	case "undo":
		return false, x.undo()
	case "hint":
		return false, x.hint(ctx)
	case "solution":
		return true, x.solution(ctx)
	case "skip":
		return true, nil
	case "end":
		return x.judge(ctx, "")
	}
	if steps, ok := strings.CutPrefix(line, "+"); ok {
		at := x.point()
		made, err := notation.PlaySteps(&at, steps)
		if err != nil {
			return false, err
		}
		for i := range made.Len() {
			x.steps = x.steps.With(made.Step(i))
		}
		x.draw()
		return false, nil
	}
	return x.judge(ctx, line)
}

// undo takes back the last step, or the last turn and the reply to it.
func (x *try) undo() error {
	if n := x.steps.Len(); n > 0 {
		kept := arimaa.Turn{}
		for i := range n - 1 {
			kept = kept.With(x.steps.Step(i))
		}
		x.steps = kept
		x.draw()
		return nil
	}
	if x.game.Len() == 0 {
		return errors.New("there is nothing to take back: a wrong turn is taken back by itself")
	}
	x.moved(x.game.At(x.game.Len()-2), x.winIn-(x.game.Len()-2)/2) // each turn takes one off
	x.draw()
	x.task()
	return nil
}

// moved takes another position of the exercise, with so many turns to the win.
func (x *try) moved(game *arimaa.Game, left int) {
	x.game, x.left, x.steps, x.level, x.key = game, left, arimaa.Turn{}, 0, nil
}

// judge decides whether a turn, which continues the steps made so far, keeps the win, and answers it.
func (x *try) judge(ctx context.Context, line string) (over bool, err error) {
	n := x.game.Len()
	if label, rest, ok := strings.Cut(line, " "); ok && label == x.game.Label(n) {
		line = rest
	}
	after := x.game.At(n)
	if err := notation.Play(after, strings.TrimSpace(x.steps.String()+" "+line)); err != nil {
		return false, err
	}
	x.steps = arimaa.Turn{}
	q := x.question()
	limited, cancel := x.search.Start(ctx, x.solver)
	defer cancel()
	a, err := x.solver.Try(limited, q, after.Turn(n))
	switch {
	case err != nil:
		return false, cli.Exit(cli.Internal, err)
	case ctx.Err() != nil:
		return false, cli.Exit(cli.Unknown, errors.New("interrupted"))
	}
	before := x.game.Last()
	known := report.Report{Question: q, Answer: a, Tried: before.Notation(after.Turn(n))}
	switch {
	case a.Verdict == answer.Disproved:
		x.mistakes++
		if err := x.add(false); err != nil {
			return false, err
		}
		x.refute(&known, after)
	case a.Verdict == answer.Proved && a.Within == 1:
		x.solved = true
		if err := x.add(true); err != nil {
			return false, err
		}
		x.game = after
		x.draw()
		return true, nil
	case a.Verdict == answer.Proved && len(a.Line) > 1:
		if err := after.Play(a.Line[1].Turn); err != nil {
			return false, cli.Exit(cli.Internal, err)
		}
		x.moved(after, a.Within-1)
		fmt.Fprintf(x.out, "Right. The reply is %s.\n", report.Notation(a.Line[1]))
		x.draw()
		x.task()
	default:
		fmt.Fprintf(x.out, "Not decided within the limit, so it does not count: %v. Try again, or give more with --time or --nodes.\n", a.Stop)
	}
	return false, nil
}

// question is about the position to play from.
func (x *try) question() solve.Question {
	return solve.Question{Position: x.game.Last(), Deepest: x.left, Number: x.game.Number(x.game.Len())}
}

// refute shows what refutes a turn, which the game after ends with.
func (x *try) refute(known *report.Report, after *arimaa.Game) {
	fmt.Fprintln(x.out, known.Sentence())
	if len(known.Refutation) > 1 {
		p := after.Last()
		d := notation.Diagram{Position: p.AfterTurn(known.Refutation[1].Turn), Number: after.Number(after.Len() + 1)}
		fmt.Fprintf(x.out, "\n%s\n", render.Board(d, x.t.Styled))
	}
	fmt.Fprintln(x.out, "Back to the position before this turn. Try again.")
}

// add puts the attempt into the record. One that fails is added with the first mistake or hint, which
// decides that, and what is solved with help is added later.
func (x *try) add(solved bool) error {
	if x.recorded && !solved {
		return nil
	}
	a := training.Attempt{ID: x.id, Position: x.position(), WinIn: x.winIn, Difficulty: x.puzzle.Difficulty, Solved: solved,
		Mistakes: x.mistakes, Hints: x.hints, Seconds: x.seconds()}
	if x.recorded {
		a.ID, a.Later = x.id+"+", true
	}
	r, err := x.file.Add(&a, time.Now())
	if err != nil {
		return cli.Unwritten(fmt.Errorf("the attempt is not recorded: %w", err))
	}
	x.session.record, x.recorded = r, true
	return nil
}

// answer returns a turn that keeps the win, an essential one if possible, with the line, if the
// turn begins it.
func (x *try) answer(ctx context.Context) (turn arimaa.Turn, a *solve.Answer, err error) {
	if x.key == nil {
		q := x.question()
		q.All = true
		limited, cancel := x.search.Start(ctx, x.solver)
		defer cancel()
		found, err := x.solver.Solve(limited, q)
		switch {
		case err != nil:
			return turn, nil, cli.Exit(cli.Internal, err)
		case ctx.Err() != nil:
			return turn, nil, cli.Exit(cli.Unknown, errors.New("interrupted"))
		case found.Verdict != answer.Proved || len(found.Line) == 0:
			return turn, nil, fmt.Errorf("no turn was found within the limit: %v; give more with --time or --nodes", found.Stop)
		}
		x.key = &found
	}
	a = x.key
	for i := range a.Solutions {
		if a.Solutions[i].Essential {
			return a.Solutions[i].Turn, a, nil
		}
	}
	return a.Line[0].Turn, a, nil
}

// hint gives the next hint. The attempt has failed with the first one.
func (x *try) hint(ctx context.Context) error {
	turn, _, err := x.answer(ctx)
	if err != nil {
		return err
	}
	first := x.level == 0 && x.game.Len() == 0
	if first && x.puzzle.Themes == 0 {
		z, err := x.describe(ctx)
		if err != nil {
			return err
		}
		if z != nil {
			x.puzzle.Themes = z.Themes
		}
	}
	if x.level == 0 && (!first || x.puzzle.Themes == 0) {
		x.level++ // there are none to tell
	}
	x.hints++
	if err := x.add(false); err != nil {
		return err
	}
	switch shown := min(x.level-1, turn.Len()); {
	case x.level == 0:
		fmt.Fprintf(x.out, "Themes: %v.\n", x.puzzle.Themes)
	case shown == 0:
		fmt.Fprintf(x.out, "The piece on %v moves first.\n", turn.Step(0).From())
	default:
		part := arimaa.Turn{}
		for i := range shown {
			part = part.With(turn.Step(i))
		}
		fmt.Fprintf(x.out, "The turn begins with %v.\n", part)
	}
	x.level++
	return nil
}

// describe describes the exercise; it returns nil where the limit is reached.
func (x *try) describe(ctx context.Context) (*describe.Puzzle, error) {
	_, a, err := x.answer(ctx)
	if err != nil {
		return nil, err
	}
	limited, cancel := x.search.Start(ctx, x.solver)
	defer cancel()
	d := describe.Describer{Solver: x.solver}
	z, _, err := d.Win(limited, x.puzzle.Position, a)
	if err != nil {
		return nil, cli.Exit(cli.Internal, err)
	}
	return z, nil
}

// solution shows a solution. The attempt has failed.
func (x *try) solution(ctx context.Context) error {
	turn, a, err := x.answer(ctx)
	if err != nil {
		return err
	}
	line := a.Line
	if line[0].Turn != turn {
		limited, cancel := x.search.Start(ctx, x.solver)
		defer cancel()
		if line, err = x.solver.Line(limited, x.question(), x.left, turn); err != nil {
			return cli.Exit(cli.Internal, err)
		}
	}
	if err := x.add(false); err != nil {
		return err
	}
	x.shown = true
	for i, ply := range line {
		fmt.Fprintf(x.out, "  %s %s\n", x.game.Label(x.game.Len()+i), report.Notation(ply))
	}
	return nil
}
