package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"goalproof/internal/files"
)

// silence is how long a process or a run may be silent before it is taken for gone.
const silence = 10 * time.Second

// aliveList holds the processes that were heard lately. Several goroutines may use it.
type aliveList struct {
	mu     sync.Mutex
	heard  map[string]map[string]heardProcess // by worker and process
	forgot time.Time                          // when those that are gone were forgotten
}

type heardProcess struct {
	Alive
	at time.Time
}

func newAliveList() *aliveList { return &aliveList{heard: map[string]map[string]heardProcess{}} }

// hear takes note of what a process says of itself, unless its worker has too many. What it has at
// work is left out if that is too much to keep.
func (l *aliveList) hear(worker string, a Alive) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget()
	of := l.heard[worker]
	if of == nil {
		of = map[string]heardProcess{}
		l.heard[worker] = of
	}
	if _, known := of[a.Process]; !known && len(of) >= mostProcesses {
		return
	}
	delete(of, a.Process)
	running := len(a.Running)
	for _, p := range of {
		running += len(p.Running)
	}
	if running > mostRunning {
		a.Running = nil
	}
	of[a.Process] = heardProcess{a, time.Now()}
}

// mostRunning is how many groups of questions that a worker has are shown.
const mostRunning = 1 << 14

// forget forgets processes that are gone, from time to time.
func (l *aliveList) forget() {
	if time.Since(l.forgot) < beat {
		return
	}
	l.forgot = time.Now()
	for worker, of := range l.heard {
		maps.DeleteFunc(of, func(_ string, p heardProcess) bool { return time.Since(p.at) > silence })
		if len(of) == 0 {
			delete(l.heard, worker)
		}
	}
}

// of returns the processes of a worker that are not gone.
func (l *aliveList) of(worker string) []Alive {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := []Alive{}
	for _, p := range l.heard[worker] {
		if time.Since(p.at) <= silence {
			all = append(all, p.Alive)
		}
	}
	slices.SortFunc(all, func(a, b Alive) int { return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.Process, b.Process)) })
	return all
}

// runs holds the runs that were heard and have not been dropped, and those that have ended lately.
// Those that have not ended stand in a file, so that a server that is started again knows them.
// Several goroutines may use it.
type runs struct {
	path string

	mu    sync.Mutex
	known map[string]*knownRun
}

type knownRun struct {
	Progress
	at time.Time // when it was heard; zero: not since the server was started
}

// endedStays is how long a run that has ended is still shown.
const endedStays = 10 * time.Minute

// openRuns reads the runs of a file, if it is there.
func openRuns(path string) (*runs, error) {
	r := &runs{path: path, known: map[string]*knownRun{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Progress
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", path, err)
	}
	for _, p := range all {
		r.known[p.Run] = &knownRun{Progress: p}
	}
	return r, nil
}

// hear takes note of how far a run is, and reports whether that is worth writing at once: a run has
// begun or ended.
func (r *runs) hear(p Progress) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.known[p.Run]
	r.known[p.Run] = &knownRun{p, time.Now()}
	return old == nil || old.Ended != p.Ended || old.Stopped != p.Stopped
}

// knows reports whether a run was heard, and has not been dropped or ended long ago.
func (r *runs) knows(run string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[run] != nil
}

// drop forgets a run, and reports whether it was known.
func (r *runs) drop(run string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.known[run]
	delete(r.known, run)
	return known
}

// list returns the runs, the oldest one first.
func (r *runs) list() []RunStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []RunStatus{}
	for name, k := range r.known {
		if k.Ended && time.Since(k.at) > endedStays {
			delete(r.known, name)
			continue
		}
		all = append(all, RunStatus{k.Progress, time.Since(k.at) < silence && !k.Ended && !k.Stopped})
	}
	slices.SortFunc(all, func(a, b RunStatus) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Run, b.Run)) })
	return all
}

