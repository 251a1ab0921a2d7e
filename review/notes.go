package review

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"goalproof/answer"
	"goalproof/arimaa"
)

// Notes keep the results of reviews, negative ones included, from one run to the next.
type Notes interface {
	// Note replaces the note of a key. A note has at most 512 bytes.
	Note(key, note []byte) error
	// Noted returns the note of a key, or nil.
	Noted(key []byte) ([]byte, error)
}

// maxNote is the greatest length of a note, in bytes.
const maxNote = 512

// standingNote is the note about a position of a game: the answers, and the limit that they were
// found within. The codes of losing turns follow it, as many as there is room for.
type standingNote struct {
	Limit  answer.Limit // of all questions about the turn
	Win    factNote
	Threat factNote
	Loss   factNote
	Next   factNote // Win after the played turn, on which Loss and Saving depend
	Turn   uint32   // code of the turn that begins the win; 0: none
	Saving [savingShown]savingNote
}

type factNote struct {
	Verdict        answer.Verdict
	Turns, Refuted uint16
	Stop           answer.Stop
}

type savingNote struct {
	Turn  uint32 // code; 0: none
	Holds uint8
}

func (f *Fact) note() factNote {
	return factNote{f.Verdict, uint16(f.Within), uint16(f.Refuted), f.Stop}
}

func (n *factNote) fact() Fact {
	return Fact{Verdict: n.Verdict, Bounds: answer.Bounds{Within: int(n.Turns), Refuted: int(n.Refuted)}, Stop: n.Stop}
}

// key returns the key of a note about position i: a hash of the limit N, of the game up to there,
// and of the turn that was played. So what holds in this game alone is never taken for a fact about
// the position. Notes outlive the program: increase the number in the text when their meaning
// changes.
func (v *review) key(kind string, i int) []byte {
	text := fmt.Appendf(nil, "review 3, %s before turn %d, wins in %d\n", kind, i, v.WinIn)
	g := v.Record.Game
	for k := range min(i+2, len(v.Standings)) {
		p := g.Position(k)
		text = p.AppendPacked(text)
	}
	sum := sha256.Sum256(text)
	return sum[:]
}

// next returns Win after the turn that was played at position i.
func (v *review) next(i int) factNote {
	if i == v.Record.Game.Len() {
		return factNote{}
	}
	return v.Standings[i+1].Win.note()
}

// noted looks up a note about position i and reads its head. It returns the rest, and whether there
// is a note.
func (v *review) noted(kind string, i int, head any) (rest []byte, ok bool, err error) {
	if v.Options.Notes == nil {
		return nil, false, nil
	}
	note, err := v.Options.Notes.Noted(v.key(kind, i))
	if err != nil || note == nil {
		return nil, false, err
	}
	n, err := binary.Decode(note, binary.BigEndian, head)
	return note[n:], err == nil, nil
}

// note writes a note about position i, a head followed by the codes of turns, unless the review was
// interrupted.
func (v *review) note(ctx context.Context, kind string, i int, head any, turns []arimaa.Turn) error {
	if v.Options.Notes == nil || ctx.Err() != nil {
		return nil
	}
	note, err := binary.Append(nil, binary.BigEndian, head)
	for _, t := range turns {
		if len(note)+4 <= maxNote {
			note = binary.BigEndian.AppendUint32(note, t.Code())
		}
	}
	if err != nil {
		return err
	}
	return v.Options.Notes.Note(v.key(kind, i), note)
}

// covers reports whether what was searched within one limit need not be searched again within
// another.
func covers(noted, now answer.Limit) bool {
	return (noted.Nodes == 0 || now.Nodes > 0 && noted.Nodes >= now.Nodes) && (noted.Time == 0 || now.Time > 0 && noted.Time >= now.Time)
}

// recall returns the answers noted about position i. They are complete unless a question was left
// open and the limit is wider now, or the answers about the next position have changed.
func (v *review) recall(i int) (e examination) {
	var n standingNote
	rest, ok, err := v.noted("standing", i, &n)
	if !ok {
		return examination{err: err}
	}
	s := &e.standing
	s.Win, s.Threat, s.Loss = n.Win.fact(), n.Threat.fact(), n.Loss.fact()
	p := v.Record.Game.Position(i)
	legal := true
	decode := func(code uint32) arimaa.Turn {
		t, _, ok := p.Decode(code)
		legal = legal && ok
		return t
	}
	if n.Turn != 0 {
		s.Turn = decode(n.Turn)
	}
	for _, saving := range n.Saving {
		if saving.Turn != 0 {
			s.Saving = append(s.Saving, Saving{decode(saving.Turn), int(saving.Holds)})
		}
	}
	for ; len(rest) >= 4; rest = rest[4:] {
		s.loses = append(s.loses, decode(binary.BigEndian.Uint32(rest)))
	}
	if !legal {
		return examination{}
	}
	e.recalled, e.next, e.complete = true, n.Next, !s.open() || covers(n.Limit, v.Options.Limit)
	return e
}

// remember notes the answers about position i.
func (v *review) remember(ctx context.Context, i int, s *Standing) error {
	n := standingNote{Limit: v.Options.Limit, Win: s.Win.note(), Threat: s.Threat.note(), Loss: s.Loss.note(), Next: v.next(i)}
	if s.Win.Proved() {
		n.Turn = s.Turn.Code()
	}
	for k, saving := range s.Saving {
		n.Saving[k] = savingNote{saving.Turn.Code(), uint8(saving.Holds)}
	}
	return v.note(ctx, "standing", i, &n, s.loses)
}

// recallLine returns the noted line of the win at position i, if the limit that it was searched
// within covers this one.
func (v *review) recallLine(i int) (line []arimaa.Turn, ok bool, err error) {
	var limit answer.Limit
	rest, ok, err := v.noted("line", i, &limit)
	if !ok || !covers(limit, v.Options.Limit) {
		return nil, false, err
	}
	p := v.Record.Game.Position(i)
	for ; len(rest) >= 4; rest = rest[4:] {
		t, after, ok := p.Decode(binary.BigEndian.Uint32(rest))
		if !ok {
			return nil, false, nil
		}
		line, p = append(line, t), after
	}
	return line, true, nil
}
