package studio

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/puzzles/compose"
	"goalproof/solve"
	"goalproof/solve/report"
)

// The limits of composing, and its defaults. Limits in nodes make the same on every machine.
const (
	composeTime   = 10 * time.Minute
	composeNodes  = 50_000
	longNodes     = 800_000 // of a win in four or more
	composeRounds = 1_000
	lengthNodes   = 20              // times the nodes of a position: for the length of the win that is given
	composeRest   = 3 * time.Second // to describe what was made, of a job that was stopped
)

// composingNodes is the default of the nodes for a position, in which a win in so many turns (0: not
// known) is to be found.
func composingNodes(turns int) uint64 {
	if turns > 3 {
		return longNodes
	}
	return composeNodes
}

// composeRequest asks for puzzles that are made of a position: a better one, or others like it.
type composeRequest struct {
	kind
	position
	Aim    string `json:"aim"`    // small, hard, longer or twin, as of goalproof compose
	WinIn  int    `json:"win_in"` // turns in which the puzzle is won; 0: those of its shortest win, which is looked for
	Rounds int    `json:"rounds"` // of hard, changes to try; of longer and twin, positions; 0: 1,000, but of small none
	Seed   uint64 `json:"seed"`
	Nodes  uint64 `json:"nodes"` // for each position, at most 2^40; 0: 50,000, of a win in 4 or more 800,000
	timed         // for all
}

func (t *composeRequest) label() string {
	return map[compose.Aim]string{compose.Hard: "make it harder", compose.Small: "remove what is superfluous", compose.Longer: "one more turn",
		compose.Twin: "find a twin"}[compose.Aim(t.Aim)]
}

// Composed is what was made of a position as a puzzle.
type Composed struct {
	Puzzle *MadePuzzle  `json:"puzzle"` // the position itself; null if it is no puzzle
	Made   []MadePuzzle `json:"made"`   // of a position with several solutions, puzzles with one
}

// MadePuzzle is a position that wins in a number of turns and not sooner, by one essential solution.
type MadePuzzle struct {
	Study      Study    `json:"study"`
	WinIn      int      `json:"win_in"`
	Solution   string   `json:"solution"`
	Difficulty *float64 `json:"difficulty"` // 0 to 10; null for a win in 1, and if it is not known
	Pieces     int      `json:"pieces"`
	Themes     []string `json:"themes"`
	Changes    []string `json:"changes"` // in words, what makes it of the position
}

func (t *composeRequest) submit(s *Server) (Job, error) {
	limit, err := t.each(composeTime)
	aim, unknown := compose.ParseAim(notation.Legible(t.Aim))
	if unknown != nil {
		unknown = fmt.Errorf("aim %w", unknown)
	}
	p, unread := t.goesOn()
	if err := cmp.Or(err, unknown, unread, within("win_in", t.WinIn, 0)); err != nil {
		return Job{}, err
	}
	switch {
	case t.Rounds < 0:
		return Job{}, fmt.Errorf("rounds %d: it is 0 or more", t.Rounds)
	case t.Nodes > memory.MostNodes:
		return Job{}, fmt.Errorf("nodes %d: it is at most %s", t.Nodes, humanize.Comma(memory.MostNodes))
	case aim != compose.Small:
		t.Rounds = cmp.Or(t.Rounds, composeRounds)
	case t.Rounds > 0:
		return Job{}, fmt.Errorf("rounds %d: small tries every piece, and takes none", t.Rounds)
	}
	byLength := t.Nodes == 0 && t.WinIn == 0
	t.Nodes = cmp.Or(t.Nodes, composingNodes(t.WinIn))
	o := solve.Options{}.ForNodes(t.Nodes, 1)
	return s.queue.add(t, limit, &o, o.Memory, func(ctx context.Context, j *job) (*Result, error) {
		c := &composing{s: s, j: j, composeRequest: t, at: p.diagram(), nodes: t.Nodes, byLength: byLength}
		says, err := c.make(ctx)
		if err != nil {
			return nil, err
		}
		if p.game.Len() > 0 {
			says += withoutHistory
		}
		return &Result{Verdict: "composed", Says: says, Composed: &c.Composed}, nil
	})
}

// composing is a job that composes.
type composing struct {
	s *Server
	j *job
	*composeRequest
	Composed
	at       notation.Diagram
	nodes    uint64 // for each position
	byLength bool   // nodes are by the length of the win, when it is known
}

