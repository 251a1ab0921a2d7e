package goal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"goalproof/arimaa"
	"goalproof/zobrist"
)

// Aim is what the attacker is asked to reach (Majerech 2012, section 7.1): the win, which is the
// zero value, a capture, or a rabbit on a rank. He reaches it within N turns if one of his first N
// turns does the following, whatever the defender plays.
//
//   - Any aim: he wins. He does so too if the defender's reply to one of his first N-1 turns loses.
//   - A capture: an enemy piece of the kind is removed on one of the traps, and he has not lost at
//     the end of the turn. A reply to one of his first N-1 turns that gives such a piece up does it
//     as well, unless the defender wins by it.
//   - A rabbit on a rank: a rabbit of his stands there at the end of the turn and, whatever the
//     reply, one still stands there afterwards, not always the same, or he has won. After a reply
//     that drives all rabbits off the rank he has the turns that remain.
//
// He fails if the defender can win first, by the end-of-turn table ([arimaa.Board.Ended]). Ranks
// are those of the board, 1 to 8, for both sides.
//
// Two orders of steps with the same result are one turn here as everywhere. If the aim names a trap
// they may capture on different ones: the attacker reaches the aim if one of them does, and the
// defender gives a piece up if all of them do.
type Aim struct {
	kinds uint8           // of a capture: bit 1<<k for kind k
	traps arimaa.Bitboard // of a capture
	rank  uint8           // of a rabbit, 1 to 8
}

// everyKind is the set of kinds of a capture of any piece.
const everyKind = 1<<(arimaa.Elephant+1) - 1<<arimaa.Rabbit

// kindLetters holds the letters of the kinds in their order.
const kindLetters = "rcdhme"

// noRank is the rank of an aim that is none.
const noRank = 255

// CaptureOf returns the aim of capturing a piece of a kind ([arimaa.None]: of any) on a trap, or on
// any ([arimaa.Traps]). [Aim.Check] refuses one on no trap.
func CaptureOf(kind arimaa.Kind, traps arimaa.Bitboard) Aim {
	a := Aim{kinds: everyKind, traps: traps}
	if kind != arimaa.None {
		a.kinds = 1 << kind
	}
	return a
}

// RabbitOn returns the aim of a rabbit on a rank, 1 to 8. [Aim.Check] refuses another rank.
func RabbitOn(rank int) Aim {
	if rank < 1 || rank > 8 {
		rank = noRank // not 0, which is the win
	}
	return Aim{rank: uint8(rank)}
}

// Check returns an error if the aim is a rabbit on a rank that the board does not have, or a
// capture of no kind or on no trap.
func (a Aim) Check() error {
	switch {
	case a.rank == noRank:
		return errors.New("the aim is a rabbit on no rank of the board: ranks are 1 to 8")
	case a.IsCapture() && a.kinds&^everyKind != 0:
		return errors.New("the aim is to capture a piece of no kind")
	case a.IsCapture() && (a.traps == 0 || a.traps&^arimaa.Traps != 0):
		return errors.New("the aim is a capture on no trap")
	}
	return nil
}

// ParseAim reads what [Aim.String] writes, with the letter of the kind in upper or lower case. The
// error says what an aim looks like.
func ParseAim(text string) (Aim, error) {
	bad := fmt.Errorf("%q is no goal: want win, capture, capture=e (a kind: e, m, h, d, c or r), capture@f6 (a trap), "+
		"capture=e@f6 or rabbit=7 (a rank)", text)
	if text == "win" {
		return Aim{}, nil
	}
	if rank, ok := strings.CutPrefix(text, "rabbit="); ok {
		if len(rank) != 1 || rank < "1" || rank > "8" {
			return Aim{}, bad
		}
		return RabbitOn(int(rank[0] - '0')), nil
	}
	rest, ok := strings.CutPrefix(text, "capture")
	if !ok {
		return Aim{}, bad
	}
	kind, traps := arimaa.None, arimaa.Traps
	rest, square, at := strings.Cut(rest, "@")
	if at {
		traps = 0
		for all := arimaa.Traps; all != 0; all = all.Rest() {
			if all.First().String() == square {
				traps = all.First().Set()
			}
		}
	}
	if letter, named := strings.CutPrefix(rest, "="); named && len(letter) == 1 {
		kind = arimaa.Kind(strings.Index(kindLetters, strings.ToLower(letter)) + 1)
	} else if rest != "" {
		return Aim{}, bad
	}
	if traps == 0 || rest != "" && kind == arimaa.None {
		return Aim{}, bad
	}
	return CaptureOf(kind, traps), nil
}

