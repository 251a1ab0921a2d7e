package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/internal/printable"
)

// Records are the games of a match on disk: a directory with games.tsv, an archive in the format of
// the game room with a row for each game, and each game as a list of turns, 0001.txt and so on. A
// match continues from the archive. A row is written at once; an incomplete one at the end is
// ignored.
//
// The first line of the archive is a comment that describes the schedule, so that no other match is
// appended. Open records lock the directory.
type Records struct {
	dir      string
	lock     *os.File // the lock of the directory
	file     *os.File
	names    []string // of the players
	control  string
	rows     int
	standing Standing
}

const archive = "games.tsv"

const columns = "id\twusername\tbusername\ttimecontrol\tresult\ttermination\tplycount\tcomment\tmovelist\n"

// OpenRecords opens the records in a directory, and creates it if necessary. The schedule is a line
// of text that must not have changed since the records were begun. Players with the same name get
// the suffixes A, B and so on. Possible errors include that another process has the records open,
// and that they belong to another match.
func OpenRecords(dir, schedule string, names []string, control string) (*Records, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	lock, err := files.LockDir(dir, false)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, archive)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		lock.Close()
		return nil, err
	}
	r := &Records{dir: dir, lock: lock, file: f, control: cell(control), names: distinct(names)}
	if err := r.load(path, "# match: "+cell(schedule)+"\n"); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// distinct returns names as cells of a table, with a letter after those that occur more than once.
func distinct(names []string) (cells []string) {
	times := map[string]int{}
	for _, name := range names {
		times[cell(name)]++
	}
	for i, name := range names {
		if times[cell(name)] > 1 {
			name += " " + string(rune('A'+i))
		}
		cells = append(cells, cell(name))
	}
	return cells
}

// load reads the archive up to its last complete row, or begins a new one.
func (r *Records) load(path, first string) error {
	text, err := io.ReadAll(r.file)
	if err != nil {
		return err
	}
	if head := first + columns; strings.HasPrefix(head, string(text)) { // empty, or an incomplete header
		_, err := r.file.WriteAt([]byte(head), 0)
		return errors.Join(err, r.truncate(len(head)))
	}
	if was, _, _ := bytes.Cut(text, []byte("\n")); string(was)+"\n" != first {
		return fmt.Errorf("%s holds another match:\n%s\nand not\n%s", path, was, strings.TrimSuffix(first, "\n"))
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	rows, err := notation.ReadArchive(path, string(text))
	if err != nil {
		return err
	}
	for i, row := range rows {
		side := strings.Index("wb", row.Result)
		if row.ID != fmt.Sprint(i+1) || len(row.Result) != 1 || side < 0 {
			return fmt.Errorf("%s: row %q: it is not game %d with a result", path, row.ID, i+1)
		}
		g, err := row.Game()
		if err != nil {
			return err
		}
		p := newPlayed(len(r.names), i, Result{Game: g, Winner: arimaa.Side(side)})
		r.standing.add(&p)
	}
	r.rows = len(rows)
	return r.truncate(len(text))
}

// truncate cuts the archive to a length, from which writing continues.
func (r *Records) truncate(length int) error {
	_, err := r.file.Seek(int64(length), io.SeekStart)
	return errors.Join(err, r.file.Truncate(int64(length)))
}

// Standing returns the standing after the recorded games, from which Match.Run continues.
func (r *Records) Standing() *Standing { return &r.standing }

// Add appends a game, which must be the next one.
func (r *Records) Add(p Played) error {
	if p.Number != r.rows {
		return fmt.Errorf("game %d is not the next one", p.Number)
	}
	turns := text(p.Result)
	path := filepath.Join(r.dir, fmt.Sprintf("%04d.txt", p.Number+1))
	if err := os.WriteFile(path, []byte(turns), 0o666); err != nil {
		return err
	}
	row := []string{
		fmt.Sprint(p.Number + 1), r.names[p.Seats[arimaa.Gold]], r.names[p.Seats[arimaa.Silver]], r.control,
		"wb"[p.Result.Winner : p.Result.Winner+1], p.Ending.Letter(), fmt.Sprint(lastTurn(p.Result)),
		cell(p.How()),
		strings.ReplaceAll(strings.TrimSuffix(turns, "\n"), "\n", `\n`),
	}
	if _, err := r.file.WriteString(strings.Join(row, "\t") + "\n"); err != nil {
		return err
	}
	r.rows++
	return nil
}

// Close closes the records.
func (r *Records) Close() error { return errors.Join(r.file.Close(), r.lock.Close()) }

// lastTurn returns the number of the last turn as the game room counts: a turn of each side has the
// same number, the setup is turn 1, and a resignation is a turn.
func lastTurn(r Result) int {
	last, next := r.Game.Last(), r.Game.Number(r.Game.Len())
	if last.Side() == arimaa.Gold && r.Ending != Resignation {
		return next - 1
	}
	return next
}

// text returns a game as a list of turns, which says if the side to move has lost off the board.
func text(r Result) string {
	game := r.Game.At(r.Game.Len())
	last := game.Last()
	switch {
	case r.Winner == last.Side() || r.Ending == Score || game.Outcome().Over():
	case r.Ending == Resignation:
		game.SetEnd("resigns")
	default:
		game.SetEnd("lost")
	}
	return notation.Turns(game)
}

// cell replaces the white space of a text by single blanks, for a column, and makes it printable.
func cell(text string) string { return printable.Text(strings.Join(strings.Fields(text), " ")) }