// make makes the puzzles, and says in words what has become of them. When the job is stopped, what
// was made until then stays.
func (c *composing) make(ctx context.Context) (says string, err error) {
	c.Made = []MadePuzzle{}
	turns := c.WinIn
	if turns == 0 {
		if turns, says, err = c.length(ctx); turns == 0 || err != nil {
			return says, err
		}
	}
	if c.byLength {
		c.nodes = composingNodes(turns)
	}
	if turns == 1 && compose.Aim(c.Aim) == compose.Hard {
		return "Difficulty is a measure of wins in 2 or more: add a turn first.", nil
	}
	limit := answer.Limit{Nodes: c.nodes}
	composer := compose.New(c.j.solver, limit)
	composer.Before = c.before
	task := compose.Task{Aim: compose.Aim(c.Aim), Rounds: c.Rounds, Seed: c.Seed}
	m, err := composer.Make(ctx, task, c.at.Position, turns, &compose.States{})
	switch {
	case err != nil && ctx.Err() == nil:
		return "", err
	case m.From.Turns > 0:
		says = c.made(ctx, &m)
	default:
		says = c.noPuzzle(ctx, &m, turns)
	}
	if ctx.Err() != nil {
		says = fmt.Sprintf("Stopped early (%v). %s", answer.StopOf(ctx), says)
	}
	return says, nil
}

// before reports the progress of a composer before each position, and gives way to a prompt job.
func (c *composing) before(ctx context.Context, so compose.Progress) (*solve.Solver, error) {
	done := so.Rounds
	if c.Rounds == 0 {
		done = so.Judged
	}
	c.s.queue.report(c.j, done, c.Rounds)
	if err := c.s.queue.yield(ctx, c.j); err != nil {
		return nil, err // the solver may be gone, and the queue may be about to give another one
	}
	return c.j.solver, nil
}

// length returns the turns of the shortest win, 0 if they are not known. It then says what is.
func (c *composing) length(ctx context.Context) (turns int, says string, err error) {
	limited, cancel := c.j.solver.Start(ctx, answer.Limit{Nodes: lengthNodes * c.nodes})
	defer cancel()
	q := solve.Question{Position: c.at.Position, Deepest: solve.MaxTurns, NoLine: true, Number: c.at.Number}
	a, err := c.j.solver.Solve(limited, q)
	if a.Exact() {
		return a.Within, "", err
	}
	what := "The shortest win is not known"
	if a.Within == 0 {
		what = "No win was found"
	}
	known := report.Report{Question: q, Answer: a}
	return 0, what + ", so nothing was made. " + known.Sentence(), err
}

// add adds a puzzle to those that were made.
func (c *composing) add(z *compose.Puzzle, described *puzzles.Mined, changes ...string) {
	c.Made = append(c.Made, c.shown(z, described, changes))
}

func (c *composing) shown(z *compose.Puzzle, described *puzzles.Mined, changes []string) MadePuzzle {
	m := MadePuzzle{Study: Study{Position: z.Position.String(), Number: c.at.Number}, WinIn: z.Turns, Solution: z.Position.Notation(z.Solution),
		Pieces: z.Position.Occupied().Len(), Themes: []string{}, Changes: changes}
	if described != nil {
		m.Themes = described.Themes.Names()
	}
	if described != nil && z.Turns > 1 {
		m.Difficulty = new(described.Difficulty())
	}
	return m
}

// rest returns a context in which to describe what was made: a short one, if the job was stopped or
// its time is up.
func rest(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), composeRest)
}

// describe describes a puzzle within the limit of a position, if it is not known what it is. It
// returns nil if the limit is too short, or if the job was stopped while it gave way.
func (c *composing) describe(ctx context.Context, z *compose.Puzzle, known *puzzles.Mined) *puzzles.Mined {
	if known != nil {
		return known
	}
	solver := c.s.queue.solverOf(c.j)
	if solver == nil {
		return nil
	}
	limit := answer.Limit{Nodes: c.nodes}
	miner := puzzles.Miner{Solver: solver, Turns: z.Turns, Limit: limit, Listing: limit}
	found, _, err := miner.Look(ctx, z.Position)
	if err != nil {
		return nil
	}
	return found
}

