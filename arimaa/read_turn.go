package arimaa

// PlayText plays a turn given as records write it, without its label: "hc4s hc3x Md4w".
// Captures may be left out; one that is written must have happened. The error is a
// [*ParseError] without a line; the game is then unchanged. It wraps [ErrNotChanged] or
// [ErrThirdRepetition] where that rule was broken.
func (g *Game) PlayText(text string) error {
	l := line{text: text}
	r := &gameReader{source: &source{text: text}, game: g}
	words := l.words()
	if len(words) == 0 {
		return r.at(0, "there is no step in it")
	}
	return r.turn(word{text: g.Label(g.Len())}, words)
}

// ReadSetup reads how a side sets up, without a label: "Ra1 Rb1 Cc1". The pieces are
// those of a full army or fewer, as in a handicap game, on the two ranks nearest to the
// side. The error is a [*ParseError] without a line.
func ReadSetup(side Side, text string) ([]Placement, error) {
	l := line{text: text}
	r := &gameReader{source: &source{text: text}}
	words := l.words()
	if len(words) == 0 {
		return nil, r.at(0, "there is no piece in it")
	}
	if err := r.place(1, side, word{text: TurnLabel(1, side)}, words); err != nil {
		return nil, err
	}
	count := FullArmy
	for i, p := range r.setup[side] {
		kind := p.Piece.Kind()
		if count[kind]--; count[kind] < 0 {
			return nil, r.at(words[i].offset, "%v: %v has %d of this piece", p, side, FullArmy[kind])
		}
		if !HomeRanks(side).Has(p.Square) {
			return nil, r.at(words[i].offset, "%v: this is not a square where %v sets up", p, side)
		}
	}
	return r.setup[side], nil
}

// HomeRanks is the two ranks on which a side sets up.
func HomeRanks(side Side) Bitboard {
	home := GoalRank(side.Other())
	return home | home.Shift(North) | home.Shift(South)
}
