// Package analyze is the command analyze: the best turns in a position, with chances and main
// lines.
package analyze

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/engine"
	"goalproof/engine/player"
	"goalproof/internal/memory"
	"goalproof/solve"
	"goalproof/solve/report"
)

// flags are the flags of the analyze command.
type flags struct {
	inputs     inputs.Flags
	candidates int
	limits     search.Flags // --nodes and --time of these, in nodes of the engine
	limit      answer.Limit // for each position; none with a depth alone
	depth      int
	made       string
	json       bool
	engine     search.EngineFlags
}

func (f *flags) register(flags *pflag.FlagSet) {
	f.inputs.Register(flags)
	flags.IntVar(&f.candidates, "candidates", defaultCandidates, "number of turns to show")
	f.limits.RegisterLimits(flags, answer.Limit{Time: 10 * time.Second}, "each position")
	flags.IntVar(&f.depth, "depth", 0, "depth in steps; without --time or --nodes it is the only limit")
	flags.StringVarP(&f.made, "made", "m", "", "`steps` of the turn that have been made already")
	cli.JSONFlag(flags, &f.json, "each position")
	f.engine.Register(flags)
	help.Group(flags, help.Question, "candidates", "made")
	help.Group(flags, help.Question, "depth")
	help.Group(flags, help.Output, "json")
}

// defaultCandidates is how many turns are shown by default.
const defaultCandidates = 3

