package cluster

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// Scenario is a run to be simulated: see [Simulate].
type Scenario struct {
	Tasks     []Task // the questions, in order
	Workers   int    // each one process with a key of its own
	Slots     int    // of each worker: questions at the same time
	Trust     Trust
	Cores     int           // of the coordinator, at least 2
	RoundTrip time.Duration // between the server and any other machine
	Lifetime  time.Duration // of a worker's process, until it is killed, on average; 0: none is
	Costs     Costs
	Seed      uint64
	// Meter returns the processor time used so far. What the plan takes by it counts as the
	// coordinator's. Nil: the plan takes no time.
	Meter func() time.Duration
}

// Task is a question of a scenario.
type Task struct {
	Takes time.Duration // a worker, or the coordinator, to answer it
	Check time.Duration // the coordinator, to check the answer
}

// Costs are what messages take beside the questions themselves, in processor time but for Commit,
// which waits for the disk. A group is one message to a worker, and one with its answers.
type Costs struct {
	ServerGroup, ServerQuestion time.Duration // the server
	Group, Question             time.Duration // the coordinator, on any core
	WorkerGroup, WorkerQuestion time.Duration // the worker
	Sign, Heard                 time.Duration // a sign of life: the server, the coordinator
	Commit, Keep, Deliver       time.Duration // the record: a transaction; each answer in it; reading one to deliver it
}

// Outcome is what a simulation finds.
type Outcome struct {
	Elapsed time.Duration // from the start to the last answer delivered
	Work    time.Duration // of all tasks together, which one machine with one thread would need
	Tail    time.Duration // of Elapsed: since a question waited for a worker last
	Desk    time.Duration // busy: the goroutine of the coordinator that plans and keeps the record
	Other   time.Duration // busy: the other cores of the coordinator, together
	Server  time.Duration // busy
	Own     time.Duration // busy: the coordinator, answering questions itself
	Groups  int           // put to workers
	Given   int           // answers by workers
	Failed  int           // questions without an answer, since too many processes were killed over them
}

// Simulate lets a run happen in simulated time. The plan is the one of real runs; the machines
// around it are models: a server that handles one message at a time, since a stream of JetStream
// does; the desk of the coordinator with its loop, and its other cores; publishers, each of which
// waits for the server; workers whose slots wait a round trip for the next group, and another
// one until their answers have been taken. A worker that is killed is started again after five
// seconds. Messages are not lost, and the server does not end.
//
// Without a meter the same scenario has about the same outcome each time: the plan looks at maps in
// any order. With one it depends on this machine, too.
func Simulate(s Scenario) Outcome {
	w := &world{
		Scenario: s, random: rand.New(rand.NewPCG(s.Seed, 0)), server: newLine(1), cores: newLine(s.Cores - 1),
		mates: map[string]*mate{}, made: map[string]bool{}, have: make([]bool, len(s.Tasks)),
	}
	sampled := rand.New(rand.NewPCG(s.Seed, 1))
	w.plan = newPlan(s.Trust, func(string) bool { return sampled.IntN(sampleOf) == 0 })
	w.desk.plan = w.plan
	for _, t := range s.Tasks {
		w.Work += t.Takes
	}
	for i := range s.Workers {
		m := &mate{name: fmt.Sprintf("w%d", i), running: map[string]bool{}}
		w.mates[m.name] = m
		w.begin(m)
		w.after(time.Duration(w.random.Int64N(int64(beat))), func() { w.live(m) })
	}
	w.after(0, w.tick)
	w.wake()
	for w.delivered < len(s.Tasks) {
		e := heap.Pop(&w.events).(event)
		w.now = e.at
		e.do()
	}
	w.Elapsed, w.Tail = w.now, w.now-w.lastPut
	w.Server, w.Other, w.Failed = w.server.busy, w.cores.busy, w.plan.failed
	return w.Outcome
}

