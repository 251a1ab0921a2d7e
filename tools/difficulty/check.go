package main

import (
	"fmt"
	"io"
	"slices"

	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// inUse is the difficulty by the weights in use.
var inUse = figure{"difficulty", func(r *row) float64 {
	weights := describe.Weights()
	return clamp(predict(weights[:], r.features()))
}}

// checkFile writes how well the weights in use predict the rows of a file, by the length of the win,
// as tables in Markdown.
func checkFile(name string, w io.Writer) error {
	rows, err := readRows(name)
	if err != nil {
		return err
	}
	lengths(w, rows, inUse)
	for n := 2; n <= solve.MaxTurns; n++ {
		some := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.values["win_in"] != float64(n) })
		if len(some) > 1 {
			correlate(w, fmt.Sprint("wins in ", n), some, append([]figure{inUse}, figures()[:3]...), searches())
		}
	}
	return nil
}