// save writes the runs that have not ended.
func (r *runs) save() error {
	all := []Progress{}
	for _, s := range r.list() {
		if !s.Ended {
			all = append(all, s.Progress)
		}
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return files.WriteSecret(r.path, append(text, '\n'))
}

// listenToAll hears the signs of life of workers and runs, and answers requests.
func (s *Server) listenToAll() error {
	for subject, hear := range map[string]nats.MsgHandler{
		aliveSubject("*"): s.hearWorker,
		runSubject("*"):   s.hearRun,
		adminSubject("*"): s.answer,
	} {
		if _, err := s.conn.NATS.Subscribe(subject, hear); err != nil {
			return err
		}
	}
	return s.conn.NATS.Flush()
}

func (s *Server) hearWorker(m *nats.Msg) {
	if a, ok := readAlive(m.Data); ok {
		s.alive.hear(lastToken(m.Subject), a)
	}
}

func (s *Server) hearRun(m *nats.Msg) {
	var p Progress
	if json.Unmarshal(m.Data, &p) != nil || p.Run != lastToken(m.Subject) {
		return
	}
	if s.runs.hear(p) {
		s.reportError(s.runs.save())
	}
}

// reportError says an error, if there is one, to the person who runs the server.
func (s *Server) reportError(err error) {
	if err != nil {
		s.options.Report(err.Error())
	}
}

// watch looks after the server until the context is done: it saves how far runs are, makes streams
// that somebody has deleted, keeps room for answers, renews the certificate, and starts the embedded
// server again when the disk was full.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if s.unwell() {
			s.revive(ctx)
			continue
		}
		if n%watchEach != 0 || !s.conn.NATS.IsConnected() { // the connection has said so, and will say when it is there
			continue
		}
		err := s.makeStreams(ctx)
		if ctx.Err() != nil || s.unwell() {
			continue
		}
		if err != nil && s.external() {
			err = fmt.Errorf("%s does not look after the streams of this cluster, so runs wait: %w", s.conn.address, err)
		}
		err = cmp.Or(err, s.runs.save(), s.makeRoom(ctx))
		if n%renewEach == 0 && !s.external() {
			err = cmp.Or(err, s.renew())
		}
		s.setTrouble(err)
	}
}

// unwell reports whether the embedded server keeps no messages any more.
func (s *Server) unwell() bool {
	return !s.external() && (s.log.broken.Load() || !s.nats.Load().JetStreamEnabled())
}

// The numbers of seconds between two looks at the streams, and at the certificate.
const (
	watchEach = 10
	renewEach = 3600
)

// setTrouble remembers what is wrong, and says it if it is new.
func (s *Server) setTrouble(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	old := s.trouble.Swap(&text)
	switch was := old != nil && *old != ""; {
	case text != "" && (!was || *old != text):
		s.options.Report(text)
	case text == "" && was:
		s.options.Report("all is well again")
	}
}

// roomNeeded is how much room there must be before the embedded server is started again, in bytes.
const roomNeeded = 4 << 20

// revive starts the embedded server again when there is room on the disk. Until then it has no
// streams, so that a publisher gets an error at once instead of no answer.
func (s *Server) revive(ctx context.Context) {
	probe := filepath.Join(s.dir, "probe")
	err := os.WriteFile(probe, make([]byte, roomNeeded), 0o600)
	_ = os.Remove(probe) // the next probe writes over it
	old := s.nats.Load()
	if err != nil {
		if old.JetStreamEnabled() {
			s.reportError(old.DisableJetStream())
		}
		s.setTrouble(fmt.Errorf("the server keeps no jobs and answers, since it cannot write to %s: %s; make room, and it goes on", s.dir, reason(err)))
		return
	}
	host, port := s.listen.host, s.listen.port
	old.Shutdown()
	old.WaitForShutdown()
	if err := s.embed(host, port); err != nil {
		s.setTrouble(err)
		return
	}
	if s.conn.await(ctx, 5*time.Second) {
		s.setTrouble(s.makeStreams(ctx))
	}
}

// reason returns the error of the system alone.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
