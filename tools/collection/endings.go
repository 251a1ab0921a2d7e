package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/retro"
	"goalproof/dfpns"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

// Games give hardly any wins in three and more with one essential solution. Endgame tables of five
// pieces know all that there are. A job has material, a length and a theme. It draws positions of the
// material until enough of them are wins of the length with one essential solution, and orders these:
// first those with the theme, then by merit. Then it asks the solver about the best, without tables,
// until one is proved to be a puzzle within endingNodes: so all that ships can be verified soon
// without a table. A job depends on nothing but the seed and its number.
const (
	endingDraws    = 1_000_000 // positions of a job, at most
	endingPool     = 400       // positions that are ordered, at most
	endingThemed   = 20        // or so many with the theme
	endingsAsked   = 4         // of these, the solver is asked about so many, at most
	endingNodes    = 1_000_000 // for the length of a win, as many for its solutions, and for its themes
	tracedBoards   = 20_000    // to find out whether a position can have come up
	sampledReplies = 8         // of which the answers are counted
)

// Where no table is asked, a solver decides which positions are drawn.
const (
	untabledDraws = 2000
	untabledPool  = 2
	untabledNodes = 100_000
)

// material is what jobs draw: the pieces of both sides by their relative strength, such as HRR-er,
// and the length of the win.
type material struct {
	pieces string
	turns  int
	tabled bool // a table is asked: building one takes some GiB of memory and minutes
	jobs   int
	theme  describe.Themes // 0: each of endingThemes in turn
}

// endings are the material of the jobs, which come in this order: what is added at the end changes
// nothing before.
var endings = []material{
	{"RRR-er", 3, true, 35, 0}, {"RRR-er", 4, true, 42, 0}, {"RRR-er", 5, true, 63, 0},
	{"HRR-er", 3, false, 21, 0}, {"HRR-er", 4, false, 21, 0}, {"HDR-drr", 3, false, 21, 0}, {"DCR-dcr", 3, false, 21, 0},
	{"DCR-dr", 3, false, 14, 0}, {"DCR-dr", 4, false, 14, 0},
	{"RRR-er", 3, true, 14, describe.InZugzwang}, {"RRR-er", 4, true, 21, describe.InZugzwang},
}

// endingJobs returns the number of jobs of some material.
func endingJobs(all []material) (n int) {
	for _, of := range all {
		n += of.jobs
	}
	return n
}

// endingThemes are the themes of the jobs. Immobilisation and elimination are how best play ends.
var endingThemes = []describe.Themes{
	describe.InZugzwang, describe.Capture, describe.Immobilisation, describe.Sacrifice, describe.Push, describe.Quiet, describe.Elimination,
}

// openEndings opens the tables of some material, and builds those that a folder lacks.
func openEndings(ctx context.Context, dir string, all []material, threads int) (*endgame.Tables, error) {
	var classes []endgame.Class
	for _, of := range all {
		if !of.tabled {
			continue
		}
		class, err := endgame.ParseClass(of.pieces)
		if err != nil {
			return nil, err
		}
		classes = append(classes, class)
	}
	err := endgame.Build(ctx, classes, endgame.BuildOptions{Dir: dir, Threads: threads, Checkpoints: 2 * time.Minute})
	if err != nil {
		return nil, err
	}
	const memory = 2 << 30 // more than all their values take
	return endgame.Open(dir, memory)
}

// sifted is what became of the positions that a job has drawn.
type sifted struct {
	Material   string `json:"material"`
	Theme      string `json:"theme"`
	Drawn      int    `json:"drawn"`
	Wins       int    `json:"wins"`       // in the number of turns
	Open       int    `json:"open"`       // of these, the solver did not decide the solutions, where no table is asked
	Several    int    `json:"several"`    // with several essential solutions
	Plain      int    `json:"plain"`      // with a plain one
	Ordered    int    `json:"ordered"`    // all others
	Asked      int    `json:"asked"`      // those of them that were tried
	Impossible int    `json:"impossible"` // those tried that no game leads to
	Undecided  int    `json:"undecided"`  // those tried that the solver did not decide within the limit
}

