// Command difficulty fits the measure of difficulty of package describe, and says how well it
// predicts.
//
//	go run ./tools/difficulty -measure > rows.tsv           # an hour of one core
//	go run ./tools/difficulty -fit docs/difficulty.tsv
//	go run ./tools/difficulty -measure -beyond docs/difficulty.tsv > later.tsv
//	go run ./tools/difficulty -check docs/difficulty-later.tsv
//
// It measures the puzzles of the collection, the published wins in two, and the wins near the end
// of published games (measure.go): what searches with less and less knowledge need to find a
// solution, and what may predict that. The weights are fitted to half of the games, and judged on
// the others (fit.go). Puzzles that came into the collection after the fit say how well the weights
// in use predict (check.go).
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	data := flag.String("data", "../shared/data", "folder of the published positions and games")
	measured := flag.Bool("measure", false, "measure the positions, and write a row for each")
	beyond := flag.String("beyond", "", "measure the puzzles of the collection that these rows lack, and nothing else")
	rows := flag.String("fit", "", "fit the weights to these rows")
	later := flag.String("check", "", "say how well the weights in use predict these rows")
	flag.Parse()
	var err error
	switch {
	case *measured && *beyond != "":
		err = measureBeyond(*beyond, os.Stdout)
	case *measured:
		err = measureAll(*data, os.Stdout)
	case *later != "":
		err = checkFile(*later, os.Stdout)
	case *rows != "":
		err = fitFile(*rows, os.Stdout)
	default:
		err = errors.New("name -measure, -fit FILE or -check FILE")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "difficulty:", err)
		os.Exit(1)
	}
}
