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
	"goalproof/engine"
	"goalproof/solve"
)

// benchmark is a question whose answer takes work.
type benchmark struct {
	name  string
	board string
	n     int
}

// benchmarks is a fixed set: few pieces and many, "yes" and "no", two turns and three.
// The boards are composed, drawn at random, or come from games of random turns.
var benchmarks = []benchmark{
	{"camel and crowd", "g [ mr D M  r     D       r           c          R           R     ]", 2},
	{"far from home", "g [CEm  r       c        d rCH H            R   R          R      h]", 2},
	{"open, yes", "s [        MC c       r    R  r    HC h                            ]", 2},
	{"open, no", "g [cr        e    r  H     c C         DR     d R           H      ]", 2},
	{"far apart", "g [HmHd ED Rr                             D            R     C     ]", 2},
	{"free rabbit", "g [C  r             r  H  r    r       c   R h  M d                ]", 2},
	{"crowded on top", "g [hreCrDr     E r  d rD   m      r r     R       RH    d         h]", 2},
	{"24 pieces", "g [rCCEhr dMr  c e  d rR rH   mR     R      D       c   D   H     R]", 2},
	{"20 pieces", "g [rchEh    R    r   r      Cc      DM      H  e    rR HR    R C   ]", 2},
	{"silver runs", "s [C  r M     rE   He  r      r      cm R  RD                      ]", 2},
	{"composed", "g [r       Rr     r   E dr                    e  r        RR  RR  R]", 2},
	{"full board 12", "s [ c eh c   h     rr    d D r rd rrrRRC  rRR  R RE  D CM R HH    R]", 2},
	{"full board 17", "s [      dmcrhR h  d   crr  RR rRrr DrrHRe MR   RHR  CE         D C]", 2},
	{"full board 27", "g [ mdrhh r   e   cr r    rr cM R d R  rDHRr D  CRRH R  R   E  C   ]", 2},
	{"full board 39", "g [r   e  hrdhd   rrR m   cR Rr Mr   H CRrR R rH D  CER  R     D   ]", 2},
	{"full board 42", "s [ d h r  r ehmc   Rc    r Rr   rr Rrr  dCRR E HRR D  M  R  DH C  ]", 2},
	{"three turns, yes", "s [ r   r     e       h              M                          R  ]", 3},
	{"three turns, no", "g [Hrr  ch    md      c      r r   R            e        d         ]", 3},
}

// engineDepth is how deep the engine searches the positions, in steps.
const engineDepth = 6

// engineBenchmarks are positions that the engine searches besides those of the questions; they come from games
// that it played against itself.
var engineBenchmarks = []benchmark{
	{"opening", "s [rrrrrrrrc d dc h   e  h  mE                   H RHDM D RRRRCCRRR]", 0},
	{"camels lost", "s [r r  rrr rdrrch    dM h          ce     mE  C H RHDC DRRRRR  R R]", 0},
	{"horse taken deep", "s [r rr rrrrrc  d     c  hhmE      Hd      RM e  H  CDRRCD  RR  RRR]", 0},
	{"elephants apart", "g [r r r  rrrRd  r H  rE hhd    c   R R    Cm e  H D  M CD  RR  RRR]", 0},
	{"many captures", "s [r r rr r rd  crrhh cd H             REm  H Me   RRDC DC R R  RRR]", 0},
	{"goals near", "g [r r c    rddrr   h eHrcr       r CE R  Rh     C RRD  D R RR  R  ]", 0},
}

func Command(t cli.Terminal) *cobra.Command {
	var f search.Flags
	var asJSON, withEngine bool
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
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := measuredWriter{t, asJSON}
			if withEngine && cmd.Flags().Changed("algorithm") {
				return errors.New("--engine and --algorithm exclude each other")
			}
			if withEngine {
				o, err := f.Options()
				if err != nil {
					return err
				}
				return benchEngine(cmd.Context(), engine.Options{Threads: o.Threads, Memory: o.Memory}, w)
			}
			return f.WithSolver(func(s *solve.Solver) error { return benchSolver(cmd.Context(), s, w) })
		},
	}
	f.Register(cmd.Flags(), 1)
	cmd.Flags().BoolVar(&withEngine, "engine", false, "measure the engine instead of the solver")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write a line of JSON for each question (see goalproof help json)")
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

// head writes the line above them.
func (w measuredWriter) head(question, answer string) {
	if !w.asJSON {
		fmt.Fprintf(w.t.Out, "%-18s %8s %12s %12s %14s\n", question, answer, "nodes", "time", "nodes/s")
	}
}

func (w measuredWriter) write(m measured) error {
	m.Rate = float64(m.Nodes) / max(m.Seconds, 1e-9)
	if w.asJSON {
		return cli.WriteJSON(w.t.Out, m)
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
	for _, b := range benchmarks {
		p, err := notation.ParsePosition(b.board)
		if err != nil {
			return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", b.name, err))
		}
		solver.Forget()
		a, err := solver.Solve(ctx, solve.Question{Position: p, Deepest: b.n, NoLine: true})
		if err != nil {
			return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", b.name, err))
		}
		m := measured{Name: b.name, WinIn: b.n, Verdict: search.VerdictName(a.Verdict), Nodes: a.Nodes, Seconds: a.Time.Seconds()}
		total.Nodes += m.Nodes
		total.Seconds += m.Seconds
		if err := w.write(m); err != nil {
			return err
		}
		if a.Verdict == answer.Unknown {
			return cli.Exit(cli.Unknown, fmt.Errorf("%s: %v", b.name, a.Stop))
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
	total := measured{Name: "total", Depth: engineDepth}
	for _, b := range slices.Concat(engineBenchmarks, benchmarks) {
		p, err := notation.ParsePosition(b.board)
		if err != nil {
			return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", b.name, err))
		}
		e.Forget()
		r, err := e.Search(ctx, arimaa.NewGame(p, 2), engine.Limits{Depth: engineDepth}, nil)
		if err != nil {
			return cli.Exit(cli.Internal, fmt.Errorf("%s: %w", b.name, err))
		}
		m := measured{Name: b.name, Depth: r.Depth, Score: &r.Score, Nodes: r.Nodes, Seconds: r.Time.Seconds()}
		total.Nodes += m.Nodes
		total.Seconds += m.Seconds
		if err := w.write(m); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return cli.Exit(cli.Unknown, fmt.Errorf("%s: interrupted", b.name))
		}
	}
	return w.write(total)
}
