package search

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/puzzles"
)

// Origin says how a page came about, with what the command limits beside its searches in words, such as "wins in 2 turns". With a
// limit in nodes the page names neither times nor the machine's part, threads and memory: it is the same without.
func (f *Flags) Origin(t cli.Terminal, start time.Time, limits ...string) puzzles.Origin {
	o := puzzles.Origin{Version: cli.ReadBuild().Version, Limits: f.inWords(limits), Command: t.Command}
	if f.InNodes() {
		o.Command = machines.ReplaceAllString(o.Command, "")
	} else {
		o.Made = time.Now()
		o.Took = o.Made.Sub(start)
	}
	return o
}

// machines are the flags on a command line that the output does not depend on with a limit in nodes.
var machines = regexp.MustCompile(` --(threads|memory)[= ]("[^"]*"|'[^']*'|\S+)`)

// inWords says how far searches go: by limits of the command, and by those that all searches have.
func (f *Flags) inWords(limits []string) string {
	var each []string
	l := f.Limit()
	if l.Nodes > 0 {
		each = append(each, printable.Amount(l.Nodes, "node"))
	}
	if l.Time > 0 {
		each = append(each, l.Time.String())
	}
	limits = append(limits, fmt.Sprintf("%s for %s", strings.Join(each, " and at most "), f.limits.of))
	if !f.InNodes() {
		limits = append(limits, printable.Amount(f.Threads, "thread"))
		if budget, err := memory.Budget(f.Memory); err == nil {
			limits = append(limits, humanize.IBytes(budget)+" of memory")
		}
	}
	return strings.Join(limits, "; ")
}
