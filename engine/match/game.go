package match

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/arimaa/notation"
	"goalproof/proof/referee"
)

// Player plays games one after another. A [*Failure] as the error of a method loses the game; any
// other error ends the match.
type Player interface {
	// Begin prepares to play a game from its last position.
	Begin(ctx context.Context, g *arimaa.Game) error
	// Turn returns the next turn of a game, in notation, or "resign". The clock stands at the start
	// of the turn.
	Turn(ctx context.Context, g *arimaa.Game, k *clock.Clock) (string, error)
	// End ends the game.
	End()
}

// Setter is a player that can set up.
type Setter interface {
	Player
	// Setup returns the setup of the player's side, in notation. It is called before Begin. Gold is
	// Gold's setup, empty if Gold itself is asked.
	Setup(ctx context.Context, gold string) (string, error)
}

// margin is the overtime that is forgiven: the delays of processes, messages and timers on a busy
// machine are not the player's.
const margin = 200 * time.Millisecond

// Rules limit a game. At the limit it is adjudicated ([clock.Clock.Adjudicate]).
type Rules struct {
	Control clock.Control
	Turns   int // of each player, the setup included; 0: no limit
}

// turns returns the stricter limit on the turns of each player; 0: none.
func (r Rules) turns() int {
	if r.Turns > 0 && r.Control.Turns > 0 {
		return min(r.Turns, r.Control.Turns)
	}
	return max(r.Turns, r.Control.Turns)
}

// Result is the result of a game.
type Result struct {
	Game   *arimaa.Game
	Winner arimaa.Side
	Ending Ending
	Detail string // of a failure
}

// Play plays a game from an opening; if that is nil the players, both a [Setter], set up. With an
// error the result has the game as far as it came, or nil. Observe, if not nil, is called before
// each turn with the game so far and the clocks; it must not keep the game.
func (r Rules) Play(ctx context.Context, opening *arimaa.Game, players [2]Player, observe func(*arimaa.Game, clock.Clock)) (Result, error) {
	defer players[arimaa.Gold].End()
	defer players[arimaa.Silver].End()
	r.Control.Turns = r.turns()
	t := playing{clock: clock.New(r.Control)}
	err := t.begin(ctx, opening, players)
	for err == nil && t.result.Ending == "" {
		if observe != nil {
			observe(t.game, t.clock)
		}
		err = t.turn(ctx, players)
	}
	if f, ok := errors.AsType[*Failure](err); ok {
		t.result.Winner, t.result.Ending, t.result.Detail = t.side.Other(), f.Ending, f.Detail
		err = nil
	}
	t.result.Game = t.game
	return t.result, err
}

// playing is a game in progress.
type playing struct {
	game    *arimaa.Game
	side    arimaa.Side // to move
	state   referee.State
	history *referee.History
	clock   clock.Clock
	result  Result // of a finished game
}

// begin prepares both players for a game.
func (t *playing) begin(ctx context.Context, opening *arimaa.Game, players [2]Player) error {
	if opening == nil {
		if err := t.setup(ctx, players); err != nil {
			return err
		}
	} else {
		t.game = opening.At(opening.Len())
	}
	if err := t.replay(); err != nil {
		return err
	}
	if err := t.adjudicate(); err != nil || t.result.Ending != "" {
		return err
	}
	for side, p := range players {
		t.side = arimaa.Side(side)
		if err := p.Begin(ctx, t.game); err != nil {
			return err
		}
	}
	last := t.game.Last()
	t.side = last.Side()
	return nil
}

// setup asks both players for their setups.
func (t *playing) setup(ctx context.Context, players [2]Player) error {
	var b arimaa.Board
	gold := ""
	t.game = arimaa.NewGame(arimaa.NewPosition(b, arimaa.Gold), 2)
	for side, p := range players {
		t.side = arimaa.Side(side)
		setter, ok := p.(Setter)
		if !ok {
			return errors.New("a player that cannot set up needs an opening")
		}
		text, err := setter.Setup(ctx, gold)
		if err != nil {
			return err
		}
		placements, err := notation.ParseSetup(t.side, text)
		if err == nil && len(placements) < 16 {
			err = fmt.Errorf("%d pieces are missing", 16-len(placements))
		}
		if err != nil {
			return &Failure{Illegal, fmt.Sprintf("the setup %.100q: %v", text, err)}
		}
		for _, p := range placements {
			b.Put(p.Square, p.Piece)
		}
		gold = text
		t.game = arimaa.NewGame(arimaa.NewPosition(b, arimaa.Gold), 2)
	}
	return nil
}

