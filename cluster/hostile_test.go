package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/testkit/require"
)

// deskOf makes a run with its desk, on which nothing happens by itself.
func (f *farm) deskOf(trust Trust) *desk {
	r := f.begin(filepath.Join(f.t.TempDir(), "run"), trust, squares{}.kind())
	f.t.Cleanup(func() { r.record.close() })
	return newDesk(r, checkSquare)
}

// opinionOf is what a worker answers.
func opinionOf(worker string, answer []byte) opinion {
	return opinion{worker: worker, bytes: answer}
}

// TestCaughtAtOnce has a worker caught by one of several groups of answers that arrive together:
// those that were taken before are dropped like those that were kept long ago.
func TestCaughtAtOnce(t *testing.T) {
	f := newFarm(t)
	d := f.deskOf(Trusted)
	var ids []string
	for q := range upTo(3) {
		d.take(q)
		ids = append(ids, idOf(q))
	}
	for _, a := range d.plan.open {
		a.second = false
	}
	d.plan.crew("liar").answered = 1 // the first one is given twice
	lie := []byte("12345678")
	d.arrived <- arrived{worker: "liar", number: "2", answers: []judged{{id: ids[1], opinion: opinionOf("liar", lie)}}}
	d.arrived <- arrived{worker: "liar", number: "3", lie: "its answers cannot be read"}
	require.NoError(t, d.accept(context.Background(), arrived{worker: "liar", number: "1", answers: []judged{{id: ids[0], opinion: opinionOf("liar", lie)}}}))
	if len(d.record.have) > 0 {
		t.Errorf("answers of a worker that was caught are kept: %v", d.record.have)
	}
	if len(d.plan.open) != 3 {
		t.Errorf("%d questions are open, want 3", len(d.plan.open))
	}
}

// TestDoubtEnds has a worker contradict another one on several questions. When the coordinator has
// answered the first of them, the liar is known, and workers give their opinion on the others.
func TestDoubtEnds(t *testing.T) {
	f := newFarm(t)
	d := f.deskOf(Untrusted)
	var ids []string
	for q := range upTo(4) {
		d.take(q)
		ids = append(ids, idOf(q))
	}
	give := func(worker string, answer func(n uint64) []byte, ids []string) {
		t.Helper()
		a := arrived{worker: worker, number: worker}
		for n, id := range ids {
			a.answers = append(a.answers, judged{id: id, opinion: opinionOf(worker, answer(uint64(n)))})
		}
		require.NoError(t, d.accept(t.Context(), a))
	}
	give("liar", func(uint64) []byte { return []byte("12345678") }, ids)
	give("honest", square, ids[:3])
	if len(d.toAnswer) != 3 {
		t.Fatalf("%d questions are in doubt, want 3", len(d.toAnswer))
	}
	d.toAnswer = d.toAnswer[1:]
	require.NoError(t, d.acceptOwn(t.Context(), ids[0], opinion{bytes: square(0)}))
	if d.plan.shut["liar"] == "" || len(d.toAnswer) > 0 || len(d.plan.waiting) != 3 {
		t.Errorf("shut out: %v; the coordinator answers %d questions, %d wait for workers", d.plan.shut, len(d.toAnswer), len(d.plan.waiting))
	}
	give("another", square, ids)
	if len(d.record.have) != 3 || len(d.plan.open) != 1 {
		t.Errorf("%d answers, and %d questions are open", len(d.record.have), len(d.plan.open))
	}
}

// signedAnswers returns a message with answers of a worker, and its subject.
func signedAnswers(t *testing.T, key Key, run, number string, data []byte) (subject string, message []byte) {
	subject = answerSubject(key.Name, run, number, "0")
	parts, err := split(func(int) string { return subject }, data, 1<<20, key.Sign)
	require.NoError(t, err)
	return subject, parts[0]
}

// onlyMessage returns the only message that waits for a run.
func onlyMessage(t *testing.T, r *Run) jetstream.Msg {
	t.Helper()
	c, err := r.consumer(soon(t))
	require.NoError(t, err)
	m, err := c.Next(jetstream.FetchContext(soon(t)))
	require.NoError(t, err)
	return m
}

