// Package learn is the command learn: the network of the engine's evaluation and the order of
// options, learned from games of the engine against itself.
package learn

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/search"
	"goalproof/engine/evaluation"
	"goalproof/engine/learn"
	"goalproof/engine/ordering"
	"goalproof/internal/files"
	"goalproof/internal/printable"
	"goalproof/solve/report"
)

// flags are the flags of the learn command.
type flags struct {
	out      string
	from     string
	archives []string
	reading  inputs.Reading
	games    []int
	nodes    []int
	settings learn.Settings
	threads  int
	seed     uint64
	json     bool
	jobs     jobs.Flags
	networks string // the file of the network of the round before, "" for that of the program or none
	orders   string // the file of the order of options that was learned, "" for that of the program or none
}

// Command returns the command learn.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "learn --out DIRECTORY",
		Short: "Learn the engine's evaluation from its own games",
		Long: `Learns the network of the engine's evaluation from games of the engine against
itself, by default in five rounds, in some four hours on one core. The network
and the order of options in the program are what it makes then. After an
interruption the same command continues.

The work has rounds, as many as --games has numbers. In a round the engine plays
so many games: in the first with the evaluation chosen by hand, then with the
network of the round before. The new network is learned from the games of all
rounds so far. In these rounds some setups are in no order, and games begin with
up to five random turns, as positions of any kind are to be learned.

But where a round has more nodes for each search than the one before, its games
are better: the learning then goes on from the network of the round before, with
its games alone. They begin with sound setups, but for one in forty, and without
random turns. One game in twenty is held out: nothing is learned from it. The
table is about those games.

With --archives it learns from games of others besides, those that were decided
on the board or resigned. It searches their positions as it does in its own
games. A round with more nodes than the one before leaves them out, as it does
the games of earlier rounds. With --from the first round plays with that
network, in sound games, and the learning goes on from there.

The search of the first round looks at the steps of a turn in no learned order.
From its first 5,000 games that round also learns one, ordering.bin, which the
other rounds use. With --from there is none to learn: all rounds use that of the
program.

For each round K the directory gets games-K.bin, network-K.bin and loss-K.svg.
The table compares three evaluations: by hand, the same features with learned
weights, and the network. Its error is the mean squared error of the probability
to win, "right" how often the side that is ahead wins.

A network has a checksum, and --from refuses one that is damaged.

The same settings give the same games, and on processors of one kind the same
network.

See also: goalproof help engine, clusters, json.`,
		Example: `  goalproof learn --out runs/network
  goalproof learn --out runs/more --from runs/network/network-5.bin --games 5000 --nodes 5000
  goalproof learn --out runs/small --games 2000,2000 --nodes 300
  goalproof learn --out runs/players --archives examples/games.tsv`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case f.out == "":
				return errors.New("name a directory for games and networks with --out")
			case len(f.games) == 0:
				return errors.New("--games: there is at least one round")
			case len(f.nodes) == 0:
				return errors.New("--nodes: a search has at least one node")
			case len(f.nodes) > len(f.games) && cmd.Flags().Changed("nodes"):
				return fmt.Errorf("--nodes has more numbers (%d) than there are rounds (%d, by --games)", len(f.nodes), len(f.games))
			case f.settings.Epochs < 1:
				return fmt.Errorf("--epochs %d: it is at least 1", f.settings.Epochs)
			}
			for _, n := range f.games {
				if n < leastGames {
					return fmt.Errorf("--games %d: a round has at least %d games", n, leastGames)
				}
			}
			for _, n := range f.nodes {
				if n < 1 {
					return fmt.Errorf("--nodes %d: a search has at least one node", n)
				}
			}
			if err := cmp.Or(search.CheckThreads(f.threads), f.jobs.CheckAlone()); err != nil {
				return err
			}
			f.jobs.Keeps = f.out
			return f.run(cmd.Context(), t)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "`directory` for games, networks and plots")
	flags.StringVar(&f.from, "from", "", "go on from this `network` instead of the evaluation by hand")
	flags.StringSliceVar(&f.archives, "archives", nil, "learn from the games in these `files`, too (archive TSV)")
	f.reading.Register(flags)
	flags.IntSliceVar(&f.games, "games", []int{15000, 20000, 30000, 40000, 5000}, "`numbers` of games, one for each round")
	flags.IntSliceVar(&f.nodes, "nodes", []int{1000, 1000, 1000, 1000, 5000},
		"nodes of each search, by round: the last of the `numbers` holds for further rounds")
	flags.IntVar(&f.settings.Epochs, "epochs", 3, "how often each position is learned from")
	flags.Uint64Var(&f.seed, "seed", 1, "seed for the games of the first round; others follow from it")
	flags.IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "number of threads")
	cli.JSONFlag(flags, &f.json, "each round")
	f.jobs.Register(flags, t)
	help.Group(flags, help.Game, "archives", "from", "games", "nodes", "seed")
	help.Group(flags, help.Search, "epochs", "threads")
	help.Group(flags, help.Output, "out", "json")
	return cmd
}

