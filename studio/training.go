package studio

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"goalproof/arimaa/notation"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/describe"
	"goalproof/puzzles/training"
	"goalproof/solve"
)

// The limits of an attempt.
const (
	maxCounted   = 1 << 30 // mistakes, hints
	maxAttemptID = 64      // bytes
)

// Training is the record of the exercises that were tried.
type Training struct {
	Version   int        `json:"version"`
	Streak    int        `json:"streak"`           // exercises solved in a row, without a mistake or a hint
	Best      int        `json:"best"`             // the longest streak
	Rating    float64    `json:"rating"`           // of the person, by Glicko-2
	Deviation float64    `json:"deviation"`        // of the rating
	Due       int        `json:"due"`              // exercises that are due
	Exercises []Exercise `json:"exercises"`        // the one that was tried last is the last one
	Recent    []string   `json:"recent,omitempty"` // the ids of the last attempts that had one
}

// Exercise is the record of one exercise.
type Exercise struct {
	Position string   `json:"position"`
	WinIn    int      `json:"win_in"`
	Tries    int      `json:"tries"`
	Solved   int      `json:"solved"`  // of the tries, with help or without
	Clean    int      `json:"clean"`   // of those solved, without a mistake or a hint
	Seconds  float64  `json:"seconds"` // of the fastest that was solved; 0: none was
	Rating   *float64 `json:"rating"`  // of the exercise; null before its first game
	Due      bool     `json:"due"`     // it failed, and is to be tried again now
	// ByResults is its difficulty by the person's results; null while they say too little, and of a win in one.
	ByResults *float64 `json:"difficulty_by_results"`
}

// Attempt is an attempt at an exercise, as the client reports it.
type Attempt struct {
	ID         string   `json:"id,omitempty"` // one that is sent again counts once; "": each counts
	Study      Study    `json:"study"`        // without turns
	WinIn      int      `json:"win_in"`
	Difficulty *float64 `json:"difficulty,omitempty"` // of the exercise, as its set has it
	Solved     bool     `json:"solved"`
	Mistakes   int      `json:"mistakes"`
	Hints      int      `json:"hints"`
	Seconds    float64  `json:"seconds"`
	Later      bool     `json:"later,omitempty"` // it was sent before as failed, under another id, and has now been solved with help
}

// trainingFile is the file of the training in the workspace.
var trainingFile = stateFile{kind: "training", file: training.Name, what: "training", most: training.MaxBytes, newest: training.Version}

// trainer keeps the record of a training in the workspace, or in memory without one.
type trainer struct {
	root *os.Root
	mu   sync.Mutex
	training.Record
}

// openTraining reads the training of a workspace; it is empty if there is no file or no workspace.
// The notice says if the file was damaged.
func openTraining(root *os.Root) (t *trainer, notice string, err error) {
	t = &trainer{root: root, Record: training.Empty()}
	notice, err = trainingFile.open(root, func(text []byte) error {
		found, err := training.Parse(text)
		if err == nil {
			t.Record = found
		}
		return err
	})
	return t, notice, err
}

// file is the file of the record, if there is a workspace.
func (t *trainer) file() training.File { return training.File{Root: t.root, Name: training.Name} }

// latest returns the record, to which the command train may have added. What cannot be read now is
// as it was.
func (t *trainer) latest() training.Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.root != nil {
		if now, err := t.file().Read(); err == nil {
			t.Record = now
		}
	}
	return t.Copy()
}

// trained answers with the training.
func (s *Server) trained() Training { return trainingOf(s.training.latest(), time.Now()) }

// trainingOf is the answer about a record at a time.
func trainingOf(r training.Record, now time.Time) Training {
	due, _ := r.DueOf(now)
	a := Training{r.Version, r.Streak, r.Best, r.Player.Rating, r.Player.Deviation, due, make([]Exercise, len(r.Exercises)), r.Recent}
	for i := range r.Exercises {
		e := &r.Exercises[i]
		a.Exercises[i] = Exercise{e.Position, e.WinIn, e.Tries, e.Solved, e.Clean, e.Seconds, nil, r.IsDue(e, now), e.Difficulty()}
		if e.Rating != nil {
			a.Exercises[i].Rating = &e.Rating.Rating
		}
	}
	return a
}

