package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/aei"
	"goalproof/engine"
	"goalproof/internal/memory"
	"goalproof/player"
)

func aeiCommand(t terminal) *cobra.Command {
	var threads int
	var budget, without string
	cmd := &cobra.Command{
		Use:   "aei",
		Short: "Play over the Arimaa Engine Interface",
		Long: `Plays over the Arimaa Engine Interface, version 1, for graphical clients and
match programs. It reads messages from standard input and answers on standard
output.

See also: goalproof help engine.`,
		Example: `  goalproof aei
  goalproof aei --threads 1 --memory 512MiB`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			bytes, err := memory.Budget(budget)
			if err != nil {
				return err
			}
			c := aei.Config{
				Version:  version(),
				Settings: player.Settings{Threads: threads, Memory: memory.EngineTables(bytes, threads), Without: without},
				Check:    checkPlayer,
				New:      newPlayer,
				Random:   rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
			}
			if err := c.Check(c.Settings); err != nil {
				return err
			}
			err = aei.Serve(cmd.Context(), t.in, t.out, c)
			switch {
			case errors.Is(err, context.Canceled):
				return exitWith(exitUnknown, errors.New("interrupted"))
			case errors.Is(err, aei.ErrUnknownMessage):
				return exitWith(exitBadInput, err)
			case err != nil:
				return exitWith(exitInternal, err)
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&threads, "threads", runtime.GOMAXPROCS(0), "number of threads")
	cmd.Flags().StringVar(&budget, "memory", "", "memory for the whole process, for example 512MiB (default: a quarter of the machine's, at most 2GiB)")
	cmd.Flags().StringVar(&without, "without", "", "parts of the engine to switch off and weights to change, for example null-move,frame=0.5")
	return cmd
}

// checkPlayer tells why there cannot be a player with settings.
func checkPlayer(s player.Settings) error {
	switch total := memory.Machine(); { // 0 where the system does not say
	case s.Threads < 1 || s.Threads > maxThreads:
		return fmt.Errorf("the number of threads is 1 to %d", maxThreads)
	case s.Memory < engine.LeastMemory:
		return fmt.Errorf("the tables need at least %s", humanize.IBytes(engine.LeastMemory))
	case total > 0 && s.Memory > total:
		return fmt.Errorf("this machine has %s", humanize.IBytes(total))
	}
	return new(engine.Options).Vary(s.Without)
}

// newPlayer makes a player, and bounds the memory of the process. The session gets a processor
// beside those of the search, for which it would wait at every message and at the end of a turn.
func newPlayer(s player.Settings) (player.Player, error) {
	runtime.GOMAXPROCS(s.Threads + 1)
	memory.Limit(memory.EngineProcess(s.Memory, s.Threads))
	debug.FreeOSMemory() // of the player before
	o := engine.Options{Threads: s.Threads, Memory: s.Memory}
	if err := o.Vary(s.Without); err != nil {
		return nil, err
	}
	return engine.New(o)
}

// version is that of the module, as the build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
