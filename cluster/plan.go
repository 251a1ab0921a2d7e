package cluster

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"
)

// plan decides which questions are put to which worker, and which answers count. It is told what
// happens, and when, and says what is to be done; it knows neither the server nor a clock. Times
// are durations since the start of the process, so a clock that is set does not matter.
type plan struct {
	trust    Trust
	varies   bool                 // an answer given twice need not be the same
	prefix   string               // of the numbers of groups
	sampled  func(id string) bool // whether an answer is to be given twice
	next     int                  // number of the next group
	open     map[string]*ask      // by id
	waiting  []*ask               // to be put, in order
	crews    map[string]*crew     // by name
	groups   map[string]*group    // put and not answered, by number
	shut     map[string]string    // workers that were shut out, and why
	took     mean                 // of questions
	longest  time.Duration        // that a group took
	accepted int
	failed   int
}

// ask is a question that is open.
type ask struct {
	n        int // in order
	id       string
	question []byte
	opinions []opinion
	holders  map[string]string // groups in which it has been put, by worker
	second   bool              // one opinion is not enough
	here     bool              // it is being answered by the coordinator
	alone    bool              // in no group with others, since a process died over it
	failures int               // processes that died, and errors
	queued   bool              // in waiting
}

// opinion is what a worker answers. The coordinator's own has no worker.
type opinion struct {
	worker string
	digest [sha256.Size]byte // of the answer; zero if it failed
	failed string
	bytes  []byte
	took   time.Duration
}

// crew is what is known of a worker: all processes with its name.
type crew struct {
	name      string
	processes map[string]*process
	groups    map[string]*group // that it has
	answered  int
	strikes   int // groups running that were answered by others first
}

// process is one that was heard lately.
type process struct {
	Alive
	heard time.Duration
}

// group is a group of questions that has been put to a worker.
type group struct {
	number  string
	worker  string
	asks    []*ask
	put     time.Duration
	running bool          // a process says that it is at work
	began   time.Duration // when it first said so
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
	// mostInGroup is the greatest number of questions in a group, and mostBytes of their bytes.
	mostInGroup, mostBytes = 64, 1 << 20
	// mostFailures is how many processes may die over a question.
	mostFailures = 5
	// leastPatience is how long any group may take.
	leastPatience = time.Minute
	// mostStrikes is how often a worker may hold on to a group that others then answer.
	mostStrikes = 3
)

func newPlan(trust Trust, sampled func(string) bool) *plan {
	return &plan{trust: trust, sampled: sampled, open: map[string]*ask{}, crews: map[string]*crew{}, groups: map[string]*group{}, shut: map[string]string{}}
}

// add adds a question.
func (p *plan) add(a *ask) {
	a.holders = map[string]string{}
	a.second = !p.varies && (p.trust == Untrusted || p.sampled(a.id))
	p.open[a.id] = a
	p.queue(a)
}

