package studio

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

const (
	maxStreams = 64 // streams of events
	// interval is the time between two events about a job or a tree that runs.
	interval = 200 * time.Millisecond
	// heartbeat is the time between two comments in the stream of all events. They show each side
	// that the other one is still there.
	heartbeat = 15 * time.Second
)

// events streams the states of a job as server-sent events until it has ended.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func() (any, <-chan struct{}, time.Duration, error) {
		job, changed, err := s.queue.look(r.PathValue("id"))
		switch job.State {
		case waiting: // nothing happens to it
			return job, changed, 0, err
		case running:
			return job, changed, interval, err
		}
		return job, nil, 0, err
	})
}

// stream writes server-sent events. Look returns the current one, a channel that is closed when the
// next one is due, or nil if this is the last, and the time after which it is due at the latest, if
// not 0.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, look func() (any, <-chan struct{}, time.Duration, error)) {
	event, changed, after, err := look()
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	if !s.openStream(w) {
		return
	}
	defer s.closeStream()
	for {
		if send(w, "data: %s\n\n", dataOf(event)) != nil || changed == nil {
			return
		}
		var due <-chan time.Time
		if after > 0 {
			due = time.After(after)
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		case <-changed:
		case <-due:
		}
		if event, changed, after, err = look(); err != nil {
			return
		}
	}
}

// openStream begins an answer that is a stream of events, or refuses it if there are too many.
func (s *Server) openStream(w http.ResponseWriter) bool {
	select {
	case s.streams <- struct{}{}:
	default:
		refuse(w, http.StatusServiceUnavailable, fmt.Errorf("%d streams of events are open, the most that may be: close other windows", maxStreams))
		return false
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // a search may take hours
	w.Header().Set("Content-Type", "text/event-stream")
	return true
}

// closeStream lets another stream open.
func (s *Server) closeStream() { <-s.streams }

// send sends a part of a stream.
func send(w http.ResponseWriter, format string, values ...any) error {
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second))
	if _, err := fmt.Fprintf(w, format, values...); err != nil {
		return err
	}
	return control.Flush()
}

// dataOf returns the data of an event in JSON.
func dataOf(data any) string {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // no answer of the studio has such a type
	}
	return string(text)
}

// ring wakes all listeners. The lock is held.
func (q *queue) ring() {
	close(q.bell)
	q.bell = make(chan struct{})
}

// event is an event of the stream of all events.
type event struct {
	name string
	data any
}

// entry is a job or a tree as a listener is told of it.
type entry struct {
	event
	id    string
	state string
}

// goneEvent is the event of a job or a tree that the studio has forgotten.
type goneEvent struct {
	ID string `json:"id"`
}

// fileEvent is the event of a file of the workspace that was written or removed.
type fileEvent struct {
	Kind    string `json:"kind"`    // games, saved, archives, certificates, runs, training or settings
	Name    string `json:"name"`    // as requests name it
	Version string `json:"version"` // "": the file was removed
}

// listener is the client of a stream of all events. What it is told is the difference between what
// there is and what it was told last: a slow client gets fewer events, and none is queued for it.
type listener struct {
	queue *queue
	told  map[string]told // by the id of the job or tree
	files []fileEvent     // since the last time, one for each file. The queue's lock guards them
}

// told is the last event about a job or a tree.
type told struct {
	text  string
	state string
	at    time.Time
}

// changedFile tells all listeners that a file of the workspace was written or, if there is no
// version, removed.
func (s *Server) changedFile(kind, name, version string) {
	q := s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	for l := range q.listeners {
		l.files = slices.DeleteFunc(l.files, func(f fileEvent) bool { return f.Kind == kind && f.Name == name })
		l.files = append(l.files, fileEvent{kind, name, version})
	}
	q.ring()
}

// listen adds a listener, for whom leave is called at the end.
func (q *queue) listen() (l *listener, leave func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	l = &listener{queue: q, told: map[string]told{}}
	q.listeners[l] = true
	return l, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.listeners, l)
	}
}

// look returns the jobs, from the first to the last one, and the trees, without those jobs of which
// the listener knows the end; the files that have changed; a bell that rings at the next change;
// and whether anything runs, which changes without a bell.
func (l *listener) look() (entries []entry, files []fileEvent, bell <-chan struct{}, busy bool) {
	q := l.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.order {
		e := entry{id: j.id, state: j.state}
		if !j.over() || l.told[j.id].state != j.state {
			e.event = event{"job", q.shown(j).Brief}
		}
		entries = append(entries, e)
		busy = busy || j.state == running
	}
	for _, tr := range q.trees {
		if shown := tr.seen.Load(); shown != nil {
			entries = append(entries, entry{event{"tree", shown}, tr.id, shown.State})
		}
		busy = busy || tr.runs
	}
	files, l.files = l.files, nil
	return entries, files, q.bell, busy
}

// news returns what a listener is to be told of jobs and trees at a time.
func (l *listener) news(entries []entry, now time.Time) (news []event) {
	gone := map[string]bool{}
	for id := range l.told {
		gone[id] = true
	}
	for _, e := range entries {
		delete(gone, e.id)
		last := l.told[e.id]
		if e.data == nil || last.state == running && e.state == running && now.Sub(last.at) < interval {
			continue
		}
		if text := dataOf(e.data); last.text != text {
			l.told[e.id] = told{text, e.state, now}
			news = append(news, event{e.name, json.RawMessage(text)})
		}
	}
	for id := range gone {
		delete(l.told, id)
		news = append(news, event{"gone", goneEvent{id}})
	}
	return news
}

// allEvents streams what happens in the studio, in one stream for a window: a browser opens few
// connections to an address.
func (s *Server) allEvents(w http.ResponseWriter, r *http.Request) {
	if !s.openStream(w) {
		return
	}
	defer s.closeStream()
	l, leave := s.queue.listen()
	defer leave()
	beat := time.NewTicker(s.heartbeat)
	defer beat.Stop()
	news := []event{{"studio", s.described()}}
	for ready := false; ; ready = true {
		entries, files, bell, busy := l.look()
		news = append(news, l.news(entries, time.Now())...)
		if !ready {
			news = append(news, event{"ready", struct{}{}})
		}
		for _, f := range files {
			news = append(news, event{"file", f})
		}
		for _, e := range news {
			if send(w, "event: %s\ndata: %s\n\n", e.name, dataOf(e.data)) != nil {
				return
			}
		}
		news = nil
		var due <-chan time.Time
		if busy {
			due = time.After(interval)
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		case <-bell:
		case <-due:
		case <-beat.C:
			if send(w, ":\n\n") != nil {
				return
			}
		}
	}
}
