package studio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/proof"
	"goalproof/solve"
)

// The kinds of jobs.
const (
	solving    = "solve"
	trying     = "try"
	certifying = "certificate"
	checking   = "check"
	verifying  = "verify"
	mining     = "mine"
	reviewing  = "review"
	varying    = "variations"
	playing    = "play"
	gaming     = "game"
)

// Task is what a job is to do. A game that led to the position counts: its history decides which repetitions are forbidden.
type Task struct {
	Kind     string   `json:"kind"`               // solve, try, certificate, variations, check, verify, mine, review, play or game
	Study    *Study   `json:"study,omitempty"`    // at the start of a turn; not of check
	WinIn    int      `json:"win_in"`             // the greatest number of turns; 0: no limit; of mine the number, and 2 if 0
	All      bool     `json:"all"`                // of solve: list every first turn that keeps the shortest win
	Width    int      `json:"width,omitempty"`    // of variations: answers beside the most frequent one; 0: 5
	Any      bool     `json:"any"`                // of solve: the first win that is found will do
	Turn     string   `json:"turn,omitempty"`     // of try
	Text     string   `json:"text,omitempty"`     // of check a certificate, of verify a set, of mine games
	Name     string   `json:"name,omitempty"`     // of verify and mine the name of the text, of review that of the game
	Describe bool     `json:"describe,omitempty"` // of verify: add themes and difficulty, which takes several times as long
	Claim    int      `json:"claim,omitempty"`    // of verify: the turns that puzzles claim which claim nothing
	Archive  string   `json:"archive,omitempty"`  // of mine: an archive of the workspace in place of a text
	Themes   []string `json:"themes,omitempty"`   // of mine: those that a solution must have, all of them
	Unique   bool     `json:"unique,omitempty"`   // of mine: only puzzles with a single solution
	Gold     string   `json:"gold,omitempty"`     // of game: who plays Gold: you, goalproof, or the name of a program
	Silver   string   `json:"silver,omitempty"`   // of game
	Control  string   `json:"control,omitempty"`  // of game: the time control (clock.Parse); "": 30s/5m/100/10m/8h
	// Unusual asks about a position that cannot come up in a game, too.
	Unusual   bool    `json:"unusual"`
	Algorithm string  `json:"algorithm,omitempty"` // dfpns, the default, or pns
	Threads   int     `json:"threads"`             // of dfpns; 0: all cores
	Memory    uint64  `json:"memory"`              // bytes; 0: half of what the studio has
	Seconds   float64 `json:"seconds"`             // time limit; 0: 60; of verify for each puzzle, of mine for each position, and 10 if 0, of review for each turn, beside a limit in nodes, and none if 0; of play for the turn, and 5 if 0
}

// Result is the result of a job.
type Result struct {
	Verdict   string     `json:"verdict"`          // proved, disproved or unknown; of check accepted or rejected; of verify verified, of mine mined, of review reviewed, of play played, of game played or stopped
	Says      string     `json:"says"`             // all in a sentence or two
	Within    *int       `json:"within"`           // the least number of turns that is proved to win, or null
	Exact     bool       `json:"exact"`            // there is no shorter win
	Refuted   int        `json:"refuted"`          // the greatest number of turns in which there is no win
	Line      []ViewTurn `json:"line"`             // a winning turn and what follows, by the longest defence; of a turn that loses, the reply
	EndsBy    *string    `json:"ends_by"`          // how the line ends the game, or null; of game how it has ended
	Winner    string     `json:"winner,omitempty"` // of game: gold or silver
	Solutions []Solution `json:"solutions"`
	Listed    *string    `json:"listed"` // what the list of solutions means, or null if there is none
	Nodes     uint64     `json:"nodes"`
	Kept      bool       `json:"kept"`             // what was proved is on the disk, in the workspace
	Bytes     int        `json:"certificate"`      // length of the certificate that was written, 0 if there is none
	Page      string     `json:"page,omitempty"`   // path of the page of a review
	Missed    *missed    `json:"missed,omitempty"` // wins that a review has found not to be kept
}

// Solution is a first turn that keeps the shortest win.
type Solution struct {
	Turn      string `json:"turn"`
	Essential bool   `json:"essential"` // no other solution lies on the way to it
}

// limit is the time that a job may take.
func (t *Task) limit() time.Duration {
	if t.Kind == verifying || t.Kind == mining || t.Kind == reviewing || t.Kind == gaming {
		return MaxTime // the seconds are for each puzzle, position or turn, and a game has clocks
	}
	return t.each()
}

// MaxThreads is the greatest number of threads of a job.
const MaxThreads = 1024

// maxCertificate is the greatest length of a certificate that is kept, in bytes.
const maxCertificate = 64 << 20

// checkMemory is what a check may take: its text is at most MaxBody or maxCertificate long.
const checkMemory = 32 << 20

