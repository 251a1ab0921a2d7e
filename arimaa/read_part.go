package arimaa

// ReadPart reads a list of turns as far as it is sound. The error is that of [ReadGame]: what is wrong with
// the rest. The game is nil if nothing can be read.
func ReadPart(file, text string) (*Game, error) {
	src := &source{file, 1, text}
	return src.part()
}

// Part reads the turns of the record as far as they are sound. The error is that of [Record.Game]; the
// game is nil if nothing can be read.
func (r *Record) Part() (*Game, error) {
	_, err := r.Game()
	src := r.moves
	g, _ := src.part()
	return g, err
}

// part reads the game before the first line that is broken.
func (s *source) part() (*Game, error) {
	lines := s.lines()
	g, err := s.game(lines)
	broken, ok := err.(*ParseError)
	if !ok {
		return g, err
	}
	sound := 0
	for sound < len(lines) && lines[sound].number < broken.Line {
		sound++
	}
	g, _ = s.game(lines[:sound])
	return g, err
}
