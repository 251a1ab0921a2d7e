package main

import (
	"fmt"
	"io"

	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// inUse is the difficulty by the weights in use.
var inUse = figure{"difficulty", func(r *row) float64 {
	weights := describe.Weights()
	return clamp(predict(weights[:], r.features()))
}}

// checkFile writes how well the weights in use, and other figures, predict the rows of a file, by
// the length of the win, as tables in Markdown.
func checkFile(name string, w io.Writer) error {
	rows, err := readRows(name)
	if err != nil {
		return err
	}
	lengths(w, rows, inUse)
	byLength(w, "difficulty, and", rows, inUse, searches())
	byLength(w, "engine, and", rows, searches()[0], figures())
	return nil
}

// byLength writes the rank correlations of a figure with others, in a column for each length of the
// win.
func byLength(w io.Writer, title string, rows []row, of figure, with []figure) {
	var columns []string
	var lengths [][]row
	for n := 2; n <= solve.MaxTurns; n++ {
		if some := ofLength(rows, n); len(some) > 1 {
			columns, lengths = append(columns, fmt.Sprint("in ", n)), append(lengths, some)
		}
	}
	table(w, title, columns, with, func(f figure, column int) string { return correlation(lengths[column], of, f) })
}