// submit checks a task and puts it into the queue.
func (s *Server) submit(t Task) (Job, error) {
	if !(t.Seconds >= 0 && t.Seconds <= MaxTime.Seconds()) {
		return Job{}, fmt.Errorf("seconds %v: it is 0 to %v", t.Seconds, MaxTime.Seconds())
	}
	if t.Width != 0 && t.Kind != varying {
		return Job{}, errors.New("width is a field of variations")
	}
	if (t.Archive != "" || len(t.Themes) > 0 || t.Unique) && t.Kind != mining {
		return Job{}, errors.New("archive, themes and unique are fields of mine")
	}
	if (t.Gold != "" || t.Silver != "" || t.Control != "") && t.Kind != gaming {
		return Job{}, errors.New("gold, silver and control are fields of game")
	}
	switch t.Kind {
	case gaming:
		return s.submitGame(t)
	case verifying:
		return s.submitSet(t)
	case mining:
		return s.submitMine(t)
	case reviewing:
		return s.submitReview(t)
	case checking:
		return s.submitCheck(t)
	case playing:
		return s.submitTurn(t)
	}
	if t.Kind != solving && t.Kind != trying && t.Kind != certifying && t.Kind != varying {
		return Job{}, fmt.Errorf("kind %q: it is solve, try, certificate, variations, check, verify, mine, review, play or game", notation.Legible(t.Kind))
	}
	if t.Width < 0 || t.Width > maxWidth {
		return Job{}, fmt.Errorf("width %d: it is 0 to %d", t.Width, maxWidth)
	}
	if t.Text != "" || t.Name != "" || t.Claim != 0 || t.Describe || t.Kind != trying && t.Turn != "" || t.Kind != solving && (t.All || t.Any) {
		return Job{}, fmt.Errorf("text is a field of check, verify and mine, name, claim and describe are fields of verify, turn of try, and all and any of solve")
	}
	if t.Study == nil {
		return Job{}, errors.New("there is no study")
	}
	p, err := t.Study.read()
	if err != nil {
		return Job{}, err
	}
	o, err := s.solverOptions(&t)
	if err != nil {
		return Job{}, err
	}
	q, err := t.question(p)
	if err != nil {
		return Job{}, err
	}
	*t.Study = p.study()
	a := asked{s: s, task: t, point: p, question: q}
	if t.Kind == trying {
		if a.turn, err = p.try(t.Turn); err != nil {
			return Job{}, err
		}
	}
	return s.queue.add(t, &o, o.Memory, func(ctx context.Context, j *job) (*Result, error) {
		s.queue.follow(j, a.progress(j.solver))
		return a.answer(ctx, j, j.solver)
	})
}

