package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/batch"
	"goalproof/puzzles"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// ideas are the puzzles that were picked by hand: in each line a position in short form, a tab, and a
// sentence about its idea.
//
//go:embed ideas.tsv
var ideas string

// pickedIdeas returns the sentences by their positions.
func pickedIdeas() (map[string]string, error) {
	all := map[string]string{}
	for line := range strings.Lines(ideas) {
		position, idea, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			return nil, fmt.Errorf("ideas.tsv: %s: there is no sentence", position)
		}
		all[position] = idea
	}
	return all, nil
}

// puzzle returns a candidate as a puzzle without a number.
func (c *candidate) puzzle() (p collection.Puzzle, err error) {
	if p.Position, err = notation.ParsePosition(c.Position); err != nil {
		return p, err
	}
	if p.Solution, err = puzzles.ReadTurn(p.Position, c.Solution); err != nil {
		return p, err
	}
	if p.Themes, err = describe.ParseThemes(strings.Split(c.Themes, ", ")); err != nil {
		return p, err
	}
	p.Turns, p.First, p.Mined.Solutions, p.Tries, p.Replies, p.Origin = c.Turns, c.First, c.Winning, c.Tries, c.Replies, c.Origin
	p.Pieces, p.Quiet = p.Position.Occupied().Len(), p.Themes&describe.Quiet != 0
	return p, nil
}

// ordinary are the themes that say nothing about the solution of a win in one or two.
const ordinary = describe.Threat | describe.Goal

// fewest is how many pieces a puzzle has at least.
const fewest = 5

// trivial reports whether a puzzle is too easy to ask:
//
//   - one with fewer than five pieces,
//   - a win in one with fewer than three steps, or by steps of rabbits alone that push, pull, capture,
//     free and give up nothing,
//   - a win in two whose solution has nothing but a threat of a goal, by at most two steps or by the
//     walk of one rabbit,
//   - a win in two which no other turn tries to win by a threat,
//   - a win in two whose solution has a step to spare, which many winning turns use, and gives up,
//     captures and hides nothing.
func trivial(p *collection.Puzzle) bool {
	plain := p.Themes&^ordinary == 0
	switch {
	case p.Pieces < fewest:
		return true
	case p.Turns == 1:
		return p.Solution.Len() < 3 || plain && rabbitsAlone(p)
	case p.Turns == 2:
		loose := p.Mined.Solutions >= manyWinning && p.Solution.Len() < 4 && p.Themes&(describe.Sacrifice|describe.Capture|describe.Quiet) == 0
		return plain && (p.Solution.Len() <= 2 || walk(p.Solution) && rabbitsAlone(p)) || p.Tries == 0 || loose
	}
	return false
}

// manyWinning is how many winning turns are many.
const manyWinning = 8

// walk reports whether a turn is the walk of one piece.
func walk(t arimaa.Turn) bool {
	for i := 1; i < t.Len(); i++ {
		if t.Step(i).From() != t.Step(i-1).To() {
			return false
		}
	}
	return true
}

// rabbitsAlone reports whether rabbits alone make the solution.
func rabbitsAlone(p *collection.Puzzle) bool {
	for i := range p.Solution.Len() {
		if p.Solution.Step(i).Piece().Kind() != arimaa.Rabbit {
			return false
		}
	}
	return true
}

// sieves count the puzzles that pass each sieve, by the number of turns.
type sieves struct {
	names []string
	left  [][longestWin + 1]int
}

// note counts the puzzles that passed a sieve.
func (s *sieves) note(name string, pool []collection.Puzzle) {
	var n [longestWin + 1]int
	for i := range pool {
		n[pool[i].Turns]++
	}
	s.names, s.left = append(s.names, name), append(s.left, n)
}

