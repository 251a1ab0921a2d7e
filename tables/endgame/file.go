package endgame

import (
	"bytes"
	"context"
	"embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"goalproof/internal/files"
)

// A file holds the table of one class:
//
//	magic          "goalproof endgame\n"
//	header length  uint32, little endian like all numbers
//	header         JSON, see the type header
//	blocks         for each block its length in the file and its checksum, uint32 each
//	checksum       of all before, uint32
//	blocks         zstd, one after the other
//
// The values of the positions, a byte each in the order of their numbers, Gold to move and then,
// unless both sides have the same pieces, Silver to move, are cut into blocks of blockSize; the
// last one is shorter. The checksums are CRC-32C of the bytes in the file. Numbers that belong to
// no position have some value.

// header is the header of a table's file.
type header struct {
	Format    int    `json:"format"`    // of the file, formatVersion
	Rules     int    `json:"rules"`     // RulesVersion
	Class     string `json:"class"`     // its name
	Numbers   int    `json:"numbers"`   // of boards, for one side to move
	Sides     int    `json:"sides"`     // to move: 1 if the other is the same with colours exchanged
	Positions int    `json:"positions"` // mirror images are one; nobody has won
	Wins      int    `json:"wins"`      // of the side to move
	Losses    int    `json:"losses"`
	Longest   int    `json:"longest"` // win, in turns
}

// RulesVersion is the version of the rules (the end-of-turn table and the definition of a win in N)
// by which tables are made. A table of another version is refused.
const RulesVersion = 1

const (
	formatVersion = 1
	magic         = "goalproof endgame\n"
	blockSize     = 1 << 16
	maxHeader     = 1 << 12 // bytes; a header is about 200
)

// Extension ends the names of the files that hold tables: ER-r.endgame.
const Extension = ".endgame"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrFile is wrapped by the error about a file that holds no table, or a damaged one.
var ErrFile = errors.New("no sound endgame table")

// table is an open file.
type table struct {
	header
	name   string // of the file
	layout *layout
	file   io.ReaderAt
	size   int64 // of the file, in bytes
	close  func() error
	blocks []blockPlace
	loaded []atomicBlock
}

// blockPlace says where a block is in the file.
type blockPlace struct {
	offset      int64
	length, sum uint32
}

// write writes the table of a class: the values by number, those of one side to move after those of
// the other.
func write(w io.Writer, h header, values []uint8) error {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	defer encoder.Close()
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	var head, body []byte
	head = append(head, magic...)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	head = append(head, text...)
	for block := range slices.Chunk(values, blockSize) {
		start := len(body)
		body = encoder.EncodeAll(block, body)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(body)-start))
		head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(body[start:], castagnoli))
	}
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err = w.Write(body)
	return err
}

// openTable reads all of a table but its blocks. The error wraps ErrFile if something is wrong with
// what is in the file.
func openTable(name string, file io.ReaderAt, size int64) (*table, error) {
	bad := func(format string, args ...any) (*table, error) {
		return nil, fmt.Errorf("%s: %w: %s", name, ErrFile, fmt.Sprintf(format, args...))
	}
	in := io.NewSectionReader(file, 0, size)
	read := func(n int) ([]byte, error) {
		data := make([]byte, n)
		_, err := io.ReadFull(in, data)
		return data, err
	}
	head, err := read(len(magic) + 4)
	if err == nil && string(head[:len(magic)]) != magic || err == io.EOF || err == io.ErrUnexpectedEOF {
		return bad("it does not begin as one")
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	length := binary.LittleEndian.Uint32(head[len(magic):])
	if length > maxHeader {
		return bad("its header is damaged")
	}
	text, err := read(int(length))
	if err != nil {
		return bad("it ends in its header")
	}
	t := &table{name: name, file: file, size: size}
	if err := json.Unmarshal(text, &t.header); err != nil {
		return bad("its header is damaged: %v", err)
	}
	if t.Format != formatVersion {
		return bad("its format is version %d, and this program reads %d: build it again", t.Format, formatVersion)
	}
	if t.Rules != RulesVersion {
		return bad("it was made by version %d of the rules, and these are %d: build it again", t.Rules, RulesVersion)
	}
	class, err := ParseClass(t.Class)
	if err != nil || class.String() != t.Class {
		return bad("%q is no class", t.Class)
	}
	t.layout = newLayout(class)
	if t.Numbers != t.layout.size || t.Sides != t.layout.sides {
		return bad("%v has %d numbers for %d sides, not %d for %d", class, t.layout.size, t.layout.sides, t.Numbers, t.Sides)
	}
	n := (t.Numbers*t.Sides + blockSize - 1) / blockSize
	places, err := read(8*n + 4)
	if err != nil {
		return bad("it ends in its list of blocks")
	}
	if sum := crc32.Checksum(slices.Concat(head, text, places[:8*n]), castagnoli); sum != binary.LittleEndian.Uint32(places[8*n:]) {
		return bad("the checksum of its header is wrong")
	}
	offset := int64(len(head) + len(text) + len(places))
	for i := range n {
		p := blockPlace{offset, binary.LittleEndian.Uint32(places[8*i:]), binary.LittleEndian.Uint32(places[8*i+4:])}
		t.blocks = append(t.blocks, p)
		offset += int64(p.length)
	}
	if offset != size {
		return bad("it has %d bytes, and should have %d", size, offset)
	}
	t.loaded = make([]atomicBlock, n)
	return t, nil
}

var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(blockSize), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // the options are wrong
	}
	return d
}}

