package cluster

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/internal/testkit/boards"
)

// manner is what a worker of a simulation does.
type manner int

const (
	honest   manner = iota
	false1          // each answer is false, and nothing shows it
	false10         // one answer in ten is
	refuted         // each answer is false, and its check shows it
	failing         // it answers with errors
	mute            // it keeps what it gets, and says that it is at work
	idle            // the same, and says nothing of any work
	taking          // it acknowledges and does not answer
	dying           // it says that processes died
	leaving         // it leaves when it has begun, and comes again
	begging         // it answers what it was never asked, too
	empty           // it answers with no answers
	sluggish        // it answers, after long
	manners
)

func (m manner) String() string {
	return [...]string{"honest", "false", "false one in ten", "refuted", "failing", "mute", "idle", "taking", "dying", "leaving", "begging", "empty", "sluggish"}[m]
}

// simulated is a worker of a simulation.
type simulated struct {
	name    string
	manner  manner
	slots   int
	process int  // number of the one that runs
	here    bool // it runs
	cut     bool // it runs, and cannot be heard
	has     []*group
	begun   map[string]time.Duration // groups at work, by number
	free    map[string]time.Duration // when the server delivers a group again
	count   map[string]int           // how often it has delivered it
	late    []*group                 // answered, and on its way
}

// simulation is a plan with the world around it.
type simulation struct {
	*rapid.T
	p       *plan
	now     time.Duration
	workers []*simulated
	errors  map[string]bool    // questions whose answer is an error
	killers map[string]bool    // questions over which processes die
	deadly  bool               // there are some
	deaths  map[string]int     // processes that died, by question
	gave    map[[2]string]bool // worker and question: it has given an answer since it was put
	server  map[string]bool    // groups that are there
	kept    map[string]entry   // as in the record
	here    []*ask             // the coordinator's own work
	shut    map[string]bool
	asked   int
	ends    time.Duration // from when on nothing more happens
}

func truth(id string) []byte { return []byte("truth of " + id) }

// ask adds questions.
func (s *simulation) ask(n int) {
	for range n {
		s.asked++
		id := fmt.Sprintf("q%d", s.asked)
		switch rapid.IntRange(0, 40).Draw(s.T, "question") {
		case 0:
			s.errors[id] = true
		case 1:
			s.killers[id] = s.deadly
		}
		s.open(id, s.asked)
	}
}

func (s *simulation) open(id string, n int) {
	if s.p.open[id] != nil {
		s.Fatalf("%s is open already", id)
	}
	for _, w := range s.workers {
		delete(s.gave, [2]string{w.name, id})
	}
	s.p.add(&ask{n: n, id: id, question: []byte(id)})
}

// follow does what the desk does after an answer.
func (s *simulation) follow(id string, v verdict) {
	if v.here {
		s.here = append(s.here, s.p.open[id])
	}
	if v.accepted || v.failed != "" {
		if _, twice := s.kept[id]; twice {
			s.Fatalf("%s is settled twice", id)
		}
		s.kept[id] = entry{id: id, kept: kept{worker: v.by.worker, confirmed: v.confirmed}, failed: v.failed, bytes: v.by.bytes}
	}
	for _, w := range v.lied {
		s.shutOut(w, "it lied about "+id)
	}
}

func (s *simulation) shutOut(worker, why string) {
	if s.shut[worker] {
		return
	}
	if w := s.worker(worker); slices.Contains([]manner{honest, failing, leaving, begging, sluggish}, w.manner) {
		s.Fatalf("%s, which is %v, is shut out: %s", worker, w.manner, why)
	}
	s.shut[worker] = true
	s.p.shutOut(worker, why)
	for _, id := range slices.Sorted(maps.Keys(s.kept)) {
		if e := s.kept[id]; e.worker == worker && !e.confirmed {
			delete(s.kept, id)
			var n int
			fmt.Sscanf(id, "q%d", &n)
			s.open(id, n)
		}
	}
}

func (s *simulation) worker(name string) *simulated {
	return s.workers[slices.IndexFunc(s.workers, func(w *simulated) bool { return w.name == name })]
}

