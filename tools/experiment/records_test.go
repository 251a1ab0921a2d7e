package experiment

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/internal/batch"
	"goalproof/internal/testkit/require"
)

// plan returns a plan of three positions and the cells of a grid.
func plan(t testing.TB, texts ...string) *Plan {
	t.Helper()
	g := parseGrid(t, texts...)
	cells, err := g.Cells(all)
	require.NoError(t, err)
	return &Plan{Grid: g, Cells: cells, Positions: []string{"first", `a "name", with
two lines`, "third"}, Digest: "d", WinIn: 2, Limit: answer.Limit{Time: time.Minute}}
}

// example is the result of a search of the tests.
func example(position, cell int) Run {
	r := Run{Position: position, Cell: cell, Nodes: uint64(10*position + cell + 1)}
	r.Time = time.Duration(position+cell+1)*time.Microsecond + 400
	switch position {
	case 0:
		r.Verdict, r.Within, r.Refuted = answer.Proved, 2, 1
	case 1:
		r.Verdict, r.Refuted = answer.Disproved, 2
	default:
		r.Stop, r.Refuted = answer.Memory, 1
	}
	return r
}

func open(t testing.TB, dir string, p *Plan) *Records {
	t.Helper()
	r, err := OpenRecords(dir, p)
	require.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

// complete adds the runs that are missing, and returns their number.
func complete(t testing.TB, r *Records) int {
	t.Helper()
	due := r.missing()
	for _, n := range due {
		require.NoError(t, r.Add(example(n/len(r.plan.Cells), n%len(r.plan.Cells))))
	}
	return len(due)
}

// recorded returns the directory of a complete experiment, and the text of its rows.
func recorded(t *testing.T, p *Plan) (dir string, rows []byte) {
	t.Helper()
	dir = t.TempDir()
	r := open(t, dir, p)
	complete(t, r)
	r.Close()
	rows, err := os.ReadFile(filepath.Join(dir, runsFile))
	require.NoError(t, err)
	return dir, rows
}

// TestTornRecords cuts the file after each of its bytes, as a crash might. The rows before the cut
// stay, the run of the torn one is done again, and the file becomes what it was.
func TestTornRecords(t *testing.T) {
	p := plan(t, "killers=0,1")
	dir, whole := recorded(t, p)
	path := filepath.Join(dir, runsFile)
	for length := range whole {
		require.NoError(t, os.WriteFile(path, whole[:length], 0o666))
		r := open(t, dir, p)
		rows := max(bytes.Count(whole[:length], []byte("\n"))-1, 0) // below the names of the columns
		if n := len(r.Runs()); n != rows {
			t.Fatalf("%d runs of %d are left after %d bytes", n, rows, length)
		}
		if n := complete(t, r); n != p.Runs()-rows {
			t.Fatalf("%d runs were missing after %d bytes", n, length)
		}
		r.Close()
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("%v\n%s", err, cmp.Diff(string(whole), string(got)))
		}
	}
}

