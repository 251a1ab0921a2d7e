package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/engine/match"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
)

// Program is a program that plays games in the studio. Requests refer to it by name.
type Program struct {
	Name    string
	Command match.Command
}

// The players of a game that are no programs.
const (
	person  = "you"
	builtin = "goalproof"
)

// maxProgramName is the greatest length of the name of a program, in bytes.
const maxProgramName = 60

// checkPrograms returns an error unless each program has a distinct, printable name.
func checkPrograms(all []Program) error {
	taken := map[string]bool{person: true, builtin: true}
	for _, p := range all {
		switch {
		case p.Name == "" || strings.TrimSpace(p.Name) != p.Name || len(p.Name) > maxProgramName || notation.Legible(p.Name) != p.Name:
			return fmt.Errorf("the program %q: a name has 1 to %d letters that can be shown", p.Name, maxProgramName)
		case taken[p.Name]:
			return fmt.Errorf("the program %q: the name is taken", p.Name)
		}
		taken[p.Name] = true
	}
	return nil
}

// names returns the names of the programs.
func (s *Server) names() []string {
	all := []string{}
	for _, p := range s.options.Programs {
		all = append(all, p.Name)
	}
	return all
}

// The default time control of a game, and the number of turns after which the pieces decide.
const (
	gameControl = "30s/5m/100/10m/8h"
	gameTurns   = 200
)

// Live is a game with clocks as it stands.
type Live struct {
	Study   Study   `json:"study"`
	ToMove  string  `json:"to_move"` // gold or silver
	Clocks  [2]Left `json:"clocks"`  // of gold and silver
	Proof   string  `json:"proof"`   // what goalproof has proved when it last moved, or ""
	running bool
	since   time.Time // when the turn began
	side    arimaa.Side
	seats   [2]*seat // the people
}

// Left is the time of a player in seconds.
type Left struct {
	Turn    float64 `json:"turn"`    // for the turn under way, or for the next one, the reserve included
	Reserve float64 `json:"reserve"` // at the beginning of the turn
}

// now returns the game with the current clocks.
func (l *Live) now() *Live {
	shown := *l
	if l.running {
		left := &shown.Clocks[l.side].Turn
		*left = max(*left-time.Since(l.since).Seconds(), 0)
	}
	return &shown
}

// gameRequest asks for a game with clocks.
type gameRequest struct {
	kind
	position
	Gold    string `json:"gold"` // who plays Gold: you, goalproof, or the name of a program
	Silver  string `json:"silver"`
	Control string `json:"clock"` // a time control (goalproof help matches); "": 30s/5m/100/10m/8h
	resources
}

func (t *gameRequest) label() string { return t.Gold + " against " + t.Silver }

func (t *gameRequest) submit(s *Server) (Job, error) {
	p, err := t.goesOn()
	if err != nil {
		return Job{}, err
	}
	t.Memory = cmp.Or(t.Memory, s.share(4*engine.LeastMemory)) // for two players, as of play
	if err := t.settle(s); err != nil {
		return Job{}, err
	}
	t.Control = cmp.Or(t.Control, gameControl)
	control, err := clock.Parse(notation.Legible(t.Control))
	if err != nil {
		return Job{}, err
	}
	k := clock.New(control)
	if _, limited := k.Left(arimaa.Gold); !limited {
		return Job{}, fmt.Errorf("time control %q: it sets no limit to a turn", t.Control)
	}
	live := &Live{Study: *t.Study}
	var players [2]match.Player
	for side, name := range []string{t.Gold, t.Silver} {
		if players[side], err = s.player(name, t, control, live, arimaa.Side(side)); err != nil {
			return Job{}, fmt.Errorf("%v: %w", arimaa.Side(side), err)
		}
	}
	return s.queue.add(t, MaxTime, nil, t.Memory, func(ctx context.Context, j *job) (*Result, error) {
		return s.playGame(ctx, j, match.Rules{Control: control, Turns: gameTurns}, p.game, players, live)
	})
}

// player returns the player of a side. Each player gets half of the job's memory: the engine keeps
// to it, and a program receives it as the option hash, unless its command line sets that.
func (s *Server) player(name string, t *gameRequest, control clock.Control, live *Live, side arimaa.Side) (match.Player, error) {
	part := t.Memory / 2
	switch name {
	case "":
		return nil, errors.New("nobody plays it")
	case person:
		live.seats[side] = &seat{turns: make(chan handed)}
		return live.seats[side], nil
	case builtin:
		o := engine.Options{Threads: t.Threads, Memory: memory.EngineTables(part, t.Threads), Endgames: s.options.Endgames}
		if o.Memory < engine.LeastMemory {
			return nil, fmt.Errorf("memory %d: half of it is too little for the engine", t.Memory)
		}
		return &enginePlayer{options: o, proved: func(says string) {
			s.queue.mu.Lock()
			defer s.queue.mu.Unlock()
			live.Proof = says
		}}, nil
	}
	for _, p := range s.options.Programs {
		if p.Name == name {
			c := p.Command
			c.Options = append([]match.Option{{Name: "hash", Value: fmt.Sprint(max(part>>20, 1))}}, c.Options...)
			return match.NewProgram(c, match.Limits{Control: control}), nil
		}
	}
	return nil, fmt.Errorf("player %q: it is you, goalproof, or a program that --program names", notation.Legible(name))
}