// world is a run in simulated time.
type world struct {
	Scenario
	Outcome
	now    time.Duration
	events events
	random *rand.Rand
	server line
	cores  line // of the coordinator, but for the desk
	mates  map[string]*mate

	// The desk: see there.
	plan            *plan
	desk            desk
	awake           bool
	read, delivered int
	have            []bool // questions by their place
	ready           bool
	toPut           []*group
	toAnswer        []*ask
	answering       bool
	inbox           []func() time.Duration // signs of life, answers of its own, the time
	arrived         []delivery             // checked
	lastPut         time.Duration

	publishing int      // publishers at work
	stale      []*group // to be removed from the server
	made       map[string]bool
	asked      int        // answers that the coordinator will still take with its last request
	held       []delivery // answers at the server
}

// delivery are answers to a group on their way.
type delivery struct {
	*group
	asks []*ask
}

// mate is a worker.
type mate struct {
	name    string
	life    int      // processes that it has had
	here    bool     // the last one runs
	queue   []*group // at the server
	idle    int      // slots that wait there
	running map[string]bool
}

// restartAfter is the time until a worker that was killed is started again.
const restartAfter = 5 * time.Second

// event is something that happens at a time.
type event struct {
	at time.Duration
	n  int // of equal times the first one that was known
	do func()
}

type events struct {
	all []event
	n   int
}

func (e *events) Len() int { return len(e.all) }
func (e *events) Less(i, j int) bool {
	a, b := e.all[i], e.all[j]
	return a.at < b.at || a.at == b.at && a.n < b.n
}
func (e *events) Swap(i, j int) { e.all[i], e.all[j] = e.all[j], e.all[i] }
func (e *events) Push(x any)    { e.all = append(e.all, x.(event)) }
func (e *events) Pop() any {
	last := e.all[len(e.all)-1]
	e.all[len(e.all)-1] = event{}
	e.all = e.all[:len(e.all)-1]
	return last
}

// after has something happen after some time.
func (w *world) after(d time.Duration, do func()) {
	w.events.n++
	heap.Push(&w.events, event{w.now + d, w.events.n, do})
}

// half is the time of a message on its way.
func (w *world) half() time.Duration { return w.RoundTrip / 2 }

// line is a number of cores, and work that waits for them in turn.
type line struct {
	free []time.Duration // when each is
	busy time.Duration
}

func newLine(cores int) line { return line{free: make([]time.Duration, max(cores, 1))} }

// use has the first core that is free do some work, and returns in what time it is done.
func (l *line) use(now, work time.Duration) time.Duration {
	first := 0
	for i, at := range l.free {
		if at < l.free[first] {
			first = i
		}
	}
	l.busy += work
	l.free[first] = max(l.free[first], now) + work
	return l.free[first] - now
}

// message has the server handle half of the messages of a group.
func (w *world) message(questions int, do func()) {
	w.after(w.server.use(w.now, (w.Costs.ServerGroup+time.Duration(questions)*w.Costs.ServerQuestion)/2), do)
}

// handle has the coordinator handle half of the messages of a group, and something besides.
func (w *world) handle(questions int, more time.Duration, do func()) {
	w.after(w.cores.use(w.now, (w.Costs.Group+time.Duration(questions)*w.Costs.Question)/2+more), do)
}

// begin starts a process of a worker.
func (w *world) begin(m *mate) {
	m.here = true
	m.life++
	for range w.Slots {
		w.ask(m, m.life)
	}
	if w.Lifetime > 0 {
		w.after(time.Duration(w.random.ExpFloat64()*float64(w.Lifetime)), func() { w.kill(m) })
	}
	w.sign(m)
}

// kill kills the process of a worker.
func (w *world) kill(m *mate) {
	m.here, m.idle = false, 0
	m.life++
	clear(m.running)
	w.after(restartAfter, func() { w.begin(m) })
}

// live gives signs of life.
func (w *world) live(m *mate) {
	w.sign(m)
	w.after(beat, func() { w.live(m) })
}

// sign gives one.
func (w *world) sign(m *mate) {
	if !m.here {
		return
	}
	a := Alive{Process: strconv.Itoa(m.life), Slots: w.Slots}
	for number := range m.running {
		a.Running = append(a.Running, Running{Number: number})
	}
	w.after(w.half()+w.server.use(w.now, w.Costs.Sign)+w.half(), func() {
		w.after(w.cores.use(w.now, w.Costs.Heard), func() {
			w.tell(func() time.Duration {
				w.plan.heard(w.now, m.name, a)
				return 0
			})
		})
	})
}

