package goal

import (
	"math/rand/v2"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/internal/testkit/load"
)

// searchPositions returns what a search for a win in two asks about, from the published puzzles:
// after a sample of the attacker's turns, the attacker to move after a cheap reply (three of five),
// the attacker to move as if the defender had passed, and the defender to move.
func searchPositions(t testing.TB) []arimaa.Position {
	const turns = 60 // of the attacker, from each puzzle
	random := rand.New(rand.NewPCG(1, 2))
	var all []arimaa.Position
	var g arimaa.Generator
	add := func(p arimaa.Position) {
		if !p.Board.Ended(p.Side().Other()).Over() {
			all = append(all, p)
		}
	}
	for _, c := range load.Claims(t, load.WinsInTwo) {
		p := c.Position
		n := g.Generate(&p)
		for range turns {
			defence := g.Position(random.IntN(n), p.Side())
			if defence.Board.Ended(p.Side()).Over() {
				continue
			}
			add(defence)
			all = append(all, defence.EndTurn())
			options := defence.Options(nil)
			for range 3 {
				add(defence.After(options[random.IntN(len(options))]).EndTurn())
			}
		}
	}
	return all
}

// BenchmarkWin asks for the quickest win of this turn, BenchmarkCanWin for any and BenchmarkGoal
// for a goal, on the positions of the published games at the start of a turn and on those that a
// search for a win in two meets.
func BenchmarkWin(b *testing.B) {
	benchmark(b, func(d *Detector, p *arimaa.Position) Distance {
		found, _ := d.Win(p, &p.Board)
		return found
	})
}

func BenchmarkCanWin(b *testing.B) {
	benchmark(b, func(d *Detector, p *arimaa.Position) Distance {
		if _, ok := d.CanWin(p, &p.Board); ok {
			return Already
		}
		return None
	})
}

func BenchmarkGoal(b *testing.B) {
	benchmark(b, func(d *Detector, p *arimaa.Position) Distance {
		found, _ := d.Goal(p, &p.Board)
		return found
	})
}

func benchmark(b *testing.B, ask func(*Detector, *arimaa.Position) Distance) {
	var games []arimaa.Position
	for _, p := range gamePositions(b) {
		if p.Unusual() == nil {
			games = append(games, p)
		}
	}
	b.Run("games", func(b *testing.B) { benchmarkOn(b, games, ask) })
	b.Run("search", func(b *testing.B) { benchmarkOn(b, recorded(b), ask) })
	b.Run("threats", func(b *testing.B) { benchmarkOn(b, searchPositions(b), ask) })
}

func benchmarkOn(b *testing.B, positions []arimaa.Position, ask func(*Detector, *arimaa.Position) Distance) {
	var d Detector
	answers := 0
	b.ReportAllocs()
	for b.Loop() {
		for i := range positions {
			ask(&d, &positions[i])
		}
		answers += len(positions)
	}
	b.ReportMetric(float64(answers)/b.Elapsed().Seconds(), "answers/s")
	b.ReportMetric(float64(slowest(&d, positions, ask).Nanoseconds())/1000, "slowest-µs")
}

// slowest returns the time of the answer that takes longest, each the best of three.
func slowest(d *Detector, positions []arimaa.Position, ask func(*Detector, *arimaa.Position) Distance) time.Duration {
	var longest time.Duration
	for i := range positions {
		best := time.Hour
		for range 3 {
			before := time.Now()
			ask(d, &positions[i])
			best = min(best, time.Since(before))
		}
		longest = max(longest, best)
	}
	return longest
}

// BenchmarkCapture asks for the quickest capture of any piece on the same positions.
func BenchmarkCapture(b *testing.B) {
	any := CaptureOf(arimaa.None, arimaa.Traps)
	benchmark(b, func(d *Detector, p *arimaa.Position) Distance {
		found, _ := d.Capture(p, any)
		return found
	})
}
