package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/pns"
	"goalproof/puzzles"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// lastTurns is how many turns before the end of a game are looked at, those of the winner if the
// board names one.
const lastTurns = 8

// The prefixes of games from the published data.
const (
	fromSet  = "published-"
	fromGame = "game-"
)

// candidate is a position to be measured.
type candidate struct {
	game     string // what comes from one game is fitted, or held out, together
	name     string
	position arimaa.Position
	turns    int // of the win; 0: not known
}

// measureAll measures all positions, each once.
func measureAll(data string, w io.Writer) error {
	candidates := shipped()
	some, err := published(data)
	if err != nil {
		return err
	}
	candidates = append(candidates, some...)
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
	return measureList(candidates, w)
}

// measureBeyond measures the puzzles of the collection that the rows of a file lack.
func measureBeyond(file string, w io.Writer) error {
	rows, err := readRows(file)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for i := range rows {
		names[rows[i].name] = true
	}
	return measureList(slices.DeleteFunc(shipped(), func(c candidate) bool { return names[c.name] }), w)
}

// measureList measures the positions of a list.
func measureList(candidates []candidate, w io.Writer) error {
	m, err := newMeasurer(w)
	if err != nil {
		return err
	}
	known := map[arimaa.Position]bool{}
	for i := range candidates {
		c := &candidates[i]
		if known[c.position] {
			continue
		}
		known[c.position] = true
		if err := m.measure(c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// shipped returns the puzzles of the collection.
func shipped() (all []candidate) {
	puzzles := collection.All()
	for i := range puzzles {
		p := &puzzles[i]
		game, _, _ := strings.Cut(p.Origin, " ")
		all = append(all, candidate{game, p.Origin, p.Position, p.Turns})
	}
	return all
}

// published returns the published wins in two.
func published(data string) (all []candidate, err error) {
	for _, set := range []string{"reduced", "big"} {
		for p := range puzzles.Read(files.NewSource(context.Background(), nil), filepath.Join(data, "win-in-2", set), nil) {
			if p.Err != nil {
				return nil, p.Err
			}
			all = append(all, candidate{fromSet + p.Name, set + "/" + p.Name, p.Position, 2})
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
			all = append(all, candidate{fromGame + r.ID, r.ID + " " + g.Label(i), p, 0})
		}
	}
	return all
}

// columns are those of the file of measured puzzles.
var columns = [...]string{"game", "name", "themes", "win_in", "essential", "first", "winning", "threats", "steps", "replies", "pieces",
	"near", "single", "rank", "surprise", "eye_nodes", "eye_depth", "untaught_nodes", "untaught_depth", "blind_nodes", "blind_depth", "proof_nodes"}

// measurer measures positions.
type measurer struct {
	w      io.Writer
	solver *solve.Solver
	d      describe.Describer
	eyes   [3]*describe.Eye // with all it has, without what it has learned, and without detectors
	pns    *pns.Solver
}

// The limits of a position, in nodes.
const (
	memory      = 256 << 20
	threatNodes = 30_000
	solveNodes  = 400_000
	pnsNodes    = 100_000
)

func newMeasurer(w io.Writer) (*measurer, error) {
	s, err := solve.New(solve.Options{Memory: memory, Threads: 1})
	if err != nil {
		return nil, err
	}
	p, err := pns.New(memory)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(w, strings.Join(columns[:], "\t"))
	return &measurer{w: w, solver: s, d: describe.Describer{Solver: s}, pns: p,
		eyes: [3]*describe.Eye{describe.NewEye(0), describe.NewEye(describe.Learned), describe.NewEye(describe.Learned | describe.Detectors)}}, nil
}

// ask asks the solver within a limit in nodes.
func (m *measurer) ask(q solve.Question, nodes uint64) (solve.Answer, error) {
	limited, cancel := m.solver.Start(context.Background(), answer.Limit{Nodes: nodes})
	defer cancel()
	q.NoLine = true
	return m.solver.Solve(limited, q)
}

// win returns the win of a position with all solutions; ok is false if none was found. A win in one
// at the end of a game is none that anybody would ask for.
func (m *measurer) win(c *candidate) (a solve.Answer, ok bool, err error) {
	deepest := max(2, c.turns)
	if c.turns == 0 {
		a, err = m.ask(solve.Question{Position: c.position, Deepest: solve.MaxTurns, Any: true, Threats: true}, threatNodes)
		if err != nil || a.Verdict != answer.Proved || a.Within == 1 {
			return a, false, err
		}
		deepest = a.Within
	}
	a, err = m.ask(solve.Question{Position: c.position, Deepest: deepest, All: true}, solveNodes)
	return a, err == nil && a.Exact() && a.Listing == answer.Finished, err
}

// measure writes a row if a win is found.
func (m *measurer) measure(c *candidate) error {
	p := c.position
	a, ok, err := m.win(c)
	if err != nil || !ok {
		return err
	}
	limited, cancel := m.solver.Start(context.Background(), answer.Limit{Nodes: solveNodes})
	defer cancel()
	z, ok, err := m.d.Win(limited, p, &a)
	if err != nil || !ok {
		return err
	}
	m.pns.Begin(pns.Question{Position: p, N: z.N})
	proof := m.pns.Advance(pnsNodes)
	cells := []any{c.game, c.name, z.Themes, z.N, len(z.Solutions), z.Turns, z.Winning, z.Threats, z.Solutions[0].Turn.Len(), z.Replies, p.Occupied().Len(),
		z.NearTries, z.SingleDefence, rank(p, a.Solutions), fmt.Sprintf("%.3f", z.Surprise)}
	for _, eye := range m.eyes {
		seen, err := eye.See(context.Background(), p, &a)
		if err != nil {
			return err
		}
		cells = append(cells, seen.Nodes, depth(&seen))
	}
	return write(m.w, append(cells, proof.Nodes)...)
}

// depth is that at which a solution is seen, or more than all if it is not.
func depth(s *describe.Sight) int {
	if !s.Seen {
		return describe.SightDepth + 1
	}
	return s.Depth
}

// write writes a row.
func write(w io.Writer, cells ...any) error {
	for i, cell := range cells {
		if i > 0 {
			fmt.Fprint(w, "\t")
		}
		fmt.Fprint(w, cell)
	}
	_, err := fmt.Fprintln(w)
	return err
}