// TestKeysUnknown has the keys of the workers be asked for in vain when an answer comes: it is not
// lost.
func TestKeysUnknown(t *testing.T) {
	f := newFarm(t)
	d := f.deskOf(Trusted)
	key, err := NewKey("late") // the run has asked for the keys before
	require.NoError(t, err)
	require.NoError(t, d.c.Add(soon(t), key))
	data, err := pack(answers{})
	require.NoError(t, err)
	subject, message := signedAnswers(t, key, d.record.run, "1", data)
	_, err = d.c.JS.Publish(soon(t), subject, message)
	require.NoError(t, err)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if a := d.collect(t.Context(), map[string]*arrival{}, onlyMessage(t, d.Run)); a != nil {
		t.Fatal("an answer is believed of a worker that was added just now")
	}
	d.keys.asked = time.Time{}
	if a := d.collect(cancelled, map[string]*arrival{}, onlyMessage(t, d.Run)); a != nil {
		t.Fatal("an answer is believed of which nobody knows who has signed it")
	}
	d.keys.asked = time.Time{}
	if a := d.collect(t.Context(), map[string]*arrival{}, onlyMessage(t, d.Run)); a == nil || a.lie != "" {
		t.Errorf("the answer comes again as %+v", a)
	}
}

// TestCutShort interrupts the check of an answer: the answer stays at the server, so that the
// command that continues the run has it.
func TestCutShort(t *testing.T) {
	f := newFarm(t)
	ctx, cancel := context.WithCancel(t.Context())
	d := f.deskOf(Trusted)
	d.check = func(_, _ []byte) error {
		cancel()
		return context.Canceled
	}
	q := slices.Collect(upTo(1))[0]
	d.take(q)
	data, err := pack(answers{Answers: answerList{{ID: idOf(q), Bytes: square(0)}}})
	require.NoError(t, err)
	if r, whole := d.examine(ctx, arrival{worker: FirstWorker, number: "1", parts: [][]byte{data}}); whole {
		t.Errorf("the answers count, although their check did not end: %+v", r)
	}
}

// TestBoast has a worker say that its answers took years, or less than nothing: no more is believed
// than the age of the run.
func TestBoast(t *testing.T) {
	f := newFarm(t)
	d := f.deskOf(Trusted)
	q := slices.Collect(upTo(1))[0]
	d.take(q)
	for _, seconds := range []float64{1e9, 1e300, -1e300} {
		data, err := pack(answers{Answers: answerList{{ID: idOf(q), Seconds: seconds, Bytes: square(0)}}})
		require.NoError(t, err)
		r, _ := d.examine(t.Context(), arrival{worker: FirstWorker, number: "1", parts: [][]byte{data}})
		if a := r.answers[0]; a.seconds < 0 || a.seconds > d.now().Seconds() || a.opinion.took < 0 || a.opinion.took > d.now() {
			t.Errorf("%v seconds are taken for %v, and %v", seconds, a.seconds, a.opinion.took)
		}
	}
}

// TestManyAnswers sends a short message that unpacks to many answers: it is refused, before it takes
// much memory.
func TestManyAnswers(t *testing.T) {
	const size = 32 << 20
	text := []byte(`{"answers":[` + strings.Repeat("{},", size/3) + "{}]}")
	data := packer.EncodeAll(text, nil)
	text = nil
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var a answers
	err := unpack(data, &a)
	runtime.ReadMemStats(&after)
	if want := fmt.Sprintf("more than %d answers", mostInGroup); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%d bytes unpack to %d answers, %v", len(data), len(a.Answers), err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 4*size {
		t.Errorf("they took %d MiB", took>>20)
	}
	for _, bad := range []string{`{"answers":3}`, `{"answers":{"x":1}}`, `{"answers":[3]}`, `{"answers":["x"]}`, `{"answers":[{}`, `[]`} {
		if err := unpack(packer.EncodeAll([]byte(bad), nil), &answers{}); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	var good answers
	whole := answers{Answers: slices.Repeat(answerList{{ID: "id", Seconds: 2, Bytes: bytes.Repeat([]byte("x"), 100)}}, mostInGroup)}
	data, err = pack(whole)
	require.NoError(t, err)
	require.NoError(t, unpack(data, &good))
	if len(good.Answers) != mostInGroup || string(good.Answers[9].Bytes) != strings.Repeat("x", 100) {
		t.Errorf("%d answers", len(good.Answers))
	}
}

