// Package search makes what commands search with, as their flags ask for it: a solver or several side by side, the store
// behind them, and the engine, each within its share of the memory.
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
)

// Flags say how to search, for every command that does.
type Flags struct {
	Algorithm string // dfpns or pns
	Threads   int
	Memory    string         // the value of --memory, see memory.Budget
	Store     string         // not a flag of every command that searches
	Endgames  EndgameFlags   // the same
	terminal  cli.Terminal   // whose answers wait for the store
	epsilon   float64        // the same
	epsilons  *pflag.FlagSet // that have it, or nil
	limits    limits         // not flags of every command that searches
}

// Register adds --algorithm, --threads, of which that many are usual, and --memory.
func (f *Flags) Register(flags *pflag.FlagSet, threads int) {
	flags.StringVar(&f.Algorithm, "algorithm", "dfpns", "search algorithm: dfpns (fast, all threads) or pns (best first, one thread)")
	flags.IntVar(&f.Threads, "threads", threads, "number of threads")
	cli.MemoryFlag(flags, &f.Memory, "memory for the whole process, for example 512MiB; a limit below 64MiB may be exceeded")
	help.Group(flags, help.Search, "algorithm", "threads", "memory")
}

// RegisterStore adds the flag for a store, for which the answers of the command wait.
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

// RegisterEpsilon adds the parameter of dfpns, which has a default.
func (f *Flags) RegisterEpsilon(flags *pflag.FlagSet) {
	flags.Float64Var(&f.epsilon, "epsilon", dfpns.DefaultEpsilon, "dfpns: threshold margin over the second-best child, the 1+epsilon rule; for wins in three turns and more")
	help.Group(flags, help.Advanced, "epsilon")
	f.epsilons = flags
}

// WithSolver runs a search with the solver that the flags describe. With a limit in nodes it has one thread unless the flags ask
// for more.
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

// WithWorkers runs many searches side by side, with a worker for each thread, but no more than there are
// jobs: start makes a solver with one thread and its share of the memory. The store is one for all.
func (f *Flags) WithWorkers(jobs int, run func(workers int, start func() (*solve.Solver, error)) error) error {
	o, err := f.Options()
	if err != nil {
		return err
	}
	workers, o, err := f.Divide(o, jobs)
	if err != nil {
		return err
	}
	return f.WithStore(o, func(o solve.Options) error {
		return run(workers, func() (*solve.Solver, error) { return solve.New(o) })
	})
}

// TooLittle is the error of a search that has too little memory.
func (f *Flags) TooLittle(err error) error {
	if f.Store != "" {
		return fmt.Errorf("--memory: %w, and as much again for the store", err)
	}
	return fmt.Errorf("--memory: %w", err)
}

// WithStore runs a search with the store, if there is one, and has its answers wait for it. The error of syncing or
// closing it counts like that of the search: what was not stored was not found out for good. A store is made where there
// is none, so all that is wrong with the flags has been found by then.
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

// Options reads the flags, opens endgame tables, which WithStore closes, and bounds the memory of the process. What a store
// and the tables take is not in the memory that it returns.
func (f *Flags) Options() (o solve.Options, err error) {
	o.Threads = f.Threads
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

// maxThreads is more than any machine for which this is meant has.
const maxThreads = 1024

// CheckThreads returns an error if the value of --threads cannot be.
func CheckThreads(n int) error {
	if n < 1 || n > maxThreads {
		return fmt.Errorf("--threads %d: the number of threads is 1 to %d", n, maxThreads)
	}
	return nil
}

// CheckTurns returns an error if a flag that was given is no number of turns that a search can be asked for, from least on.
func CheckTurns(flags *pflag.FlagSet, name string, least int) error {
	if n, _ := flags.GetInt(name); flags.Changed(name) && (n < least || n > solve.MaxTurns) {
		return fmt.Errorf("--%s %d: the number of turns is %d to %d", name, n, least, solve.MaxTurns)
	}
	return nil
}
