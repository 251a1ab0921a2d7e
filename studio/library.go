package studio

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"goalproof/arimaa"
	"goalproof/library"
)

// The limits of questions about the library.
const (
	libraryTime  = 10 * time.Second // for an answer
	maxQuestions = 2                // that are answered at once; others wait, which counts as their time
	maxRows      = 200              // of an answer
	usualRows    = 50
	maxPage      = 4 << 20 // bytes of the rows of an answer; one row may be longer
	maxOffset    = 1 << 30 // rows
)

var (
	errNoLibrary = missing("the studio has no library: goalproof studio --library FILE opens one")
	errSlow      = fmt.Errorf("the library has not answered within %v: ask for less", libraryTime)
)

// unread is the error of a library that cannot be read.
type unread struct{ error }

func (u unread) Unwrap() error { return u.error }

// meaningless returns the error of a question that means nothing; its text begins with the field.
func meaningless(field string, err error) error {
	return &library.FilterError{Err: fmt.Errorf("%s: %w", field, err)}
}

// consult asks the library for as long as a question may take, the client is there and the studio
// is open.
func (s *Server) consult(w http.ResponseWriter, r *http.Request, ask func(context.Context, *library.Library) error) error {
	l := s.options.Library
	if l == nil {
		return errNoLibrary
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // that of the body has nothing to do with the answer
	open, end := context.WithCancelCause(r.Context())
	defer end(nil)
	defer context.AfterFunc(s.ctx, func() { end(errShut) })()
	ctx, cancel := context.WithTimeoutCause(open, s.patience, errSlow)
	defer cancel()
	select {
	case s.questions <- struct{}{}:
		defer func() { <-s.questions }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	err := ask(ctx, l)
	switch {
	case err == nil:
		if err = l.Changed(); err == nil {
			return nil
		}
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, new(*library.FilterError)), errors.As(err, new(missing)):
		return err
	}
	return unread{err}
}

// unavailable are the statuses of a library that gives no answer.
var unavailable = []int{http.StatusNotFound, http.StatusInternalServerError, http.StatusServiceUnavailable}

// questioned answers a question with a JSON body.
func questioned[Request, Answer any](s *Server, act func(context.Context, *library.Library, Request) (Answer, error)) action {
	return answering(func(w http.ResponseWriter, r *http.Request, request Request) (a Answer, err error) {
		err = s.consult(w, r, func(ctx context.Context, l *library.Library) (err error) {
			a, err = act(ctx, l, request)
			return err
		})
		return a, err
	}).failing(unavailable...)
}

// libraryRoutes are the requests about the library.
func (s *Server) libraryRoutes() []operation {
	return []operation{
		{"GET /api/library", "Show what is in the library.", getting(s.holds).failing(unavailable...)},
		{"GET /api/library/games/{id}", "Read a game of the library, by its number.", getting(s.libraryGame).failing(unavailable...)},
		{"POST /api/library/games", "Find games.", questioned(s, findGames)},
		{"POST /api/library/count", "Count games.", questioned(s, countGames)},
		{"POST /api/library/findings", "Find findings of the last reviews.", questioned(s, findFindings)},
		{"POST /api/library/puzzles", "Find puzzles.", questioned(s, findPuzzles)},
		{"POST /api/library/tree", "Count what was played from a position, or how the sides set up.", questioned(s, growTree)},
		{"POST /api/library/stats", "Count games in groups.", questioned(s, countGroups)},
		{"POST /api/library/exercises", "Make a set of exercises from findings or puzzles.", questioned(s, findExercises)},
	}
}

// totals are those of the library.
type totals struct {
	Name string `json:"name"` // of the file, without its directory
	library.TotalsRow
}

// holds answers with what the library holds.
func (s *Server) holds(w http.ResponseWriter, r *http.Request, _ struct{}) (a totals, err error) {
	err = s.consult(w, r, func(ctx context.Context, l *library.Library) error {
		t, err := l.Totals(ctx)
		a = totals{filepath.Base(l.Path()), t.Row()}
		return err
	})
	return a, err
}

// page is in a question that is answered with some of all rows.
type page struct {
	Offset int `json:"offset"` // rows that come before
	Limit  int `json:"limit"`  // rows, at most; 0: 50
}

// check returns an error if the page means nothing, and fills in the default.
func (p *page) check() error {
	if p.Limit == 0 {
		p.Limit = usualRows
	}
	switch {
	case p.Offset < 0 || p.Offset > maxOffset:
		return meaningless("offset", fmt.Errorf("%d: it is 0 to %d", p.Offset, maxOffset))
	case p.Limit < 0 || p.Limit > maxRows:
		return meaningless("limit", fmt.Errorf("%d: it is 1 to %d, or 0 for %d", p.Limit, maxRows, usualRows))
	}
	return nil
}

// rows calls each for the values of a page, and reports whether there are more behind them. If each
// returns false, the page ends before that value.
func rows[Value any](p page, all iter.Seq2[Value, error], each func(Value) (bool, error)) (more bool, err error) {
	if err := p.check(); err != nil {
		return false, err
	}
	n := 0
	for v, err := range all {
		switch n++; {
		case err != nil:
			return false, err
		case n <= p.Offset:
			continue
		case n > p.Offset+p.Limit:
			return true, nil
		}
		if fits, err := each(v); err != nil || !fits {
			return true, err
		}
	}
	return false, nil
}

// written writes the rows of a page, as many as there is room for.
func written[Value, Row any](p page, all iter.Seq2[Value, error], row func(Value) (Row, error)) (texts []encoded[Row], more bool, err error) {
	texts = []encoded[Row]{}
	room := maxPage
	more, err = rows(p, all, func(v Value) (bool, error) {
		r, err := row(v)
		if err != nil {
			return false, err
		}
		text, err := json.Marshal(r)
		if room -= len(text); room < 0 && len(texts) > 0 {
			return false, err
		}
		texts = append(texts, text)
		return true, err
	})
	return texts, more, err
}

// values yields the values of a slice, as a library yields what it finds.
func values[Value any](all []Value) iter.Seq2[*Value, error] {
	return func(yield func(*Value, error) bool) {
		for i := range all {
			if !yield(&all[i], nil) {
				return
			}
		}
	}
}

// ordered is in a question about games or puzzles in an order.
type ordered struct {
	Sort    string `json:"sort"` // as --sort of goalproof library; "": in the order of the import
	Falling bool   `json:"falling"`
}

func (o *ordered) order() library.Sort { return library.Sort{By: o.Sort, Falling: o.Falling} }

// gamesQuestion asks for games or findings.
type gamesQuestion struct {
	Filter gameFilter `json:"filter"`
	ordered
	page
}

// gamesAnswer lists games.
type gamesAnswer struct {
	Games []encoded[library.GameRow] `json:"games"`
	More  bool                       `json:"more"`
}

func findGames(ctx context.Context, l *library.Library, q gamesQuestion) (a gamesAnswer, err error) {
	f, err := q.Filter.read()
	if err != nil {
		return a, err
	}
	a.Games, a.More, err = written(q.page, l.Games(ctx, f, q.order()), func(g *library.Game) (library.GameRow, error) {
		row, _, err := g.Row()
		return row, err
	})
	return a, err
}

// countQuestion asks for the number of games.
type countQuestion struct {
	Filter gameFilter `json:"filter"`
}

// countAnswer is their number.
type countAnswer struct {
	Games int `json:"games"`
}

func countGames(ctx context.Context, l *library.Library, q countQuestion) (a countAnswer, err error) {
	f, err := q.Filter.read()
	if err == nil {
		a.Games, err = l.Count(ctx, f)
	}
	return a, err
}

// findingsAnswer lists findings.
type findingsAnswer struct {
	Findings []encoded[library.FindingRow] `json:"findings"`
	More     bool                          `json:"more"`
}

func findFindings(ctx context.Context, l *library.Library, q gamesQuestion) (a findingsAnswer, err error) {
	f, err := q.Filter.read()
	if err != nil {
		return a, err
	}
	a.Findings, a.More, err = written(q.page, l.Findings(ctx, f, q.order()), (*library.Finding).Row)
	return a, err
}

// openedGame is a game of the library.
type openedGame struct {
	library.GameRow
	Study     Study         `json:"study"`
	Annotated *Game         `json:"annotated"`
	Review    *latestReview `json:"review"` // the last one; null: none
}

// latestReview is the last review of a game.
type latestReview struct {
	WinIn     int                  `json:"win_in"` // the longest wins looked for, in turns
	Nodes     uint64               `json:"nodes"`  // for each turn
	Algorithm string               `json:"algorithm"`
	Open      int                  `json:"open"` // positions with an open question
	Findings  []library.FindingRow `json:"findings"`
}

// libraryGame answers with a game of the library.
func (s *Server) libraryGame(w http.ResponseWriter, r *http.Request, _ struct{}) (a openedGame, err error) {
	err = s.consult(w, r, func(ctx context.Context, l *library.Library) (err error) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil || id < 1 {
			return missing("a game of the library has a number, 1 or more")
		}
		a, err = openLibraryGame(ctx, l, id)
		return err
	})
	return a, err
}