// noisy yields questions for squares, with bytes behind the number that cannot be packed.
func noisy(lengths ...int) [][]byte {
	random := rand.NewChaCha8([32]byte{})
	var all [][]byte
	for n, length := range lengths {
		q := binary.BigEndian.AppendUint64(nil, uint64(n))
		noise := make([]byte, length)
		random.Read(noise)
		all = append(all, append(q, noise...))
	}
	return all
}

// TestLargeQuestions puts questions to a server that takes small messages: groups get fewer of
// them, and what no message holds the coordinator answers itself.
func TestLargeQuestions(t *testing.T) {
	f := farmIn(t, t.TempDir(), ServerOptions{Limits: Limits{Message: 64 << 10}})
	f.work(FirstWorker, squares{}.kind(), 1)
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind())
	questions := noisy(append(slices.Repeat([]int{20 << 10}, 200), 200<<10)...)
	got := 0
	for a := range r.Ask(deadline(t, time.Minute), slices.Values(questions), checkSquare) {
		if a.Err != nil || !bytes.Equal(a.Bytes, square(uint64(got))) {
			t.Fatalf("answer %d: %x, %v", got, a.Bytes, a.Err)
		}
		got++
	}
	if got != len(questions) {
		t.Errorf("%d answers, want %d", got, len(questions))
	}
	require.NoError(t, r.Close())
}

// deadline returns a context for something that may take some time.
func deadline(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// TestLargeAnswer has an answer be larger than all messages that one may have: the worker says so,
// and the coordinator answers the question.
func TestLargeAnswer(t *testing.T) {
	f := farmIn(t, t.TempDir(), ServerOptions{Limits: Limits{Message: 64 << 10}})
	noise := noisy(mostParts * 64 << 10)[0]
	k := squares{lie: func(n uint64) ([]byte, error) {
		if n == 3 {
			return noise, nil
		}
		return nil, nil
	}}.kind()
	f.work(FirstWorker, k, 1)
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, k)
	got := 0
	for a := range r.Ask(deadline(t, time.Minute), upTo(10), func(_, _ []byte) error { return nil }) {
		if want := map[bool][]byte{true: noise, false: square(uint64(got))}[got == 3]; a.Err != nil || !bytes.Equal(a.Bytes, want) {
			t.Fatalf("answer %d: %d bytes, %v", got, len(a.Bytes), a.Err)
		}
		got++
	}
	if got != 10 {
		t.Errorf("%d answers", got)
	}
	require.NoError(t, r.Close())
}

// TestMixedProcesses has processes that share a key, of which most are of another version or have
// too little memory: the others answer, and nobody is taken for dead.
func TestMixedProcesses(t *testing.T) {
	f := newFarm(t)
	key := KeyFile(f.dir, FirstWorker)
	for _, o := range []WorkOptions{{Signature: "old", Room: Room{Memory: 1 << 20}}, {Signature: "old", Room: Room{Memory: 1 << 20}}, {Signature: "s", Room: Room{Memory: 1 << 10}}} {
		o.Slots, o.Version, o.Kinds = 2, "v", []Kind{squares{}.kind()}
		f.process(connected(t, f.s.Address(), key), o)
	}
	f.work(FirstWorker, squares{}.kind(), 1)
	wholly(t, f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind()), 500)
}

// TestDeliveredTwice hands a group that a process has at work to another of its slots, as the server
// does when it has not heard of it for long: it is answered once.
func TestDeliveredTwice(t *testing.T) {
	f := newFarm(t)
	boss := connected(t, f.dir, "")
	c := connected(t, f.s.Address(), KeyFile(f.dir, FirstWorker))
	q := slices.Collect(upTo(1))[0]
	data, err := pack(job{Run: "run", Number: "1", Kind: "squares", Signature: "s", Questions: []question{{idOf(q), q}}})
	require.NoError(t, err)
	_, err = boss.JS.Publish(soon(t), jobSubject(FirstWorker, "run", "1"), data)
	require.NoError(t, err)
	m, err := c.Next(soon(t))
	require.NoError(t, err)
	began, goOn := make(chan struct{}, 2), make(chan struct{})
	k := squares{lie: func(uint64) ([]byte, error) {
		began <- struct{}{}
		<-goOn
		return nil, nil
	}}.kind()
	w := &worker{WorkOptions: WorkOptions{Room: Room{Memory: 1 << 20}, Kinds: []Kind{k}, Signature: "s"}, c: c, running: map[string]Running{}, since: map[string]time.Time{}}
	first := make(chan struct{})
	go func() {
		(&seat{worker: w}).group(t.Context(), m)
		close(first)
	}()
	<-began
	(&seat{worker: w}).group(soon(t), m)
	if len(w.running) != 1 {
		t.Errorf("the process says that it has %d groups at work", len(w.running))
	}
	close(goOn)
	<-first
	if len(began) > 0 || w.answered != 1 || len(w.running) > 0 {
		t.Errorf("%d answers, and %d groups at work", w.answered, len(w.running))
	}
}