// foundEnding is the line of a job.
type foundEnding struct {
	found
	Sifted sifted `json:"sifted"`
}

// ender draws positions with few pieces. It serves one goroutine.
type ender struct {
	tables  *endgame.Tables
	all     []material
	asked   *solve.Solver // about the best positions
	drawing *solve.Solver // about those that are drawn without a table
	turns   arimaa.Generator
	replies arimaa.Generator
	others  arimaa.Generator // the turns of other positions
}

// newEnder returns an ender for some material.
func newEnder(tables *endgame.Tables, all []material) (*ender, error) {
	asked, err := solve.New(solve.Options{}.ForNodes(endingNodes, 1))
	if err != nil {
		return nil, err
	}
	drawing, err := solve.New(solve.Options{}.ForNodes(untabledNodes, 1))
	return &ender{tables: tables, all: all, asked: asked, drawing: drawing}, err
}

// job looks for the puzzle of a job, and returns the line.
func (e *ender) job(ctx context.Context, seed uint64, job int) (string, error) {
	left, i := job, 0
	for ; left >= e.all[i].jobs; i++ {
		left -= e.all[i].jobs
	}
	of := e.all[i]
	theme := cmp.Or(of.theme, endingThemes[job%len(endingThemes)])
	f := foundEnding{found: found{Candidates: []candidate{}}, Sifted: sifted{Material: of.pieces, Theme: theme.String()}}
	pool, err := e.pool(ctx, rand.New(rand.NewPCG(seed, 2<<32+uint64(job))), of, theme, &f.Sifted)
	if err != nil {
		return "", err
	}
	for i := 0; i < min(len(pool), endingsAsked) && len(f.Candidates) == 0; i++ {
		m, err := e.ask(ctx, pool[i].position, of.turns, &f.Sifted)
		if err != nil {
			return "", err
		}
		if m != nil {
			f.Candidates = append(f.Candidates, candidateOf(m, fmt.Sprintf("ending-%d-%d %s", seed, job+1, of.pieces)))
		}
	}
	f.Looked, f.Undecided = f.Sifted.Wins, f.Sifted.Open+f.Sifted.Undecided
	f.Wins[of.turns], f.Several[of.turns] = f.Looked-f.Undecided, f.Sifted.Several
	line, err := json.Marshal(&f)
	return string(line), err
}

// ask returns the puzzle of a position with a win in n; nil if the solver does not decide it within
// the limit, or no game leads there. The error may be that the solver contradicts the table.
func (e *ender) ask(ctx context.Context, p arimaa.Position, n int, s *sifted) (*puzzles.Mined, error) {
	s.Asked++
	tracing, cancel := answer.Limit{Nodes: tracedBoards}.Start(ctx)
	defer cancel()
	a, err := retro.Trace(tracing, p, 1)
	if err != nil {
		return nil, err
	}
	if a.Verdict == retro.Impossible {
		s.Impossible++
		return nil, nil
	}
	m, j, err := look(ctx, e.asked, p, n, endingNodes)
	switch {
	case err != nil || m != nil:
		return m, err
	case j.Verdict == answer.Unknown:
		s.Undecided++
		return nil, nil
	}
	return nil, fmt.Errorf("%v: a win in %d by the table, with one essential solution; the solver has %d solutions of a win in %d",
		p, n, len(j.Solutions), j.Least)
}

// look looks at a position as a puzzle with a win in n.
func look(ctx context.Context, s *solve.Solver, p arimaa.Position, n int, nodes uint64) (*puzzles.Mined, puzzles.Judgement, error) {
	limit := answer.Limit{Nodes: nodes}
	miner := puzzles.Miner{Solver: s, Turns: n, Limit: limit, Listing: limit}
	m, j, err := miner.Look(ctx, p)
	return m, j, cmp.Or(err, ctx.Err()) // what an interrupted search returns depends on the time
}

// An ending is a position with a win that has one essential solution. Its merit is a sum, in quarters:
//
//   - of four times what its themes count;
//   - of the length, in bits, of the number of tries that threaten to win at once;
//   - of that of the number of solutions, subtracted;
//   - of -4 for each piece without which the length and the solution are the same;
//
// and where a table knows,
//
//   - of up to four for the share of the longest defences that have one essential answer;
//   - of two for each different one of these answers;
//   - of two for each of such answers in a row;
//   - of the length, in bits, of the number of longest defences.
type ending struct {
	position arimaa.Position
	themes   describe.Themes
	merit    int
}

