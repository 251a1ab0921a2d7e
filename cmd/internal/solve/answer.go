package solve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/solve"
	"goalproof/solve/report"
)

// solved is an item with the answer to the question about it.
type solved struct {
	inputs.Item
	report.Report
	tree        *solve.Variation // its variations; nil if there are none or they were not asked for
	description *description     // nil if it was not asked for
	phases      *puzzles.Phases  // nil if they were not asked for, or cannot be listed
	unlisted    answer.Stop      // why they cannot
	code        cli.Code
	cut         bool  // time has ended a search that is limited in nodes
	early       error // what an interrupted command before this one may have printed is false; nil: it is not
}

// ends takes note of the end of a limit.
func (s *solved) ends(ctx context.Context) { s.cut = s.cut || answer.Cut(ctx) }

// writer answers about positions, and writes what is found out.
type writer struct {
	*flags
	t     cli.Terminal
	saves saves
	more  bool // something has been written
}

// prepare sets the parameters of a solver and where it saves.
func (w *writer) prepare(s *solve.Solver) error {
	if w.pns.Save != "" {
		w.saves = saves{err: w.t.Err, every: w.pns.SaveEvery}
	}
	if w.pns.Save != "" && !w.jobs.Given() {
		if err := s.SaveTo(w.pns.Save, w.pns.SaveEvery, w.saves.report); err != nil {
			return err
		}
	}
	return s.Tune(w.pns.Parameters)
}

// answer answers the question about an item.
func (w *writer) answer(ctx context.Context, solver *solve.Solver, it inputs.Item) (known *solved, err error) {
	known = &solved{Item: it}
	known.Question, known.Tried = w.question(&it), w.try
	if it.Err != nil {
		known.code = cli.BadInput
		return known, nil
	}
	known.Answer, err = w.solve(ctx, solver, known)
	if w.pns.Save != "" {
		w.saves.end(known.Answer, err)
	}
	if bad, ok := errors.AsType[*badTry](err); ok {
		known.Err, known.code = bad, cli.BadInput
		return known, nil
	}
	if w.pns.Resume != "" && unusable(err) {
		return known, cli.Unwritten(err)
	}
	if err != nil {
		return known, cli.Exit(cli.CodeOf(err, cli.Internal), fmt.Errorf("%s: %w", it.Name, err))
	}
	known.Certificate, err = w.writeDown(ctx, solver, known)
	if errors.As(err, new(*certificates.Unwritten)) {
		known.code = cli.CodeOf(err, cli.BadInput)
	} else if err != nil {
		return known, err
	}
	for _, add := range []func(context.Context, *solve.Solver, *solved) error{w.addVariations, w.addDescription, w.addTries} {
		if err := add(ctx, solver, known); err != nil {
			return known, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", it.Name, err))
		}
	}
	known.code = known.code.Worse(w.codeOf(known))
	return known, nil
}

// codeOf returns the exit code of an answer: unknown if anything is that was asked for.
func (w *writer) codeOf(known *solved) cli.Code {
	switch {
	case known.Verdict == answer.Unknown, known.Listing != answer.Finished,
		known.Certificate == "" && w.certifies(&known.Answer),
		w.variations > 0 && known.tree == nil && known.Verdict == answer.Proved,
		w.tries && (known.phases == nil || known.phases.Stop() != answer.Finished):
		return cli.Unknown
	case known.Verdict == answer.Disproved:
		return cli.Fails
	}
	return cli.Holds
}

// solve answers one question within its limit, with a progress bar on a terminal.
func (w *writer) solve(ctx context.Context, solver *solve.Solver, known *solved) (a solve.Answer, err error) {
	if w.jobs.Given() {
		return w.together(ctx, solver, known)
	}
	ctx, cancel := w.search.Start(ctx, solver)
	defer cancel()
	defer known.ends(ctx)
	if cli.IsTerminal(w.t.Err) && !w.json && !w.many {
		stop := showProgress(w.t.Err, known.Name, w.goal, w.search.Limit(), solver)
		defer stop()
	}
	if w.try == "" {
		return solver.Solve(ctx, known.Question)
	}
	turn, err := w.turn(&known.Item)
	switch {
	case err != nil:
		return a, &badTry{fmt.Errorf("--try %q: %w", w.try, err)}
	case w.winIn > 0:
		return solver.Try(ctx, known.Question, turn)
	}
	return solver.TryShortest(ctx, known.Question, turn)
}

