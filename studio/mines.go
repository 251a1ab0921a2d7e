package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa/notation"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	themed "goalproof/puzzles/describe"
)

// The limits of mining.
const (
	mineTime    = 10 * time.Second // for the length of the win of a position, as goalproof mine takes
	mineListing = time.Minute      // for its solutions
	maxMined    = 5000             // puzzles of a job
)

// Mining is the progress of a job that mines puzzles.
type Mining struct {
	Games     int `json:"games"`     // that were begun
	Positions int `json:"positions"` // that were looked at
	Puzzles   int `json:"puzzles"`   // that were found, one of each idea
	Again     int `json:"again"`     // others, which show an idea met before
	Undecided int `json:"undecided"` // positions that were not decided in time
	Unread    int `json:"unread"`    // games and positions that could not be read
}

// says sums mining up.
func (m *Mining) says() string {
	text := fmt.Sprintf("%s in %s of %s", printable.Amount(m.Puzzles, "puzzle"), printable.Amount(m.Positions, "position"), printable.Amount(m.Games, "game"))
	if m.Again > 0 {
		text += fmt.Sprintf("; %d more showed an idea met before", m.Again)
	}
	if m.Undecided > 0 {
		text += fmt.Sprintf("; %s not decided in time", printable.Amount(m.Undecided, "position"))
	}
	if m.Unread > 0 {
		text += fmt.Sprintf("; %d could not be read", m.Unread)
	}
	return text
}

// mineRequest asks for the puzzles in games.
type mineRequest struct {
	kind
	Text    string   `json:"text,omitempty"` // the games
	Name    string   `json:"name"`           // of the text
	Archive string   `json:"archive"`        // of the workspace, in place of a text
	WinIn   int      `json:"win_in"`         // turns; 0: 2
	Themes  []string `json:"themes"`         // that a solution must have, all of them; null: none
	Unique  bool     `json:"unique"`         // only puzzles with a single solution
	searching
	timed // for each position
}

func (t *mineRequest) label() string { return notation.Legible(cmp.Or(t.Archive, t.Name)) }

// games opens the text to mine.
func (s *Server) games(t *mineRequest) (name string, text io.ReadCloser, err error) {
	switch {
	case t.Archive == "":
		return cmp.Or(notation.Legible(t.Name), "pasted"), io.NopCloser(strings.NewReader(t.Text)), nil
	case t.Text != "" || t.Name != "":
		return "", nil, errors.New("mine takes a text with its name, or an archive of the workspace")
	}
	f, err := s.openArchive(t.Archive)
	if err != nil {
		return "", nil, err
	}
	return t.Archive + archiveFiles.suffix, f, nil
}

// minable returns an error if a text has no position to mine: the first error in it.
func minable(name string, text io.Reader) error {
	var first error
	games := 0
	for p := range puzzles.Places(notation.Parts(notation.NewLines(name, text)), &games) {
		if p.Err == nil {
			return nil
		}
		first = cmp.Or(first, p.Err)
	}
	return cmp.Or(first, fmt.Errorf("%s: there is no position in it that a game leads to", name))
}

func (t *mineRequest) submit(s *Server) (Job, error) {
	t.WinIn = cmp.Or(t.WinIn, 2)
	limit, err := t.each(mineTime)
	if err := cmp.Or(err, within("win_in", t.WinIn, 2)); err != nil {
		return Job{}, err
	}
	themes, err := themed.ParseThemes(t.Themes)
	if err != nil {
		return Job{}, fmt.Errorf("themes: %w", err)
	}
	o, err := t.settle(s, true)
	if err != nil {
		return Job{}, err
	}
	name, text, err := s.games(t)
	if err != nil {
		return Job{}, err
	}
	err = minable(name, text)
	text.Close()
	if err != nil {
		return Job{}, err
	}
	given := *t
	t.Text = ""
	return s.queue.add(t, MaxTime, &o, o.Memory, func(ctx context.Context, j *job) (*Result, error) {
		_, text, err := s.games(&given) // the file may have gone
		if err != nil {
			return nil, err
		}
		defer text.Close()
		s.queue.followSolver(j)
		miner := puzzles.Miner{Turns: t.WinIn, Lines: true, Limit: answer.Limit{Time: limit}, Listing: answer.Limit{Time: mineListing}}
		sieve := puzzles.Sieve{Themes: themes, Unique: t.Unique}
		return s.mine(ctx, j, notation.NewLines(name, text), &miner, &sieve)
	})
}

// mine mines a text. Its finds are listed while it runs, and after it is stopped.
func (s *Server) mine(ctx context.Context, j *job, lines *notation.Lines, miner *puzzles.Miner, sieve *puzzles.Sieve) (*Result, error) {
	var m Mining
	more := ""
	for p := range puzzles.Places(notation.Parts(lines), &m.Games) {
		if err := s.queue.yield(ctx, j); ctx.Err() != nil {
			break
		} else if err != nil {
			return nil, err
		}
		miner.Solver = j.solver
		if p.Err != nil {
			m.Unread++
			s.queue.mined(j, m)
			continue
		}
		s.queue.mined(j, m)
		began := time.Now()
		found, judged, err := miner.Look(ctx, p.Position)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		case ctx.Err() != nil && found == nil:
			continue // it was not decided, because the job is over
		}
		m.Positions++
		if judged.Verdict == answer.Unknown {
			m.Undecided++
		}
		keep := sieve.Keep(found)
		if m.Again = sieve.Again; keep {
			m.Puzzles++
			r := found.Result(p.Name)
			r.Puzzle.Number = p.Number
			r.Time = time.Since(began)
			s.queue.verified(j, verified(&r), r, 0)
		}
		s.queue.mined(j, m)
		if m.Puzzles == maxMined {
			more = " A job lists no more: the rest was not looked at."
			break
		}
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted: %s so far", m.says())
	}
	return s.finishSet("mined", m.says()+"."+more)
}

// mined records the progress of mining.
func (q *queue) mined(j *job, m Mining) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.mined = &m
	j.parts = [2]int{m.Puzzles, 0}
}