// TestRevokedAtOnce ends a run just when a worker is shut out: its key is revoked all the same.
func TestRevokedAtOnce(t *testing.T) {
	f := newFarm(t)
	f.work("liar", squares{lie: func(uint64) ([]byte, error) { return []byte("?"), nil }}.kind(), 1)
	c := connected(t, f.dir, "")
	ctx, cancel := context.WithCancel(deadline(t, 30*time.Second))
	defer cancel()
	r, err := Begin(ctx, c, RunOptions{Dir: filepath.Join(t.TempDir(), "run"), Kind: squares{}.kind(), Signature: "s", Memory: 1 << 20, Say: func(text string) {
		if strings.Contains(text, "worker liar is shut out") {
			cancel()
		}
	}})
	require.NoError(t, err)
	for a := range r.Ask(ctx, upTo(10), checkSquare) {
		t.Errorf("an answer: %x", a.Bytes)
	}
	c.Close()
	require.NoError(t, r.Close())
	all, err := connected(t, f.dir, "").Workers(soon(t))
	require.NoError(t, err)
	if len(all) != 2 || !all[1].Revoked {
		t.Errorf("the workers are %+v", all)
	}
}

// TestSigns gives signs of life that no honest process gives: they take no memory.
func TestSigns(t *testing.T) {
	good := Alive{Process: "p", Host: "host", Version: "v", Signature: "s", Slots: 2, Running: []Running{{Run: "run", Number: "1"}}}
	long := strings.Repeat("x", mostName+1)
	for name, change := range map[string]func(a *Alive){
		"":                   func(*Alive) {},
		"no process":         func(a *Alive) { a.Process = "" },
		"a process of words": func(a *Alive) { a.Process = "p q" },
		"a long process":     func(a *Alive) { a.Process = long },
		"a long host":        func(a *Alive) { a.Host = long },
		"a long version":     func(a *Alive) { a.Version = long },
		"a long signature":   func(a *Alive) { a.Signature = long },
		"no slots":           func(a *Alive) { a.Slots = 0 },
		"many slots":         func(a *Alive) { a.Slots = mostSlots + 1 },
		"more than it can":   func(a *Alive) { a.Running = slices.Repeat(a.Running, 3) },
		"a long run":         func(a *Alive) { a.Running = []Running{{Run: long, Number: "1"}} },
		"a long number":      func(a *Alive) { a.Running = []Running{{Run: "run", Number: long}} },
	} {
		a := good
		change(&a)
		text, err := json.Marshal(a)
		require.NoError(t, err)
		if _, ok := readAlive(text); ok != (name == "") {
			t.Errorf("%q is heard: %v", name, ok)
		}
	}
	if _, ok := readAlive([]byte(`{"process":"p","slots":1,"` + strings.Repeat("x", mostAlive) + `":1}`)); ok {
		t.Error("a long message is heard")
	}
	l, p := newAliveList(), newPlan(Trusted, nil)
	for i := range 3 * mostProcesses {
		a := Alive{Process: fmt.Sprint("p", i), Slots: 1}
		l.hear("liar", a)
		p.heard(0, "liar", a)
	}
	l.hear("honest", good)
	if n, m, k := len(l.of("liar")), len(l.of("honest")), len(p.crews["liar"].processes); n != mostProcesses || m != 1 || k != mostProcesses {
		t.Errorf("%d processes of a liar, %d of another; the plan has %d", n, m, k)
	}
	for _, of := range l.heard {
		for name, x := range of {
			x.at = x.at.Add(-2 * silence)
			of[name] = x
		}
	}
	l.forgot = time.Time{}
	l.hear("new", good)
	if len(l.heard) != 1 {
		t.Errorf("those that are gone are kept: %d", len(l.heard))
	}
}