// attempt adds an attempt and answers with the resulting training, which is durable. One that it has
// added before changes nothing: its answer may have been lost.
func (s *Server) attempt(a Attempt) (Training, error) {
	p, err := a.Study.read()
	switch {
	case err != nil:
		return Training{}, err
	case p.game.Len() > 0 || p.steps.Len() > 0:
		return Training{}, errors.New("the study of an exercise has no turns or steps")
	case len(a.ID) > maxAttemptID:
		return Training{}, fmt.Errorf("the id of an attempt has at most %d bytes", maxAttemptID)
	case a.WinIn < 1 || a.WinIn > solve.MaxTurns:
		return Training{}, fmt.Errorf("win_in %d: it is 1 to %d", a.WinIn, solve.MaxTurns)
	case a.Mistakes < 0 || a.Mistakes > maxCounted || a.Hints < 0 || a.Hints > maxCounted:
		return Training{}, errors.New("mistakes and hints are not negative, and no great numbers")
	case a.Difficulty != nil && !(*a.Difficulty >= 0 && *a.Difficulty <= describe.MaxDifficulty):
		return Training{}, fmt.Errorf("difficulty %v: it is 0 to %d", *a.Difficulty, describe.MaxDifficulty)
	case !(a.Seconds >= 0 && a.Seconds <= MaxTime.Seconds()):
		return Training{}, fmt.Errorf("seconds %v: it is 0 to %v", a.Seconds, MaxTime.Seconds())
	}
	t, now := s.training, time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	added := training.Attempt{ID: a.ID, Position: p.game.Position(0).String(), WinIn: a.WinIn, Difficulty: a.Difficulty,
		Solved: a.Solved, Mistakes: a.Mistakes, Hints: a.Hints, Seconds: a.Seconds, Later: a.Later}
	if t.root == nil {
		t.Add(&added, now)
	} else if t.Record, err = t.added(&added, now); err != nil {
		return Training{}, later{unsaved("the training was", err)}
	}
	s.changedFile(trainingFile.kind, trainingFile.what, fmt.Sprint(t.Attempts))
	return trainingOf(t.Copy(), now), nil
}

// added returns the record of the file with an attempt, or after an error the record as it was.
func (t *trainer) added(a *training.Attempt, now time.Time) (training.Record, error) {
	r, err := t.file().Add(a, now)
	if err != nil {
		return t.Record, err
	}
	return r, nil
}

// collected is a puzzle of the collection.
type collected struct {
	Label      string   `json:"label"`
	Study      Study    `json:"study"`
	WinIn      int      `json:"win_in"`     // of the shortest win
	Difficulty *float64 `json:"difficulty"` // null of a win in one
	Themes     []string `json:"themes"`
	Idea       string   `json:"idea"` // a sentence about the solution, or ""
}

// collectionAnswer lists them.
type collectionAnswer struct {
	Puzzles []collected `json:"puzzles"`
}

// collectionOf returns the collection, in the order of the numbers.
func collectionOf() (a collectionAnswer) {
	for _, p := range training.Collection(collection.Filter{}) {
		a.Puzzles = append(a.Puzzles, collected{p.Name, Study{Position: p.Position.String()}, p.WinIn, p.Difficulty, p.Themes.Names(), p.Idea})
	}
	return a
}

// nextQuestion asks which of some exercises comes next.
type nextQuestion struct {
	Exercises []offered `json:"exercises"`
}

// offered is an exercise that may come.
type offered struct {
	Position   string   `json:"position"`
	WinIn      int      `json:"win_in"`
	Difficulty *float64 `json:"difficulty,omitempty"`
}

// nextAnswer is what comes next.
type nextAnswer struct {
	Next  *int       `json:"next"`  // the index of the exercise; null if none is due, new, or failed last
	Waits *time.Time `json:"waits"` // when the first of those is due that are not due yet; null: none waits
}

// next chooses an exercise by the schedule. The same record and exercises give the same choice.
func (s *Server) next(q nextQuestion) (a nextAnswer, err error) {
	all := make([]training.Puzzle, len(q.Exercises))
	for i, e := range q.Exercises {
		p, err := notation.ParsePosition(e.Position)
		if err != nil {
			return a, fmt.Errorf("exercise %d: %w", i, err)
		}
		all[i] = training.Puzzle{Position: p, WinIn: e.WinIn, Difficulty: e.Difficulty}
	}
	r, now := s.training.latest(), time.Now()
	if i := training.Next(all, &r, now, nil, rand.New(rand.NewPCG(uint64(r.Attempts), 0))); i >= 0 {
		a.Next = &i
	}
	if waits := training.Waits(all, &r, now); !waits.IsZero() {
		a.Waits = &waits
	}
	return a, nil
}
