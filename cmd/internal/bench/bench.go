// Package bench is the command bench: nodes and time for a fixed set of positions. With one thread
// the number of nodes changes only when the search does.
package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/cmd/internal/signature"
	"goalproof/engine"
	"goalproof/solve"
	"goalproof/solve/report"
)

// flags are the flags of the bench command.
type flags struct {
	search search.Flags
	engine bool
	json   bool
}

// Command returns the command bench.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the search on a fixed set of positions",
		Long: `Answers a fixed set of questions, each with empty tables, and prints nodes, time
and nodes per second. With one thread the number of nodes is the same on every
machine; it changes only when the search does.

A node is a turn that dfpns examines, a node of the graph of pns, or with
--engine a point of a turn that the engine examines. The engine searches the
same positions and some others to a fixed depth.`,
		Example: `  goalproof bench
  goalproof bench --threads 2
  goalproof bench --algorithm pns
  goalproof bench --engine`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := measuredWriter{t, f.json}
			if f.engine && cmd.Flags().Changed("algorithm") {
				return errors.New("--engine and --algorithm exclude each other")
			}
			if f.engine {
				o, err := f.search.Options()
				if err != nil {
					return err
				}
				return benchEngine(cmd.Context(), engine.Options{Threads: o.Threads, Memory: o.Memory}, w)
			}
			return f.search.WithSolver(func(s *solve.Solver) error { return benchSolver(cmd.Context(), s, w) })
		},
	}
	f.search.Register(cmd.Flags(), 1)
	cmd.Flags().BoolVar(&f.engine, "engine", false, "measure the engine instead of the solver")
	cli.JSONFlag(cmd.Flags(), &f.json, "each question")
	return cmd
}

// measured is a row of the output.
type measured struct {
	Name    string  `json:"name"`
	WinIn   int     `json:"win_in,omitempty"`
	Verdict string  `json:"verdict,omitempty"`
	Depth   int     `json:"depth,omitempty"`
	Score   *int    `json:"score,omitempty"`
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"nodes_per_second"`
}

// measuredWriter writes the rows.
type measuredWriter struct {
	t      cli.Terminal
	asJSON bool
}

// head writes the header.
func (w measuredWriter) head(question, answer string) {
	if !w.asJSON {
		fmt.Fprintf(w.t.Out, "%-18s %8s %12s %12s %14s\n", question, answer, "nodes", "time", "nodes/s")
	}
}

func (w measuredWriter) write(m measured) error {
	m.Rate = float64(m.Nodes) / max(m.Seconds, 1e-9)
	if w.asJSON {
		return report.WriteJSON(w.t.Out, m)
	}
	answer := m.Verdict
	if m.Score != nil {
		answer = fmt.Sprint(*m.Score)
	}
	_, err := fmt.Fprintf(w.t.Out, "%-18s %8s %12s %12s %14s\n", m.Name, answer, humanize.Comma(int64(m.Nodes)),
		time.Duration(m.Seconds*float64(time.Second)).Round(10*time.Microsecond), humanize.Comma(int64(m.Rate)))
	return err
}

func benchSolver(ctx context.Context, solver *solve.Solver, w measuredWriter) error {
	w.head("question", "answer")
	total := measured{Name: "total"}
	for _, b := range signature.Solver {
		p, err := notation.ParsePosition(b.Board)
		if err != nil {
			return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", b.Name, err))
		}
		solver.Forget()
		a, err := solver.Solve(ctx, solve.Question{Position: p, Deepest: b.Turns, NoLine: true})
		if err != nil {
			return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", b.Name, err))
		}
		m := measured{Name: b.Name, WinIn: b.Turns, Verdict: a.Verdict.String(), Nodes: a.Nodes, Seconds: a.Time.Seconds()}
		total.Nodes += m.Nodes
		total.Seconds += m.Seconds
		if err := w.write(m); err != nil {
			return err
		}
		if a.Verdict == answer.Unknown {
			return cli.Exit(cli.Unknown, fmt.Errorf("%s: %v", b.Name, a.Stop))
		}
	}
	return w.write(total)
}

func benchEngine(ctx context.Context, o engine.Options, w measuredWriter) error {
	o.Without = engine.Probe
	e, err := engine.New(o)
	if err != nil {
		return fmt.Errorf("--memory: %w", err)
	}
	w.head("position", "score")
	total := measured{Name: "total", Depth: signature.EngineDepth}
	for _, b := range slices.Concat(signature.Engine, signature.Solver) {
		p, err := notation.ParsePosition(b.Board)
		if err != nil {
			return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", b.Name, err))
		}
		e.Forget()
		r, err := e.Search(ctx, arimaa.NewGame(p, 2), engine.Limits{Depth: signature.EngineDepth}, nil)
		if err != nil {
			return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", b.Name, err))
		}
		m := measured{Name: b.Name, Depth: r.Depth, Score: &r.Score, Nodes: r.Nodes, Seconds: r.Time.Seconds()}
		total.Nodes += m.Nodes
		total.Seconds += m.Seconds
		if err := w.write(m); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return cli.Exit(cli.Unknown, fmt.Errorf("%s: interrupted", b.Name))
		}
	}
	return w.write(total)
}
