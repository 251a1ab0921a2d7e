package search

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/engine"
	"goalproof/engine/player"
	"goalproof/internal/memory"
	"goalproof/tables/endgame"
)

// EngineFlags are the resources of an engine that plays.
type EngineFlags struct {
	Threads int
	Memory  string // the value of --memory, see memory.Budget

	endgames EndgameFlags
	tables   *endgame.Tables // nil until Budget has opened them
	cache    uint64          // memory that these take, in bytes
}

// Register adds --threads and --memory.
func (f *EngineFlags) Register(flags *pflag.FlagSet) {
	flags.IntVar(&f.Threads, "threads", runtime.GOMAXPROCS(0), "number of threads")
	cli.MemoryFlag(flags, &f.Memory, "memory for the whole process, for example 512MiB")
	help.Group(flags, help.Search, "threads", "memory")
	f.endgames.Register(flags)
}

// Budget opens the endgame tables, and returns what the flags leave of the memory for everything
// else.
func (f *EngineFlags) Budget() (uint64, error) {
	budget, err := memory.Budget(f.Memory)
	if err != nil {
		return 0, err
	}
	ts, rest, err := f.endgames.Open(budget)
	f.tables, f.cache = ts, budget-rest
	return rest, err
}

// Tables returns the endgame tables that Budget has opened.
func (f *EngineFlags) Tables() *endgame.Tables { return f.tables }

// Limit bounds the memory of the process, to which it adds that of the endgame tables.
func (f *EngineFlags) Limit(bytes uint64) { memory.Limit(bytes + f.cache) }

// Close closes the endgame tables.
func (f *EngineFlags) Close(t cli.Terminal) { closeEndgames(t, f.tables) }

// Settings returns the settings of a player that has all of the memory.
func (f *EngineFlags) Settings() (s player.Settings, err error) {
	budget, err := f.Budget()
	if err != nil {
		return s, err
	}
	s = player.Settings{Threads: f.Threads, Memory: memory.EngineTables(budget, f.Threads)}
	return s, CheckEngine(s)
}

// CheckEngine returns an error if there cannot be a player with these settings.
func CheckEngine(s player.Settings) error {
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

// NewEngine makes a player, and bounds the memory of the process. The session gets a processor
// beside those of the search, for which it would wait at every message and at the end of a turn.
func (f *EngineFlags) NewEngine(s player.Settings) (player.Player, error) {
	runtime.GOMAXPROCS(s.Threads + 1)
	f.Limit(memory.EngineProcess(s.Memory, s.Threads))
	debug.FreeOSMemory() // of the previous player
	o := engine.Options{Threads: s.Threads, Memory: s.Memory, Endgames: f.tables}
	if err := o.Vary(s.Without); err != nil {
		return nil, err
	}
	return engine.New(o)
}
