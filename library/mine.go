package library

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/batch"
	"goalproof/puzzles"
	"goalproof/solve"
)

// Mining says in which games puzzles are looked for, and how.
type Mining struct {
	Games Filter
	WinIn int    // length of the wins, in turns, at least 2
	Nodes uint64 // for each position, as of [puzzles.Miner], at least 1
}

// Miner is a mining under way. What it finds in a game becomes part of the library when the whole
// game has been looked at, and with it that the game was mined.
type Miner struct {
	// Games counts the games to mine, Positions those in them. Before counts games that had been mined
	// in the same way, by the same version of the mining; another process may add to them meanwhile.
	Games, Positions, Before int
	// Known counts puzzles that were found and there before, because the game had been mined with
	// another limit.
	Known int

	l      *Library
	mining Mining
	ids    []int64 // of the games
	failed error   // of the file: the ideas are not those of the library
	ideas  puzzles.Ideas
	firsts []int64 // the first puzzle of each idea, rising
	last   int64   // the last puzzle that the ideas have
}

// Mine begins a mining, which must be closed. The error says that the library was opened for
// reading alone ([Open]), wraps [ErrInUse] if something else writes to it, or is one of
// [Library.Games].
func (l *Library) Mine(ctx context.Context, mining Mining) (*Miner, error) {
	if err := l.begin(turn); err != nil {
		return nil, err
	}
	m := &Miner{l: l, mining: mining}
	err := l.view(ctx, func(v *view) error {
		before := map[int64]bool{}
		err := v.rows(ctx, "SELECT m.game FROM mined m JOIN mining i ON i.id = m.mining WHERE i.version = ? AND i.win_in = ? AND i.nodes = ?",
			m.options(), func(rows *sql.Rows) (bool, error) {
				var id int64
				err := rows.Scan(&id)
				before[id] = true
				return true, err
			})
		if err != nil {
			return err
		}
		return v.games(ctx, &mining.Games, Sort{}, func(g *Game) bool {
			if before[g.ID] {
				m.Before++
				return true
			}
			m.ids = append(m.ids, g.ID)
			m.Positions += g.Turns + 1
			return true
		})
	})
	m.Games = len(m.ids)
	if err != nil {
		l.end(err)
		return nil, l.explain(err)
	}
	return m, nil
}

// options are the columns of the table mining.
func (m *Miner) options() []any {
	return []any{puzzles.MiningVersion, m.mining.WinIn, int64(m.mining.Nodes)}
}

// Looked is a position that a mining has looked at.
type Looked struct {
	puzzles.Place
	At int // turns of the game before it
	puzzles.Look
}

// Found is a puzzle that has become part of the library.
type Found struct {
	*Puzzle
	Mined *puzzles.Mined
}

// Looks have the jobs of a mining done, as [batch.Run] does.
type Looks func(ctx context.Context, jobs iter.Seq[Job]) iter.Seq[batch.Outcome[Job, puzzles.Look]]

// Here returns what has several workers look. Start makes the solver of one; if its tables have the
// sizes of [solve.Options.ForNodes], what is found depends on nothing but the games and the
// options.
func (m *Miner) Here(workers int, start func() (*solve.Solver, error)) Looks {
	limit := answer.Limit{Nodes: m.mining.Nodes}
	miner := func() (*puzzles.Miner, error) {
		s, err := start()
		return &puzzles.Miner{Solver: s, Turns: m.mining.WinIn, Limit: limit, Listing: limit}, err
	}
	return func(ctx context.Context, jobs iter.Seq[Job]) iter.Seq[batch.Outcome[Job, puzzles.Look]] {
		return batch.Run(ctx, jobs, workers, 64*workers, miner, look)
	}
}