// kind returns the kind of a capture, None for any.
func (a Aim) kind() arimaa.Kind {
	for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
		if a.kinds == 1<<k {
			return k
		}
	}
	return arimaa.None
}

// Win reports whether the aim is the win.
func (a Aim) Win() bool { return a == Aim{} }

// IsCapture reports whether the aim is a capture.
func (a Aim) IsCapture() bool { return a.kinds != 0 }

// String returns the aim as the flag --goal names it: "win", "capture", "capture=e", "capture@f6",
// "capture=e@f6" or "rabbit=7".
func (a Aim) String() string {
	switch {
	case a.Win():
		return "win"
	case a.rank != 0:
		return "rabbit=" + strconv.Itoa(int(a.rank))
	}
	text := "capture"
	if k := a.kind(); k != arimaa.None {
		text += "=" + kindLetters[k-1:k]
	}
	if a.traps != arimaa.Traps {
		text += "@" + a.traps.First().String()
	}
	return text
}

// Infinitive returns what the attacker is to do, in words: "capture an elephant on f6 or win".
func (a Aim) Infinitive() string { return a.words("win", "capture", "bring") }

// Present returns what the attacker does, in words: "captures an elephant on f6 or wins".
func (a Aim) Present() string { return a.words("wins", "captures", "brings") }

func (a Aim) words(win, capture, bring string) string {
	switch {
	case a.Win():
		return win
	case a.rank != 0:
		return fmt.Sprintf("%s a rabbit to rank %d or %s", bring, a.rank, win)
	}
	piece := "a piece"
	if k := a.kind(); k == arimaa.Elephant {
		piece = "an elephant"
	} else if k != arimaa.None {
		piece = "a " + k.String()
	}
	if a.traps != arimaa.Traps {
		piece += " on " + a.traps.First().String()
	}
	return capture + " " + piece + " or " + win
}

// Key returns what a hash key of a position is combined with, so that facts about different aims
// never meet. It is zero for the win.
func (a Aim) Key() zobrist.Key {
	switch {
	case a.Win():
		return zobrist.Key{}
	case a.rank != 0:
		return zobrist.Aim(int(a.rank))
	}
	trap := 0 // any of the four
	if a.traps != arimaa.Traps {
		for t := arimaa.Traps; t != 0; t = t.Rest() {
			if trap++; t.First() == a.traps.First() {
				break
			}
		}
	}
	return zobrist.Aim(9 + 5*int(a.kind()) + trap)
}

// Wants reports whether the aim is to capture such a piece on such a trap.
func (a Aim) Wants(kind arimaa.Kind, trap arimaa.Square) bool {
	return a.kinds>>kind&1 != 0 && a.traps.Has(trap)
}

// Stands reports whether the aim is a rabbit on a rank, and one of the attacker stands there.
func (a Aim) Stands(b *arimaa.Board, attacker arimaa.Side) bool {
	return a.rank != 0 && b.Rabbits(attacker)&(arimaa.Rank1<<(8*(a.rank-1))) != 0
}

// Replies lists the results of the replies at p that do not give up what the aim is to capture; the
// board must be settled. The replies that are left out reach the aim, unless the defender wins by
// one.
func (a Aim) Replies(g *arimaa.Generator, p *arimaa.Position) int {
	if a.IsCapture() {
		return g.Sparing(p, a.kinds, a.traps)
	}
	return g.Generate(p)
}

// Takes reports whether a legal turn from p to after captures what the aim wants of the side that
// is not the attacker. Either side may have played it.
func (a Aim) Takes(p, after *arimaa.Position, t arimaa.Turn, attacker arimaa.Side) bool {
	if !a.IsCapture() || !a.fewer(&p.Board, &after.Board, attacker.Other()) {
		return false
	}
	if a.traps == arimaa.Traps {
		return true
	}
	st := arimaa.NewState(*p)
	for i := range t.Len() {
		before, step := st.Board, t.Step(i)
		before.Put(step.To(), step.Piece())
		captured, _ := st.Play(step)
		for rest := captured; rest != 0; rest = rest.Rest() {
			if taken := before.At(rest.First()); taken.Side() != attacker && a.Wants(taken.Kind(), rest.First()) {
				return true
			}
		}
	}
	return false
}

// fewer reports whether a side has lost pieces of the kinds that the aim wants.
func (a Aim) fewer(before, after *arimaa.Board, side arimaa.Side) bool {
	if before.Of(side).Len() == after.Of(side).Len() {
		return false
	}
	for k := arimaa.Rabbit; k <= arimaa.Elephant; k++ {
		if a.kinds>>k&1 != 0 && after.Pieces(side, k).Len() < before.Pieces(side, k).Len() {
			return true
		}
	}
	return false
}
