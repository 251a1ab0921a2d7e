package cluster

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// plan decides which questions are put to which worker, and which answers count. It is told what
// happens, and when, and says what is to be done; it knows neither the server nor a clock. Times
// are durations since the start of the process, so a clock that is set does not matter.
type plan struct {
	trust   Trust
	varies  bool                 // an answer given twice need not be the same
	least   time.Duration        // how long any group may take
	prefix  string               // of the numbers of groups
	sampled func(id string) bool // whether an answer is to be given twice
	agree   func(question, a, b []byte) ([]byte, bool)
	next    int               // number of the next group
	open    map[string]*ask   // by id
	waiting []*ask            // to be put, in order
	crews   map[string]*crew  // by name
	inTurn  []*crew           // the same, in the order of their names
	groups  map[string]*group // put and not answered, by number
	stale   []*group          // that nobody need answer any more, although the server may have them
	tardy   []*group          // that were late when groups were put last
	shut    map[string]string // workers that were shut out, and why
	took    mean              // of questions
	usual   float64           // seconds of a question, as the worker says whose take least
	longest time.Duration     // that a group took
	bytes   int               // of the questions of a group, at most
	failed  int
}

// ask is a question that is open.
type ask struct {
	n        int // in order
	id       string
	question []byte
	opinions []opinion
	holders  map[string]string // groups in which it has been put, by worker
	lost     map[string]bool   // workers that had it, and it came to nothing
	deadly   map[string]int    // processes that died over it, by worker
	second   bool              // one opinion is not enough
	first    bool              // one of the opinions is the first answer of a worker
	here     bool              // it is being answered by the coordinator
	alone    bool              // in no group with others, since a process died over it
	failures int               // processes that died, and errors
	queued   bool              // in waiting
	lacks    time.Duration     // since when it waits for a second opinion; 0: it was not seen to
}

// opinion is what a worker answers. The coordinator's own has no worker.
type opinion struct {
	worker string
	failed string
	bytes  []byte
	took   time.Duration
}

// crew is what is known of a worker: all processes with its name.
type crew struct {
	name      string
	processes map[string]*process
	slots     int               // questions that they answer at the same time
	groups    map[string]*group // that it has
	gone      map[string][]*ask // what processes had that have not been heard for long, by process, while it is open
	answered  int
	took      mean // of its questions, as it says
	strikes   int  // groups that came to nothing since it has answered
}

// process is one that was heard lately.
type process struct {
	slots int
	heard time.Duration
}

// group is a group of questions that has been put to a worker.
type group struct {
	number  string
	worker  string
	asks    []*ask
	put     time.Duration // to the worker; when the server has it, since then
	sent    bool          // the server has it
	running string        // the process that says that it is at work; empty: none does
	missing int           // how often in a row the server did not have it
}

// mean is a running mean that forgets.
type mean struct {
	value float64
	count int
}

func (m *mean) add(x float64) {
	m.count++
	m.value += (x - m.value) / float64(min(m.count, 64))
}

const (
	// groupTime is the time that a group of small questions is to take.
	groupTime = 50 * time.Millisecond
	// mostInGroup is the greatest number of questions in a group, and mostBytes of their bytes, or
	// fewer where the server takes no such messages.
	mostInGroup, mostBytes = 64, 1 << 20
	// mostFailures is how many processes may die over a question.
	mostFailures = 5
	// leastPatience is how long any group may take unless its kind says more.
	leastPatience = time.Minute
	// mostStrikes is how many groups of a worker may come to nothing, one after another, before it
	// gets one at a time.
	mostStrikes = 3
	// mostSlots is how many questions a worker may answer at the same time.
	mostSlots = 4096
)

func newPlan(trust Trust, sampled func(string) bool) *plan {
	return &plan{trust: trust, sampled: sampled, agree: same, bytes: mostBytes, least: leastPatience, open: map[string]*ask{}, crews: map[string]*crew{}, groups: map[string]*group{}, shut: map[string]string{}}
}