// queue has a question put, in its order.
func (p *plan) queue(a *ask) {
	if a.queued || a.here || p.open[a.id] != a {
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

// heard notes a sign of life of a process.
func (p *plan) heard(now time.Duration, worker string, a Alive) {
	c := p.crews[worker]
	if c == nil {
		c = &crew{name: worker, processes: map[string]*process{}, groups: map[string]*group{}}
		p.crews[worker] = c
	}
	if a.Leaving {
		if delete(c.processes, a.Process); p.slots(c) == 0 { // it has given back what it had begun
			for _, g := range c.groups {
				p.back(g)
			}
		}
		return
	}
	c.processes[a.Process] = &process{a, now}
	for _, r := range a.Running {
		if g := c.groups[r.Number]; g != nil && !g.running {
			g.running, g.began = true, now
		}
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
		g.began += d
	}
}

// slots returns how many questions a worker answers at the same time, 0 if it gets none.
func (p *plan) slots(c *crew) (n int) {
	if p.shut[c.name] != "" {
		return 0
	}
	for _, x := range c.processes {
		n += x.Slots
	}
	return n
}

// tick drops processes that have not been heard, and puts again what their workers had, and what
// workers have had for too long.
func (p *plan) tick(now time.Duration) {
	for _, c := range p.crews {
		maps.DeleteFunc(c.processes, func(_ string, x *process) bool { return now-x.heard > silence })
		if p.slots(c) == 0 {
			p.gone(c)
		}
	}
	for _, g := range p.groups {
		if c := p.crews[g.worker]; now-g.put > p.patience(len(c.groups)) {
			c.strikes++
			if p.back(g); c.strikes >= mostStrikes && c.answered == 0 {
				p.shut[c.name] = fmt.Sprintf("it has kept %d groups of questions and answered none", c.strikes)
			}
		}
	}
}

// gone takes back what a worker had that has no process any more.
func (p *plan) gone(c *crew) {
	for _, g := range c.groups {
		if g.running && p.shut[c.name] == "" {
			p.died(g)
		}
		p.back(g)
	}
}

// patience is how long a worker with so many groups may have one.
func (p *plan) patience(groups int) time.Duration {
	if p.longest == 0 {
		return 10 * leastPatience
	}
	return max(leastPatience, 10*p.longest) * time.Duration(max(groups, 1))
}

// died notes that a process died over a group.
func (p *plan) died(g *group) {
	for _, a := range g.asks {
		a.failures++
		a.alone = true
	}
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

// missing is told which groups the server has, as those that it does not have may have been lost:
// the worker acknowledges a group after it has published the answers, so twice in a row is enough
// where all answers have been taken.
func (p *plan) missing(present func(number string) bool, now time.Duration) (lost int) {
	for _, g := range p.groups {
		switch {
		case present(g.number) || now-g.put < beat:
			g.missing = 0
		default:
			g.missing++
		}
		if g.missing >= 2 {
			lost++
			p.back(g)
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
// the same time, and as many to go on with at once, or fewer where a group takes long.
func (p *plan) depth(slots int) int {
	if p.took.count > 0 && p.took.value > 1 {
		return slots
	}
	return 2 * slots
}

// assign returns groups to put to workers.
func (p *plan) assign(now time.Duration) (groups []*group) {
	for progress := true; progress && len(p.waiting) > 0; {
		progress = false
		for _, name := range slices.Sorted(maps.Keys(p.crews)) { // one each, in turn
			c := p.crews[name]
			if len(c.groups) >= p.depth(p.slots(c)) {
				continue
			}
			if g := p.fill(c, now); g != nil {
				groups = append(groups, g)
				progress = true
			}
		}
	}
	if len(p.waiting) == 0 {
		groups = append(groups, p.backups(now)...)
	}
	return groups
}

// fill makes a group of waiting questions for a worker, nil if there are none for it.
func (p *plan) fill(c *crew, now time.Duration) *group {
	var asks []*ask
	bytes := 0
	for _, a := range p.waiting {
		if !p.may(c, a) {
			continue
		}
		if len(asks) > 0 && (a.alone || asks[0].alone || bytes+len(a.question) > mostBytes) {
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

// backups puts the groups that take longest to workers that have nothing to do, too: the first
// answer counts. A group that has not been begun is taken away from a worker that has others.
func (p *plan) backups(now time.Duration) (groups []*group) {
	for _, name := range slices.Sorted(maps.Keys(p.crews)) {
		c := p.crews[name]
		for free := p.slots(c) - len(c.groups); free > 0; free-- {
			g := p.slowest(c, now)
			if g == nil {
				break
			}
			var asks []*ask
			for _, a := range g.asks {
				if p.open[a.id] == a && p.may(c, a) {
					asks = append(asks, a)
				}
			}
			if !g.running {
				p.drop(g)
			}
			groups = append(groups, p.put(c, asks, now))
		}
	}
	return groups
}

// slowest returns the group that a worker is to take over or to answer, too; nil if none.
func (p *plan) slowest(c *crew, now time.Duration) (found *group) {
	for _, g := range p.groups {
		other := p.crews[g.worker]
		waits := !g.running && len(other.groups) > p.slots(other) && now-g.put > beat
		slow := now-g.put > max(5*beat, time.Duration(3*p.took.value*float64(len(g.asks))*float64(time.Second)))
		may := slices.ContainsFunc(g.asks, func(a *ask) bool { return p.open[a.id] == a && len(a.holders) < 2 && p.may(c, a) })
		if g.worker != c.name && may && (waits || slow) && (found == nil || g.put < found.put || g.put == found.put && g.number < found.number) {
			found = g
		}
	}
	return found
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
	if a == nil || p.shut[worker] != "" || slices.ContainsFunc(a.opinions, func(b opinion) bool { return b.worker == worker && b.failed == "" }) {
		return verdict{}
	}
	if c := p.crews[worker]; c != nil {
		if c.answered++; c.answered == 1 && !p.varies {
			a.second = true // the first answer of each worker
		}
	}
	if o.failed != "" {
		a.failures++
	} else {
		p.took.add(took)
	}
	a.second = a.second || unproved
	delete(a.holders, worker)
	a.opinions = append(a.opinions, o)
	return p.decide(a)
}

// finished is told that a worker has answered a group.
func (p *plan) finished(worker, number string, now time.Duration) {
	c := p.crews[worker]
	if c == nil || c.groups[number] == nil {
		return
	}
	g := c.groups[number]
	p.longest = max(p.longest, now-g.put)
	p.back(g)
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
	differ := slices.ContainsFunc(given, func(o opinion) bool { return o.digest != given[0].digest })
	switch {
	case differ || failures > 1:
		return p.askHere(a)
	case len(given) > 1 || len(given) == 1 && !a.second:
		return p.settle(a, verdict{accepted: true, by: given[0], confirmed: len(given) > 1})
	case a.failures >= mostFailures:
		if failed == "" {
			failed = fmt.Sprintf("%d processes of workers died over it", a.failures)
		}
		return p.settle(a, verdict{failed: failed})
	}
	p.queue(a)
	return verdict{}
}

// judgeBy returns what follows from the coordinator's own answer.
func (p *plan) judgeBy(a *ask, own opinion) verdict {
	v := verdict{accepted: own.failed == "", by: own, confirmed: true, failed: own.failed}
	for _, o := range a.opinions {
		if o.worker != "" && o.failed == "" && o.digest != own.digest {
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

// settle closes a question.
func (p *plan) settle(a *ask, v verdict) verdict {
	p.unqueue(a)
	delete(p.open, a.id)
	if p.accepted++; v.failed != "" {
		p.failed++
	}
	return v
}

// alone returns the questions that wait for a worker although none may answer them: those that all
// workers have answered. The coordinator answers them; they are marked so.
func (p *plan) alone() (asks []*ask) {
	anyone := p.workers() > 0
	for _, a := range slices.Clone(p.waiting) {
		if a.failures >= mostFailures || len(a.opinions) == 0 || !anyone || p.someone(a) {
			continue
		}
		if p.askHere(a).here {
			asks = append(asks, a)
		}
	}
	return asks
}

// hopeless returns the questions over which too many processes have died, which are closed.
func (p *plan) hopeless() (asks []*ask, verdicts []verdict) {
	for _, a := range slices.Clone(p.waiting) {
		if a.failures >= mostFailures {
			if v := p.decide(a); v.failed != "" {
				asks, verdicts = append(asks, a), append(verdicts, v)
			}
		}
	}
	return asks, verdicts
}

// someone reports whether a question may be put to some worker.
func (p *plan) someone(a *ask) bool {
	for _, c := range p.crews {
		if p.slots(c) > 0 && p.may(c, a) {
			return true
		}
	}
	return false
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
