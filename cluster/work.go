package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/batch"
)

// WorkOptions say how to work.
type WorkOptions struct {
	Room
	Kinds     []Kind
	Version   string
	Signature string
	Inputs    Inputs
	Say       func(text string) // tells a person
}

// worker is a process that answers questions.
type worker struct {
	WorkOptions
	c       *Conn
	process string
	host    string
	start   time.Time
	seats   []*seat

	mu       sync.Mutex
	running  map[string]Running   // by number
	since    map[string]time.Time // when it began
	answered int
	told     map[string]bool
}

// Work answers questions until the context is done; then it hands back what it has begun. The error
// says why it can no longer work, such as that its key is refused.
func Work(ctx context.Context, c *Conn, o WorkOptions) error {
	w := &worker{WorkOptions: o, c: c, process: randomName(), start: time.Now(), running: map[string]Running{}, since: map[string]time.Time{}, told: map[string]bool{}}
	w.host, _ = os.Hostname()
	told, err := c.NATS.Subscribe(toldSubject(c.Key.Name), func(m *nats.Msg) { w.hear(string(m.Data)) })
	if err != nil {
		return err
	}
	defer told.Unsubscribe()
	call, err := c.NATS.Subscribe(callSubject, func(*nats.Msg) { w.sign(false) })
	if err != nil {
		return err
	}
	defer call.Unsubscribe()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-c.Done():
			cancel(c.Err())
		case <-ctx.Done():
		}
	}()
	var wait sync.WaitGroup
	for range max(o.Slots, 1) {
		w.seats = append(w.seats, &seat{worker: w})
	}
	for _, s := range w.seats {
		wait.Go(func() { s.work(ctx) })
	}
	w.live(ctx)
	wait.Wait()
	w.sign(true)
	c.NATS.FlushTimeout(beat)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// hear passes on, once, why this process gets no jobs. Other processes of the worker may get some.
func (w *worker) hear(text string) {
	process, why, _ := strings.Cut(text, " ")
	w.mu.Lock()
	news := process == w.process && !w.told[why] && len(w.told) < mostSaid
	if news {
		w.told[why] = true
	}
	w.mu.Unlock()
	if news {
		w.Say(why)
	}
}

// live gives signs of life until the context is done.
func (w *worker) live(ctx context.Context) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		w.sign(false)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// sign gives a sign of life.
func (w *worker) sign(leaving bool) {
	w.mu.Lock()
	a := Alive{
		Process: w.process, Host: w.host, Version: w.Version, Signature: w.Signature, Slots: max(w.Slots, 1), Memory: w.Memory,
		Answered: w.answered, Seconds: time.Since(w.start).Seconds(), Leaving: leaving, Running: []Running{},
	}
	for _, number := range slices.Sorted(maps.Keys(w.running)) {
		r := w.running[number]
		r.Seconds = time.Since(w.since[number]).Seconds()
		a.Running = append(a.Running, r)
	}
	w.mu.Unlock()
	if text, err := json.Marshal(a); err == nil && w.c.NATS.IsConnected() { // nobody hears old signs
		w.c.NATS.Publish(aliveSubject(w.c.Key.Name), text)
	}
}

// pause waits, or until the context is done.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// seat answers questions, one after another, with what it has made for the run of the last one.
type seat struct {
	*worker
	at       sync.Mutex // held while it answers a group
	made     string     // for which run and options
	answerer Answerer
}

// work answers one group after another.
func (s *seat) work(ctx context.Context) {
	for ctx.Err() == nil {
		m, err := s.c.Next(ctx)
		if err == nil {
			s.at.Lock()
			s.group(ctx, m)
			s.at.Unlock()
		} else {
			pause(ctx, beat/4)
		}
	}
}

// clear gives up what this seat, and those that are idle, have made for other runs than that of a
// key: the memory is needed.
func (s *seat) clear(key string) {
	s.answerer = nil
	for _, other := range s.seats {
		if other != s && other.at.TryLock() {
			if other.made != key {
				other.answerer = nil
			}
			other.at.Unlock()
		}
	}
}

