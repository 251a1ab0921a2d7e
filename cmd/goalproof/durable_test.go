package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"goalproof/aei"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/boards"
	"goalproof/player"
)

// quick returns positions that take little time, few of them none.
func quick(t *testing.T, count int) (all []string) {
	t.Helper()
	drawn := boards.Position()
	for i := 0; len(all) < count; i++ {
		p, err := notation.ParsePosition(drawn.Example(i))
		if err == nil && p.Unusual() == nil && p.Occupied().Len() > 6 {
			all = append(all, p.String())
		}
	}
	return all
}

// put writes lines to a file.
func put(t *testing.T, name string, lines []string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// verdictOf is what is said about a position: a win in least turns, or none in refuted.
type verdictOf struct {
	File           string
	Name           string
	Verdict        string
	Least, Refuted int
	Nodes          uint64
}

func parseVerdicts(t *testing.T, lines []string) (all []verdictOf) {
	t.Helper()
	for _, line := range lines {
		var v verdictOf
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, v)
	}
	return all
}

// quiet reads a line of solve --quiet.
var quiet = regexp.MustCompile(`:(\d+): (win|no win) in (\d+)`)

// printed returns the positions of a set about which something was printed, and their verdicts.
func printed(t *testing.T, form string, set, lines []string) (positions []string, verdicts []verdictOf) {
	t.Helper()
	if form == "quiet" {
		for _, line := range lines {
			m := quiet.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("what does it say? %q", line)
			}
			v := verdictOf{Name: m[1], Verdict: strings.Replace(m[2], " ", "-", 1)}
			v.Least, _ = strconv.Atoi(m[3])
			verdicts = append(verdicts, v)
		}
	} else {
		verdicts = parseVerdicts(t, lines)
	}
	number := regexp.MustCompile(`\d+$`)
	for _, v := range verdicts {
		n, err := strconv.Atoi(number.FindString(v.Name + v.File))
		if v.Name != "" {
			n, err = strconv.Atoi(number.FindString(v.Name))
		}
		if err != nil || n < 1 || n > len(set) {
			t.Fatalf("which position? %+v", v)
		}
		positions = append(positions, set[n-1])
	}
	return positions, verdicts
}

// TestPrintedIsDurable kills a command at random moments, most of them just when a verdict has been printed. Every
// verdict that was printed is answered by the store afterwards, without a search.
func TestPrintedIsDurable(t *testing.T) {
	kills := 1
	if boards.Large {
		kills = 20
	}
	set := quick(t, 600)
	for form, args := range map[string][]string{
		"quiet":  {"solve", "--quiet", "--win-in", "2", "--threads", "1"},
		"json":   {"solve", "--json", "--win-in", "2", "--threads", "2"},
		"verify": {"verify", "--json", "--claim", "2", "--threads", "2"},
	} {
		t.Run(form, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(len(form)), 7))
			searched := 0
			for range kills {
				dir := t.TempDir()
				facts := filepath.Join(dir, "facts")
				args := append(slices.Clone(args), "--memory", "64MiB", "--store", facts, put(t, filepath.Join(dir, "set.txt"), set))
				lines := killed(t, args, 50+random.IntN(len(set)/4), time.Duration(random.IntN(3)*random.IntN(20_000))*time.Microsecond)
				positions, verdicts := printed(t, form, set, lines)
				searched += answered(t, dir, facts, positions, verdicts)
			}
			if searched < 5*kills {
				t.Errorf("%d of the verdicts took a search: too few to say much", searched)
			}
		})
	}
}

// killed runs a command until it has written so many lines, and a while longer, kills it, and returns all lines that it has
// written.
func killed(t *testing.T, args []string, after int, longer time.Duration) (lines []string) {
	t.Helper()
	cmd := process(t, "goalproof", args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errors bytes.Buffer
	cmd.Stderr = &errors
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break // the last line may have been cut
		}
		if lines = append(lines, strings.TrimSuffix(line, "\n")); len(lines) == after {
			time.Sleep(longer)
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = cmd.Wait() // on a busy machine it may have come to its end
	if code := cmd.ProcessState.ExitCode(); code > exitFails || errors.Len() > 0 {
		t.Fatalf("%v\n%s", err, errors.String())
	}
	return lines
}

// answered asks a store about positions. It checks that the verdicts are the same, and that none takes a search: one node
// for each number of turns. It returns how many of them take one without the store.
func answered(t *testing.T, dir, facts string, positions []string, verdicts []verdictOf) (searched int) {
	t.Helper()
	ask := func(args ...string) []verdictOf {
		args = append([]string{"solve", "--json", "--win-in", "2", "--memory", "64MiB", "--threads", "1"}, args...)
		code, out, errors := said(t, append(args, put(t, filepath.Join(dir, "printed.txt"), append(positions, positions[0])))...)
		if code > exitFails {
			t.Fatalf("exit code %d\n%s", code, errors)
		}
		return parseVerdicts(t, strings.Split(strings.TrimSpace(out), "\n"))
	}
	bare := ask()
	for i, got := range ask("--store", facts)[:len(verdicts)] {
		want := verdicts[i]
		if got.Verdict != want.Verdict || got.Verdict == "win" && got.Least != want.Least || bare[i].Verdict != want.Verdict {
			t.Errorf("%s: %+v, it was %+v", positions[i], got, want)
		}
		if got.Nodes > uint64(max(got.Least, got.Refuted)) {
			t.Errorf("%s: number %d of %d that were printed took %d nodes again", positions[i], i+1, len(verdicts), got.Nodes)
		}
		if bare[i].Nodes > uint64(max(got.Least, got.Refuted)) {
			searched++
		}
	}
	return searched
}

var errLost = errors.New("the disk has gone")

// slowStore is a store whose syncs wait, and the reader of what is written after them.
type slowStore struct {
	mu       sync.Mutex
	put      int // facts
	durable  int // of them
	syncs    int
	fail     bool
	wait     chan struct{} // nil: a sync does not wait
	answered chan struct{} // closed when bestmove is shown
	shown    strings.Builder
	tooEarly []string
}

func (s *slowStore) find() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put++
}

