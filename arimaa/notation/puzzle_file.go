package notation

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"goalproof/arimaa"
)

// A puzzle file of the client 4steps has records without a header:
//
//	bytes 0 to 31   the board, two squares each, a1 and b1 first: the low half, then the high half. 15 is an empty
//	                square, otherwise 2 x kind + side (kind: rabbit 0 ... elephant 5; side: gold 0, silver 1)
//	bytes 32 to 35  the solution, one step each: the square + 64 x direction (south, west, east, north from 0);
//	                0, which is a1 to the south, ends a shorter turn
//
// Gold is always to move. What 4steps refuses is an error here, too: a rabbit on its goal rank, a
// side without rabbits, more pieces than a full army has, an undefended piece on a trap, a solution
// that is no legal turn.
const puzzleRecord = 36

// isPuzzleFile reports whether the file begins with a puzzle of 4steps, which it does not take. No
// text does: at least 32 squares of a board are empty, so that 32 of the 64 halves of bytes would
// have to be 15, the others few of a kind; a text has a letter with a high half of 15 at every
// fourth byte at most, and the low halves do not suffice.
func (l *Lines) isPuzzleFile() bool {
	record, _ := l.in.Peek(puzzleRecord)
	if len(record) < puzzleRecord {
		return false
	}
	empty, text := 0, true
	for _, b := range record[:32] {
		for _, half := range [2]byte{b & 15, b >> 4} {
			if half > 11 && half < 15 {
				return false
			}
			if half == 15 {
				empty++
			}
		}
		text = text && b >= ' ' && b < 0x7f
	}
	return empty >= 32 && !text
}

// puzzleFile reads the puzzles of a file of 4steps. In place of a line they have their number.
func (l *Lines) puzzleFile(yield func(Entry, error) bool) {
	for {
		var record [puzzleRecord]byte
		n, err := io.ReadFull(l.in, record[:])
		if err == io.EOF {
			return
		}
		l.number++
		l.begin, l.end = l.end, l.end+int64(n)
		var e Entry
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			err = l.fail(l.number, "the file of puzzles breaks off: the last has %d bytes, not %d", n, puzzleRecord)
		case err != nil:
			yield(Entry{}, err)
			return
		default:
			if e, err = parsePuzzle(record); err != nil {
				err = l.fail(l.number, "puzzle %d: %v", l.number, err)
			} else {
				e.Line, e.Position.Line = l.number, l.number
			}
		}
		if !yield(e, err) || n < puzzleRecord {
			return
		}
	}
}

// parsePuzzle reads a record.
func parsePuzzle(record [puzzleRecord]byte) (Entry, error) {
	var b arimaa.Board
	for i := range 64 {
		half := record[i/2] >> (4 * (i % 2)) & 15
		switch {
		case half == 15:
		case half > 11:
			return Entry{}, fmt.Errorf("%d stands for no piece, on %v", half, arimaa.Square(i))
		default:
			b.Put(arimaa.Square(i), arimaa.NewPiece(arimaa.Side(half%2), arimaa.Rabbit+arimaa.Kind(half/2)))
		}
	}
	p := arimaa.NewPosition(b, arimaa.Gold)
	if err := p.Unusual(); err != nil {
		return Entry{}, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	t, err := parseSolution(p, record[32:])
	if err != nil {
		return Entry{}, err
	}
	return Entry{Line: 1, Position: &Diagram{Position: p, Number: arimaa.FirstTurn}, Solution: p.Notation(t)}, nil
}

// parseSolution reads the steps of a record.
func parseSolution(p arimaa.Position, steps []byte) (t arimaa.Turn, err error) {
	s := arimaa.NewState(p)
	for i, step := range steps {
		if step == 0 {
			if i == 0 {
				return t, errors.New("there is no solution")
			}
			if strings.Trim(string(steps[i:]), "\x00") != "" {
				return t, errors.New("a step follows the end of the solution")
			}
			break
		}
		from := arimaa.Square(step % 64)
		piece := s.Board.At(from)
		if piece == arimaa.Empty {
			return t, fmt.Errorf("the solution moves from the empty square %v", from)
		}
		d := [4]arimaa.Direction{arimaa.South, arimaa.West, arimaa.East, arimaa.North}[step/64]
		if _, ok := from.Next(d); !ok {
			return t, fmt.Errorf("the solution leaves the board on %v", from)
		}
		move := arimaa.NewStep(piece, from, d)
		if _, err := s.Play(move); err != nil {
			return t, fmt.Errorf("the solution: %w", err)
		}
		t = t.With(move)
	}
	if err := s.MayEnd(); err != nil {
		return t, fmt.Errorf("the solution: %w", err)
	}
	return t, nil
}