// playGame plays a game. A stopped game has a result, too.
func (s *Server) playGame(ctx context.Context, j *job, rules match.Rules, g *arimaa.Game, players [2]match.Player, live *Live) (*Result, error) {
	s.queue.mu.Lock()
	j.live = live
	s.queue.mu.Unlock()
	tell := func(g *arimaa.Game, k clock.Clock) {
		s.queue.mu.Lock()
		defer s.queue.mu.Unlock()
		last := g.Last()
		live.Study, j.position = (&point{game: g}).study(), last.String()
		live.side, live.ToMove, live.since, live.running = last.Side(), last.Side().String(), time.Now(), true
		for side := range live.Clocks {
			left, _ := k.Left(arimaa.Side(side))
			live.Clocks[side] = Left{left.Seconds(), k.Reserve[side].Seconds()}
		}
	}
	ended, err := rules.Play(ctx, g, players, tell)
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	live.Clocks = live.now().Clocks
	live.running = false
	r := &Result{Verdict: "played"}
	if ended.Game != nil {
		last := ended.Game.Last()
		live.Study, j.position = (&point{game: ended.Game}).study(), last.String()
	}
	switch {
	case err != nil && ctx.Err() != nil:
		r.Verdict = "stopped"
		r.Says = fmt.Sprintf("The game was stopped after %s.", printable.Amount(len(live.Study.Turns), "turn"))
		return r, nil
	case err != nil:
		return nil, err
	}
	r.Winner = ended.Winner.String()
	r.Ended = string(ended.Ending)
	r.Says = fmt.Sprintf("%v wins", ended.Winner)
	switch loses, off := lost[ended.Ending]; {
	case off:
		r.Says += ": " + ended.Winner.Other().String() + " " + loses
	case ended.Ending == match.Score:
		r.Says += ": the pieces decide at a limit of the game"
	default:
		r.Says += " by " + string(ended.Ending)
	}
	if ended.Detail != "" {
		r.Says += " (" + notation.Legible(ended.Detail) + ")"
	}
	r.Says += "."
	return r, nil
}

// lost says how a player loses a game off the board.
var lost = map[match.Ending]string{
	match.Resignation: "resigns",
	match.Time:        "loses on time",
	match.Illegal:     "plays an illegal turn",
	match.Junk:        "breaks the protocol",
	match.Crash:       "has crashed",
	match.Hang:        "does not answer",
}

// enginePlayer is the engine of goalproof as a player.
type enginePlayer struct {
	options engine.Options
	engine  *engine.Engine
	proved  func(says string)
}

// Begin makes the engine.
func (e *enginePlayer) Begin(context.Context, *arimaa.Game) (err error) {
	e.engine, err = engine.New(e.options)
	return err
}

// Turn searches for a turn.
func (e *enginePlayer) Turn(ctx context.Context, g *arimaa.Game, k *clock.Clock) (string, error) {
	last := g.Last()
	aim, most := k.Budget(last.Side())
	found, err := e.engine.Search(ctx, g, engine.Limits{Time: most, Aim: aim}, nil)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return "", err
	}
	p := &point{game: g}
	r, err := p.answered(&found)
	if err != nil {
		return "", err
	}
	e.proved(p.label() + ": " + r.Says)
	return r.Line.Line[0], nil
}

// End releases the tables.
func (e *enginePlayer) End() { e.engine = nil }

// seat is a person as a player, whose turns are requests.
type seat struct{ turns chan handed }

// handed is a turn from a request.
type handed struct {
	moveTask
	taken chan bool // whether it was played
}

// Begin does nothing: a person sees the board.
func (*seat) Begin(context.Context, *arimaa.Game) error { return nil }

// Turn waits for a turn until the time is up.
func (p *seat) Turn(ctx context.Context, g *arimaa.Game, k *clock.Clock) (string, error) {
	last := g.Last()
	left, _ := k.Left(last.Side())
	late := time.NewTimer(left)
	defer late.Stop()
	for {
		select {
		case t := <-p.turns:
			now := t.Turns == g.Len()
			if t.taken <- now; now {
				return t.Turn, nil
			}
		case <-late.C:
			return "", &match.Failure{Ending: match.Time, Detail: fmt.Sprintf("no turn within %v", left)}
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// End does nothing.
func (*seat) End() {}

// moveTask is a turn of a person in a game with clocks.
type moveTask struct {
	Turn string `json:"turn"` // or "resign"
	// Turns is the number of turns that were played before it: a second window must not play twice.
	Turns int `json:"turns"`
}

var errNotYours = errors.New("the game does not wait for your turn there")

// move plays a turn of a person. An illegal turn is refused and costs only time.
func (s *Server) move(_ http.ResponseWriter, r *http.Request, t moveTask) (Job, error) {
	id, ctx := subject(r), r.Context()
	job, changed, err := s.queue.look(id)
	if err != nil {
		return job, err
	}
	if job.State != running || job.Game == nil || !job.Game.running || job.Game.seats[job.Game.side] == nil || len(job.Game.Study.Turns) != t.Turns {
		return job, errNotYours
	}
	if t.Turn != "resign" {
		p, err := job.Game.Study.read()
		if err != nil {
			return job, err
		}
		turn, err := p.try(t.Turn)
		if err != nil {
			return job, err
		}
		last := p.game.Last()
		t.Turn = last.Notation(turn)
	}
	h := handed{t, make(chan bool, 1)}
	select {
	case job.Game.seats[job.Game.side].turns <- h:
		if !<-h.taken {
			return job, errNotYours
		}
	case <-changed: // the game has ended
		return job, errNotYours
	case <-ctx.Done():
		return job, ctx.Err()
	case <-time.After(time.Second): // another window was first
		return job, errNotYours
	}
	job, _, err = s.queue.look(id)
	return job, err
}
