// Command difficulty fits the measure of difficulty of package describe, and validates it.
//
//	go run ./tools/difficulty -measure > rows.tsv           # ten minutes
//	go run ./tools/difficulty -fit docs/difficulty.tsv
//
// It measures the wins in two that winners had near the end of published games, to which the
// weights are fitted, and the published wins in two, on which they are validated.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/pns"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

func main() {
	data := flag.String("data", "../shared/data", "folder of the published positions")
	measured := flag.Bool("measure", false, "measure the positions, and write a row for each")
	rows := flag.String("fit", "", "fit the weights to these rows")
	flag.Parse()
	var err error
	switch {
	case *measured:
		err = measureAll(*data, os.Stdout)
	case *rows != "":
		err = fitFile(*rows, os.Stdout)
	default:
		err = errors.New("name -measure or -fit FILE")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "difficulty:", err)
		os.Exit(1)
	}
}

// The sets of positions.
const (
	training   = "games"
	validation = "published"
)

// lastTurns is how many turns before the end of a game are looked at, those of the winner if the
// board names one.
const lastTurns = 6

// candidate is a position to be measured.
type candidate struct {
	set, name string
	position  arimaa.Position
}

// measureAll measures all positions, each once.
func measureAll(data string, w io.Writer) error {
	candidates, err := published(data)
	if err != nil {
		return err
	}
	for _, file := range []string{"archive-2002.tsv", "archive-2026.tsv"} {
		text, err := os.ReadFile(filepath.Join(data, "games", file))
		if err != nil {
			return err
		}
		records, err := notation.ReadArchive(file, string(text))
		if err != nil {
			return err
		}
		for _, r := range records {
			candidates = append(candidates, lastPositions(r)...)
		}
	}
	m, err := newMeasurer(w)
	if err != nil {
		return err
	}
	known := map[arimaa.Position]bool{}
	for _, c := range candidates {
		if known[c.position] {
			continue
		}
		known[c.position] = true
		if err := m.measure(&c); err != nil {
			return err
		}
	}
	return nil
}

// published returns the published wins in two.
func published(data string) (all []candidate, err error) {
	for _, set := range []string{"reduced", "big"} {
		for p := range puzzles.Read(files.NewSource(context.Background(), nil), filepath.Join(data, "win-in-2", set), nil) {
			if p.Err != nil {
				return nil, p.Err
			}
			all = append(all, candidate{validation, set + "/" + p.Name, p.Position})
		}
	}
	return all, nil
}

// lastPositions returns the last positions of a game, none if it holds a step that today's rules
// forbid.
func lastPositions(r *notation.Record) (all []candidate) {
	g, err := r.Game()
	if err != nil {
		return nil
	}
	end := g.Outcome()
	for i := max(g.Len()-lastTurns, 0); i < g.Len(); i++ {
		p := g.Position(i)
		if (!end.Over() || p.Side() == end.Winner) && p.Unusual() == nil {
			all = append(all, candidate{training, r.ID + " " + g.Label(i), p})
		}
	}
	return all
}

// measurer measures positions.
type measurer struct {
	w      io.Writer
	solver *solve.Solver
	d      describe.Describer
	eye    *describe.Eye
	pns    *pns.Solver
}

const memory = 256 << 20

func newMeasurer(w io.Writer) (*measurer, error) {
	s, err := solve.New(solve.Options{Memory: memory, Threads: 1})
	if err != nil {
		return nil, err
	}
	p, err := pns.New(memory)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(w, "set\tname\tessential\tseen\tdepth\tnodes\tpns\t"+strings.Join(describe.FeatureNames[:], "\t"))
	return &measurer{w: w, solver: s, d: describe.Describer{Solver: s}, eye: describe.NewEye(), pns: p}, nil
}

// The limits of a position.
const (
	solveTime = time.Minute
	pnsTime   = time.Minute
)

// measure writes a row if the side to move wins in two.
func (m *measurer) measure(c *candidate) error {
	p := c.position
	ctx, cancel := context.WithTimeout(context.Background(), solveTime)
	defer cancel()
	m.solver.Forget()
	a, err := m.solver.Solve(ctx, solve.Question{Position: p, Deepest: 2, All: true, NoLine: true})
	if err != nil || a.Verdict != answer.Proved || a.Within < 2 {
		return err
	}
	z, ok, err := m.d.Win(ctx, p, &a)
	if err != nil || !ok {
		return err
	}
	s, err := m.eye.See(context.Background(), p, &a)
	if err != nil {
		return err
	}
	limited, stop := context.WithTimeout(context.Background(), pnsTime)
	defer stop()
	best := m.pns.Solve(limited, pns.Question{Position: p, N: 2})
	fmt.Fprintf(m.w, "%s\t%s\t%d\t%v\t%d\t%d\t%d", c.set, c.name, len(z.Solutions), s.Seen, s.Depth, s.Nodes, best.Nodes)
	for _, x := range z.Counts.Features() {
		fmt.Fprintf(m.w, "\t%.4g", x)
	}
	_, err = fmt.Fprintln(m.w)
	return err
}
