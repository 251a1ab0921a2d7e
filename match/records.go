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
	"goalproof/internal/lock"
)

// Records are the games of a match on disk: a directory with an archive as the game room's,
// games.tsv, a row for each game, and each game as a list of turns, 0001.txt and so on. The archive
// is what counts when a match goes on; a row is written at once, and one that was not written to
// its end is as if it were not there.
//
// The first line of the archive is a comment that describes the schedule of games, so that another
// match is not added to it. Open records keep other processes out of the directory.
type Records struct {
	dir      string
	lock     *os.File // of the directory
	file     *os.File
	names    [2]string // of the players
	control  string
	rows     int
	standing Standing
}

const archive = "games.tsv"

const columns = "id\twusername\tbusername\ttimecontrol\tresult\ttermination\tplycount\tcomment\tmovelist\n"

// OpenRecords opens the records in a directory, which is made unless it is there. The schedule is
// what must not have changed since they were begun: a line of text. Players of one name are A and B
// behind it. The error says, among others, that another process has the records open, or that they
// are of another match.
func OpenRecords(dir, schedule string, names [2]string, control string) (*Records, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	held, err := lock.Dir(dir, false)
	if errors.Is(err, lock.ErrInUse) {
		return nil, fmt.Errorf("%s is %w by another process", dir, err)
	} else if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, archive)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		held.Close()
		return nil, err
	}
	r := &Records{dir: dir, lock: held, file: f, control: cell(control), names: [2]string{cell(names[0]), cell(names[1])}}
	if r.names[0] == r.names[1] {
		r.names = [2]string{cell(names[0] + " A"), cell(names[1] + " B")}
	}
	if err := r.load(path, "# match: "+cell(schedule)+"\n"); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// load reads the archive up to its last complete row, or begins it.
func (r *Records) load(path, first string) error {
	text, err := io.ReadAll(r.file)
	if err != nil {
		return err
	}
	if head := first + columns; strings.HasPrefix(head, string(text)) { // nothing, or it ended while this was written
		_, err := r.file.WriteAt([]byte(head), 0)
		return errors.Join(err, r.end(len(head)))
	}
	if was, _, _ := bytes.Cut(text, []byte("\n")); string(was)+"\n" != first {
		return fmt.Errorf("%s holds another match:\n%s\nand not\n%s", path, was, strings.TrimSuffix(first, "\n"))
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	rows, err := arimaa.ReadArchive(path, string(text))
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
		r.standing.add(&Played{Number: i, Result: Result{Game: g, Winner: arimaa.Side(side)}})
	}
	r.rows = len(rows)
	return r.end(len(text))
}

// end makes the archive end after so many bytes, where it is written on.
func (r *Records) end(length int) error {
	_, err := r.file.Seek(int64(length), io.SeekStart)
	return errors.Join(err, r.file.Truncate(int64(length)))
}

// Standing returns what the games recorded earlier have come to, for Match.Run to go on from.
func (r *Records) Standing() *Standing { return &r.standing }

// Add adds a game, which must be the next one.
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
		fmt.Sprint(p.Number + 1), r.names[PlayerOf(p.Number, arimaa.Gold)], r.names[PlayerOf(p.Number, arimaa.Silver)], r.control,
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

// lastTurn returns the number of the last turn, as the game room counts them: both sides' turns have
// the same numbers, the setup is turn 1, and to resign is a turn.
func lastTurn(r Result) int {
	next := r.Game.Diagram(r.Game.Len())
	if next.Position.Side() == arimaa.Gold && r.Ending != Resignation {
		return next.Number - 1
	}
	return next.Number
}

// text returns a game as a list of turns. Where the side to move has lost otherwise than on the
// board, the record says so.
func text(r Result) string {
	turns := r.Game.Turns()
	last := r.Game.Last()
	switch {
	case r.Winner == last.Side() || r.Ending == Score || r.Game.Outcome().Over():
		return turns
	case r.Ending == Resignation:
		return strings.TrimSuffix(turns, "\n") + " resigns\n"
	}
	return strings.TrimSuffix(turns, "\n") + " lost\n"
}

// cell makes a text fit for a column.
func cell(text string) string { return strings.Join(strings.Fields(text), " ") }