// sift leaves out what is trivial, and of the puzzles that show one idea all but the best: one that
// was picked, or else the one with most themes, then the most difficult one. It counts those that it
// keeps.
func sift(pool []collection.Puzzle, s *sieves) []collection.Puzzle {
	pool = slices.DeleteFunc(pool, func(p collection.Puzzle) bool { return p.Idea == "" && trivial(&p) })
	s.note("not trivial, or picked by hand", pool)
	slices.SortStableFunc(pool, func(a, b collection.Puzzle) int {
		return cmp.Or(strings.Compare(b.Idea, a.Idea), len(b.Themes.Names())-len(a.Themes.Names()), cmp.Compare(b.Mined.Difficulty(), a.Mined.Difficulty()))
	})
	var met puzzles.Ideas
	pool = slices.DeleteFunc(pool, func(p collection.Puzzle) bool {
		_, first := met.Add(p.Position, p.Turns, p.Solution)
		return !first
	})
	s.note("another idea", pool)
	return pool
}

// choose chooses puzzles from a pool one after the other, each time the one that has most of what is
// rare among those chosen: lengths, themes, difficulties, shapes and games. Those that were picked come first. The
// result is in the order of the lengths and difficulties, and numbered.
func choose(pool []collection.Puzzle, size int) (chosen []collection.Puzzle) {
	pool = slices.Clone(pool)
	counts := map[string]int{}
	value := func(p *collection.Puzzle) (v float64) {
		for _, key := range kinds(p) {
			v += 1 / float64(1+counts[key])
		}
		if p.Idea != "" {
			v += float64(len(kinds(p))) // more than any other
		}
		return v
	}
	for len(pool) > 0 && len(chosen) < size {
		best, most := 0, 0.0
		for i := range pool {
			if v := value(&pool[i]); v > most {
				best, most = i, v
			}
		}
		for _, key := range kinds(&pool[best]) {
			counts[key]++
		}
		chosen = append(chosen, pool[best])
		pool = slices.Delete(pool, best, best+1)
	}
	slices.SortFunc(chosen, func(a, b collection.Puzzle) int {
		return cmp.Or(a.Turns-b.Turns, cmp.Compare(a.Mined.Difficulty(), b.Mined.Difficulty()), strings.Compare(a.Position.String(), b.Position.String()))
	})
	for i := range chosen {
		chosen[i].Number = i + 1
	}
	return chosen
}

// kinds are the names of what is counted of a puzzle.
func kinds(p *collection.Puzzle) (all []string) {
	for _, theme := range p.Themes.Names() {
		all = append(all, theme, fmt.Sprint(theme, p.Turns))
	}
	game, _, _ := strings.Cut(p.Origin, " ")
	return append(all, fmt.Sprint("win in ", p.Turns), fmt.Sprintf("win in %d, difficulty %.0f", p.Turns, p.Mined.Difficulty()), game, shape(p))
}

// shape names the pieces and directions of the solution's steps, for Gold, and with those to the west
// as those to the east.
func shape(p *collection.Puzzle) string {
	var b strings.Builder
	for i := range p.Solution.Len() {
		s := p.Solution.Step(i)
		if p.Position.Side() == arimaa.Silver {
			s = s.Swapped()
		}
		direction := s.Direction()
		if direction == arimaa.West {
			direction = arimaa.East
		}
		fmt.Fprintf(&b, "%v%c", s.Piece(), direction.Letter())
	}
	return b.String()
}