func openLibraryGame(ctx context.Context, l *library.Library, id int64) (a openedGame, err error) {
	g, err := l.Game(ctx, id)
	switch {
	case errors.As(err, new(*library.FilterError)):
		return a, missing(err.Error())
	case err != nil:
		return a, err
	}
	var played *arimaa.Game
	if a.GameRow, played, err = g.Row(); err != nil {
		return a, err
	}
	a.Study = (&point{game: played}).study()
	whole, err := g.Written()
	if err != nil {
		return a, err
	}
	a.Annotated = gameOf(whole.Game)
	found, err := l.Latest(ctx, g)
	if found == nil || err != nil {
		return a, err
	}
	a.Review = &latestReview{found.WinIn, found.Nodes, found.Algorithm, found.Open, []library.FindingRow{}}
	for _, f := range found.Findings {
		row, err := f.Row()
		if err != nil {
			return a, err
		}
		a.Review.Findings = append(a.Review.Findings, row)
	}
	return a, nil
}

// puzzlesQuestion asks for puzzles.
type puzzlesQuestion struct {
	Filter puzzleFilter `json:"filter"`
	ordered
	page
}

// libraryPuzzle is a puzzle of the library.
type libraryPuzzle struct {
	library.PuzzleRow
	Study Study `json:"study"`
}

