package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/dfpns"
	"goalproof/internal/memory"
	"goalproof/solve"
)

// searchFlags say how to search, for every command that does.
type searchFlags struct {
	algorithm string
	threads   int
	memory    string
	store     string         // not a flag of every command that searches
	terminal  cli.Terminal   // whose answers wait for the store
	epsilon   float64        // the same
	epsilons  *pflag.FlagSet // that have it, or nil
}

func (f *searchFlags) register(flags *pflag.FlagSet, threads int) {
	flags.StringVar(&f.algorithm, "algorithm", "dfpns", "search algorithm: dfpns (fast, all threads) or pns (best first, one thread)")
	flags.IntVar(&f.threads, "threads", threads, "number of threads")
	flags.StringVar(&f.memory, "memory", "", "memory for the whole process, for example 512MiB; a limit below 64MiB may be exceeded (default: a quarter of the machine's, at most 2GiB)")
	help.Group(flags, help.Search, "algorithm", "threads", "memory")
}

// memoryFlag adds the flag for the memory of the process.
func memoryFlag(flags *pflag.FlagSet, budget *string) {
	flags.StringVar(budget, "memory", "", "memory for the whole process, for example 512MiB (default: a quarter of the machine's, at most 2GiB)")
}

// registerStore adds the flag for a store, for which the answers of the command wait.
func (f *searchFlags) registerStore(flags *pflag.FlagSet, t cli.Terminal) {
	f.terminal = t
	flags.Var((*directory)(&f.store), "store", "keep proved facts in this `directory`, and use those in it (see goalproof store)")
	help.Group(flags, help.Store, "store")
}

// registerEpsilon adds the parameter of dfpns, which has a default.
func (f *searchFlags) registerEpsilon(flags *pflag.FlagSet) {
	flags.Float64Var(&f.epsilon, "epsilon", dfpns.DefaultEpsilon, "dfpns: threshold margin over the second-best child, the 1+epsilon rule; for wins in three turns and more")
	help.Group(flags, help.Advanced, "epsilon")
	f.epsilons = flags
}

// withSolver runs a search with the solver that the flags describe.
func (f *searchFlags) withSolver(search func(*solve.Solver) error) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if err := o.Check(); err != nil {
		return f.tooLittle(err)
	}
	return f.withStore(o, func(o solve.Options) error {
		s, err := solve.New(o)
		if err != nil {
			return err
		}
		return search(s)
	})
}

// withWorkers runs many searches side by side, with a worker for each thread, but no more than there are
// jobs: start makes a solver with one thread and its share of the memory. The store is one for all.
func (f *searchFlags) withWorkers(jobs int, run func(workers int, start func() (*solve.Solver, error)) error) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	workers := max(1, min(o.Threads, jobs))
	o.Memory = memory.Share(o.Memory, workers)
	o.Threads = 1
	if err := o.Check(); err != nil {
		return f.tooLittle(fmt.Errorf("%w for each of %d threads", err, workers))
	}
	return f.withStore(o, func(o solve.Options) error {
		return run(workers, func() (*solve.Solver, error) { return solve.New(o) })
	})
}

// tooLittle is the error of a search that has too little memory.
func (f *searchFlags) tooLittle(err error) error {
	if f.store != "" {
		return fmt.Errorf("--memory: %w, and as much again for the store", err)
	}
	return fmt.Errorf("--memory: %w", err)
}

// withStore runs a search with the store, if there is one, and has its answers wait for it. The error of syncing or
// closing it counts like that of the search: what was not stored was not found out for good. A store is made where there
// is none, so all that is wrong with the flags has been found by then.
func (f *searchFlags) withStore(o solve.Options, search func(solve.Options) error) error {
	if f.store == "" {
		return search(o)
	}
	facts, err := openStore(f.store, storeOptions())
	if denied(err) {
		if reading, e := openStore(f.store, storeReading()); e == nil {
			fmt.Fprintf(f.terminal.Err, "goalproof: %v; the store is opened for reading only; new facts are not kept\n", err)
			o.Store = readStore{reading}
			return closed(reading, search(o))
		}
	}
	if err != nil {
		return storeExit(err)
	}
	o.Store = facts
	f.terminal.Behind(facts.Sync)
	err = search(o)
	return closed(facts, worse(err, f.terminal.Release()))
}

// options reads the flags, and bounds the memory of the process. What a store takes is not in the
// memory that it returns.
func (f *searchFlags) options() (o solve.Options, err error) {
	o.Threads = f.threads
	switch f.algorithm {
	case "dfpns":
		o.Algorithm = solve.DFPNS
	case "pns":
		o.Algorithm = solve.PNS
	default:
		return o, fmt.Errorf("--algorithm %q: it is dfpns or pns", f.algorithm)
	}
	if f.threads < 1 || f.threads > maxThreads {
		return o, fmt.Errorf("--threads %d: the number of threads is 1 to %d", f.threads, maxThreads)
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
	if o.Memory, err = memory.Budget(f.memory); err != nil {
		return o, err
	}
	memory.Limit(memory.Managed(o.Memory))
	if f.store != "" {
		o.Memory = memory.BesideStore(o.Memory)
	}
	return o, nil
}

// maxThreads is more than any machine for which this is meant has.
const maxThreads = 1024