// prove proves all puzzles again, with certificates that are checked. The error names one that does
// not hold.
func prove(ctx context.Context, all []collection.Puzzle, threads int) error {
	certify := func(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (puzzles.Certificate, error) {
		c, err := s.Certificate(ctx, q, a)
		if err != nil {
			return puzzles.NoCertificate, err
		}
		return puzzles.Accepted, c.Check(ctx, nil)
	}
	start := func() (*solve.Solver, error) { return solve.New(solve.Options{Memory: 64 << 20, Threads: 1}) }
	one := func(ctx context.Context, s *solve.Solver, p collection.Puzzle) (struct{}, error) {
		r := puzzles.Verify(ctx, s, puzzles.Puzzle{Position: p.Position, Claim: p.Turns, Solution: p.Position.Notation(p.Solution)}, puzzles.Options{Certify: certify})
		claim, _ := r.ClaimTrue()
		unique, _ := r.EssentiallyUnique()
		if right := r.SolutionOK; !claim || !unique || right == nil || !*right || r.Certificate != puzzles.Accepted {
			return struct{}{}, fmt.Errorf("%v: the claim is %t, essentially unique %t, the certificate %q: %w", p.Position, claim, unique, r.Certificate, cmp.Or(r.Err, errors.New("it does not hold")))
		}
		return struct{}{}, nil
	}
	for o := range batch.Run(ctx, slices.Values(all), threads, 4*threads, start, one) {
		if o.Err != nil {
			return o.Err
		}
	}
	return ctx.Err()
}

// drawnEndings says what became of the positions that were drawn as endings, in Markdown.
func drawnEndings(drawn []foundEnding) string {
	var b strings.Builder
	b.WriteString(`Endings are drawn by jobs, of which each asks the solver about its best positions until one is a puzzle. Those with a plain
solution are left out, such as a piece that walks up to a rabbit. The letters say which pieces are stronger: the e of RRR-er is any
piece, of either side.

| ending | win in | jobs | drawn | wins | undecided | several solutions | plain | others | asked | puzzles |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`)
	for _, of := range endings {
		var n sifted
		found := 0
		for _, line := range drawn[:of.jobs] {
			s := line.Sifted
			n.Drawn, n.Wins, n.Open, n.Several = n.Drawn+s.Drawn, n.Wins+s.Wins, n.Open+s.Open, n.Several+s.Several
			n.Plain, n.Ordered, n.Asked = n.Plain+s.Plain, n.Ordered+s.Ordered, n.Asked+s.Asked
			found += len(line.Candidates)
		}
		drawn = drawn[of.jobs:]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", of.pieces, of.turns, of.jobs, n.Drawn, n.Wins, n.Open, n.Several, n.Plain, n.Ordered, n.Asked, found)
	}
	return b.String()
}

// report says how many positions each sieve has removed, and what the collection has, in Markdown.
func report(total *counts, drawn []foundEnding, s *sieves, chosen []collection.Puzzle) string {
	var b strings.Builder
	row := func(name string, n [longestWin + 1]int) {
		fmt.Fprintf(&b, "| %s |", name)
		sum := 0
		for _, x := range n[1:] {
			fmt.Fprintf(&b, " %d |", x)
			sum += x
		}
		fmt.Fprintf(&b, " %d |\n", sum)
	}
	const head = " | 1 | 2 | 3 | 4 | 5 | all |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
	fmt.Fprintf(&b, "# The collection\n\nMade by `go run ./tools/collection -work DIR`, which describes the sieves.\n\n")
	fmt.Fprintf(&b, `Of games, and to compose puzzles, %d positions were looked at: %d without a win that was found, %d with a shorter one than
was asked for, and %d with a win whose length or solutions were not decided within the limits.

`, total.Looked, total.NoWin, total.Shorter, total.Undecided)
	b.WriteString("| wins, by turns" + head)
	row("all", total.Wins)
	row("several essential solutions", total.Several)
	b.WriteString("\n" + drawnEndings(drawn) + "\n| puzzles left after each sieve, by turns" + head)
	for i, name := range s.names {
		row(name, s.left[i])
	}
	themes, hard := map[string][longestWin + 1]int{}, map[string][longestWin + 1]int{}
	var only [longestWin + 1]int // puzzles in which no other first turn wins
	for i := range chosen {
		p := &chosen[i]
		add := func(to map[string][longestWin + 1]int, name string) {
			n := to[name]
			n[p.Turns]++
			to[name] = n
		}
		if p.Mined.Solutions == 1 {
			only[p.Turns]++
		}
		for _, theme := range p.Themes.Names() {
			add(themes, theme)
		}
		if d, ok := p.Difficulty(); ok {
			add(hard, fmt.Sprintf("%2d to %d", int(d), int(d)+1))
		}
	}
	b.WriteString("\nAll have one essential solution. In these no first turn with another result wins:\n\n| by turns" + head)
	row("one winning turn", only)
	b.WriteString("\n| theme, by turns" + head)
	for _, theme := range describe.Themes(describe.All).Names() {
		row(theme, themes[theme])
	}
	b.WriteString("\n| difficulty, by turns" + head)
	for _, name := range slices.Sorted(maps.Keys(hard)) {
		row(name, hard[name])
	}
	return b.String()
}