// merits are what themes count: most those that are rare and surprising. Pushes, pulls and captures
// are what people look at first. Immobilisation and elimination are the themes of some jobs, and
// would prevail in all.
var merits = map[describe.Themes]int{describe.InZugzwang: 3, describe.Sacrifice: 2, describe.Quiet: 1, describe.Freeing: 1}

// newEnding returns a position with the merit of its themes, tries and solutions.
func newEnding(p arimaa.Position, themes describe.Themes, tries, solutions int) ending {
	x := ending{position: p, themes: themes, merit: bits.Len(uint(tries)) - bits.Len(uint(solutions))}
	for theme, merit := range merits {
		if themes&theme != 0 {
			x.merit += 4 * merit
		}
	}
	return x
}

// plainEnding reports whether a turn makes a threat by steps of rabbits alone.
func plainEnding(side arimaa.Side, t arimaa.Turn, themes describe.Themes) bool {
	for i := range t.Len() {
		if piece := t.Step(i).Piece(); piece.Kind() != arimaa.Rabbit || piece.Side() != side {
			return false
		}
	}
	return themes&^ordinary == 0
}

// pool draws positions, and returns those with one essential solution that is not plain: those with
// the theme first, then by merit. The best quarter of them, or of those with the theme if there are
// any, comes in random order: otherwise many jobs would find the same idea.
func (e *ender) pool(ctx context.Context, random *rand.Rand, of material, theme describe.Themes, s *sifted) (pool []ending, err error) {
	judge, draws, most := e.byTable, endingDraws, endingPool
	if !of.tabled {
		judge, draws, most = e.bySolver, untabledDraws, untabledPool
	}
	themed := 0
	for ; draws > 0 && len(pool) < most && themed < endingThemed; draws-- {
		p, ok := drawEnding(random, of.pieces)
		if !ok || p.Unusual() != nil {
			continue
		}
		s.Drawn++
		x, ok, err := judge(ctx, p, of.turns, s)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if pool = append(pool, x); x.themes&theme != 0 {
			themed++
		}
	}
	s.Ordered = len(pool)
	slices.SortStableFunc(pool, func(a, b ending) int {
		return cmp.Or(cmp.Compare(b.themes&theme, a.themes&theme), cmp.Compare(b.merit, a.merit))
	})
	best := (cmp.Or(themed, len(pool)) + 3) / 4
	random.Shuffle(best, func(i, k int) { pool[i], pool[k] = pool[k], pool[i] })
	return pool, nil
}

// drawEnding draws a position with Gold to move; ok is false if two pieces fell on one square. Gold
// has the pieces of either side. Which kinds they are does not matter, only which are stronger.
func drawEnding(random *rand.Rand, pieces string) (p arimaa.Position, ok bool) {
	pieces = strings.ToUpper(pieces)
	kinds := drawKinds(random, pieces)
	own, other, _ := strings.Cut(pieces, "-")
	if random.IntN(2) == 0 {
		own, other = other, own
	}
	var b arimaa.Board
	for side, letters := range []string{own, other} {
		for _, letter := range letters {
			s := arimaa.Square(random.IntN(64))
			if b.At(s) != arimaa.Empty {
				return p, false
			}
			b.Put(s, arimaa.NewPiece(arimaa.Side(side), kinds[letter]))
		}
	}
	return arimaa.NewPosition(b, arimaa.Gold), true
}

// drawKinds draws kinds for the letters of pieces, in the order of their strength.
func drawKinds(random *rand.Rand, pieces string) map[rune]arimaa.Kind {
	kinds := map[rune]arimaa.Kind{'R': arimaa.Rabbit}
	var letters []rune
	for _, letter := range "CDHME" {
		if strings.ContainsRune(pieces, letter) {
			letters = append(letters, letter)
		}
	}
	strengths := random.Perm(int(arimaa.Elephant - arimaa.Rabbit))[:len(letters)]
	slices.Sort(strengths)
	for i, letter := range letters {
		kinds[letter] = arimaa.Cat + arimaa.Kind(strengths[i])
	}
	return kinds
}