// libraryPuzzles lists them.
type libraryPuzzles struct {
	Puzzles []encoded[libraryPuzzle] `json:"puzzles"`
	More    bool                     `json:"more"`
}

func findPuzzles(ctx context.Context, l *library.Library, q puzzlesQuestion) (a libraryPuzzles, err error) {
	f, err := q.Filter.read()
	if err != nil {
		return a, err
	}
	a.Puzzles, a.More, err = written(q.page, l.Puzzles(ctx, f, q.order()), func(p *library.Puzzle) (libraryPuzzle, error) {
		return libraryPuzzle{p.Row(), Study{Position: p.Position.String(), Number: p.Number}}, nil
	})
	return a, err
}

// treeQuestion asks what was played from the position of the filter, or without one how Gold set
// up, or how Silver did after a setup of Gold.
type treeQuestion struct {
	Filter gameFilter `json:"filter"`
	After  string     `json:"after"`
	page
}

// treeAnswer is what was played. Its own score is that of all games.
type treeAnswer struct {
	library.ScoreRow
	Position *string                  `json:"position"` // null: what was set up
	Ended    int                      `json:"ended"`    // games that went no further
	Branches []encoded[libraryBranch] `json:"branches"`
	More     bool                     `json:"more"`
}

// libraryBranch is a turn or a setup.
type libraryBranch struct {
	Turn  *string `json:"turn"`
	Setup *string `json:"setup"`
	library.ScoreRow
	Position *string `json:"position"` // after the turn
}

func growTree(ctx context.Context, l *library.Library, q treeQuestion) (a treeAnswer, err error) {
	f, err := q.Filter.read()
	switch {
	case err != nil:
		return a, err
	case f.Position != nil && q.After != "":
		return a, meaningless("after", errors.New("it cannot be combined with a position"))
	case f.Material != "" || f.Class != "" || f.Pattern != nil:
		return a, meaningless("filter", errors.New("a tree asks nothing of a board but its position: leave out material, endgame and pattern"))
	}
	var tree *library.Tree
	if f.Position == nil {
		tree, err = l.Setups(ctx, q.After, f)
	} else {
		tree, err = l.Tree(ctx, f.Position, f)
		a.Position = new(f.Position.String())
	}
	if err != nil {
		return a, err
	}
	a.ScoreRow, a.Ended = tree.Row(), tree.Ended
	a.Branches, a.More, err = written(q.page, values(tree.Branches), func(b *library.Branch) (row libraryBranch, err error) {
		row.ScoreRow = b.Row()
		if f.Position == nil {
			row.Setup = &b.Setup
		} else {
			row.Turn, row.Position = new(f.Position.Notation(b.Turn)), new(b.After.String())
		}
		return row, nil
	})
	return a, err
}

// groupsQuestion asks for games counted in groups.
type groupsQuestion struct {
	Filter gameFilter `json:"filter"`
	By     string     `json:"by"` // as --by of goalproof library stats; "": all
	page
}

// groupsAnswer lists groups.
type groupsAnswer struct {
	Groups []encoded[library.GroupRow] `json:"groups"` // the largest first
	// Seated says that won and lost are the results of players, otherwise of Gold.
	Seated bool `json:"seated"`
	More   bool `json:"more"`
}

func countGroups(ctx context.Context, l *library.Library, q groupsQuestion) (a groupsAnswer, err error) {
	f, err := q.Filter.read()
	if err != nil {
		return a, err
	}
	q.By = cmp.Or(q.By, "all")
	groups, err := l.Stats(ctx, f, q.By)
	if err != nil {
		return a, err
	}
	a.Seated = f.Seated(q.By)
	a.Groups, a.More, err = written(q.page, values(groups), func(g *library.Group) (library.GroupRow, error) { return g.Row(q.By), nil })
	return a, err
}
