package search

import (
	"strings"

	"github.com/dustin/go-humanize"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/memory"
)

// InWords says how far searches go: by limits of the command, such as "1m0s for each puzzle", and by those that all searches
// have.
func (f *Flags) InWords(limits ...string) string {
	limits = append(limits, cli.Amount(f.Threads, "thread"))
	if budget, err := memory.Budget(f.Memory); err == nil {
		limits = append(limits, humanize.IBytes(budget)+" of memory")
	}
	return strings.Join(limits, "; ")
}