// TestOtherPlan checks that runs of another plan are not added to those that are there.
func TestOtherPlan(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, plan(t, "killers=0,1")).Close()
	for want, change := range map[string]func(*Plan){
		"it has 3 positions and not 2":                    func(p *Plan) { p.Positions = p.Positions[1:] },
		"it has other positions":                          func(p *Plan) { p.Digest = "e" },
		"it asks for a win in 2 and not in 3":             func(p *Plan) { p.WinIn = 3 },
		"it gives each run 60 s and not 1 s":              func(p *Plan) { p.Limit.Time = time.Second },
		"it gives each run 60 s and not 1,000 nodes":      func(p *Plan) { p.Limit = answer.Limit{Nodes: 1000} },
		`its grid is "killers=0,1" and not "killers=0"`:   func(p *Plan) { *p = *plan(t, "killers=0") },
		`its grid is "killers=0,1" and not "killers=1,0"`: func(p *Plan) { *p = *plan(t, "killers=1,0") },
	} {
		p := plan(t, "killers=0,1")
		change(p)
		if _, err := OpenRecords(dir, p); err == nil || !strings.Contains(err.Error(), "holds another experiment: "+want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestForeignRecords checks that files that are none of an experiment are refused, and stay as they
// are. An empty plan stands for the right one.
func TestForeignRecords(t *testing.T) {
	header := "run,position,killers,verdict,within,refuted,stopped,nodes,seconds,check\n"
	row := func(text string) string { return string(seal([]byte(text))) }
	for name, files := range map[string]map[string]string{
		"it is no experiment":                       {runsFile: "a,b\n"},
		"experiment.json: ":                         {planFile: "{"},
		"its format is 1 and not 2":                 {planFile: `{"format": 1}`},
		"its columns are \"a,b\" and not \"run,pos": {runsFile: "a,b\n", planFile: ""},
		"line 2: there is no run \"6\"":             {runsFile: header + row("6,third,0,proved,1,0,finished,1,1"), planFile: ""},
		"line 2: there is no run \"x\"":             {runsFile: header + row("x,third,0,proved,1,0,finished,1,1"), planFile: ""},
		"line 3: run 1 has the values killers=0":    {runsFile: header + row("0,first,0,proved,1,0,finished,1,1") + row("1,first,0,proved,1,0,finished,1,1"), planFile: ""},
		"line 2: \"won\"":                           {runsFile: header + row("0,first,0,won,1,0,finished,1,1"), planFile: ""},
		"line 2: \"interrupted\"":                   {runsFile: header + row("0,first,0,unknown,1,0,interrupted,1,1"), planFile: ""},
		"invalid syntax":                            {runsFile: header + row("0,first,0,proved,1,0,finished,-1,1"), planFile: ""},
		"line 2: its checksum is wrong":             {runsFile: header + "0,first,0,proved,1,0,finished,1,1\n", planFile: ""},
		"wrong number of fields":                    {runsFile: header + row("0,first"), planFile: ""},
		"it is no table of runs":                    {runsFile: "run,positron", planFile: ""},
		"its columns are \"a\" and not \"run,pos":   {runsFile: "a\nb", planFile: ""},
	} {
		dir, p := t.TempDir(), plan(t, "killers=0,1")
		if text, ok := files[planFile]; ok && text == "" {
			require.NoError(t, checkPlan(dir, p))
			delete(files, planFile)
		}
		for file, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666))
		}
		if _, err := OpenRecords(dir, p); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %q", err, name)
		}
		if want, ok := files[runsFile]; ok {
			if got, err := os.ReadFile(filepath.Join(dir, runsFile)); err != nil || string(got) != want {
				t.Errorf("%s: the file has become %q, %v", name, got, err)
			}
		}
	}
}

// TestImpossibleRuns checks that a run that no search can have found is neither read nor written,
// and that the error names its line.
func TestImpossibleRuns(t *testing.T) {
	p := plan(t, "killers=0,1") // a win in 2
	path := func(dir string) string { return filepath.Join(dir, runsFile) }
	for _, row := range []string{
		"proved,3,2,finished,1,1", // beyond the question
		"proved,0,0,finished,1,1", // in no turns
		"proved,2,0,finished,1,1", // in 2, and nobody knows about 1
		"proved,1,1,finished,1,1", // and not
		"disproved,0,1,finished,1,1",
		"disproved,1,2,finished,1,1",
		"unknown,0,2,time is up,1,1",
		"unknown,0,-1,time is up,1,1",
		"unknown,1,0,time is up,1,1",
		"unknown,0,0,finished,1,1",
		"proved,1,0,time is up,1,1",
		"disproved,0,2,memory is full,1,1",
		"proved,1,0,finished,1,-5",
		"proved,1,0,finished,1,+Inf",
		"proved,1,0,finished,1,NaN",
		"proved,1,0,finished,1,1e300",
		"proved,1,0,finished,1,9999999999999",
		"proved,1,0,finished,1,",
	} {
		dir := t.TempDir()
		r := open(t, dir, p)
		require.NoError(t, r.Add(example(0, 1)))
		r.Close()
		text, err := os.ReadFile(path(dir))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path(dir), append(text, seal([]byte("0,first,0,"+row))...), 0o666))
		if r, err := OpenRecords(dir, p); err == nil {
			t.Errorf("%s is read as %+v", row, r.Runs()[0])
			r.Close()
		} else if !strings.HasPrefix(err.Error(), path(dir)+": line 3: ") {
			t.Errorf("%s: error %v", row, err)
		}
	}
	r := open(t, t.TempDir(), p)
	if err := r.Add(Run{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 3, Refuted: 2}}); err == nil || len(r.Runs()) != 0 {
		t.Errorf("error %v, and %d runs", err, len(r.Runs()))
	}
	if n := complete(t, r); n != p.Runs() {
		t.Errorf("%d runs are missing afterwards", n)
	}
}

