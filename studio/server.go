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
	"slices"
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
	// Workspace is the directory of saved searches, games, archives, certificates, runs, the training
	// and the settings of the page; nil: nothing is saved, and the training and the settings are lost
	// when the studio ends. No other process may write to it meanwhile.
	Workspace *os.Root
	// Library is the library that the studio answers questions about; nil: none. The studio does not
	// close it.
	Library *library.Library
	// Programs are the programs that may play in the studio. No others are started.
	Programs []Program
	// Version is the version of the program, for clients.
	Version string
	// Log takes errors of the server itself, and says which files of the workspace are damaged;
	// nil: that is dropped.
	Log *log.Logger
}

// Server is a studio.
type Server struct {
	ctx       context.Context
	options   Options
	assets    *assets
	queue     *queue
	training  *trainer
	settings  *preferences
	notices   []string         // about files of the workspace that are damaged
	known     noted[knownGame] // of its games
	claims    noted[claimed]   // of its certificates
	saving    sync.Mutex       // is held while its files change, or are looked at for that
	indexing  sync.Mutex       // is held while an archive or a run is read
	streams   chan struct{}    // holds a place for each stream of events
	questions chan struct{}    // holds a place for each question about the library
	patience  time.Duration    // with such a question
	heartbeat time.Duration    // between two comments in the stream of all events
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
	if o.Log == nil {
		o.Log = log.New(io.Discard, "", 0)
	}
	a, err := bundled()
	if err != nil {
		return nil, err
	}
	s := &Server{ctx: ctx, options: o, assets: a, queue: newQueue(ctx, o.Memory), streams: make(chan struct{}, maxStreams),
		questions: make(chan struct{}, maxQuestions), patience: libraryTime, heartbeat: heartbeat,
		token: rand.Text(), address: address.String(), hosts: map[string]bool{}}
	for _, host := range []string{"127.0.0.1", "localhost"} {
		s.hosts[fmt.Sprintf("%s:%d", host, address.Port)] = true
		if address.Port == 80 {
			s.hosts[host] = true
		}
	}
	if err := s.openState(); err != nil {
		return nil, err
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
	return serveAll(m, s.operations())
}

// operations returns the requests of the API.
func (s *Server) operations() []operation {
	return slices.Concat([]operation{
		{"GET /api/openapi.json", "Read this document.", file(documented, "application/json")},
		{"GET /api/studio", "Describe this studio.", get(func(string) (studio, error) { return s.described(), nil })},
		{"GET /api/events", "Follow all jobs, searches and files of the studio.", streaming(s.allEvents, eventOf[studio]("studio"), eventOf[Brief]("job"),
			eventOf[Tree]("tree"), eventOf[goneEvent]("gone"), eventOf[fileEvent]("file"), eventOf[struct{}]("ready"))},
		{"POST /api/read", "Read a text in any form that goalproof reads.", handle(s.read)},
		{"POST /api/open", "Say what a text is, and read it.", handle(s.identify)},
		{"POST /api/view", "View a study.", handle(s.viewStudy)},
		{"POST /api/legal", "Say whether a game can lead to the position of a study.", answering(s.legal)},
		{"POST /api/picture", "Write a picture of a study, an SVG file.", handle(s.picture)},
		{"POST /api/step", "Move a piece by a step, or by several single steps.", handle(s.step)},
		{"POST /api/turn", "Play a turn, or end the turn under way.", handle(s.turn)},
		{"POST /api/edit", "Set up a position.", handle(s.edit)},
		{"POST /api/setup", "Set up the pieces of both sides for a new game.", handle(s.setup)},
		{"POST /api/forms", "Write a study in every form that goalproof writes.", handle(s.forms)},
		{"GET /api/collection", "List the puzzles that ship with goalproof.", get(func(string) (collectionAnswer, error) { return collectionOf(), nil })},
		{"GET /api/training", "Read the record of the exercises that were tried.", get(func(string) (Training, error) { return s.trained(), nil })},
		{"POST /api/training", "Record an attempt at an exercise.", handle(s.attempt).failing(http.StatusServiceUnavailable)},
		{"POST /api/training/next", "Choose the exercise that comes next.", handle(s.next)},
	}, s.jobRoutes(), s.keptRoutes(), s.settingsRoutes(), s.treeRoutes(), s.gameRoutes(), s.archiveRoutes(), s.libraryRoutes())
}

// jobRoutes are the requests about jobs.
func (s *Server) jobRoutes() []operation {
	return []operation{
		{"POST /api/jobs", "Begin a job.", handle(func(r posted) (Job, error) { return r.submit(s) }).failing(http.StatusTooManyRequests, http.StatusNotFound)},
		{"GET /api/jobs", "List all jobs, the last one first.", get(func(string) (jobsAnswer, error) { return jobsAnswer{s.queue.list()}, nil })},
		{"GET /api/jobs/{id}", "Read a job as it stands.", get(func(id string) (Job, error) {
			job, _, err := s.queue.look(id)
			return job, err
		})},
		{"DELETE /api/jobs/{id}", "Stop a job; a search ends with what it knows.", get(s.queue.halt)},
		{"GET /api/jobs/{id}/events", "Follow a job until it has ended.", streaming(s.events, eventOf[Job](""))},
		{"GET /api/jobs/{id}/certificate", "Read the certificate that a job has written.", file(s.certificate, "text/plain; charset=utf-8")},
		{"GET /api/jobs/{id}/variations", "Read the variations that a job has listed.", get(s.queue.variations)},
		{"GET /api/jobs/{id}/review", "Read a review as data, as far as it has come.", get(s.queue.reviewed)},
		{"GET /api/jobs/{id}/puzzles", "Read the puzzles that a job has verified or mined.", getting(s.puzzles)},
		{"GET /api/jobs/{id}/export", "Read the puzzles that a job has verified or mined as a file.", file(s.export, exportTypes()...)},
		{"POST /api/jobs/{id}/compare", "Compare the puzzles of a job with an earlier run.", handleAbout(s.compare).failing(http.StatusServiceUnavailable)},
		{"POST /api/jobs/{id}/turn", "Play your turn in a game with clocks.", answering(s.move)},
	}
}

// studio describes a studio.
type studio struct {
	Studio   string   `json:"studio"` // letters that begin the ids of its jobs and trees
	Version  string   `json:"version"`
	Memory   uint64   `json:"memory"`   // for all jobs together, in bytes
	Threads  int      `json:"threads"`  // of this machine
	Keeps    bool     `json:"keeps"`    // there is a workspace
	Programs []string `json:"programs"` // names of the programs that play games
	Library  bool     `json:"library"`  // there is a library
	Notices  []string `json:"notices"`  // what the page is to show, in sentences
}

// described describes the studio.
func (s *Server) described() studio {
	return studio{s.queue.studio, s.options.Version, s.options.Memory, runtime.GOMAXPROCS(0), s.options.Workspace != nil, s.names(), s.options.Library != nil, s.notices}
}

// certificate answers with the certificate that a job has written.
func (s *Server) certificate(w http.ResponseWriter, r *http.Request, _ struct{}) {
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
