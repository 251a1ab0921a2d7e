package experiment

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"goalproof/answer"
)

// The files of an experiment in its directory.
const (
	planFile = "experiment.json"
	runsFile = "runs.csv"
)

// planned is a plan on disk: what must not have changed for an experiment to go on.
type planned struct {
	Format    int     `json:"format"`
	Positions int     `json:"positions"`
	Digest    string  `json:"digest"`
	WinIn     int     `json:"win_in"`
	Seconds   float64 `json:"seconds"`
	Grid      Grid    `json:"grid"`
}

// format is the version of the files.
const format = 1

func (p *Plan) planned() planned {
	return planned{format, len(p.Positions), p.Digest, p.WinIn, p.Time.Seconds(), p.Grid}
}

// differs says in what another plan differs, or nothing.
func (p planned) differs(q planned) string {
	switch {
	case p.Format != q.Format:
		return fmt.Sprintf("its format is %d and not %d", p.Format, q.Format)
	case p.Positions != q.Positions:
		return fmt.Sprintf("it has %d positions and not %d", p.Positions, q.Positions)
	case p.Digest != q.Digest:
		return "it has other positions"
	case p.WinIn != q.WinIn:
		return fmt.Sprintf("it asks for a win in %d and not in %d", p.WinIn, q.WinIn)
	case p.Seconds != q.Seconds:
		return fmt.Sprintf("it gives each run %g s and not %g s", p.Seconds, q.Seconds)
	case p.Grid.String() != q.Grid.String():
		return fmt.Sprintf("its grid is %q and not %q", p.Grid, q.Grid)
	}
	return ""
}

// Records are the runs of an experiment on disk: a directory with the plan, experiment.json, and a
// row for each run, runs.csv.
type Records struct {
	plan *Plan
	mu   sync.Mutex
	file *os.File
	done []*Run // by their number in the plan
}

// OpenRecords opens the records in a directory, which is made unless it is there. The error says, among
// others, that it holds another experiment.
func OpenRecords(dir string, p *Plan) (*Records, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := settle(dir, p); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, runsFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	r := &Records{plan: p, file: f, done: make([]*Run, p.Runs())}
	if err := r.load(); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// settle writes the plan down, or compares it with the one that is there.
func settle(dir string, p *Plan) error {
	path := filepath.Join(dir, planFile)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(filepath.Join(dir, runsFile)); err == nil {
			return fmt.Errorf("%s holds %s without %s: it is no experiment", dir, runsFile, planFile)
		}
		text, err := json.MarshalIndent(p.planned(), "", "  ")
		if err != nil {
			return err
		}
		// Through another name, so that it is never there in part.
		if err := os.WriteFile(path+".new", append(text, '\n'), 0o666); err != nil {
			return err
		}
		return os.Rename(path+".new", path)
	case err != nil:
		return err
	}
	var was planned
	if err := json.Unmarshal(text, &was); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if how := was.differs(p.planned()); how != "" {
		return fmt.Errorf("%s holds another experiment: %s", dir, how)
	}
	return nil
}

// header returns the names of the columns.
func (p *Plan) header() []string {
	columns := []string{"run", "position"}
	for _, a := range p.Grid {
		columns = append(columns, a.Name)
	}
	return append(columns, "verdict", "least", "refuted", "stopped", "nodes", "seconds")
}

// row returns a run as a row of the table.
func (p *Plan) row(r Run) []string {
	row := []string{strconv.Itoa(p.number(r.Position, r.Cell)), oneLine(p.Positions[r.Position])}
	row = append(row, p.Cells[r.Cell]...)
	return append(row, r.Verdict.String(), strconv.Itoa(r.Least), strconv.Itoa(r.Refuted), r.Stop.String(),
		strconv.FormatUint(r.Nodes, 10), strconv.FormatFloat(r.Time.Seconds(), 'f', 6, 64))
}

// oneLine makes a name fit for a row, which is a line.
func oneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, name)
}

// line returns a row as a line of the file.
func line(row []string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(row); err != nil {
		return nil, err
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// load reads the rows, cuts off a last line without its end, and begins the file if it is empty.
func (r *Records) load() error {
	text, err := io.ReadAll(r.file)
	if err != nil {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if err := r.file.Truncate(int64(len(whole))); err != nil {
		return err
	}
	if len(whole) == 0 {
		return r.write(r.plan.header())
	}
	rows, err := csv.NewReader(bytes.NewReader(whole)).ReadAll()
	if err != nil {
		return err
	}
	if !slices.Equal(rows[0], r.plan.header()) {
		return fmt.Errorf("its columns are %s and not %s", strings.Join(rows[0], ","), strings.Join(r.plan.header(), ","))
	}
	for i, row := range rows[1:] {
		run, err := r.plan.parse(row)
		if err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		r.done[r.plan.number(run.Position, run.Cell)] = &run
	}
	return nil
}

// parse reads a row, which has the columns of the header.
func (p *Plan) parse(row []string) (Run, error) {
	number, err := strconv.Atoi(row[0])
	if err != nil || number < 0 || number >= p.Runs() {
		return Run{}, fmt.Errorf("there is no run %q", row[0])
	}
	r := Run{Position: number / len(p.Cells), Cell: number % len(p.Cells)}
	values, found := row[2:2+len(p.Grid)], row[2+len(p.Grid):]
	if want := p.Cells[r.Cell]; !slices.Equal(values, want) {
		return r, fmt.Errorf("run %d has the values %s and not %s", number, p.Grid.Describe(values), p.Grid.Describe(want))
	}
	var errs [6]error
	r.Verdict, errs[0] = word(found[0], answer.Unknown, answer.Disproved)
	r.Least, errs[1] = strconv.Atoi(found[1])
	r.Refuted, errs[2] = strconv.Atoi(found[2])
	r.Stop, errs[3] = word(found[3], answer.Finished, answer.Memory)
	r.Nodes, errs[4] = strconv.ParseUint(found[4], 10, 64)
	seconds, err := strconv.ParseFloat(found[5], 64)
	errs[5] = err
	r.Time = time.Duration(seconds * float64(time.Second)).Round(time.Microsecond)
	return r, errors.Join(errs[:]...)
}

// word returns which of the values from first to last has so a name.
func word[T interface {
	~uint8
	fmt.Stringer
}](name string, first, last T) (T, error) {
	for v := first; v <= last; v++ {
		if v.String() == name {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%q is none of the words that can stand there", name)
}

// write appends a row. It goes to the system at once: what a killed process has written stays.
func (r *Records) write(row []string) error {
	text, err := line(row)
	if err != nil {
		return err
	}
	_, err = r.file.Write(text)
	return err
}

// Add adds a run. It may be called from several goroutines.
func (r *Records) Add(run Run) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	run.Time = run.Time.Round(time.Microsecond) // as it will be read
	if err := r.write(r.plan.row(run)); err != nil {
		return err
	}
	r.done[r.plan.number(run.Position, run.Cell)] = &run
	return nil
}

// Runs returns the runs that have been done, in the order of the plan.
func (r *Records) Runs() (runs []Run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, run := range r.done {
		if run != nil {
			runs = append(runs, *run)
		}
	}
	return runs
}

// missing returns the numbers of the runs that have not been done.
func (r *Records) missing() (numbers []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, run := range r.done {
		if run == nil {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// Close closes the records.
func (r *Records) Close() error { return r.file.Close() }