// same is [Kind.Common] unless a kind has its own.
func same(_, a, b []byte) ([]byte, bool) { return a, bytes.Equal(a, b) }

// add adds a question.
func (p *plan) add(a *ask) {
	a.holders, a.lost, a.deadly = map[string]string{}, map[string]bool{}, map[string]int{}
	a.second = !p.varies && (p.trust == Untrusted || p.sampled(a.id))
	p.open[a.id] = a
	p.queue(a)
}

// queue has a question put, in its order, unless somebody has it.
func (p *plan) queue(a *ask) {
	if a.queued || a.here || p.open[a.id] != a || len(a.holders) > 0 {
		return
	}
	a.queued = true
	at, _ := slices.BinarySearchFunc(p.waiting, a, func(x, y *ask) int { return cmp.Compare(x.n, y.n) })
	p.waiting = slices.Insert(p.waiting, at, a)
}

// unqueue takes a question back from those that are to be put.
func (p *plan) unqueue(a *ask) {
	if a.queued {
		a.queued = false
		p.waiting = slices.DeleteFunc(p.waiting, func(b *ask) bool { return a == b })
	}
}

// crew returns what is known of a worker.
func (p *plan) crew(worker string) *crew {
	c := p.crews[worker]
	if c == nil {
		c = &crew{name: worker, processes: map[string]*process{}, groups: map[string]*group{}, gone: map[string][]*ask{}}
		p.crews[worker] = c
		at, _ := slices.BinarySearchFunc(p.inTurn, worker, func(c *crew, name string) int { return cmp.Compare(c.name, name) })
		p.inTurn = slices.Insert(p.inTurn, at, c)
	}
	return c
}

// heard notes a sign of life of a process. One that leaves hands back what it has: it did not die.
// One that was silent for long, and is heard again, did not die either.
func (p *plan) heard(now time.Duration, worker string, a Alive) {
	c := p.crew(worker)
	for _, x := range c.gone[a.Process] {
		if x.failures--; x.deadly[worker] == 1 {
			delete(x.deadly, worker)
		} else {
			x.deadly[worker]--
		}
	}
	delete(c.gone, a.Process)
	if a.Leaving {
		c.remove(a.Process)
		for _, g := range c.groups {
			if g.running == a.Process {
				g.running = ""
			}
		}
		return
	}
	if c.processes[a.Process] == nil && len(c.processes) >= mostProcesses {
		return
	}
	c.remove(a.Process)
	c.processes[a.Process] = &process{a.Slots, now}
	c.slots += a.Slots
	for _, r := range a.Running {
		if g := c.groups[r.Number]; g != nil {
			g.running = a.Process
		}
	}
}

// remove forgets a process.
func (c *crew) remove(process string) {
	if x := c.processes[process]; x != nil {
		c.slots -= x.slots
		delete(c.processes, process)
	}
}

// pause is told that nothing could be heard for some time: nobody is gone for that.
func (p *plan) pause(d time.Duration) {
	for _, c := range p.crews {
		for _, x := range c.processes {
			x.heard += d
		}
	}
	for _, g := range p.groups {
		g.put += d
	}
}

// slots returns how many questions a worker answers at the same time, 0 if it gets none.
func (p *plan) slots(c *crew) int {
	if len(p.shut) > 0 && p.shut[c.name] != "" {
		return 0
	}
	return min(c.slots, mostSlots)
}

