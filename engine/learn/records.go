package learn

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"goalproof/arimaa"
)

// Game is a game with the scores of a search.
type Game struct {
	Start  arimaa.Position
	Turns  []Scored
	Winner arimaa.Side
}

// Scored is a turn that was played, with the score of the position before it.
type Scored struct {
	Code  uint32 // of the turn (arimaa.Turn.Code)
	Score int16  // centi-rabbits for the side to move, or NoScore
}

// NoScore stands for the score of a position that was not searched.
const NoScore = math.MinInt16

// All calls yield with each position of the game before a turn, and its score.
func (g *Game) All(yield func(p *arimaa.Position, score int16) bool) {
	p := g.Start
	for _, t := range g.Turns {
		if !yield(&p, t.Score) {
			return
		}
		_, p, _ = p.Decode(t.Code)
	}
}

// Records are games on disk. The file begins with two lines of text, the version of the format and
// a description of how the games came to be. A record for each game follows:
//
//	bytes 0..3   length n of the payload, little-endian like all numbers
//	4..n+3       payload
//	n+4..n+7     CRC-32 of the payload (Castagnoli)
//
// and a payload is
//
//	byte 0       winner: 0 for Gold, 1 for Silver
//	byte 1       length m of the first position
//	2..m+1       first position (arimaa.Position.AppendPacked)
//	then for each turn six bytes: its code, and the score of the position before it
//
// A record is written at once. What an interruption leaves of the last one is cut off when the file
// is opened again.
type Records struct {
	file  *os.File
	games int
}

const version = "goalproof games 1\n"

// castagnoli is the polynomial of the checksums.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maxPayload bounds a payload, so that a damaged length is not taken for one.
const maxPayload = 1 << 16

// OpenRecords opens a file of games to append to, and creates it if necessary. The description is a
// line of text. Possible errors include that the file holds games of another description, and that
// a record before the last one is damaged.
func OpenRecords(name, description string) (*Records, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	r := &Records{file: f}
	if err := r.load(name, description); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// load finds the end of the last complete record, or begins the file.
func (r *Records) load(name, description string) error {
	head := []byte(version + description + "\n")
	begun := make([]byte, len(head))
	n, err := io.ReadFull(r.file, begun)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	end := int64(len(head))
	switch {
	case n < len(head) && bytes.HasPrefix(head, begun[:n]): // empty, or an incomplete header
		if _, err := r.file.WriteAt(head, 0); err != nil {
			return err
		}
	case !bytes.Equal(begun, head):
		return fmt.Errorf("%s does not hold games of %q", name, description)
	default:
		in := bufio.NewReaderSize(r.file, 1<<16)
		for {
			g, err := readRecord(in)
			if err == io.EOF || err == errTorn {
				break
			} else if err != nil {
				return fmt.Errorf("%s: game %d: %w", name, r.games+1, err)
			}
			r.games++
			end += int64(8 + len(g))
		}
	}
	if _, err := r.file.Seek(end, io.SeekStart); err != nil {
		return err
	}
	return r.file.Truncate(end)
}

// Games returns the number of games.
func (r *Records) Games() int { return r.games }

// Add appends a game.
func (r *Records) Add(g *Game) error {
	data := g.Append([]byte{0, 0, 0, 0})
	binary.LittleEndian.PutUint32(data, uint32(len(data)-4))
	data = binary.LittleEndian.AppendUint32(data, crc32.Checksum(data[4:], castagnoli))
	if _, err := r.file.Write(data); err != nil {
		return err
	}
	r.games++
	return nil
}

// Append appends the payload of a game.
func (g *Game) Append(data []byte) []byte {
	packed := g.Start.AppendPacked(nil)
	data = append(data, byte(g.Winner), byte(len(packed)))
	data = append(data, packed...)
	for _, t := range g.Turns {
		data = binary.LittleEndian.AppendUint32(data, t.Code)
		data = binary.LittleEndian.AppendUint16(data, uint16(t.Score))
	}
	return data
}

// Close closes the file.
func (r *Records) Close() error { return r.file.Close() }

// errTorn says that a file ends within a record.
var errTorn = errors.New("the file ends within a record")

// readRecord returns the payload of the next record. The error is io.EOF at the end of the file,
// errTorn within a record.
func readRecord(in *bufio.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(in, size[:]); err == io.ErrUnexpectedEOF {
		return nil, errTorn
	} else if err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxPayload {
		return nil, fmt.Errorf("a record of %d bytes, more than %d", n, maxPayload)
	}
	data := make([]byte, n+4)
	if _, err := io.ReadFull(in, data); err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, errTorn
	} else if err != nil {
		return nil, err
	}
	if crc32.Checksum(data[:n], castagnoli) != binary.LittleEndian.Uint32(data[n:]) {
		if _, err := in.Peek(1); err == io.EOF {
			return nil, errTorn
		}
		return nil, errors.New("the checksum is wrong")
	}
	return data[:n], nil
}

// Read calls add with the games of a file, at most so many. The error names the file, and the game
// that cannot be read. An incomplete record at the end is ignored.
func Read(name string, most int, add func(*Game) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	for i := range 2 {
		line, err := in.ReadSlice('\n')
		if err != nil || i == 0 && string(line) != version {
			return fmt.Errorf("%s is no file of games, or one of another version", name)
		}
	}
	for n := 1; n <= most; n++ {
		data, err := readRecord(in)
		if err == io.EOF || err == errTorn {
			return nil
		}
		var g *Game
		if err == nil {
			g, err = ParseGame(data)
		}
		if err != nil {
			return fmt.Errorf("%s: game %d: %w", name, n, err)
		}
		if err := add(g); err != nil {
			return err
		}
	}
	return nil
}

var errNoGame = errors.New("the record is not that of a game")

// ParseGame reads a payload, and checks that every turn is legal.
func ParseGame(data []byte) (*Game, error) {
	if len(data) < 2 || data[0] > 1 {
		return nil, errNoGame
	}
	turns := 2 + int(data[1]) // where they begin
	if len(data) < turns || (len(data)-turns)%6 != 0 {
		return nil, errNoGame
	}
	start, err := arimaa.UnpackPosition(data[2:turns])
	if err != nil {
		return nil, err
	}
	g := &Game{Start: start, Winner: arimaa.Side(data[0])}
	p := start
	for data = data[turns:]; len(data) > 0; data = data[6:] {
		t := Scored{binary.LittleEndian.Uint32(data), int16(binary.LittleEndian.Uint16(data[4:]))}
		g.Turns = append(g.Turns, t)
		ok := false
		if _, p, ok = p.Decode(t.Code); !ok {
			return nil, fmt.Errorf("turn %d is illegal", len(g.Turns))
		}
	}
	return g, nil
}