// solverOptions returns the options of the solver of a task.
func (s *Server) solverOptions(t *Task) (o solve.Options, err error) {
	o = solve.Options{Store: s.options.Store, Endgames: s.options.Endgames}
	switch t.Algorithm {
	case "", "dfpns":
	case "pns":
		if o.Algorithm = solve.PNS; t.All || t.Kind == certifying || t.Kind == varying {
			return o, errors.New("pns lists no solutions or variations and writes no certificates: take dfpns")
		}
	default:
		return o, fmt.Errorf("algorithm %q: it is dfpns or pns", notation.Legible(t.Algorithm))
	}
	if t.Threads < 0 || t.Threads > MaxThreads {
		return o, fmt.Errorf("threads %d: it is 0 to %d", t.Threads, MaxThreads)
	}
	if t.Threads == 0 {
		t.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Threads = t.Threads; o.Algorithm == solve.PNS {
		o.Threads = 1
	}
	if t.Memory == 0 {
		t.Memory = s.options.Memory / 2
	}
	if t.Memory > s.options.Memory {
		return o, fmt.Errorf("memory %d: the studio has %d bytes for all jobs (--memory)", t.Memory, s.options.Memory)
	}
	o.Memory = t.Memory
	return o, o.Check()
}

// question returns the question of a task.
func (t *Task) question(p *point) (q solve.Question, err error) {
	if p.steps.Len() > 0 {
		return q, errors.New("the turn under way has steps: end it, or take them back")
	}
	last := p.diagram()
	if unusual := last.Position.Unusual(); unusual != nil && !t.Unusual {
		return q, fmt.Errorf("no game leads to this position:\n%w", unusual)
	}
	q = solve.Question{Position: last.Position, Deepest: t.WinIn, Number: last.Number, All: t.All, Any: t.Any}
	if t.WinIn == 0 {
		q.Deepest = solve.MaxTurns
	}
	if p.game.Len() > 0 {
		q.Game = p.game
	}
	return q, q.Check()
}

// try reads a turn that is to be tried.
func (p *point) try(text string) (arimaa.Turn, error) {
	g := p.game.At(p.game.Len())
	if err := notation.Play(g, text); err != nil {
		return arimaa.Turn{}, fmt.Errorf("turn: %w", err)
	}
	return g.Turn(g.Len() - 1), nil
}

// asked is a question to a solver.
type asked struct {
	s        *Server
	task     Task
	point    *point
	question solve.Question
	turn     arimaa.Turn // that is tried
}

// progress returns what tells how far a solver is with the question. A solver that has just been taken still has the bounds of
// its last one, and a turn that is tried is not the question that they are about.
func (a *asked) progress(solver *solve.Solver) func(*Job) {
	return func(shown *Job) {
		shown.Trying, shown.Nodes = solver.Progress()
		known := solver.Bounds()
		if a.task.Kind == trying || known.Position != a.question.Position {
			return
		}
		if shown.Refuted, shown.Within = known.Refuted, known.Within; known.Within > 0 {
			shown.First = a.question.Position.Notation(known.Turn)
			if line := solver.LineSoFar(); len(line) > 0 && line[0].Before == a.question.Position {
				shown.Line = a.turns(line)
			}
		}
	}
}

// answer answers. What it reports as kept is on the disk.
func (a *asked) answer(ctx context.Context, j *job, solver *solve.Solver) (r *Result, err error) {
	side, game := a.question.Position.Side(), a.question.Game != nil
	var found solve.Answer
	switch {
	case a.task.Kind == trying:
		if found, err = a.try(ctx, solver); err == nil {
			r = a.result(&found)
			r.Says = trySentence(side, a.question.Position.Notation(a.turn), game, &found)
		}
	default:
		if found, err = solver.Solve(ctx, a.question); err == nil {
			r = a.result(&found)
			r.Says = sentence(side, game, &found)
		}
	}
	if err == nil && a.task.Kind == certifying {
		err = a.certify(ctx, j, solver, &found, r)
	}
	if err == nil && a.task.Kind == varying && found.Verdict == answer.Proved {
		err = a.vary(ctx, j, solver, &found)
	}
	if err == nil && a.s.options.Sync != nil && found.Verdict != answer.Unknown {
		err = a.s.options.Sync()
		r.Kept = err == nil
	}
	return r, err
}

// try asks about a turn. Without a limit the win that it must keep is the shortest one.
func (a *asked) try(ctx context.Context, solver *solve.Solver) (solve.Answer, error) {
	q := a.question
	if a.task.WinIn > 0 {
		return solver.Try(ctx, q, a.turn)
	}
	q.NoLine = true
	shortest, err := solver.Solve(ctx, q)
	if err != nil || shortest.Verdict == answer.Unknown {
		return shortest, err
	}
	if shortest.Verdict == answer.Proved {
		q.Deepest = shortest.Within
	}
	found, err := solver.Try(ctx, q, a.turn)
	found.Nodes += shortest.Nodes
	return found, err
}

// result writes an answer down.
func (a *asked) result(found *solve.Answer) *Result {
	r := &Result{Verdict: verdictNames[found.Verdict], Exact: found.Exact(), Refuted: found.Refuted, Nodes: found.Nodes,
		Solutions: []Solution{}}
	line := found.Line
	if found.Verdict == answer.Proved {
		r.Within = &found.Within
	} else {
		line = found.Refutation
	}
	r.Line = a.turns(line)
	if n := len(line); n > 0 && line[n-1].Outcome.Over() {
		r.EndsBy = new(line[n-1].Outcome.Reason.String())
	}
	if a.task.All && found.Verdict == answer.Proved {
		for _, s := range found.Solutions {
			r.Solutions = append(r.Solutions, Solution{a.question.Position.Notation(s.Turn), s.Essential})
		}
		r.Listed = new(listed(found, a.question.Game != nil))
	}
	return r
}

// turns writes a line from the position of the question down.
func (a *asked) turns(line []solve.Ply) []ViewTurn {
	turns, number := []ViewTurn{}, a.point.diagram().Number
	for _, ply := range line {
		turns = append(turns, ViewTurn{arimaa.TurnLabel(number, ply.Before.Side()), ply.Before.Notation(ply.Turn)})
		if ply.Before.Side() == arimaa.Silver {
			number++
		}
	}
	return turns
}

var verdictNames = map[answer.Verdict]string{answer.Proved: "proved", answer.Disproved: "disproved", answer.Unknown: "unknown"}

// listed says what a list of solutions means.
func listed(a *solve.Answer, game bool) string {
	n, essential := len(a.Solutions), a.Essential()
	text := ""
	switch {
	case !a.Exact():
		return "The solutions are not listed, because the shortest win is not known."
	case a.Listing != answer.Finished:
		text = fmt.Sprintf("At least %s: %v.", amount(n, "solution"), a.Listing)
	case n == 0:
		return "The solutions are not listed: they depend on the repetitions of this game."
	case n == 1:
		text = "The solution is unique."
	case essential == 1:
		text = fmt.Sprintf("The solution is essentially unique: the others of %d add idle steps.", n)
	default:
		text = fmt.Sprintf("%d solutions, %d of them essential.", n, essential)
	}
	if game {
		text += " The list sets the third repetition aside."
	}
	return text
}

// certify writes the proof of an answer down and checks it.
func (a *asked) certify(ctx context.Context, j *job, solver *solve.Solver, found *solve.Answer, r *Result) error {
	var text bytes.Buffer
	report := func(done, total int) { a.s.queue.report(j, done, total) }
	out := &limited{to: &text, left: maxCertificate}
	switch found.Verdict {
	case answer.Proved:
		c, err := solver.Certificate(ctx, a.question, *found)
		if err == nil {
			err = c.Check(ctx, report)
		}
		if err == nil {
			err = c.Write(out)
		}
		if err != nil {
			return a.uncertified(ctx, err)
		}
		r.Says += " The certificate has been checked by the plain rules."
	case answer.Disproved:
		c, err := solve.Refutation(ctx, a.question.Position, found.Refuted)
		if err == nil {
			err = c.Write(out)
		}
		if err != nil {
			return a.uncertified(ctx, err)
		}
		r.Says += " The certificate is written and not yet checked: that may take minutes."
		if a.question.Game != nil {
			r.Says += " It is of the position without its history."
		}
	default:
		return errors.New(r.Says + " There is nothing to write down.")
	}
	a.s.queue.mu.Lock()
	defer a.s.queue.mu.Unlock()
	j.file, r.Bytes = text.Bytes(), text.Len()
	return nil
}

// uncertified is the error of a certificate that was not written.
func (a *asked) uncertified(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = errors.New("time is up")
	}
	return fmt.Errorf("the proof is not written down: %w", err)
}

