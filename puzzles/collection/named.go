package collection

import (
	"fmt"
	"strconv"
	"strings"
)

// prefix begins the names of puzzles.
const prefix = "puzzle:"

// Named returns the puzzles that an argument of a command names: puzzle:12, puzzle:1-20 or
// puzzle:all. Ok is false if it names no puzzles but, say, a file. The error says that there are no
// such puzzles.
func Named(arg string) (all []*Puzzle, ok bool, err error) {
	what, ok := strings.CutPrefix(arg, prefix)
	if !ok {
		return nil, false, nil
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
			return nil, true, fmt.Errorf("%s: name a puzzle by its number, as %s12, several as %s1-20, or %sall", arg, prefix, prefix, prefix)
		}
	}
	for i := range listed {
		if p := &listed[i]; least <= p.Number && p.Number <= most {
			all = append(all, p)
		}
	}
	if len(all) == 0 || least < 1 || most > last {
		return nil, true, fmt.Errorf("%s: the puzzles have the numbers 1 to %d (see goalproof puzzles list)", arg, last)
	}
	return all, true, nil
}
