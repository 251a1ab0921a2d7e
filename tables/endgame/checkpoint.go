package endgame

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"

	"goalproof/internal/files"
)

// A checkpoint is the state of the analysis of a class between two N, so that an interrupted build
// of hours continues from there. It is one zstd frame, whose checksum covers all of it:
//
//	magic   "goalproof endgame checkpoint\n"
//	header  length, uint32, little endian like all numbers; JSON, see the type checkpoint
//	state   what retrograde.state lists, in that order
//	lists   targets and escapes of either side: length, uint64; boards, uint32 each
//
// The file is written whole or not at all, and removed when the table is there.

const (
	checkpointMagic     = "goalproof endgame checkpoint\n"
	checkpointFormat    = 1
	checkpointExtension = ".checkpoint"
)

// checkpoint is the header of a checkpoint.
type checkpoint struct {
	Format int    `json:"format"`
	Rules  int    `json:"rules"` // RulesVersion
	Class  string `json:"class"`
	N      int    `json:"n"` // all wins and losses in up to this number of turns are known
}

// checkpointName returns the path of the checkpoint of a class.
func checkpointName(dir string, c Class) string {
	return filepath.Join(dir, c.String()+checkpointExtension)
}

// state lists the sets and lists that last from one N to the next.
func (r *retrograde) state() (sets []bitset, lists [][]uint8) {
	sets = append(sets, r.valid)
	for side := range 2 {
		sets = append(sets, r.start[side], r.newTargets[side], r.newFatal[side], r.escaping[side])
		sets = append(append(sets, r.reach[side][:]...), r.forced[side][:]...)
		lists = append(lists, r.values[side], r.nextWin[side], r.nextLoss[side])
	}
	return sets, lists
}

// save writes a checkpoint. The error is that of the context or names the file.
func (r *retrograde) save(path string) error {
	return files.Write(path, func(file io.Writer) error {
		packed, err := zstd.NewWriter(file, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(r.threads))
		if err != nil {
			return err
		}
		return errors.Join(r.write(packed), packed.Close())
	})
}

func (r *retrograde) write(w io.Writer) error {
	head, err := json.Marshal(checkpoint{checkpointFormat, RulesVersion, r.g.class.String(), r.n})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteString(checkpointMagic)
	put := func(n uint64, size int) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], n)
		out.Write(b[:size])
	}
	put(uint64(len(head)), 4)
	out.Write(head)
	sets, lists := r.state()
	for _, set := range sets {
		for i, word := range set {
			if i%rangeLength == 0 && r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			put(word, 8)
		}
	}
	for _, list := range lists {
		for part := range slices.Chunk(list, 1<<20) {
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			out.Write(part)
		}
	}
	for side := range 2 {
		put(uint64(len(r.targets[side])), 8)
		for _, index := range r.targets[side] {
			put(uint64(index), 4)
		}
		put(uint64(len(r.escapes[side])), 8)
		for _, e := range r.escapes[side] {
			put(uint64(e.from)|uint64(e.to)<<32, 8)
		}
	}
	return out.Flush()
}

// load reads a checkpoint of the class into an analysis that has not begun. The error wraps
// fs.ErrNotExist if there is none, ErrFile if it is damaged or one of something else, or is that of
// the context; the analysis must not be used then.
func (r *retrograde) load(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	packed, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(r.threads), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return err
	}
	defer packed.Close()
	if err := r.read(bufio.NewReaderSize(packed, 1<<16)); err != nil {
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		return fmt.Errorf("%s: %w: %w", path, ErrFile, err)
	}
	return nil
}

// read reads a checkpoint to its end, since only the end of the frame has been checked against its
// checksum.
func (r *retrograde) read(in *bufio.Reader) error {
	head, err := r.readHeader(in)
	if err != nil {
		return err
	}
	sets, lists := r.state()
	for _, set := range sets {
		if err := r.readSet(in, set); err != nil {
			return err
		}
	}
	for _, list := range lists {
		for part := range slices.Chunk(list, 1<<20) {
			if _, err := io.ReadFull(in, part); err != nil {
				return err
			}
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
		}
	}
	for side := range 2 {
		targets, escapes := &r.targets[side], &r.escapes[side]
		if err := readList(in, 4, func(n uint64) { *targets = append(*targets, uint32(n)) }); err != nil {
			return err
		}
		if err := readList(in, 8, func(n uint64) { *escapes = append(*escapes, escape{uint32(n), uint32(n >> 32)}) }); err != nil {
			return err
		}
	}
	if _, err := in.ReadByte(); err != io.EOF {
		return errors.Join(errors.New("it does not end where it should"), err)
	}
	r.n = head.N
	return nil
}

// readHeader reads the header, and checks that the checkpoint is one of this class.
func (r *retrograde) readHeader(in *bufio.Reader) (head checkpoint, err error) {
	magic := make([]byte, len(checkpointMagic))
	if _, err := io.ReadFull(in, magic); err != nil || string(magic) != checkpointMagic {
		return head, errors.Join(errors.New("it does not begin as a checkpoint"), err)
	}
	length, err := readNumber(in, 4)
	if err != nil || length > maxHeader {
		return head, errors.New("its header is damaged")
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return head, err
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return head, err
	}
	if want := (checkpoint{checkpointFormat, RulesVersion, r.g.class.String(), head.N}); head != want || head.N < 1 || head.N > MaxTurns {
		return head, fmt.Errorf("it is of class %s, format %d, rules %d, after %d turns", head.Class, head.Format, head.Rules, head.N)
	}
	return head, nil
}

func (r *retrograde) readSet(in *bufio.Reader, set bitset) (err error) {
	for i := range set {
		if i%rangeLength == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if set[i], err = readNumber(in, 8); err != nil {
			return err
		}
	}
	return nil
}

// readList reads a list of numbers of so many bytes each, after its length.
func readList(in *bufio.Reader, size int, add func(n uint64)) error {
	length, err := readNumber(in, 8)
	for ; length > 0 && err == nil; length-- {
		var n uint64
		n, err = readNumber(in, size)
		add(n)
	}
	return err
}

// readNumber reads a number of so many bytes, at most 8.
func readNumber(in *bufio.Reader, size int) (uint64, error) {
	var b [8]byte
	_, err := io.ReadFull(in, b[:size])
	return binary.LittleEndian.Uint64(b[:]), err
}
