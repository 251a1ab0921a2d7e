// Package mined is what commands that mine puzzles do alike: the usual limit, the counts, the rows
// of the table and the objects in JSON.
package mined

import (
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/solve/report"
)

// UsualNodes suffices to decide nearly all positions of games and to list their solutions.
const UsualNodes = 500_000

// Tally counts positions in which puzzles were looked for.
type Tally struct {
	Start time.Time // when it began

	t                 cli.Terminal
	screen            *cli.Screen // nil: what was not decided is counted alone
	looked, undecided int
	wins              []int // positions with a win in so many turns
}

// NewTally begins to count, where wins in winIn turns are looked for. With a screen each position that
// was not decided is reported.
func NewTally(t cli.Terminal, screen *cli.Screen, winIn int) Tally {
	return Tally{t: t, screen: screen, Start: time.Now(), wins: make([]int, winIn+1)}
}

// Look counts a position, and may report on standard error that it was not decided.
func (c *Tally) Look(name string, j *puzzles.Judgement) {
	c.looked++
	c.wins[j.Least]++
	if j.Verdict == answer.Unknown {
		c.undecided++
		if c.screen == nil {
			return
		}
		what := "not decided"
		if j.Least > 0 {
			what = fmt.Sprintf("a win in %d, and its solutions were not all listed", j.Least)
		}
		c.screen.Print(func() { fmt.Fprintf(c.t.Err, "%s: %s: %v\n", name, what, j.Stop) })
	}
}

// Summary returns the counts of positions and games, and of puzzles: all, those with a single
// winning turn, and their ideas.
func (c *Tally) Summary(games, found, single, ideas int) string {
	took := time.Since(c.Start)
	text := fmt.Sprintf("%s of %s in %s (%s a second)", printable.Amount(c.looked, "position"), printable.Amount(games, "game"), cli.Took(took),
		humanize.Comma(int64(float64(c.looked)/max(took.Seconds(), 1e-9))))
	for n := 1; n < len(c.wins); n++ {
		text += fmt.Sprintf("; %s in %d", printable.Amount(c.wins[n], "win"), n)
	}
	return text + fmt.Sprintf("; %s (%d with a single winning turn) of %s; %d not decided",
		printable.Amount(found, "puzzle"), single, printable.Amount(ideas, "idea"), c.undecided)
}

// Writer writes puzzles as a table, or as lines of JSON.
type Writer struct {
	JSON   bool
	headed bool // the header of the table is written
}

// Row writes a puzzle under a name, in the table or as the JSON object.
func (w *Writer) Row(out io.Writer, name string, m *puzzles.Mined, object any) (err error) {
	if w.JSON {
		return report.WriteJSON(out, object)
	}
	if !w.headed {
		w.headed = true
		_, err = fmt.Fprintln(out, puzzles.MinedColumns)
	}
	if err == nil {
		_, err = fmt.Fprintln(out, m.Row(name))
	}
	return err
}

// Record is a puzzle in JSON.
type Record struct {
	Position   string   `json:"position"`
	Claim      int      `json:"claim"`
	Solution   string   `json:"solution"`
	Name       string   `json:"name"`
	Pieces     int      `json:"pieces"`
	Replies    int      `json:"replies"`
	Tries      int      `json:"tries"`
	Quiet      bool     `json:"quiet"`
	Difficulty float64  `json:"difficulty"`
	Winning    int      `json:"winning"`
	Themes     []string `json:"themes"`
	Notes      []string `json:"notes,omitempty"`
}

// RecordOf returns a puzzle under a name, with the notes of its text.
func RecordOf(name string, m *puzzles.Mined, notes []string) Record {
	p := m.Position
	return Record{p.String(), m.Turns, p.Notation(m.Solution), name, m.Pieces, m.Replies, m.Tries, m.Quiet, m.Difficulty(), m.Solutions, m.Themes.Names(), notes}
}
