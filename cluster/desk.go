package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/batch"
)

// desk is a run at work. One goroutine, that of its method run, owns all but the channels, mu and
// what that guards.
type desk struct {
	*Run
	check func(question, answer []byte) error
	out   chan Answer // in the order of the questions
	plan  *plan
	start time.Time

	head   *Answer             // the next to be delivered, if it is there
	order  []string            // ids of questions whose answers are to be delivered, in order
	places map[string]int      // where the question stands in order, from the first question of the run on
	first  int                 // place of order[0]
	all    bool                // no question is to come
	mended map[string]int      // places of delivered answers of workers that lied, until they are given again
	talk   bool                // see [Run.Talk]
	loose  []string            // then: ids of questions whose answers are to be delivered
	void   [][]byte            // then: questions whose answers do not count any more
	trail  map[string]struct{} // what has been said

	arrived  chan arrived
	events   chan func(context.Context) error // that the goroutine of run is to do
	puts     chan *group
	toPut    []*group    // for puts
	stale    chan string // subjects of jobs of no use
	here     chan *ask
	toAnswer []*ask          // for here
	answered []time.Duration // when the last answers were accepted
	lost     time.Duration   // since when there is no connection
	deserted time.Duration   // when there was a worker, or no connection, last
	lastSeen time.Duration   // of the last tick
	unkept   []entry         // accepted, and not in the record yet
	revoking sync.WaitGroup  // the server is told of workers that were shut out
	idle     sync.Once       // says that the answers that an earlier process left are taken
	ready    bool            // questions are put

	mu        sync.Mutex
	asked     map[string][]byte // open questions by id
	consumers map[string]bool   // of workers, that this process has made
}

// heard is a sign of life.
type heard struct {
	worker string
	Alive
}

// arrived are the answers to a group.
type arrived struct {
	worker, number string
	died, refused  bool
	answers        []judged
	lie            string // why they cannot be right
	messages       []jetstream.Msg
}

// judged is an answer that has been checked.
type judged struct {
	id       string
	opinion  opinion
	seconds  float64
	unproved bool
}

func newDesk(r *Run, check func(question, answer []byte) error) *desk {
	d := &desk{
		Run: r, check: check, out: make(chan Answer), plan: newPlan(r.Trust, r.sampled), start: time.Now(),
		places: map[string]int{}, mended: map[string]int{}, trail: map[string]struct{}{}, asked: map[string][]byte{}, consumers: map[string]bool{},
		arrived: make(chan arrived, 64), events: make(chan func(context.Context) error), puts: make(chan *group), stale: make(chan string, 1<<12), here: make(chan *ask),
	}
	if r.Kind.Common != nil {
		d.plan.agree = r.Kind.Common
	}
	d.plan.varies, d.plan.least = r.Kind.Varies, max(leastPatience, r.Kind.Patience)
	d.plan.prefix = randomName()[:8]
	for worker, why := range r.record.shut {
		d.plan.shut[worker] = why
	}
	return d
}

// now returns the time since the start, by a clock that nobody sets.
func (d *desk) now() time.Duration { return time.Since(d.start) }

// ahead is how many questions may be open from the first on whose answer has not been delivered.
func (d *desk) ahead() int {
	slots := 0
	for _, c := range d.plan.crews {
		slots += d.plan.slots(c)
	}
	if d.talk { // what is asked later is better asked
		return 2 * slots
	}
	return min(max(1024, 16*slots*d.plan.size()), mostAhead)
}

// mostAhead bounds how many questions may be open, whatever workers say that they can do.
const mostAhead = 1 << 16

// first returns a channel and what is to be sent over it next, or nil if there is nothing.
func first[T any](c chan T, all []T) (chan<- T, T) {
	if len(all) == 0 {
		var none T
		return nil, none
	}
	return c, all[0]
}

// run puts all questions. The error is that of the context, of the record, or of a question.
func (d *desk) run(ctx context.Context, questions func(context.Context) iter.Seq[[]byte]) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	defer func() {
		cancel()
		wait.Wait()
		d.revoking.Wait()
		close(d.out)
	}()
	signs, err := d.c.NATS.Subscribe(aliveSubject("*"), func(m *nats.Msg) { d.hear(ctx, m) })
	if err != nil {
		return err
	}
	defer signs.Unsubscribe()
	d.c.NATS.Publish(callSubject, nil)
	d.purge(ctx, jobsStream, jobSubject("*", d.record.run, "*")) // jobs that an earlier process has left
	next, failed := make(chan []byte), make(chan error, 1)
	begin := make(chan struct{})
	wait.Go(func() { failed <- read(ctx, questions(ctx), next) })
	wait.Go(func() { d.receive(ctx, begin) })
	wait.Go(func() { d.look(ctx) })
	wait.Go(func() { d.answerHere(ctx) })
	for range publishers {
		wait.Go(func() { d.publish(ctx) })
	}
	if err = d.serve(ctx, next, failed, begin); err != nil {
		d.report(Progress{Stopped: true})
		_ = d.c.NATS.FlushTimeout(beat / 2) // it is shown as gone after some seconds in any case
	}
	return err
}