// tick drops processes that have not been heard, and puts again what their workers had, and what
// takes too long if another worker could answer it.
func (p *plan) tick(now time.Duration) {
	p.usual = p.took.value
	for _, c := range p.crews {
		if c.took.count > 0 {
			p.usual = min(p.usual, c.took.value)
		}
		for name, x := range c.processes {
			if now-x.heard > silence {
				c.remove(name)
				p.vanished(c, name)
			}
		}
		maps.DeleteFunc(c.gone, func(_ string, had []*ask) bool { return !slices.ContainsFunc(had, p.isOpen) })
		if p.slots(c) == 0 {
			for _, g := range c.groups {
				p.fail(g)
			}
		}
	}
	for _, g := range p.groups {
		c := p.crews[g.worker]
		if now-g.put <= p.patience(len(c.groups)) {
			continue
		}
		needless := func(a *ask) bool { return !p.isOpen(a) || len(a.opinions) > 0 || p.other(c, a, anybody) }
		if slices.ContainsFunc(g.asks, needless) {
			c.strikes++
			p.fail(g)
		}
	}
}

// vanished is told that a process has not been heard for long.
func (p *plan) vanished(c *crew, process string) {
	for _, g := range c.groups {
		if g.running == process {
			p.died(g)
			c.gone[process] = append(c.gone[process], g.asks...)
			p.fail(g)
		}
	}
}

// doubts reports whether the first answer of a worker waits for a second opinion: others of it count
// already.
func (p *plan) doubts() bool {
	for _, a := range p.open {
		if a.first && len(a.opinions) > 0 {
			return true
		}
	}
	return false
}

// isOpen reports whether a question has no answer yet.
func (p *plan) isOpen(a *ask) bool { return p.open[a.id] == a }

// other reports whether a worker other than one, such as a condition says, has a question or may
// have it.
func (p *plan) other(c *crew, a *ask, such func(*crew, *ask) bool) bool {
	for _, d := range p.crews {
		if d != c && p.slots(d) > 0 && such(d, a) && (a.holders[d.name] != "" || p.may(d, a)) {
			return true
		}
	}
	return false
}

// anybody is a condition that all workers meet.
func anybody(*crew, *ask) bool { return true }

// fresh reports whether a worker has not had a question in vain.
func fresh(c *crew, a *ask) bool { return !a.lost[c.name] }

// free reports, besides, whether it takes more.
func (p *plan) free(c *crew, a *ask) bool { return fresh(c, a) && len(c.groups) < p.depth(c) }

// patience is how long a worker with so many groups may have one.
func (p *plan) patience(groups int) time.Duration {
	if p.longest == 0 {
		return 10 * p.least
	}
	return max(p.least, 4*p.longest) * time.Duration(max(groups, 1))
}

// died notes that a process died over a group.
func (p *plan) died(g *group) {
	for _, a := range g.asks {
		a.failures++
		a.alone = true
		a.deadly[g.worker]++
	}
}

// fail takes back a group that came to nothing: others are to answer it, if there are any, in turn.
func (p *plan) fail(g *group) {
	for _, a := range g.asks {
		if a.lost[g.worker] = true; len(a.opinions) == 0 && !p.other(p.crews[g.worker], a, fresh) {
			a.lost = map[string]bool{g.worker: true}
		}
	}
	p.stale = append(p.stale, g)
	p.back(g)
}

// back takes a group back: what is open of it is put again.
func (p *plan) back(g *group) {
	p.drop(g)
	for _, a := range g.asks {
		p.queue(a)
	}
}

// drop forgets a group.
func (p *plan) drop(g *group) {
	delete(p.groups, g.number)
	if c := p.crews[g.worker]; c != nil {
		delete(c.groups, g.number)
	}
	for _, a := range g.asks {
		if a.holders[g.worker] == g.number {
			delete(a.holders, g.worker)
		}
	}
}

// sent is told that the server has a group now. Before that it is not missing: where the server is
// far, many groups wait to be sent.
func (p *plan) sent(g *group, now time.Duration) { g.sent, g.put = true, now }

// missing is told which groups the server has, as those that it does not have may have been lost:
// the worker acknowledges a group after it has published the answers, so twice in a row is enough
// where all answers have been taken.
func (p *plan) missing(present func(number string) bool, now time.Duration) (lost int) {
	for _, g := range p.groups {
		switch {
		case !g.sent || present(g.number) || now-g.put < beat:
			g.missing = 0
		default:
			g.missing++
		}
		if g.missing >= 2 {
			lost++
			p.crews[g.worker].strikes++
			p.fail(g)
		}
	}
	return lost
}

