package match

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"goalproof/engine/match"
)

// totals is the JSON of all games.
type totals struct {
	Games      int     `json:"games"`
	Planned    int     `json:"planned"`
	Repeats    int     `json:"repeats"`
	Players    []entry `json:"players"`
	Difference *rating `json:"difference"` // of the first program over the second; null with more than two
	SPRT       *string `json:"sprt"`
	Seconds    float64 `json:"seconds"`
}

// entry is the JSON of a program.
type entry struct {
	Player  string `json:"player"`
	Name    string `json:"name"`
	Program string `json:"program"`
	Counted int    `json:"counted"`
	Points  int    `json:"points"`
	rating
}

// rating is in Elo points, with a 95 % interval; null is infinite or unknown.
type rating struct {
	Elo  *float64 `json:"elo"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// finite returns a number for JSON, nil if it is not finite. Zero loses its sign.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return new(x + 0)
}

func newRating(elo, low, high float64) rating { return rating{finite(elo), finite(low), finite(high)} }

// gameFields returns the JSON of a game.
func gameFields(p *match.Played) any {
	var repeats *int
	if p.First != p.Number {
		repeats = new(p.First + 1)
	}
	return struct {
		Game    int    `json:"game"`
		Gold    string `json:"gold"`
		Silver  string `json:"silver"`
		Winner  string `json:"winner"`
		Side    string `json:"side"`
		Ended   string `json:"ended"`
		Detail  string `json:"detail"`
		Turn    string `json:"turn"`
		Repeats *int   `json:"repeats"`
	}{
		p.Number + 1, letter(p.Seats[0]), letter(p.Seats[1]), letter(p.Winner()), p.Result.Winner.String(), string(p.Ending), p.Detail,
		p.Game.Label(p.Game.Len()), repeats,
	}
}

// total returns the JSON of all games.
func (c *contest) total(used time.Duration) totals {
	entries, _ := c.table()
	standing := c.standing
	t := totals{Games: standing.Games(), Planned: c.games, Repeats: standing.Repeats, Players: entries, Seconds: used.Seconds()}
	if len(c.plan.Names) == 2 {
		t.Difference = new(rating)
		if standing.Tally.Games() > 0 {
			*t.Difference = newRating(standing.Tally.Elo())
		}
	}
	if c.test != nil {
		t.SPRT = new(c.decided().String())
	}
	return t
}

// table returns the programs in the order of the command line. The error says why there are no
// ratings.
func (c *contest) table() (entries []entry, err error) {
	wins := c.standing.Wins(len(c.plan.Names))
	ratings, err := wins.Ratings()
	for i, name := range c.plan.Names {
		e := entry{Player: letter(i), Name: name, Program: c.plan.Programs[i]}
		for j := range wins {
			e.Points += wins[i][j]
			e.Counted += wins[i][j] + wins[j][i]
		}
		if err == nil {
			e.rating = newRating(ratings[i].Elo, ratings[i].Low, ratings[i].High)
		}
		entries = append(entries, e)
	}
	return entries, err
}

// writeTable writes the programs, the best first.
func (c *contest) writeTable() {
	entries, err := c.table()
	w := c.t.Out
	slices.SortStableFunc(entries, func(a, b entry) int {
		if err == nil {
			return cmp.Compare(*b.Elo, *a.Elo)
		}
		return cmp.Compare(b.Points*max(a.Counted, 1), a.Points*max(b.Counted, 1))
	})
	fmt.Fprintf(w, "\n   %5s  %6s  %-20s  %s\n", "games", "points", "Elo", "program")
	for _, e := range entries {
		elo := "unknown"
		if err == nil {
			elo = fmt.Sprintf("%+.0f [%+.0f, %+.0f]", *e.Elo, *e.Low, *e.High)
		}
		fmt.Fprintf(w, "%s  %5d  %6d  %-20s  %s\n", e.Player, e.Counted, e.Points, elo, e.Name)
	}
	if err != nil {
		fmt.Fprintf(w, "No ratings: %v.\n", err)
	} else {
		fmt.Fprintln(w, "Elo counts from the mean of all programs.")
	}
}