// step lets some time pass.
func (s *simulation) step(d time.Duration) {
	s.now += d
	for _, w := range s.workers {
		if w.here && !w.cut {
			a := Alive{Process: fmt.Sprint(w.name, w.process), Slots: w.slots}
			for number := range w.begun {
				if w.manner != idle {
					a.Running = append(a.Running, Running{Number: number})
				}
			}
			s.p.heard(s.now, w.name, a)
		}
	}
	s.p.tick(s.now)
	asks, verdicts := s.p.hopeless()
	for i, a := range asks {
		s.follow(a.id, verdicts[i])
	}
	for _, g := range s.p.stale {
		delete(s.server, g.number)
	}
	s.p.stale = nil
	for _, g := range s.p.assign(s.now) {
		s.take(g)
	}
	if a := s.p.alone(s.now); a != nil {
		s.here = append(s.here, a)
	}
	if len(s.here) > 0 {
		a := s.here[0]
		s.here = s.here[1:]
		o := opinion{bytes: truth(a.id)}
		if s.errors[a.id] {
			o = opinion{failed: "error"}
		}
		s.follow(a.id, s.p.own(a.id, o))
	}
	s.check()
}

// take hands a group to its worker.
func (s *simulation) take(g *group) {
	w := s.worker(g.worker)
	if s.shut[w.name] {
		s.Fatalf("a group is put to %s, which is shut out", w.name)
	}
	if len(g.asks) == 0 {
		s.Fatalf("a group without questions is put to %s", w.name)
	}
	for _, a := range g.asks {
		if s.gave[[2]string{w.name, a.id}] {
			s.Fatalf("%s is put to %s, which has answered it", a.id, w.name)
		}
		if s.p.open[a.id] != a || a.queued && a.holders[w.name] != g.number {
			s.Fatalf("%s is put to %s, and is not open", a.id, w.name)
		}
	}
	s.server[g.number] = true
	s.p.sent(g, s.now)
	w.has = append(w.has, g)
}

// check checks that all parts of the plan say the same.
func (s *simulation) check() {
	n := 0
	for name, c := range s.p.crews {
		n += len(c.groups)
		for number, g := range c.groups {
			if s.p.groups[number] != g || g.worker != name {
				s.Fatalf("group %s of %s is not in the plan", number, name)
			}
		}
	}
	if n != len(s.p.groups) {
		s.Fatalf("%d groups, and workers have %d", len(s.p.groups), n)
	}
	for id, a := range s.p.open {
		if !a.queued && !a.here && len(a.holders) == 0 {
			s.Fatalf("%s is lost: nobody has it, and it does not wait", id)
		}
		for worker, number := range a.holders {
			if g := s.p.groups[number]; g == nil || g.worker != worker || !slices.Contains(g.asks, a) {
				s.Fatalf("%s is held by %s in the group %s, which there is not", id, worker, number)
			}
		}
	}
	if !slices.IsSortedFunc(s.p.waiting, func(a, b *ask) int { return cmp.Compare(a.n, b.n) }) {
		s.Fatalf("the questions do not wait in their order")
	}
	for _, a := range s.p.waiting {
		if s.p.open[a.id] != a || !a.queued {
			s.Fatalf("%s waits, and is not open", a.id)
		}
	}
}

// work has a worker do something.
func (s *simulation) work(w *simulated, takes time.Duration) {
	if !w.here || w.cut {
		return
	}
	if w.manner == sluggish {
		takes += 40 * time.Second
	}
	w.has = slices.DeleteFunc(w.has, func(g *group) bool {
		_, begun := w.begun[g.number]
		return !begun && !s.server[g.number]
	})
	for _, g := range w.has {
		if _, begun := w.begun[g.number]; !begun && len(w.begun) < w.slots && s.now >= w.free[g.number] {
			w.begun[g.number] = s.now
			w.count[g.number]++
		}
	}
	for _, g := range slices.Clone(w.has) {
		if began, begun := w.begun[g.number]; begun && s.now-began >= takes {
			s.end(w, g)
		}
	}
}

