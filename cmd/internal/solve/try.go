package solve

import (
	"context"
	"fmt"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/solve"
)

// badTry is the error of a turn that is none.
type badTry struct{ error }

// tries answers about the turn of --try. Without --win-in the win that it must keep is the shortest one; if none is found within the
// limit, the answer is about that.
func (f *flags) tries(ctx context.Context, solver *solve.Solver, q solve.Question, it *inputs.Item) (solve.Answer, error) {
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
		return solve.Answer{}, &badTry{fmt.Errorf("--try %q: %w", f.try, err)}
	}
	turn := game.Turn(played)
	if f.winIn > 0 {
		return solver.Try(ctx, q, turn)
	}
	q.NoLine = true
	shortest, err := solver.Solve(ctx, q)
	if err != nil || shortest.Verdict == answer.Unknown {
		return shortest, err
	}
	if shortest.Verdict == answer.Proved {
		q.Deepest = shortest.Within
	}
	a, err := solver.Try(ctx, q, turn)
	a.Nodes, a.Time, a.Probes = a.Nodes+shortest.Nodes, a.Time+shortest.Time, a.Probes+shortest.Probes
	return a, err
}

// trySentence says what is known about the turn of --try.
func (f *flags) trySentence(it answered, a solve.Answer) string {
	side := it.Diagram.Position.Side()
	switch {
	case a.Verdict == answer.Proved && a.Exact():
		return fmt.Sprintf("Proved: with %s %v wins in %s.", f.try, side, cli.Amount(a.Within, "turn"))
	case a.Verdict == answer.Proved:
		return fmt.Sprintf("Proved: with %s %v wins in at most %s.", f.try, side, cli.Amount(a.Within, "turn"))
	case a.Verdict == answer.Unknown:
		return fmt.Sprintf("Unknown: %v before it was decided whether %v wins with %s.", a.Stop, side, f.try)
	}
	text := fmt.Sprintf("Disproved: with %s %v has no win in %s%s.", f.try, side, cli.Amount(a.Refuted, "turn"), setAside(it, a))
	if len(a.Refutation) == 1 && a.Refuted > 1 && !a.Refutation[0].Outcome.Over() {
		text += " (The limit was reached before the reply was found again.)"
	}
	return text
}

// writeRefutation shows the reply that refutes a turn.
func writeRefutation(t cli.Terminal, it answered, a solve.Answer) {
	if len(a.Refutation) == 0 {
		return
	}
	fmt.Fprintln(t.Out)
	number := it.Diagram.Number
	for _, ply := range a.Refutation {
		fmt.Fprintf(t.Out, "  %4s  %s\n", arimaa.TurnLabel(number, ply.Before.Side()), written(ply))
		if ply.Outcome.Over() {
			fmt.Fprintf(t.Out, "%v wins by %v.\n", ply.Outcome.Winner, ply.Outcome.Reason)
		}
		if ply.Before.Side() == arimaa.Silver {
			number++
		}
	}
	fmt.Fprintln(t.Out)
}

// trySummary says what is known about the turn of --try in a few words.
func (f *flags) trySummary(it answered, a solve.Answer) string {
	switch {
	case a.Verdict == answer.Proved && a.Exact():
		return fmt.Sprintf("win in %d with %s", a.Within, f.try)
	case a.Verdict == answer.Proved:
		return fmt.Sprintf("win in at most %d with %s", a.Within, f.try)
	case a.Verdict == answer.Unknown:
		return fmt.Sprintf("unknown (%v), no win in %d with %s%s", a.Stop, a.Refuted, f.try, setAside(it, a))
	}
	text := fmt.Sprintf("no win in %d with %s%s", a.Refuted, f.try, setAside(it, a))
	if len(a.Refutation) > 1 {
		text += ": " + written(a.Refutation[1])
	}
	return text
}
