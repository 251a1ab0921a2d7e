package collection

import (
	"fmt"
	"strconv"
	"strings"
)

// Prefix begins the names of puzzles.
const Prefix = "puzzle:"

// Named returns the puzzles that an argument of a command names: puzzle:12, puzzle:1-20 or
// puzzle:all. It is empty if the argument does not begin with [Prefix]. The error says that there are no
// such puzzles.
func Named(arg string) (all []*Puzzle, err error) {
	what, ok := strings.CutPrefix(arg, Prefix)
	if !ok {
		return nil, nil
	}
	listed := All()
	last := listed[len(listed)-1].Number
	least, most := 1, last
	if what != "all" {
		from, to, several := strings.Cut(what, "-")
		if !several {
			to = from
		}
		if least, err = strconv.Atoi(from); err == nil {
			most, err = strconv.Atoi(to)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: name a puzzle by its number, as %s12, several as %s1-20, or %sall", arg, Prefix, Prefix, Prefix)
		}
		if least > most {
			return nil, fmt.Errorf("%s: %d comes after %d: write %d-%d", arg, least, most, most, least)
		}
	}
	for i := range listed {
		if p := &listed[i]; least <= p.Number && p.Number <= most {
			all = append(all, p)
		}
	}
	if len(all) == 0 || least < 1 || most > last {
		return nil, fmt.Errorf("%s: the puzzles have the numbers 1 to %d (see goalproof puzzles list)", arg, last)
	}
	return all, nil
}
