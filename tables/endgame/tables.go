package endgame

import (
	"errors"
	"math/bits"
	"sync"
	"sync/atomic"

	"goalproof/arimaa"
	"goalproof/internal/files"
)

// Tables hold the values of positions with few pieces. Several goroutines may call the methods at
// once. nil and zero Tables know no position.
type Tables struct {
	byMaterial map[material]entry
	most       int      // pieces of a class
	classes    []*table // in the order of Classes
	close      []func() error
	files      []string // beside those that are part of the program

	mu    sync.Mutex
	room  int            // bytes that blocks may still take
	clock []*loadedBlock // the blocks in memory, in a circle
	hand  int
	err   error // the first one in reading a block
}

// material is the number of pieces of each kind and side, three bits each.
type material uint64

// entry says how boards of some material are looked up.
type entry struct {
	t       *table
	swapped bool      // the colours are exchanged in the table
	group   [16]uint8 // of the layout, by the piece on the board
}

// loadedBlock is a block in memory.
type loadedBlock struct {
	values []uint8
	used   atomic.Bool // since the hand of the clock passed
	home   *atomicBlock
}

type atomicBlock = atomic.Pointer[loadedBlock]

// Open opens the tables in a directory, beside those of two and three pieces, which are part of the
// program. A missing directory, or an empty name, means these alone. memory is how many bytes of
// values are kept in memory; less than 64 KiB count as 64 KiB. The error names a file that cannot
// be read, or that holds no table (ErrFile), or a damaged one as far as that is seen without
// reading all of it.
func Open(dir string, memory int) (*Tables, error) {
	paths, err := tableFiles(dir)
	ts, openErr := openFiles(paths, memory, openFile)
	if err != nil {
		return nil, errors.Join(err, openErr, ts.Close())
	}
	return ts, openErr
}

// OpenFiles is [Open] for files that may have any names.
func OpenFiles(paths []string, memory int) (*Tables, error) {
	return openFiles(paths, memory, openAny)
}

func openFiles(paths []string, memory int, open func(path string) (*table, error)) (*Tables, error) {
	ts := &Tables{byMaterial: map[material]entry{}, room: memory}
	found := map[Class]*table{}
	for n := 2; n <= 3; n++ {
		for _, c := range Classes(n) {
			t, err := openEmbedded(c)
			if err != nil {
				return nil, err
			}
			found[c] = t
		}
	}
	var err error
	for _, path := range paths {
		t, openErr := open(path)
		if openErr != nil {
			err = errors.Join(err, openErr)
			continue
		}
		ts.close, ts.files = append(ts.close, t.close), append(ts.files, path)
		found[t.layout.class] = t
	}
	if err != nil {
		return nil, errors.Join(err, ts.Close())
	}
	for n := 2; n <= MaxPieces; n++ {
		for _, c := range Classes(n) {
			if t := found[c]; t != nil {
				ts.classes = append(ts.classes, t)
				ts.register(t)
				delete(found, c)
			}
		}
	}
	for _, t := range found { // of material that no full army has
		ts.classes = append(ts.classes, t)
		ts.register(t)
	}
	return ts, nil
}

// Close closes the files.
func (ts *Tables) Close() (err error) {
	if ts == nil {
		return nil
	}
	for _, close := range ts.close {
		err = errors.Join(err, close())
	}
	ts.close = nil
	return err
}

// DefaultDir returns the directory for tables in the user's data folder: see [files.DataDir].
func DefaultDir() (string, error) { return files.DataDir("endgames") }

// register adds the material of a class: every choice of kinds of the right order, for both
// colours.
func (ts *Tables) register(t *table) {
	c := t.layout.class
	ts.most = max(ts.most, c.Len())
	strongest := int(max(c.gold.strength[0], c.silver.strength[0]))
	for set := range 1 << (arimaa.Elephant - arimaa.Rabbit) {
		if bits.OnesCount(uint(set)) != strongest {
			continue
		}
		kinds := []arimaa.Kind{arimaa.Rabbit}
		for k := arimaa.Cat; k <= arimaa.Elephant; k++ {
			if set>>(k-arimaa.Cat)&1 != 0 {
				kinds = append(kinds, k)
			}
		}
		for _, swapped := range []bool{false, true} {
			e := entry{t: t, swapped: swapped}
			var m material
			for i, r := range t.layout.groups {
				side := arimaa.Side(r.side)
				if swapped {
					side = side.Other()
				}
				piece := arimaa.NewPiece(side, kinds[r.strength])
				e.group[piece] = uint8(i)
				m += material(r.n) << materialShift(piece)
			}
			if swapped && c.symmetric() {
				continue
			}
			ts.byMaterial[m] = e
		}
	}
}

