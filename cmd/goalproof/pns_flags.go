package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"goalproof/arimaa"
	"goalproof/pns"
	"goalproof/solve"
)

// pnsFlags are the parameters of pns, and the files that keep its graph.
type pnsFlags struct {
	parameters   pns.Parameters
	evaluation   string
	start        string
	save, resume string
	saveEvery    time.Duration
	given        *pflag.FlagSet
}

// pnsOnly names the flags that need --algorithm pns.
var pnsOnly = []string{"save", "save-every", "resume", "gc-high", "gc-low", "killers", "widening", "evaluation", "start-numbers"}

var (
	evaluations  = map[string]pns.Evaluation{"immediate": pns.Immediate, "delayed": pns.Delayed}
	startNumbers = map[string]pns.Start{"one": pns.One, "mobility": pns.Mobility, "distance": pns.Distance}
)

func (f *pnsFlags) register(flags *pflag.FlagSet) {
	f.given = flags
	p := &f.parameters
	*p = pns.Defaults()
	flags.StringVar(&f.save, "save", "", "pns: keep the graph of the search in this file, now and then and when it ends (see goalproof tree)")
	flags.DurationVar(&f.saveEvery, "save-every", 10*time.Minute, "pns: time after which --save saves again while the search runs")
	flags.StringVar(&f.resume, "resume", "", "pns: go on with the search in this file, in place of an INPUT")
	flags.IntVar(&p.High, "gc-high", p.High, "pns: nodes at which the garbage collector begins to drop what is least likely to be needed; the turns on the way to where it searches must fit (default: never; a full memory ends the search)")
	flags.IntVar(&p.Low, "gc-low", p.Low, "pns: nodes down to which it deletes (default: three fifths of --gc-high)")
	flags.IntVar(&p.Killers, "killers", p.Killers, "pns: steps of each level that are tried first because they decided something")
	flags.IntVar(&p.Widening, "widening", p.Widening, "pns: open children of a node that count at a time (default: all)")
	flags.StringVar(&f.evaluation, "evaluation", "immediate", "pns: the end of a turn is judged when its node is made (immediate) or visited (delayed)")
	flags.StringVar(&f.start, "start-numbers", "one", "pns: what the numbers of a turn begin with: one, mobility or distance (of the rabbits)")
}

// check reads the flags for a search by so named an algorithm.
func (f *pnsFlags) check(algorithm string) (err error) {
	if algorithm != "pns" {
		for _, name := range pnsOnly {
			if f.given.Changed(name) {
				if strings.HasPrefix(name, "gc-") {
					return fmt.Errorf("--%s needs --algorithm pns: the tables of dfpns, of the size that --memory gives, drop what is worth least by themselves", name)
				}
				return fmt.Errorf("--%s needs --algorithm pns", name)
			}
		}
	}
	if f.save == "" && f.given.Changed("save-every") {
		return errors.New("--save-every needs --save")
	}
	if f.saveEvery <= 0 {
		return fmt.Errorf("--save-every %v: the time must be more than zero", f.saveEvery)
	}
	if f.parameters.Evaluation, err = choice("evaluation", f.evaluation, evaluations); err != nil {
		return err
	}
	if f.parameters.Start, err = choice("start-numbers", f.start, startNumbers); err != nil {
		return err
	}
	if f.given.Changed("gc-low") && !f.given.Changed("gc-high") {
		return errors.New("--gc-low needs --gc-high")
	}
	return f.parameters.Check()
}

// choice returns what a flag's word stands for.
func choice[T any](flag, word string, words map[string]T) (T, error) {
	value, ok := words[word]
	if !ok {
		return value, fmt.Errorf("--%s %q: it is one of %s", flag, word, strings.Join(slices.Sorted(maps.Keys(words)), ", "))
	}
	return value, nil
}

// resumed returns the question of the saved search as an input.
func (f *pnsFlags) resumed(solver *solve.Solver, args []string, winIn int) ([]item, error) {
	if len(args) > 0 {
		return nil, errors.New("--resume takes its position from the file: name no INPUT")
	}
	if f.given.Changed("turn") || f.given.Changed("game") {
		return nil, errors.New("--resume takes its position from the file: --turn and --game choose none")
	}
	q, err := solver.Resume(f.resume)
	if err != nil {
		return nil, &exit{exitBadInput, err}
	}
	if winIn > 0 && winIn < q.Deepest {
		return nil, fmt.Errorf("--win-in %d: the saved search asks for a win in %d", winIn, q.Deepest)
	}
	it := item{name: f.resume, diagram: arimaa.Diagram{Position: q.Position, Number: 2}, game: q.Game}
	if q.Game != nil {
		it.diagram = q.Game.Diagram(q.Game.Len())
	}
	return []item{it}, nil
}

// unusable tells whether an error is that of a file that cannot be read or written.
func unusable(err error) bool {
	var path *fs.PathError
	var link *os.LinkError
	return errors.As(err, &path) || errors.As(err, &link)
}
