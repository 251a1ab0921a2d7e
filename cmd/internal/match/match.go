// Package match is the command match: games between two programs or more.
package match

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/spf13/cobra"

	"goalproof/arimaa/clock"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/engine/match"
	"goalproof/internal/batch"
	"goalproof/internal/printable"
	"goalproof/solve/report"
)

// flags are the flags of the match command.
type flags struct {
	games, turns, atOnce   int
	clock                  string
	depth                  int
	nodes                  uint64
	openings, record, sprt string
	ownSetups              bool
	reading                inputs.Reading
	seed                   uint64
	json                   bool
	jobs                   jobs.Flags
}

// defaultClock is the time control of a match without other limits.
const defaultClock = "1s/10s"

// maxPrograms is the greatest number of programs, which letters name.
const maxPrograms = 26

// letter names a program.
func letter(player int) string { return string(rune('A' + player)) }

// Command returns the command match.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "match ENGINE ENGINE...",
		Short: "Play games between programs to see which is stronger",
		Long: `Plays games between programs that speak the Arimaa Engine Interface. It prints
each result, and for two programs the difference in Elo with its 95 % interval.
With more programs each plays each, and a table shows their ratings.

See also: goalproof help matches, engine, clusters, exit-codes, json.`,
		Example: `  goalproof match --games 10 'goalproof aei' 'goalproof aei without=killers'
  goalproof match --clock 0.5s/5s --sprt 0,30 --games 1000 --record runs/7 'goalproof aei' 'goalproof aei hash=16'
  goalproof match --depth 4 --openings examples/game.turns 'goalproof aei threads=2' 'goalproof aei threads=1'
  goalproof match --games 60 'goalproof aei' 'goalproof aei depth=4' 'goalproof aei depth=2'`,
		Args: cli.Args(2, maxPrograms, "program"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.games < 1:
				return fmt.Errorf("--games %d: a match has at least one game", f.games)
			case f.atOnce < 1:
				return fmt.Errorf("--at-once %d: at least one game is played at a time", f.atOnce)
			case f.turns < 2:
				return fmt.Errorf("--turns %d: turn 1 is the setup, so a game has at least 2", f.turns)
			case f.depth < 0:
				return fmt.Errorf("--depth %d: it is not less than 0", f.depth)
			case f.sprt != "" && len(args) > 2:
				return errors.New("--sprt compares two programs")
			case f.ownSetups && f.openings != "":
				return errors.New("--own-setups and --openings exclude each other")
			case f.jobs.Untrusted:
				return errors.New("--untrusted: games with a clock or several threads vary, so two workers need not agree; a match takes workers that you trust")
			}
			if err := f.jobs.CheckAlone(); err != nil {
				return err
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.games, "games", 100, "number of games")
	flags.StringVar(&f.clock, "clock", "", "time control (default "+defaultClock+", or none with --depth or --nodes; see goalproof help matches)")
	flags.IntVar(&f.depth, "depth", 0, "depth of each search in steps")
	flags.Uint64Var(&f.nodes, "nodes", 0, "nodes of each search, for programs with the option nodes")
	flags.IntVar(&f.turns, "turns", 200, "number of turns of each player, with the setup, after which the pieces decide")
	flags.IntVar(&f.atOnce, "at-once", 1, "number of games at the same time")
	flags.StringVar(&f.openings, "openings", "", "take the openings from this `file`")
	f.reading.Register(flags)
	flags.BoolVar(&f.ownSetups, "own-setups", false, "let the programs set up by themselves")
	flags.Uint64Var(&f.seed, "seed", 1, "seed for the order of the setups")
	flags.StringVar(&f.record, "record", "", "write the games to this `directory`; an interrupted match continues there")
	flags.StringVar(&f.sprt, "sprt", "", "stop when one of two differences in Elo is accepted, for example 0,30")
	help.Group(flags, help.Game, "games", "turns", "openings", "own-setups", "seed", "sprt")
	help.Group(flags, help.Search, "clock", "depth", "nodes", "at-once")
	cli.JSONFlag(flags, &f.json, "each game, and one for all")
	f.jobs.Register(flags, t)
	help.Group(flags, help.Output, "record", "json")
	return cmd
}