// size returns how many questions make a group.
func (p *plan) size() int {
	if p.took.count == 0 || p.took.value <= 0 {
		return 1
	}
	return max(1, min(mostInGroup, int(groupTime.Seconds()/p.took.value)))
}

// depth returns how many groups a worker has at a time, one for each question that it answers at
// the same time, and as many to go on with at once, or fewer where a group takes long, or nothing
// has come of the last ones.
func (p *plan) depth(c *crew) int {
	slots := p.slots(c)
	switch {
	case c.strikes >= mostStrikes:
		return min(slots, 1)
	case p.took.count > 0 && p.took.value > 1:
		return slots
	}
	return 2 * slots
}

// assign returns groups to put to workers.
func (p *plan) assign(now time.Duration) (groups []*group) {
	for progress := true; progress && len(p.waiting) > 0; {
		progress = false
		for _, c := range p.inTurn { // one each
			if len(p.waiting) == 0 {
				break
			}
			if len(c.groups) >= p.depth(c) {
				continue
			}
			if g := p.fill(c, now); g != nil {
				groups = append(groups, g)
				progress = true
			}
		}
	}
	return append(groups, p.backups(now)...)
}

// fill makes a group of waiting questions for a worker, nil if there are none for it.
func (p *plan) fill(c *crew, now time.Duration) *group {
	var asks []*ask
	bytes := 0
	for _, a := range p.waiting {
		if !p.turn(c, a) {
			continue
		}
		if len(asks) > 0 && (a.alone || asks[0].alone || bytes+len(a.question) > p.bytes) {
			break
		}
		asks = append(asks, a)
		bytes += len(a.question)
		if len(asks) == p.size() {
			break
		}
	}
	if len(asks) == 0 {
		return nil
	}
	for _, a := range asks {
		p.unqueue(a)
	}
	return p.put(c, asks, now)
}

// put puts questions to a worker.
func (p *plan) put(c *crew, asks []*ask, now time.Duration) *group {
	p.next++
	g := &group{number: fmt.Sprintf("%s-%d", p.prefix, p.next), worker: c.name, asks: asks, put: now}
	p.groups[g.number], c.groups[g.number] = g, g
	for _, a := range asks {
		a.holders[c.name] = g.number
	}
	return g
}

// may reports whether a question may be put to a worker: not if it has it or has answered it.
func (p *plan) may(c *crew, a *ask) bool {
	return a.holders[c.name] == "" && !slices.ContainsFunc(a.opinions, func(o opinion) bool { return o.worker == c.name })
}

// wanted reports whether a worker is to answer a question. A second opinion does not wait for one
// of which nothing came lately: the coordinator has one, too.
func (p *plan) wanted(c *crew, a *ask) bool {
	return p.may(c, a) && (len(a.opinions) == 0 || !a.lost[c.name] && c.strikes < mostStrikes)
}

// turn reports whether a worker is the next one to answer a question: those come first that have
// not had it in vain.
func (p *plan) turn(c *crew, a *ask) bool {
	return p.wanted(c, a) && !(a.lost[c.name] && p.other(c, a, p.free))
}

// backups puts the groups that take longest to workers that have nothing to do, too, since no question
// waits that they may answer: the first answer counts. A group that has not been begun is taken away from a worker that has others.
func (p *plan) backups(now time.Duration) (groups []*group) {
	p.tardy = p.late(now)
	for _, c := range p.inTurn {
		for free := min(p.slots(c), p.depth(c)) - len(c.groups); free > 0; free-- {
			g := p.slowest(c, now)
			if g == nil {
				break
			}
			var asks []*ask
			for _, a := range g.asks {
				if p.isOpen(a) && p.turn(c, a) && c.strikes < mostStrikes {
					asks = append(asks, a)
				}
			}
			if g.running == "" {
				p.fail(g)
			}
			for _, a := range asks {
				p.unqueue(a)
			}
			groups = append(groups, p.put(c, asks, now))
		}
	}
	return groups
}

