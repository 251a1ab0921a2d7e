package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/evaluation"
	"goalproof/engine/ordering"
	"goalproof/internal/batch"
)

// SelfPlay describes games of the engine against itself. The games depend on everything but
// Threads, and on the engine.
type SelfPlay struct {
	Seed    uint64
	Nodes   uint64              // of each search
	Threads int                 // games at the same time
	Network *evaluation.Network // nil: the evaluation by hand, and options in no learned order
	// Ordering is the order of options; nil with a network: that of the program.
	Ordering *ordering.Weights
	// Varied allows setups in no order and random turns at the beginning. Without a network it is
	// always so.
	Varied bool
}

// String describes the games, in a line.
func (s SelfPlay) String() string {
	with := "the evaluation by hand"
	if s.Network != nil {
		with = fmt.Sprintf("network %08x, ordering %08x", s.Network.Digest(), cmp.Or(s.Ordering, ordering.Learned()).Digest())
		if s.Varied {
			with += ", from varied beginnings"
		}
	}
	return fmt.Sprintf("the engine against itself with %s, %d nodes a turn, seed %d", with, s.Nodes, s.Seed)
}

// randomShare is the noise within a game: one of so many turns begins with a random option. A
// search meets bad positions all the time; positions of strong play alone would not teach why they
// are bad.
const randomShare = 16

// noise returns how games begin: one of so many setups of a side is in no order, and at most so
// many turns are random. Varied games teach a new network what is bad. A network that has learned
// from many of them learns more from sound positions (docs/engine.md).
func (s SelfPlay) noise() (shuffled, opening int) {
	if s.Network == nil || s.Varied {
		return 4, 5
	}
	return 40, 0
}

// A game ends when it is decided or too long.
const (
	decidedScore = 2500 // centi-rabbits
	decidedTurns = 5    // turns of both sides running with that score for the same side
	// Longest is how many turns of both sides a game has at most; then the pieces decide. Of the
	// games of others only so many turns are searched.
	Longest = 300
)

// engineMemory is the memory of the engine of one game, in bytes. It is cleared before each game.
const engineMemory = 2 << 20

// Games plays the games from number first to number last-1, and yields them in order.
func (s SelfPlay) Games(ctx context.Context, first, last int) iter.Seq2[*Game, error] {
	return s.each(ctx, first, last, s.play)
}

// Player plays games, and studies those of others, one after another.
type Player struct {
	SelfPlay
	engine *engine.Engine
}

// Player returns a player of such games.
func (s SelfPlay) Player() (*Player, error) {
	e, err := s.engine()
	return &Player{s, e}, err
}

// Play plays the game of a number, from 0. It depends on no other game.
func (p *Player) Play(ctx context.Context, number int) (*Game, error) {
	return p.play(ctx, p.engine, number)
}

// PlayerMemory is the memory that a player takes, in bytes, beside its network.
const PlayerMemory = 4 * engineMemory

// each calls do for each number from first to last-1 and yields what it returns in order, until
// there is an error.
func (s SelfPlay) each(ctx context.Context, first, last int, do func(context.Context, *engine.Engine, int) (*Game, error)) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for o := range batch.Run(ctx, batch.Numbers(first, last), s.Threads, 4*s.Threads, s.engine, do) {
			if !yield(o.Value, o.Err) || o.Err != nil {
				return
			}
		}
	}
}

// engine returns the engine that plays.
func (s SelfPlay) engine() (*engine.Engine, error) {
	without := engine.Probe
	if s.Network == nil {
		without |= engine.Network | engine.Ordering
	}
	return engine.New(engine.Options{Threads: 1, Memory: engineMemory, Without: without, Network: s.Network, Ordering: s.Ordering})
}

