package aei

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/player"
	"goalproof/solve"
)

// search is a running search, or a finished one of go ponder that waits for stop.
type search struct {
	position arimaa.Position
	ponder   bool          // the answer waits for stop, and the clock stands still
	lines    int           // how many are looked for
	mate     int           // the N of go mate; 0: it is another search
	began    time.Time     // the time when go was read
	used     time.Duration // on the turn before that
	cancel   context.CancelFunc
	reports  chan []engine.Report // each the lines, the best first
	done     chan result
	result   *result // of a finished search
	proved   int     // length in turns of the proved win that was reported
	lost     int     // number of turns of the proved loss that was reported
	tabled   bool    // that the score comes from an endgame table was reported
}

// result is the result of a search.
type result struct {
	turn  string // in notation, none, or "" if the game is over
	lines []engine.Report
	proof *solve.Answer // to go mate
	err   error         // why there is no answer
}

// keptReports is the number of reports that may wait to be written; older ones are dropped.
const keptReports = 64

// channels returns the channels of a search, nil if there is none.
func (s *search) channels() (<-chan []engine.Report, <-chan result) {
	if s == nil {
		return nil, nil
	}
	return s.reports, s.done
}

// report delivers lines; if too many reports are waiting, it replaces the oldest one.
func (s *search) report(lines []engine.Report) {
	for i := range lines {
		lines[i].Line = slices.Clone(lines[i].Line)
	}
	for {
		select {
		case s.reports <- lines:
			return
		default:
		}
		select {
		case <-s.reports:
		default:
		}
	}
}

// end ends the search and returns its result.
func (s *search) end() result {
	s.cancel()
	if s.result == nil {
		s.result = new(<-s.done)
	}
	return *s.result
}

// request is what go asks for.
type request struct {
	ponder  bool // the answer waits for stop
	endless bool // without limits
	mate    int
}

// parseGo reads the arguments of go.
func parseGo(text string) (r request, err error) {
	words := strings.Fields(text)
	switch {
	case len(words) == 0:
	case len(words) == 1 && words[0] == "ponder":
		r.ponder = true
	case len(words) == 1 && words[0] == "infinite":
		r.ponder, r.endless = true, true
	case len(words) == 2 && words[0] == "mate":
		if r.mate, err = strconv.Atoi(words[1]); err != nil || r.mate < 1 || r.mate > solve.MaxTurns {
			return r, fmt.Errorf("mate %s: it takes a number of turns, 1 to %d", words[1], solve.MaxTurns)
		}
	default:
		return r, fmt.Errorf("the argument is ponder, infinite, mate N or nothing, not %q", text)
	}
	return r, nil
}

// start handles go.
func (s *session) start(rest string) error {
	asked, err := parseGo(rest)
	switch {
	case err != nil:
		return err
	case s.search != nil && (asked.ponder || asked.mate > 0 || !s.search.ponder):
		return errors.New("a search is already running")
	case s.outOfSync:
		return errOutOfSync
	case s.game == nil && asked.mate > 0:
		return errors.New("mate: the pieces are not set up")
	}
	s.drop()
	switch {
	case s.game == nil:
		s.startSetup(asked.ponder)
	case s.game.Outcome().Over():
		s.answerOver(asked)
	case !s.prepare():
	case asked.mate > 0:
		return s.startProof(asked.mate)
	default:
		s.startSearch(asked)
	}
	return nil
}

// startSetup answers at once with a setup.
func (s *session) startSetup(ponder bool) {
	var words []string
	for _, p := range engine.Setup(s.side(), s.board(), s.Random) {
		words = append(words, p.String())
	}
	s.search = &search{ponder: ponder, cancel: func() {}}
	s.ended(result{turn: strings.Join(words, " ")})
}

// answerOver answers in a game that is over, without a turn.
func (s *session) answerOver(asked request) {
	o := s.game.Outcome()
	s.log("Warning: go: the game is over: %v has won (%v)", o.Winner, o.Reason)
	s.begin(0)
	s.search.ponder, s.search.mate = asked.ponder, asked.mate
	turn := ""
	if asked.mate > 0 {
		turn = "none"
	}
	s.ended(result{turn: turn})
}

// startSearch starts a search of the current position.
func (s *session) startSearch(asked request) {
	limits := engine.Limits{Depth: s.depth, Nodes: s.nodes}
	if asked.endless {
		limits = engine.Limits{}
	} else if !asked.ponder {
		limits.Aim, limits.Time = s.budget()
	}
	ctx, g := s.begin(limits.Time)
	p := g.Last()
	search := s.search
	search.ponder, search.lines = asked.ponder, s.lines
	go func(e player.Player) {
		lines, err := findLines(ctx, e, g, limits, search)
		if err == nil {
			if _, ok := p.Try(lines[0].Turn); !ok {
				err = fmt.Errorf("the engine answered %q, which is no legal turn", lines[0].Turn)
			}
		}
		if err != nil {
			search.done <- result{err: err}
			return
		}
		search.done <- result{turn: p.Notation(lines[0].Turn), lines: lines}
	}(s.player)
}

// findLines asks a player for as many lines as a search looks for.
func findLines(ctx context.Context, e player.Player, g *arimaa.Game, l engine.Limits, search *search) ([]engine.Report, error) {
	if search.lines > 1 {
		return player.Lines(ctx, e, g, l, search.lines, search.report)
	}
	r, err := e.Search(ctx, g, l, func(r engine.Report) { search.report([]engine.Report{r}) })
	return []engine.Report{r}, err
}

