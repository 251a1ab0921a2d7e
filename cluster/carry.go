package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/batch"
)

// publishers is how many groups are put at the same time: each waits a round trip for the server.
const publishers = 32

// publish puts groups of questions.
func (d *desk) publish(ctx context.Context) {
	for {
		var g *group
		select {
		case g = <-d.puts:
		case subject := <-d.stale:
			d.purge(ctx, jobsStream, subject)
			continue
		case <-ctx.Done():
			return
		}
		err := d.put(ctx, g)
		large := errors.Is(err, nats.ErrMaxPayload)
		there := err == nil || isThere(err)
		if !there && !large {
			pause(ctx, beat/2)
		}
		d.tell(ctx, func(context.Context) error {
			switch {
			case there:
				d.plan.sent(g, d.now())
			case large:
				d.tooLarge(g)
			case d.plan.groups[g.number] == g:
				d.plan.back(g)
			}
			return nil
		})
	}
}

// tooLarge does what follows if the server does not take a group, since it is too large.
func (d *desk) tooLarge(g *group) {
	if a := d.plan.tooLarge(g); a != nil {
		d.say(true, "a question is larger than the messages that the server takes, so this machine answers it: goalproof serve --max-message allows larger ones")
		d.toAnswer = append(d.toAnswer, a)
	}
}

// put puts a group, and makes the consumer of its worker.
func (d *desk) put(ctx context.Context, g *group) error {
	ctx, cancel := context.WithTimeout(ctx, 3*beat)
	defer cancel()
	if err := d.consumerOf(ctx, g.worker); err != nil {
		return err
	}
	j := job{Run: d.record.run, Number: g.number, Kind: d.Kind.Name, Signature: d.Signature, Options: d.Options}
	for _, a := range g.asks {
		j.Questions = append(j.Questions, question{a.id, a.question})
	}
	data, err := pack(j)
	if err != nil {
		return err
	}
	_, err = d.c.JS.Publish(ctx, jobSubject(g.worker, d.record.run, g.number), data)
	if err != nil {
		d.mu.Lock()
		clear(d.consumers) // they may be gone with the stream
		d.mu.Unlock()
	}
	return err
}

// consumerOf makes the consumer of a worker's jobs, unless this process has.
func (d *desk) consumerOf(ctx context.Context, worker string) error {
	d.mu.Lock()
	made := d.consumers[worker]
	d.mu.Unlock()
	if made {
		return nil
	}
	_, err := d.c.JS.CreateOrUpdateConsumer(ctx, jobsStream, jobsConsumer(worker))
	if err == nil {
		d.mu.Lock()
		d.consumers[worker] = true
		d.mu.Unlock()
	}
	return err
}

// look asks the server every four seconds which groups it has.
func (d *desk) look(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, 2*beat)
		limited, cancel := context.WithTimeout(ctx, 2*beat)
		numbers, err := d.numbers(limited)
		cancel()
		if err != nil {
			d.mu.Lock()
			clear(d.consumers)
			d.mu.Unlock()
			continue
		}
		d.tell(ctx, func(context.Context) error {
			d.plan.missing(func(number string) bool { return numbers[number] }, d.now())
			return nil
		})
	}
}

// numbers returns the numbers of the groups that the server has, or the answers to them: these are
// asked for last, since a worker publishes them before it acknowledges the group.
func (d *desk) numbers(ctx context.Context) (map[string]bool, error) {
	numbers := map[string]bool{}
	for _, at := range []struct{ stream, subject string }{
		{jobsStream, jobSubject("*", d.record.run, "*")}, {answersStream, answerSubject("*", d.record.run, "*", "*")},
	} {
		s, err := d.c.JS.Stream(ctx, at.stream)
		if err != nil {
			return nil, err
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(at.subject))
		if err != nil {
			return nil, err
		}
		for subject := range info.State.Subjects { // goalproof.job.WORKER.RUN.NUMBER
			if words := strings.Split(subject, "."); len(words) > 4 {
				numbers[words[4]] = true
			}
		}
	}
	return numbers, nil
}

// receive takes answers from the server until the context is done, from when it may begin. The
// questions are put when the answers that an earlier process has left are taken.
func (d *desk) receive(ctx context.Context, begin <-chan struct{}) {
	select {
	case <-begin:
	case <-ctx.Done():
		return
	}
	unchecked := make(chan arrival)
	var wait sync.WaitGroup
	for range checkers() {
		wait.Go(func() { d.examineAll(ctx, unchecked) })
	}
	defer wait.Wait()
	defer close(unchecked)
	parts := map[string]*arrival{}
	for ctx.Err() == nil {
		consumer, err := d.consumer(ctx)
		if err == nil {
			if info := consumer.CachedInfo(); info.NumPending == 0 && info.NumAckPending == 0 {
				d.nothingLeft(ctx)
			}
		}
		for err == nil && ctx.Err() == nil {
			err = d.fetch(ctx, consumer, parts, unchecked)
		}
		pause(ctx, beat/4) // the consumer may be gone, or the server
	}
}

// nothingLeft says that the answers that an earlier process has left are taken.
func (d *desk) nothingLeft(ctx context.Context) {
	d.idle.Do(func() {
		d.tell(ctx, func(context.Context) error {
			d.ready = true
			return nil
		})
	})
}

// fetched is how many messages the coordinator asks the server for at a time.
const fetched = 64