// leastGames is the least number of games of a round: fewer might not fill a batch.
const leastGames = 40

func (f *flags) run(ctx context.Context, t cli.Terminal) error {
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return cli.Unwritten(fmt.Errorf("--out: %w", err))
	}
	held, err := files.LockDir(f.out, false)
	if err != nil {
		return cli.Exit(cli.BadInput, fmt.Errorf("--out: %w", err))
	}
	defer held.Close()
	f.settings.Seed, f.settings.Threads = f.seed, f.threads
	samples := learn.NewSamples()
	var order *ordering.Weights
	network, err := f.first()
	if err != nil {
		return cli.Exit(cli.BadInput, err)
	}
	if len(f.archives) > 0 {
		if err := f.learnFromArchives(ctx, t, network, samples); err != nil {
			return err
		}
	}
	for i, games := range f.games {
		r := round{Round: i + 1, flags: f, t: t}
		if i > 0 && f.nodesOf(i) > f.nodesOf(i-1) {
			samples = learn.NewSamples()
			f.settings.From = network.Parameters()
		}
		unordered := network == nil
		play := learn.SelfPlay{Seed: f.seed + uint64(i), Nodes: f.nodesOf(i), Threads: f.threads, Network: network, Ordering: order,
			Varied: f.settings.From == nil} // a network of many varied games learns more from sound ones
		err := r.play(ctx, play, games)
		if err == nil {
			err = learn.Read(r.file("games", "bin"), games, samples.Add)
		}
		if err == nil {
			network, err = r.learn(ctx, samples)
		}
		if err == nil && unordered {
			order, err = r.order(ctx, games)
		}
		if err == nil && f.json {
			err = report.WriteJSON(t.Out, r)
		}
		if err != nil {
			return failed(ctx, err)
		}
	}
	f.jobs.RemoveEmpty()
	return nil
}

// nodesOf returns the limit in nodes of each search in a round, counted from 0.
func (f *flags) nodesOf(round int) uint64 { return uint64(f.nodes[min(round, len(f.nodes)-1)]) }

// failed returns an error with the exit code of the command.
func failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return cli.Exit(cli.Unknown, errors.New("interrupted"))
	}
	return cli.Unwritten(err)
}

// learnFromArchives adds the games of archives to the samples.
func (f *flags) learnFromArchives(ctx context.Context, t cli.Terminal, network *evaluation.Network, samples *learn.Samples) error {
	a, err := f.readArchives(t, learn.SelfPlay{Seed: f.seed, Nodes: f.nodesOf(0), Threads: f.threads, Network: network})
	if err == nil {
		err = f.search(ctx, a, t)
	}
	if err == nil {
		err = learn.Read(a.file, len(a.games), samples.Add)
	}
	if err != nil {
		return failed(ctx, err)
	}
	if !f.json {
		fmt.Fprintf(t.Out, "%s of archives\n", printable.Amount(len(a.games), "game"))
	}
	return nil
}

