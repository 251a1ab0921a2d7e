// Package examples holds positions for the documentation and the tests, and puzzles to train on. The positions beside it are
// files for the commands, and so are the games in games.tsv, which go run ./tools/randomgames -games 10 has written.
package examples

import _ "embed"

// Mined are wins in two that were mined from games at random, as a table with the columns of puzzles.MinedColumns. Each has one
// essential solution.
//
//go:embed mined/win-in-2.tsv
var Mined string
