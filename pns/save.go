package pns

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/files"
)

// A saved search is
//
//	the line "goalproof pns 2": the kind of file and the version of the format
//	number of the turn that comes next, 0 if it is not known
//	position, packed (arimaa.PackedVersion), its length before it
//	game as a list of turns, its length before it; empty without one
//	N, parameters, nodes made so far
//	the root
//	SHA-256 of everything before it
//
// A node is
//
//	flags, one byte
//	proof number, disproof number, number of children
//	each child: option, four bytes, zero for a pass edge; node
//
// Numbers are unsigned varints; fields of fixed length have their lowest byte first. The file holds
// no boards: they follow from the options, each of which must be legal, so Load always makes a
// graph of the rules. Load does not solve the nodes again: the checksum guards against damage, not
// against forgery.
const saveHeader = "goalproof pns 2\n"

// Save writes the graph of the last search with its question and parameters, as it was when the
// search ended.
func (s *Solver) Save(w io.Writer) error {
	if s.root == 0 {
		return errors.New("there is no search to save")
	}
	if !s.question.Aim.Win() {
		return errors.New("only a search for a win can be saved")
	}
	sum := sha256.New()
	v := saver{s: s, out: bufio.NewWriter(io.MultiWriter(w, sum))}
	v.out.WriteString(saveHeader)
	v.number(uint64(max(s.question.Number, 0)))
	v.text(s.question.Position.AppendPacked(nil))
	var game string
	if s.question.Game != nil {
		game = notation.Turns(s.question.Game)
	}
	v.text([]byte(game))
	p := s.parameters
	for _, n := range []int{s.question.N, int(p.Evaluation), int(p.Start), p.Widening, p.Killers, p.High, p.Low} {
		v.number(uint64(n))
	}
	v.number(s.Nodes())
	v.node(s.slab.at(s.root))
	if err := v.out.Flush(); err != nil { // the first error of all that was written; see node
		return err
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

// saver writes the parts of a saved search.
type saver struct {
	s    *Solver
	out  *bufio.Writer
	room [binary.MaxVarintLen64]byte
}

func (v *saver) number(n uint64) { v.out.Write(binary.AppendUvarint(v.room[:0], n)) }

func (v *saver) text(b []byte) {
	v.number(uint64(len(b)))
	v.out.Write(b)
}

func (v *saver) node(n *node) {
	if v.out.WriteByte(n.flags) != nil {
		return // nothing more is written
	}
	v.number(uint64(n.pn))
	v.number(uint64(n.dn))
	children := uint64(0)
	for c := n.child; c != 0; c = v.s.slab.at(c).sibling {
		children++
	}
	v.number(children)
	for c := n.child; c != 0; {
		k := v.s.slab.at(c)
		v.out.Write(binary.LittleEndian.AppendUint32(v.room[:0], uint32(k.option)))
		v.node(k)
		c = k.sibling
	}
}

// SaveFile saves to a file. The file appears, or replaces an older one, only when it is complete;
// until then an older file is unchanged.
func (s *Solver) SaveFile(path string) error { return files.Write(path, s.Save) }

// saving is the file to which searches save themselves while they run.
type saving struct {
	path   string // empty: none
	every  time.Duration
	report func(error)
	last   time.Time
}

// SaveEvery makes the searches that follow save themselves at an interval, to a file as SaveFile
// does; an empty path ends that. The search calls report (unless it is nil) after each save, with
// its error or nil. If a save fails, the search continues and tries again after the next interval.
func (s *Solver) SaveEvery(path string, every time.Duration, report func(error)) {
	s.saving = saving{path: path, every: every, report: report}
}

// saveIfDue saves the current search if the interval has passed. It gives up if the search must
// stop.
func (s *Solver) saveIfDue() {
	if s.saving.path == "" || time.Since(s.saving.last) < s.saving.every {
		return
	}
	err := files.Write(s.saving.path, func(file io.Writer) error { return s.Save(stoppable{file, s.stop}) })
	if !errors.Is(err, errStopped) && s.saving.report != nil {
		s.saving.report(err)
	}
	s.saving.last = time.Now()
}

// errStopped is the error of a save that gave up.
var errStopped = errors.New("the search is to stop")

// stoppable is a writer that refuses to write once the search must stop.
type stoppable struct {
	io.Writer
	stop *atomic.Bool
}

func (w stoppable) Write(b []byte) (int, error) {
	if w.stop.Load() {
		return 0, errStopped
	}
	return w.Writer.Write(b)
}

// Load reads a search that Save wrote, in place of the last search, and returns its question.
// [Solver.Continue] resumes it, with the parameters with which it was saved unless Tune sets
// others. The error says that the input is not a saved search, has another version, is damaged, or
// holds a graph that does not fit into the memory; nothing is then loaded.
func (s *Solver) Load(r io.Reader) (Question, error) {
	sum := sha256.New()
	l := loader{s: s, in: bufio.NewReader(r), sum: sum, got: bufio.NewWriter(sum)}
	q, err := l.load()
	if err != nil {
		s.begin(Question{})
		s.root = 0
		return Question{}, err
	}
	return q, nil
}

// Continue resumes the search that Load has just read. Its result is that of [Solver.Solve].
func (s *Solver) Continue(ctx context.Context) Result {
	ctx = cmp.Or(ctx, context.Background())
	if r, ok := s.resume(); !ok {
		return r
	}
	return s.solve(ctx)
}

// loader reads the parts of a saved search.
type loader struct {
	s   *Solver
	in  *bufio.Reader
	sum hash.Hash
	got *bufio.Writer // passes bytes that were read to the sum
	err error         // the first one
}

// errDamaged is wrapped by errors that name the damage.
var errDamaged = errors.New("the saved search is damaged")

func (l *loader) load() (q Question, err error) {
	head := make([]byte, len(saveHeader))
	switch n := l.read(head); {
	case l.err != nil && !errors.Is(l.err, errDamaged):
		return q, l.err
	case string(head) != saveHeader:
		var version int
		if _, err := fmt.Sscanf(string(head[:n]), "goalproof pns %d\n", &version); err == nil {
			return q, fmt.Errorf("a saved search of version %d; this program reads version 2: start it anew", version)
		}
		return q, errors.New("this is no saved search")
	}
	q.Number = int(l.number(math.MaxInt32))
	packed, game := l.text(64), l.text(1<<24)
	var fields [7]int
	for i := range fields {
		fields[i] = int(l.number(math.MaxInt32))
	}
	nodes := l.number(math.MaxInt64)
	if l.err != nil {
		return q, l.err
	}
	if q.Position, err = arimaa.UnpackPosition(packed); err != nil {
		return q, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if len(game) > 0 {
		if q.Game, err = notation.ReadGame("saved game", string(game)); err != nil {
			return q, fmt.Errorf("%w: %w", errDamaged, err)
		}
		if q.Game.Last() != q.Position {
			return q, fmt.Errorf("%w: its game does not lead to its position", errDamaged)
		}
	}
	if q.N = fields[0]; q.N < 1 || q.N > MaxTurns {
		return q, fmt.Errorf("%w: it asks for a win in %d", errDamaged, q.N)
	}
	p := Parameters{Evaluation(fields[1]), Start(fields[2]), fields[3], fields[4], fields[5], fields[6]}
	if err := p.Check(); err != nil {
		return q, fmt.Errorf("%w: %w", errDamaged, err)
	}
	l.s.begin(q)
	l.s.parameters = p
	l.s.root = l.node(0, 0, q.Position, 0, uint8(q.N))
	l.s.nodes.Store(nodes)
	l.got.Flush() // into memory: it cannot fail
	want := l.sum.Sum(nil)
	found := make([]byte, len(want))
	if l.read(found); l.err == nil && !bytes.Equal(found, want) {
		l.fail("the checksum is wrong")
	}
	if _, err := l.in.ReadByte(); l.err == nil && err != io.EOF {
		l.fail("something follows its end")
	}
	return q, l.err
}

// fail records the first error.
func (l *loader) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%w: %s", errDamaged, fmt.Sprintf(format, args...))
	}
}

// read fills b and returns the number of bytes read.
func (l *loader) read(b []byte) int {
	if l.err != nil {
		return 0
	}
	n, err := io.ReadFull(l.in, b)
	l.got.Write(b[:n])
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		l.fail("it ends too early")
	case err != nil:
		l.err = err
	}
	return n
}

