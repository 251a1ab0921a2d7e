package review

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"goalproof/arimaa"
)

// Version is that of what reviews say. It is raised whenever the review of some game, with the same
// options, may say something else than before: who keeps reviews then makes them anew.
const Version = 1

// encoded is a review as [Review.Encode] writes it. The names of its fields and the numbers of
// verdicts, stops, marks and grades must not change: reviews are kept.
type encoded struct {
	WinIn     int
	Nodes     uint64
	Decision  *Decision         `json:",omitempty"`
	Positions []encodedPosition // before each turn, and at the end
}

// encodedPosition is what a review says about a position, and about the turn that was played.
// Turns are codes (arimaa.Turn.Code), 0 for none.
type encodedPosition struct {
	Win, Threat, Loss Fact
	Turn              uint32             `json:",omitempty"`
	Saving            []encodedSaving    `json:",omitempty"`
	Mark              Mark               `json:",omitempty"`
	Gives             int                `json:",omitempty"`
	Stops             *encodedStops      `json:",omitempty"`
	Line              []uint32           `json:",omitempty"`
	Fall              float64            `json:",omitempty"`
	Grade             Grade              `json:",omitempty"`
	Evaluation        *encodedEvaluation `json:",omitempty"`
}

type encodedSaving struct {
	Turn  uint32
	Holds int
}

type encodedStops struct {
	Hold, Turns, Undecided int
	Aside                  bool
	Simplest               uint32 `json:",omitempty"`
}

type encodedEvaluation struct {
	Score  int
	Chance float64
	Best   []encodedCandidate `json:",omitempty"`
}

type encodedCandidate struct {
	Line   []uint32
	Chance float64
}

// Encode returns all that a complete review says, but for the game and the time it took.
// [Decode] reads it.
func (r *Review) Encode() ([]byte, error) {
	if r.Interrupted {
		return nil, errors.New("the review is not complete")
	}
	e := encoded{WinIn: r.WinIn, Nodes: r.Nodes, Decision: r.Decision}
	for i := range r.Standings {
		e.Positions = append(e.Positions, r.encodePosition(i))
	}
	text, err := json.Marshal(&e)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

func (r *Review) encodePosition(i int) encodedPosition {
	s := &r.Standings[i]
	e := encodedPosition{Win: s.Win, Threat: s.Threat, Loss: s.Loss, Turn: code(s.Turn)}
	for _, t := range s.Saving {
		e.Saving = append(e.Saving, encodedSaving{code(t.Turn), t.Holds})
	}
	if i < len(r.Judgements) {
		j := &r.Judgements[i]
		e.Mark, e.Gives, e.Line, e.Fall, e.Grade = j.Mark, j.Gives, codes(j.Line), j.Fall, j.Grade
		if j.Stops != (Stops{}) {
			e.Stops = &encodedStops{j.Stops.Hold, j.Stops.Turns, j.Stops.Undecided, j.Stops.Aside, code(j.Stops.Simplest)}
		}
	}
	if r.Evaluations != nil {
		v := &r.Evaluations[i]
		e.Evaluation = &encodedEvaluation{Score: v.Score, Chance: v.Chance}
		for _, c := range v.Best {
			e.Evaluation.Best = append(e.Evaluation.Best, encodedCandidate{codes(c.Line), c.Chance})
		}
	}
	return e
}

// code returns the code of a turn, 0 for none.
func code(t arimaa.Turn) uint32 {
	if t.Len() == 0 {
		return 0
	}
	return t.Code()
}

// codes returns the codes of turns.
func codes(line []arimaa.Turn) (all []uint32) {
	for _, t := range line {
		all = append(all, t.Code())
	}
	return all
}

// maxEncoded is more than a review has, in bytes, when it is unpacked.
const maxEncoded = 64 << 20

// Decode returns the review of a game that [Review.Encode] has written. The error says that the
// data is not that, or that of another game.
func Decode(record Record, data []byte) (*Review, error) {
	packed := bytes.NewReader(data)
	z, err := zlib.NewReader(packed) // it has a checksum, too
	if err != nil {
		return nil, fmt.Errorf("a review: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(z, maxEncoded+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("a review: %w", err)
	case len(text) > maxEncoded:
		return nil, fmt.Errorf("a review: it has more than %d MiB", maxEncoded>>20)
	case packed.Len() > 0:
		return nil, fmt.Errorf("a review: %d bytes too many", packed.Len())
	}
	var e encoded
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fmt.Errorf("a review: %w", err)
	}
	if len(e.Positions) != record.Game.Len()+1 {
		return nil, fmt.Errorf("a review of %d positions, and the game has %d", len(e.Positions), record.Game.Len()+1)
	}
	r := &Review{Record: record, WinIn: e.WinIn, Decision: e.Decision, Nodes: e.Nodes, Examined: len(e.Positions)}
	for i := range e.Positions {
		if err := r.decodePosition(&e.Positions[i], i); err != nil {
			return nil, fmt.Errorf("a review, at turn %s: %w", record.Game.Label(i), err)
		}
	}
	return r, nil
}

// decodePosition adds what is said about position i.
func (r *Review) decodePosition(e *encodedPosition, i int) (err error) {
	p := r.Record.Game.Position(i)
	line := func(codes []uint32) (turns []arimaa.Turn) {
		at := p
		for _, code := range codes {
			t, after, ok := at.Decode(code)
			if !ok {
				err = fmt.Errorf("code %d is no turn", code)
				return turns
			}
			turns, at = append(turns, t), after
		}
		return turns
	}
	turn := func(code uint32) (t arimaa.Turn) {
		if code != 0 {
			if all := line([]uint32{code}); len(all) > 0 {
				t = all[0]
			}
		}
		return t
	}
	s := Standing{Win: e.Win, Threat: e.Threat, Loss: e.Loss, Turn: turn(e.Turn)}
	for _, saving := range e.Saving {
		s.Saving = append(s.Saving, Saving{turn(saving.Turn), saving.Holds})
	}
	r.Standings = append(r.Standings, s)
	if i < r.Record.Game.Len() {
		j := Judgement{Mark: e.Mark, Gives: e.Gives, Line: line(e.Line), Fall: e.Fall, Grade: e.Grade}
		if c := e.Stops; c != nil {
			j.Stops = Stops{Hold: c.Hold, Turns: c.Turns, Undecided: c.Undecided, Aside: c.Aside, Simplest: turn(c.Simplest)}
		}
		r.Judgements = append(r.Judgements, j)
	}
	if e.Evaluation != nil {
		v := Evaluation{Score: e.Evaluation.Score, Chance: e.Evaluation.Chance}
		for _, c := range e.Evaluation.Best {
			v.Best = append(v.Best, Candidate{line(c.Line), c.Chance})
		}
		r.Evaluations = append(r.Evaluations, v)
	}
	return err
}
