package train

import (
	"fmt"
	"time"

	"goalproof/internal/printable"
	"goalproof/puzzles/describe"
	"goalproof/solve/report"
)

// stats are what --stats shows.
type stats struct {
	Attempts   int        `json:"attempts"`
	Exercises  int        `json:"exercises"`
	Cleanly    int        `json:"cleanly"`
	Rating     float64    `json:"rating"`
	Deviation  float64    `json:"deviation"`
	Volatility float64    `json:"volatility"`
	Streak     int        `json:"streak"`
	Best       int        `json:"best"`
	Due        int        `json:"due_now"`
	Next       *time.Time `json:"next_due"`
	Themes     []counts   `json:"by_theme"`
}

// counts are those of the puzzles of a theme.
type counts struct {
	Theme   string `json:"theme"`
	Puzzles int    `json:"puzzles"`
	Tried   int    `json:"tried"`
	Cleanly int    `json:"cleanly"`
	Due     int    `json:"due_now"`
	// Means of those tried that have both; null if none has.
	Difficulty *float64 `json:"difficulty"`
	ByResults  *float64 `json:"difficulty_by_results"`

	difficulty, byResults float64 // sums
	both                  int
}

// stats counts what the record holds at a time. The themes are those of the puzzles.
func (s *session) stats(now time.Time) stats {
	r := &s.record
	a := stats{Attempts: r.Attempts, Exercises: len(r.Exercises), Rating: r.Player.Rating, Deviation: r.Player.Deviation,
		Volatility: r.Player.Volatility, Streak: r.Streak, Best: r.Best, Themes: []counts{}}
	for i := range r.Exercises {
		if r.Exercises[i].Clean > 0 {
			a.Cleanly++
		}
	}
	due, next := r.DueOf(now)
	if a.Due = due; !next.IsZero() {
		a.Next = &next
	}
	at := map[string]int{}
	var themes describe.Themes
	for i := range s.all {
		themes |= s.all[i].Themes
	}
	for i, theme := range themes.Names() {
		at[theme] = i
		a.Themes = append(a.Themes, counts{Theme: theme})
	}
	for i := range s.all {
		p := &s.all[i]
		k := r.Find(p.Position.String(), p.WinIn)
		for _, theme := range p.Themes.Names() {
			c := &a.Themes[at[theme]]
			c.Puzzles++
			if k < 0 {
				continue
			}
			c.Tried++
			if r.Exercises[k].Clean > 0 {
				c.Cleanly++
			}
			if r.IsDue(&r.Exercises[k], now) {
				c.Due++
			}
			c.compare(p.Difficulty, r.Exercises[k].Difficulty())
		}
	}
	return a
}

// compare adds a difficulty as predicted and by the results, if there are both.
func (c *counts) compare(predicted, results *float64) {
	if predicted == nil || results == nil {
		return
	}
	c.both++
	c.difficulty += *predicted
	c.byResults += *results
	c.Difficulty, c.ByResults = new(c.difficulty/float64(c.both)), new(c.byResults/float64(c.both))
}

// writeStats shows what the record holds.
func (s *session) writeStats(now time.Time) error {
	a := s.stats(now)
	if s.json {
		return report.WriteJSON(s.t.Out, a)
	}
	fmt.Fprintf(s.out, "Rating %.0f (deviation %.0f). Streak %d, best %d.\n", a.Rating, a.Deviation, a.Streak, a.Best)
	fmt.Fprintf(s.out, "%s at %s, %d solved without help. Due now: %d.\n", printable.Amount(a.Attempts, "attempt"),
		printable.Amount(a.Exercises, "exercise"), a.Cleanly, a.Due)
	if a.Next != nil {
		fmt.Fprintf(s.out, "The next one is due %s.\n", a.Next.Local().Format(time.DateTime))
	}
	if len(a.Themes) > 0 {
		fmt.Fprintf(s.out, "\n%-16s %8s %8s %8s %8s %11s %8s\n", "theme", "puzzles", "tried", "clean", "due", "difficulty", "for you")
	}
	for _, c := range a.Themes {
		fmt.Fprintf(s.out, "%-16s %8d %8d %8d %8d %11s %8s\n", c.Theme, c.Puzzles, c.Tried, c.Cleanly, c.Due, decimal(c.Difficulty), decimal(c.ByResults))
	}
	return nil
}

// decimal writes a difficulty, or a dash if there is none.
func decimal(d *float64) string {
	if d == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f", *d)
}
