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

// Origin says how a page was made; limits are those of the command in words, such as "wins in 2
// turns". With a limit in nodes it leaves out times, threads and memory, as the page does not
// depend on them.
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

// machines matches the flags on which the output does not depend with a limit in nodes.
var machines = regexp.MustCompile(` --(threads|memory|cluster|key|run)[= ]("[^"]*"|'[^']*'|\S+)| --untrusted(=\S+)?`)

// inWords describes the limits: those of the command, and those of all searches.
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
