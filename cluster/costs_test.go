//go:build unix

package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// used returns the processor time of this process.
func used() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		panic("the system does not say how much time was used")
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// TestProcess is a process of [BenchmarkCosts]: a server or a worker. At each line of its input it
// prints the processor time that it has used.
func TestProcess(t *testing.T) {
	what, dir, _ := strings.Cut(os.Getenv("GOALPROOF_PROCESS"), " ")
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt)
	defer stop()
	each := func() {} // line
	switch what {
	case "":
		t.Skip("only BenchmarkCosts starts it")
	case "server":
		s, err := StartServer(dir, ServerOptions{Listen: "127.0.0.1:0"})
		require.NoError(t, err)
		defer s.Close()
	case "signs":
		c := connected(t, dir, KeyFile(dir, FirstWorker))
		each = func() {
			a := Alive{Process: "p", Signature: "s", Slots: 1, Memory: 1 << 20, Running: []Running{{Run: randomName(), Number: randomName()}}}
			for i := range signsOfCosts {
				a.Leaving = i == signsOfCosts-1
				text, err := json.Marshal(a)
				require.NoError(t, err)
				require.NoError(t, c.NATS.Publish(aliveSubject(FirstWorker), text))
			}
			require.NoError(t, c.NATS.Flush())
		}
	default:
		sleep, err := time.ParseDuration(what)
		require.NoError(t, err)
		c := connected(t, dir, KeyFile(dir, FirstWorker))
		go Work(ctx, c, WorkOptions{Room: Room{slotsOfCosts, 1 << 20}, Kinds: []Kind{thousands(sleep).kind()}, Signature: "s", Say: func(string) {}})
	}
	for {
		fmt.Printf("used %d\n", used())
		var line string
		if _, err := fmt.Scanln(&line); err != nil {
			return
		}
		each()
	}
}

// slotsOfCosts is how many questions the worker of [BenchmarkCosts] answers at the same time.
const slotsOfCosts = 32

// signsOfCosts is how many signs of life one worker gives there, as fast as it can.
const signsOfCosts = 20_000

// other is another process.
type other struct {
	t      testing.TB
	input  *os.File
	output *os.File
}

// start starts another process.
func start(t testing.TB, what, dir string) *other {
	t.Helper()
	in, input, err := os.Pipe()
	require.NoError(t, err)
	output, out, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0], "-test.run", "^TestProcess$")
	cmd.Env = append(os.Environ(), "GOALPROOF_PROCESS="+what+" "+dir)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, os.Stderr
	require.NoError(t, cmd.Start())
	in.Close()
	out.Close()
	t.Cleanup(func() {
		input.Close()
		cmd.Wait()
		output.Close()
	})
	o := &other{t, input, output}
	o.read()
	return o
}

// used returns the processor time that a process has used.
func (o *other) used() time.Duration {
	o.t.Helper()
	fmt.Fprintln(o.input, "used")
	return o.read()
}

func (o *other) read() (d time.Duration) {
	o.t.Helper()
	if _, err := fmt.Fscanf(o.output, "used %d\n", &d); err != nil {
		o.t.Fatalf("a process does not say how much time it has used: %v", err)
	}
	return d
}

// begin begins a run with a server in another process.
func begin(b *testing.B, dir string, k Kind) *Run {
	b.Helper()
	r, err := Begin(b.Context(), connected(b, dir, ""), RunOptions{
		Dir: filepath.Join(b.TempDir(), "run"), Kind: k, Signature: "s", Memory: 1 << 20, Say: func(text string) { b.Log(text) },
	})
	require.NoError(b, err)
	return r
}

// thousands is a kind of questions whose answers are a thousand bytes that do not compress.
type thousands time.Duration

func (s thousands) kind() Kind {
	k := squares{}.kind()
	k.Open = func(context.Context, []byte, Room, Inputs) (Answerer, error) { return s, nil }
	return k
}

func (s thousands) Answer(ctx context.Context, q []byte) ([]byte, error) {
	if s > 0 {
		pause(ctx, time.Duration(s))
	}
	return thousand(q), ctx.Err()
}

// thousand returns a thousand bytes that depend on a question.
func thousand(q []byte) []byte {
	a := make([]byte, 1000)
	rand.NewChaCha8(sha256.Sum256(q)).Read(a)
	return a
}

// spent is what a run has taken for each question.
type spent struct {
	server, coordinator, worker float64 // processor time in microseconds
	groups                      float64
}

