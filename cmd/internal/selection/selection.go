// Package selection has the flags that select puzzles by their themes, length and difficulty.
package selection

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/search"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/describe"
)

// Flags select puzzles. The filter is that of the flags after Read.
type Flags struct {
	themes     []string
	difficulty string
	collection.Filter
}

// Register adds the flags.
func (f *Flags) Register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.themes, "theme", nil, "only puzzles whose solution has this `theme`; with several, all of them (see goalproof help search)")
	flags.IntVar(&f.Turns, "win-in", 0, "only wins in this number of turns")
	flags.StringVar(&f.difficulty, "difficulty", "", "only with a difficulty in this `range`, such as 4..5.5 or 6.., as shown, with one decimal; wins in one have none")
	help.Group(flags, help.Question, "theme", "win-in", "difficulty")
}

// Read checks the flags.
func (f *Flags) Read(flags *pflag.FlagSet) (err error) {
	if f.Themes, err = describe.ParseThemes(f.themes); err != nil {
		return fmt.Errorf("--theme: %w", err)
	}
	if flags.Changed("win-in") {
		if err := search.CheckTurns(flags, "win-in", 1); err != nil {
			return err
		}
	}
	if f.difficulty != "" {
		if f.Difficulty, err = readRange(f.difficulty); err != nil {
			return fmt.Errorf("--difficulty %s: %w", f.difficulty, err)
		}
	}
	return nil
}

// readRange reads A..B, A.., ..B, or A, which is A..A.
func readRange(text string) (*collection.Range, error) {
	r := collection.Range{Most: describe.MaxDifficulty}
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		to = from
	}
	for _, end := range []struct {
		text string
		to   *float64
	}{{from, &r.Least}, {to, &r.Most}} {
		if end.text == "" {
			continue
		}
		n, err := strconv.ParseFloat(end.text, 64)
		if err != nil || !(n >= 0 && n <= describe.MaxDifficulty) {
			return nil, fmt.Errorf("a difficulty is a number from 0 to %d", describe.MaxDifficulty)
		}
		*end.to = n
	}
	if from == "" && to == "" || r.Least > r.Most {
		return nil, errors.New("no difficulty is in this range; write A..B, A.. or ..B")
	}
	return &r, nil
}