// TestFailedWrite makes a write fail, which leaves a part of its row: none may follow, though the
// next would not fail, so that the records can be opened again.
func TestFailedWrite(t *testing.T) {
	dir, p := t.TempDir(), plan(t, "killers=0,1")
	r := open(t, dir, p)
	require.NoError(t, r.Add(example(0, 0)))
	file := r.file
	closed, err := os.Open(filepath.Join(dir, runsFile))
	require.NoError(t, err)
	closed.Close()
	r.file = closed
	first := r.Add(example(0, 1))
	_, err = file.WriteString("1,fir")
	require.NoError(t, err)
	r.file = file
	if err := r.Add(example(1, 0)); first == nil || err != first {
		t.Errorf("the errors are %v and then %v", first, err)
	}
	if n := len(r.Runs()); n != 1 {
		t.Errorf("%d runs", n)
	}
	r.Close()
	r = open(t, dir, p)
	if n := len(r.Runs()); n != 1 {
		t.Errorf("%d runs are read", n)
	}
	if n := complete(t, r); n != p.Runs()-1 {
		t.Errorf("%d runs were missing", n)
	}
}

// TestDo interrupts an experiment after each number of runs, and continues it: every run is
// recorded once, and read as it was written, and no interrupted run is.
func TestDo(t *testing.T) {
	p := plan(t, "killers=0,1,2")
	var want []Run
	for n := range p.Runs() {
		run := example(n/3, n%3)
		run.Time = run.Time.Round(time.Microsecond)
		want = append(want, run)
	}
	for stop := range p.Runs() {
		dir := filepath.Join(t.TempDir(), "new", "dir")
		var recorded atomic.Int32
		do := func(ctx context.Context, search Search) {
			r := open(t, dir, p)
			require.NoError(t, p.Do(ctx, r, 2, search, func() { recorded.Add(1) }))
			if n := int(recorded.Load()); n != len(r.Runs()) {
				t.Fatalf("%d runs are recorded, and Do has told of %d", len(r.Runs()), n)
			}
			r.Close()
		}
		ctx, cancel := context.WithCancel(t.Context())
		var searched atomic.Int32
		do(ctx, func(_ context.Context, position, cell int) (Run, error) {
			if int(searched.Add(1)) > stop {
				cancel()
				return Run{Stop: answer.Interrupted}, nil
			}
			return example(position, cell), nil
		})
		if n := int(recorded.Load()); n != stop {
			t.Fatalf("%d runs are recorded before the interruption, want %d", n, stop)
		}
		do(t.Context(), func(_ context.Context, position, cell int) (Run, error) { return example(position, cell), nil })
		if diff := cmp.Diff(want, open(t, dir, p).Runs()); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestDoFails checks that what goes wrong in a search ends the experiment and names the run.
func TestDoFails(t *testing.T) {
	p := plan(t, "killers=0,1")
	broken := errors.New("broken")
	for _, fail := range []func() (Run, error){
		func() (Run, error) { return Run{}, broken },
		func() (Run, error) { panic(broken) },
	} {
		r := open(t, t.TempDir(), p)
		err := p.Do(t.Context(), r, 1, func(_ context.Context, position, cell int) (Run, error) {
			if position == 2 && cell == 1 {
				return fail()
			}
			return example(position, cell), nil
		}, func() {})
		if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "third killers=1: ") {
			t.Errorf("error %v", err)
		}
		if n := len(r.Runs()); n != 5 {
			t.Errorf("%d runs are recorded", n)
		}
		if stack := new(batch.Panic); errors.As(err, &stack) && len(stack.Stack) == 0 {
			t.Error("the stack is missing")
		}
	}
}

// TestFormula checks that no name is a formula in a spreadsheet.
func TestFormula(t *testing.T) {
	p := plan(t)
	p.Positions[0] = "=1+1"
	if row := p.row(example(0, 0)); row[1] != "'=1+1" {
		t.Errorf("%q", row)
	}
}
