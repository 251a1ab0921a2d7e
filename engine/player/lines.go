package player

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"goalproof/arimaa"
	"goalproof/engine"
)

// Lines finds the n best turns in the last position of a game, the best first, or all turns if there are fewer. They
// lead to different positions. It searches depth by depth, and at each depth for one turn after the other, with those
// before it excluded; a proved win is found once and stays. The limits hold for all searches together, but the first of
// them alone may look for long wins. It calls report with what is known whenever it has searched another line to a
// depth; the caller may keep the reports. The error is that of the first search.
//
// At an interruption the lines of the last depth stand before those of the depth before, whose places they have not
// taken: each of them was found better than the rest.
func Lines(ctx context.Context, p Player, g *arimaa.Game, l engine.Limits, n int, report func([]engine.Report)) ([]engine.Report, error) {
	start := time.Now()
	l.Time, l.Aim = cmp.Or(l.Aim, l.Time), 0 // all lines need their time
	if l.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.Time)
		defer cancel()
	}
	deepest := engine.MaxDepth
	if l.Depth > 0 {
		deepest = min(deepest, l.Depth)
	}
	var known, proved []engine.Report
	var nodes uint64
	loss := 0 // that is proved, whatever is played
	over := func() bool { return ctx.Err() != nil || l.Nodes > 0 && nodes >= l.Nodes }
	for depth := 1; depth <= deepest && (!over() || len(known) == 0); depth++ {
		lines := slices.Clone(proved) // of this depth
		before := known
		decided := true
		for len(lines) < n && (!over() || len(known) == 0) {
			limits := engine.Limits{Depth: depth, Exclude: slices.Clone(l.Exclude), Prefix: l.Prefix}
			if len(known) == 0 {
				limits.Time = l.Time
			}
			if l.Nodes > 0 {
				limits.Nodes = l.Nodes - nodes
			}
			for _, r := range lines {
				limits.Exclude = append(limits.Exclude, r.Turn)
			}
			r, err := p.Search(ctx, g, limits, func(engine.Report) {})
			if errors.Is(err, engine.ErrNoTurn) && len(known) > 0 {
				break
			}
			if err != nil {
				return nil, err
			}
			nodes += r.Nodes
			r.Nodes, r.Time = nodes, time.Since(start)
			found := r.Depth >= depth || r.Depth == depth-1 && r.Deeper || r.Win > 0 || r.Tabled
			if over() && !found && len(known) > 0 {
				break // the search was interrupted before it came to anything new
			}
			decided = decided && r.Depth < depth
			lines = append(lines, r)
			if r.Win > 0 {
				proved = append(proved, r)
			}
			known = merged(g.Last(), lines, before, n)
			loss = cmp.Or(r.Loss, loss)
			for i := range known {
				known[i].Loss = loss
			}
			report(slices.Clone(known))
		}
		if decided {
			break // deeper searches find the same
		}
	}
	return known, nil
}

// merged returns the lines of a depth, proved wins first and then by their scores, and after them those of the depth
// before that lead elsewhere, n at most.
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