// replay plays the opening for the referee.
func (t *playing) replay() error {
	first := t.game.Position(0)
	state, err := referee.ParsePosition(first.String())
	if err != nil {
		return err
	}
	t.state, t.history = state, referee.NewHistory(state)
	for i := range t.game.Len() {
		p := t.game.Position(i)
		if err := t.judge(p.Notation(t.game.Turn(i))); err != nil {
			return fmt.Errorf("the opening, turn %s: %w", t.game.Label(i), err)
		}
	}
	return nil
}

// judge lets the referee play a turn.
func (t *playing) judge(text string) error {
	_, after, err := t.state.ReadTurn(text)
	if err != nil {
		return err
	}
	after, err = t.history.Stop(after)
	if err == nil {
		t.state = after
	}
	return err
}

// turn asks the side to move for a turn and plays it.
func (t *playing) turn(ctx context.Context, players [2]Player) error {
	left, limited := t.clock.Left(t.side)
	began := time.Now()
	text, err := players[t.side].Turn(ctx, t.game, &t.clock)
	used := time.Since(began)
	if err != nil {
		return err
	}
	if limited && used > left+margin {
		return &Failure{Time, fmt.Sprintf("turn %s took %v of %v", t.game.Label(t.game.Len()), used.Round(time.Millisecond), left)}
	}
	if limited {
		used = min(used, left)
	}
	t.clock.Charge(t.side, used)
	if text == "resign" {
		return &Failure{Ending: Resignation}
	}
	if err := t.play(text); err != nil {
		return err
	}
	return t.finish()
}

// play plays a turn by both implementations of the rules.
func (t *playing) play(text string) error {
	label := t.game.Label(t.game.Len())
	words := strings.Fields(text)
	if !turnLike(words) {
		return &Failure{Junk, fmt.Sprintf("turn %s, %.100q: these are no steps", label, text)}
	}
	text = strings.Join(words, " ")
	refused := t.judge(text)
	if err := notation.Play(t.game, text); (err == nil) != (refused == nil) {
		return fmt.Errorf("the rules disagree about turn %s, %q, after\n%s\narimaa says %v, referee %v", label, text, notation.Turns(t.game), err, refused)
	}
	if refused != nil {
		return &Failure{Illegal, fmt.Sprintf("turn %s, %s: %v", label, text, refused)}
	}
	if p := t.game.Last(); p.String() != t.state.Position() {
		return fmt.Errorf("the rules disagree about what turn %s, %q, leads to: arimaa has\n%v, referee\n%s", label, text, p, t.state.Position())
	}
	return nil
}

// turnLike reports whether words are steps and captures, legal or not.
func turnLike(words []string) bool {
	for _, word := range words {
		capture := len(word) == 4 && word[3] == 'x'
		if _, err := referee.ParseStep(word); err != nil && !capture {
			return false
		}
	}
	return len(words) > 0
}

// finish checks whether the turn has ended the game, by the rules or at a limit.
func (t *playing) finish() error {
	moved := t.side
	t.side = moved.Other()
	if winner, reason, over := t.history.Outcome(t.state.Board, referee.Side(moved)); over {
		t.result.Winner, t.result.Ending = arimaa.Side(winner), byRule(reason)
		return nil
	}
	return t.adjudicate()
}

// adjudicate ends the game if it has reached a limit. Both implementations of the rules must name
// the same winner.
func (t *playing) adjudicate() error {
	winner, _, over := t.clock.Adjudicate(t.game)
	if !over {
		return nil
	}
	if score := arimaa.Side(t.history.Score()); score != winner {
		return fmt.Errorf("the rules disagree about who had more pieces most recently in\n%s\narimaa says %v, referee %v", notation.Turns(t.game), winner, score)
	}
	t.result.Winner, t.result.Ending = winner, Score
	return nil
}