// bySolver judges a position that no table knows; ok is false if it is no ending. There are too few
// to choose among by merit alone, so walks of one piece, mostly to stop a rabbit, count as plain.
func (e *ender) bySolver(ctx context.Context, p arimaa.Position, n int, s *sifted) (x ending, ok bool, err error) {
	m, j, err := look(ctx, e.drawing, p, n, untabledNodes)
	if err != nil || j.Least != n {
		return x, false, err
	}
	s.Wins++
	switch {
	case j.Verdict == answer.Unknown:
		s.Open++
	case m == nil:
		s.Several++
	case plainEnding(p.Side(), m.Solution, m.Themes) || walk(m.Solution) && m.Themes&^(ordinary|describe.Quiet) == 0:
		s.Plain++
	default:
		x = newEnding(p, m.Themes, m.Tries, m.Solutions)
		idle, err := idle(&p, m.Solution, func(without arimaa.Position) (key arimaa.Turn, err error) {
			other, _, err := look(ctx, e.drawing, without, n, untabledNodes)
			if other != nil {
				key = other.Solution
			}
			return key, err
		})
		x.merit -= 4 * idle
		return x, true, err
	}
	return x, false, nil
}

// byTable judges a position that a table knows; ok is false if it is no ending.
func (e *ender) byTable(_ context.Context, p arimaa.Position, n int, s *sifted) (x ending, ok bool, err error) {
	v, ok := e.tables.Probe(&p.Board, p.Side())
	if !ok {
		return x, false, cmp.Or(e.tables.Err(), fmt.Errorf("%v: %w", p, endgame.ErrUnknown))
	}
	if v != endgame.WinIn(n) {
		return x, false, nil
	}
	s.Wins++
	solutions := e.solutions(&p, n, &e.turns)
	key := onlyEssential(solutions)
	if key == nil {
		s.Several++
		return x, false, nil
	}
	themes, err := e.themes(&p, key, n)
	if err != nil {
		return x, false, err
	}
	if plainEnding(p.Side(), key.Turn, themes) {
		s.Plain++
		return x, false, nil
	}
	x = newEnding(p, themes, e.tries(&p, solutions), len(solutions))
	longest := e.longest(&key.After, n)
	d := e.answers(longest, n)
	idle, err := idle(&p, key.Turn, func(without arimaa.Position) (arimaa.Turn, error) { return e.solution(without, n), nil })
	x.merit += 4*d.single/d.asked + 2*len(d.answers) + 2*d.row + bits.Len(uint(len(longest))) - 4*idle
	return x, true, err
}

// turnsToWin returns within how many of his turns the attacker wins when a side is to move; 0 if he
// does not.
func (e *ender) turnsToWin(b *arimaa.Board, toMove, attacker arimaa.Side) int {
	v, _ := e.tables.Probe(b, toMove)
	if winner, n := v.Winner(toMove); winner == attacker {
		return n
	}
	return 0
}

// solutions lists the turns that keep a win in n, 2 or more, and marks the essential ones.
func (e *ender) solutions(p *arimaa.Position, n int, turns *arimaa.Generator) (all []dfpns.Solution) {
	side := p.Side()
	for i := range turns.Generate(p) {
		if k := e.turnsToWin(turns.Board(i), side.Other(), side); 0 < k && k < n {
			all = append(all, dfpns.Solution{Turn: turns.Turn(i), After: turns.Position(i, side)})
		}
	}
	dfpns.MarkEssential(p, turns, all)
	return all
}

// onlyEssential returns the essential one of some solutions; nil if there are several, or none.
func onlyEssential(solutions []dfpns.Solution) (key *dfpns.Solution) {
	for i := range solutions {
		switch {
		case !solutions[i].Essential:
		case key != nil:
			return nil
		default:
			key = &solutions[i]
		}
	}
	return key
}