// limited is a writer that refuses more than so many bytes.
type limited struct {
	to   io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= len(b); l.left < 0 {
		return 0, fmt.Errorf("the certificate has more than %d bytes", maxCertificate)
	}
	return l.to.Write(b)
}

// submitCheck puts the check of a certificate into the queue.
func (s *Server) submitCheck(t Task) (Job, error) {
	if t.Study != nil || t.Turn != "" || t.All || t.Any || t.WinIn != 0 || t.Name != "" || t.Claim != 0 || t.Describe {
		return Job{}, errors.New("check has the fields text and seconds alone")
	}
	text := t.Text
	t.Text = ""
	const name = "certificate"
	if head, _, _ := strings.Cut(strings.TrimLeft(text, " \r\n"), "\n"); strings.HasPrefix(head, "goalproof refutation") {
		c, err := proof.ReadRefutation(strings.NewReader(text), name)
		if err != nil {
			return Job{}, err
		}
		return s.queue.add(t, nil, checkMemory, func(ctx context.Context, j *job) (*Result, error) {
			err := c.Check(ctx, func(done, total int) { s.queue.report(j, done, total) })
			return checked(ctx, err, fmt.Sprintf("%s has no win in %s (the third repetition set aside)", c.Attacker(), amount(c.Turns, "turn")))
		})
	}
	c, err := proof.Read(strings.NewReader(text), name)
	if err != nil {
		return Job{}, err
	}
	return s.queue.add(t, nil, checkMemory, func(ctx context.Context, j *job) (*Result, error) {
		err := c.Check(ctx, func(done, total int) { s.queue.report(j, done, total) })
		does := " " + c.Does()
		if c.Loss {
			does = ", to move, loses"
		}
		claim := fmt.Sprintf("%s%s in %s", c.ToMove(), does, amount(c.Turns, "turn"))
		if c.Game != nil && len(c.Game.Turns) > 0 {
			claim += " after a game of " + amount(len(c.Game.Turns), "turn")
		}
		if over := c.GameOver(); over != "" {
			claim += ", although the game is over there: " + over
		}
		return checked(ctx, err, claim)
	})
}

// checked returns the result of the check of a certificate with this claim.
func checked(ctx context.Context, err error, claim string) (*Result, error) {
	r := &Result{Line: []ViewTurn{}, Solutions: []Solution{}}
	switch {
	case err == nil:
		r.Verdict, r.Says = "accepted", "Accepted: "+claim+"."
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.Verdict, r.Says = "unknown", "Unknown: time was up before all of the certificate was checked."
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, proof.ErrTooManyReplies), errors.Is(err, proof.ErrTooLarge):
		r.Verdict, r.Says = "unknown", "Unknown: "+err.Error()+"."
	default:
		r.Verdict, r.Says = "rejected", "Rejected: "+err.Error()
	}
	return r, nil
}