// first returns the network that plays the first round, nil without --from. The training continues
// from it until a round has more nodes than the one before.
func (f *flags) first() (*evaluation.Network, error) {
	if f.from == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.from)
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	network, err := evaluation.ParseNetwork(data)
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", f.from, err)
	}
	f.settings.From, f.networks = network.Parameters(), f.from
	return network, nil
}

// round is a round and its JSON.
type round struct {
	Round     int           `json:"round"`
	Games     int           `json:"games"`
	Positions int           `json:"positions"`
	HeldOut   int           `json:"held_out"`
	Epochs    []learn.Epoch `json:"epochs"`
	Phases    []phase       `json:"phases"`
	Network   string        `json:"network"`
	// First is how often an option of the played turn is the first in the learned order, among the
	// first two, and so on; nil if the round learned no order.
	First    []float64 `json:"first,omitempty"`
	Ordering string    `json:"ordering,omitempty"`

	flags *flags
	t     cli.Terminal
}

type phase struct {
	Pieces      string     `json:"pieces"`
	Positions   int        `json:"positions"`
	Evaluations []measured `json:"evaluations"`
}

type measured struct {
	Evaluation string  `json:"evaluation"`
	Error      float64 `json:"error"`
	Right      float64 `json:"right"`
}

// file returns the name of a file of the round.
func (r *round) file(kind, extension string) string {
	return filepath.Join(r.flags.out, fmt.Sprintf("%s-%d.%s", kind, r.Round, extension))
}

// say prints for people.
func (r *round) say(format string, args ...any) {
	if !r.flags.json {
		fmt.Fprintf(r.t.Out, format, args...)
	}
}

// play plays the missing games of a round.
func (r *round) play(ctx context.Context, play learn.SelfPlay, games int) error {
	what := fmt.Sprintf("round %d, games", r.Round)
	return record(ctx, r.t, what, r.file("games", "bin"), play.String(), games, func(done int) iter.Seq2[*learn.Game, error] {
		if c := &r.flags.jobs; c.Given() && done < games {
			g := jobs.Games{Play: play, Network: r.flags.networks, Ordering: r.flags.orders}
			return g.Games(ctx, c.Part(fmt.Sprintf("round-%d", r.Round)), done, games)
		}
		return play.Games(ctx, done, games)
	})
}

// record adds games to a file up to a number, with progress on a terminal; after yields those that
// follow the games done.
func record(ctx context.Context, t cli.Terminal, what, file, description string, games int, after func(done int) iter.Seq2[*learn.Game, error]) (err error) {
	records, err := learn.OpenRecords(file, description)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	bar := cli.Counter(t, what, games)
	defer bar.Finish()
	bar.SetCurrent(int64(records.Games()))
	for g, err := range after(records.Games()) {
		if err == nil {
			err = records.Add(g)
		}
		if err != nil {
			return err
		}
		bar.Increment()
	}
	return ctx.Err()
}

