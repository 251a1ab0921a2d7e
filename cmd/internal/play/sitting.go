package play

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/engine"
	"goalproof/engine/player"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/solve"
)

// sitting is a game at the terminal.
type sitting struct {
	flags
	t      cli.Terminal
	prompt *cli.Prompt
	player player.Player
	human  [2]bool
	clock  *clock.Clock // nil: none
	game   *arimaa.Game // nil until both sides have set up
	steps  arimaa.Turn  // of the current turn
	began  time.Time    // when the current turn did
	ended  *conclusion  // how the game ended off the board; nil: it did not

	watching bool          // for turns that give a proved win away
	solver   *solve.Solver // for watching; nil until it is needed
	proofs   uint64        // memory for it, in bytes
}

// conclusion is how a game ended off the board.
type conclusion struct {
	winner arimaa.Side
	reason string
	record string // the word after the last label of a record; may be empty
}

// Words for the end of a game in a record.
const (
	resigned = "resigns"
	lost     = "lost"
)

// sitting prepares a game.
func (f *flags) sitting(ctx context.Context, args []string, t cli.Terminal) (*sitting, error) {
	s := &sitting{flags: *f, t: t}
	switch f.side {
	case "gold":
		s.human[arimaa.Gold] = true
	case "silver":
		s.human[arimaa.Silver] = true
	case "both":
		s.human = [2]bool{true, true}
	default:
		return nil, fmt.Errorf("--side %q: it is gold, silver or both", f.side)
	}
	if f.time <= 0 {
		return nil, fmt.Errorf("--time %v: the time must be more than zero", f.time)
	}
	if f.clock != "" {
		c, err := clock.Parse(f.clock)
		if err != nil {
			return nil, fmt.Errorf("--clock: %w", err)
		}
		s.clock = new(clock.New(c))
	}
	if len(args) == 0 && (f.inputs.Turn != "" || f.inputs.Game != "" || f.inputs.Unusual) {
		return nil, errors.New("--turn, --game and --unusual belong to an INPUT, and there is none")
	}
	bytes, err := f.engine.Budget()
	if err != nil {
		return nil, err
	}
	forEngine := bytes
	if s.watching = len(args) > 0; s.watching {
		forEngine, s.proofs = memory.BesideLines(bytes)
	}
	settings := player.Settings{Threads: f.engine.Threads, Memory: memory.EngineTables(forEngine, f.engine.Threads)}
	if err := search.CheckEngine(settings); err != nil {
		return nil, err
	}
	if len(args) > 0 {
		if args[0] == "-" {
			return nil, errors.New("play reads what you type from standard input; name a file or a position")
		}
		in, err := f.inputs.Read(ctx, args, t)
		if err != nil {
			return nil, err
		}
		all := inputs.Peek(in.All, 2, inputs.One)
		all.Stop()
		first := all.First
		switch err := in.Source.Interrupted(); {
		case err != nil:
			return nil, err
		case len(first) > 1:
			return nil, fmt.Errorf("%s holds several positions; play takes one", args[0])
		case first[0].Err != nil:
			return nil, cli.Exit(cli.BadInput, first[0].Err)
		}
		if s.game = first[0].Game; s.game == nil {
			s.game = arimaa.NewGame(first[0].Diagram.Position, first[0].Diagram.Number)
		}
		s.game = s.game.At(s.game.Len()) // it continues, whatever its record says about the end
		if holdsGame(args[0], s.game) {
			args = nil // the game may continue in its own file, as nothing is lost by that
		}
	}
	if err := cli.Writable("save", f.save, args...); err != nil {
		return nil, err
	}
	if s.player, err = f.engine.NewEngine(settings); s.watching {
		f.engine.Limit(bytes)
	}
	return s, err
}

// holdsGame reports whether a file holds exactly the saved text of a game.
func holdsGame(name string, g *arimaa.Game) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > notation.MaxEntry {
		return false
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	for _, end := range []string{"", resigned, lost} {
		whole := g.At(g.Len())
		whole.SetEnd(end)
		if strings.TrimSpace(string(text)) == strings.TrimSpace(notation.Turns(whole)) {
			return true
		}
	}
	return false
}

