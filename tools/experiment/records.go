package experiment

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
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
	"goalproof/internal/files"
	"goalproof/internal/printable"
)

// The files of an experiment.
const (
	planFile = "experiment.json"
	runsFile = "runs.csv"
)

// planned is the part of a plan that must not change when an experiment continues.
type planned struct {
	Format    int     `json:"format"`
	Positions int     `json:"positions"`
	Digest    string  `json:"digest"`
	WinIn     int     `json:"win_in"`
	Nodes     uint64  `json:"nodes,omitempty"`
	Seconds   float64 `json:"seconds"`
	Grid      Grid    `json:"grid"`
}

// format is the version of the files.
const format = 2

func (p *Plan) planned() planned {
	return planned{format, len(p.Positions), p.Digest, p.WinIn, p.Limit.Nodes, p.Limit.Time.Seconds(), p.Grid}
}

// each writes the limit of a run.
func (p planned) each() string {
	return each(answer.Limit{Nodes: p.Nodes, Time: time.Duration(p.Seconds * float64(time.Second))})
}

// differs describes the first difference to another plan; it is empty if there is none.
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
	case p.Nodes != q.Nodes || p.Seconds != q.Seconds:
		return fmt.Sprintf("it gives each run %s and not %s", p.each(), q.each())
	case p.Grid.String() != q.Grid.String():
		return fmt.Sprintf("its grid is %q and not %q", p.Grid, q.Grid)
	}
	return ""
}

// Records are the runs of an experiment on disk: a directory with the plan, experiment.json, and a
// row for each run, runs.csv. The last column of a row, check, is the CRC-32 of what stands before
// it in the line.
type Records struct {
	plan *Plan
	lock *os.File // the lock of the directory
	mu   sync.Mutex
	file *os.File
	lost error  // the first error of a write, after which the last row may be incomplete
	done []*Run // by number
}

// OpenRecords opens the records in a directory, creates it if necessary, and locks it until the
// records are closed. Possible errors include that another process has the directory open, and that
// it holds another experiment.
func OpenRecords(dir string, p *Plan) (*Records, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	held, err := files.LockDir(dir, false)
	if err != nil {
		return nil, err
	}
	r := &Records{plan: p, lock: held, done: make([]*Run, p.Runs())}
	if err := r.open(dir); err != nil {
		held.Close()
		return nil, err
	}
	return r, nil
}