// learn trains a network, writes it and reports.
func (r *round) learn(ctx context.Context, samples *learn.Samples) (*evaluation.Network, error) {
	r.Games = samples.Games()
	r.Positions, r.HeldOut = samples.Len()
	r.say("Round %d: %s, %s to learn from, %s held out\n", r.Round, printable.Amount(r.Games, "game"), printable.Amount(r.Positions, "position"),
		humanize.Comma(int64(r.HeldOut)))
	r.say("%5s %8s %8s\n", "epoch", "loss", "held out")
	p, err := learn.Train(ctx, samples, r.flags.settings, func(e learn.Epoch) {
		r.Epochs = append(r.Epochs, e)
		r.say("%5d %8.4f %8.4f\n", e.Number, e.Train, e.Held)
	})
	if err != nil {
		return nil, err
	}
	linear := r.flags.settings
	linear.Linear, linear.From = true, nil
	weights, err := learn.Train(ctx, samples, linear, func(learn.Epoch) {})
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := p.Write(&file); err != nil {
		return nil, err
	}
	network, err := evaluation.ParseNetwork(file.Bytes())
	if err != nil {
		return nil, err
	}
	r.measure(samples, []string{"by hand", "features", "network"}, []*evaluation.Evaluator{
		evaluation.New(nil, nil), evaluation.New(&weights.Features, nil), evaluation.New(nil, network),
	})
	svg, err := learn.Curve(r.Epochs)
	if err != nil {
		return nil, err
	}
	if err := cli.WriteText(r.file("loss", "svg"), svg); err != nil {
		return nil, err
	}
	r.Network = r.file("network", "bin")
	if err := cli.WriteText(r.Network, file.Bytes()); err != nil {
		return nil, err
	}
	r.flags.networks = r.Network
	r.say("Network %08x in %s\n", network.Digest(), r.Network)
	return network, nil
}

// orderGames bounds the games from which the order of options is learned, and so the memory: a game
// takes some 100 KB.
const orderGames = 5000

// orderEpochs is the number of epochs for the order: its loss hardly falls after that.
const orderEpochs = 3

// order learns the order of options from the games of the round, writes it and reports. These games
// were searched in no learned order: a search with one prefers what is early in it, so its games
// would teach the same order again (docs/engine.md).
func (r *round) order(ctx context.Context, games int) (*ordering.Weights, error) {
	var choices learn.Choices
	if err := learn.Read(r.file("games", "bin"), min(games, orderGames), choices.Add); err != nil {
		return nil, err
	}
	learned, err := learn.TrainOrdering(ctx, &choices, orderEpochs, r.flags.seed)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := ordering.Write(&file, learned); err != nil {
		return nil, err
	}
	weights, err := ordering.Parse(file.Bytes())
	if err != nil {
		return nil, err
	}
	r.Ordering = filepath.Join(r.flags.out, "ordering.bin")
	if err := cli.WriteText(r.Ordering, file.Bytes()); err != nil {
		return nil, err
	}
	r.flags.orders = r.Ordering
	ranked := choices.Rank(learned)
	r.First = ranked.First[:]
	r.say("Of %s held out: how often an option of the turn that was played is among the first\n", printable.Amount(ranked.Points, "point"))
	for k := range ranked.First {
		r.say(" %6d", k+1)
	}
	r.say("\n")
	for _, share := range ranked.First {
		r.say(" %5.1f%%", 100*share)
	}
	r.say("\nOrdering %08x in %s\n", weights.Digest(), r.Ordering)
	return weights, nil
}

// pieces names the phases.
var pieces = [learn.Phases + 1]string{"up to 16", "17 to 21", "22 to 26", "27 to 32", "all"}

// measure compares evaluations by phase.
func (r *round) measure(samples *learn.Samples, names []string, evaluators []*evaluation.Evaluator) {
	r.say("%-9s %9s", "pieces", "positions")
	var qualities [][learn.Phases + 1]learn.Quality
	for i, e := range evaluators {
		qualities = append(qualities, samples.Measure(e))
		r.say("  %-8s %6s", names[i], "right")
	}
	r.say("\n")
	for k, which := range pieces {
		row := phase{Pieces: which, Positions: qualities[0][k].Positions}
		r.say("%-9s %9s", which, humanize.Comma(int64(row.Positions)))
		for i, q := range qualities {
			row.Evaluations = append(row.Evaluations, measured{names[i], q[k].Error, q[k].Right})
			r.say("  %8.4f %5.1f%%", q[k].Error, 100*q[k].Right)
		}
		r.say("\n")
		r.Phases = append(r.Phases, row)
	}
}