// run plays the game. The error is that of the command.
func (s *sitting) run(ctx context.Context) error {
	s.prompt = cli.NewPrompt(ctx, s.t, s.t.Out, promptHelp)
	fmt.Fprintln(s.t.Out, "Type help to see what you can type.")
	err := s.setUp(ctx)
	if err == nil && s.clock != nil && !s.game.Outcome().Over() {
		s.adjudicate() // a continued game may have reached the limit already
	}
	for err == nil && s.ended == nil && !s.game.Outcome().Over() {
		s.steps, s.began = arimaa.Turn{}, time.Now()
		s.draw()
		if s.human[s.side()] {
			n := s.game.Len()
			err = s.prompt.Ask(ctx, s.game.Label(n), s.command)
			switch {
			case err == nil && s.ended == nil && s.game.Len() > n:
				err = s.watch(ctx, n)
			case s.game.Len() < n:
				s.watching = s.proofs > 0
			}
		} else {
			err = s.answer(ctx)
		}
		if err == nil && s.save != "" {
			if failed := s.write(s.save); failed != nil {
				fmt.Fprintf(s.t.Out, "The game is not saved: %v\n", failed)
			}
		}
	}
	switch {
	case errors.Is(err, cli.ErrLeft):
		return nil
	case err != nil:
		return err
	}
	end := s.ended
	if end == nil {
		s.steps, s.began = arimaa.Turn{}, time.Now()
		s.draw()
		o := s.game.Outcome()
		end = &conclusion{winner: o.Winner, reason: o.Reason.String()}
	}
	_, err = fmt.Fprintf(s.t.Out, "%v wins (%s).\n", end.winner, end.reason)
	return err
}

func (s *sitting) side() arimaa.Side {
	p := s.game.Last()
	return p.Side()
}

// setUp lets both sides place their pieces, unless the game continues from a position.
func (s *sitting) setUp(ctx context.Context) error {
	if s.game != nil {
		return nil
	}
	random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	var board arimaa.Board
	for side := range arimaa.Side(2) {
		label := arimaa.TurnLabel(1, side)
		var all []arimaa.Placement
		if s.human[side] {
			if err := s.prompt.Ask(ctx, label+" (set up, or auto)", func(_ context.Context, word, line string) (bool, error) {
				return s.place(side, &all, word, line)
			}); err != nil {
				return err
			}
		}
		if len(all) == 0 {
			all = engine.Setup(side, board, random)
		}
		fmt.Fprint(s.t.Out, label)
		for _, p := range all {
			board.Put(p.Square, p.Piece)
			fmt.Fprintf(s.t.Out, " %v", p)
		}
		fmt.Fprintln(s.t.Out)
	}
	s.game = arimaa.NewGame(arimaa.NewPosition(board, arimaa.Gold), 2)
	return nil
}

// fullArmy is the number of pieces that a side has in a game without a handicap.
const fullArmy = 16

// place adds the pieces of a line to a setup and reports whether it is complete. An empty setup is
// left to the engine.
func (s *sitting) place(side arimaa.Side, all *[]arimaa.Placement, word, line string) (done bool, err error) {
	switch {
	case word == "auto":
		*all = nil
		return true, nil
	case word == "takeback":
		*all = nil
		fmt.Fprintln(s.t.Out, "No piece is set up.")
		return false, nil
	case word == "end" && len(*all) > 0:
		return true, nil
	}
	for _, p := range *all {
		line += " " + p.String()
	}
	both, err := notation.ParseSetup(side, line)
	if err != nil {
		return false, err
	}
	*all = append(*all, both[:len(both)-len(*all)]...)
	if len(*all) < fullArmy {
		fmt.Fprintf(s.t.Out, "%d of %d pieces: continue, or type end to leave out the others, or takeback to start again.\n", len(*all), fullArmy)
		return false, nil
	}
	return true, nil
}

// point returns the state after the steps of the current turn.
func (s *sitting) point() arimaa.State {
	at := arimaa.NewState(s.game.Last())
	for i := range s.steps.Len() {
		if _, err := at.Play(s.steps.Step(i)); err != nil {
			panic(err) // it was legal when it was made
		}
	}
	return at
}

