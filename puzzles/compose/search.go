package compose

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/puzzles/describe"
)

// Aim is what is wanted of a puzzle.
type Aim string

const (
	// Small wants few pieces, and weak ones: the solution stays, unless themes are wanted.
	Small Aim = "small"
	// Hard wants a high [puzzles.Mined.Difficulty], of which a tenth of a point counts as much as a
	// piece: the solution may change.
	Hard Aim = "hard"
	// Longer wants puzzles whose win takes a turn more and leads to the puzzle, see [Composer.Longer].
	Longer Aim = "longer"
	// Twin wants positions beside the puzzle with other solutions, see [Composer.Twins].
	Twin Aim = "twin"
)

// Varies reports whether the aim is other puzzles, made of one that stays as it is.
func (a Aim) Varies() bool { return a == Longer || a == Twin }

// ParseAim reads the name of an aim.
func ParseAim(text string) (Aim, error) {
	switch a := Aim(text); a {
	case Small, Hard, Longer, Twin:
		return a, nil
	}
	return "", fmt.Errorf("%q: it is %s, %s, %s or %s", text, Small, Hard, Longer, Twin)
}

// Search changes a puzzle at random, round by round. It can be saved after any round and continued
// from there, with the same result as without the break, provided that every position is decided
// within the limit, or that the limit is in nodes.
type Search struct {
	Aim    Aim
	Themes describe.Themes // that the solution is to have, whatever else is wanted
	Rounds int             // in all
	Seed   uint64          // with the same puzzle the same result

	Round   int    // the next one
	Current Puzzle // where the search is
	Best    Puzzle // what it has found; the puzzle itself at first

	currentCost, bestCost float64
	begun                 bool
}

// temperature returns the loss, in pieces, that a round accepts with a probability of 1/e. It falls
// from startTemperature to 0.
func (s *Search) temperature() float64 {
	const startTemperature = 1.0
	return startTemperature * (1 - float64(s.Round)/float64(s.Rounds))
}

// lacking is the cost of a missing theme: more than anything else can cost.
const lacking = 1000

// cost returns what a search minimises, in pieces. It is infinite if the limit was too short to
// describe the puzzle.
func (s *Search) cost(ctx context.Context, c *Composer, z *Puzzle) (float64, error) {
	pieces, strength := 0, 0
	for rest := z.Position.Occupied(); rest != 0; rest = rest.Rest() {
		pieces++
		strength += int(z.Position.At(rest.First()).Kind())
	}
	small := float64(pieces) + float64(strength)/100
	if s.Aim == Small && s.Themes == 0 {
		return small, nil
	}
	c.miner.Turns = z.Turns
	mined, j, err := c.miner.Look(ctx, z.Position)
	c.cut = c.cut || j.Cut
	switch {
	case err != nil:
		return 0, err
	case mined == nil:
		return math.Inf(1), ctx.Err()
	}
	cost := small
	if s.Aim == Hard {
		cost -= 10 * mined.Difficulty()
	}
	if mined.Themes&s.Themes != s.Themes {
		cost += lacking
	}
	return cost, nil
}

// Run does the remaining rounds, and calls after at the end of each. When the context is done
// before the end, the error is that of the context; the search can be continued.
func (s *Search) Run(ctx context.Context, c *Composer, after func()) (err error) {
	if !s.begun {
		if s.bestCost, err = s.cost(ctx, c, &s.Best); err == nil {
			s.currentCost, err = s.cost(ctx, c, &s.Current)
		}
		if err != nil {
			return err
		}
		s.begun = true
	}
	for s.Round < s.Rounds {
		if err := s.round(ctx, c); err != nil {
			return err
		}
		s.Round++
		c.progress.Rounds = s.Round
		after()
	}
	return nil
}