// read reads the questions. When it returns, all of them have been taken, unless there is an error.
func read(ctx context.Context, questions iter.Seq[[]byte], next chan<- []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &batch.Panic{Value: v}
		}
	}()
	for q := range questions {
		select {
		case next <- q:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// serve goes on until all is answered and delivered.
func (d *desk) serve(ctx context.Context, next chan []byte, failed chan error, begin chan struct{}) error {
	tick := time.NewTicker(beat / 4)
	defer tick.Stop()
	for !d.all || d.owes() {
		full := max(len(d.order), len(d.plan.open)) >= d.ahead() || len(d.loose)+len(d.void) > 0
		if begin != nil && (full || d.all || d.now() > beat) {
			close(begin)
			begin = nil
		}
		d.putAll()
		more := next
		if full {
			more = nil
		}
		out, answer, err := d.due(ctx)
		if err != nil {
			return err
		}
		puts, group := first(d.puts, d.toPut)
		here, ask := first(d.here, d.toAnswer)
		select {
		case q := <-more:
			d.take(q)
		case err = <-failed:
			d.all = true
		case out <- answer:
			d.deliver()
		case puts <- group:
			d.toPut = d.toPut[1:]
		case here <- ask:
			d.toAnswer = d.toAnswer[1:]
		case <-tick.C:
			err = d.tick(ctx)
		case <-ctx.Done():
			err = ctx.Err()
		case a := <-d.arrived:
			err = d.accept(ctx, a)
		case do := <-d.events:
			err = do(ctx)
		}
		if err != nil {
			return err
		}
	}
	d.report(Progress{Ended: true})
	return nil
}

// owes reports whether something is to be delivered although all has been asked: the answers, or in
// a talk what takes answers back, or may do so.
func (d *desk) owes() bool {
	if d.talk {
		return len(d.void) > 0 || d.Trust == Trusted && d.plan.doubts()
	}
	return len(d.order) > 0 || len(d.mended) > 0
}

// take takes a question, which may have been answered by an earlier process.
func (d *desk) take(q []byte) {
	id := idOf(q)
	if d.talk {
		d.first++
		if _, have := d.record.have[id]; have {
			d.loose = append(d.loose, id)
		} else {
			d.open(id, q, d.first)
		}
		return
	}
	place := d.first + len(d.order)
	d.order = append(d.order, id)
	if _, twice := d.places[id]; twice {
		return
	}
	d.places[id] = place
	if _, have := d.record.have[id]; !have {
		d.open(id, q, place)
	}
}

// open has a question put.
func (d *desk) open(id string, q []byte, place int) {
	if d.plan.open[id] != nil {
		return
	}
	d.mu.Lock()
	d.asked[id] = q
	d.mu.Unlock()
	d.plan.add(&ask{n: place, id: id, question: q})
}

// due returns the next answer to deliver and the channel for it, or nil if it is not there yet.
func (d *desk) due(ctx context.Context) (out chan<- Answer, a Answer, err error) {
	if len(d.void) > 0 {
		return d.out, Answer{Question: d.void[0], Void: true}, nil
	}
	next := d.order
	if d.talk {
		next = d.loose
	}
	if len(next) == 0 {
		return nil, a, nil
	}
	if d.head != nil {
		return d.out, *d.head, nil
	}
	if _, have := d.record.have[next[0]]; !have {
		return nil, a, nil
	}
	e, err := d.record.get(ctx, next[0])
	if err != nil {
		return nil, a, err
	}
	a = Answer{Question: e.question, Bytes: e.bytes, Took: e.took}
	if e.failed != "" {
		a.Bytes, a.Err = nil, errors.New(e.failed)
	}
	d.head = &a
	return d.out, a, nil
}

// deliver notes that the next answer was delivered.
func (d *desk) deliver() {
	switch {
	case len(d.void) > 0:
		d.void = d.void[1:]
		return
	case d.talk:
		d.loose, d.head = d.loose[1:], nil
		return
	}
	d.order, d.head = d.order[1:], nil
	d.first++
}

// hear passes on a sign of life.
func (d *desk) hear(ctx context.Context, m *nats.Msg) {
	h := heard{worker: lastToken(m.Subject)}
	var ok bool
	if h.Alive, ok = readAlive(m.Data); !ok {
		return
	}
	if key, _ := d.keys.of(ctx, h.worker, 2*beat); key == "" {
		return // it was revoked, and is connected still
	}
	d.tell(ctx, func(context.Context) error {
		d.meet(h)
		return nil
	})
}

// tell has the goroutine of run do something, unless the context is done.
func (d *desk) tell(ctx context.Context, do func(context.Context) error) {
	select {
	case d.events <- do:
	case <-ctx.Done():
	}
}

// meet takes a sign of life. Who cannot answer the questions of this run is told why, and so is the
// person who asks.
func (d *desk) meet(h heard) {
	why := d.plan.shut[h.worker]
	switch {
	case why != "":
		why = "the worker is shut out: " + why
	case h.Signature != d.Signature:
		why = fmt.Sprintf("the run is of version %s, and the worker of version %s: start the worker with the program of the coordinator", d.Version, h.Version)
		if h.Version == d.Version {
			why = "its program is another one than that of the coordinator, although it says the same version: start it with that"
		}
	case h.Memory < d.need:
		why = fmt.Sprintf("a question takes %d MiB of memory, and the worker has %d MiB for each: give it fewer --threads or more --memory", d.need>>20, h.Memory>>20)
	default:
		d.plan.heard(d.now(), h.worker, h.Alive)
		return
	}
	d.say(d.plan.shut[h.worker] == "" && len(d.trail) < mostSaid, fmt.Sprintf("no questions for worker %s: %s", h.worker, why)) // of those, shutOut has told
	d.c.NATS.Publish(toldSubject(h.worker), fmt.Appendf(nil, "%s no questions of the run %s: %s", h.Process, d.record.run, why))
}

// putAll puts questions to workers, and those that only the coordinator can answer to itself.
func (d *desk) putAll() {
	if !d.ready {
		return
	}
	d.toPut = append(d.toPut, d.plan.assign(d.now())...)
	d.forget()
	if len(d.toAnswer) > 0 || d.Trust == Untrusted && d.now() < 2*beat { // another worker may be about to be heard
		return
	}
	if a := d.plan.alone(d.now()); a != nil { // one at a time: another worker may come
		d.toAnswer = append(d.toAnswer, a)
	}
}

// forget has the jobs removed that are of no use any more, unless there is too much to do.
func (d *desk) forget() {
	for _, g := range d.plan.stale {
		select {
		case d.stale <- jobSubject(g.worker, d.record.run, g.number):
		default:
		}
		d.toPut = slices.DeleteFunc(d.toPut, func(h *group) bool { return h == g })
	}
	d.plan.stale = nil
}

// accept takes the answers to a group, has them on the disk, and only then acknowledges them.
func (d *desk) accept(ctx context.Context, first arrived) error {
	all := []arrived{first}
	for more := true; more && len(all) < 128; {
		select {
		case a := <-d.arrived:
			all = append(all, a)
		default:
			more = false
		}
	}
	for _, a := range all {
		if err := d.judge(ctx, a); err != nil {
			return err
		}
	}
	if err := d.keep(ctx); err != nil {
		return err
	}
	for _, a := range all {
		for _, m := range a.messages {
			m.Ack()
		}
	}
	return nil
}

// judge takes the answers to a group.
func (d *desk) judge(ctx context.Context, a arrived) error {
	if d.plan.shut[a.worker] != "" {
		return nil
	}
	if a.lie != "" {
		return d.shutOut(ctx, []string{a.worker}, a.lie)
	}
	if a.died {
		d.plan.gaveUp(a.worker, a.number)
		return nil
	}
	if a.refused {
		d.plan.refused(a.worker, a.number)
		return nil
	}
	for _, x := range a.answers {
		if err := d.follow(ctx, x.id, d.plan.answered(a.worker, x.id, x.opinion, x.seconds, x.unproved)); err != nil {
			return err
		}
	}
	d.plan.finished(a.worker, a.number, d.now())
	return nil
}

// acceptOwn takes an answer of the coordinator's own.
func (d *desk) acceptOwn(ctx context.Context, id string, o opinion) error {
	if err := d.follow(ctx, id, d.plan.own(id, o)); err != nil {
		return err
	}
	return d.keep(ctx)
}

// follow does what follows from an answer. What is accepted is to be kept.
func (d *desk) follow(ctx context.Context, id string, v verdict) error {
	if v.here {
		d.toAnswer = append(d.toAnswer, d.plan.open[id])
	}
	if v.accepted || v.failed != "" {
		d.mu.Lock()
		q := d.asked[id]
		delete(d.asked, id)
		d.mu.Unlock()
		d.unkept = append(d.unkept, entry{id: id, question: q, kept: kept{worker: v.by.worker, confirmed: v.confirmed}, took: v.by.took, failed: v.failed, bytes: v.by.bytes})
		d.answered = append(d.answered, d.now())
		if d.talk {
			d.loose = append(d.loose, id)
		}
		if err := d.mend(ctx, id, q, v); err != nil {
			return err
		}
	}
	if len(v.lied) > 0 {
		return d.shutOut(ctx, v.lied, "its answer to a question is not the one that the coordinator finds")
	}
	return nil
}

// mend compares an answer that was dropped after it was delivered, or may have been, with the right
// one.
func (d *desk) mend(ctx context.Context, id string, q []byte, v verdict) error {
	if !d.record.dropped[id] {
		return nil
	}
	old, err := d.record.get(context.WithoutCancel(ctx), id)
	if err != nil {
		return err
	}
	place, here := d.mended[id]
	delete(d.mended, id)
	if _, agree := d.plan.agree(q, v.by.bytes, old.bytes); agree && v.failed+old.failed == "" {
		return nil
	}
	if err := d.record.keepFalse(context.WithoutCancel(ctx), id); err != nil {
		return err
	}
	if d.false++; here {
		d.Say(fmt.Sprintf("the answer to question %d came from a worker that lied, and was delivered: another one is right", place+1))
	} else {
		d.early++
	}
	return nil
}

// keep has what was accepted on the disk.
func (d *desk) keep(ctx context.Context) error {
	if len(d.unkept) == 0 {
		return nil
	}
	err := d.record.add(context.WithoutCancel(ctx), d.unkept)
	d.unkept = nil
	return err
}

// short returns the beginning of a reason to shut a worker out: words of the worker may be in it, and
// it is to fit into a message.
func short(why string) string {
	const most = 500 // bytes
	if len(why) <= most {
		return why
	}
	return strings.ToValidUTF8(why[:most], "") + "..."
}

// shutOut shuts workers out for what they answered. Their answers that nobody confirmed are
// dropped, also those that have come just now, and the questions asked again.
func (d *desk) shutOut(ctx context.Context, workers []string, why string) error {
	if err := d.keep(ctx); err != nil {
		return err
	}
	why = short(why)
	for _, w := range workers {
		if d.plan.shut[w] != "" {
			continue
		}
		d.plan.shutOut(w, why)
		d.head = nil // it may be one of those that are dropped
		dropped, err := d.record.shutOut(context.WithoutCancel(ctx), w, why, d.delivered)
		if err != nil {
			return err
		}
		for _, e := range dropped {
			if d.talk {
				d.void = append(d.void, e.question)
				d.loose = slices.DeleteFunc(d.loose, func(id string) bool { return id == e.id })
				continue
			}
			place, known := d.places[e.id]
			if !known { // of an earlier process, and not asked for yet in this one
				continue
			}
			if place < d.first {
				d.mended[e.id] = place
			}
			d.open(e.id, e.question, place)
		}
		d.Say(fmt.Sprintf("worker %s is shut out: %s; %d of its answers are dropped and asked for again", w, why, len(dropped)))
		d.revoking.Go(func() { // the run goes on without the worker in any case
			if err := d.c.Revoke(context.WithoutCancel(ctx), w, fmt.Sprintf("run %s: %s", d.record.run, why)); err != nil {
				d.Say(fmt.Sprintf("the key of worker %s could not be revoked: %v", w, err))
			}
		})
	}
	return d.reconsider(ctx)
}

// reconsider has workers, who are many, answer what they differ about no more, in place of the
// coordinator.
func (d *desk) reconsider(ctx context.Context) error {
	waiting := d.toAnswer
	d.toAnswer = nil
	for _, a := range waiting {
		if err := d.follow(ctx, a.id, d.plan.again(a)); err != nil {
			return err
		}
	}
	return nil
}

// delivered reports whether an answer in the record was delivered, or may have been by an earlier
// process. Of those of this process [Run.Talk] says that they are void.
func (d *desk) delivered(id string) bool {
	place, known := d.places[id]
	return d.record.have[id].early || !d.talk && known && place < d.first
}

// tick does what the time brings.
func (d *desk) tick(ctx context.Context) error {
	now := d.now()
	if !d.c.NATS.IsConnected() {
		d.plan.pause(now - d.lastSeen)
		if d.lost == 0 {
			d.lost = now
		}
		d.say(now-d.lost > 5*beat, "the server cannot be reached: waiting for it")
	} else {
		d.lost = 0
	}
	d.lastSeen = now
	d.plan.tick(now)
	asks, verdicts := d.plan.hopeless()
	for i, a := range asks {
		if err := d.follow(ctx, a.id, verdicts[i]); err != nil {
			return err
		}
	}
	if err := d.keep(ctx); err != nil {
		return err
	}
	if d.plan.workers() > 0 || d.lost > 0 {
		d.deserted = now
	}
	patience := 3 * beat
	if len(d.plan.crews) > 0 { // some were there: perhaps the connection is lost, which takes longer to notice
		patience = 2 * silence
	}
	d.say(now-d.deserted > patience, "no worker can answer: waiting for one, which goalproof work starts")
	d.say(d.Trust == Untrusted && d.plan.workers() == 1 && now > 5*beat, "one worker alone, and it is not trusted: this machine answers every question, too, until there is a second one")
	if int(now/(beat/4))%4 == 0 {
		d.report(Progress{})
	}
	return nil
}

// mostSaid bounds what is said to a person of what workers say of themselves.
const mostSaid = 1000

// say says something to a person, once.
func (d *desk) say(when bool, text string) {
	if _, said := d.trail[text]; when && !said {
		d.trail[text] = struct{}{}
		d.Say(text)
	}
}

// report says how far the run is to who wants to know. Of p it completes all but how it has ended.
func (d *desk) report(p Progress) {
	now := d.now()
	const window = 30 * time.Second
	i, _ := slices.BinarySearchFunc(d.answered, now-window, cmp.Compare)
	d.answered = d.answered[i:]
	p = Progress{
		Ended: p.Ended, Stopped: p.Stopped,
		Run: d.record.run, Command: d.Command, Kind: d.Kind.Name, Version: d.Version, Started: d.record.started,
		Waiting: len(d.plan.waiting), Running: len(d.plan.open) - len(d.plan.waiting), Answered: len(d.record.have), Failed: d.plan.failed,
		Total: d.Total, Rate: float64(len(d.answered)) / min(now, window).Seconds(),
	}
	if d.all && !d.talk {
		p.Total = d.first + len(d.order)
	}
	if p.Total > 0 { // earlier processes may have had some of the answers, which are not asked for any more
		p.Total = max(p.Total, p.Answered+p.Waiting+p.Running)
	}
	for w := range d.plan.shut {
		p.Shut = append(p.Shut, w)
	}
	slices.Sort(p.Shut)
	p.Host, _ = os.Hostname()
	p.Dir, _ = filepath.Abs(d.record.dir)
	if p.Total > p.Answered && p.Rate > 0 {
		p.Left = float64(p.Total-p.Answered) / p.Rate
	}
	if text, err := json.Marshal(p); err == nil && d.c.NATS.IsConnected() {
		d.c.NATS.Publish(runSubject(d.record.run), text)
	}
}

// answerHere answers questions itself, one after another.
func (d *desk) answerHere(ctx context.Context) {
	var answerer Answerer
	for {
		var a *ask
		select {
		case a = <-d.here:
		case <-ctx.Done():
			return
		}
		start := time.Now()
		bytes, err := d.try(ctx, &answerer, a.question)
		if ctx.Err() != nil {
			return
		}
		o := opinion{took: time.Since(start), bytes: bytes}
		if err != nil {
			o.failed = err.Error()
		}
		d.tell(ctx, func(ctx context.Context) error { return d.acceptOwn(ctx, a.id, o) })
	}
}

// try answers a question; a panic is an error.
func (d *desk) try(ctx context.Context, answerer *Answerer, question []byte) (answer []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			*answerer, err = nil, &batch.Panic{Value: v}
		}
	}()
	if *answerer == nil {
		if *answerer, err = d.Kind.Open(ctx, d.Options, Room{Slots: 1, Memory: d.Memory}, d.Inputs); err != nil {
			return nil, err
		}
	}
	return (*answerer).Answer(ctx, question)
}

// checkers is how many answers are checked at the same time.
func checkers() int { return runtime.GOMAXPROCS(0) }
