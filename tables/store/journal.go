package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
)

// journal is the file that records are appended to, several of them at once:
//
//	magic, 8 bytes | number, 8 | CRC-32C, 4 | mark, 8 | CRC-32C of number and mark, 4
//	length, 4 bytes | CRC-32C of number, offset and payload, 4 | payload
//	...
//
// The payload is records, one after the other, or empty: then the journal ends, and the next one continues it.
//
//	length of the name, 1 byte | length of the value, 2 | name | value
//
// The mark tells up to where the journal is durable. It is written in place after each sync and need not be durable
// itself: an older one, or one that was half written, asks for less.
type journal struct {
	file   *os.File
	number int
	size   int64 // bytes
	marked int64
}

const (
	journalExt   = ".journal"
	journalMagic = "goalprf\n"
	markAt       = 20 // the magic, the number and its checksum
	firstAt      = markAt + 12
	frameSize    = 8
)

func journalName(number int) string { return fmt.Sprintf("%06d%s", number, journalExt) }

// journalSum is a checksum over the number of a journal, a place in it, and data.
func journalSum(number int, at int64, data []byte) uint32 {
	var where [16]byte
	binary.LittleEndian.PutUint64(where[:], uint64(number))
	binary.LittleEndian.PutUint64(where[8:], uint64(at))
	return crc32.Update(crc32.Checksum(where[:], castagnoli), castagnoli, data)
}

// journalHead is the first bytes of a journal, without the mark.
func journalHead(number int) []byte {
	head := binary.LittleEndian.AppendUint64([]byte(journalMagic), uint64(number))
	return binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
}

// journalMark is a mark.
func journalMark(number int, upTo int64) []byte {
	mark := binary.LittleEndian.AppendUint64(nil, uint64(upTo))
	return binary.LittleEndian.AppendUint32(mark, journalSum(number, upTo, nil))
}

// createJournal makes an empty journal, durably.
func createJournal(dir string, number int) (*journal, error) {
	path := filepath.Join(dir, journalName(number))
	if _, err := writeFile(path, append(journalHead(number), journalMark(number, firstAt)...)); err != nil {
		return nil, err
	}
	if err := syncFile(dir); err != nil {
		return nil, err
	}
	return openJournal(dir, number, firstAt)
}

// openJournal opens a journal for writing, and cuts off an incomplete record.
func openJournal(dir string, number int, size int64) (*journal, error) {
	f, err := os.OpenFile(filepath.Join(dir, journalName(number)), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(size); err != nil {
		f.Close()
		return nil, err
	}
	return &journal{file: f, number: number, size: size}, nil
}

// startFrame begins a frame for append.
func startFrame(b []byte) []byte { return append(b[:0], make([]byte, frameSize)...) }

// addRecord adds a record to a frame.
func addRecord(frame, name, value []byte) []byte {
	frame = append(frame, byte(len(name)), byte(len(value)), byte(len(value)>>8))
	return append(append(frame, name...), value...)
}

// eachRecord calls do with the records of a payload. It tells whether they fill it.
func eachRecord(payload []byte, do func(name, value []byte)) bool {
	for len(payload) > 0 {
		if len(payload) < 3 {
			return false
		}
		name, value := int(payload[0]), int(payload[1])|int(payload[2])<<8
		payload = payload[3:]
		if len(payload) < name+value {
			return false
		}
		do(payload[:name], payload[name:name+value])
		payload = payload[name+value:]
	}
	return true
}

// append writes a frame: from then on it survives the process, and from the next sync on a power cut. After an error the
// journal is as before.
func (j *journal) append(frame []byte) error {
	binary.LittleEndian.PutUint32(frame, uint32(len(frame)-frameSize))
	binary.LittleEndian.PutUint32(frame[4:], journalSum(j.number, j.size, frame[frameSize:]))
	if _, err := j.file.WriteAt(frame, j.size); err != nil {
		return errors.Join(err, j.file.Truncate(j.size))
	}
	j.size += int64(len(frame))
	return nil
}

// sync makes all frames durable.
func (j *journal) sync() error {
	if j.marked == j.size {
		return nil
	}
	if err := j.file.Sync(); err != nil {
		return err
	}
	_, err := j.file.WriteAt(journalMark(j.number, j.size), markAt)
	if err == nil {
		j.marked = j.size
	}
	return err
}

// replayed is the content of a journal.
type replayed struct {
	number int
	size   int64 // up to the first frame that is not whole
	mark   int64 // of what was durable, or 0
	ended  bool  // the next journal continues it
}

// replay reads a journal and calls do with each record.
func replay(dir string, number int, data []byte, do func(name, value []byte)) (replayed, error) {
	r := replayed{number: number, size: firstAt}
	if len(data) < firstAt || !bytes.Equal(data[:markAt], journalHead(number)) {
		return r, damaged(dir, journalName(number), "its first bytes are wrong")
	}
	for !r.ended && int64(len(data))-r.size >= frameSize {
		frame := data[r.size:]
		length := binary.LittleEndian.Uint32(frame)
		if int64(length) > int64(len(frame)-frameSize) {
			break
		}
		payload := frame[frameSize : frameSize+int(length)]
		if journalSum(number, r.size, payload) != binary.LittleEndian.Uint32(frame[4:]) || !eachRecord(payload, do) {
			break
		}
		r.size += int64(frameSize + len(payload))
		r.ended = len(payload) == 0
	}
	if mark := int64(binary.LittleEndian.Uint64(data[markAt:])); bytes.Equal(data[markAt:firstAt], journalMark(number, mark)) {
		r.mark = mark
	}
	return r, nil
}

// replay reads the journals of a store. The error may be ErrDamaged, or ErrLost.
func (s *Store) replay() (lost error) {
	closed := s.header.State == stateClosed
	for i := 0; !closed || i < len(s.header.Journals); i++ {
		number := s.header.Journal + i
		name := journalName(number)
		data, err := readRegular(filepath.Join(s.dir, name))
		last := !closed && i > 0 && !s.replayed[i-1].ended // and the next one, if it is there, may be unfinished
		if errors.Is(err, fs.ErrNotExist) && last {
			break
		}
		if err != nil {
			return unreadable(s.dir, name, err)
		}
		if closed {
			if err := s.header.Journals[i].check(s.dir, data); err != nil {
				return err
			}
		}
		r, err := replay(s.dir, number, data, s.recall)
		if err != nil && last {
			break
		}
		if err != nil {
			return err
		}
		s.replayed = append(s.replayed, r)
		if r.mark > r.size {
			lost = fmt.Errorf("store %s %w: %s was damaged after the program that wrote it was ended; take a copy of the directory "+
				"from before, or open it for writing again to go on with what is left", s.dir, ErrLost, filepath.Join(s.dir, name))
		}
	}
	return lost
}

// settle makes what there is of a journal durable, since it may become known to somebody, and marks it.
func settle(path string, r replayed) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return err
	}
	_, err = f.WriteAt(journalMark(r.number, r.size), markAt)
	return err
}