// open opens the files of the locked directory.
func (r *Records) open(dir string) error {
	if err := checkPlan(dir, r.plan); err != nil {
		return err
	}
	path := filepath.Join(dir, runsFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	r.file = f
	if err := r.load(); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// checkPlan writes the plan, or compares it with the recorded one.
func checkPlan(dir string, p *Plan) error {
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
		return files.WriteText(path, append(text, '\n'))
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
	return append(columns, "verdict", "within", "refuted", "stopped", "nodes", "seconds", "check")
}

// row returns the row of a run, without its checksum.
func (p *Plan) row(r Run) []string {
	row := []string{strconv.Itoa(p.number(r.Position, r.Cell)), printable.Cell(oneLine(p.Positions[r.Position]))}
	row = append(row, p.Cells[r.Cell]...)
	return append(row, r.Verdict.String(), strconv.Itoa(r.Within), strconv.Itoa(r.Refuted), r.Stop.String(),
		strconv.FormatUint(r.Nodes, 10), strconv.FormatFloat(r.Time.Seconds(), 'f', 6, 64))
}

// oneLine replaces line breaks in a name.
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

// seal returns a line, with its break or without, and its checksum.
func seal(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return fmt.Appendf(nil, "%s,%08x\n", line, crc32.ChecksumIEEE(line))
}

// unseal returns a line without its checksum. The error says that it is another line's.
func unseal(sealed []byte) ([]byte, error) {
	line := sealed[:max(bytes.LastIndexByte(sealed, ','), 0)]
	if !bytes.Equal(seal(line), sealed) {
		return nil, errors.New("its checksum is wrong, so it is damaged; without the line its run is done again")
	}
	return line, nil
}

// load reads the rows, cuts off an incomplete last line, and begins an empty file. A file that is
// not a table of this plan is left unchanged.
func (r *Records) load() error {
	text, err := io.ReadAll(r.file)
	if err != nil {
		return err
	}
	lines := text[:bytes.LastIndexByte(text, '\n')+1]
	if len(lines) == 0 {
		return r.begin(text)
	}
	header, err := line(r.plan.header())
	if err != nil {
		return err
	}
	number := 0
	for sealed := range bytes.Lines(lines) {
		if number++; number == 1 {
			if !bytes.Equal(sealed, header) {
				return fmt.Errorf("its columns are %q and not %q", bytes.TrimSpace(sealed), bytes.TrimSpace(header))
			}
			continue
		}
		run, err := r.plan.parse(sealed)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		r.done[r.plan.number(run.Position, run.Cell)] = &run
	}
	return r.file.Truncate(int64(len(lines)))
}

// begin writes the header, of which a crash may have left a part.
func (r *Records) begin(part []byte) error {
	header, err := line(r.plan.header())
	if err != nil {
		return err
	}
	rest, ok := bytes.CutPrefix(header, part)
	if !ok {
		return errors.New("it is no table of runs")
	}
	_, err = r.file.Write(rest)
	return err
}

// parse reads a line.
func (p *Plan) parse(sealed []byte) (Run, error) {
	line, err := unseal(sealed)
	if err != nil {
		return Run{}, err
	}
	fields := csv.NewReader(bytes.NewReader(line))
	fields.FieldsPerRecord = len(p.header()) - 1
	row, err := fields.Read()
	if err != nil {
		return Run{}, err
	}
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
	r.Within, errs[1] = strconv.Atoi(found[1])
	r.Refuted, errs[2] = strconv.Atoi(found[2])
	if r.Stop, errs[3] = word(found[3], answer.Finished, answer.Nodes); r.Stop == answer.Interrupted {
		errs[3] = fmt.Errorf("%q is not a known word", found[3])
	}
	r.Nodes, errs[4] = strconv.ParseUint(found[4], 10, 64)
	r.Time, errs[5] = time.ParseDuration(found[5] + "s") // unlike a float, finite and in range
	if err := errors.Join(errs[:]...); err != nil {
		return r, err
	}
	return r, p.Check(r)
}

// Check returns an error for a run that no search can produce: searches ask for a win in 1, in 2
// and so on, up to the first that exists, the limit of the plan, or the first that they cannot
// decide. From 3 on a longer win may be found before.
func (p *Plan) Check(r Run) error {
	var possible bool
	switch r.Verdict {
	case answer.Proved:
		possible = r.Within >= 1 && r.Within <= p.WinIn && r.Refuted < r.Within && r.Refuted >= min(r.Within-1, 2)
	case answer.Disproved:
		possible = r.Within == 0 && r.Refuted == p.WinIn
	default:
		possible = r.Within == 0 && r.Refuted >= 0 && r.Refuted < p.WinIn
	}
	switch {
	case !possible:
		return fmt.Errorf("%v with a win in %d and none in %d: no search for a win in %d finds that",
			r.Verdict, r.Within, r.Refuted, p.WinIn)
	case (r.Stop == answer.Finished) != (r.Verdict != answer.Unknown):
		return fmt.Errorf("the verdict is %v and the search stopped because %q", r.Verdict, r.Stop)
	case r.Time < 0:
		return fmt.Errorf("it took %g s", r.Time.Seconds())
	}
	return nil
}

// word returns the value from first to last with a name.
func word[T interface {
	~uint8
	fmt.Stringer
}](name string, first, last T) (T, error) {
	for v := first; v <= last; v++ {
		if v.String() == name {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%q is not a known word", name)
}

// Add adds runs, all at once and unbuffered, so that they survive a killed process. It may be called
// from several goroutines. The error says that a run is impossible, or that the rows could not be
// written; every later call then returns the same error.
func (r *Records) Add(runs ...Run) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost != nil {
		return r.lost
	}
	var rows []byte
	for i := range runs {
		if err := r.plan.Check(runs[i]); err != nil {
			return err
		}
		runs[i].Time = runs[i].Time.Round(time.Microsecond) // the precision of a row
		row, err := line(r.plan.row(runs[i]))
		if err != nil {
			return err
		}
		rows = append(rows, seal(row)...)
	}
	if _, r.lost = r.file.Write(rows); r.lost != nil {
		return r.lost
	}
	for _, run := range runs {
		r.done[r.plan.number(run.Position, run.Cell)] = &run
	}
	return nil
}

// Runs returns the recorded runs, in the order of the plan.
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

// missing returns the numbers of the missing runs.
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

// Due is a position with cells whose runs are missing.
type Due struct {
	Position int
	Cells    []int // in order
}

// Due returns the positions with missing runs, in order.
func (r *Records) Due() (all []Due) {
	cells := len(r.plan.Cells)
	for _, number := range r.missing() {
		if n := len(all); n == 0 || all[n-1].Position != number/cells {
			all = append(all, Due{Position: number / cells})
		}
		last := &all[len(all)-1]
		last.Cells = append(last.Cells, number%cells)
	}
	return all
}

// Close closes the records and unlocks the directory.
func (r *Records) Close() error { return errors.Join(r.file.Close(), r.lock.Close()) }