// end has a worker end with a group, as is its manner.
func (s *simulation) end(w *simulated, g *group) {
	switch {
	case w.manner == mute, w.manner == idle:
		return
	case w.manner == taking:
		s.acknowledge(w, g)
		return
	case w.manner == dying, w.count[g.number] > mostFailures:
		s.acknowledge(w, g)
		s.died(w, g)
		return
	case w.manner == leaving && s.now < s.ends:
		s.kill(w, true)
		return
	}
	if slices.ContainsFunc(g.asks, func(a *ask) bool { return s.killers[a.id] }) {
		s.kill(w, false)
		return
	}
	if rapid.IntRange(0, 30).Draw(s.T, "late") == 0 { // its answers stay on the way for a while
		w.late = append(w.late, g)
		s.acknowledge(w, g)
		return
	}
	s.acknowledge(w, g)
	s.answers(w, g)
	if rapid.IntRange(0, 20).Draw(s.T, "twice") == 0 {
		s.answers(w, g)
	}
}

// died is what the desk does with a group over which processes died.
func (s *simulation) died(w *simulated, g *group) {
	if !s.shut[w.name] {
		s.p.gaveUp(w.name, g.number)
	}
}

func (s *simulation) acknowledge(w *simulated, g *group) {
	delete(s.server, g.number)
	delete(w.begun, g.number)
	w.has = slices.DeleteFunc(w.has, func(x *group) bool { return x == g })
}

// answers brings the answers of a worker to a group.
func (s *simulation) answers(w *simulated, g *group) {
	if s.shut[w.name] {
		return
	}
	asks := slices.Clone(g.asks)
	if w.manner == begging {
		for _, id := range slices.Sorted(maps.Keys(s.p.open)) {
			asks = append(asks, s.p.open[id])
		}
	}
	for _, a := range asks {
		if s.shut[w.name] {
			break
		}
		if s.killers[a.id] || w.manner == empty {
			continue
		}
		s.answer(w, a.id)
	}
	s.p.finished(w.name, g.number, s.now)
}

func (s *simulation) answer(w *simulated, id string) {
	o := opinion{worker: w.name, bytes: truth(id)}
	switch {
	case w.manner == refuted:
		s.shutOut(w.name, "an answer is wrong")
		return
	case w.manner == failing || s.errors[id]:
		o = opinion{worker: w.name, failed: "error"}
	case w.manner == false1, w.manner == false10 && rapid.IntRange(0, 9).Draw(s.T, "lie") == 0:
		o.bytes = []byte("lie of " + w.name + " about " + id)
	}
	s.gave[[2]string{w.name, id}] = true
	s.follow(id, s.p.answered(w.name, id, o, 0.01, false))
}

// kill ends the process of a worker, which says so if it was asked to end.
func (s *simulation) kill(w *simulated, asked bool) {
	w.here = false
	for number := range w.begun {
		if w.free[number] = s.now + redelivery; asked { // it hands back what it has begun
			w.free[number] = s.now
		}
		for _, g := range w.has { // the server will have delivered it once more in any case
			for _, a := range g.asks {
				if g.number == number {
					s.deaths[a.id]++
				}
			}
		}
	}
	clear(w.begun)
	if asked && !w.cut {
		s.p.heard(s.now, w.name, Alive{Process: fmt.Sprint(w.name, w.process), Leaving: true})
	}
}

// start starts a process of a worker.
func (w *simulated) start() {
	w.here, w.cut = true, false
	w.process++
}

// event lets something happen.
func (s *simulation) event() {
	w := rapid.SampledFrom(s.workers).Draw(s.T, "worker")
	switch rapid.IntRange(0, 11).Draw(s.T, "event") {
	case 0:
		s.ask(rapid.IntRange(1, 80).Draw(s.T, "questions"))
	case 1:
		if w.here {
			s.kill(w, false)
		}
	case 2:
		if w.here {
			s.kill(w, true)
		}
	case 3:
		w.cut = !w.cut
	case 4:
		s.p.pause(5 * time.Second)
	case 5:
		s.step(time.Duration(rapid.IntRange(1, 30).Draw(s.T, "seconds")) * time.Second)
	case 6:
		s.lose()
	default:
		if !w.here {
			w.start()
		}
	}
}

// lose loses what the server has, or some of it.
func (s *simulation) lose() {
	for _, number := range slices.Sorted(maps.Keys(s.server)) {
		if rapid.Bool().Draw(s.T, "lost") {
			delete(s.server, number)
		}
	}
}

