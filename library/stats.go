package library

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Group is a number of games that have something in common.
type Group struct {
	Name string // what it is, such as a year; "" if it is not known
	// Won and Lost are Gold's results, or those of the player or setup that the games are grouped by;
	// Other counts draws, games that nobody won and games that are not finished.
	Games, Won, Lost, Other int
	Endings                 map[string]int // games that ended so, of those with an ending
	turns                   int
	rated, ratings          int
}

// Turns returns the mean number of turns of both sides.
func (g *Group) Turns() float64 { return float64(g.turns) / float64(max(g.Games, 1)) }

// Rating returns the mean rating of the players who are counted, 0 if none has one.
func (g *Group) Rating() int {
	if g.rated == 0 {
		return 0
	}
	return (g.ratings + g.rated/2) / g.rated
}

// seat is a player in a game.
type seat struct {
	name, setup, side string
	rating            int
}

// seats returns the players of a game, Gold first.
func (h *Header) seats() [2]seat {
	return [2]seat{{h.Gold, h.GoldSetup, "gold", h.GoldRating}, {h.Silver, h.SilverSetup, "silver", h.SilverRating}}
}

// Widths of groups.
const (
	ratingWidth = 200
	turnsWidth  = 20
)

// band names the group of a number.
func band(n, width int) string {
	return fmt.Sprintf("%d..%d", n/width*width, n/width*width+width-1)
}

// groupings are what games are grouped by, of a player in a game against another.
var groupings = map[string]func(h *Header, own, other seat) string{
	"all":      func(*Header, seat, seat) string { return "all" },
	"player":   func(_ *Header, own, _ seat) string { return own.name },
	"opponent": func(_ *Header, _, other seat) string { return other.name },
	"setup":    func(_ *Header, own, _ seat) string { return own.setup },
	"side":     func(_ *Header, own, _ seat) string { return own.side },
	"rating": func(_ *Header, own, _ seat) string {
		if own.rating == 0 {
			return ""
		}
		return band(own.rating, ratingWidth)
	},
	"year":   func(h *Header, _, _ seat) string { return h.Date[:min(4, len(h.Date))] },
	"month":  func(h *Header, _, _ seat) string { return h.Date[:min(7, len(h.Date))] },
	"event":  func(h *Header, _, _ seat) string { return h.Event },
	"turns":  func(h *Header, _, _ seat) string { return band(h.Turns, turnsWidth) },
	"ending": func(h *Header, _, _ seat) string { return h.Ending },
	"source": nil, // of the game, not of its header
}

// Groupings returns what games can be grouped by.
func Groupings() []string { return slices.Sorted(maps.Keys(groupings)) }

// perSeat are groupings by which each game counts once for each of its players.
var perSeat = []string{"player", "opponent", "setup", "side", "rating"}

// Seated reports whether results are those of players, as when games are grouped by player, or when
// the filter names one, a setup or a finding; otherwise they are Gold's.
func (f *Filter) Seated(by string) bool {
	return f.Player != "" || f.Setup != "" || f.Finding != "" || slices.Contains(perSeat, by)
}

// Stats groups the games that a filter selects, the largest group first. With a player, a setup
// or a finding, and by player, opponent, setup, side or rating, a game counts for each player whom
// the filter means. Errors are those of [Library.Games].
func (l *Library) Stats(ctx context.Context, f *Filter, by string) ([]Group, error) {
	name, ok := groupings[by]
	if !ok {
		return nil, meaningless("games by %q: it is one of %s", by, strings.Join(Groupings(), ", "))
	}
	groups := map[string]*Group{}
	add := func(g *Game, own, other seat, ratings ...int) {
		key := g.Source
		if name != nil {
			key = name(&g.Header, own, other)
		}
		group := groups[key]
		if group == nil {
			group = &Group{Name: key, Endings: map[string]int{}}
			groups[key] = group
		}
		group.add(&g.Header, own, ratings)
	}
	for g, err := range l.Games(ctx, f, Sort{}) {
		if err != nil {
			return nil, err
		}
		seats := g.seats()
		if !f.Seated(by) {
			add(g, seat{side: "gold"}, seat{}, g.GoldRating, g.SilverRating)
			continue
		}
		for i, own := range seats {
			if g.meant[i] {
				add(g, own, seats[1-i], own.rating)
			}
		}
	}
	all := make([]Group, 0, len(groups))
	for _, g := range groups {
		all = append(all, *g)
	}
	slices.SortFunc(all, func(a, b Group) int { return cmp.Or(b.Games-a.Games, cmp.Compare(a.Name, b.Name)) })
	return all, nil
}

// add counts a game of a player.
func (g *Group) add(h *Header, own seat, ratings []int) {
	g.Games++
	switch h.Result {
	case own.side:
		g.Won++
	case "gold", "silver":
		g.Lost++
	default:
		g.Other++
	}
	if h.Ending != "" {
		g.Endings[h.Ending]++
	}
	g.turns += h.Turns
	for _, rating := range ratings {
		if rating > 0 {
			g.rated++
			g.ratings += rating
		}
	}
}