// late returns the groups that others may answer, too, the one that takes longest first. Backups
// add none to them.
func (p *plan) late(now time.Duration) (late []*group) {
	for _, g := range p.groups {
		if p.waits(g, now) || p.slow(g, now) {
			late = append(late, g)
		}
	}
	slices.SortFunc(late, func(a, b *group) int { return cmp.Or(cmp.Compare(a.put, b.put), cmp.Compare(a.number, b.number)) })
	return late
}

// waits reports whether a group has not been begun, by a worker that has others.
func (p *plan) waits(g *group, now time.Duration) bool {
	c := p.crews[g.worker]
	return g.running == "" && len(c.groups) > p.slots(c) && now-g.put > beat
}

// slow reports whether a group takes longer than others.
func (p *plan) slow(g *group, now time.Duration) bool { return p.long(now-g.put, len(g.asks)) }

// long reports whether a time is longer than so many questions take. Who says that they take long
// has nobody wait for him: it is for the quickest to say.
func (p *plan) long(d time.Duration, questions int) bool {
	return d > max(5*beat, time.Duration(3*p.usual*float64(questions)*float64(time.Second)))
}

// slowest returns the first one of the late groups that a worker is to take over or to answer, too; nil if
// none.
func (p *plan) slowest(c *crew, now time.Duration) *group {
	for _, g := range p.tardy {
		may := func(a *ask) bool {
			return p.isOpen(a) && len(a.holders) < 2 && p.turn(c, a) && c.strikes < mostStrikes
		}
		if p.groups[g.number] == g && g.worker != c.name && (p.waits(g, now) || p.slow(g, now)) && slices.ContainsFunc(g.asks, may) {
			return g
		}
	}
	return nil
}

// verdict is what follows from an answer.
type verdict struct {
	accepted  bool
	by        opinion
	confirmed bool     // by a second one, or by the coordinator's own
	failed    string   // why the question has no answer
	here      bool     // the coordinator is to answer the question
	lied      []string // workers whose answers to this question are false
}

// answered takes the answer of a worker to a question, which may be of a group of earlier days. It
// reports nothing for questions that are not open. An answer that cannot be right was not passed
// on.
func (p *plan) answered(worker, id string, o opinion, took float64, unproved bool) verdict {
	a := p.open[id]
	if a == nil || p.shut[worker] != "" || slices.ContainsFunc(a.opinions, func(b opinion) bool { return b.worker == worker && (b.failed == "" || o.failed != "") }) {
		return verdict{}
	}
	c := p.crew(worker)
	c.strikes = 0
	if c.answered++; c.answered == 1 && !p.varies {
		a.second, a.first = true, true // the first answer of each worker
	}
	if o.failed != "" {
		a.failures++
	} else {
		p.took.add(took)
		c.took.add(took)
	}
	a.second = a.second || unproved
	delete(a.holders, worker)
	a.opinions = append(a.opinions, o)
	return p.decide(a)
}

// gaveUp is told that processes of a worker died over a group, as often as the server delivers one.
func (p *plan) gaveUp(worker, number string) {
	c := p.crews[worker]
	if c == nil || c.groups[number] == nil {
		return
	}
	for range mostFailures / 2 {
		p.died(c.groups[number])
	}
	p.fail(c.groups[number])
}

