package arimaa

// Options appends to dst every single step, push and pull of the side to move that fits in the
// steps left, in a fixed order: steps, then pushes, then pulls, each by square. It may be called
// only between options, not inside a push.
func (p *Position) Options(dst []Option) []Option {
	if p.left == 0 {
		return dst
	}
	m := p.Mobility(p.side)
	for s := m.Steps(Everywhere, Everywhere); s.Next(); {
		dst = append(dst, s.Option(&p.Board))
	}
	if p.left < 2 {
		return dst
	}
	gone := p.Undefended() // captured by the first displacement
	var room [32]Option    // for the pulls of eight pieces that are more than rabbits
	pulls := room[:0]
	for d := m.Doubles(Everywhere, Everywhere); d.Next(&p.Board); {
		switch {
		case d.Pull && !gone.Has(d.At):
			pulls = append(pulls, d.Option(&p.Board))
		case !d.Pull && !gone.Has(d.From):
			dst = append(dst, d.Option(&p.Board))
		}
	}
	return append(dst, pulls...)
}
