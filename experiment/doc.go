// Package experiment compares searches: a set of positions, a grid of parameters, and one search
// of each position for each cell of the grid. It knows neither the searches nor their parameters, which the
// caller has; it plans the runs, keeps their records, sums them up and draws the sums.
//
// # Runs
//
// A [Plan] numbers its runs position by position, so that all cells of a position are run close
// together. What else the machine does then weighs on all cells alike, and an experiment that
// is broken off has compared all cells on a part of the positions, not a part of the cells.
//
// [Records] are the runs on disk. A row is appended as soon as its run has ended, in whatever
// order that happens, and the number in it says which run it is. To go on is to do the runs that
// have no row. A last line without its end was torn by a crash and is cut off; that run is done again.
// So nothing may follow a torn line: after a row that could not be written none is, and a lock keeps other
// processes out of the directory. The plan stands beside the rows, and another plan is refused, as are
// rows that it cannot have.
//
// # Sums
//
// The runs of a cell that solve fewer positions have solved the easier ones, so means over what each
// cell has solved cannot be compared. A [Summary] therefore takes time and nodes over the commonly
// solved alone: the positions that every cell solves (Majerech 2012, section 6.1). Solved means decided,
// proved or refuted. Parameters never change a verdict, so cells that contradict each other
// are reported; that would be a bug of a search.
//
// A [Figure] is one measure of all cells against the values of one parameter. These stand at equal
// distances, because names are among them, and numbers such as 0 for "never".
package experiment
