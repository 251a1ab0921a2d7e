package endgame

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
)

// BuildOptions say how tables are built.
type BuildOptions struct {
	Dir     string // of the tables; required, and created if necessary
	Threads int    // 1 or more
	Memory  uint64 // bytes that a class may take while it is built; 0 sets no limit
	Again   bool   // also build existing tables, from the beginning
	// Checkpoints is the least time from one checkpoint of a class to the next; 0: none are
	// written. An interrupted Build continues from the last one.
	Checkpoints time.Duration
	// Progress, if not nil, receives reports. It is called by one goroutine.
	Progress func(Progress)
}

// Progress says how far a class has come.
type Progress struct {
	Class Class
	N     int  // the wins and losses in N turns are being computed
	Kept  bool // the table was there
	Done  bool
	Took  time.Duration // where it is Done
	Size  int64         // bytes of the file where it is Kept or Done
	// Discarded says why the class is built from the beginning although there is a checkpoint.
	Discarded error
}

// check returns an error if there is no directory, no thread, no class, or an invalid class.
func (o *BuildOptions) check(classes []Class) error {
	switch {
	case o.Dir == "":
		return errors.New("no directory is named for the endgame tables")
	case o.Threads < 1:
		return errThreads
	case len(classes) == 0 || slices.Contains(classes, Class{}):
		return errors.New("there is no class to build: ParseClass and Classes name them")
	}
	return nil
}

// Build builds tables, and those of smaller classes that they need, smaller ones first. Each is
// written when it is complete. An interrupted Build continues with the class that was being built,
// from its last checkpoint. A nil context sets no limit. The error names a file that cannot be
// written or read, says what is missing in the options, that there is no class or which needs more
// memory, or is that of the context.
func Build(ctx context.Context, classes []Class, o BuildOptions) error {
	missing, err := Missing(classes, o)
	if err != nil {
		return err
	}
	b := newBuilder(cmp.Or(ctx, context.Background()), o)
	b.open = func(c Class) (*table, error) { return openIn(o.Dir, c, false) }
	for _, c := range missing {
		if err := b.build(c); err != nil {
			return err
		}
	}
	return nil
}

// Missing returns the classes that [Build] would build, smaller ones first, and reports those that
// are there. It makes the directory. The error is as for Build.
func Missing(classes []Class, o BuildOptions) (missing []Class, err error) {
	if err := o.check(classes); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	for _, c := range closure(classes) {
		wanted := slices.Contains(classes, c)
		if !wanted || !o.Again {
			t, err := openIn(o.Dir, c, wanted)
			if err == nil {
				if o.Progress != nil {
					o.Progress(Progress{Class: c, Kept: true, Size: t.size})
				}
				t.close()
				continue
			}
			if !errors.Is(err, os.ErrNotExist) {
				return nil, err
			}
		}
		missing = append(missing, c)
	}
	for _, c := range slices.Backward(missing) {
		if need := MemoryNeeded(c); o.Memory > 0 && need > o.Memory {
			return nil, fmt.Errorf("class %v needs %s of memory, and may take %s", c, humanize.IBytes(need), humanize.IBytes(o.Memory))
		}
	}
	return missing, nil
}

// Build builds the table of a class with one thread, and returns what its file holds, which is the
// same wherever it is built. The tables of the classes of [Class.Smaller] must be open. A nil
// context sets no limit. The error names the one that is not, says what is wrong with its file, or
// is that of the context.
func (ts *Tables) Build(ctx context.Context, c Class) ([]byte, error) {
	b := newBuilder(cmp.Or(ctx, context.Background()), BuildOptions{Threads: 1, Again: true})
	b.open = func(c Class) (*table, error) {
		t, err := ts.table(c)
		if err != nil {
			return nil, err
		}
		shared := *t
		shared.close = func() error { return nil }
		return &shared, nil
	}
	h, all, err := b.compute(c)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	err = write(&file, h, all)
	return file.Bytes(), err
}

// Smaller returns the classes that captures lead to, smaller ones first.
func (c Class) Smaller() []Class {
	return slices.DeleteFunc(closure([]Class{c}), func(s Class) bool { return s == c })
}

// closure returns classes and all that captures lead to, smaller ones first.
func closure(classes []Class) (all []Class) {
	var add func(g *geometry)
	add = func(g *geometry) {
		if slices.Contains(all, g.class) {
			return
		}
		all = append(all, g.class)
		for _, r := range g.reduced {
			if r != nil && r.rabbits[gold] > 0 && r.rabbits[silver] > 0 {
				add(r.g)
			}
		}
	}
	for _, c := range classes {
		g := newGeometry(c)
		g.reduce()
		add(g)
	}
	slices.SortStableFunc(all, func(a, b Class) int { return a.Len() - b.Len() })
	return all
}

// MemoryNeeded returns about how many bytes building a class takes.
func MemoryNeeded(c Class) uint64 {
	const bitsets, lists = 40, 6 // of a retrograde
	g := newGeometry(c)
	n := uint64(bitsets/8+lists) << g.bits
	for _, smaller := range c.Smaller() {
		n += 16 << newGeometry(smaller).bits // the rest of its turns
	}
	return n + 64<<20
}

// builder builds classes one after the other.
type builder struct {
	BuildOptions
	ctx   context.Context
	open  func(Class) (*table, error) // the table of a smaller class
	rests map[Class]*rest
}

func newBuilder(ctx context.Context, o BuildOptions) *builder {
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return &builder{BuildOptions: o, ctx: ctx, rests: map[Class]*rest{}}
}

