package cli

import "github.com/spf13/pflag"

// MemoryFlag adds --memory, whose value [goalproof/internal/memory.Budget] reads. The usage says
// what the memory is for.
func MemoryFlag(flags *pflag.FlagSet, budget *string, usage string) {
	flags.StringVar(budget, "memory", "", usage+" (default: a quarter of the machine's, at most 2GiB)")
}