// schedule is everything that the games of a match depend on. Recorded games are continued only
// under the same schedule.
type schedule struct {
	Programs []string `json:"programs"` // the command lines
	Names    []string `json:"names"`    // that the programs give themselves
	Clock    string   `json:"clock,omitempty"`
	Depth    int      `json:"depth,omitempty"`
	Nodes    uint64   `json:"nodes,omitempty"`
	Turns    int      `json:"turns"`
	Openings string   `json:"openings"`
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	if f.clock == "" && f.depth == 0 && f.nodes == 0 {
		f.clock = defaultClock
	}
	limits := match.Limits{Control: clock.Control{Percent: 100}, Depth: f.depth, Nodes: f.nodes}
	var err error
	if f.clock != "" {
		if limits.Control, err = clock.Parse(f.clock); err != nil {
			return err
		}
	}
	c := contest{flags: f, t: t, standing: new(match.Standing)}
	if f.sprt != "" {
		test, err := match.ParseSPRT(f.sprt)
		if err != nil {
			return fmt.Errorf("--sprt: %w", err)
		}
		c.test = &test
	}
	m := match.Match{Rules: match.Rules{Control: limits.Control, Turns: f.turns}, Games: f.games, AtOnce: f.atOnce}
	c.plan = schedule{Programs: args, Clock: f.clock, Depth: f.depth, Nodes: f.nodes, Turns: f.turns}
	if m.Openings, c.plan.Openings, err = f.choose(ctx, t, m.Rules); err != nil {
		return err
	}
	if c.plan.Names, err = f.programs(ctx, args, limits, &m); err != nil {
		return err
	}
	if f.jobs.Given() {
		if err := f.elsewhere(args, limits, &m); err != nil {
			return err
		}
	}
	for i, name := range c.plan.Names {
		if !f.json {
			fmt.Fprintf(t.Out, "%s: %s (%s)\n", letter(i), name, args[i])
		}
	}
	return c.run(ctx, m)
}

// choose returns the openings and their description.
func (f *flags) choose(ctx context.Context, t cli.Terminal, rules match.Rules) (match.Openings, string, error) {
	switch {
	case f.ownSetups:
		return match.OwnSetups, "own setups", nil
	case f.openings == "":
		return match.Setups(f.seed), fmt.Sprintf("each setup once, seed %d", f.seed), nil
	}
	file, err := t.Source(ctx).Open(f.openings)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	sum := sha256.New()
	openings, err := match.ReadOpenings(f.reading.Lines(t, f.openings, io.TeeReader(file, sum)), rules)
	return openings, fmt.Sprintf("%x", sum.Sum(nil)), err
}

// programs makes the players and returns the names that the programs give themselves.
func (f *flags) programs(ctx context.Context, args []string, limits match.Limits, m *match.Match) (names []string, err error) {
	for _, arg := range args {
		c, err := match.ParseCommand(arg)
		if err != nil {
			return names, err
		}
		name, err := match.NewProgram(c, limits).Check(ctx)
		switch {
		case ctx.Err() != nil:
			return names, cli.Exit(cli.Unknown, errors.New("interrupted"))
		case err != nil:
			return names, cli.Exit(cli.BadInput, fmt.Errorf("program %q: %w", arg, err))
		}
		names = append(names, name)
		m.New = append(m.New, func() (match.Player, error) { return match.NewProgram(c, limits), nil })
	}
	return names, nil
}

// elsewhere has the games played by a cluster.
func (f *flags) elsewhere(args []string, limits match.Limits, m *match.Match) error {
	games := jobs.Match{Match: m, Limits: limits}
	for _, arg := range args {
		c, err := match.ParseCommand(arg)
		if err == nil {
			err = jobs.Ours(c)
		}
		if err != nil {
			return fmt.Errorf("--cluster: %w", err)
		}
		games.Programs = append(games.Programs, c)
	}
	m.Elsewhere = func(ctx context.Context, first, end int) iter.Seq[batch.Outcome[int, match.Result]] {
		return games.Games(ctx, &f.jobs, first, end)
	}
	return nil
}

// contest is a match under way.
type contest struct {
	*flags
	t        cli.Terminal
	plan     schedule
	test     *match.SPRT    // nil: there is none
	records  *match.Records // nil: there are none
	standing *match.Standing
}

