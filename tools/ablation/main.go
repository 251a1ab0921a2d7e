// Command ablation measures what each technique of the engine's search and each feature of its
// evaluation is worth: the whole engine plays against one without it, or with another weight, until
// an SPRT of 0 against 30 Elo has decided or all games are played. It prints a table in Markdown.
//
//	go run ./tools/ablation -games 400 -time 100ms -record runs/parts
//	go run ./tools/ablation killers trap-control killers,history frame=0.5
//	go run ./tools/ablation -games 60 -nodes 10000 -at-once 2
//
// With -record it keeps the games, and continues an interrupted measurement. Games that repeat
// others, as they may with -nodes, do not count (package match); their number goes to standard
// error.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"path/filepath"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/engine"
	"goalproof/engine/evaluation"
	"goalproof/engine/match"
	"goalproof/internal/interrupt"
)

func main() {
	log.SetFlags(0)
	var a ablation
	flag.IntVar(&a.games, "games", 400, "games for each part at most")
	flag.DurationVar(&a.time, "time", 100*time.Millisecond, "time for each turn")
	flag.Uint64Var(&a.nodes, "nodes", 0, "nodes for each turn in place of a time: the same games on every machine")
	flag.IntVar(&a.atOnce, "at-once", 1, "games played side by side")
	flag.StringVar(&a.record, "record", "", "directory for the games")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "usage: ablation [flags] [part or feature]... (default: all, one after the other)\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx := interrupt.Context()
	if err := a.check(); err != nil {
		log.Fatal(err)
	}
	names := flag.Args()
	if len(names) == 0 {
		names = everything()
	}
	for _, name := range names {
		if err := new(engine.Options).Vary(name); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("| without | games | won by the whole engine | Elo, 95 %% interval | LLR | SPRT(%g, %g) |\n", test.Elo0, test.Elo1)
	fmt.Println("| --- | ---: | ---: | --- | ---: | --- |")
	for _, name := range names {
		standing, err := a.measure(ctx, name)
		if ctx.Err() == nil && err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		fmt.Println(row(name, standing.Tally))
		if remark := standing.Remark(); remark != "" {
			log.Printf("%s: %s", name, remark)
		}
		if ctx.Err() != nil {
			log.Fatal("interrupted")
		}
	}
}

// test is the test of each part.
var test = match.SPRT{Elo0: 0, Elo1: 30}

const (
	memory = 32 << 20 // bytes, of each engine
	turns  = 200      // of each player, then the pieces decide
)

// everything returns the names of all parts of the search and all features of the evaluation.
func everything() (names []string) {
	for p := engine.Part(1); p.String() != ""; p <<= 1 {
		names = append(names, p.String())
	}
	for f := range evaluation.Features {
		names = append(names, f.String())
	}
	return names
}

// ablation holds the flags.
type ablation struct {
	games, atOnce int
	time          time.Duration
	nodes         uint64 // in place of time, unless 0
	record        string
}

// check returns an error for flags out of range.
func (a *ablation) check() error {
	switch {
	case a.games < 1:
		return fmt.Errorf("-games %d: there is at least one game", a.games)
	case a.atOnce < 1:
		return fmt.Errorf("-at-once %d: at least one game is played at a time", a.atOnce)
	case a.time <= 0:
		return fmt.Errorf("-time %v: it is more than zero", a.time)
	}
	return nil
}

// effort returns the limits of a search.
func (a *ablation) effort() (l engine.Limits, name string) {
	if a.nodes > 0 {
		return engine.Limits{Nodes: a.nodes}, fmt.Sprintf("%d nodes", a.nodes)
	}
	return engine.Limits{Time: a.time}, a.time.String()
}

// measure plays the whole engine against one varied by engine.Options.Vary.
func (a *ablation) measure(ctx context.Context, without string) (*match.Standing, error) {
	standing := new(match.Standing)
	m := match.Match{
		New:      []func() (match.Player, error){a.player(""), a.player(without)},
		Openings: match.Setups(1), Rules: match.Rules{Turns: turns}, Games: a.games, AtOnce: a.atOnce,
	}
	add := func(match.Played) error { return nil }
	_, effort := a.effort()
	if a.record != "" {
		r, err := match.OpenRecords(filepath.Join(a.record, without), fmt.Sprintf("without %s, %s a turn, each setup once", without, effort),
			[]string{"whole", "without-" + without}, effort)
		if err != nil {
			return standing, err
		}
		defer r.Close()
		add, standing = r.Add, r.Standing()
	}
	if test.Decide(standing.Tally) != match.Undecided {
		return standing, nil
	}
	for p, err := range m.Run(ctx, standing) {
		if err == nil {
			err = add(p)
		}
		if err != nil {
			return standing, err
		}
		if test.Decide(standing.Tally) != match.Undecided {
			break
		}
	}
	return standing, nil
}

// row is a row of the table.
func row(name string, t match.Tally) string {
	return fmt.Sprintf("| %s | %d | %d | %s | %+.2f | %v |", name, t.Games(), t[0], t.Difference(), test.LLR(t), test.Decide(t))
}

// player makes players with an engine of one thread.
func (a *ablation) player(without string) func() (match.Player, error) {
	return func() (match.Player, error) {
		o := engine.Options{Threads: 1, Memory: memory}
		if err := o.Vary(without); err != nil {
			return nil, err
		}
		e, err := engine.New(o)
		limits, _ := a.effort()
		return player{e, limits}, err
	}
}

// player is an engine in this process.
type player struct {
	engine *engine.Engine
	limits engine.Limits
}

func (p player) Begin(context.Context, *arimaa.Game) error {
	p.engine.Forget()
	return nil
}

func (p player) Turn(ctx context.Context, g *arimaa.Game, _ *clock.Clock) (string, error) {
	r, err := p.engine.Search(ctx, g, p.limits, nil)
	if err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", err // the turn of a search that was cut short is not the engine's
	}
	last := g.Last()
	return last.Notation(r.Turn), nil
}

func (p player) End() {}
