// Command collection makes the puzzles that ship with the program.
//
//	go run ./tools/collection -work DIR
//
// It plays games of the engine against itself (games.go), looks for puzzles in them (candidates.go),
// composes others (compose.go), draws others from endgame tables (endings.go), chooses among all,
// proves what is chosen, and writes the collection with a report (choose.go). What is picked by hand
// has its sentence in ideas.tsv.
//
// Each stage keeps what it has found in a file of the work folder; the same command continues there.
// All limits are in nodes, so the same seed makes the same bytes, with any number of threads, until
// the engine or the solver changes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/files"
	"goalproof/internal/interrupt"
	"goalproof/puzzles/collection"
)

// maker makes the collection in a work folder.
type maker struct {
	work    string
	seed    uint64
	games   int
	compose int // jobs
	size    int
	threads int
	out     string
}

func main() {
	log.SetFlags(0)
	m := maker{}
	flag.StringVar(&m.work, "work", "", "folder for what is found; the same command continues there")
	flag.Uint64Var(&m.seed, "seed", 1, "another seed makes other puzzles")
	flag.IntVar(&m.games, "games", 800, "number of games")
	flag.IntVar(&m.compose, "compose", 210, "number of puzzles to compose, of which some fail")
	flag.IntVar(&m.size, "size", 640, "number of puzzles at most")
	flag.StringVar(&m.out, "out", "puzzles/collection", "folder for the collection and the report")
	flag.IntVar(&m.threads, "threads", runtime.NumCPU(), "number of threads, which does not change the puzzles")
	flag.Parse()
	if err := m.make(interrupt.Context()); err != nil {
		log.Fatal(err)
	}
}

// make does all stages.
func (m *maker) make(ctx context.Context) error {
	if m.work == "" {
		return errors.New("name a folder with -work")
	}
	for _, dir := range []string{m.work, m.out} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	for _, stage := range []func(context.Context) error{m.play, m.find, m.composeAll, m.drawEndings, m.choose} {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// path is that of a file in the work folder.
func (m *maker) path(name string) string { return filepath.Join(m.work, name) }

// play plays the games.
func (m *maker) play(ctx context.Context) error {
	s := stage[*engine.Engine]{file: m.path("games.tsv"), header: archiveColumns, jobs: m.games, threads: m.threads, start: newEngine,
		do: func(ctx context.Context, e *engine.Engine, job int) (string, error) {
			g, err := play(ctx, e, m.seed, job)
			if err != nil {
				return "", err
			}
			return row(fmt.Sprintf("self-%d-%d", m.seed, job+1), g), nil
		}}
	return s.run(ctx)
}

// find finds candidates in the games.
func (m *maker) find(ctx context.Context) error {
	text, err := os.ReadFile(m.path("games.tsv"))
	if err != nil {
		return err
	}
	records, err := notation.ReadArchive("games.tsv", string(text))
	if err != nil {
		return err
	}
	games := make([]*arimaa.Game, len(records)) // nil: an earlier one has the same turns
	met := map[string]bool{}
	for i, r := range records {
		g, err := r.Game()
		if err != nil {
			return err
		}
		if turns := notation.Turns(g); !met[turns] {
			met[turns], games[i] = true, g
		}
	}
	s := stage[*finder]{file: m.path("candidates.jsonl"), jobs: min(m.games, len(records)), threads: m.threads, start: newFinder,
		do: func(ctx context.Context, f *finder, job int) (string, error) {
			return f.game(ctx, records[job].ID, games[job])
		}}
	return s.run(ctx)
}

// composeAll composes puzzles.
func (m *maker) composeAll(ctx context.Context) error {
	s := stage[*composer]{file: m.path("composed.jsonl"), jobs: m.compose, threads: m.threads, start: newComposer,
		do: func(ctx context.Context, c *composer, job int) (string, error) { return c.job(ctx, m.seed, job) }}
	return s.run(ctx)
}

// drawEndings finds puzzles in endgame tables, which it builds if necessary.
func (m *maker) drawEndings(ctx context.Context) error {
	tables, err := openEndings(ctx, m.path("tables"), endings, m.threads)
	if err != nil {
		return err
	}
	defer tables.Close()
	s := stage[*ender]{file: m.path("endings.jsonl"), jobs: endingJobs(endings), threads: m.threads,
		start: func() (*ender, error) { return newEnder(tables, endings) },
		do:    func(ctx context.Context, e *ender, job int) (string, error) { return e.job(ctx, m.seed, job) }}
	return s.run(ctx)
}

// choose chooses among the candidates, proves what is chosen, and writes the collection and the
// report.
func (m *maker) choose(ctx context.Context) error {
	var lines []found
	for _, file := range []string{"candidates.jsonl", "composed.jsonl"} {
		some, err := readLines[found](m.path(file))
		if err != nil {
			return err
		}
		lines = append(lines, some...)
	}
	drawn, err := readLines[foundEnding](m.path("endings.jsonl"))
	if err != nil {
		return err
	}
	var total counts // of all but the endings
	for i := range lines {
		total.add(&lines[i].counts)
	}
	for i := range drawn {
		lines = append(lines, drawn[i].found)
	}
	picked, err := pickedIdeas()
	if err != nil {
		return err
	}
	lost := slices.Sorted(maps.Keys(picked))
	var pool []collection.Puzzle
	for i := range lines {
		for j := range lines[i].Candidates {
			p, err := lines[i].Candidates[j].puzzle()
			if err != nil {
				return err
			}
			p.Idea = picked[p.Position.String()]
			lost = slices.DeleteFunc(lost, func(position string) bool { return position == p.Position.String() })
			pool = append(pool, p)
		}
	}
	for _, position := range lost {
		log.Printf("picked in ideas.tsv, but no candidate: %s", position)
	}
	var s sieves
	s.note("one essential solution", pool)
	pool = sift(pool, &s)
	chosen := choose(pool, m.size)
	s.note("chosen", chosen)
	if err := prove(ctx, chosen, m.threads); err != nil {
		return err
	}
	err = files.Write(filepath.Join(m.out, "collection.tsv.gz"), func(w io.Writer) error { return collection.Write(w, chosen) })
	if err != nil {
		return err
	}
	return files.WriteText(filepath.Join(m.out, "collection.md"), report(&total, drawn, &s, chosen))
}