// all lets everybody work for a moment.
func (s *simulation) all(takes time.Duration) {
	for _, w := range s.workers {
		s.work(w, takes)
		if w.manner == leaving && !w.here && len(s.p.open) > 0 {
			w.start()
		}
		for _, g := range w.late {
			s.answers(w, g)
		}
		w.late = nil
	}
	s.step(time.Second)
	if s.now%(2*beat) == 0 {
		s.p.missing(func(number string) bool { return s.server[number] }, s.now)
	}
}

// TestPlan lets a plan loose on workers of all manners, which come and go. All questions end, with
// the truth, whatever happens, if there is one honest worker in the end.
func TestPlan(t *testing.T) {
	tally := map[string]int{}
	boards.Check(t, 300, 30_000, func(t *rapid.T) {
		trust := rapid.SampledFrom([]Trust{Trusted, Untrusted}).Draw(t, "trust")
		s := &simulation{T: t, errors: map[string]bool{}, killers: map[string]bool{}, deaths: map[string]int{}, gave: map[[2]string]bool{},
			server: map[string]bool{}, kept: map[string]entry{}, shut: map[string]bool{}, ends: 1 << 60}
		s.p = newPlan(trust, func(id string) bool { return sha256.Sum256([]byte(id))[0] < 10 })
		n := rapid.IntRange(1, 5).Draw(t, "workers")
		good := rapid.IntRange(0, n-1).Draw(t, "honest")
		for i := range n {
			w := &simulated{name: fmt.Sprintf("w%d", i), slots: rapid.IntRange(1, 4).Draw(t, "slots"), begun: map[string]time.Duration{},
				free: map[string]time.Duration{}, count: map[string]int{}}
			if i != good {
				w.manner = manner(rapid.IntRange(0, int(manners)-1).Draw(t, "manner"))
			}
			tally[w.manner.String()]++
			s.workers = append(s.workers, w)
		}
		s.deadly = !slices.ContainsFunc(s.workers, func(w *simulated) bool { return w.manner == mute || w.manner == idle || w.manner == taking }) // it would take days
		takes := time.Duration(rapid.IntRange(0, 5).Draw(t, "takes")) * 2 * time.Second
		if s.deadly {
			takes = max(takes, beat) // it has said what it does before it dies
		}
		s.ask(rapid.IntRange(1, 200).Draw(t, "questions"))
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			s.event()
			s.all(takes)
		}
		s.ends = s.now
		for _, w := range s.workers {
			w.cut = false
			if !w.here {
				w.start()
			}
		}
		for steps := 0; len(s.p.open) > 0; steps++ {
			if s.all(takes); steps > 20_000 {
				t.Fatalf("no end: %d questions are open, %d of them wait, shut out: %v\n%s", len(s.p.open), len(s.p.waiting), s.p.shut, s.state())
			}
			for _, w := range s.workers {
				if !w.here { // a question has killed it
					w.start()
				}
			}
		}
		s.over(tally)
	})
	all := []string{"settled", "failed", "confirmed"}
	for m := range manners {
		all = append(all, m.String())
	}
	boards.ExpectAll(t, tally, all...)
}

// TestPatience has a question take longer than any before: it is put to another worker, too, but
// later where the kind says so.
func TestPatience(t *testing.T) {
	for _, c := range []struct{ least, first time.Duration }{{leastPatience, leastPatience}, {time.Hour, time.Hour}} {
		p := newPlan(Trusted, func(string) bool { return false })
		p.least, p.longest = c.least, time.Second
		alive := func(now time.Duration) {
			for _, name := range []string{"a", "b"} {
				p.heard(now, name, Alive{Process: name, Slots: 1})
			}
			p.tick(now)
		}
		alive(0)
		for _, id := range []string{"x", "y"} { // so no worker is idle
			p.add(&ask{id: id, question: []byte(id)})
		}
		p.assign(0)
		now := time.Duration(0)
		for ; len(p.waiting) == 0 && now < 2*c.first; now += beat {
			alive(now)
		}
		if now < c.first || now > c.first+2*beat {
			t.Errorf("with a patience of %v it is put again after %v", c.least, now)
		}
	}
}