// finished is told that a worker has answered a group, or what it calls so: it may have left out
// what it was asked.
func (p *plan) finished(worker, number string, now time.Duration) {
	c := p.crews[worker]
	if c == nil || c.groups[number] == nil {
		return
	}
	g := c.groups[number]
	left := func(a *ask) bool {
		return p.isOpen(a) && !slices.ContainsFunc(a.opinions, func(o opinion) bool { return o.worker == worker })
	}
	if slices.ContainsFunc(g.asks, left) {
		c.strikes++
		p.fail(g)
		return
	}
	p.longest = max(p.longest, now-g.put)
	p.back(g)
}

// refused is told that the process of a worker that has got a group cannot answer it.
func (p *plan) refused(worker, number string) {
	if c := p.crews[worker]; c != nil && c.groups[number] != nil {
		p.fail(c.groups[number])
	}
}

// tooLarge is told that the server does not take a group, since its message is too large: the
// groups must have fewer questions. It returns a question that is too large by itself, for the
// coordinator, or nil.
func (p *plan) tooLarge(g *group) *ask {
	if p.groups[g.number] != g {
		return nil
	}
	bytes := 0
	for _, a := range g.asks {
		bytes += len(a.question)
	}
	if p.drop(g); len(g.asks) > 1 {
		p.bytes = min(p.bytes, bytes/2)
	}
	for _, a := range g.asks {
		p.queue(a)
	}
	if len(g.asks) > 1 || !p.isOpen(g.asks[0]) || !p.askHere(g.asks[0]).here {
		return nil
	}
	return g.asks[0]
}

// own takes the coordinator's own answer.
func (p *plan) own(id string, o opinion) verdict {
	a := p.open[id]
	if a == nil {
		return verdict{}
	}
	a.here = false
	a.opinions = append(a.opinions, o)
	return p.decide(a)
}

// decide decides what follows from the opinions on a question. The coordinator's own counts. Of
// workers one is enough, or two that agree; where two differ, the coordinator answers.
func (p *plan) decide(a *ask) verdict {
	var given []opinion // that are answers
	failed := ""
	failures := 0
	for _, o := range a.opinions {
		switch {
		case o.worker == "":
			return p.settle(a, p.judgeBy(a, o))
		case o.failed != "":
			failures++
			failed = o.failed
		default:
			given = append(given, o)
		}
	}
	agree := true
	for i := 1; i < len(given) && agree; i++ {
		given[0].bytes, agree = p.agree(a.question, given[0].bytes, given[i].bytes)
	}
	switch {
	case !agree || failures > 1:
		return p.askHere(a)
	case len(given) > 1 || len(given) == 1 && !a.second:
		return p.settle(a, verdict{accepted: true, by: given[0], confirmed: len(given) > 1})
	case a.failures < mostFailures:
	case len(given)+failures > 0: // somebody has lived
		return p.askHere(a)
	case len(a.deadly) < 2 && p.workers() > 1 && a.failures < 3*mostFailures: // others are to try
	case p.trust == Untrusted && !sworn(a): // nobody believes that
		return p.askHere(a)
	default:
		if failed == "" {
			failed = fmt.Sprintf("%d processes of workers died over it", a.failures)
		}
		return p.settle(a, verdict{failed: failed})
	}
	p.queue(a)
	return verdict{}
}

// sworn reports whether two workers say that processes died over a question, not by chance.
func sworn(a *ask) bool {
	n := 0
	for _, deaths := range a.deadly {
		if deaths > 1 {
			n++
		}
	}
	return n > 1
}

// judgeBy returns what follows from the coordinator's own answer. If that is an error, it may be
// one of this machine: nobody has lied.
func (p *plan) judgeBy(a *ask, own opinion) verdict {
	v := verdict{accepted: own.failed == "", by: own, confirmed: true, failed: own.failed}
	for _, o := range a.opinions {
		if own.failed != "" || p.varies || o.worker == "" || o.failed != "" {
			continue
		}
		if _, agree := p.agree(a.question, own.bytes, o.bytes); !agree {
			v.lied = append(v.lied, o.worker)
		}
	}
	return v
}