// draw draws the board after the steps of the current turn, and the clock.
func (s *sitting) draw() {
	d := notation.Diagram{Position: s.point().Position, Number: s.game.Number(s.game.Len())}
	fmt.Fprintf(s.t.Out, "\n%s\n", render.Board(d, s.t.Styled))
	if s.clock == nil {
		return
	}
	for side := range arimaa.Side(2) {
		clock, used := *s.clock, time.Since(s.began)
		if side != s.side() {
			clock.MoveUsed, used = 0, 0
		}
		if left, limited := clock.Left(side); limited {
			fmt.Fprintf(s.t.Out, "%v has %v for its turn.\n", side, max(left-used, 0).Round(100*time.Millisecond))
		}
	}
}

// played shows the turn that was just played from a position and charges the clock.
func (s *sitting) played(before arimaa.Position) {
	n := s.game.Len() - 1
	side := before.Side()
	fmt.Fprintf(s.t.Out, "%s %s\n", s.game.Label(n), before.Notation(s.game.Turn(n)))
	if s.clock == nil {
		return
	}
	if s.clock.Charge(side, time.Since(s.began)) {
		if err := s.game.TakeBack(); err != nil {
			panic(err) // it was just played
		}
		s.ended = timeUp(side)
		return
	}
	if s.game.Outcome().Over() {
		return
	}
	s.adjudicate()
}

// adjudicate ends the game at a limit of the time control.
func (s *sitting) adjudicate() {
	if winner, limit, over := s.clock.Adjudicate(s.game); over {
		s.ended = &conclusion{winner: winner, reason: limit + "; the pieces decide"}
	}
}

// timeUp returns the conclusion of a game in which the time of a side is up.
func timeUp(side arimaa.Side) *conclusion {
	return &conclusion{side.Other(), fmt.Sprintf("%v's time was up", side), lost}
}

// think asks the engine for a turn.
func (s *sitting) think(ctx context.Context, limits engine.Limits) (engine.Report, error) {
	r, err := s.player.Search(ctx, s.game, limits, nil)
	switch {
	case err != nil:
		return r, cli.Exit(cli.Internal, err)
	case ctx.Err() != nil:
		return r, cli.Exit(cli.Unknown, errors.New("interrupted"))
	}
	return r, nil
}

// answer lets the engine play its turn.
func (s *sitting) answer(ctx context.Context) error {
	limits := engine.Limits{Time: s.time}
	if s.clock != nil {
		if aim, most := s.clock.Budget(s.side()); aim > 0 {
			limits = engine.Limits{Time: most, Aim: aim}
		}
	}
	r, err := s.think(ctx, limits)
	if err != nil {
		return err
	}
	before := s.game.Last()
	if err := s.game.Play(r.Turn); err != nil {
		return cli.Exit(cli.Internal, err)
	}
	s.played(before)
	n, loses := r.Value.Loss()
	switch {
	case r.Tabled && loses:
		fmt.Fprintf(s.t.Out, "Endgame table: %v loses in %s, %s.\n", before.Side(), printable.Amount(n, "turn"), answer.Rule)
	case r.Tabled && r.Win > 0:
		fmt.Fprintf(s.t.Out, "Proved: %v wins in %s (endgame table).\n", before.Side(), printable.Amount(r.Win, "turn"))
	case r.Win > 0:
		fmt.Fprintf(s.t.Out, "Proved: %v wins within %s.\n", before.Side(), printable.Amount(r.Win, "turn"))
	case r.Loss > 0:
		fmt.Fprintf(s.t.Out, "Proved: %v wins within %s.\n", before.Side().Other(), printable.Amount(r.Loss, "turn"))
	}
	return nil
}

// write replaces a file atomically by the game.
func (s *sitting) write(name string) error {
	game := s.game.At(s.game.Len())
	if s.ended != nil && s.ended.record != "" {
		game.SetEnd(s.ended.record)
	}
	return cli.WriteText(name, notation.Turns(game))
}