// Run mines the games in the order of their ids. Looked is called for each position in order, mined
// for each game with the puzzles that are new, which are in the library then. The error is that of
// the context, of the file, of a look or of mined; a game that was not looked at wholly is mined
// another time.
func (m *Miner) Run(ctx context.Context, looks Looks, looked func(*Looked), mined func(*Game, []Found) error) error {
	if m.failed != nil {
		return m.l.explain(m.failed)
	}
	var found []*Looked
	open := 0
	for o := range looks(ctx, m.jobs(ctx)) {
		j := &o.Job
		switch {
		case o.Err != nil && ctx.Err() != nil:
			return ctx.Err()
		case o.Err != nil && j.Looked != nil:
			return fmt.Errorf("%s: %w", j.Name, o.Err)
		case o.Err != nil:
			return m.l.explain(o.Err)
		case !j.end:
			j.Look = o.Value
			if looked(j.Looked); j.Verdict == answer.Unknown {
				open++
			}
			if j.Found != nil {
				found = append(found, j.Looked)
			}
			continue
		}
		before := m.Before
		added, err := m.add(ctx, j.game, found, open)
		if err != nil {
			m.failed = err
			return m.l.explain(err)
		}
		if found, open = nil, 0; m.Before > before {
			continue
		}
		if err := mined(j.game, added); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Job is a position to look at, or the end of a game.
type Job struct {
	*Looked // nil: there is none to look at
	game    *Game
	end     bool
	err     error // why the game cannot be read
}

// Where returns the position to look at, nil if there is none. The error says why a game cannot be
// read.
func (j *Job) Where() (*arimaa.Position, error) {
	if j.Looked == nil {
		return nil, j.err
	}
	return &j.Looked.Position, nil
}

// jobs yields the positions of each game, and its end.
func (m *Miner) jobs(ctx context.Context) iter.Seq[Job] {
	return func(yield func(Job) bool) {
		for _, id := range m.ids {
			g, played, err := m.l.played(ctx, id)
			if err != nil {
				yield(Job{err: err})
				return
			}
			for at, place := range puzzles.PlacesOf(g.Called(), played) {
				if !yield(Job{Looked: &Looked{Place: place, At: at}, game: g}) {
					return
				}
			}
			if !yield(Job{game: g, end: true}) {
				return
			}
		}
	}
}

// played returns a game by its id.
func (l *Library) played(ctx context.Context, id int64) (*Game, *arimaa.Game, error) {
	for g, err := range l.Games(ctx, &Filter{ID: id}, Sort{}) {
		if err != nil {
			return nil, nil, err
		}
		played, err := g.Played()
		return g, played, err
	}
	return nil, nil, l.damaged(fmt.Errorf("game %d is gone", id))
}

// look looks at the position of a job. What an interruption may have cut short is an error.
func look(ctx context.Context, m *puzzles.Miner, j Job) (l puzzles.Look, err error) {
	p, err := j.Where()
	if p != nil {
		l.Found, l.Judgement, err = m.Look(ctx, *p)
	}
	return l, cmp.Or(err, ctx.Err())
}

// add adds what was found in a game, in one transaction.
func (m *Miner) add(ctx context.Context, g *Game, found []*Looked, open int) (added []Found, err error) {
	err = m.l.transaction(ctx, func(w *writer) error {
		w.exec("INSERT INTO mining (version, win_in, nodes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", m.options()...)
		w.exec("INSERT INTO mined SELECT ?, id, ? FROM mining WHERE version = ? AND win_in = ? AND nodes = ? ON CONFLICT DO NOTHING",
			append([]any{g.ID, open}, m.options()...)...)
		if w.changed == 0 { // another process has mined it meanwhile
			m.Before++
			found = nil
		}
		if w.err == nil && len(found) > 0 {
			w.err = m.learn()
		}
		for _, f := range found {
			if p := m.addPuzzle(w, g, f); p != nil {
				added = append(added, Found{p, f.Found})
			}
		}
		return w.err
	})
	return added, err
}

// learn adds the mined puzzles to the ideas that these do not have.
func (m *Miner) learn() error {
	rows, err := m.l.write.QueryContext(context.Background(), `SELECT p.id, p.position, p.claim, p.solution, COALESCE(o.idea, 0) FROM origin o JOIN puzzle p ON p.id = o.puzzle
		WHERE o.puzzle > ? ORDER BY o.puzzle`, m.last)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, first int64
		var position, solution string
		var claim int
		if err := rows.Scan(&id, &position, &claim, &solution, &first); err != nil {
			return err
		}
		p, err := notation.ParsePosition(position)
		if err != nil {
			return m.l.damaged(fmt.Errorf("puzzle %d: %w", id, err))
		}
		state := arimaa.NewState(p)
		turn, err := notation.PlaySteps(&state, solution)
		if err != nil {
			return m.l.damaged(fmt.Errorf("puzzle %d: %w", id, err))
		}
		idea := 0
		if i, ok := slices.BinarySearch(m.firsts, first); ok {
			idea = i + 1
		} else {
			m.firsts = append(m.firsts, id)
		}
		m.ideas.AddTo(idea, p, claim, turn)
		m.last = id
	}
	return rows.Err()
}

// addPuzzle adds a puzzle, unless it is known.
func (m *Miner) addPuzzle(w *writer, g *Game, f *Looked) *Puzzle {
	known := w.found("SELECT 1 FROM origin o JOIN puzzle p ON p.id = o.puzzle WHERE o.game = ? AND o.at = ? AND p.claim = ?", g.ID, f.At, f.Found.Turns)
	if known {
		m.Known++
	}
	if known || w.err != nil {
		return nil
	}
	z := f.Found
	o := &Origin{
		Game: g.ID, At: f.At, Pieces: z.Pieces, Replies: z.Replies, Tries: z.Tries, Quiet: z.Quiet,
		Winning: z.Solutions, First: z.First, Difficulty: z.Difficulty(), Themes: z.Themes,
	}
	idea, first := m.ideas.Add(z.Position, z.Turns, z.Solution)
	if !first {
		o.Idea = m.firsts[idea-1]
	}
	p := &Puzzle{
		Source: g.Source, Line: g.Line, Name: f.Name, Position: z.Position, Number: f.Number,
		Claim: z.Turns, Solution: z.Position.Notation(z.Solution), Origin: o,
	}
	p.ID = w.exec(`INSERT INTO puzzle (identity, source, line, name, position, number, key, claim, solution)
		SELECT ?, source, line, ?, ?, ?, ?, ?, ? FROM game WHERE id = ?`,
		p.identity(0), p.Name, p.Position.String(), p.Number, half(p.Position.Key()), p.Claim, p.Solution, g.ID)
	w.exec("INSERT INTO origin VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		p.ID, o.Game, o.At, null(o.Idea), o.Pieces, o.Replies, o.Tries, o.Quiet, o.Winning, o.First, o.Difficulty)
	for _, name := range o.Themes.Names() {
		w.exec("INSERT INTO theme VALUES (?, ?)", name, p.ID)
	}
	if m.last = p.ID; first {
		m.firsts = append(m.firsts, p.ID)
	}
	return p
}

// Close ends the mining. The error is that of the file.
func (m *Miner) Close() error { return m.l.end(m.failed) }