// askHere has the coordinator answer a question.
func (p *plan) askHere(a *ask) verdict {
	if a.here {
		return verdict{}
	}
	p.unqueue(a)
	a.here = true
	return verdict{here: true}
}

// again decides anew about a question that the coordinator was to answer, since opinions on it were
// forgotten.
func (p *plan) again(a *ask) verdict {
	if !p.isOpen(a) {
		return verdict{}
	}
	a.here = false
	return p.decide(a)
}

// settle closes a question.
func (p *plan) settle(a *ask, v verdict) verdict {
	p.unqueue(a)
	delete(p.open, a.id)
	if v.failed != "" {
		p.failed++
	}
	for _, number := range a.holders { // what waits at another worker is of no use
		if g := p.groups[number]; g.running == "" && !slices.ContainsFunc(g.asks, p.isOpen) {
			p.stale = append(p.stale, g)
			p.drop(g)
		}
	}
	return v
}

// alone returns a question that lacks a second opinion and has no worker from whom one is to be
// expected: all have answered it, or nothing has come of it, or nothing comes of what they have, or
// they are slow. The coordinator answers it; it is marked so. Nil: there is none.
func (p *plan) alone(now time.Duration) *ask {
	all := [][]*ask{p.waiting}
	for _, g := range p.tardy {
		all = append(all, g.asks)
	}
	for _, asks := range all {
		for _, a := range asks {
			if p.isOpen(a) && !a.here && len(a.opinions) > 0 && (!p.someone(a, now) || p.overdue(a, now)) {
				p.askHere(a)
				return a
			}
		}
	}
	return nil
}

// overdue reports whether a question waits for a second opinion for longer than one takes: else a
// run with two workers would be as slow as the slower one.
func (p *plan) overdue(a *ask, now time.Duration) bool {
	if a.queued && a.lacks == 0 {
		a.lacks = now
	}
	return a.queued && p.long(now-a.lacks, 1)
}

// hopeless returns the questions over which too many processes have died, and what follows.
func (p *plan) hopeless() (asks []*ask, verdicts []verdict) {
	for _, a := range p.open {
		if a.failures >= mostFailures && !a.here {
			asks = append(asks, a)
		}
	}
	slices.SortFunc(asks, func(a, b *ask) int { return cmp.Compare(a.n, b.n) })
	for _, a := range asks {
		verdicts = append(verdicts, p.decide(a))
	}
	return asks, verdicts
}

// someone reports whether a second opinion on a question is to be expected from some worker: it has
// not had the question for long, or is to get it and does not keep all that it has.
func (p *plan) someone(a *ask, now time.Duration) bool {
	for _, c := range p.crews {
		if p.slots(c) == 0 {
			continue
		}
		if g := c.groups[a.holders[c.name]]; g != nil {
			if !p.slow(g, now) {
				return true
			}
		} else if p.wanted(c, a) && !p.keeps(c, now) {
			return true
		}
	}
	return false
}

// keeps reports whether all groups of a worker take longer than others.
func (p *plan) keeps(c *crew, now time.Duration) bool {
	for _, g := range c.groups {
		if !p.slow(g, now) {
			return false
		}
	}
	return len(c.groups) > 0
}

// shutOut shuts a worker out: it gets no more questions, and its opinions on open ones are
// forgotten.
func (p *plan) shutOut(worker, why string) {
	p.shut[worker] = why
	if c := p.crews[worker]; c != nil {
		for _, g := range c.groups {
			p.back(g)
		}
	}
	for _, a := range p.open {
		n := len(a.opinions)
		if a.opinions = slices.DeleteFunc(a.opinions, func(o opinion) bool { return o.worker == worker }); len(a.opinions) < n && !a.here && len(a.holders) == 0 {
			p.queue(a)
		}
	}
}

// workers returns how many workers there are.
func (p *plan) workers() (n int) {
	for _, c := range p.crews {
		if p.slots(c) > 0 {
			n++
		}
	}
	return n
}
