package studio

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"goalproof/arimaa/notation"
	"goalproof/pns"
	"goalproof/solve"
	"goalproof/solve/report"
)

// request is a request for a job of one kind. It is shown with the job, with defaults filled in.
type request interface {
	// submit checks the request, and puts the job into the queue.
	submit(s *Server) (Job, error)
	// named returns the kind. A list of jobs also has what asked returns (a position), and label (a
	// name), where the request has them.
	named() string
}

// kinds make the requests, by the kind of the job.
var kinds = map[string]func() request{
	"solve":       func() request { return &solveRequest{} },
	"try":         func() request { return &tryRequest{} },
	"certificate": func() request { return &certificateRequest{} },
	"variations":  func() request { return &variationsRequest{} },
	"check":       func() request { return &checkRequest{} },
	"verify":      func() request { return &verifyRequest{} },
	"mine":        func() request { return &mineRequest{} },
	"review":      func() request { return &reviewRequest{} },
	"play":        func() request { return &playRequest{} },
	"game":        func() request { return &gameRequest{} },
	"tries":       func() request { return &triesRequest{} },
	"analyze":     func() request { return &analyzeRequest{} },
	"compose":     func() request { return &composeRequest{} },
}

// posted is a request for a job of any kind. It has only the fields of its kind.
type posted struct{ request }

// UnmarshalJSON reads a request of the kind that it names.
func (p *posted) UnmarshalJSON(body []byte) error {
	var k kind
	if err := json.Unmarshal(body, &k); err != nil {
		return misread(body, reflect.TypeFor[kind](), "POST /api/jobs", err)
	}
	fresh, ok := kinds[k.Kind]
	if !ok {
		return fmt.Errorf("kind %q: it is one of %s", notation.Legible(k.Kind), strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	p.request = fresh()
	return strictly(body, p.request, "a job of the kind "+k.Kind)
}

// kind is in every request.
type kind struct {
	Kind string `json:"kind"`
}

func (k *kind) named() string { return k.Kind }

// position is in a request about one. The game that led to it counts: its history determines which
// repetitions are forbidden.
type position struct {
	Study   *Study `json:"study"`
	Unusual bool   `json:"unusual"` // it may be one that cannot come up in a game
	line    string // the position in one line, once start has read it
}

func (p *position) asked() string { return p.line }

// start reads the study, which is at the start of a turn.
func (p *position) start() (*point, error) {
	if p.Study == nil {
		return nil, errors.New("there is no study")
	}
	at, err := p.Study.read()
	if err != nil {
		return nil, err
	}
	if at.steps.Len() > 0 {
		return nil, errors.New("the turn under way has steps: end it, or take them back")
	}
	last := at.game.Last()
	if last.Occupied().Len() == 0 && !p.Unusual {
		return nil, errors.New("the board is empty: put pieces on it first")
	}
	if unusual := last.Unusual(); unusual != nil && !p.Unusual {
		return nil, fmt.Errorf("no game leads to this position:\n%w", unusual)
	}
	p.Study, p.line = new(at.study()), last.String()
	return at, nil
}

// question asks for a win within a number of turns, 0 for any number.
func (p *point) question(winIn int) (q solve.Question, err error) {
	last := p.diagram()
	q = solve.Question{Position: last.Position, Deepest: cmp.Or(winIn, solve.MaxTurns), Number: last.Number}
	if p.game.Len() > 0 {
		q.Game = p.game
	}
	return q, q.Check()
}

// resources are in a request for a search.
type resources struct {
	Threads int    `json:"threads"` // 0: all cores
	Memory  uint64 `json:"memory"`  // bytes; 0: a quarter of what the studio has, or what the job needs at least
}

// MaxThreads is the greatest number of threads of a job.
const MaxThreads = 1024

// settle fills in the defaults.
func (r *resources) settle(s *Server) error {
	if r.Threads < 0 || r.Threads > MaxThreads {
		return fmt.Errorf("threads %d: it is 0 to %d", r.Threads, MaxThreads)
	}
	r.Threads, r.Memory = cmp.Or(r.Threads, runtime.GOMAXPROCS(0)), cmp.Or(r.Memory, s.share(pns.LeastMemory))
	if r.Memory > s.options.Memory {
		return fmt.Errorf("memory %d: the studio has %d bytes for all jobs (--memory)", r.Memory, s.options.Memory)
	}
	return nil
}

// searching is in a request that takes a solver.
type searching struct {
	Algorithm string `json:"algorithm,omitempty"` // dfpns, the default, or pns
	resources
}

// settle fills in the defaults, and returns the options of the solver. A job that lists solutions
// or variations, or writes a certificate, needs dfpns.
func (r *searching) settle(s *Server, needsDFPNS bool) (o solve.Options, err error) {
	if err := r.resources.settle(s); err != nil {
		return o, err
	}
	o = solve.Options{Threads: r.Threads, Memory: r.Memory, Store: s.options.Store, Endgames: s.options.Endgames}
	switch r.Algorithm {
	case "", "dfpns":
	case "pns":
		if o.Algorithm, o.Threads = solve.PNS, 1; needsDFPNS {
			return o, errors.New("pns lists no solutions or variations, writes no certificates, and takes no sets: take dfpns")
		}
	default:
		return o, fmt.Errorf("algorithm %q: it is dfpns or pns", notation.Legible(r.Algorithm))
	}
	return o, o.Check()
}

// timed is in a request with a time limit.
type timed struct {
	Seconds float64 `json:"seconds"` // 0: as usual for its kind
}

// each returns the limit, the usual one if none is given.
func (t timed) each(usual time.Duration) (time.Duration, error) {
	if !(t.Seconds >= 0 && t.Seconds <= MaxTime.Seconds()) {
		return 0, fmt.Errorf("seconds %v: it is 0 to %v", t.Seconds, MaxTime.Seconds())
	}
	return cmp.Or(time.Duration(t.Seconds*float64(time.Second)), usual), nil
}

// within checks a number of turns of a request.
func within(name string, n, least int) error {
	if n < least || n > solve.MaxTurns {
		return fmt.Errorf("%s %d: it is %d to %d", name, n, least, solve.MaxTurns)
	}
	return nil
}

// Result is the result of a job. An answer of a solver is that of solve, try, certificate and
// variations; of play it has the turn.
type Result struct {
	// Verdict is proved, disproved or unknown; of check accepted, rejected or unknown; of verify
	// verified, of mine mined, of review reviewed, of play played, of game played or stopped, of
	// analyze analyzed, of compose composed.
	Verdict string `json:"verdict"`
	Says    string `json:"says"` // all in a sentence or two
	*report.Answer
	Listed string  `json:"listed,omitempty"`      // what the list of solutions means
	Kept   bool    `json:"kept"`                  // what was proved is on the disk, in the workspace
	Bytes  int     `json:"certificate,omitempty"` // length of the certificate that was written
	Winner string  `json:"winner,omitempty"`      // of game: gold or silver
	Ended  string  `json:"ended,omitempty"`       // of game: how
	Page   string  `json:"page,omitempty"`        // path of the page of a review
	Missed *missed `json:"missed,omitempty"`      // wins that a review has found not to be kept
	Tries  *Tries  `json:"tries,omitempty"`       // of tries
	// Composed is of compose.
	Composed *Composed `json:"composed,omitempty"`
}