// TestTalkative has a worker be of another version each time: a person is told some of that, and of
// what matters all the same.
func TestTalkative(t *testing.T) {
	f := newFarm(t)
	d := f.deskOf(Trusted)
	said := 0
	d.Say = func(string) { said++ }
	for i := range 2 * mostSaid {
		d.meet(heard{"liar", Alive{Process: "p", Version: fmt.Sprint(i), Slots: 1}})
	}
	d.say(true, "something that matters")
	if said != mostSaid+1 {
		t.Errorf("%d times something is said", said)
	}
}

// TestBackupWhileWaiting has a worker keep what it gets, while a question waits for its opinion
// alone: the other worker, which has nothing to do, answers the rest at once.
func TestBackupWhileWaiting(t *testing.T) {
	p := newPlan(Trusted, func(string) bool { return false })
	alive := func(now time.Duration) {
		for _, name := range []string{"honest", "mute"} {
			a := Alive{Process: name, Slots: 1}
			for number := range p.crew(name).groups {
				a.Running = append(a.Running, Running{Number: number})
			}
			p.heard(now, name, a)
		}
		p.tick(now)
	}
	for n := range 5 {
		p.add(&ask{n: n, id: fmt.Sprint(n), question: []byte("?")})
	}
	now := time.Duration(0)
	for ; len(p.open) > 1 && now < time.Hour; now += time.Second {
		alive(now)
		for _, g := range p.assign(now) {
			if p.sent(g, now); g.worker != "honest" {
				continue
			}
			for _, a := range g.asks {
				p.answered("honest", a.id, opinionOf("honest", []byte("truth")), 0.01, false)
			}
			p.finished("honest", g.number, now)
		}
	}
	if now > 4*silence {
		t.Errorf("the honest worker waits for %v", now)
	}
}

// TestIdleSeats has a process answer the questions of a run, and then those of another one: a seat that
// is idle gives up what it has made for the first, one at work does not.
func TestIdleSeats(t *testing.T) {
	w := &worker{WorkOptions: WorkOptions{Kinds: []Kind{squares{}.kind()}}}
	for range 3 {
		w.seats = append(w.seats, &seat{worker: w})
	}
	answer := func(s *seat, run string) {
		s.at.Lock()
		defer s.at.Unlock()
		_, err := s.try(t.Context(), &job{Run: run, Kind: "squares"}, slices.Collect(upTo(1))[0])
		require.NoError(t, err)
	}
	for _, s := range w.seats {
		answer(s, "first")
	}
	idle, busy, next := w.seats[0], w.seats[1], w.seats[2]
	busy.at.Lock()
	answer(next, "second")
	busy.at.Unlock()
	if idle.answerer != nil || busy.answerer == nil || next.answerer == nil {
		t.Errorf("kept are: %v by the idle one, %v by the busy one, %v by the next one", idle.answerer, busy.answerer, next.answerer)
	}
	answer(idle, "second")
	answer(busy, "second")
	if idle.answerer == nil || next.answerer == nil {
		t.Error("what was made for the same run is given up")
	}
}

// TestLongReason has a worker shut out for a reason that is longer than any message: its key is revoked
// all the same, and a person can read why.
func TestLongReason(t *testing.T) {
	f := newFarm(t)
	f.work(FirstWorker, squares{}.kind(), 1)
	f.work("liar", squares{}.kind(), 1)
	r := f.begin(filepath.Join(t.TempDir(), "run"), Untrusted, squares{}.kind())
	var once sync.Once
	for range r.Ask(deadline(t, time.Minute), upTo(20), func(q, a []byte) (err error) {
		once.Do(func() { err = errors.New(strings.Repeat("é", 20<<20)) })
		return err
	}) {
	}
	require.NoError(t, r.Close())
	all, err := connected(t, f.dir, "").Workers(t.Context())
	require.NoError(t, err)
	revoked := 0
	for _, w := range all {
		if w.Revoked {
			revoked++
		}
	}
	if len(r.record.shut) != 1 || revoked != 1 {
		t.Errorf("%d workers are shut out, and %d keys are revoked", len(r.record.shut), revoked)
	}
	for _, why := range r.record.shut {
		if len(why) > 1000 || !utf8.ValidString(why) {
			t.Errorf("the reason has %d bytes, valid: %v", len(why), utf8.ValidString(why))
		}
	}
}