// TestBack has a process be silent for long, over a question, and come back: it has not died. What
// is answered is not remembered for the case that it does.
func TestBack(t *testing.T) {
	for _, back := range []bool{true, false} {
		p := newPlan(Untrusted, func(string) bool { return false })
		a := &ask{id: "x", question: []byte("x")}
		p.add(a)
		alive := Alive{Process: "p", Slots: 1}
		p.heard(0, "w", alive)
		for _, g := range p.assign(0) {
			alive.Running = append(alive.Running, Running{Number: g.number})
		}
		p.heard(0, "w", alive)
		p.tick(2 * silence)
		if a.failures != 1 || a.deadly["w"] != 1 || len(p.crews["w"].gone) != 1 {
			t.Errorf("a process is gone: %d failures, %v, %v", a.failures, a.deadly, p.crews["w"].gone)
		}
		if back {
			p.heard(2*silence, "w", alive)
			if a.failures != 0 || len(a.deadly) > 0 {
				t.Errorf("a process is back: %d failures, %v", a.failures, a.deadly)
			}
			continue
		}
		p.own("x", opinion{bytes: truth("x")})
		if p.tick(2 * silence); len(p.crews["w"].gone) > 0 {
			t.Error("a question that is answered is kept for a process that is gone")
		}
	}
}

// TestKept has one of two workers keep all that it gets, and say that it is at work. What lacks its
// opinion the coordinator answers soon.
func TestKept(t *testing.T) {
	const n = 60
	for trust, most := range map[Trust]time.Duration{Trusted: 30 * time.Second, Untrusted: (n + 20) * time.Second} {
		p := newPlan(trust, func(id string) bool { return id == "q20" || id == "q40" })
		for i := range n {
			id := fmt.Sprintf("q%d", i)
			p.add(&ask{n: i, id: id, question: []byte(id)})
		}
		now, here := time.Duration(0), 0
		for ; len(p.open) > 0 && now < time.Hour; now += time.Second {
			here += p.honestOrKept(now, 2*time.Hour)
		}
		if now > most {
			t.Errorf("trust %v: it takes %v, more than %v", trust, now, most)
		}
		if trust == Trusted && here > 5 {
			t.Errorf("the coordinator answers %d questions itself", here)
		}
	}
}

// TestSlower has one of two workers take 40 times as long as the other for each question. Where both
// are to answer all of them, the coordinator answers for it.
func TestSlower(t *testing.T) {
	const n = 200
	p := newPlan(Untrusted, func(string) bool { return false })
	for i := range n {
		id := fmt.Sprintf("q%d", i)
		p.add(&ask{n: i, id: id, question: []byte(id)})
	}
	now, here := time.Duration(0), 0
	for ; len(p.open) > 0 && now < time.Hour; now += time.Second {
		here += p.honestOrKept(now, 8*time.Second)
	}
	if most := (n + 30) * time.Second; now > most {
		t.Errorf("it takes %v, more than %v; the coordinator answers %d questions", now, most, here)
	}
}

// TestBoaster has a worker take many questions, say of the first ones that each took as long as the
// run, and keep the rest: the others do not wait three times as long as the run for that.
func TestBoaster(t *testing.T) {
	p := newPlan(Trusted, func(string) bool { return false })
	alive := func(now time.Duration) {
		for name, slots := range map[string]int{"honest": 20, "boaster": 500} {
			a := Alive{Process: name, Slots: slots}
			for number := range p.crew(name).groups {
				a.Running = append(a.Running, Running{Number: number})
			}
			p.heard(now, name, a)
		}
		p.tick(now)
	}
	for n := range 10_000 {
		p.add(&ask{n: n, id: fmt.Sprint(n), question: []byte("?")})
	}
	now, last := time.Duration(0), time.Duration(0) // when a question waited last
	for ; len(p.open) > 0 && now < time.Hour; now += time.Second {
		given := 0
		for _, g := range p.groups {
			took := time.Second
			if g.worker == "boaster" {
				if given++; given > 60 || len(p.waiting) == 0 {
					continue
				}
				took = now
			}
			for _, a := range g.asks {
				p.answered(g.worker, a.id, opinionOf(g.worker, truth(a.id)), took.Seconds(), false)
			}
			p.finished(g.worker, g.number, now)
		}
		alive(now)
		for _, g := range p.assign(now) {
			p.sent(g, now)
		}
		if a := p.alone(now); a != nil {
			p.own(a.id, opinion{bytes: truth(a.id)})
		}
		if len(p.waiting) > 0 {
			last = now
		}
	}
	if most := 5*beat + 500*time.Second/20 + 10*time.Second; now-last > most {
		t.Errorf("when no question waits, after %v, the honest worker takes %v more", last, now-last)
	}
}

