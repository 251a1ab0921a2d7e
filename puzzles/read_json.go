package puzzles

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// isJSON reports whether a text with this beginning holds JSON: objects, one a line, or a form of
// JSON that is refused.
func isJSON(head string) bool {
	for line := range strings.Lines(head) {
		if !isComment(line) {
			return strings.HasPrefix(strings.TrimSpace(line), "{") || isSpread(line)
		}
	}
	return false
}

// isSpread reports whether a line begins an array, or an object that goes on in the next line. No
// line of an annotated game does.
func isSpread(line string) bool {
	line = strings.TrimSpace(strings.TrimPrefix(line, byteOrderMark))
	array, ok := strings.CutPrefix(line, "[")
	return line == "{" || ok && (array == "" || strings.HasPrefix(strings.TrimSpace(array), "{"))
}

// parseJSON reads objects as the commands write them with --json, one a line. The field "position"
// holds the short form, and "history", if there is one, the game that led there as a list of turns.
// The fields "claim", "solution" and "name" are optional. An object without a position may hold a
// game, in the fields "game" and "turns" of a review.
func parseJSON(lines *notation.Lines) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		for {
			line, err := lines.Next()
			p := Puzzle{File: lines.File(), Line: lines.Number()}
			switch {
			case err == io.EOF:
				return
			case err != nil:
				p = unread(lines, err)
			case isComment(line):
				continue
			case !utf8.ValidString(line):
				p.fail(notUTF8)
			case isSpread(line):
				p.fail("this JSON is an array, or spread over several lines: write one object a line (jq -c '.[]' and jq -c . do)")
				yield(p)
				return
			default:
				p.object(line)
			}
			if !yield(p) || err != nil {
				return
			}
		}
	}
}

// object reads a line of JSON.
func (p *Puzzle) object(line string) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(strings.TrimPrefix(line, byteOrderMark)), &fields); err != nil {
		p.fail("this is no object in JSON: %v", err)
		return
	}
	optional := func(name string, value any) {
		if text, ok := fields[name]; ok && p.Err == nil && json.Unmarshal(text, value) != nil {
			p.fail("the field %q has the wrong type: %s", name, text)
		}
	}
	var position, history, solution *string
	var claim, stepsLeft *int
	var name, game *string
	optional("position", &position)
	optional("history", &history)
	optional("solution", &solution)
	optional("claim", &claim)
	optional("name", &name)
	optional("steps_left", &stepsLeft)
	if p.Err != nil {
		return
	}
	if name != nil {
		p.Name = oneLine(*name)
	}
	if claim != nil {
		if p.Claim = validClaim(*claim); p.Claim == 0 {
			p.fail("the field \"claim\" is %d: it is a number of turns", *claim)
			return
		}
	}
	if solution != nil {
		if p.setSolution(*solution); p.Err != nil {
			return
		}
	}
	switch turns, reviewed := fields["turns"]; {
	case position == nil && reviewed && json.Unmarshal(fields["game"], &game) == nil && game != nil:
		p.ID = *game
		p.reviewed(turns)
		return
	case position == nil:
		p.fail("there is no position: the field \"position\" is missing or null")
		return
	case stepsLeft != nil && *stepsLeft != arimaa.StepsPerTurn:
		p.fail("the field \"steps_left\" is %d: the position is inside a turn", *stepsLeft)
		return
	}
	var bad *notation.ParseError
	if p.Position, p.Err = notation.ParsePosition(*position); errors.As(p.Err, &bad) {
		p.fail("the field \"position\": %s", bad.Reason)
	}
	if history == nil || p.Err != nil {
		return
	}
	g, err := notation.ReadGame("", *history)
	switch {
	case errors.As(err, &bad):
		p.fail("the field \"history\": %s", bad.Reason)
	case g.Last() != p.Position:
		p.fail("the field \"history\" does not lead to the position")
	default:
		p.Game, p.Number = g, g.Number(g.Len())
	}
}

// reviewed reads the turns of a review: a game.
func (p *Puzzle) reviewed(text json.RawMessage) {
	var turns []struct {
		Turn     string  `json:"turn"`
		Position string  `json:"position"`
		Played   *string `json:"played"`
	}
	if err := json.Unmarshal(text, &turns); err != nil || len(turns) == 0 {
		p.fail("the field \"turns\" holds no turns of a game")
		return
	}
	for i, t := range turns {
		fail := func(err error) { p.fail("the field \"turns\", number %d: %v", i+1, err) }
		at, err := notation.ParsePosition(t.Position)
		if err != nil {
			fail(err)
			return
		}
		if p.Game == nil {
			number, _, err := notation.ParseLabel(t.Turn)
			if err != nil {
				fail(err)
				return
			}
			p.Game = arimaa.NewGame(at, number)
		}
		if p.Game.Last() != at {
			fail(fmt.Errorf("the turn before does not lead to the position"))
			return
		}
		if t.Played == nil {
			break
		}
		if err := notation.Play(p.Game, *t.Played); err != nil {
			fail(err)
			return
		}
	}
	p.Position, p.Number = p.Game.Last(), p.Game.Number(p.Game.Len())
}
