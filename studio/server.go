package studio

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"goalproof/library"
	"goalproof/tables"
	"goalproof/tables/endgame"
)

// Options are the resources of a studio.
type Options struct {
	Memory   uint64          // for the searches of all jobs together, in bytes
	Endgames *endgame.Tables // nil: none
	Store    tables.Store    // facts on disk; nil: none
	// Sync returns when all facts put into the store are durable; nil if there is no store.
	Sync func() error
	// Workspace is the directory of saved searches, games and the training; nil: nothing is saved,
	// and the training is lost when the studio ends.
	Workspace *os.Root
	// Library is the library that the studio answers questions about; nil: none. The studio does not
	// close it.
	Library *library.Library
	// Programs are the programs that may play in the studio. No others are started.
	Programs []Program
	// Version is the version of the program, for clients.
	Version string
	// Log takes errors of the server itself; nil: they are dropped.
	Log *log.Logger
}

// Server is a studio.
type Server struct {
	ctx       context.Context
	options   Options
	assets    *assets
	queue     *queue
	training  *training
	saving    sync.Mutex    // is held while files of the workspace change, or are looked at for that
	indexing  sync.Mutex    // is held while an archive is read
	streams   chan struct{} // holds a place for each stream of events
	questions chan struct{} // holds a place for each question about the library
	patience  time.Duration // with such a question
	heartbeat time.Duration // between two comments in the stream of all events
	token     string
	ticket    atomic.Pointer[string] // of the address that opens the page once, nil when it has been used
	address   string                 // host and port
	hosts     map[string]bool        // names of the studio in requests
	http      *http.Server
}

// New returns a studio for a listener on the loopback interface. Its jobs end with the context.
func New(ctx context.Context, l net.Listener, o Options) (*Server, error) {
	address, ok := l.Addr().(*net.TCPAddr)
	if !ok || !address.IP.IsLoopback() {
		return nil, fmt.Errorf("%v is no address of this machine alone", l.Addr())
	}
	if err := checkPrograms(o.Programs); err != nil {
		return nil, err
	}
	t, err := openTraining(o.Workspace)
	if err != nil {
		return nil, err
	}
	a, err := bundled()
	if err != nil {
		return nil, err
	}
	s := &Server{ctx: ctx, assets: a, training: t, options: o, queue: newQueue(ctx, o.Memory), streams: make(chan struct{}, maxStreams),
		questions: make(chan struct{}, maxQuestions), patience: libraryTime, heartbeat: heartbeat,
		token: rand.Text(), address: address.String(), hosts: map[string]bool{}}
	for _, host := range []string{"127.0.0.1", "localhost"} {
		s.hosts[fmt.Sprintf("%s:%d", host, address.Port)] = true
		if address.Port == 80 {
			s.hosts[host] = true
		}
	}
	if o.Log == nil {
		o.Log = log.New(io.Discard, "", 0)
	}
	s.http = &http.Server{
		ErrorLog:          o.Log,
		Handler:           s.guard(s.routes()),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       15 * time.Second, // with the body, unless it is an archive
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	return s, nil
}

// Address returns the address of the page, with the token. The token follows a #, so it appears in
// no request line and in no referrer.
func (s *Server) Address() string { return "http://" + s.address + "/#" + s.token }

// Once returns an address that leads to the page the first time that it is opened. The browser is
// started with it, because other users of the machine can see the arguments of a program.
func (s *Server) Once() string {
	ticket := rand.Text()
	s.ticket.Store(&ticket)
	return "http://" + s.address + "/open/" + ticket
}

// open redirects from that address.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	ticket := s.ticket.Load()
	if ticket == nil || subtle.ConstantTimeCompare([]byte(*ticket), []byte(r.PathValue("ticket"))) != 1 ||
		!s.ticket.CompareAndSwap(ticket, nil) {
		refuse(w, http.StatusGone, errors.New("this address has been used: open the one that goalproof studio printed"))
		return
	}
	w.Header().Set("Location", "/#"+s.token)
	w.WriteHeader(http.StatusSeeOther)
}