// honestOrKept lets a second pass: the worker "honest" answers what it has, the worker "keeps" does
// so later, and the coordinator answers the rest. It returns the number of those questions.
func (p *plan) honestOrKept(now, later time.Duration) (here int) {
	for _, g := range p.groups {
		took := 200 * time.Millisecond
		if g.worker == "keeps" {
			if took = later; now-g.put < later {
				continue
			}
		}
		for _, a := range g.asks {
			p.answered(g.worker, a.id, opinion{worker: g.worker, bytes: truth(a.id)}, took.Seconds(), false)
		}
		p.finished(g.worker, g.number, now)
	}
	for _, name := range []string{"honest", "keeps"} {
		alive := Alive{Process: name, Slots: 2}
		for number := range p.crew(name).groups {
			alive.Running = append(alive.Running, Running{Number: number})
		}
		p.heard(now, name, alive)
	}
	p.tick(now)
	for _, g := range p.assign(now) {
		p.sent(g, now)
	}
	a := p.alone(now)
	if a == nil {
		return 0
	}
	p.own(a.id, opinion{bytes: truth(a.id)})
	return 1
}

// state says what the workers have.
func (s *simulation) state() (text string) {
	for _, w := range s.workers {
		c := s.p.crews[w.name]
		text += fmt.Sprintf("trust %v, %s, %v: here %v, cut %v, %d slots, %d groups, %d at work", s.p.trust, w.name, w.manner, w.here, w.cut, w.slots, len(w.has), len(w.begun))
		if c != nil {
			text += fmt.Sprintf("; %d groups, %d answered, %d strikes", len(c.groups), c.answered, c.strikes)
		}
		text += "\n"
	}
	for _, id := range slices.Sorted(maps.Keys(s.p.open)) {
		a := s.p.open[id]
		text += fmt.Sprintf("%s: held by %v, second %v, here %v, alone %v, %d failures, opinions", id, a.holders, a.second, a.here, a.alone, a.failures)
		for _, o := range a.opinions {
			text += fmt.Sprintf(" %s %q", o.worker, o.failed)
		}
		text += "\n"
	}
	return text
}

// over checks how it has ended.
func (s *simulation) over(tally map[string]int) {
	defer func() {
		if s.Failed() {
			s.Log(s.state())
		}
	}()
	if len(s.kept) != s.asked {
		s.Fatalf("%d questions, and %d are settled", s.asked, len(s.kept))
	}
	for id, e := range s.kept {
		tally["settled"]++
		if e.confirmed {
			tally["confirmed"]++
		}
		right := e.failed == "" && bytes.Equal(e.bytes, truth(id))
		switch {
		case e.failed != "":
			tally["failed"]++
			liars := 0
			for _, w := range s.workers {
				if w.manner == dying {
					liars++
				}
			}
			if !s.errors[id] && s.deaths[id] < mostFailures && (liars == 0 || s.p.trust == Untrusted && liars == 1 && s.deaths[id] < 2) {
				s.Fatalf("%s has failed: %s; %d processes died over it", id, e.failed, s.deaths[id])
			}
		case s.errors[id]:
			s.Fatalf("%s has an answer", id)
		case right:
		case s.p.trust == Untrusted || e.confirmed || s.shut[e.worker]:
			s.Fatalf("%s has a false answer by %q", id, e.worker)
		default:
			tally["false"]++
		}
	}
	s.step(time.Minute)
	for _, g := range s.p.groups {
		if slices.ContainsFunc(g.asks, func(a *ask) bool { return s.p.open[a.id] != nil }) {
			s.Fatalf("group %s is left", g.number)
		}
	}
}
