package aei

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/player"
)

// search is a running search, or a finished one of go ponder that waits for stop.
type search struct {
	position arimaa.Position
	ponder   bool
	began    time.Time     // the time when go was read
	used     time.Duration // on the turn before that
	cancel   context.CancelFunc
	reports  chan engine.Report
	done     chan result
	result   *result // of a finished search
	proved   int     // length in turns of the proved win that was reported
	lost     int     // number of turns of the proved loss that was reported
	tabled   bool    // that the score comes from an endgame table was reported
}

// result is the result of a search.
type result struct {
	turn   string // in notation
	report engine.Report
	err    error // why there is no turn
}

// keptReports is the number of reports that may wait to be written; older ones are dropped.
const keptReports = 64

// channels returns the channels of a search, nil if there is none.
func (s *search) channels() (<-chan engine.Report, <-chan result) {
	if s == nil {
		return nil, nil
	}
	return s.reports, s.done
}

// report delivers a report; if too many are waiting, it replaces the oldest one.
func (s *search) report(r engine.Report) {
	r.Line = slices.Clone(r.Line)
	for {
		select {
		case s.reports <- r:
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
		r := <-s.done
		s.result = &r
	}
	return *s.result
}

// start handles go.
func (s *session) start(rest string) error {
	ponder := strings.TrimSpace(rest) == "ponder"
	switch {
	case !ponder && strings.TrimSpace(rest) != "":
		return fmt.Errorf("the only argument is ponder, not %q", rest)
	case s.search != nil && (ponder || !s.search.ponder):
		return errors.New("a search is already running")
	case s.astray:
		return errAstray
	}
	if s.game != nil {
		if o := s.game.Outcome(); o.Over() {
			return fmt.Errorf("the game is over: %v has won (%v)", o.Winner, o.Reason)
		}
	}
	s.drop()
	if s.game == nil {
		s.startSetup(ponder)
	} else if s.prepare() {
		s.startSearch(ponder)
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

// startSearch starts a search of the current position.
func (s *session) startSearch(ponder bool) {
	limits := engine.Limits{Depth: s.depth, Nodes: s.nodes}
	if !ponder {
		limits.Time = s.budget()
	}
	ctx, cancel := withTimeout(s.ctx, limits.Time)
	g := s.game.At(s.game.Len())
	p := g.Last()
	search := &search{
		position: p, ponder: ponder, began: s.read, used: s.clock.MoveUsed, cancel: cancel,
		reports: make(chan engine.Report, keptReports), done: make(chan result, 1),
	}
	s.search = search
	go func(e player.Player) {
		r, err := e.Search(ctx, g, limits, search.report)
		if err == nil {
			if _, ok := p.Try(r.Turn); !ok {
				err = fmt.Errorf("the engine answered %q, which is no legal turn", r.Turn)
			}
		}
		if err != nil {
			search.done <- result{err: err}
			return
		}
		search.done <- result{turn: p.Notation(r.Turn), report: r}
	}(s.player)
}

// withTimeout adds a time limit to a context; 0: no limit.
func withTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// budget returns the time for the search of a go; 0: no limit.
func (s *session) budget() time.Duration {
	if !s.started.IsZero() {
		s.clock.Elapsed = max(s.read.Sub(s.started)-s.clock.MoveUsed, 0)
	}
	budget := s.clock.Budget(s.side())
	if budget == 0 && (s.depth > 0 || s.nodes > 0) {
		return 0
	}
	return max(cmp.Or(budget, UntimedTurn)-time.Since(s.read), 1)
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
		s.inform(<-s.search.reports)
	}
	if r.err != nil {
		s.log("Error: go: %v", r.err)
	} else {
		if s.game != nil {
			s.inform(r.report)
		}
		s.send("bestmove %s", r.turn)
	}
	if s.game != nil && !s.search.ponder {
		s.clock.MoveUsed = s.search.used // the controller may have set it since
		s.clock.Charge(s.side(), time.Since(s.search.began))
	}
	s.search.cancel()
	s.search = nil
}

// inform writes a report of the search.
func (s *session) inform(r engine.Report) {
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