// startProof starts to look for a forced win within n turns, until stop.
func (s *session) startProof(n int) error {
	prover, ok := s.player.(player.Prover)
	if !ok {
		return errors.New("mate: this engine proves nothing")
	}
	ctx, g := s.begin(0)
	search := s.search
	search.mate = n
	go func() {
		a, err := prover.Prove(ctx, g, n)
		r := result{turn: "none", proof: &a, err: err}
		if err == nil && a.Verdict == answer.Proved {
			r.turn = search.position.Notation(a.Line[0].Turn)
		}
		search.done <- r
	}()
	return nil
}

// begin makes the search of the current position, with a time limit unless that is 0, and returns
// its context and its own copy of the game.
func (s *session) begin(limit time.Duration) (context.Context, *arimaa.Game) {
	ctx, cancel := answer.Limit{Time: limit}.Start(s.ctx)
	g := s.game.At(s.game.Len())
	s.search = &search{
		position: g.Last(), began: s.read, used: s.clock.MoveUsed, cancel: cancel,
		reports: make(chan []engine.Report, keptReports), done: make(chan result, 1),
	}
	return ctx, g
}

// budget returns the time for the search of a go, as a rule and at most; 0: no limit.
func (s *session) budget() (aim, most time.Duration) {
	if !s.started.IsZero() {
		s.clock.Elapsed = max(s.read.Sub(s.started)-s.clock.MoveUsed, 0)
	}
	aim, most = s.clock.Budget(s.side())
	if aim == 0 {
		if s.depth > 0 || s.nodes > 0 {
			return 0, 0
		}
		aim, most = UntimedTurn, UntimedTurn
	}
	passed := time.Since(s.read)
	return max(aim-passed, 1), max(most-passed, 1)
}

// stop handles stop.
func (s *session) stop() error {
	if s.search == nil {
		return errors.New("no search is running")
	}
	s.answer(s.search.end())
	return nil
}

// ended handles the end of a search that was not stopped.
func (s *session) ended(r result) {
	s.search.result = &r
	if !s.search.ponder {
		s.answer(r)
	}
}

// drop ends the search, if any, without an answer.
func (s *session) drop() {
	if s.search != nil {
		s.search.end()
		s.search = nil
	}
}

// answer writes the result of the finished search.
func (s *session) answer(r result) {
	for len(s.search.reports) > 0 {
		s.sendLines(<-s.search.reports)
	}
	if r.err != nil {
		s.log("Error: go: %v", r.err)
	} else {
		switch {
		case r.proof != nil:
			s.sendProof(r.proof)
		case r.lines != nil:
			s.sendLines(r.lines)
		}
		s.send("bestmove %s", r.turn)
	}
	if s.game != nil && !s.search.ponder && s.search.mate == 0 {
		s.clock.MoveUsed = s.search.used // the controller may have set it since
		s.clock.Charge(s.side(), time.Since(s.search.began))
	}
	s.search.cancel()
	s.search = nil
}

// sendLines writes a report of the search. The best line comes last, so that a controller without
// multipv keeps that one.
func (s *session) sendLines(lines []engine.Report) {
	for i, r := range slices.Backward(lines) {
		if s.search.lines > 1 {
			s.send("info multipv %d", i+1)
		}
		s.sendLine(r)
	}
	r := lines[0]
	if r.Win > 0 && r.Win != s.search.proved {
		s.search.proved = r.Win
		if r.Win == 1 || r.Tabled {
			s.log("proved: win in %d", r.Win)
		} else {
			s.log("proved: win in at most %d", r.Win)
		}
	}
	if r.Loss > 0 && r.Loss != s.search.lost {
		s.search.lost = r.Loss
		s.log("proved: lost in at most %d", r.Loss)
	}
	if r.Tabled && !s.search.tabled {
		s.search.tabled = true
		s.log("endgame table: %v", r.Value)
	}
}

// sendLine writes a line.
func (s *session) sendLine(r engine.Report) {
	deeper := ""
	if r.Deeper {
		deeper = "+"
	}
	s.send("info depth %d%s", r.Depth, deeper)
	s.send("info time %d", int(r.Time.Seconds()))
	s.send("info nodes %d", r.Nodes)
	s.send("info score %d", r.Score)
	if pv := variation(s.search.position, r.Line); pv != "" {
		s.send("info pv %s", pv)
	}
}

// sendProof writes the answer to go mate.
func (s *session) sendProof(a *solve.Answer) {
	s.send("info time %d", int(a.Time.Seconds()))
	s.send("info nodes %d", a.Nodes)
	// For one turn the rule changes nothing.
	aside := answer.Aside((s.game.Len() == 0 || a.Aside) && a.Refuted > 1)
	switch a.Verdict {
	case answer.Proved:
		var line []arimaa.Turn
		for _, ply := range a.Line {
			line = append(line, ply.Turn)
		}
		s.send("info score %d", engine.WinScore(a.Within))
		s.send("info pv %s", variation(s.search.position, line))
		s.log("proved: win in %s", a.In())
	case answer.Disproved:
		s.log("disproved: no win in %d%s", s.search.mate, aside)
	default:
		s.log("unknown: no win in %d is proved or disproved; there is none in %d%s", s.search.mate, a.Refuted, aside)
	}
}

// variation writes a line of turns; the letter of the side precedes each turn after the first.
func variation(p arimaa.Position, turns []arimaa.Turn) string {
	var b strings.Builder
	for i, t := range turns {
		after, ok := p.Try(t)
		if !ok {
			break // entries of the transposition table may not fit together
		}
		if i > 0 {
			fmt.Fprintf(&b, " %c ", p.Side().Letter())
		}
		b.WriteString(p.Notation(t))
		p = after
	}
	return b.String()
}