// openIn opens the table of a class in a directory or, unless inDir is set, the one that is part of
// the program.
func openIn(dir string, c Class, inDir bool) (*table, error) {
	t, err := openFile(fileName(dir, c))
	if inDir || !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	return openEmbedded(c)
}

// build builds one class; the smaller ones are there.
func (b *builder) build(c Class) error {
	start := time.Now()
	h, all, err := b.compute(c)
	if err != nil {
		return err
	}
	if err := writeFile(b.Dir, h, all); err != nil {
		return err
	}
	info, err := os.Stat(fileName(b.Dir, c))
	if err != nil {
		return err
	}
	if err := removeCheckpoint(b.Dir, c); err != nil {
		return err
	}
	b.Progress(Progress{Class: c, Done: true, Took: time.Since(start), Size: info.Size()})
	return nil
}

// removeCheckpoint removes the checkpoint of a class if there is one.
func removeCheckpoint(dir string, c Class) error {
	if err := os.Remove(checkpointName(dir, c)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Move moves the file of a class from one directory into another of the same file system, where
// nothing of an unfinished build of the class is needed any more. The error is that of the system.
func Move(c Class, from, to string) error {
	if err := os.Rename(fileName(from, c), fileName(to, c)); err != nil {
		return err
	}
	return removeCheckpoint(to, c)
}

// compute computes the table of a class; the smaller ones are there.
func (b *builder) compute(c Class) (h header, all []uint8, err error) {
	g := newGeometry(c)
	g.reduce()
	if err := b.link(g); err != nil {
		return h, nil, err
	}
	v, err := b.analyse(g)
	if err != nil {
		return h, nil, err
	}
	return arrange(b.ctx, g, v, b.Threads)
}

// analyse computes the values of a class, from its checkpoint if there is one.
func (b *builder) analyse(g *geometry) (v values, err error) {
	path := checkpointName(b.Dir, g.class)
	r := newRetrograde(b.ctx, g, b.Threads)
	err = fs.ErrNotExist
	if !b.Again {
		err = r.load(path)
	}
	if err != nil {
		if errors.Is(err, ErrFile) {
			b.Progress(Progress{Class: g.class, Discarded: err})
			r = nil // its memory is free
			r = newRetrograde(b.ctx, g, b.Threads)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return v, err
		}
		if err := r.begin(); err != nil {
			return v, err
		}
	}
	saved := time.Now()
	err = r.iterate(func(n int) { b.Progress(Progress{Class: g.class, N: n}) }, func() error {
		if b.Checkpoints == 0 || time.Since(saved) < b.Checkpoints {
			return nil
		}
		err := r.save(path)
		saved = time.Now()
		return err
	})
	return r.values, err
}

// link gives a numbering the rests of turns in the classes that captures lead to.
func (b *builder) link(g *geometry) error {
	for _, r := range g.reduced {
		if r == nil || r.g == nil {
			continue
		}
		if err := b.link(r.g); err != nil {
			return err
		}
		if r.rabbits[gold] == 0 || r.rabbits[silver] == 0 {
			continue
		}
		class := r.g.class
		if b.rests[class] == nil {
			v, err := b.values(r.g)
			if err != nil {
				return err
			}
			if b.rests[class], err = newRest(b.ctx, r.g, v, b.Threads); err != nil {
				return err
			}
		}
		r.rest = b.rests[class]
	}
	return nil
}

// values reads a table by canonical index.
func (b *builder) values(g *geometry) (v values, err error) {
	t, err := b.open(g.class)
	if err != nil {
		return v, err
	}
	defer t.close()
	all, err := t.all(b.ctx)
	if err != nil {
		return v, err
	}
	for side := range v {
		v[side] = make([]uint8, 1<<g.bits)
	}
	err = each(b.ctx, b.Threads, t.Numbers, func(_ *worker, from, to int) {
		for number := from; number < to; number++ {
			index, ok := t.layout.index(g, number)
			if !ok {
				continue
			}
			for side := range t.Sides {
				v[side][index] = all[side*t.Numbers+number]
			}
			if t.Sides == 1 {
				v[silver][g.exchanged(index)] = all[number]
			}
		}
	})
	return v, err
}

// arrange brings values into the order of a table and counts them.
func arrange(ctx context.Context, g *geometry, v values, threads int) (h header, all []uint8, err error) {
	l := newLayout(g.class)
	h = header{Format: formatVersion, Rules: RulesVersion, Class: g.class.String(), Numbers: l.size, Sides: l.sides}
	all = make([]uint8, l.size*l.sides)
	var mu sync.Mutex
	var count [256]int
	err = each(ctx, threads, l.size, func(_ *worker, from, to int) {
		var part [256]int
		for number := from; number < to; number++ {
			index, ok := l.index(g, number)
			for side := range l.sides {
				at := &all[side*l.size+number]
				if ok {
					*at = v[side][index]
					part[*at]++
				} else if number > from {
					*at = all[side*l.size+number-1] // whatever takes least room
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for x, n := range part {
			count[x] += n
		}
	})
	for x, n := range count {
		v := Value(x)
		if v == over || n == 0 {
			continue
		}
		h.Positions += n
		if turns, ok := v.Win(); ok {
			h.Wins += n
			h.Longest = max(h.Longest, turns)
		}
		if _, ok := v.Loss(); ok {
			h.Losses += n
		}
	}
	return h, all, err
}
