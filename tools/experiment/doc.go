// Package experiment compares searches: it runs a search of each position for each cell of a grid
// of parameters. It knows neither the searches nor their parameters, which belong to the caller; it
// plans the runs, records them, summarises them and plots the summary.
//
// # Runs
//
// A [Plan] numbers its runs position by position, so that all cells of a position run close
// together. Other load on the machine then affects all cells alike, and an interrupted experiment
// has compared all cells on some of the positions.
//
// [Records] are the runs on disk. A row is appended when its run has ended, in any order; it
// contains the number of the run. To continue an experiment is to do the runs without a row. An
// incomplete last line was torn by a crash; it is cut off and its run repeated. Nothing may follow
// a torn line, so no row is written after one that failed, and a lock keeps other processes out of
// the directory. The plan stands beside the rows. Another plan is refused, and so are rows that do
// not belong to it.
//
// # Summary
//
// Cells that solve fewer positions have solved the easier ones, so means over the positions that
// each cell solves are not comparable. A [Summary] takes time and nodes over the commonly solved
// positions only, those that every cell solves (Majerech 2012, section 6.1). Solved means proved or
// disproved. Parameters never change a verdict, so cells that contradict each other are reported:
// that would be a bug of a search.
//
// A [Figure] plots one measure of all cells against the values of one parameter, at equal
// distances, as some values are names, or numbers such as 0 for "never".
package experiment
