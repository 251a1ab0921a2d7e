// Package search turns the flags of commands into what they search with: a solver or several side
// by side, the store behind them, and the engine, each within its share of the memory.
package search

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/dfpns"
	"goalproof/internal/memory"
	"goalproof/solve"
	"goalproof/tables"
)

// Flags are the flags of commands that search.
type Flags struct {
	Algorithm string // dfpns or pns
	Threads   int
	Memory    string         // the value of --memory, see memory.Budget
	Store     string         // not every command has the flag
	Endgames  EndgameFlags   // the same
	Found     tables.Store   // facts that hold for this process alone, beside those of a store; or nil
	terminal  cli.Terminal   // whose output waits for the store
	epsilon   float64        // the same
	epsilons  *pflag.FlagSet // that have it, or nil
	limits    limits         // not every command has these flags
}

// Register adds --algorithm, --threads with its default, and --memory.
func (f *Flags) Register(flags *pflag.FlagSet, threads int) {
	flags.StringVar(&f.Algorithm, "algorithm", "dfpns", "search algorithm: dfpns (fast, all threads) or pns (best first, one thread)")
	flags.IntVar(&f.Threads, "threads", threads, "number of threads")
	cli.MemoryFlag(flags, &f.Memory, "memory for the whole process, for example 512MiB; a limit below 64MiB may be exceeded")
	help.Group(flags, help.Search, "algorithm", "threads", "memory")
}

// RegisterStore adds --store. The output of the command will wait for the store.
func (f *Flags) RegisterStore(flags *pflag.FlagSet, t cli.Terminal) {
	f.terminal = t
	flags.Var((*directory)(&f.Store), "store", "keep proved facts in this `directory`, and use those in it (see goalproof store)")
	help.Group(flags, help.Store, "store")
}

// RegisterEndgames adds the flag for endgame tables.
func (f *Flags) RegisterEndgames(flags *pflag.FlagSet, t cli.Terminal) {
	f.terminal = t
	f.Endgames.Register(flags)
}

// RegisterEpsilon adds --epsilon.
func (f *Flags) RegisterEpsilon(flags *pflag.FlagSet) {
	flags.Float64Var(&f.epsilon, "epsilon", dfpns.DefaultEpsilon, "dfpns: threshold margin over the second-best child, the 1+epsilon rule; for wins in three turns and more")
	help.Group(flags, help.Advanced, "epsilon")
	f.epsilons = flags
}

// WithSolver runs a search with the solver that the flags describe. With a limit in nodes the
// solver has one thread unless the flags ask for more.
func (f *Flags) WithSolver(search func(*solve.Solver) error) error {
	o, err := f.Options()
	if err != nil {
		return err
	}
	if o, err = f.single(o); err != nil {
		return err
	}
	return f.WithStore(o, func(o solve.Options) error {
		s, err := solve.New(o)
		if err != nil {
			return err
		}
		return search(s)
	})
}

// WithWorkers runs many searches side by side, with a worker for each thread, but no more than
// there are jobs: start makes a solver with one thread and its share of the memory. All share one
// store.
func (f *Flags) WithWorkers(jobs int, run func(workers int, start func() (*solve.Solver, error)) error) error {
	return f.WithJobs(jobs, false, func(workers int, o solve.Options) error {
		return run(workers, func() (*solve.Solver, error) { return solve.New(o) })
	})
}

// WithJobs is [Flags.WithWorkers] with the options of the solvers. If all jobs are done elsewhere,
// no memory is divided.
func (f *Flags) WithJobs(jobs int, elsewhere bool, run func(workers int, each solve.Options) error) error {
	o, err := f.Options()
	if err != nil {
		return err
	}
	workers := 0
	if !elsewhere {
		if workers, o, err = f.Divide(o, jobs); err != nil {
			return err
		}
	}
	return f.WithStore(o, func(o solve.Options) error { return run(workers, o) })
}