// ask has a slot of a process ask for a group.
func (w *world) ask(m *mate, life int) {
	w.after(w.half(), func() {
		if m.life == life {
			m.idle++
			w.hand(m)
		}
	})
}

// hand hands groups that wait at the server to slots that wait there.
func (w *world) hand(m *mate) {
	for m.idle > 0 && len(m.queue) > 0 {
		g, life := m.queue[0], m.life
		m.queue = m.queue[1:]
		m.idle--
		w.after(w.half(), func() { w.work(m, life, g) })
	}
}

// work has a slot answer a group.
func (w *world) work(m *mate, life int, g *group) {
	if m.life != life {
		return
	}
	m.running[g.number] = true
	takes := w.Costs.WorkerGroup + time.Duration(len(g.asks))*w.Costs.WorkerQuestion
	for _, a := range g.asks {
		takes += w.Tasks[a.n].Takes
	}
	w.after(takes, func() {
		if m.life != life {
			return
		}
		w.after(w.half(), func() {
			w.message(len(g.asks), func() {
				w.held = append(w.held, delivery{group: g})
				w.forward()
				w.after(w.half(), func() {
					if m.life == life {
						delete(m.running, g.number)
						w.ask(m, life)
					}
				})
			})
		})
	})
}

// forward sends the coordinator the answers that it has asked for.
func (w *world) forward() {
	for ; w.asked > 0 && len(w.held) > 0; w.asked-- {
		d := w.held[0]
		w.held = w.held[1:]
		w.after(w.half(), func() { w.check(d) })
		if w.asked == 1 {
			w.after(w.RoundTrip, w.request)
		}
	}
}

// request is the coordinator's request for answers.
func (w *world) request() {
	w.asked += fetched
	w.forward()
}

// check has the coordinator check the answers to a group.
func (w *world) check(d delivery) {
	var more time.Duration
	for _, a := range d.group.asks {
		if !w.have[a.n] {
			d.asks = append(d.asks, a)
			more += w.Tasks[a.n].Check
		}
	}
	w.handle(len(d.group.asks), more, func() {
		w.arrived = append(w.arrived, d)
		w.wake()
	})
}

// tell has the desk do something, which takes the time that it returns.
func (w *world) tell(do func() time.Duration) {
	w.inbox = append(w.inbox, do)
	w.wake()
}

// tick tells the desk the time.
func (w *world) tick() {
	w.tell(func() time.Duration {
		w.plan.tick(w.now)
		kept := 0
		asks, verdicts := w.plan.hopeless()
		for i, a := range asks {
			kept += w.follow(a, verdicts[i])
		}
		return w.keep(kept)
	})
	w.after(beat/4, w.tick)
}

// wake has the desk look for what there is to do.
func (w *world) wake() {
	if !w.awake {
		w.awake = true
		w.after(0, w.turn)
	}
}

// turn is one turn of the loop of the desk: it does one thing of those that can be done, and puts
// questions.
func (w *world) turn() {
	var start, took time.Duration
	if w.Meter != nil {
		start = w.Meter()
	}
	all := w.choices()
	if len(all) == 0 {
		w.awake = false
		return
	}
	took = all[w.random.IntN(len(all))]()
	w.putAll()
	if w.read < len(w.Tasks) || len(w.plan.waiting) > 0 {
		w.lastPut = w.now
	}
	if w.Meter != nil {
		took += w.Meter() - start
	}
	w.Desk += took
	w.after(took, w.turn)
}

// choices returns what the desk can do. Each takes the time that it returns, and what the plan
// takes.
func (w *world) choices() (all []func() time.Duration) {
	full := w.read-w.delivered >= w.desk.ahead()
	if !w.ready && (full || w.read == len(w.Tasks) || w.now > beat) {
		w.ready = true
		w.after(w.RoundTrip, w.request)
	}
	if !full && w.read < len(w.Tasks) {
		all = append(all, w.take)
	}
	if w.delivered < w.read && w.have[w.delivered] {
		all = append(all, w.deliver)
	}
	if len(w.toPut) > 0 && w.publishing < publishers {
		all = append(all, w.put)
	}
	if len(w.toAnswer) > 0 && !w.answering {
		all = append(all, w.answerHere)
	}
	if len(w.inbox) > 0 {
		all = append(all, w.listen)
	}
	if len(w.arrived) > 0 {
		all = append(all, w.accept)
	}
	return all
}