// run plays the missing games and writes the result.
func (c *contest) run(ctx context.Context, m match.Match) (err error) {
	if c.record != "" {
		if err := c.open(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, c.records.Close()) }()
	}
	start := time.Now()
	if err := c.play(ctx, m); err != nil {
		return err
	}
	if err := c.finish(time.Since(start)); err != nil {
		return err
	}
	return c.status(ctx).Finish()
}

// open opens the records and says how many games they hold.
func (c *contest) open() error {
	text, err := json.Marshal(c.plan)
	if err != nil {
		return err
	}
	if c.records, err = match.OpenRecords(c.record, string(text), c.plan.Names, c.clock); err != nil {
		return cli.Unwritten(fmt.Errorf("--record: %w", err))
	}
	c.standing = c.records.Standing()
	if n := c.standing.Games(); n > 0 && !c.json {
		are := "are"
		if n == 1 {
			are = "is"
		}
		fmt.Fprintf(c.t.Out, "%s %s recorded%s\n", printable.Amount(n, "game"), are, c.tally(": "))
	}
	return nil
}

// play plays, records and prints games until the test has decided or it is interrupted.
func (c *contest) play(ctx context.Context, m match.Match) error {
	screen := cli.NewScreen(c.t)
	bar := cli.NewBar(c.t, screen, "playing", c.games).Start()
	defer bar.Finish()
	bar.SetCurrent(int64(c.standing.Games()))
	if c.decided() != match.Undecided {
		return nil
	}
	for p, err := range m.Run(ctx, c.standing) {
		switch {
		case errors.Is(err, match.ErrStart):
			return cli.Exit(cli.BadInput, fmt.Errorf("game %d: %w", c.standing.Games()+1, err))
		case err != nil && ctx.Err() == nil:
			return cli.Exit(cli.CodeOf(err, cli.Internal), err)
		case err != nil:
			return nil
		}
		if c.records != nil {
			if err := c.records.Add(p); err != nil {
				return cli.Unwritten(err)
			}
		}
		bar.Increment()
		if c.json {
			err = report.WriteJSON(c.t.Out, gameFields(&p))
		} else {
			screen.Print(func() { _, err = fmt.Fprintln(c.t.Out, c.result(&p)) })
		}
		if err != nil || c.decided() != match.Undecided {
			return err
		}
	}
	return nil
}

// finish writes the result of the match.
func (c *contest) finish(took time.Duration) error {
	if c.json {
		return report.WriteJSON(c.t.Out, c.total(took))
	}
	fmt.Fprintf(c.t.Out, "%d of %s in %s%s\n", c.standing.Games(), printable.Amount(c.games, "game"), cli.Took(took), c.tally(": "))
	if remark := c.standing.Remark(); remark != "" {
		fmt.Fprintln(c.t.Out, remark)
	}
	if len(c.plan.Names) > 2 {
		c.writeTable()
	}
	if c.test != nil {
		fmt.Fprintln(c.t.Out, c.test.Describe(c.standing.Tally))
	}
	return nil
}

// decided returns the decision of the test, if there is one.
func (c *contest) decided() match.Decision {
	if c.test == nil {
		return match.Undecided
	}
	return c.test.Decide(c.standing.Tally)
}

// tally returns a text and the score between two programs, or "" with more programs.
func (c *contest) tally(after string) string {
	if len(c.plan.Names) > 2 {
		return ""
	}
	return after + c.standing.Tally.String()
}

// result returns a line about a game.
func (c *contest) result(p *match.Played) string {
	against := ""
	if len(c.plan.Names) > 2 {
		against = " against " + letter(p.Loser())
	}
	line := fmt.Sprintf("game %d: %s wins%s as %v (%s) before %s%s", p.Number+1, letter(p.Winner()), against, p.Result.Winner, p.How(),
		p.Game.Label(p.Game.Len()), c.tally("; "))
	if c.test != nil {
		line += fmt.Sprintf(", LLR %+.2f", c.test.LLR(c.standing.Tally))
	}
	return line
}

// status returns the exit code.
func (c *contest) status(ctx context.Context) cli.Code {
	switch {
	case c.decided() == match.AcceptH1:
		return cli.Holds
	case c.decided() == match.AcceptH0:
		return cli.Fails
	case c.standing.Games() < c.games:
		if ctx.Err() != nil {
			fmt.Fprintln(c.t.Err, "goalproof: interrupted")
		}
		return cli.Unknown
	case c.test != nil:
		return cli.Unknown
	}
	return cli.Holds
}
