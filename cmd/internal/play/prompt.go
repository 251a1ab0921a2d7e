package play

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/engine/player"
)

// PromptTopic is a help topic about what to type in a game.
func PromptTopic() *cobra.Command {
	return &cobra.Command{Use: "prompt", Short: "What to type in a game", Long: promptHelp}
}

// promptHelp is also shown by the command help at the prompt.
const promptHelp = `At the prompt, type a turn in the notation of game records:

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

// command executes a line in a person's turn and reports whether it ended the turn.
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

// add plays steps without ending the turn.
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

// play ends the turn after the steps made so far and those of a line.
func (s *sitting) play(line string) (ended bool, err error) {
	before := s.game.Last()
	if err := notation.Play(s.game, strings.TrimSpace(s.steps.String()+" "+line)); err != nil {
		return false, err
	}
	s.played(before)
	return true, nil
}

// list lists the possible steps at this point of the turn, a line for each piece.
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

// hint shows the engine's choice from the start of this turn.
func (s *sitting) hint(ctx context.Context) error {
	r, err := s.think(ctx, engine.Limits{Time: s.time})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.t.Out, "%s   (%s)\n", s.game.Last().Notation(r.Turn), player.Worth(r, s.side()))
	return nil
}

// takeBack takes back the last turn of the side to move and the reply to it.
func (s *sitting) takeBack() (ended bool, err error) {
	const both = 2
	if s.game.Len() < both {
		return false, errors.New("you have not played a turn yet that could be taken back")
	}
	if s.clock != nil { // the time used counts for the turn that replaces it
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