// TooLittle returns the error of a search that has too little memory.
func (f *Flags) TooLittle(err error) error {
	if f.Store != "" {
		return fmt.Errorf("--memory: %w, and as much again for the store", err)
	}
	return fmt.Errorf("--memory: %w", err)
}

// WithStore runs a search with the store, if there is one, and makes its output wait for the store.
// An error of syncing or closing counts like one of the search, since facts were lost. A missing
// store is created, so the flags must have been checked before.
func (f *Flags) WithStore(o solve.Options, search func(solve.Options) error) error {
	if o.Endgames != nil {
		defer closeEndgames(f.terminal, o.Endgames)
	}
	if f.Store == "" {
		return search(o)
	}
	if f.InNodes() {
		plain, fresh := search, isFresh(f.Store)
		search = func(o solve.Options) error {
			used := &usedStore{kept: o.Store.(kept), fresh: fresh}
			o.Store = used
			defer used.say(f.terminal.Err)
			return plain(o)
		}
	}
	if f.Found != nil {
		plain := search
		search = func(o solve.Options) error {
			o.Store = besideStore{o.Store.(kept), f.Found}
			return plain(o)
		}
	}
	facts, err := OpenStore(f.Store)
	if denied(err) {
		if reading, e := ReadStore(f.Store); e == nil {
			fmt.Fprintf(f.terminal.Err, "goalproof: %v; the store is opened for reading only; new facts are not kept\n", err)
			o.Store = readStore{reading}
			return CloseStore(reading, search(o))
		}
	}
	if err != nil {
		return StoreExit(err)
	}
	o.Store = facts
	f.terminal.Behind(facts.Sync)
	err = search(o)
	return CloseStore(facts, worse(err, f.terminal.Release()))
}

// Options reads the flags, opens endgame tables, which WithStore closes, and bounds the memory of
// the process. The memory that it returns excludes the store and the tables.
func (f *Flags) Options() (o solve.Options, err error) {
	o.Threads, o.Store = f.Threads, f.Found
	switch f.Algorithm {
	case "dfpns":
		o.Algorithm = solve.DFPNS
	case "pns":
		o.Algorithm = solve.PNS
	default:
		return o, fmt.Errorf("--algorithm %q: it is dfpns or pns", f.Algorithm)
	}
	if err := cmp.Or(CheckThreads(f.Threads), f.CheckLimits()); err != nil {
		return o, err
	}
	if f.epsilons != nil && f.epsilons.Changed("epsilon") {
		if o.Algorithm != solve.DFPNS {
			return o, errors.New("--epsilon needs --algorithm dfpns")
		}
		if !(f.epsilon > 0 && f.epsilon <= dfpns.MaxEpsilon) {
			return o, fmt.Errorf("--epsilon %v: it is more than 0 and at most %d", f.epsilon, dfpns.MaxEpsilon)
		}
		o.Epsilon = f.epsilon
	}
	if o.Memory, err = memory.Budget(f.Memory); err != nil {
		return o, err
	}
	memory.Limit(memory.Managed(o.Memory))
	if f.Store != "" {
		o.Memory = memory.BesideStore(o.Memory)
	}
	o.Endgames, o.Memory, err = f.Endgames.Open(o.Memory)
	return o, err
}

// maxThreads is more than the intended machines have.
const maxThreads = 1024

// CheckThreads returns an error if the value of --threads is out of range.
func CheckThreads(n int) error {
	if n < 1 || n > maxThreads {
		return fmt.Errorf("--threads %d: the number of threads is 1 to %d", n, maxThreads)
	}
	return nil
}

// CheckTurns returns an error if a flag was given and is not a number of turns from least to
// [solve.MaxTurns].
func CheckTurns(flags *pflag.FlagSet, name string, least int) error {
	if n, _ := flags.GetInt(name); flags.Changed(name) && (n < least || n > solve.MaxTurns) {
		return fmt.Errorf("--%s %d: the number of turns is %d to %d", name, n, least, solve.MaxTurns)
	}
	return nil
}