// ReadByte reads a byte, for numbers.
func (l *loader) ReadByte() (byte, error) {
	var b [1]byte
	l.read(b[:])
	return b[0], l.err
}

// number reads a number, at most limit.
func (l *loader) number(limit uint64) uint64 {
	n, err := binary.ReadUvarint(l)
	if err != nil || n > limit {
		l.fail("a number is out of range")
		return 0
	}
	return n
}

// text reads a text of at most limit bytes.
func (l *loader) text(limit uint64) []byte {
	b := make([]byte, l.number(limit))
	l.read(b)
	return b
}

// node reads a node and its subtree. p is its position, with the most steps that it can have left.
func (l *loader) node(parent ref, o arimaa.Option, p arimaa.Position, defender, turns uint8) ref {
	s := l.s
	flags, _ := l.ReadByte()
	pn, dn := l.number(Infinity), l.number(Infinity)
	children := l.number(math.MaxInt32)
	begins := o == 0
	left := int(flags & stepsLeft)
	solved := flags & (proved | disproved)
	switch {
	case l.err != nil:
		return 0
	case flags&defends != defender || left > p.StepsLeft() || begins && left != arimaa.StepsPerTurn || solved == proved|disproved:
		l.fail("a node of %v does not fit there", p)
	case (solved == 0) != (pn > 0 && dn > 0):
		l.fail("a node has the numbers %d and %d", pn, dn)
	case s.slab.live >= s.maxNodes:
		l.err = fmt.Errorf("the saved search has more than the %d nodes for which there is memory", s.maxNodes)
	}
	if l.err != nil {
		return 0
	}
	r, n := s.slab.create()
	*n = node{board: p.Board, parent: parent, turn: r, pn: uint32(pn), dn: uint32(dn), option: o, turns: turns, flags: flags}
	if !begins {
		n.turn = s.slab.at(parent).turn
	}
	if s.index.find(&s.slab, n.turn, &n.board, p.PiecesKey()) != 0 {
		l.fail("%v is twice in a turn", p)
		return 0
	}
	s.index.insert(r, n.turn, p.PiecesKey())
	p = p.WithStepsLeft(left)
	var legal []arimaa.Option
	if children > 0 {
		legal = p.Options(nil)
	}
	for link := &n.child; children > 0 && l.err == nil; children-- {
		var word [4]byte
		l.read(word[:])
		switch o := arimaa.Option(binary.LittleEndian.Uint32(word[:])); {
		case slices.Contains(legal, o):
			*link = l.node(r, o, p.After(o), defender, turns)
		case o != 0 || begins || turns == 0 && defender == 0:
			l.fail("a step is not legal at %v", p)
		case defender != 0:
			*link = l.node(r, 0, p.EndTurn(), 0, turns)
		default:
			*link = l.node(r, 0, p.EndTurn(), defends, turns-1)
		}
		if l.err == nil {
			link = &s.slab.at(*link).sibling
		}
	}
	return r
}
