package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/aei"
	"goalproof/engine/player"
)

var errLost = errors.New("the disk has gone")

// slowStore is a store whose syncs wait, and the reader of the output after them.
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
var proved = regexp.MustCompile(`^log proved: win in (?:at most )?(\d+)$`)

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

// TestOutputWaits checks that what is written while a store is open goes out in order, after the
// facts before it are durable, that lines written during a sync share the next, and that messages
// do not overtake them.
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
	fmt.Fprint(&messages{Writer: io.Discard, answers: o}, "a message")
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

// TestMessagesTogether writes messages from several goroutines: each stands in its line.
func TestMessagesTogether(t *testing.T) {
	var shown strings.Builder
	m := &messages{Writer: &shown, answers: newOutput(io.Discard)}
	const writers, lines = 8, 1000
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for range lines {
				fmt.Fprintf(m, "%d is a writer\n", w)
				fmt.Fprintf(Raw(m), "%d draws\n", w)
			}
		})
	}
	all.Wait()
	for w := range writers {
		if a, b := strings.Count(shown.String(), fmt.Sprintf("%d is a writer\n", w)), strings.Count(shown.String(), fmt.Sprintf("%d draws\n", w)); a != lines || b != lines {
			t.Errorf("writer %d: %d and %d lines of %d", w, a, b, lines)
		}
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
	var e *ExitError
	if err := o.release(); !errors.Is(err, errLost) || !errors.As(err, &e) || e.Code != Internal || s.shown.Len() > 0 {
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

// TestOutputOfInterface checks that a session of the engine interface announces wins when the facts
// about them are durable.
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
	if got := s.shown.String(); !strings.Contains(got, "log proved: win in at most 4\n") || len(s.tooEarly) > 0 {
		t.Errorf("shown is %q; too early: %q", got, s.tooEarly)
	}
}
