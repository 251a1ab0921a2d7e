package search

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"goalproof/cmd/internal/help"
	"goalproof/pns"
)

// PNSFlags are the parameters of pns and the files of its graph.
type PNSFlags struct {
	Parameters   pns.Parameters
	evaluation   string
	start        string
	Save, Resume string
	SaveEvery    time.Duration
	Given        *pflag.FlagSet // to ask which flags were given
}

// PNSOnly names the flags that need --algorithm pns.
var PNSOnly = []string{"save", "save-every", "resume", "gc-high", "gc-low", "killers", "widening", "evaluation", "start-numbers"}

// Register adds the flags.
func (f *PNSFlags) Register(flags *pflag.FlagSet) {
	f.Given = flags
	p := &f.Parameters
	*p = pns.Defaults()
	flags.StringVar(&f.Save, "save", "", "pns and --cluster: save the graph of the search to this `file`, regularly and at the end (see goalproof tree)")
	flags.DurationVar(&f.SaveEvery, "save-every", 10*time.Minute, "pns and --cluster: time between two saves while the search runs")
	flags.StringVar(&f.Resume, "resume", "", "pns: continue the search saved in this `file`, with the current flags; replaces INPUT")
	flags.IntVar(&p.High, "gc-high", p.High, "pns: number of nodes at which the garbage collector starts; the path to the most-proving node must fit (default: never; the search ends when the memory is full)")
	flags.IntVar(&p.Low, "gc-low", p.Low, "pns: number of nodes at which the garbage collector stops (default: three fifths of --gc-high)")
	flags.IntVar(&p.Killers, "killers", p.Killers, "pns: killers per level: steps that decided a sibling and are tried first")
	flags.IntVar(&p.Widening, "widening", p.Widening, "pns: number of open children of a node that count at a time (default: all)")
	flags.StringVar(&f.evaluation, "evaluation", "immediate", "pns: evaluate the end of a turn when its node is created (immediate) or visited (delayed)")
	flags.StringVar(&f.start, "start-numbers", "one", "pns: initial proof and disproof numbers: one, mobility, or distance (of the rabbits)")
	help.Group(flags, help.Store, "save", "save-every", "resume")
	help.Group(flags, help.Advanced, "gc-high", "gc-low", "killers", "widening", "evaluation", "start-numbers")
}

// Check reads the flags for a search by an algorithm. That of a cluster can be saved, too.
func (f *PNSFlags) Check(algorithm string, cluster bool) (err error) {
	if algorithm != "pns" {
		for _, name := range PNSOnly {
			saves := strings.HasPrefix(name, "save")
			switch {
			case !f.Given.Changed(name) || saves && cluster:
			case strings.HasPrefix(name, "gc-"):
				return fmt.Errorf("--%s needs --algorithm pns: dfpns has tables of a fixed size (--memory), which replace their least valuable entries by themselves", name)
			case saves:
				return fmt.Errorf("--%s needs --algorithm pns or --cluster", name)
			default:
				return fmt.Errorf("--%s needs --algorithm pns", name)
			}
		}
	}
	if f.Save == "" && f.Given.Changed("save-every") {
		return errors.New("--save-every needs --save")
	}
	if f.SaveEvery <= 0 {
		return fmt.Errorf("--save-every %v: the time must be more than zero", f.SaveEvery)
	}
	if f.Parameters.Evaluation, err = pns.ParseEvaluation(f.evaluation); err != nil {
		return fmt.Errorf("--evaluation %w", err)
	}
	if f.Parameters.Start, err = pns.ParseStart(f.start); err != nil {
		return fmt.Errorf("--start-numbers %w", err)
	}
	if f.Given.Changed("gc-low") && !f.Given.Changed("gc-high") {
		return errors.New("--gc-low needs --gc-high")
	}
	return f.Parameters.Check()
}
