package reviews

import (
	"io"
	"math"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/review"
	"goalproof/solve/report"
)

// jsonOutput writes an object for each game.
type jsonOutput struct{ out io.Writer }

func (w *jsonOutput) finish() {}

// factJSON is the state of a question.
type factJSON struct {
	Verdict string `json:"verdict"`
	report.Bounds
	Tabled  bool    `json:"tabled"`
	Stopped *string `json:"stopped"`
}

func factOf(f *review.Fact) factJSON {
	j := factJSON{Verdict: f.Verdict.String(), Bounds: report.BoundsOf(f.Bounds), Tabled: f.Tabled}
	switch f.Verdict {
	case answer.Unknown:
		j.Stopped = new(f.Stop.String())
	case answer.Proved:
		j.Within = &f.Within // 0 where the game is over
	}
	return j
}

// savingTurn is a turn that holds.
type savingTurn struct {
	Turn  string `json:"turn"`
	Holds int    `json:"holds"`
}

// reviewedTurn is a turn, or the end of the game.
type reviewedTurn struct {
	Turn        string          `json:"turn"`
	Position    string          `json:"position"`
	Played      *string         `json:"played"`
	Win         factJSON        `json:"win"`
	Threat      factJSON        `json:"threat"`
	Loss        factJSON        `json:"loss"`
	WinningTurn *string         `json:"winning_turn"`
	Mark        *string         `json:"mark"`
	Gives       *int            `json:"gives"`
	Stops       *stopsJSON      `json:"stops"`
	Line        []string        `json:"line"`
	Saving      []savingTurn    `json:"saving"`
	Evaluation  *evaluationJSON `json:"evaluation,omitempty"`
}

// stopsJSON counts the turns that would have stopped a win.
type stopsJSON struct {
	Holding    int     `json:"holding"`
	Undecided  int     `json:"undecided"`
	Turns      int     `json:"turns"`
	Simplest   *string `json:"simplest"`
	Repetition string  `json:"repetition"`
}

// evaluationJSON is the engine's evaluation of a turn.
type evaluationJSON struct {
	Score  int             `json:"score"`
	Chance float64         `json:"chance"`
	Gold   float64         `json:"gold_chance"`
	Best   []candidateJSON `json:"best"`
	Fall   *float64        `json:"fall"`
	Grade  *string         `json:"grade"`
}

// candidateJSON is one of the best turns.
type candidateJSON struct {
	Line   []string `json:"line"`
	Chance float64  `json:"chance"`
}

func evaluationOf(r *review.Review, i int) *evaluationJSON {
	if r.Evaluations == nil {
		return nil
	}
	e := &evaluationJSON{Score: r.Evaluations[i].Score, Chance: round(r.Evaluations[i].Chance),
		Gold: round(r.GoldChance(i)), Best: []candidateJSON{}}
	for _, c := range r.Evaluations[i].Best {
		e.Best = append(e.Best, candidateJSON{r.Notation(i, c.Line), round(c.Chance)})
	}
	if i < len(r.Judgements) {
		fall := round(r.Judgements[i].Fall)
		e.Fall, e.Grade = &fall, new(r.Judgements[i].Grade.String())
	}
	return e
}

// round leaves four digits of a probability.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func turnOf(r *review.Review, i int) reviewedTurn {
	g, s := r.Record.Game, &r.Standings[i]
	p := g.Position(i)
	t := reviewedTurn{
		Turn:       g.Label(i),
		Position:   p.String(),
		Win:        factOf(&s.Win),
		Threat:     factOf(&s.Threat),
		Loss:       factOf(&s.Loss),
		Evaluation: evaluationOf(r, i),
		Line:       []string{},
		Saving:     []savingTurn{},
	}
	if s.Turn.Len() > 0 {
		t.WinningTurn = new(p.Notation(s.Turn))
	}
	for _, saving := range s.Saving {
		t.Saving = append(t.Saving, savingTurn{p.Notation(saving.Turn), saving.Holds})
	}
	if i == g.Len() {
		return t
	}
	t.Played = new(p.Notation(g.Turn(i)))
	j := &r.Judgements[i]
	if j.Mark != review.None {
		t.Mark = new(j.Mark.String())
	}
	if j.Gives > 0 {
		t.Gives = &j.Gives
	}
	if s := &j.Stops; s.Turns > 0 {
		t.Stops = &stopsJSON{Holding: s.Hold, Undecided: s.Undecided, Turns: s.Turns, Repetition: answer.Repetition(s.Aside)}
		if s.Hold > 0 {
			t.Stops.Simplest = new(p.Notation(s.Simplest))
		}
	}
	t.Line = append(t.Line, r.Notation(i, j.Line)...)
	return t
}