// Serve serves requests until the context is done, and returns when all jobs have ended.
func (s *Server) Serve(l net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- s.http.Serve(l) }()
	var err error
	select {
	case err = <-ended:
	case <-s.ctx.Done():
		limited, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 2*time.Second)
		defer cancel()
		err = s.http.Shutdown(limited)
		if errors.Is(err, context.DeadlineExceeded) {
			err = s.http.Close()
		}
		<-ended
	}
	s.queue.close()
	return err
}

// routes returns the page and the API.
func (s *Server) routes() http.Handler {
	m := http.NewServeMux()
	s.assets.routes(m)
	m.HandleFunc("GET /open/{ticket}", s.open)
	m.HandleFunc("GET /pages/{name}", s.made)
	m.HandleFunc("POST /api/read", handle(s.read))
	m.HandleFunc("POST /api/view", handle(s.viewStudy))
	m.HandleFunc("POST /api/picture", handle(s.picture))
	m.HandleFunc("POST /api/step", handle(s.step))
	m.HandleFunc("POST /api/turn", handle(s.turn))
	m.HandleFunc("POST /api/edit", handle(s.edit))
	m.HandleFunc("POST /api/setup", handle(s.setup))
	m.HandleFunc("POST /api/forms", handle(s.forms))
	m.HandleFunc("POST /api/jobs", handle(func(r posted) (Job, error) { return r.submit(s) }))
	m.HandleFunc("GET /api/jobs", get(func(string) (jobsAnswer, error) { return jobsAnswer{s.queue.list()}, nil }))
	m.HandleFunc("GET /api/jobs/{id}", get(func(id string) (Job, error) {
		job, _, err := s.queue.look(id)
		return job, err
	}))
	m.HandleFunc("DELETE /api/jobs/{id}", get(s.queue.halt))
	m.HandleFunc("GET /api/jobs/{id}/events", s.events)
	m.HandleFunc("GET /api/jobs/{id}/certificate", s.certificate)
	m.HandleFunc("GET /api/jobs/{id}/variations", get(s.queue.variations))
	m.HandleFunc("GET /api/jobs/{id}/puzzles", s.puzzles)
	m.HandleFunc("GET /api/jobs/{id}/export", s.export)
	m.HandleFunc("POST /api/jobs/{id}/compare", handleAbout(s.queue.compare))
	m.HandleFunc("POST /api/jobs/{id}/turn", func(w http.ResponseWriter, r *http.Request) {
		handle(func(t moveTask) (Job, error) { return s.move(r.Context(), r.PathValue("id"), t) })(w, r)
	})
	m.HandleFunc("GET /api/studio", get(func(string) (studio, error) { return s.described(), nil }))
	m.HandleFunc("GET /api/events", s.allEvents)
	m.HandleFunc("GET /api/examples", get(func(string) (examplesAnswer, error) { return builtIn() }))
	m.HandleFunc("GET /api/training", get(func(string) (Training, error) { return s.trained(), nil }))
	m.HandleFunc("POST /api/training", handle(s.attempt))
	s.treeRoutes(m)
	s.gameRoutes(m)
	s.archiveRoutes(m)
	s.libraryRoutes(m)
	m.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, errors.New("the API has no such request: see goalproof help studio-api"))
	})
	return m
}

// studio describes a studio.
type studio struct {
	Studio   string   `json:"studio"` // letters that begin the ids of its jobs and trees
	Version  string   `json:"version"`
	Memory   uint64   `json:"memory"`   // for all jobs together, in bytes
	Threads  int      `json:"threads"`  // of this machine
	Keeps    bool     `json:"keeps"`    // facts are kept in the workspace
	Programs []string `json:"programs"` // names of the programs that play games
	Library  bool     `json:"library"`  // there is a library
}

// described describes the studio.
func (s *Server) described() studio {
	return studio{s.queue.studio, s.options.Version, s.options.Memory, runtime.GOMAXPROCS(0), s.options.Store != nil, s.names(), s.options.Library != nil}
}

// certificate answers with the certificate that a job has written.
func (s *Server) certificate(w http.ResponseWriter, r *http.Request) {
	text, err := ofJob(s.queue, subject(r), func(j *job) ([]byte, error) { return j.file, absent(j.file == nil, errNoFile) })
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="win.proof"`)
	_, _ = w.Write(text) // the client may have disconnected
}

// jobsAnswer lists jobs, the last one first.
type jobsAnswer struct {
	Jobs []Brief `json:"jobs"`
}