// Command returns the command analyze.
func Command(t cli.Terminal) *cobra.Command {
	f := flags{inputs: inputs.Flags{Ongoing: true}}
	cmd := &cobra.Command{
		Use:   "analyze INPUT...",
		Short: "Show the best turns in a position, with chances and main lines",
		Long: `Shows the best turns of the side to move according to the engine, each with
gold's chance in percent, gold's score in centi-rabbits, and the principal
variation. It marks wins that are proved. On a terminal it shows, while it
searches, how deep it is, with the best line and gold's chance.

See also: goalproof help engine, formats, json.`,
		Example: `  goalproof analyze examples/win-in-2.txt
  goalproof analyze examples/game.turns --turn 12s --time 30s --candidates 5
  goalproof analyze examples/game.turns --turn 12g --depth 8
  goalproof analyze --json --time 1s examples`,
		DisableFlagParsing: true, // -threads is rewritten first
		RunE: func(cmd *cobra.Command, args []string) error {
			flags := cmd.Flags()
			if err := flags.Parse(twoDashes(args)); err != nil {
				return err
			}
			if help, _ := flags.GetBool("help"); help {
				return cmd.Help()
			}
			if err := f.limits.CheckLimits(); err != nil {
				return err
			}
			switch {
			case f.candidates < 1:
				return fmt.Errorf("--candidates %d: there is at least one", f.candidates)
			case f.depth < 0 || f.depth > engine.MaxDepth:
				return fmt.Errorf("--depth %d: the depth is 0 to %d", f.depth, engine.MaxDepth)
			}
			if f.limit = f.limits.Limit(); f.depth > 0 && !flags.Changed("time") {
				f.limit.Time = 0
			}
			if f.limit.Nodes > 0 && !flags.Changed("threads") {
				f.engine.Threads = 1
			}
			return f.run(cmd.Context(), flags.Args(), t)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// twoDashes writes -threads, as clients do, with the two dashes that flags have here.
func twoDashes(args []string) []string {
	all := slices.Clone(args)
	for i, arg := range all {
		if arg == "-threads" || strings.HasPrefix(arg, "-threads=") {
			all[i] = "-" + arg
		}
	}
	return all
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	bytes, err := f.engine.Budget()
	if err != nil {
		return err
	}
	defer f.engine.Close(t)
	forEngine, forLines := memory.BesideLines(bytes)
	s := player.Settings{Threads: f.engine.Threads, Memory: memory.EngineTables(forEngine, f.engine.Threads)}
	if f.limit.Nodes > 0 { // the tables have the same size everywhere
		if s.Memory, forLines, err = f.fixed(bytes, t); err != nil {
			return err
		}
	}
	if err := search.CheckEngine(s); err != nil {
		return err
	}
	in, err := f.inputs.Read(ctx, args, t)
	if err != nil {
		return err
	}
	e, err := f.engine.NewEngine(s)
	if err != nil {
		return err
	}
	f.engine.Limit(bytes)
	lines := sync.OnceValues(func() (*solve.Solver, error) {
		return solve.New(solve.Options{Threads: f.engine.Threads, Memory: forLines, Endgames: f.engine.Tables()})
	})
	err = in.Each(ctx, t, f.json, func(i int, it inputs.Item) error {
		begun := time.Now()
		a, err := f.analysis(e, it)
		if err == nil {
			err = a.run(ctx, t, lines)
		}
		if err != nil {
			return inputs.Refuse(err)
		}
		f.limits.ReportCut(t, it.Name, a.cut)
		if f.json {
			return report.WriteJSON(t.Out, a.fields(time.Since(begun)))
		}
		it.Head(t, i > 0)
		a.write(t.Out)
		return nil
	})
	f.limits.ReportCuts(t)
	if err == nil && ctx.Err() != nil {
		return cli.Exit(cli.Unknown, nil)
	}
	return err
}

// analysis holds the results of the search of a position.
type analysis struct {
	engine player.Player
	flags  *flags
	about  inputs.About
	game   *arimaa.Game
	state  arimaa.State    // after the steps made
	made   arimaa.Turn     // these
	best   []engine.Report // the candidates, the best first
	cut    bool            // time has ended a search that is limited in nodes
}

// analysis prepares the analysis of a position. The error says what is wrong with the position, or
// with the steps made.
func (f *flags) analysis(e player.Player, it inputs.Item) (*analysis, error) {
	a := &analysis{engine: e, flags: f, about: it.About(), game: it.Game}
	if a.game == nil {
		a.game = arimaa.NewGame(it.Diagram.Position, it.Diagram.Number)
	}
	if a.game.Outcome().Over() {
		return nil, fmt.Errorf("%s: %w", it.Name, engine.ErrNoTurn)
	}
	a.state = arimaa.NewState(a.game.Last())
	if strings.TrimSpace(f.made) != "" {
		made, err := notation.PlaySteps(&a.state, f.made)
		if err != nil {
			return nil, fmt.Errorf("%s: the steps made: %w", it.Name, err)
		}
		a.made = made
	}
	return a, nil
}

// run finds the candidates and their lines, with progress on a terminal.
func (a *analysis) run(ctx context.Context, t cli.Terminal, lines func() (*solve.Solver, error)) error {
	report, stop := a.showProgress(t)
	defer stop()
	if err := a.search(ctx, report); err != nil {
		return err
	}
	return a.extendLines(ctx, lines)
}

// fixed returns the memory of the engine and of the solver for lines under a limit in nodes. It
// warns if several threads make the extent of the search vary.
func (f *flags) fixed(bytes uint64, t cli.Terminal) (forEngine, forLines uint64, err error) {
	forEngine, forLines = memory.ForNodes(f.limit.Nodes), memory.Lines
	if need := memory.EngineProcess(forEngine, f.engine.Threads) + forLines; need > bytes {
		return 0, 0, fmt.Errorf("--memory: an analysis of %s nodes takes %s", humanize.Comma(int64(f.limit.Nodes)), humanize.IBytes(need))
	}
	search.WarnVaries(t, f.engine.Threads)
	return forEngine, forLines, nil
}

// share returns the limit of one of n searches. A time that only cuts a limit in nodes is not
// shared.
func (f *flags) share(n int) answer.Limit {
	n = max(n, 1)
	if f.limit.Nodes > 0 {
		return answer.Limit{Nodes: max(f.limit.Nodes/uint64(n), 1)}
	}
	if f.limit.Time > 0 {
		return answer.Limit{Time: max(f.limit.Time/time.Duration(n), 1)}
	}
	return answer.Limit{}
}

// search finds the candidates. When the time is up it stops, but not before it has the default
// number of them.
func (a *analysis) search(ctx context.Context, report func(engine.Report)) error {
	prefixes := a.prefixes()
	limited, cancel := answer.Limit{Time: a.flags.limit.Time}.Start(ctx)
	defer cancel()
	each := a.flags.share(a.flags.candidates * len(prefixes))
	l := engine.Limits{Time: each.Time, Nodes: each.Nodes, Depth: a.flags.depth}
	if each.Nodes > 0 {
		ctx = limited
		a.engine.Forget() // earlier positions must not change the result
		defer func() { a.cut = errors.Is(limited.Err(), context.DeadlineExceeded) }()
	}
	for _, l.Prefix = range prefixes {
		for n := 0; n < a.flags.candidates && ctx.Err() == nil && (n < defaultCandidates || limited.Err() == nil); n++ {
			r, err := a.engine.Search(ctx, a.game, l, report)
			if errors.Is(err, engine.ErrNoTurn) {
				break
			}
			if err != nil {
				return err
			}
			if ctx.Err() != nil && !player.Searched(r) {
				break
			}
			after := a.game.At(a.game.Len())
			if err := after.Play(r.Turn); err != nil {
				return err
			}
			if o := after.Outcome(); o.Over() && o.Winner == a.state.Side() {
				r.Win = 1
			}
			a.best = append(a.best, r)
			l.Exclude = append(l.Exclude, r.Turn)
		}
	}
	if len(a.best) == 0 && ctx.Err() == nil {
		return fmt.Errorf("%s: the steps made do not lead to the end of a turn", a.about.File)
	}
	for i := range a.best { // the loss of the first search holds for all turns
		a.best[i].Loss = a.best[0].Loss
	}
	a.sort()
	a.best = a.best[:min(len(a.best), a.flags.candidates)]
	return nil
}

// prefixes returns the possible beginnings of the turn in whole options, given the steps made. The
// engine knows pushes and pulls only as wholes: half of a push must be completed, and a step may be
// half of a pull.
func (a *analysis) prefixes() (all []arimaa.Turn) {
	if !midPush(&a.state) {
		all = append(all, a.made)
	}
	if a.made.Len() == 0 {
		return all
	}
	for _, step := range a.state.Steps(nil) {
		next := a.state
		if _, err := next.Play(step); err == nil && !midPush(&next) && (midPush(&a.state) || step.Piece().Side() != a.state.Side()) {
			all = append(all, a.made.With(step))
		}
	}
	return all
}

// midPush reports whether a push must be completed.
func midPush(at *arimaa.State) bool {
	err := at.MayEnd()
	return err != nil && !errors.Is(err, arimaa.ErrNotChanged)
}

// extendLines adds the main lines of proved wins as far as there is time. The engine only proves
// their first turns.
func (a *analysis) extendLines(ctx context.Context, lines func() (*solve.Solver, error)) error {
	limited, cancel := a.flags.limit.Start(ctx)
	defer cancel()
	defer func() { a.cut = a.cut || answer.Cut(limited) }()
	for i := range a.best {
		r := &a.best[i]
		if r.Win < 2 || r.Tabled || limited.Err() != nil {
			continue
		}
		s, err := lines()
		if err != nil {
			return nil // too little memory: only the first turns are shown
		}
		ctx, cancel := s.Start(limited, a.flags.share(a.flags.candidates))
		line, err := s.Line(ctx, solve.Question{Position: a.game.Last(), Deepest: r.Win, Game: a.game}, r.Win, r.Turn)
		cancel()
		if err != nil {
			return err
		}
		r.Line = r.Line[:0]
		for _, ply := range line {
			r.Line = append(r.Line, ply.Turn)
		}
	}
	return nil
}

// sort puts the best candidates first and unsearched ones last. A candidate found later may be
// better, as it was searched longer.
func (a *analysis) sort() {
	slices.SortStableFunc(a.best, func(x, y engine.Report) int {
		switch {
		case player.Searched(x) != player.Searched(y) && player.Searched(x):
			return -1
		case player.Searched(x) != player.Searched(y):
			return 1
		}
		return cmp.Compare(y.Score, x.Score)
	})
}

// write writes the candidates and their main lines.
func (a *analysis) write(w io.Writer) {
	if len(a.best) == 0 {
		fmt.Fprintln(w, "No turn has been searched.")
	}
	for i, r := range a.best {
		line := player.LineOf(a.game, r.Line)
		for j, turn := range line.Line {
			if j == 0 {
				fmt.Fprintf(w, "%d. %s  (%s)\n", i+1, withoutSteps(turn, a.made.Len()), player.Worth(r, a.state.Side()))
			} else {
				fmt.Fprintf(w, "   %5s %s\n", line.Labels[j], turn)
			}
		}
	}
}

// withoutSteps returns a turn in notation without its first steps and their captures, "pass" if
// nothing is left.
func withoutSteps(notation string, steps int) string {
	words := strings.Fields(notation)
	for len(words) > 0 && (steps > 0 || words[0][3] == 'x') {
		if words[0][3] != 'x' {
			steps--
		}
		words = words[1:]
	}
	return cmp.Or(strings.Join(words, " "), "pass")
}