// made lists what was made of a puzzle, and says it in words.
func (c *composing) made(ctx context.Context, m *compose.Made) string {
	describing, cancel := rest(ctx)
	defer cancel()
	aim := compose.Aim(c.Aim)
	c.Puzzle = new(c.shown(&m.From, c.describe(describing, &m.From, m.Before), []string{}))
	if aim.Varies() {
		return c.varied(m, aim)
	}
	changes := compose.Between(&m.From.Position, &m.To.Position)
	if len(changes) > 0 {
		var words []string
		for _, change := range changes {
			words = append(words, change.Imperative())
		}
		c.add(&m.To, c.describe(describing, &m.To, m.Mined), words...)
	}
	if aim == compose.Hard {
		return c.harder()
	}
	if len(changes) == 0 {
		return "Nothing superfluous was found."
	}
	says := fmt.Sprintf("The solution stays with %d of %d pieces", c.Made[0].Pieces, c.Puzzle.Pieces)
	if weaker := len(changes) - c.Puzzle.Pieces + c.Made[0].Pieces; weaker > 0 { // each change takes away or weakens
		says += fmt.Sprintf(", %d of them weaker", weaker)
	}
	return says + "."
}

// harder says whether the puzzle that was made is harder. If it is not, it is left out: few pieces
// count a little in the search, too.
func (c *composing) harder() string {
	const none = "No harder puzzle was found."
	if len(c.Made) == 0 {
		return none
	}
	before, after := c.Puzzle.Difficulty, c.Made[0].Difficulty
	if before == nil || after == nil {
		return "A changed puzzle was found; whether it is harder is not known."
	}
	was, now := fmt.Sprintf("%.1f", *before), fmt.Sprintf("%.1f", *after)
	if *after <= *before || now == was {
		c.Made = []MadePuzzle{}
		return none
	}
	return fmt.Sprintf("A harder puzzle was found: difficulty %s, before %s.", now, was)
}

// varied lists the other puzzles that were made of one, and says how many there are.
func (c *composing) varied(m *compose.Made, aim compose.Aim) string {
	v := &m.Variants
	for i := range v.Found {
		one := &v.Found[i]
		if aim == compose.Twin {
			c.add(&one.Puzzle, one.Mined, one.Change.Imperative())
			continue
		}
		after := one.Puzzle.Position.AfterTurn(one.Puzzle.Solution)
		change := fmt.Sprintf("Take back a turn of each side: the defence %s leads to the puzzle", after.Notation(one.Reply))
		if one.Change != (compose.Change{}) { // a piece was added to both
			change += " " + one.Change.String()
		}
		c.add(&one.Puzzle, one.Mined, change)
		made := &c.Made[len(c.Made)-1]
		made.Study.Number = max(c.at.Number-1, arimaa.FirstTurn)
	}
	what, lost := "Twins", "No twin was found."
	if aim == compose.Longer {
		what, lost = fmt.Sprintf("Puzzles that win in %d", m.From.Turns+1), fmt.Sprintf("No puzzle that wins in %d was found.", m.From.Turns+1)
	}
	says := lost
	if len(v.Found) > 0 {
		says = fmt.Sprintf("%s: %d.", what, len(v.Found))
	}
	says += fmt.Sprintf(" %s tried", printable.Amount(v.Tried, "position"))
	if n := v.Refused[compose.Undecided]; n > 0 {
		says += fmt.Sprintf(", %d not decided", n)
	}
	if !v.All {
		says += "; there may be more"
	}
	return says + "."
}

// noPuzzle says why a position is no puzzle, and lists what was made of one with several solutions.
func (c *composing) noPuzzle(ctx context.Context, m *compose.Made, turns int) string {
	describing, cancel := rest(ctx)
	defer cancel()
	for i := range m.Repairs {
		one := &m.Repairs[i]
		c.add(&one.Puzzle, c.describe(describing, &one.Puzzle, nil), one.Change.Imperative())
	}
	f, side, in := &m.Finding, c.at.Position.Side(), printable.Amount(turns, "turn")
	switch {
	case f.Turns == 0 || f.Verdict == answer.Unknown && ctx.Err() != nil:
		return "Whether this is a puzzle was not decided."
	case f.Verdict == answer.Unknown:
		return fmt.Sprintf("Whether this is a puzzle with a win in %d was not decided (%v).", turns, f.Stop)
	case f.Verdict == answer.Disproved:
		return fmt.Sprintf("This is no puzzle: %v has no win in %s%s.", side, in, answer.Aside(turns > 1))
	case f.Essential == 0:
		return fmt.Sprintf("This is no puzzle with a win in %d: %v wins in %s.", turns, side, printable.Amount(f.Least, "turn"))
	}
	says := fmt.Sprintf("This is no puzzle: %v wins in %s by %d essential solutions.", side, in, f.Essential)
	if len(m.Repairs) == 0 {
		return says + " No change of one piece was found that leaves one."
	}
	return says + fmt.Sprintf(" Changes that leave one: %d.", len(m.Repairs))
}