// take takes a question.
func (w *world) take() time.Duration {
	w.plan.add(&ask{n: w.read, id: strconv.Itoa(w.read)})
	w.read++
	return 0
}

// deliver delivers an answer.
func (w *world) deliver() time.Duration {
	w.delivered++
	return w.Costs.Deliver
}

// listen does what it is told.
func (w *world) listen() time.Duration {
	do := w.inbox[0]
	w.inbox = w.inbox[1:]
	return do()
}

// accept takes the answers that have been checked.
func (w *world) accept() time.Duration {
	kept := 0
	n := min(len(w.arrived), 128)
	for _, d := range w.arrived[:n] {
		for _, a := range d.asks {
			w.Given++
			t := w.Tasks[a.n].Takes
			kept += w.follow(a, w.plan.answered(d.worker, a.id, opinion{worker: d.worker, took: t}, t.Seconds(), false))
		}
		w.plan.finished(d.worker, d.number, w.now)
	}
	w.arrived = w.arrived[n:]
	return w.keep(kept)
}

// keep returns what it takes to keep answers.
func (w *world) keep(answers int) time.Duration {
	if answers == 0 {
		return 0
	}
	return w.Costs.Commit + time.Duration(answers)*w.Costs.Keep
}

// follow does what follows from an answer, and returns how many are to be kept.
func (w *world) follow(a *ask, v verdict) int {
	if v.here {
		w.toAnswer = append(w.toAnswer, a)
	}
	if !v.accepted && v.failed == "" {
		return 0
	}
	w.have[a.n] = true
	return 1
}

// answerHere has the coordinator answer a question.
func (w *world) answerHere() time.Duration {
	a := w.toAnswer[0]
	w.toAnswer = w.toAnswer[1:]
	w.answering = true
	takes := w.Tasks[a.n].Takes
	w.Own += takes
	w.after(takes, func() {
		w.answering = false
		w.tell(func() time.Duration { return w.keep(w.follow(a, w.plan.own(a.id, opinion{took: takes}))) })
	})
	return 0
}

// putAll has questions put.
func (w *world) putAll() {
	if !w.ready {
		return
	}
	w.toPut = append(w.toPut, w.plan.assign(w.now)...)
	for _, g := range w.plan.stale {
		w.stale = append(w.stale, g)
		w.toPut = slices.DeleteFunc(w.toPut, func(h *group) bool { return g == h })
	}
	w.plan.stale = nil
	w.purge()
	if len(w.toAnswer) > 0 || w.Trust == Untrusted && w.now < 2*beat {
		return
	}
	if a := w.plan.alone(w.now); a != nil {
		w.toAnswer = append(w.toAnswer, a)
	}
}

// put has a publisher put a group.
func (w *world) put() time.Duration {
	g := w.toPut[0]
	w.toPut = w.toPut[1:]
	w.Groups++
	m := w.mates[g.worker]
	var consumer time.Duration
	if !w.made[g.worker] {
		w.made[g.worker] = true
		consumer = w.RoundTrip + w.server.use(w.now, w.Costs.ServerGroup/2)
	}
	w.publishing++
	w.handle(len(g.asks), 0, func() {
		w.after(consumer+w.half(), func() {
			w.message(len(g.asks), func() {
				m.queue = append(m.queue, g)
				w.hand(m)
				w.after(w.half(), w.published)
			})
		})
	})
	return 0
}

// published is a publisher that is free.
func (w *world) published() {
	w.publishing--
	w.purge()
	w.wake()
}

// purge has publishers remove groups that nobody need answer any more: two requests for each, and as
// much work as half a group.
func (w *world) purge() {
	for ; len(w.stale) > 0 && w.publishing < publishers; w.stale = w.stale[1:] {
		g := w.stale[0]
		w.publishing++
		w.handle(0, 0, func() {
			w.after(w.RoundTrip+w.half(), func() {
				w.message(0, func() {
					m := w.mates[g.worker]
					m.queue = slices.DeleteFunc(m.queue, func(h *group) bool { return g == h })
					w.after(w.half(), w.published)
				})
			})
		})
	}
}
