package referee

// options is the number of things that the side may do first in its turn, as counted in the
// published reference counts: single steps; pushes, each a pusher, a pushed piece and the square
// that this one is pushed to; and pulls, each a puller, the square that it steps to and a pulled
// piece. It is meant for the start of a turn. In the middle of one it counts what may begin now:
// the second halves of a push or a pull are not counted, and with one step left there are only
// single steps.
func options(st State) (steps, pushes, pulls int) {
	st.eachMove(func(m move) bool {
		next, _ := st.after(m.Step, m.as)
		switch m.as {
		case singleStep:
			steps++
			next.eachMove(func(second move) bool {
				if second.as == pullEnds {
					pulls++
				}
				return true
			})
		case pushBegins:
			next.eachMove(func(move) bool {
				pushes++
				return true
			})
		}
		return true
	})
	return steps, pushes, pulls
}