// themes returns the themes of a solution that keeps a win in n, as far as the table tells, and how
// best play ends. A pull counts as a push, and freeing is left out.
func (e *ender) themes(p *arimaa.Position, key *dfpns.Solution, n int) (all describe.Themes, err error) {
	side, after := p.Side(), &key.After
	line, err := e.tables.Line(*after)
	if err != nil {
		return 0, err
	}
	passed := e.turnsToWin(&after.Board, side, side)
	pushed := false
	for i := range key.Turn.Len() {
		pushed = pushed || key.Turn.Step(i).Piece().Side() != side
	}
	end := line[len(line)-1].After.Ended(side).Reason
	for theme, is := range map[describe.Themes]bool{
		describe.Threat:         passed == 1,
		describe.Quiet:          passed != 1,
		describe.InZugzwang:     passed == 0 || passed >= n,
		describe.Sacrifice:      after.Of(side).Len() < p.Of(side).Len(),
		describe.Capture:        after.Of(side.Other()).Len() < p.Of(side.Other()).Len(),
		describe.Push:           pushed,
		describe.Immobilisation: end == arimaa.Immobilisation,
		describe.Elimination:    end == arimaa.Elimination,
	} {
		if is {
			all |= theme
		}
	}
	return all, nil
}

// tries counts the turns listed last that are no solutions and threaten to win at once.
func (e *ender) tries(p *arimaa.Position, solutions []dfpns.Solution) (n int) {
	solves := map[arimaa.Board]bool{}
	for i := range solutions {
		solves[solutions[i].After.Board] = true
	}
	for i := range e.turns.Len() {
		if b := e.turns.Board(i); e.turnsToWin(b, p.Side(), p.Side()) == 1 && !solves[*b] {
			n++
		}
	}
	return n
}

// longest lists what the longest defences lead to, after a solution that keeps a win in n.
func (e *ender) longest(after *arimaa.Position, n int) (all []arimaa.Position) {
	defender := after.Side()
	for i := range e.replies.Generate(after) {
		if e.turnsToWin(e.replies.Board(i), defender.Other(), defender.Other()) == n-1 {
			all = append(all, e.replies.Position(i, defender))
		}
	}
	return all
}

// defended says what answers there are to a sample of the longest defences.
type defended struct {
	asked, single int           // defences, and those of them that have one essential answer
	answers       []arimaa.Turn // the different ones of these
	row           int           // how many such answers follow each other
}

// answers asks for the answers to the longest defences against a win in n.
func (e *ender) answers(longest []arimaa.Position, n int) (d defended) {
	for i := 0; i < len(longest); i += 1 + (len(longest)-1)/sampledReplies {
		d.asked++
		key := onlyEssential(e.solutions(&longest[i], n-1, &e.others))
		if key == nil {
			continue
		}
		d.single++
		if !slices.ContainsFunc(d.answers, func(t arimaa.Turn) bool { return puzzles.SameRoute(t, key.Turn) }) {
			d.answers = append(d.answers, key.Turn)
		}
		if d.row == 0 {
			d.row = 1
			if n > 3 {
				d.row += e.answers(e.longest(&key.After, n-1), n-1).row
			}
		}
	}
	return d
}

// idle counts the pieces without which the win has the same length and solution. Solve returns the
// only essential solution of a win of this length; none if there is no such win.
func idle(p *arimaa.Position, solution arimaa.Turn, solve func(without arimaa.Position) (arimaa.Turn, error)) (count int, err error) {
	for rest := p.Occupied(); rest != 0; rest = rest.Rest() {
		b := p.Board
		b.Put(rest.First(), arimaa.Empty)
		without := arimaa.NewPosition(b, p.Side())
		if without.Unusual() != nil {
			continue
		}
		key, err := solve(without)
		if err != nil {
			return 0, err
		}
		if puzzles.SameRoute(key, solution) {
			count++
		}
	}
	return count, nil
}

// solution returns the only essential solution of a win in n, which a table knows; none if there is
// no such win.
func (e *ender) solution(p arimaa.Position, n int) (key arimaa.Turn) {
	if e.turnsToWin(&p.Board, p.Side(), p.Side()) != n {
		return key
	}
	if only := onlyEssential(e.solutions(&p, n, &e.others)); only != nil {
		key = only.Turn
	}
	return key
}
