package player

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/engine"
)

// Lines finds the n best turns in the last position of a game, the best first, or all turns if
// there are fewer. They lead to different positions. It searches depth by depth, and at each depth
// for one turn after the other, with those before it excluded; a proved win is found once and
// stays. The limits hold for all searches together, but the first of them alone may look for long
// wins. It calls report with the lines so far each time it has searched another one to a depth; the
// caller may keep the reports. The error is that of the first search.
//
// At an interruption the lines of the last depth stand before those of the depth before, whose
// places they have not taken: each of them was found better than the rest.
func Lines(ctx context.Context, p Player, g *arimaa.Game, l engine.Limits, n int, report func([]engine.Report)) ([]engine.Report, error) {
	start := time.Now()
	l.Time, l.Aim = cmp.Or(l.Aim, l.Time), 0 // all lines need their time
	ctx, cancel := answer.Limit{Time: l.Time}.Start(ctx)
	defer cancel()
	deepest := engine.MaxDepth
	if l.Depth > 0 {
		deepest = min(deepest, l.Depth)
	}
	s := lines{ctx: ctx, player: p, game: g, limits: l, n: n, report: report, start: start}
	for depth := 1; depth <= deepest && !s.over(); depth++ {
		decided, err := s.searchDepth(depth)
		if err != nil {
			return nil, err
		}
		if decided {
			break // deeper searches find the same
		}
	}
	return s.known, nil
}

// lines is the state of Lines.
type lines struct {
	ctx    context.Context
	player Player
	game   *arimaa.Game
	limits engine.Limits
	n      int
	report func([]engine.Report)
	start  time.Time

	known, proved []engine.Report
	nodes         uint64
	loss          int // that is proved, whatever is played
}

// over reports whether a limit is reached. Until a line is known no limit counts.
func (s *lines) over() bool {
	return len(s.known) > 0 && (s.ctx.Err() != nil || s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes)
}

// searchDepth searches for the best lines at a depth, one after the other. It reports whether all
// of them are decided.
func (s *lines) searchDepth(depth int) (decided bool, err error) {
	found, before := slices.Clone(s.proved), s.known
	decided = true
	for len(found) < s.n && !s.over() {
		r, err := s.player.Search(s.ctx, s.game, s.limitsOf(depth, found), func(engine.Report) {})
		if errors.Is(err, engine.ErrNoTurn) && len(s.known) > 0 {
			break
		}
		if err != nil {
			return false, err
		}
		s.nodes += r.Nodes
		r.Nodes, r.Time = s.nodes, time.Since(s.start)
		news := r.Depth >= depth || r.Depth == depth-1 && r.Deeper || r.Win > 0 || r.Tabled
		if s.over() && !news {
			break // interrupted
		}
		decided = decided && r.Depth < depth
		found = append(found, r)
		if r.Win > 0 {
			s.proved = append(s.proved, r)
		}
		s.known = merged(s.game.Last(), found, before, s.n)
		s.loss = cmp.Or(r.Loss, s.loss)
		for i := range s.known {
			s.known[i].Loss = s.loss
		}
		s.report(slices.Clone(s.known))
	}
	return decided, nil
}

// limitsOf returns the limits of the search for the line after those found at a depth.
func (s *lines) limitsOf(depth int, found []engine.Report) engine.Limits {
	l := engine.Limits{Depth: depth, Exclude: slices.Clone(s.limits.Exclude), Prefix: s.limits.Prefix}
	if len(s.known) == 0 {
		l.Time = s.limits.Time
	}
	if s.limits.Nodes > 0 {
		l.Nodes = s.limits.Nodes - s.nodes
	}
	for _, r := range found {
		l.Exclude = append(l.Exclude, r.Turn)
	}
	return l
}

// merged returns the lines of a depth, proved wins first and then by their scores, and after them
// those of the depth before that lead elsewhere, n at most.
func merged(root arimaa.Position, lines, before []engine.Report, n int) []engine.Report {
	all := slices.Clone(lines)
	slices.SortStableFunc(all, func(a, b engine.Report) int {
		if proved := a.Win > 0; proved != (b.Win > 0) {
			return map[bool]int{true: -1, false: 1}[proved]
		}
		return cmp.Compare(b.Score, a.Score)
	})
	to := func(r engine.Report) arimaa.Board {
		after, _ := root.Try(r.Turn)
		return after.Board
	}
	for _, r := range before {
		if !slices.ContainsFunc(all, func(other engine.Report) bool { return to(other) == to(r) }) {
			all = append(all, r)
		}
	}
	return all[:min(len(all), n)]
}
