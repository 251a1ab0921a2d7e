package studio

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/printable"
	"goalproof/puzzles"
)

// maxSets is the number of sets kept for export, the latest ones.
const maxSets = 4

var errNoSet = missing(fmt.Sprintf("there is nothing to export, compare or keep: the job is no set, has verified no puzzle, or %d newer sets have begun", maxSets))

// set returns the puzzles that a job has verified. What is appended later lies behind them. The
// lock of the queue is held.
func (j *job) set() ([]puzzles.Result, error) { return j.found, absent(len(j.found) == 0, errNoSet) }

// exports are the forms in which a set is exported.
var exports = map[string]struct {
	name  string // of the file
	kind  string // of content; a browser shows none of them as a page
	write func(io.Writer, []puzzles.Result) error
}{
	"text":   {"puzzles.tsv", "text/plain; charset=utf-8", writeTable},
	"html":   {"puzzles.html", "application/octet-stream", writeReport},
	"arimaa": {"puzzles.zip", "application/zip", writeSite},
	"json":   {"puzzles.jsonl", "application/x-ndjson", writeRecords},
}

// exportTypes returns the content types of the forms.
func exportTypes() (all []string) {
	for _, form := range exports {
		all = append(all, form.kind)
	}
	return all
}

// exportForm asks for a form.
type exportForm struct {
	Form string `json:"form"` // text, html, arimaa or json
}

// export answers with the puzzles that a job has verified.
func (s *Server) export(w http.ResponseWriter, r *http.Request, q exportForm) {
	form, ok := exports[q.Form]
	if !ok {
		refuse(w, http.StatusUnprocessableEntity, fmt.Errorf("form %s: it is text, html, arimaa or json", quoted(q.Form)))
		return
	}
	all, err := ofJob(s.queue, subject(r), (*job).set)
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	w.Header().Set("Content-Type", form.kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+form.name+`"`)
	_ = form.write(w, all) // the client may have disconnected
}

// retain makes room for the results of a set. The lock is held.
func (q *queue) retain(j *job) {
	kept := 0
	for i := len(q.order) - 1; i >= 0; i-- {
		if other := q.order[i]; other != j && other.found != nil {
			if kept++; kept >= maxSets {
				other.found = nil
			}
		}
	}
}

// writeTable writes a table that goalproof reads as a set.
func writeTable(w io.Writer, all []puzzles.Result) error {
	if _, err := io.WriteString(w, "position\tclaim\tsolution\tname\twin in\tfinding\tdifficulty\tthemes\n"); err != nil {
		return err
	}
	for i := range all {
		r := &all[i]
		if r.Failed() {
			continue // there may be no position
		}
		v := verified(r)
		solution := r.Puzzle.Solution
		if solution == "" && len(v.Solutions) > 0 {
			solution = v.Solutions[0].Turn
		}
		if _, err := fmt.Fprintf(w, "%v\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Puzzle.Position, known("%d", v.Claim), printable.Cell(solution),
			printable.Cell(cmp.Or(v.Name, v.Label)), known("%d", v.Least), printable.Cell(v.Says), known("%.1f", v.Difficulty),
			strings.Join(v.Themes, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// known formats a value, or returns "" for nil.
func known[Value any](format string, v *Value) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}

// writeReport writes the page of goalproof verify --html.
func writeReport(w io.Writer, all []puzzles.Result) error {
	page := puzzles.NewReport("Puzzles")
	var sum tally
	for i := range all {
		page.Add(&all[i])
		sum.add(&all[i])
	}
	return page.Write(w, sum.says(), puzzles.Origin{Made: time.Now()})
}

// writeSite writes an archive with a text, as arimaa.com publishes them, for each win of known
// length. It is named after the number of the puzzle in the set.
func writeSite(w io.Writer, all []puzzles.Result) error {
	archive := zip.NewWriter(w)
	for i := range all {
		m, err := mined(&all[i])
		if err != nil {
			continue
		}
		file, err := archive.Create(fmt.Sprintf("%04d.txt", i+1))
		if err != nil {
			return err
		}
		if _, err := io.WriteString(file, m.ArimaaText(cmp.Or(all[i].Puzzle.Name, all[i].Puzzle.Label()))); err != nil {
			return err
		}
	}
	return archive.Close()
}

// mined returns a win with the published solution, if that is right, or else the first essential
// one.
func mined(r *puzzles.Result) (*puzzles.Mined, error) {
	if !r.Exact() || len(r.Solutions) == 0 {
		return nil, errors.New("it is no win whose length is known")
	}
	best := &r.Solutions[0]
	for i := range r.Solutions {
		if s := &r.Solutions[i]; s.Given || s.Essential && !best.Essential && !best.Given {
			best = s
		}
	}
	state := arimaa.NewState(r.Puzzle.Position)
	turn, err := notation.PlaySteps(&state, best.Turn)
	if err == nil {
		err = arimaa.NewGame(r.Puzzle.Position, arimaa.FirstTurn).Play(turn)
	}
	if err != nil {
		return nil, err
	}
	return &puzzles.Mined{Position: r.Puzzle.Position, Turns: r.Within, Solution: turn}, nil
}
