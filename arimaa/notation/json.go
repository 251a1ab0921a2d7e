package notation

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strings"
	"unicode/utf8"

	"goalproof/arimaa"
)

// object matches the beginning of an object in JSON, and not that of a comment in braces.
var object = regexp.MustCompile(`^\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}|[\[{])`)

// isJSON reports whether a text with this beginning holds JSON: objects, one a line, or a form of
// JSON that is refused.
func isJSON(head string) bool {
	for line := range strings.Lines(head) {
		if head = head[len(line):]; isComment(line) {
			continue
		}
		if strings.TrimSpace(line) == "{" {
			return strings.HasPrefix(strings.TrimSpace(head), `"`)
		}
		return object.MatchString(line) || isSpread(line)
	}
	return false
}

// isSpread reports whether a line begins an array, or an object that goes on in the next line.
func isSpread(line string) bool {
	line = strings.TrimSpace(line)
	array, ok := strings.CutPrefix(line, "[")
	return line == "{" || ok && (array == "" || strings.HasPrefix(strings.TrimSpace(array), "{"))
}

// objects reads objects in JSON, one a line, as the commands write them with --json. The field
// "position" holds the short form, and "history", if there is one, the game that led there as a
// list of turns. The fields "claim", "solution" and "name" are optional. An object without a
// position may hold a review: a game.
func (l *Lines) objects(yield func(Entry, error) bool) {
	for {
		line, err := l.Next()
		e := Entry{}
		switch {
		case err == io.EOF:
			return
		case err != nil:
			yield(e, err)
			return
		case isComment(line):
			continue
		case !utf8.ValidString(line):
			err = errNotUTF8
		case isSpread(line):
			yield(e, l.fail(l.number, "this JSON is an array, or spread over several lines: write one object a line (jq -c '.[]' and jq -c . do)"))
			return
		default:
			err = e.object(line)
		}
		if !l.yieldRow(e, err, yield) {
			return
		}
	}
}

// errNotUTF8 is the error of an entry in another encoding.
var errNotUTF8 = errors.New("the text is not in UTF-8: save it in that encoding")

// yieldRow yields an entry that takes one line, the last one that was read, and reports whether to
// go on.
func (l *Lines) yieldRow(e Entry, err error, yield func(Entry, error) bool) bool {
	e.Line = l.number
	if e.Position != nil {
		e.Position.Line = l.number
	}
	if err != nil {
		err = l.fail(l.number, "%s", reason(err))
	}
	return yield(e, err)
}

// object reads a line of JSON. The error does not say where.
func (e *Entry) object(line string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		return fmt.Errorf("this is no object in JSON: %w", err)
	}
	var position, history, solution, name, game, side *string
	var claim, stepsLeft *int
	for _, f := range []struct {
		name  string
		value any
	}{{"name", &name}, {"claim", &claim}, {"solution", &solution}, {"position", &position}, {"history", &history}, {"side", &side}, {"steps_left", &stepsLeft}} {
		if text, ok := fields[f.name]; ok && json.Unmarshal(text, f.value) != nil {
			return fmt.Errorf("the field %q has the wrong type: %s", f.name, text)
		}
	}
	if name != nil {
		e.Name = *name
	}
	if claim != nil && *claim < 1 {
		return fmt.Errorf("the field \"claim\" is %d: it is a number of turns", *claim)
	}
	if e.Claim = *cmp.Or(claim, new(int)); solution != nil {
		if err := e.setSolution(*solution); err != nil {
			return err
		}
	}
	switch turns, reviewed := fields["turns"]; {
	case position == nil && reviewed && json.Unmarshal(fields["game"], &game) == nil && game != nil:
		e.Name = *game
		return e.review(line, turns)
	case position == nil:
		return errors.New("there is no position: the field \"position\" is missing or null")
	case stepsLeft != nil && *stepsLeft != arimaa.StepsPerTurn:
		return fmt.Errorf("the field \"steps_left\" is %d: the position is inside a turn", *stepsLeft)
	}
	return e.reached(*position, side, history)
}

// reached reads a position, with the side that is said to move there and the game that led there, if
// they are given.
func (e *Entry) reached(position string, side, history *string) error {
	m, err := moverOf(*cmp.Or(side, new(string)))
	if err != nil {
		return err
	}
	p, err := parsePosition(position, m)
	if err != nil {
		return fmt.Errorf("the field \"position\": %s", reason(err))
	}
	if history == nil {
		e.Position = &Diagram{Position: p, Number: arimaa.FirstTurn}
		return nil
	}
	g, err := ReadGame("", *history)
	switch {
	case err != nil:
		return fmt.Errorf("the field \"history\": %s", reason(err))
	case g.Last() != p:
		return errors.New("the field \"history\" does not lead to the position")
	}
	e.Game = g
	return nil
}

// reason returns an error without its place. What another one says about it stays.
func reason(err error) string {
	if bad, ok := err.(*ParseError); ok {
		return bad.Reason
	}
	return err.Error()
}

// review reads a review: its turns, which make a game, and who played it.
func (e *Entry) review(line string, turns json.RawMessage) error {
	var about struct {
		Gold         string `json:"gold"`
		Silver       string `json:"silver"`
		GoldRating   string `json:"gold_rating"`
		SilverRating string `json:"silver_rating"`
		TimeControl  string `json:"time_control"`
		Winner       string `json:"winner"`
		Ended        string `json:"ended"`
	}
	if err := json.Unmarshal([]byte(line), &about); err != nil {
		return fmt.Errorf("this is no review: %w", err)
	}
	result := resultTag(resultLetter(about.Winner))
	if about.Winner == "" && about.Ended != "" {
		result = "1/2-1/2" // nobody won
	}
	e.Tags = map[string]string{"Gold": about.Gold, "Silver": about.Silver, "GoldRating": about.GoldRating, "SilverRating": about.SilverRating,
		"TimeControl": about.TimeControl, "Result": result, "Termination": about.Ended}
	maps.DeleteFunc(e.Tags, isEmpty)
	var played []struct {
		Turn     string  `json:"turn"`
		Position string  `json:"position"`
		Played   *string `json:"played"`
	}
	if err := json.Unmarshal(turns, &played); err != nil || len(played) == 0 {
		return errors.New("the field \"turns\" holds no turns of a game")
	}
	var g *arimaa.Game
	for i, t := range played {
		fail := func(err error) error { return fmt.Errorf("the field \"turns\", number %d: %w", i+1, err) }
		at, err := ParsePosition(t.Position)
		if err != nil {
			return fail(err)
		}
		if g == nil {
			number, _, err := ParseLabel(t.Turn)
			if err != nil {
				return fail(err)
			}
			g = arimaa.NewGame(at, number)
		}
		if g.Last() != at {
			return fail(errors.New("the turn before does not lead to the position"))
		}
		if t.Played == nil {
			break
		}
		if err := Play(g, *t.Played); err != nil {
			return fail(err)
		}
	}
	e.Game = g
	return nil
}