// totalsJSON holds the totals of a side in a game.
type totalsJSON struct {
	Side        string   `json:"side"`
	Turns       int      `json:"turns"`
	Blunders    int      `json:"blunders"`
	Mistakes    int      `json:"mistakes"`
	Doubtful    int      `json:"doubtful"`
	MissedWins  int      `json:"missed_wins"`
	AverageLoss *float64 `json:"average_loss"`
}

func (w *jsonOutput) add(r *review.Review) {
	type decision struct {
		Turn       string  `json:"turn"`
		By         string  `json:"by"`
		TurnsLeft  int     `json:"turns_left"`
		LastTurn   *string `json:"last_turn"`
		LosingTurn *string `json:"losing_turn"`
		Holds      int     `json:"holds"`
	}
	object := struct {
		Game         string         `json:"game"`
		Gold         string         `json:"gold"`
		Silver       string         `json:"silver"`
		GoldRating   string         `json:"gold_rating"`
		SilverRating string         `json:"silver_rating"`
		TimeControl  string         `json:"time_control"`
		Winner       *string        `json:"winner"`
		Ended        *string        `json:"ended"`
		WinIn        int            `json:"win_in"`
		Headline     string         `json:"headline"`
		Totals       []totalsJSON   `json:"totals"`
		Examined     int            `json:"examined"`
		Decided      *decision      `json:"decided"`
		Turns        []reviewedTurn `json:"turns"`
		Notes        []string       `json:"notes,omitempty"`
		Interrupted  bool           `json:"interrupted"`
		Nodes        uint64         `json:"nodes"`
		Seconds      float64        `json:"seconds"`
	}{
		Game:         r.Record.Name,
		Notes:        r.Record.Notes,
		Gold:         r.Record.Gold,
		Silver:       r.Record.Silver,
		GoldRating:   r.Record.Details.GoldRating,
		SilverRating: r.Record.Details.SilverRating,
		TimeControl:  r.Record.Details.TimeControl,
		WinIn:        r.WinIn,
		Headline:     r.Headline(),
		Examined:     r.Examined,
		Interrupted:  r.Interrupted,
		Nodes:        r.Nodes,
		Seconds:      r.Time.Seconds(),
	}
	if r.Record.Ended != "" {
		object.Ended = &r.Record.Ended
	}
	if r.Record.Finished() {
		object.Winner = new(r.Record.Winner.String())
	}
	if d := r.Decision; d != nil {
		words := decisionOf(r)
		object.Decided = &decision{Turn: words.turn, By: words.by, TurnsLeft: d.Turns, Holds: d.Holds}
		if d.Last >= 0 {
			object.Decided.LastTurn = &words.last
		}
		if d.Losing {
			object.Decided.LosingTurn = &words.losing
		}
	}
	for side, p := range r.Players() {
		totals := totalsJSON{Side: arimaa.Side(side).String(), Turns: p.Turns, Blunders: p.Blunders, Mistakes: p.Mistakes,
			Doubtful: p.Doubted, MissedWins: p.Missed}
		if r.Evaluations != nil {
			totals.AverageLoss = new(round(p.Loss))
		}
		object.Totals = append(object.Totals, totals)
	}
	for i := range r.Standings {
		object.Turns = append(object.Turns, turnOf(r, i))
	}
	_ = report.WriteJSON(w.out, object) // the output remembers that it could not be written
}
