// Package match is the command match: games between two programs or more.
package match

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"goalproof/arimaa/clock"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/engine/match"
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
	seed                   uint64
	json                   bool
}

// defaultControl is the time control of a match that has no other limit.
const defaultControl = "1s/10s"

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

See also: goalproof help matches, engine, exit-codes, json.`,
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
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.games, "games", 100, "number of games")
	flags.StringVar(&f.clock, "clock", "", "time control (default "+defaultControl+", or none with --depth or --nodes; see goalproof help matches)")
	flags.IntVar(&f.depth, "depth", 0, "depth of each search in steps")
	flags.Uint64Var(&f.nodes, "nodes", 0, "nodes of each search, for programs with the option nodes")
	flags.IntVar(&f.turns, "turns", 200, "number of turns of each player, with the setup, after which the pieces decide")
	flags.IntVar(&f.atOnce, "at-once", 1, "number of games at the same time")
	flags.StringVar(&f.openings, "openings", "", "take the openings from this `file`")
	flags.BoolVar(&f.ownSetups, "own-setups", false, "let the programs set up by themselves")
	flags.Uint64Var(&f.seed, "seed", 1, "seed for the order of the setups")
	flags.StringVar(&f.record, "record", "", "write the games to this `directory`; an interrupted match continues there")
	flags.StringVar(&f.sprt, "sprt", "", "stop when one of two differences in Elo is accepted, for example 0,30")
	help.Group(flags, help.Game, "games", "turns", "openings", "own-setups", "seed", "sprt")
	help.Group(flags, help.Search, "clock", "depth", "nodes", "at-once")
	flags.BoolVar(&f.json, "json", false, "write a line of JSON for each game, and one for all (see goalproof help json)")
	help.Group(flags, help.Output, "record", "json")
	return cmd
}

// schedule is what the games of a match follow from. Those that are recorded must not be continued
// with others.
type schedule struct {
	Programs []string `json:"programs"` // the command lines
	Names    []string `json:"names"`    // what the programs call themselves
	Clock    string   `json:"clock,omitempty"`
	Depth    int      `json:"depth,omitempty"`
	Nodes    uint64   `json:"nodes,omitempty"`
	Turns    int      `json:"turns"`
	Openings string   `json:"openings"`
}

func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	if f.clock == "" && f.depth == 0 && f.nodes == 0 {
		f.clock = defaultControl
	}
	limits := match.Limits{Control: clock.Control{Percent: 100}, Depth: f.depth, Nodes: f.nodes}
	var err error
	if f.clock != "" {
		if limits.Control, err = clock.Parse(f.clock); err != nil {
			return err
		}
	}
	var test *match.SPRT
	if f.sprt != "" {
		parsed, err := match.ParseSPRT(f.sprt)
		if err != nil {
			return fmt.Errorf("--sprt: %w", err)
		}
		test = &parsed
	}
	m := match.Match{Rules: match.Rules{Control: limits.Control, Turns: f.turns}, Games: f.games, AtOnce: f.atOnce}
	plan := schedule{Programs: args, Clock: f.clock, Depth: f.depth, Nodes: f.nodes, Turns: f.turns}
	if m.Openings, plan.Openings, err = f.choose(ctx, t, m.Rules); err != nil {
		return err
	}
	if plan.Names, err = f.programs(ctx, args, limits, &m); err != nil {
		return err
	}
	for i, name := range plan.Names {
		if !f.json {
			fmt.Fprintf(t.Out, "%s: %s (%s)\n", letter(i), name, args[i])
		}
	}
	return f.play(ctx, m, test, plan, t)
}

// choose returns the openings and what describes them.
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
	openings, err := match.ReadOpenings(notation.NewLines(f.openings, io.TeeReader(file, sum)), rules)
	return openings, fmt.Sprintf("%x", sum.Sum(nil)), err
}

// programs makes the players, and returns what the programs call themselves.
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

// play plays the games that have not been played yet.
func (f *flags) play(ctx context.Context, m match.Match, test *match.SPRT, plan schedule, t cli.Terminal) (err error) {
	standing := new(match.Standing)
	var records *match.Records
	if f.record != "" {
		text, err := json.Marshal(plan)
		if err != nil {
			return err
		}
		if records, err = match.OpenRecords(f.record, string(text), plan.Names, f.clock); err != nil {
			return cli.Unwritten(fmt.Errorf("--record: %w", err))
		}
		defer func() { err = errors.Join(err, records.Close()) }()
		if standing = records.Standing(); standing.Games() > 0 && !f.json {
			are := "are"
			if standing.Games() == 1 {
				are = "is"
			}
			fmt.Fprintf(t.Out, "%s %s recorded%s\n", printable.Amount(standing.Games(), "game"), are, tally(plan, ": ", standing))
		}
	}
	screen := cli.NewScreen(t)
	bar := cli.NewBar(t, screen, "playing", f.games).Start()
	finish := sync.OnceFunc(func() { bar.Finish() })
	defer finish()
	bar.SetCurrent(int64(standing.Games()))
	start := time.Now()
	if decided(test, standing.Tally) == match.Undecided {
		for p, err := range m.Run(ctx, standing) {
			switch {
			case errors.Is(err, match.ErrStart):
				return cli.Exit(cli.BadInput, fmt.Errorf("game %d: %w", standing.Games()+1, err))
			case err != nil && ctx.Err() == nil:
				return cli.Exit(cli.Internal, err)
			case err == nil:
				if records != nil {
					if err := records.Add(p); err != nil {
						return cli.Unwritten(err)
					}
				}
				bar.Increment()
				if f.json {
					err = report.WriteJSON(t.Out, gameFields(&p))
				} else {
					screen.Print(func() { _, err = fmt.Fprintln(t.Out, result(p, plan, standing, test)) })
				}
			}
			if err != nil || decided(test, standing.Tally) != match.Undecided {
				break
			}
		}
	}
	finish()
	if f.json {
		if err := report.WriteJSON(t.Out, f.total(plan, standing, test, time.Since(start))); err != nil {
			return err
		}
		return f.status(ctx, test, standing, t).Finish()
	}
	fmt.Fprintf(t.Out, "%d of %s in %s%s\n", standing.Games(), printable.Amount(f.games, "game"), cli.Took(time.Since(start)), tally(plan, ": ", standing))
	if remark := standing.Remark(); remark != "" {
		fmt.Fprintln(t.Out, remark)
	}
	if len(plan.Names) > 2 {
		writeTable(t.Out, plan, standing)
	}
	if test != nil {
		fmt.Fprintln(t.Out, test.Describe(standing.Tally))
	}
	return f.status(ctx, test, standing, t).Finish()
}

// decided returns what a test has decided, if there is one.
func decided(test *match.SPRT, tally match.Tally) match.Verdict {
	if test == nil {
		return match.Undecided
	}
	return test.Decide(tally)
}

// tally is the score between two programs, after a text; empty with more programs.
func tally(plan schedule, after string, standing *match.Standing) string {
	if len(plan.Names) > 2 {
		return ""
	}
	return after + standing.Tally.String()
}

// result is a line about a game.
func result(p match.Played, plan schedule, standing *match.Standing, test *match.SPRT) string {
	against := ""
	if len(plan.Names) > 2 {
		against = " against " + letter(p.Loser())
	}
	line := fmt.Sprintf("game %d: %s wins%s as %v (%s) before %s%s", p.Number+1, letter(p.Winner()), against, p.Result.Winner, p.How(),
		p.Game.Label(p.Game.Len()), tally(plan, "; ", standing))
	if test != nil {
		line += fmt.Sprintf(", LLR %+.2f", test.LLR(standing.Tally))
	}
	return line
}

// status returns how the command ends.
func (f *flags) status(ctx context.Context, test *match.SPRT, standing *match.Standing, t cli.Terminal) cli.Code {
	switch {
	case decided(test, standing.Tally) == match.AcceptH1:
		return cli.Holds
	case decided(test, standing.Tally) == match.AcceptH0:
		return cli.Fails
	case standing.Games() < f.games:
		if ctx.Err() != nil {
			fmt.Fprintln(t.Err, "goalproof: interrupted")
		}
		return cli.Unknown
	case test != nil:
		return cli.Unknown
	}
	return cli.Holds
}