// fetch takes the answers that are there, or waits for some.
func (d *desk) fetch(ctx context.Context, c jetstream.Consumer, parts map[string]*arrival, unchecked chan<- arrival) error {
	wait := beat / 2
	if len(parts) > 0 { // what is on its way when the time is over comes again, after long
		wait = 5 * beat
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := c.Fetch(fetched, jetstream.FetchContext(limited))
	if err != nil {
		return err
	}
	n := 0
	for m := range batch.Messages() {
		n++
		if a := d.collect(ctx, parts, m); a != nil {
			select {
			case unchecked <- *a:
			case <-ctx.Done():
			}
		}
	}
	if err = batch.Error(); err != nil && !isTimeout(err) {
		return err
	}
	if n == 0 {
		d.nothingLeft(ctx)
	}
	return nil
}

// isTimeout reports whether an error says that no message came in time.
func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "timeout")
}

// arrival are the parts of the answers to a group.
type arrival struct {
	worker, number string
	message        [whole]byte // see part
	parts          [][]byte
	messages       []jetstream.Msg
	lie            string
}

// collect takes a part, and returns the answers if they are complete. What no worker has signed is
// dropped.
func (d *desk) collect(ctx context.Context, all map[string]*arrival, m jetstream.Msg) *arrival {
	// goalproof.answer.WORKER.RUN.NUMBER.PART
	words := strings.Split(m.Subject(), ".")
	if len(words) != 6 {
		m.Term()
		return nil
	}
	worker, number := words[2], words[4]
	group := worker + " " + number
	p, body, err := join(m.Subject(), m.Data(), func(data, signature []byte) error { return d.verify(ctx, worker, data, signature) })
	switch {
	case errors.Is(err, errUnsigned):
		m.Term()
		return nil
	case errors.Is(err, errKeyUnknown):
		m.NakWithDelay(beat)
		return nil
	case err != nil:
		return &arrival{worker: worker, number: number, messages: []jetstream.Msg{m}, lie: err.Error()}
	}
	a := all[group]
	if a != nil && (a.message != p.message || len(a.parts) != p.of) {
		for _, old := range a.messages { // the rest of it does not come: this one was there when it was to be published
			old.Term()
		}
		a = nil
	}
	if a == nil && d.unfinished(all, worker) >= mostUnfinished {
		return &arrival{worker: worker, number: number, messages: []jetstream.Msg{m}, lie: "it sends parts of answers that never end"}
	}
	if a == nil {
		a = &arrival{message: p.message, worker: worker, number: number, parts: make([][]byte, p.of)}
		all[group] = a
	}
	if a.parts[p.number] == nil {
		a.messages = append(a.messages, m)
		a.parts[p.number] = body
	}
	if len(a.messages) < p.of {
		return nil
	}
	delete(all, group)
	return a
}

// mostUnfinished is how many answers of a worker may be there in part.
const mostUnfinished = mostSlots

// unfinished returns how many answers of a worker are there in part.
func (d *desk) unfinished(all map[string]*arrival, worker string) (n int) {
	if len(all) < mostUnfinished {
		return 0
	}
	for _, a := range all {
		if a.worker == worker {
			n++
		}
	}
	return n
}

// errKeyUnknown is the error of a signature that cannot be checked, since the server does not say
// which keys the workers have.
var errKeyUnknown = errors.New("the keys of the workers are not known")

// verify checks the signature of a worker. Where it is not that of the key that is known, the
// worker may have another one by now.
func (d *desk) verify(ctx context.Context, worker string, data, signature []byte) error {
	if key, _ := d.keys.of(ctx, worker, 2*beat); Verify(key, data, signature) == nil {
		return nil
	}
	key, err := d.keys.of(ctx, worker, 0)
	switch {
	case err != nil:
		return errKeyUnknown
	case key == "":
		return errUnsigned
	}
	return Verify(key, data, signature)
}

// examineAll checks answers, and passes them on.
func (d *desk) examineAll(ctx context.Context, unchecked <-chan arrival) {
	for a := range unchecked {
		r, whole := d.examine(ctx, a)
		if !whole {
			continue // it comes again
		}
		select {
		case d.arrived <- r:
		case <-ctx.Done():
		}
	}
}

// examine checks the answers to a group, and reports whether it has come to the end: an
// interruption says nothing about the worker. Answers to questions that are not open are left out.
func (d *desk) examine(ctx context.Context, a arrival) (r arrived, whole bool) {
	r = arrived{worker: a.worker, number: a.number, messages: a.messages, lie: a.lie}
	if r.lie != "" {
		return r, true
	}
	var data []byte
	for _, p := range a.parts {
		data = append(data, p...)
	}
	var all answers
	if err := unpack(data, &all); err != nil {
		r.lie = fmt.Sprintf("its answers cannot be read: %v", err)
		return r, true
	}
	r.died, r.refused = all.Died, all.Refused
	for _, x := range all.Answers {
		d.mu.Lock()
		q := d.asked[x.ID]
		d.mu.Unlock()
		if q == nil {
			continue
		}
		seconds := min(max(x.Seconds, 0), d.now().Seconds()) // others wait as long as questions take, so nobody may say anything
		j := judged{id: x.ID, seconds: seconds, opinion: opinion{worker: a.worker, failed: x.Failed, took: time.Duration(seconds * float64(time.Second))}}
		if x.Failed == "" {
			j.opinion.bytes = x.Bytes
			err := d.safely(q, x.Bytes)
			if ctx.Err() != nil || errors.Is(err, context.Canceled) {
				return r, false
			}
			if j.unproved = errors.Is(err, ErrUnproved); err != nil && !j.unproved {
				r.lie = fmt.Sprintf("an answer of it cannot be right: %v", err)
				return r, true
			}
		}
		r.answers = append(r.answers, j)
	}
	return r, true
}

// safely checks an answer. A panic means that it cannot be right: a check should be ready for any
// bytes, and a coordinator must not end because it was not.
func (d *desk) safely(question, answer []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &batch.Panic{Value: v}
		}
	}()
	return d.check(question, answer)
}