// badTry is the error of a value of --try that is not a turn.
type badTry struct{ error }

// turn reads the turn of --try, which may begin with its label.
func (f *flags) turn(it *inputs.Item) (arimaa.Turn, error) {
	game := arimaa.NewGame(it.Diagram.Position, it.Diagram.Number)
	if it.Game != nil {
		game = it.Game.At(it.Game.Len())
	}
	played := game.Len()
	steps := f.try
	if label, rest, ok := strings.Cut(steps, " "); ok && label == game.Label(played) {
		steps = rest
	}
	if err := notation.Play(game, steps); err != nil {
		return arimaa.Turn{}, err
	}
	return game.Turn(played), nil
}

// deliver prints the answer about an item and writes its files.
func (w *writer) deliver(known *solved) (cli.Code, error) {
	w.print(known)
	w.more = true
	w.search.ReportCut(w.t, known.Name, known.cut)
	if known.Err != nil {
		return known.code, nil
	}
	if err := w.saveVariations(known); err != nil {
		return known.code, err
	}
	if err := w.draw(known); err != nil {
		return known.code, err
	}
	if known.Unsaved != nil {
		fmt.Fprintf(w.t.Err, "goalproof: --save: %v\n", known.Unsaved)
		if !errors.Is(known.Unsaved, solve.ErrRecalled) {
			known.code = known.code.Worse(cli.CodeOf(known.Unsaved, cli.BadInput))
		}
	}
	if known.early != nil {
		fmt.Fprintf(w.t.Err, "goalproof: %v\n", known.early)
		known.code = known.code.Worse(cli.Internal)
	}
	return known.code, nil
}

// print prints the answer about a position.
func (w *writer) print(known *solved) {
	out := w.t.Out
	switch {
	case w.json:
		_ = report.WriteJSON(out, known.object(w.aim.String())) // the output remembers that it could not be written
	case known.Err != nil:
		fmt.Fprintf(w.t.Err, "goalproof: %s\n", notation.Explain(known.Err))
	case w.quiet:
		fmt.Fprintf(out, "%s: %s\n", known.Name, known.Summary())
	default:
		known.Head(w.t, w.more)
		known.Write(out)
		known.writeVariations(out)
		known.description.write(out)
		known.writeTries(out, w.tries)
		probes := ""
		if known.Probes > 0 {
			probes = fmt.Sprintf(", %s by endgame tables", printable.Amount(known.Probes, "position"))
		}
		w.search.Took(w.t, known.Name, known.Nodes, known.Time, probes)
	}
}

// object is an answer in JSON.
type object struct {
	inputs.About
	Side *string `json:"side"`
	report.Answer
	Description *descriptionJSON     `json:"description"`
	Tries       *puzzles.TriesRecord `json:"tries"`
	Certificate *string              `json:"certificate"`
	Variations  *report.Variation    `json:"variations"`
	Error       *string              `json:"error"`
}

func (s *solved) object(goal string) object {
	o := object{About: s.About(), Answer: s.JSON()}
	if s.Err != nil {
		o.Goal, o.Verdict, o.Repetition, o.Stopped, o.Error = goal, "error", nil, nil, new(s.Err.Error())
		return o
	}
	o.Side = new(s.Position.Side().String())
	if s.description != nil {
		o.Description = s.description.json()
	}
	o.Tries = puzzles.RecordTries(s.phases, s.unlisted)
	if s.Certificate != "" {
		o.Certificate = &s.Certificate
	}
	if s.tree != nil {
		o.Variations = report.VariationOf(s.tree, s.Number)
	}
	return o
}
