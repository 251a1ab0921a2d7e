// Package trainee trains on the collection in tests, in the terminal and in the browser: it finds
// the turns to play, fails by plan, and checks what the ratings and the schedule make of it.
package trainee

import (
	"context"
	"math"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/internal/testkit/glicko"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/training"
	"goalproof/solve"
)

// Turn returns a turn at a position that keeps a win within so many turns, or one of one step that
// does not.
func Turn(t testing.TB, s *solve.Solver, p arimaa.Position, within int, keeps bool) arimaa.Turn {
	t.Helper()
	q := solve.Question{Position: p, Deepest: within}
	if keeps {
		a, err := s.Solve(context.Background(), q)
		if err != nil || len(a.Line) == 0 {
			t.Fatalf("no win in %d at %v: %v", within, p, err)
		}
		return a.Line[0].Turn
	}
	at := arimaa.NewState(p)
	for _, step := range at.Steps(nil) {
		turn := arimaa.Turn{}.With(step)
		if _, legal := p.Try(turn); !legal {
			continue
		}
		if a, err := s.Try(context.Background(), q, turn); err == nil && a.Verdict == answer.Disproved {
			return turn
		}
	}
	t.Fatalf("no wrong turn of one step at %v", p)
	return arimaa.Turn{}
}

// Plan says how the attempt of a number, from 0, fails: by a wrong "turn", a "hint" or the
// "solution"; "" if it is to be clean. None that comes again after three others is to fail.
func Plan(i int) string {
	if i%5 != 2 {
		return ""
	}
	return []string{"turn", "hint", "solution"}[i/5%3]
}

// Result is what is told after an attempt.
type Result struct {
	Name              string  // of the puzzle
	Rating, Deviation float64 // of the person
	Puzzle            float64 // rating of the puzzle
}

// begin returns the rating with which a puzzle of the collection begins.
func begin(t testing.TB, p *training.Puzzle) training.Rating {
	t.Helper()
	if p.WinIn == 1 {
		return training.Rating{Rating: 1150, Deviation: 350, Volatility: 0.06}
	}
	if p.Difficulty == nil {
		t.Fatalf("%s has no difficulty", p.Name)
	}
	r := training.Rating{Rating: 1500 + 120*(*p.Difficulty-5) + 120*float64(p.WinIn-2), Deviation: 200, Volatility: 0.06}
	if p.WinIn > 3 {
		r.Deviation = 350
	}
	return r
}

// Check checks results of attempts at the collection by Plan, from the first one of a record on. A
// plain computation gives the ratings. What fails comes again after three others, and whatever else
// comes is new and one of the five nearest to the rating of the person minus its deviation.
func Check(t testing.TB, results []Result) {
	t.Helper()
	player, puzzles := training.New, map[string]training.Rating{}
	begins := map[string]training.Rating{}
	for _, p := range training.Collection(collection.Filter{}) {
		begins[p.Name] = begin(t, &p)
	}
	for i, r := range results {
		puzzle, tried := puzzles[r.Name]
		switch again := i - training.Between - 1; {
		case again >= 0 && Plan(again) != "":
			if r.Name != results[again].Name {
				t.Errorf("attempt %d: %s comes, and %s has failed", i, r.Name, results[again].Name)
			}
		case tried:
			t.Errorf("attempt %d: %s comes again", i, r.Name)
		default:
			puzzle = begins[r.Name]
			sought, nearer := player.Rating-player.Deviation, 0
			for name, other := range begins {
				if _, tried := puzzles[name]; !tried && math.Abs(other.Rating-sought) < math.Abs(puzzle.Rating-sought) {
					nearer++
				}
			}
			if nearer > 4 {
				t.Errorf("attempt %d: %d new puzzles are nearer to %v than %s with %v", i, nearer, sought, r.Name, puzzle.Rating)
			}
		}
		score := 1.0
		if Plan(i) != "" {
			score = 0
		}
		player, puzzles[r.Name] = glicko.Game(player, puzzle, score), glicko.Game(puzzle, player, 1-score)
		if away := math.Abs(r.Rating-player.Rating) + math.Abs(r.Deviation-player.Deviation) + math.Abs(r.Puzzle-puzzles[r.Name].Rating); !(away < 0.01) {
			t.Errorf("attempt %d: %+v, want %+v and %+v", i, r, player, puzzles[r.Name])
		}
	}
}