// read reads and checks a block.
func (t *table) read(i int) ([]uint8, error) {
	p := t.blocks[i]
	packed := make([]byte, p.length)
	if _, err := t.file.ReadAt(packed, p.offset); err != nil {
		return nil, fmt.Errorf("%s: block %d: %w", t.name, i, err)
	}
	if crc32.Checksum(packed, castagnoli) != p.sum {
		return nil, fmt.Errorf("%s: %w: the checksum of block %d is wrong", t.name, ErrFile, i)
	}
	want := min(blockSize, t.Numbers*t.Sides-i*blockSize)
	d := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(d)
	data, err := d.DecodeAll(packed, make([]uint8, 0, want))
	if err == nil && len(data) != want {
		err = fmt.Errorf("it holds %d values, not %d", len(data), want)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: block %d: %v", t.name, ErrFile, i, err)
	}
	return data, nil
}

// all reads the values of all numbers, of one side to move after those of the other.
func (t *table) all(ctx context.Context) ([]uint8, error) {
	data := make([]uint8, 0, t.Numbers*t.Sides)
	for i := range t.blocks {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		block, err := t.read(i)
		if err != nil {
			return nil, err
		}
		data = append(data, block...)
	}
	return data, nil
}

// openFile opens the table in a file, which must be named after its class.
func openFile(path string) (*table, error) {
	t, err := openAny(path)
	if err == nil && filepath.Base(path) != t.Class+Extension {
		err = errors.Join(fmt.Errorf("%s: %w: it is the table of %s, and its name should say so", path, ErrFile, t.Class), t.close())
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// openAny opens the table in a file.
func openAny(path string) (*table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	var t *table
	if err == nil {
		t, err = openTable(path, file, info.Size())
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	t.close = file.Close
	return t, nil
}

// writeFile writes the table of a class into a directory.
func writeFile(dir string, h header, values []uint8) error {
	return files.Write(filepath.Join(dir, h.Class+Extension), func(w io.Writer) error { return write(w, h, values) })
}

//go:embed embedded
var embedded embed.FS

// openEmbedded opens a table that is part of the program. The error wraps fs.ErrNotExist if there
// is none.
func openEmbedded(c Class) (*table, error) {
	name := c.String() + Extension
	data, err := embedded.ReadFile("embedded/" + name)
	if err != nil {
		return nil, err
	}
	t, err := openTable(name, bytes.NewReader(data), int64(len(data)))
	if err == nil {
		t.close = func() error { return nil }
	}
	return t, err
}

// fileName returns the name of the file for a class.
func fileName(dir string, c Class) string { return filepath.Join(dir, c.String()+Extension) }

// tableFiles lists the files of a directory that are tables by their names. A directory that is not
// there has none.
func tableFiles(dir string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), Extension) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}