// play plays a game.
func (s SelfPlay) play(ctx context.Context, e *engine.Engine, number int) (*Game, error) {
	random := rand.New(rand.NewPCG(s.Seed, uint64(number)))
	e.Forget()
	g, err := s.opening(random)
	if err != nil {
		return nil, err
	}
	record := &Game{Start: g.Last()}
	var lead lead
	for !g.Outcome().Over() && len(record.Turns) < Longest {
		turn, score, err := s.search(ctx, e, g, random)
		if err != nil {
			return nil, err
		}
		record.Turns = append(record.Turns, Scored{turn.Code(), score})
		if p := g.Last(); score != NoScore && lead.decides(p.Side(), int(score)) {
			record.Winner = lead.side
			return record, nil
		}
		if err := g.Play(turn); err != nil {
			return nil, err
		}
	}
	if o := g.Outcome(); o.Over() {
		record.Winner = o.Winner
	} else {
		record.Winner = g.MorePieces()
	}
	return record, nil
}

// opening sets up a game and plays its random turns.
func (s SelfPlay) opening(random *rand.Rand) (*arimaa.Game, error) {
	shuffled, turns := s.noise()
	var b arimaa.Board
	for side := range arimaa.Side(2) {
		setUp(&b, side, random, shuffled)
	}
	g := arimaa.NewGame(arimaa.NewPosition(b, arimaa.Gold), arimaa.FirstTurn)
	for range random.IntN(turns + 1) {
		if t, ok := randomTurn(g, random); ok {
			if err := g.Play(t); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// search returns the turn to play and the score of the position, NoScore if the turn begins at
// random.
func (s SelfPlay) search(ctx context.Context, e *engine.Engine, g *arimaa.Game, random *rand.Rand) (arimaa.Turn, int16, error) {
	l := engine.Limits{Nodes: s.Nodes}
	if random.IntN(randomShare) == 0 {
		p := g.Last()
		options := p.Options(nil)
		l.Prefix = arimaa.Turn{}.WithOption(options[random.IntN(len(options))])
	}
	r, err := e.Search(ctx, g, l, nil)
	if errors.Is(err, engine.ErrNoTurn) && l.Prefix.Len() > 0 { // no turn begins with that option
		l.Prefix = arimaa.Turn{}
		r, err = e.Search(ctx, g, l, nil)
	}
	if err == nil {
		err = ctx.Err() // what an interrupted search returns depends on the time
	}
	score := int16(r.Score)
	if l.Prefix.Len() > 0 {
		score = NoScore
	}
	return r.Turn, score, err
}

// lead is a run of decisive scores for the same side.
type lead struct {
	side  arimaa.Side
	turns int
}

// decides adds the score of the side to move, and reports whether the game is decided.
func (l *lead) decides(mover arimaa.Side, score int) bool {
	leader := mover
	if score < 0 {
		leader, score = mover.Other(), -score
	}
	switch {
	case score < decidedScore:
		l.turns = 0
	case l.side != leader:
		l.turns = 1
	default:
		l.turns++
	}
	l.side = leader
	return score >= engine.Won || l.turns == decidedTurns
}

// setUp places the army of a side: a sound setup, or one time in so many one in no order.
func setUp(b *arimaa.Board, side arimaa.Side, random *rand.Rand, shuffled int) {
	all := engine.Setup(side, *b, random)
	if random.IntN(shuffled) == 0 {
		random.Shuffle(len(all), func(i, j int) { all[i].Square, all[j].Square = all[j].Square, all[i].Square })
	}
	for _, p := range all {
		b.Put(p.Square, p.Piece)
	}
}

// randomTurn returns a turn of random options, and false if it must not be played.
func randomTurn(g *arimaa.Game, random *rand.Rand) (t arimaa.Turn, ok bool) {
	p := g.Last()
	for options := p.Options(nil); len(options) > 0; options = p.Options(options[:0]) {
		o := options[random.IntN(len(options))]
		p, t = p.After(o), t.WithOption(o)
	}
	ended := p.EndTurn()
	first := g.Last()
	return t, p.Board != first.Board && g.Occurrences(&ended.Board, ended.Side()) < 2 && !p.Ended(p.Side()).Over()
}
