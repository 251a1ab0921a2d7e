package notation

import "goalproof/arimaa"

// commands reads a game from the commands of the Arimaa Engine Interface that follow newgame: each
// makemove is a setup or a turn. Other messages change nothing, except that another game may begin:
// that is an error, unless nothing is played in it.
func (s *source) commands() (*arimaa.Game, error) {
	r := &gameReader{source: s}
	var another *line
	setups := 0
	for _, l := range s.lines() {
		words := l.words()
		switch {
		case words[0].text == "newgame" || words[0].text == "setposition":
			if another == nil || words[0].text == "setposition" {
				another = &l
			}
		case words[0].text != "makemove":
		case another != nil:
			return r.game, s.errorAt(another.offset, "another game begins here: keep one of them")
		case len(words) == 1:
			return r.game, s.errorAt(l.offset, "makemove without a turn")
		default:
			number, side := 1, arimaa.Side(setups%2)
			if r.game != nil {
				number, side = r.game.Number(r.game.Len()), r.side()
			} else if setups == 2 {
				number, side = arimaa.FirstTurn, arimaa.Gold
			}
			setups++
			words[0].text = arimaa.TurnLabel(number, side)
			if r.game != nil && r.game.End() != "" {
				return r.game, s.errorAt(words[0].offset, "a turn after the game has ended (%s)", r.game.End())
			}
			game := r.game
			if err := r.line(number, side, words, false); err != nil {
				r.game = game
				return r.game, err
			}
		}
	}
	if another != nil && another.words()[0].text == "setposition" {
		return r.game, s.errorAt(another.offset, "another position begins here: keep it, or the game above")
	}
	r.begin(arimaa.FirstTurn, arimaa.Gold)
	return r.game, nil
}

// side returns who is to move in the game.
func (r *gameReader) side() arimaa.Side {
	p := r.game.Last()
	return p.Side()
}
