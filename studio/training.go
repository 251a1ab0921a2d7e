package studio

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"goalproof/arimaa/notation"
	"goalproof/examples"
	"goalproof/puzzles"
	"goalproof/solve"
)

// The limits of a training.
const (
	MaxExercises    = 5000    // that are remembered
	maxTraining     = 4 << 20 // bytes of the file
	maxCounted      = 1 << 30 // mistakes, hints, tries
	maxRecent       = 100     // attempts whose ids are remembered
	maxAttemptID    = 64      // bytes
	trainingVersion = 1
)

// Training is the record of the exercises that were tried.
type Training struct {
	Version   int        `json:"version"`
	Streak    int        `json:"streak"`           // exercises solved in a row, without a mistake or a hint
	Best      int        `json:"best"`             // the longest streak
	Exercises []Exercise `json:"exercises"`        // the one that was tried last is the last one
	Recent    []string   `json:"recent,omitempty"` // the ids of the last attempts that had one
}

// Exercise is the record of one exercise.
type Exercise struct {
	Position string  `json:"position"`
	WinIn    int     `json:"win_in"`
	Tries    int     `json:"tries"`
	Solved   int     `json:"solved"`  // of the tries, with help or without
	Clean    int     `json:"clean"`   // of those solved, without a mistake or a hint
	Seconds  float64 `json:"seconds"` // of the fastest that was solved; 0: none was
}

// Attempt is an attempt at an exercise, as the client reports it.
type Attempt struct {
	ID       string  `json:"id,omitempty"` // one that is sent again counts once; "": each counts
	Study    Study   `json:"study"`        // without turns
	WinIn    int     `json:"win_in"`
	Solved   bool    `json:"solved"`
	Mistakes int     `json:"mistakes"`
	Hints    int     `json:"hints"`
	Seconds  float64 `json:"seconds"`
}

// trainingFile is the file of the training in the workspace.
var trainingFile = stateFile{kind: "training", file: "training.json", what: "training", most: maxTraining, newest: trainingVersion}

// training keeps a Training in the workspace, or in memory without one.
type training struct {
	root *os.Root
	mu   sync.Mutex
	Training
}

// openTraining reads the training of a workspace; it is empty if there is no file or no workspace.
// The notice says if the file was damaged.
func openTraining(root *os.Root) (t *training, notice string, err error) {
	t = &training{root: root, Training: Training{Version: trainingVersion, Exercises: []Exercise{}}}
	notice, err = trainingFile.open(root, func(text []byte) error {
		var found Training
		if err := cmp.Or(json.Unmarshal(text, &found), found.check()); err != nil {
			return err
		}
		t.Training = found
		return nil
	})
	return t, notice, err
}

// check returns an error if a training is inconsistent.
func (t *Training) check() error {
	if t.Streak < 0 || t.Best < t.Streak || len(t.Exercises) > MaxExercises || t.Exercises == nil || len(t.Recent) > maxRecent {
		return errors.New("the numbers do not agree")
	}
	for i := range t.Exercises {
		e := &t.Exercises[i]
		if e.WinIn < 1 || e.WinIn > solve.MaxTurns || e.Clean < 0 || e.Solved < e.Clean || e.Tries < e.Solved || !(e.Seconds >= 0) {
			return fmt.Errorf("exercise %d: the numbers do not agree", i+1)
		}
	}
	return nil
}

// trained answers with the training.
func (s *Server) trained() Training {
	s.training.mu.Lock()
	defer s.training.mu.Unlock()
	return s.training.shown()
}

// shown is a copy. The lock is held.
func (t *training) shown() Training {
	c := t.Training
	c.Exercises, c.Recent = slices.Clone(c.Exercises), slices.Clone(c.Recent)
	return c
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
	case !(a.Seconds >= 0 && a.Seconds <= MaxTime.Seconds()):
		return Training{}, fmt.Errorf("seconds %v: it is 0 to %v", a.Seconds, MaxTime.Seconds())
	}
	t := s.training
	t.mu.Lock()
	defer t.mu.Unlock()
	next := t.shown()
	if a.ID != "" && slices.Contains(next.Recent, a.ID) {
		return next, nil
	}
	next.add(p.game.Position(0).String(), &a)
	v, err := trainingFile.write(t.root, &next)
	if err != nil {
		return Training{}, unsaved("the training was", err)
	}
	t.Training = next
	s.changedFile(trainingFile.kind, trainingFile.what, v)
	return t.shown(), nil
}

// add adds an attempt at a position.
func (t *Training) add(position string, a *Attempt) {
	if a.ID != "" {
		t.Recent = append(t.Recent, a.ID)
		t.Recent = t.Recent[max(0, len(t.Recent)-maxRecent):]
	}
	e := Exercise{Position: position, WinIn: a.WinIn}
	if i := slices.IndexFunc(t.Exercises, func(e Exercise) bool { return e.Position == position && e.WinIn == a.WinIn }); i >= 0 {
		e = t.Exercises[i]
		t.Exercises = slices.Delete(t.Exercises, i, i+1)
	}
	e.Tries++
	clean := a.Solved && a.Mistakes == 0 && a.Hints == 0
	if a.Solved {
		if e.Solved == 0 || a.Seconds < e.Seconds {
			e.Seconds = a.Seconds
		}
		e.Solved++
	}
	if clean {
		e.Clean++
		t.Streak++
		t.Best = max(t.Best, t.Streak)
	} else {
		t.Streak = 0
	}
	if len(t.Exercises) == MaxExercises {
		t.Exercises = slices.Delete(t.Exercises, 0, 1)
	}
	t.Exercises = append(t.Exercises, e)
}

// examplePuzzle is one of the built-in puzzles.
type examplePuzzle struct {
	Label      string   `json:"label"`
	Study      Study    `json:"study"`
	WinIn      int      `json:"win_in"` // of the shortest win
	Difficulty *float64 `json:"difficulty"`
	Themes     []string `json:"themes"`
}

// examplesAnswer lists them.
type examplesAnswer struct {
	Puzzles []examplePuzzle `json:"puzzles"`
}

// builtIn returns the built-in puzzles. A test proves what their table claims.
var builtIn = sync.OnceValues(func() (a examplesAnswer, err error) {
	rows := strings.Split(strings.TrimSuffix(examples.Mined, "\n"), "\n")
	names := strings.Split(rows[0], "\t")
	difficulty, themes := slices.Index(names, "difficulty"), slices.Index(names, "themes")
	if difficulty < 0 || themes < 0 {
		return a, errors.New("the puzzles of the program lack a column")
	}
	for p := range puzzles.Parse(notation.NewLines("examples", strings.NewReader(examples.Mined))) {
		if p.Err != nil {
			return a, p.Err
		}
		cells := strings.Split(rows[p.Line-1], "\t")
		hard, err := strconv.ParseFloat(cells[difficulty], 64)
		if err != nil {
			return a, fmt.Errorf("line %d: %w", p.Line, err)
		}
		// The last word of the name is the label of the turn in its game, such as 54s.
		number, err := strconv.Atoi(strings.TrimRight(p.Name[strings.LastIndexByte(p.Name, ' ')+1:], "gs"))
		if err != nil {
			return a, fmt.Errorf("line %d: %w", p.Line, err)
		}
		a.Puzzles = append(a.Puzzles, examplePuzzle{p.Name, Study{Position: p.Position.String(), Number: number}, p.Claim, &hard,
			strings.Split(cells[themes], ", ")})
	}
	return a, nil
})
