package aei

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/player"
)

// fake is an engine that plays the first turn it finds, when the context is cancelled or
// the depth is reached.
type fake struct {
	t        rapid.TB
	settings player.Settings
	busy     atomic.Bool
	forgot   atomic.Int32
	ends     func() bool // asked before it waits for the context: does it end by itself?

	mu       sync.Mutex
	searches []searched
}

// searched is the request that a search got.
type searched struct {
	position string
	length   int // of the game
	limits   engine.Limits
	settings player.Settings
}

func (f *fake) Forget() {
	if f.busy.Load() {
		f.t.Error("Forget during a search")
	}
	f.forgot.Add(1)
}

func (f *fake) Search(ctx context.Context, g *arimaa.Game, l engine.Limits, report func(engine.Report)) (engine.Report, error) {
	if f.busy.Swap(true) {
		f.t.Error("two searches at the same time")
	}
	defer f.busy.Store(false)
	f.mu.Lock()
	f.searches = append(f.searches, searched{g.Last().String(), g.Len(), l, f.settings})
	f.mu.Unlock()
	r := engine.Report{Turn: firstTurn(g)}
	if r.Turn.Len() == 0 {
		return r, errors.New("no turn is allowed")
	}
	r.Line = []arimaa.Turn{r.Turn}
	for r.Depth < max(l.Depth, 3) {
		r.Depth++
		r.Nodes += 100
		report(r)
	}
	if l.Depth == 0 && (f.ends == nil || !f.ends()) {
		<-ctx.Done()
	}
	return r, nil
}

func (f *fake) asked() []searched {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]searched(nil), f.searches...)
}

// firstTurn returns the first turn that no repetition forbids.
func firstTurn(g *arimaa.Game) arimaa.Turn {
	p := g.Last()
	var gen arimaa.Generator
	for i := range gen.Generate(&p) {
		if g.Occurrences(gen.Board(i), p.Side().Other()) < 2 {
			return gen.Turn(i)
		}
	}
	return arimaa.Turn{}
}

// config is a configuration with a fake engine.
func config(f *fake) Config {
	return Config{
		Version:  "v0",
		Settings: player.Settings{Threads: 1, Memory: 64 << 20},
		Check: func(s player.Settings) error {
			if s.Threads > 8 || s.Memory > 1<<30 || s.Without == "everything" {
				return errors.New("that is too much")
			}
			return nil
		},
		New: func(s player.Settings) (player.Player, error) {
			if f.busy.Load() {
				f.t.Error("a new engine during a search")
			}
			f.settings = s
			return f, nil
		},
		Random: rand.New(rand.NewPCG(1, 2)),
	}
}

// converse runs a session whose input is known from the start, and returns its output
// without info lines.
func converse(t rapid.TB, f *fake, input string) (lines []string, err error) {
	t.Helper()
	var out strings.Builder
	err = Serve(context.Background(), strings.NewReader(input), &out, config(f))
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "info ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines, err
}

// serve runs a session with an engine, whose input after aei is known from the start, and returns
// its output.
func serve(t testing.TB, e player.Player, input string) (string, error) {
	t.Helper()
	c := config(&fake{t: t})
	c.New = func(player.Settings) (player.Player, error) { return e, nil }
	var out strings.Builder
	err := Serve(t.Context(), strings.NewReader("aei\n"+input), &out, c)
	return out.String(), err
}

// opened is the answer to aei.
var opened = []string{
	"protocol-version 1", "id name goalproof", "id author the authors of goalproof", "id version v0", "aeiok",
}

// controller drives a session that runs beside the test.
type controller struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string // of the output
	done  chan error
	fake  *fake
}

// control starts a session, with aei answered.
func control(t testing.TB, f *fake) *controller {
	t.Helper()
	return controlWith(t, f, config(f))
}

// controlWith starts a session of a configuration.
func controlWith(t testing.TB, f *fake, config Config) *controller {
	t.Helper()
	in, w := io.Pipe()
	r, out := io.Pipe()
	c := &controller{t, w, make(chan string, 1<<16), make(chan error, 1), f}
	go func() {
		err := Serve(t.Context(), in, out, config)
		out.Close()
		in.Close()
		c.done <- err
	}()
	go func() {
		defer close(c.lines)
		for s := bufio.NewScanner(r); s.Scan(); {
			c.lines <- s.Text()
		}
	}()
	t.Cleanup(func() { w.Close() })
	c.send("aei")
	c.expect("aeiok")
	return c
}

// send sends lines.
func (c *controller) send(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatalf("sending %q: %v", lines, err)
	}
}

// patience is how long a test waits for what must come: far longer than it takes.
const patience = 30 * time.Second

// expect returns the next line that begins with a prefix, and those before it.
func (c *controller) expect(prefix string) (line string, before []string) {
	c.t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("the output ended before %q, after %q", prefix, before)
			}
			if strings.HasPrefix(line, prefix) {
				return line, before
			}
			before = append(before, line)
		case <-timeout:
			c.t.Fatalf("%q did not come, only %q", prefix, before)
		}
	}
}

// ends returns how the session ended.
func (c *controller) ends() error {
	c.t.Helper()
	select {
	case err := <-c.done:
		return err
	case <-time.After(patience):
		c.t.Fatal("the session does not end")
		return nil
	}
}

// quit ends the session, which must have gone well.
func (c *controller) quit() {
	c.t.Helper()
	c.send("quit")
	if err := c.ends(); err != nil {
		c.t.Fatalf("the session ended with %v", err)
	}
}

const (
	goldSetup   = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2"
	silverSetup = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7"
	inOpening   = "setposition g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]"
)
