package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
	"goalproof/internal/memory"
	"goalproof/tables/endgame"
)

// building are the options of a run that builds endgame tables: their classes.
type building struct{ Classes []string }

// classQuestion is the question for the table of a class. The answer is the file.
type classQuestion struct {
	Class   string
	Smaller []Table // that it needs, beside those that are part of the program
}

// endgameKind is the kind of questions of endgame build.
var endgameKind = cluster.Kind{
	Name: "endgame",
	Open: func(_ context.Context, options []byte, room cluster.Room, inputs cluster.Inputs) (cluster.Answerer, error) {
		need, err := buildingMemory(options)
		if err == nil && need > room.Memory {
			err = fmt.Errorf("the tables take %d MiB of memory, and there are %d", need>>20, room.Memory>>20)
		}
		return classBuilder{inputs}, err
	},
	Memory:   buildingMemory,
	Patience: time.Hour,
}

// buildingMemory returns the memory that the largest class takes.
func buildingMemory(options []byte) (need uint64, err error) {
	var o building
	if err := read(options, &o); err != nil {
		return 0, fmt.Errorf("the options of the run: %w", err)
	}
	for _, name := range o.Classes {
		c, err := endgame.ParseClass(name)
		if err != nil {
			return 0, err
		}
		need = max(need, endgame.MemoryNeeded(c))
	}
	return need, nil
}

// classBuilder answers with the tables of classes.
type classBuilder struct{ inputs cluster.Inputs }

// Answer implements [cluster.Answerer].
func (b classBuilder) Answer(ctx context.Context, question []byte) ([]byte, error) {
	var q classQuestion
	if err := read(question, &q); err != nil {
		return nil, err
	}
	c, err := endgame.ParseClass(q.Class)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, t := range q.Smaller {
		path, err := b.inputs.File(ctx, t.Digest)
		if err != nil {
			return nil, fmt.Errorf("the endgame table %s: %w", t.Name, err)
		}
		paths = append(paths, path)
	}
	ts, err := endgame.OpenFiles(paths, memory.Endgames/8)
	if err != nil {
		return nil, err
	}
	defer ts.Close()
	return ts.Build(ctx, c)
}

// Endgames puts the questions of endgame build.
type Endgames struct {
	Dir      string                 // of the tables
	Progress func(endgame.Progress) // called for each table that is there

	ctx   context.Context
	flags *Flags
	offer cluster.Offerer
	built map[endgame.Class]chan struct{} // closed when the table is in the directory of unfinished
}

// unfinished is the directory, in that of the tables, where they are until all are there: only then
// is it known that none of them came from a worker that lied.
const unfinished = "unfinished"

// tableSample is how many boards of a table that a worker sends are verified.
const tableSample = 2000

// Build has tables built whose classes [endgame.Missing] has named. After an error there are none
// in the directory, but the run has those that were answered.
func (e *Endgames) Build(ctx context.Context, f *Flags, missing []endgame.Class) error {
	if len(missing) == 0 {
		return nil
	}
	dir := filepath.Join(e.Dir, unfinished)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	lock, err := files.LockDir(dir, false)
	if err != nil {
		return cli.Exit(cli.BadInput, err)
	}
	defer lock.Close()
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.ctx, e.flags, e.built = ctx, f, map[endgame.Class]chan struct{}{}
	o := building{}
	for _, c := range missing {
		o.Classes = append(o.Classes, c.String())
		e.built[c] = make(chan struct{})
	}
	f.Total = len(missing)
	asker, closer, err := f.Open(ctx, endgameKind, func(offer cluster.Offerer) (any, error) {
		e.offer = offer
		return o, nil
	})
	if err != nil {
		return err
	}
	if err := e.all(ctx, cancel, asker, missing); err != nil {
		_ = closer.Close() // the error that ended it counts
		return err
	}
	if err := closer.Close(); err != nil {
		return err
	}
	for _, c := range missing {
		if err := endgame.Move(c, dir, e.Dir); err != nil {
			return err
		}
	}
	return nil
}

// all has all tables built. Cancel ends the wait of Question, which ends before Outcomes does.
func (e *Endgames) all(ctx context.Context, cancel func(), asker cluster.Asker, missing []endgame.Class) error {
	for o := range Outcomes(ctx, asker, slices.Values(missing), e, func(endgame.Class) {}) {
		if o.Err != nil {
			cancel()
			return fmt.Errorf("class %v: %w", o.Job, o.Err)
		}
		e.Progress(o.Value)
		close(e.built[o.Job])
	}
	return ctx.Err()
}

// path returns where the table of a class is that there is or will be, "" if it is part of the
// program.
func (e *Endgames) path(c endgame.Class) string {
	name := c.String() + endgame.Extension
	if e.built[c] != nil {
		return filepath.Join(e.Dir, unfinished, name)
	}
	path := filepath.Join(e.Dir, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return path
}

// Question implements [Questions]. It waits for the tables of the smaller classes.
func (e *Endgames) Question(c endgame.Class) ([]byte, error) {
	q := classQuestion{Class: c.String()}
	for _, s := range c.Smaller() {
		if built := e.built[s]; built != nil {
			select {
			case <-built:
			case <-e.ctx.Done():
				return nil, e.ctx.Err()
			}
		}
		if path := e.path(s); path != "" {
			digest, err := e.offered(path)
			if err != nil {
				return nil, err
			}
			q.Smaller = append(q.Smaller, Table{s.String(), digest})
		}
	}
	return json.Marshal(q)
}

// offered offers a file, as often as it takes: the server may be away.
func (e *Endgames) offered(path string) (digest string, err error) {
	for said := false; ; said = true {
		digest, err = e.offer.Offer(e.ctx, path)
		if err == nil || e.ctx.Err() != nil || errors.As(err, new(*fs.PathError)) {
			return digest, err
		}
		if !said {
			fmt.Fprintf(e.flags.t.Err, "goalproof: %v; trying again\n", err)
		}
		select {
		case <-time.After(time.Second):
		case <-e.ctx.Done():
		}
	}
}

// Here implements [Questions].
func (e *Endgames) Here(endgame.Class) (none endgame.Progress, err error) { return none, nil }

// Check implements [Questions]: the form of the file, and a sample of its boards.
func (e *Endgames) Check(ctx context.Context, question, answer []byte) error {
	var q classQuestion
	if err := read(question, &q); err != nil {
		return err
	}
	c, err := endgame.ParseClass(q.Class)
	if err != nil {
		return err
	}
	var paths []string
	for _, t := range q.Smaller {
		s, err := endgame.ParseClass(t.Name)
		if err != nil {
			return err
		}
		paths = append(paths, e.path(s))
	}
	ts, err := endgame.OpenFiles(paths, memory.Endgames)
	if err != nil { // which is not the worker's fault
		return fmt.Errorf("%w: %w", cluster.ErrUnproved, err)
	}
	defer ts.Close()
	return ts.Check(ctx, c, answer, tableSample)
}

// Result implements [Questions]. It writes the table.
func (e *Endgames) Result(c endgame.Class, answer cluster.Answer) (endgame.Progress, error) {
	p := endgame.Progress{Class: c, Done: true, Took: answer.Took, Size: int64(len(answer.Bytes))}
	return p, files.WriteText(e.path(c), answer.Bytes)
}
