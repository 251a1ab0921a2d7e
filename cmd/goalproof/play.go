package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/clock"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
	"goalproof/engine"
	"goalproof/player"
	"goalproof/render"
)

// playFlags are the flags of the play command.
type playFlags struct {
	inputs inputs.Flags
	side   string
	time   time.Duration
	clock  string
	save   string
	engine search.EngineFlags
}

func (f *playFlags) register(flags *pflag.FlagSet) {
	f.inputs.Register(flags)
	flags.StringVar(&f.side, "side", "gold", "side you play: gold, silver, or both")
	flags.DurationVar(&f.time, "time", 5*time.Second, "time of the engine for a turn without --clock, and for a hint")
	flags.StringVar(&f.clock, "clock", "", "time control for both sides, for example 30s/2m/100/5m/2h; without it you have unlimited time")
	flags.StringVar(&f.save, "save", "", "write the game to this `file` after each turn")
	f.engine.Register(flags)
	help.Group(flags, help.Game, "turn", "game", "unusual", "side", "time", "clock")
	help.Group(flags, help.Output, "save")
}

func playCommand(t cli.Terminal) *cobra.Command {
	var f playFlags
	cmd := &cobra.Command{
		Use:   "play [INPUT]",
		Short: "Play against the engine in the terminal",
		Long: `Lets you play against the engine in the terminal, from the setup or from any
position. At the prompt, "help" lists what you can type.

See also: goalproof help prompt, formats, matches (for time controls).`,
		Example: `  goalproof play
  goalproof play --side silver --time 2s --save game.txt
  goalproof play --clock 30s/2m/100/5m/2h
  goalproof play examples/game.turns --turn 20g`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := f.sitting(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			return m.run(cmd.Context())
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// promptTopic is a help topic about what to type in a game.
func promptTopic() *cobra.Command {
	return &cobra.Command{Use: "prompt", Short: "What to type in a game", Long: playHelp}
}

// playHelp is shown at the prompt too.
const playHelp = `At the prompt, type a turn in the notation of game records:

  Ee2n Ee3n Ee4n hd5s   plays the turn; you may omit captures (hc3x)

Or play it step by step:

  + Ee2n                makes one or more steps without ending the turn
  steps                 lists the possible steps, pushes and pulls
  back                  takes back the last step
  end                   ends the turn

Other commands:

  hint                  shows the engine's choice from the start of this turn
  takeback              takes back your last turn and the reply, not the time
  board                 draws the board again
  save FILE             writes the game to a file
  resign, quit, help

Before the first turn, type your setup (Ra1 Rb1 ...), or auto. It may take
several lines.`

// sitting is a game at the terminal.
type sitting struct {
	playFlags
	t      cli.Terminal
	lines  <-chan string
	player player.Player
	human  [2]bool
	clock  *clock.Clock // nil: none
	game   *arimaa.Game // nil until both sides have set up
	steps  arimaa.Turn  // made in the turn under way
	began  time.Time    // the turn under way
	ended  *conclusion  // how the game ended other than by the board; nil: it did not
	broken error        // why no more lines can be read
}

// conclusion is how a game ended other than by the board.
type conclusion struct {
	winner arimaa.Side
	reason string
	record string // the word for it behind the last label of a record; may be empty
}

// Words for the end of a game in a record.
const (
	resigned = "resigns"
	lost     = "lost"
)

// sitting prepares a game.
func (f *playFlags) sitting(ctx context.Context, args []string, t cli.Terminal) (*sitting, error) {
	s := &sitting{playFlags: *f, t: t}
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
		clock := clock.New(c)
		s.clock = &clock
	}
	if len(args) == 0 && (f.inputs.Turn != "" || f.inputs.Game != "" || f.inputs.Unusual) {
		return nil, errors.New("--turn, --game and --unusual belong to an INPUT, and there is none")
	}
	settings, err := f.engine.Settings()
	if err != nil {
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
		s.game = s.game.At(s.game.Len()) // it goes on, however its record says that it ended
		if holds(args[0], s.game) {
			args = nil // the game may go on in its file, since nothing is lost by that
		}
	}
	if err := cli.Writable("save", f.save, args...); err != nil {
		return nil, err
	}
	s.player, err = search.NewEngine(settings)
	return s, err
}

// holds tells whether a file holds a game as it is saved, and nothing else.
func holds(name string, g *arimaa.Game) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > notation.MaxEntry {
		return false
	}
	text, err := os.ReadFile(name)
	end, ok := strings.CutPrefix(string(text), strings.TrimSpace(notation.Turns(g)))
	end = strings.TrimSpace(end)
	return err == nil && ok && (end == "" || end == resigned || end == lost)
}

// errLeft ends a game that is not played to its end.
var errLeft = errors.New("left")

// run plays the game. The error is that of the command.
func (s *sitting) run(ctx context.Context) error {
	lines := make(chan string)
	s.lines = lines
	go func() {
		defer close(lines)
		in := bufio.NewScanner(s.t.In)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
		if s.broken = in.Err(); errors.Is(s.broken, bufio.ErrTooLong) {
			s.broken = fmt.Errorf("a line is longer than %d bytes", bufio.MaxScanTokenSize)
		}
	}()
	err := s.setUp(ctx)
	for err == nil && s.ended == nil && !s.game.Outcome().Over() {
		s.steps, s.began = arimaa.Turn{}, time.Now()
		s.draw()
		if s.human[s.side()] {
			err = s.ask(ctx, s.game.Label(s.game.Len()), s.command)
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
	case errors.Is(err, errLeft):
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

// setUp lets both sides place their pieces, unless the game goes on from a position.
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
			if err := s.ask(ctx, label+" (set up, or auto)", func(_ context.Context, word, line string) (bool, error) {
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

// place adds the pieces of a line to those of a setup, and tells whether it is complete. It is empty where the engine is
// to set up.
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

// point returns the point of the turn under way, after the steps made in it.
func (s *sitting) point() arimaa.State {
	at := arimaa.NewState(s.game.Last())
	for i := range s.steps.Len() {
		if _, err := at.Play(s.steps.Step(i)); err != nil {
			panic(err) // it was legal when it was made
		}
	}
	return at
}

// draw draws the board with the steps of the turn under way, and the clock.
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

// ask reads lines until do has done what one of them asks for; an error of do is shown, unless it is
// one that ends the game.
func (s *sitting) ask(ctx context.Context, prompt string, do func(ctx context.Context, word, line string) (done bool, err error)) error {
	for {
		fmt.Fprintf(s.t.Out, "%s> ", prompt)
		var line string
		select {
		case <-ctx.Done():
			fmt.Fprintln(s.t.Out)
			return cli.Exit(cli.Unknown, errors.New("interrupted"))
		case text, ok := <-s.lines:
			if !ok {
				fmt.Fprintln(s.t.Out)
				if s.broken != nil {
					return cli.Exit(cli.BadInput, fmt.Errorf("standard input: %w", s.broken))
				}
				return errLeft
			}
			line = strings.TrimSpace(text)
		}
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case "":
			continue
		case "quit":
			return errLeft
		case "help":
			fmt.Fprintln(s.t.Out, playHelp)
			continue
		}
		done, err := do(ctx, word, line)
		var final *cli.ExitError
		switch {
		case errors.As(err, &final):
			return err
		case err != nil:
			fmt.Fprintln(s.t.Out, err)
		case done:
			return nil
		}
	}
}

// command does what a line asks for in a person's turn, and tells whether that ended the turn.
func (s *sitting) command(ctx context.Context, word, line string) (ended bool, err error) {
	switch word {
	case "board":
		s.draw()
	case "steps":
		s.list()
	case "back":
		n := s.steps.Len()
		if n == 0 {
			return false, errors.New("no step of this turn has been made; takeback takes back a whole turn")
		}
		kept := arimaa.Turn{}
		for i := range n - 1 {
			kept = kept.With(s.steps.Step(i))
		}
		s.steps = kept
		s.draw()
	case "hint":
		return false, s.hint(ctx)
	case "takeback":
		return s.takeBack()
	case "resign":
		s.ended = &conclusion{s.side().Other(), fmt.Sprintf("%v resigns", s.side()), resigned}
		return true, nil
	case "save":
		name := strings.TrimSpace(strings.TrimPrefix(line, word))
		if name == "" {
			return false, errors.New("type save and the name of a file")
		}
		if err := s.write(name); err != nil {
			return false, fmt.Errorf("the game is not saved: %v", err)
		}
		fmt.Fprintf(s.t.Out, "The game is in %s.\n", name)
	case "end":
		return s.play("")
	default:
		if steps, ok := strings.CutPrefix(line, "+"); ok {
			return false, s.add(steps)
		}
		return s.play(line)
	}
	return false, nil
}

// add makes steps without ending the turn.
func (s *sitting) add(text string) error {
	at := s.point()
	made, err := notation.PlaySteps(&at, text)
	if err != nil {
		return err
	}
	for i := range made.Len() {
		s.steps = s.steps.With(made.Step(i))
	}
	s.draw()
	return nil
}

// play ends the turn with the steps made so far and those of a line.
func (s *sitting) play(line string) (ended bool, err error) {
	before := s.game.Last()
	if err := notation.Play(s.game, strings.TrimSpace(s.steps.String()+" "+line)); err != nil {
		return false, err
	}
	s.played(before)
	return true, nil
}

// played shows the turn that was played from a position, and looks at the clock.
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
	if winner, limit, over := s.clock.Adjudicate(s.game.Last(), s.game.Number(n+1)); over {
		s.ended = &conclusion{winner: winner, reason: limit + "; the pieces decide"}
	}
}

// timeUp is how a game ends when the time of a side is up.
func timeUp(side arimaa.Side) *conclusion {
	return &conclusion{side.Other(), fmt.Sprintf("%v's time was up", side), lost}
}

// list lists what is possible at this point of the turn, a line for each piece.
func (s *sitting) list() {
	at := s.point()
	last := arimaa.Square(64)
	for _, step := range at.Steps(nil) {
		if step.From() != last && last != 64 {
			fmt.Fprintln(s.t.Out)
		}
		last = step.From()
		fmt.Fprintf(s.t.Out, "  %v", step)
	}
	switch {
	case last != 64:
	case at.Board == s.game.Last().Board:
		fmt.Fprint(s.t.Out, "No step is left, and the board is as it was before the turn: back takes a step back.")
	default:
		fmt.Fprint(s.t.Out, "No step is left; end ends the turn.")
	}
	fmt.Fprintln(s.t.Out)
}

// think lets the engine look for a turn.
func (s *sitting) think(ctx context.Context, limit time.Duration) (engine.Report, error) {
	r, err := s.player.Search(ctx, s.game, engine.Limits{Time: limit}, nil)
	switch {
	case err != nil:
		return r, cli.Exit(cli.Internal, err)
	case ctx.Err() != nil:
		return r, cli.Exit(cli.Unknown, errors.New("interrupted"))
	}
	return r, nil
}

// hint shows what the engine would play at the start of this turn.
func (s *sitting) hint(ctx context.Context) error {
	r, err := s.think(ctx, s.time)
	if err != nil {
		return err
	}
	judged := search.Worth(r)
	if r.Win == 0 && max(r.Score, -r.Score) < engine.Won {
		judged = fmt.Sprintf("%+d centi-rabbits, %d steps deep", r.Score, r.Depth)
	}
	fmt.Fprintf(s.t.Out, "%s   (%s)\n", s.game.Last().Notation(r.Turn), judged)
	return nil
}

// answer lets the engine play its turn.
func (s *sitting) answer(ctx context.Context) error {
	limit := s.time
	if s.clock != nil {
		if budget := s.clock.Budget(s.side()); budget > 0 {
			limit = budget
		}
	}
	r, err := s.think(ctx, limit)
	if err != nil {
		return err
	}
	before := s.game.Last()
	if err := s.game.Play(r.Turn); err != nil {
		return cli.Exit(cli.Internal, err)
	}
	s.played(before)
	if r.Win > 0 {
		fmt.Fprintf(s.t.Out, "Proved: %v wins in %s.\n", before.Side(), cli.Amount(r.Win, "turn"))
	}
	return nil
}

// takeBack takes back what has been played since the side to move had its last turn, and that turn.
func (s *sitting) takeBack() (ended bool, err error) {
	const both = 2
	if s.game.Len() < both {
		return false, errors.New("you have not played a turn yet that could be taken back")
	}
	if s.clock != nil { // the time runs on: it counts for the turn that is played in the end
		used := time.Since(s.began)
		if left, limited := s.clock.Left(s.side()); limited && used > left {
			s.ended = timeUp(s.side())
			return true, nil
		}
		s.clock.MoveUsed += used
	}
	for range both {
		if err := s.game.TakeBack(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// write writes the game to a file, which then is whole, or as it was before.
func (s *sitting) write(name string) error {
	text := notation.Turns(s.game)
	if s.ended != nil && s.ended.record != "" {
		text = strings.TrimRight(text, "\n") + " " + s.ended.record + "\n"
	}
	return cli.WriteText(name, text)
}