// group answers a group of questions. It acknowledges the group when the answers are published, and
// gives it back if the context is done before.
func (s *seat) group(ctx context.Context, m jetstream.Msg) {
	var j job
	if err := unpack(m.Data(), &j); err != nil {
		s.Say(fmt.Sprintf("a job cannot be read: %v", err))
		m.Term()
		return
	}
	done, free := s.busy(ctx, &j, m)
	if !free {
		return // its time was over while the connection was lost; who has it acknowledges it
	}
	defer done()
	a := answers{}
	meta, err := m.Metadata()
	switch {
	case !s.fits(&j):
		a.Refused = true
	case err == nil && meta.NumDelivered > mostFailures:
		a.Died = true
	default:
		for _, q := range j.Questions {
			a.Answers = append(a.Answers, s.answer(ctx, &j, q))
			if ctx.Err() != nil {
				m.Nak()
				return
			}
		}
	}
	if err := s.publish(ctx, &j, a); err != nil {
		m.Nak()
		return
	}
	m.Ack()
	s.mu.Lock()
	s.answered += len(a.Answers)
	s.mu.Unlock()
	if a.Refused {
		pause(ctx, beat) // another process is to take it
	}
}

// fits reports whether this process can answer a group. The coordinator asks for another worker
// where none of its processes can; here, another process of the same worker can.
func (s *seat) fits(j *job) bool {
	if j.Signature != s.Signature {
		return false
	}
	for _, k := range s.Kinds {
		if need, err := k.Memory(j.Options); k.Name == j.Kind && err == nil {
			return need <= s.Memory
		}
	}
	return true // the answer says what is wrong
}

// busy says that a group is at work, until done is called; not if it is at work already.
func (s *seat) busy(ctx context.Context, j *job, m jetstream.Msg) (done func(), free bool) {
	s.mu.Lock()
	if _, twice := s.running[j.Number]; twice {
		s.mu.Unlock()
		return nil, false
	}
	s.running[j.Number] = Running{Run: j.Run, Number: j.Number}
	s.since[j.Number] = time.Now()
	s.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(redelivery / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.InProgress()
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		s.mu.Lock()
		delete(s.running, j.Number)
		delete(s.since, j.Number)
		s.mu.Unlock()
	}, true
}

// answer answers a question.
func (s *seat) answer(ctx context.Context, j *job, q question) (a answered) {
	a.ID = q.ID
	start := time.Now()
	bytes, err := s.try(ctx, j, q.Bytes)
	a.Seconds = time.Since(start).Seconds()
	if err != nil {
		a.Failed = err.Error()
		return a
	}
	a.Bytes = bytes
	return a
}

// try answers a question; a panic is an error.
func (s *seat) try(ctx context.Context, j *job, question []byte) (answer []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			s.answerer, s.made = nil, ""
			err = &batch.Panic{Value: v}
		}
	}()
	if key := j.Run + j.Kind + string(j.Options); s.answerer == nil || s.made != key {
		s.clear(key)
		i := slices.IndexFunc(s.Kinds, func(k Kind) bool { return k.Name == j.Kind })
		if i < 0 {
			return nil, fmt.Errorf("there is no kind of questions %q", j.Kind)
		}
		if s.answerer, err = s.Kinds[i].Open(ctx, j.Options, s.Room, s.Inputs); err != nil {
			return nil, err
		}
		s.made = key
	}
	return s.answerer.Answer(ctx, question)
}

// publish publishes answers, as often as it takes. Where they are too large to travel, they become
// errors. The error is that of the context.
func (s *seat) publish(ctx context.Context, j *job, a answers) error {
	subject := func(part int) string { return answerSubject(s.c.Key.Name, j.Run, j.Number, strconv.Itoa(part)) }
	parts, err := s.parts(subject, a)
	if err != nil {
		for i, x := range a.Answers {
			a.Answers[i] = answered{ID: x.ID, Seconds: x.Seconds, Failed: err.Error()}
		}
		if parts, err = s.parts(subject, a); err != nil {
			return err
		}
	}
	for n, part := range parts {
		for {
			limited, cancel := context.WithTimeout(ctx, 3*beat)
			_, err := s.c.JS.Publish(limited, subject(n), part)
			if cancel(); err == nil || isThere(err) {
				break
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			pause(ctx, beat/4)
		}
	}
	return nil
}

// parts returns answers as they travel.
func (s *seat) parts(subject func(part int) string, a answers) ([][]byte, error) {
	data, err := pack(a)
	if err != nil {
		return nil, err
	}
	return split(subject, data, int(s.c.NATS.MaxPayload())-1024, s.c.Key.Sign)
}

// isThere reports whether an error says that a message with the same subject waits already.
func isThere(err error) bool { return strings.Contains(err.Error(), "maximum messages per subject") }