// spend has questions answered by a worker in another process, through a server in a third.
func spend(b *testing.B, sleep time.Duration, questions int) spent {
	b.Helper()
	dir := b.TempDir()
	s, w := start(b, "server", dir), start(b, sleep.String(), dir)
	r := begin(b, dir, thousands(sleep).kind())
	d := newDesk(r, func(_, _ []byte) error { return nil })
	server, worker, here := s.used(), w.used(), used()
	ended := make(chan error, 1)
	go func() { ended <- d.run(b.Context(), independent(upTo(questions))) }()
	for range d.out {
	}
	require.NoError(b, <-ended)
	each := func(d time.Duration) float64 { return microseconds(d) / float64(questions) }
	all := spent{each(s.used() - server), each(used() - here), each(w.used() - worker), float64(d.plan.next) / float64(questions)}
	require.NoError(b, r.Close())
	return all
}

func microseconds(d time.Duration) float64 { return d.Seconds() * 1e6 }

// BenchmarkCosts measures the [Costs] of a cluster, in microseconds, of a server, a coordinator and
// a worker that are processes of their own. Processor time is what the system says that a process
// has used, which other programs on the machine change little. The costs of a group and of a
// question follow from two runs: one with a group for each question, which takes 50 ms, and one
// with more questions in a group, which take no time. Answers have a thousand bytes.
func BenchmarkCosts(b *testing.B) {
	for b.Loop() {
		record := costOfRecord(b)
		one, many := spend(b, groupTime, 2000), spend(b, 0, 20_000)
		report := func(group, question string, one1, many1, less float64) {
			cost := (one1 - many1) / (one.groups - many.groups)
			b.ReportMetric(cost, group)
			b.ReportMetric(max(0, many1-cost*many.groups-less), question)
		}
		report("ServerGroup", "ServerQuestion", one.server, many.server, 0)
		report("Group", "Question", one.coordinator, many.coordinator, record)
		report("WorkerGroup", "WorkerQuestion", one.worker, many.worker, 0)
		costOfSigns(b)
		b.ReportMetric(0, "ns/op")
	}
}

// costOfRecord measures the record, and returns the processor time that an answer takes there in
// microseconds. A transaction waits for the disk: of such times the median is reported.
func costOfRecord(b *testing.B) float64 {
	b.Helper()
	r, err := openRecord(b.Context(), b.TempDir(), "about")
	require.NoError(b, err)
	const many = 100
	n := 0
	commit := func(answers, times int) (median float64) {
		var took []float64
		for range times {
			var entries []entry
			for range answers {
				n++
				q := binary.BigEndian.AppendUint64(nil, uint64(n))
				a := thousand(q)
				entries = append(entries, entry{id: idOf(q), question: make([]byte, 300), kept: kept{worker: "w1"}, bytes: a})
			}
			start := time.Now()
			require.NoError(b, r.add(b.Context(), entries))
			took = append(took, microseconds(time.Since(start)))
		}
		slices.Sort(took)
		return took[len(took)/2]
	}
	one := commit(1, 300)
	before := used()
	all := commit(many, 50)
	keeping := microseconds(used()-before) / (50 * many)
	before = used()
	for id := range r.have {
		_, err := r.get(b.Context(), id)
		require.NoError(b, err)
	}
	reading := microseconds(used()-before) / float64(len(r.have))
	b.ReportMetric(one, "Commit")
	b.ReportMetric((all-one)/(many-1), "Keep")
	b.ReportMetric(reading, "Deliver")
	require.NoError(b, r.close())
	return keeping + reading
}

// costOfSigns measures signs of life.
func costOfSigns(b *testing.B) {
	b.Helper()
	dir := b.TempDir()
	s, w := start(b, "server", dir), start(b, "signs", dir)
	ctx, cancel := context.WithCancel(b.Context())
	d := newDesk(begin(b, dir, thousands(0).kind()), checkSquare)
	ended := make(chan error)
	go func() { ended <- d.run(ctx, independent(upTo(1))) }()
	d.tell(ctx, func(context.Context) error { return nil }) // it hears from now on
	server, here := s.used(), used()
	w.used() // it gives the signs
	for gone := false; !gone; time.Sleep(time.Millisecond) {
		d.tell(ctx, func(context.Context) error {
			c := d.plan.crews[FirstWorker]
			gone = c != nil && len(c.processes) == 0
			return nil
		})
	}
	b.ReportMetric(microseconds(s.used()-server)/signsOfCosts, "Sign")
	b.ReportMetric(microseconds(used()-here)/signsOfCosts, "Heard")
	cancel()
	<-ended
	require.NoError(b, d.Close())
}
