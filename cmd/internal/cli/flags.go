package cli

import "github.com/spf13/pflag"

// MemoryFlag adds --memory, whose value [goalproof/internal/memory.Budget] reads. The usage says
// what the memory is for.
func MemoryFlag(flags *pflag.FlagSet, budget *string, usage string) {
	flags.StringVar(budget, "memory", "", usage+" (default: a quarter of the machine's, at most 2GiB)")
}

// JSONFlag adds --json, which writes a line for each of something, such as "each position".
func JSONFlag(flags *pflag.FlagSet, to *bool, each string) {
	flags.BoolVar(to, "json", false, "write a line of JSON for "+each+" (see goalproof help json)")
}