// materialShift is where the number of a piece stands in a material.
func materialShift(p arimaa.Piece) int { return 3 * int(p) }

// Probe returns what a board is worth to the side that begins its turn. ok is false where no table
// knows: there are too many pieces, no table of these is open, the game is over, or a piece stands
// undefended on a trap, which no turn leaves behind. The repetition rule is set aside. A look-up
// allocates nothing unless a block of a table must be read, and with too many pieces it takes next
// to no time.
func (ts *Tables) Probe(b *arimaa.Board, side arimaa.Side) (v Value, ok bool) {
	if ts == nil || b.Occupied().Len() > ts.most {
		return 0, false
	}
	return ts.lookUp(b, side)
}

func (ts *Tables) lookUp(b *arimaa.Board, side arimaa.Side) (v Value, ok bool) {
	var m material
	var pieces [MaxPieces]arimaa.Piece
	for rest, i := b.Occupied(), 0; rest != 0; rest, i = rest.Rest(), i+1 {
		pieces[i] = b.At(rest.First())
		m += 1 << materialShift(pieces[i])
	}
	e, ok := ts.byMaterial[m]
	if !ok || (b.Rabbits(arimaa.Gold)&arimaa.GoalRank(arimaa.Gold)|
		b.Rabbits(arimaa.Silver)&arimaa.GoalRank(arimaa.Silver)|b.Undefended()) != 0 {
		return 0, false
	}
	// Where one table serves both sides the board is turned when Silver is to move.
	swapped, to := e.swapped, int(side)
	switch {
	case e.t.Sides == 1:
		swapped, to = side == arimaa.Silver, 0
	case swapped:
		to = 1 - to
	}
	var sets [MaxPieces]uint64
	for rest, i := b.Occupied(), 0; rest != 0; rest, i = rest.Rest(), i+1 {
		piece := pieces[i]
		if e.t.Sides == 1 && swapped {
			piece = arimaa.NewPiece(piece.Side().Other(), piece.Kind())
		}
		group := &sets[e.group[piece&15]%MaxPieces]
		*group |= uint64(rest.First().Set())
	}
	if swapped {
		for i := range e.t.layout.groups {
			sets[i] = bits.ReverseBytes64(sets[i])
		}
	}
	number := e.t.layout.number(&sets) + to*e.t.Numbers
	home := &e.t.loaded[number/blockSize]
	block := home.Load()
	if block == nil {
		if block = ts.load(e.t, number/blockSize, home); block == nil {
			return 0, false
		}
	}
	if !block.used.Load() {
		block.used.Store(true)
	}
	v = Value(block.values[number%blockSize])
	return v, v != over
}

// load brings a block into memory, and where there is no room drops one that has not been used for
// long. It returns nil if the block cannot be read; Err says why.
func (ts *Tables) load(t *table, i int, home *atomicBlock) *loadedBlock {
	values, err := t.read(i)
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if err != nil {
		if ts.err == nil {
			ts.err = err
		}
		return nil
	}
	if block := home.Load(); block != nil {
		return block // another goroutine was faster
	}
	block := &loadedBlock{values: values, home: home}
	if len(ts.clock) > 0 && ts.room < len(values) {
		for tries := 0; ts.clock[ts.hand].used.Swap(false) && tries < len(ts.clock); tries++ {
			ts.hand = (ts.hand + 1) % len(ts.clock)
		}
		old := ts.clock[ts.hand]
		old.home.Store(nil)
		ts.room += len(old.values)
		ts.clock[ts.hand] = block
		ts.hand = (ts.hand + 1) % len(ts.clock)
	} else {
		ts.clock = append(ts.clock, block)
	}
	ts.room -= len(values)
	home.Store(block)
	return block
}

// Err returns the first error in reading a block, which names the file: Probe knows no position of
// a damaged block.
func (ts *Tables) Err() error {
	if ts == nil {
		return nil
	}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.err
}

// Classes returns the classes whose tables are open, those with fewer pieces first.
func (ts *Tables) Classes() (all []Class) {
	if ts == nil {
		return nil
	}
	for _, t := range ts.classes {
		all = append(all, t.layout.class)
	}
	return all
}

// Files returns the paths of the files that are open. The other tables are part of the program.
func (ts *Tables) Files() []string {
	if ts == nil {
		return nil
	}
	return ts.files
}

// Bytes returns how much memory the values of all tables take when they are read.
func (ts *Tables) Bytes() (n int) {
	if ts == nil {
		return 0
	}
	for _, t := range ts.classes {
		n += t.Numbers * t.Sides
	}
	return n
}