func (s *slowStore) sync() error {
	s.mu.Lock()
	put := s.put
	s.mu.Unlock()
	if s.wait != nil {
		<-s.wait
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.syncs++
	if s.fail {
		return errLost
	}
	s.durable = max(s.durable, put)
	return nil
}

// proved reads a line that rests on facts, the number of which it ends with.
var proved = regexp.MustCompile(`^log proved: win in (\d+)$`)

func (s *slowStore) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(string(b)) {
		if m := proved.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if n, err := strconv.Atoi(m[1]); err != nil || n > s.durable {
				s.tooEarly = append(s.tooEarly, line)
			}
		}
		if strings.HasPrefix(line, "bestmove ") {
			close(s.answered)
		}
	}
	return s.shown.Write(b)
}

// TestOutputWaits checks that what is written while a store is open goes out in order, after the facts before it are
// durable, that lines written during a sync share the next, and that messages do not overtake them.
func TestOutputWaits(t *testing.T) {
	s := &slowStore{wait: make(chan struct{})}
	o := newOutput(s)
	o.behind(s.sync)
	var want strings.Builder
	for n := 1; n <= 100; n++ {
		s.find()
		fmt.Fprintf(o, "log proved: win in %d\n", n)
		fmt.Fprintf(&want, "log proved: win in %d\n", n)
	}
	if s.shown.Len() > 0 { // no sync can have ended
		t.Errorf("%q is shown before it is durable", s.shown.String())
	}
	close(s.wait)
	fmt.Fprint(&messages{io.Discard, o}, "a message")
	if got := s.shown.String(); got != want.String() || len(s.tooEarly) > 0 {
		t.Errorf("shown is %q; too early: %q", got, s.tooEarly)
	}
	if s.syncs > 2 {
		t.Errorf("100 lines took %d syncs", s.syncs)
	}
	if err := o.release(); err != nil {
		t.Error(err)
	}
}

// TestOutputLost checks that nothing is written that could not be made durable.
func TestOutputLost(t *testing.T) {
	s := &slowStore{fail: true}
	o := newOutput(s)
	o.behind(s.sync)
	for n := 1; n <= 100; n++ {
		s.find()
		fmt.Fprintf(o, "log proved: win in %d\n", n)
	}
	var e *exit
	if err := o.release(); !errors.Is(err, errLost) || !errors.As(err, &e) || e.code != exitInternal || s.shown.Len() > 0 {
		t.Errorf("%v, and %q is shown", err, s.shown.String())
	}
}

// finder is an engine that finds out about wins, in fewer and fewer turns, and puts facts.
type finder struct{ *slowStore }

func (finder) Forget() {}

func (e finder) Search(_ context.Context, g *arimaa.Game, _ engine.Limits, report func(engine.Report)) (engine.Report, error) {
	var turns arimaa.Generator
	p := g.Last()
	turns.Generate(&p)
	r := engine.Report{Turn: turns.Turn(0), Line: []arimaa.Turn{turns.Turn(0)}}
	for r.Win < 4 {
		e.find()
		r.Win++
		report(r)
	}
	return r, nil
}

// TestOutputOfInterface checks that a session of the engine interface announces wins when the facts about them are durable.
func TestOutputOfInterface(t *testing.T) {
	s := &slowStore{wait: make(chan struct{}), answered: make(chan struct{})}
	o := newOutput(s)
	o.behind(s.sync)
	in, w := io.Pipe()
	go func() {
		fmt.Fprintln(w, "aei\nsetposition g [                R                                r              ]\ngo")
		for {
			select {
			case s.wait <- struct{}{}: // a sync ends
			case <-s.answered:
				w.Close()
				return
			}
		}
	}()
	err := aei.Serve(t.Context(), in, o, aei.Config{New: func(player.Settings) (player.Player, error) { return finder{s}, nil }})
	close(s.wait)
	if err := errors.Join(err, o.release()); err != nil {
		t.Error(err)
	}
	if got := s.shown.String(); !strings.Contains(got, "log proved: win in 4\n") || len(s.tooEarly) > 0 {
		t.Errorf("shown is %q; too early: %q", got, s.tooEarly)
	}
}