// round makes one change, and accepts it or not.
func (s *Search) round(ctx context.Context, c *Composer) error {
	// A generator for each round makes a search that continues the same as one without a break.
	random := rand.New(rand.NewPCG(s.Seed, uint64(s.Round)))
	z, _, ok, _, err := c.try(ctx, &s.Current, propose(random, &s.Current.Position), s.Aim != Small || s.Themes != 0)
	if err != nil || !ok {
		return err
	}
	cost, err := s.cost(ctx, c, &z)
	if err != nil {
		return err
	}
	if cost <= s.currentCost || random.Float64() < math.Exp((s.currentCost-cost)/s.temperature()) {
		s.Current, s.currentCost = z, cost
	}
	if cost < s.bestCost {
		s.Best, s.bestCost = z, cost
	}
	return nil
}

// Reduced returns the best puzzle as [Composer.Reduce] reduces it, or itself if that costs more
// because a theme or the difficulty is lost. When the context is done before the end, it is the
// best puzzle, and the error is that of the context.
func (s *Search) Reduced(ctx context.Context, c *Composer) (Puzzle, error) {
	reduced, changes, err := c.Reduce(ctx, s.Best)
	if err != nil || len(changes) == 0 {
		return s.Best, err
	}
	before, err := s.cost(ctx, c, &s.Best)
	if err != nil {
		return s.Best, err
	}
	if cost, err := s.cost(ctx, c, &reduced); err != nil || cost > before {
		return s.Best, err
	}
	return reduced, nil
}

// propose draws a change: a piece moved to any empty square near it, taken away, replaced, or
// added.
func propose(random *rand.Rand, p *arimaa.Position) Change {
	pick := func(set arimaa.Bitboard) arimaa.Square {
		for range random.IntN(set.Len()) {
			set = set.Rest()
		}
		return set.First()
	}
	s := pick(p.Occupied())
	kind := arimaa.Rabbit + arimaa.Kind(random.IntN(int(arimaa.Elephant)))
	switch n := random.IntN(10); {
	case n < 4:
		if near := s.Within(2) &^ p.Occupied(); near != 0 {
			return move(p, s, pick(near))
		}
		fallthrough
	case n < 6:
		return remove(p, s)
	case n < 8:
		return replace(p, s, kind)
	}
	return add(arimaa.NewPiece(arimaa.Side(random.IntN(2)), kind), pick(^p.Occupied()))
}

// Saved is a search between two rounds, as text.
type Saved struct {
	Aim     Aim    `json:"aim"`
	Themes  string `json:"themes"`
	Rounds  int    `json:"rounds"`
	Seed    uint64 `json:"seed"`
	Round   int    `json:"round"`
	Turns   int    `json:"turns"`
	Single  bool   `json:"single"`
	Start   string `json:"start"`   // the puzzle that it began with, in short form
	Current string `json:"current"` // in short form, as Best
	Best    string `json:"best"`
}

// Save returns the state of a search that began with a puzzle.
func (s *Search) Save(start *Puzzle) Saved {
	return Saved{s.Aim, s.Themes.String(), s.Rounds, s.Seed, s.Round, s.Best.Turns, s.Best.Single, start.Position.String(), s.Current.Position.String(), s.Best.Position.String()}
}

// Resume returns a search for puzzles with these themes in the state that was saved. Both its
// positions are judged again. The error may be that they are no puzzles.
func (c *Composer) Resume(ctx context.Context, v Saved, themes describe.Themes) (*Search, error) {
	s := &Search{Aim: v.Aim, Themes: themes, Rounds: v.Rounds, Seed: v.Seed, Round: v.Round}
	for _, text := range []struct {
		short string
		z     *Puzzle
	}{{v.Current, &s.Current}, {v.Best, &s.Best}} {
		p, err := notation.ParsePosition(text.short)
		if err == nil {
			*text.z, err = c.Puzzle(ctx, p, v.Turns)
		}
		if err != nil {
			return nil, err
		}
		text.z.Single = v.Single
	}
	return s, nil
}
