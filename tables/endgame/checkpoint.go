package endgame

import (
	"bufio"
	"cmp"
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
	out := bufio.NewWriterSize(w, 1<<16) // which keeps its first error
	put := func(data any) error { return binary.Write(out, binary.LittleEndian, data) }
	out.WriteString(checkpointMagic)
	put(uint32(len(head)))
	out.Write(head)
	if err := r.eachPart(put); err != nil {
		return err
	}
	for side := range 2 {
		put(uint64(len(r.targets[side])))
		put(r.targets[side])
		put(uint64(len(r.escapes[side])))
		for _, e := range r.escapes[side] {
			put([]uint32{e.from, e.to})
		}
	}
	return out.Flush()
}

// eachPart calls do with every part of the state, a slice of numbers, until the context is done.
func (r *retrograde) eachPart(do func(part any) error) error {
	sets, lists := r.state()
	for _, set := range sets {
		for part := range slices.Chunk(set, 1<<16) {
			if err := cmp.Or(r.ctx.Err(), do([]uint64(part))); err != nil {
				return err
			}
		}
	}
	for _, list := range lists {
		for part := range slices.Chunk(list, 1<<20) {
			if err := cmp.Or(r.ctx.Err(), do(part)); err != nil {
				return err
			}
		}
	}
	return nil
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
	if err := r.eachPart(func(part any) error { return binary.Read(in, binary.LittleEndian, part) }); err != nil {
		return err
	}
	for side := range 2 {
		if r.targets[side], err = readList(in, 1); err != nil {
			return err
		}
		ends, err := readList(in, 2)
		if err != nil {
			return err
		}
		for e := range slices.Chunk(ends, 2) {
			r.escapes[side] = append(r.escapes[side], escape{e[0], e[1]})
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
	var length uint32
	if err := binary.Read(in, binary.LittleEndian, &length); err != nil || length > maxHeader {
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

// readList reads the length of a list and its numbers, so many for each element.
func readList(in *bufio.Reader, each uint64) (list []uint32, err error) {
	var length uint64
	err = binary.Read(in, binary.LittleEndian, &length)
	for left := length * each; left > 0 && err == nil; left -= min(left, 1<<16) {
		part := make([]uint32, min(left, 1<<16))
		err = binary.Read(in, binary.LittleEndian, part)
		list = append(list, part...)
	}
	return list, err
}
