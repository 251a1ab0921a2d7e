package training

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"goalproof/solve"
)

// The limits of a record.
const (
	MaxExercises = 5000    // that are remembered
	MaxBytes     = 4 << 20 // of the file
	MaxRecent    = 100     // attempts whose ids are remembered
	Version      = 2       // of the file that is written; version 1 is read, too
)

// Record is what is remembered of a person's training.
type Record struct {
	Version   int        `json:"version"`
	Attempts  int        `json:"attempts"`         // that were ever added
	Streak    int        `json:"streak"`           // the last attempts in a row that were clean
	Best      int        `json:"best"`             // the longest streak
	Player    Rating     `json:"player"`           // the person's
	Exercises []Exercise `json:"exercises"`        // the one that was tried last is the last one
	Recent    []string   `json:"recent,omitempty"` // the ids of the last attempts that had one
}

// Exercise is the record of one exercise.
type Exercise struct {
	Position string  `json:"position"` // one line, as arimaa.Position writes it
	WinIn    int     `json:"win_in"`
	Tries    int     `json:"tries"`
	Solved   int     `json:"solved"`  // of the tries, with help or without
	Clean    int     `json:"clean"`   // of those solved, without a mistake or a hint
	Seconds  float64 `json:"seconds"` // of the fastest that was solved; 0: none was
	Rating   *Rating `json:"rating"`  // null before its first game
	// Stage is that on the schedule: 0: none; 1: it failed last; 2 and more: it waits for days.
	Stage int       `json:"stage"`
	Due   time.Time `json:"due,omitzero"`    // with a stage: when it is due
	After int       `json:"after,omitempty"` // on the first stage: or after so many attempts of the record; an early one at it adds 1
}

// Attempt is an attempt at an exercise.
type Attempt struct {
	ID         string // one that is added again counts once; "": each counts
	Position   string
	WinIn      int
	Difficulty *float64 // of the exercise, or nil: for its rating, if it is new
	Solved     bool
	Mistakes   int
	Hints      int
	Seconds    float64
	// Later says that the attempt was added before, as one that had failed, under another id, and has
	// now been solved with help. Only that is added to the exercise.
	Later bool
}

// Clean reports whether the exercise was solved without a mistake and without a hint.
func (a *Attempt) Clean() bool { return a.Solved && a.Mistakes == 0 && a.Hints == 0 && !a.Later }

// Empty returns the record of a person who begins.
func Empty() Record { return Record{Version: Version, Player: New, Exercises: []Exercise{}} }

// Copy returns a record that shares nothing with this one that changes.
func (r *Record) Copy() Record {
	c := *r
	c.Exercises, c.Recent = slices.Clone(r.Exercises), slices.Clone(r.Recent)
	return c
}

// Parse reads the text of a file. A record of version 1 has no ratings: they begin anew, and what was
// never clean is due. The error says that the text is no record of a version that this program
// knows.
func Parse(text []byte) (r Record, err error) {
	if err := json.Unmarshal(text, &r); err != nil {
		return r, err
	}
	switch r.Version {
	case Version:
	case 1:
		r.migrate()
	default:
		return r, fmt.Errorf("it has version %d of the training, and this program knows %d and before", r.Version, Version)
	}
	return r, r.check()
}

// migrate turns a record of version 1 into one of version 2.
func (r *Record) migrate() {
	r.Version, r.Player, r.Attempts = Version, New, 0
	for i := range r.Exercises {
		e := &r.Exercises[i]
		r.Attempts += e.Tries
		e.Rating, e.Due, e.After = nil, time.Time{}, 0
		if e.Stage = 0; e.Clean == 0 {
			e.Stage = 1
		}
	}
}

// check returns an error if a record is inconsistent.
func (r *Record) check() error {
	if r.Streak < 0 || r.Best < r.Streak || r.Attempts < 0 || !r.Player.valid() || len(r.Exercises) > MaxExercises || r.Exercises == nil ||
		len(r.Recent) > MaxRecent {
		return errors.New("the numbers do not agree")
	}
	for i := range r.Exercises {
		e := &r.Exercises[i]
		if e.WinIn < 1 || e.WinIn > solve.MaxTurns || e.Clean < 0 || e.Solved < e.Clean || e.Tries < e.Solved || !(e.Seconds >= 0) ||
			e.Stage < 0 || e.Stage > lastStage || e.Rating != nil && !e.Rating.valid() {
			return fmt.Errorf("exercise %d: the numbers do not agree", i+1)
		}
	}
	return nil
}

// valid reports whether a rating can be one: no computation with it fails.
func (r *Rating) valid() bool {
	return math.Abs(r.Rating) < 1e6 && r.Deviation > 0 && r.Deviation <= mostDeviation && r.Volatility > 0 && r.Volatility < 10
}

// Find returns the index of an exercise, or -1. With winIn 0 the position alone counts.
func (r *Record) Find(position string, winIn int) int {
	return slices.IndexFunc(r.Exercises, func(e Exercise) bool { return e.Position == position && (e.WinIn == winIn || winIn == 0) })
}

// Add adds an attempt that ended at a time. One whose id has been added before changes nothing.
func (r *Record) Add(a *Attempt, now time.Time) {
	if a.ID != "" {
		if slices.Contains(r.Recent, a.ID) {
			return
		}
		r.Recent = append(r.Recent, a.ID)
		r.Recent = r.Recent[max(0, len(r.Recent)-MaxRecent):]
	}
	e, known := Exercise{Position: a.Position, WinIn: a.WinIn}, false
	if i := r.Find(a.Position, a.WinIn); i >= 0 {
		e, known = r.Exercises[i], true
		r.Exercises = slices.Delete(r.Exercises, i, i+1)
	}
	if !a.Later || !known {
		r.count(&e, a, now)
	}
	if a.Solved {
		if e.Solved == 0 || a.Seconds < e.Seconds {
			e.Seconds = a.Seconds
		}
		e.Solved = min(e.Solved+1, e.Tries)
	}
	if len(r.Exercises) == MaxExercises {
		r.forget()
	}
	r.Exercises = append(r.Exercises, e)
}

// count counts an attempt as a try: for the ratings, the streak and the schedule.
func (r *Record) count(e *Exercise, a *Attempt, now time.Time) {
	clean := a.Clean()
	due := e.Tries == 0 || r.IsDue(e, now)
	if due {
		r.rate(e, a, clean)
	}
	r.Attempts++
	e.Tries++
	if clean {
		e.Clean++
		r.Streak++
		r.Best = max(r.Best, r.Streak)
	} else {
		r.Streak = 0
	}
	r.schedule(e, clean, due, now)
}

// rate counts a game.
func (r *Record) rate(e *Exercise, a *Attempt, clean bool) {
	player, puzzle := r.Player, RatingOf(a.WinIn, a.Difficulty)
	if e.Rating != nil {
		puzzle = *e.Rating
	}
	score := 0.0
	if clean {
		score = 1
	}
	r.Player = player.After(Game{puzzle, score})
	e.Rating = new(puzzle.After(Game{player, 1 - score}))
}

// forget removes the exercise that was tried first, if possible one that is not on the schedule.
func (r *Record) forget() {
	i := max(0, slices.IndexFunc(r.Exercises, func(e Exercise) bool { return e.Stage == 0 }))
	r.Exercises = slices.Delete(r.Exercises, i, i+1)
}
