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

// A checkpoint is the state of the analysis of a class between two N, so that an interrupted build of hours continues
// from there. It is one zstd frame, whose checksum covers all of it:
//
//	magic   "goalproof endgame checkpoint\n"
//	header  length, uint32, little endian like all numbers; JSON, see the type checkpoint
//	state   what retrograde.state lists, in that order
//	lists   held and quiet of either side: length, uint64; boards, uint32 each
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
		sets = append(sets, r.start[side], r.fresh[side], r.doomed[side], r.inQuiet[side])
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
		put(uint64(len(r.held[side])), 8)
		for _, index := range r.held[side] {
			put(uint64(index), 4)
		}
		put(uint64(len(r.quiet[side])), 8)
		for _, e := range r.quiet[side] {
			put(uint64(e.from)|uint64(e.to)<<32, 8)
		}
	}
	return out.Flush()
}

// load reads a checkpoint of the class into an analysis that has not begun. The error wraps fs.ErrNotExist if there is
// none, ErrFile if it is damaged or one of something else, or is that of the context; the analysis must not be used then.
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

func (r *retrograde) read(in *bufio.Reader) error {
	var failed error
	get := func(size int) uint64 {
		var b [8]byte
		if _, err := io.ReadFull(in, b[:size]); err != nil && failed == nil {
			failed = err
		}
		return binary.LittleEndian.Uint64(b[:])
	}
	magic := make([]byte, len(checkpointMagic))
	if _, err := io.ReadFull(in, magic); err != nil || string(magic) != checkpointMagic {
		return errors.Join(errors.New("it does not begin as a checkpoint"), err)
	}
	length := get(4)
	if failed != nil || length > maxHeader {
		return errors.New("its header is damaged")
	}
	text := make([]byte, length)
	var head checkpoint
	if _, err := io.ReadFull(in, text); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return err
	}
	if want := (checkpoint{checkpointFormat, RulesVersion, r.g.class.String(), head.N}); head != want || head.N < 1 || head.N > MaxTurns {
		return fmt.Errorf("it is of class %s, format %d, rules %d, after %d turns", head.Class, head.Format, head.Rules, head.N)
	}
	sets, lists := r.state()
	for _, set := range sets {
		for i := range set {
			if i%rangeLength == 0 && (failed != nil || r.ctx.Err() != nil) {
				return errors.Join(failed, r.ctx.Err())
			}
			set[i] = get(8)
		}
	}
	for _, list := range lists {
		for part := range slices.Chunk(list, 1<<20) {
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			if _, err := io.ReadFull(in, part); err != nil {
				return err
			}
		}
	}
	for side := range 2 {
		for n := get(8); n > 0 && failed == nil; n-- {
			r.held[side] = append(r.held[side], uint32(get(4)))
		}
		for n := get(8); n > 0 && failed == nil; n-- {
			e := get(8)
			r.quiet[side] = append(r.quiet[side], escape{uint32(e), uint32(e >> 32)})
		}
	}
	if failed != nil {
		return failed
	}
	if _, err := in.ReadByte(); err != io.EOF { // only the end of the frame has been checked against its checksum
		return errors.Join(errors.New("it does not end where it should"), err)
	}
	r.n = head.N
	return nil
}
