package review

import (
	"math"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/solve/report"
)

// Object is a review in JSON, as goalproof review --json and the studio write it; goalproof help
// json says what the fields mean.
type Object struct {
	Game         string          `json:"game"`
	Gold         string          `json:"gold"`
	Silver       string          `json:"silver"`
	GoldRating   string          `json:"gold_rating"`
	SilverRating string          `json:"silver_rating"`
	TimeControl  string          `json:"time_control"`
	Winner       *string         `json:"winner"`
	Ended        *string         `json:"ended"`
	WinIn        int             `json:"win_in"`
	Headline     string          `json:"headline"`
	Totals       []TotalsObject  `json:"totals"`
	Examined     int             `json:"examined"`
	Decided      *DecisionObject `json:"decided"`
	Turns        []TurnObject    `json:"turns"`
	Notes        []string        `json:"notes,omitempty"`
	Interrupted  bool            `json:"interrupted"`
	Nodes        uint64          `json:"nodes"`
	Seconds      float64         `json:"seconds"`
}

// DecisionObject is a [Decision] in an [Object].
type DecisionObject struct {
	Turn       string  `json:"turn"`
	By         string  `json:"by"`
	TurnsLeft  int     `json:"turns_left"`
	LastTurn   *string `json:"last_turn"`
	LosingTurn *string `json:"losing_turn"`
	Holds      int     `json:"holds"`
}

// FactObject is a [Fact] in an [Object].
type FactObject struct {
	Verdict string `json:"verdict"`
	report.Bounds
	Tabled  bool    `json:"tabled"`
	Stopped *string `json:"stopped"`
}

func objectOf(f *Fact) FactObject {
	j := FactObject{Verdict: f.Verdict.String(), Bounds: report.BoundsOf(f.Bounds), Tabled: f.Tabled}
	switch f.Verdict {
	case answer.Unknown:
		j.Stopped = new(f.Stop.String())
	case answer.Proved:
		j.Within = &f.Within // 0 where the game is over
	}
	return j
}

// SavingObject is a [Saving] in an [Object].
type SavingObject struct {
	Turn  string `json:"turn"`
	Holds int    `json:"holds"`
}

// TurnObject is a turn in an [Object], or the end of the game.
type TurnObject struct {
	Turn        string            `json:"turn"`
	Position    string            `json:"position"`
	Played      *string           `json:"played"`
	Win         FactObject        `json:"win"`
	Threat      FactObject        `json:"threat"`
	Loss        FactObject        `json:"loss"`
	WinningTurn *string           `json:"winning_turn"`
	Mark        *string           `json:"mark"`
	Gives       *int              `json:"gives"`
	Stops       *StopsObject      `json:"stops"`
	Line        []string          `json:"line"`
	Saving      []SavingObject    `json:"saving"`
	Evaluation  *EvaluationObject `json:"evaluation,omitempty"`
}

// StopsObject is [Stops] in an [Object].
type StopsObject struct {
	Holding    int     `json:"holding"`
	Undecided  int     `json:"undecided"`
	Turns      int     `json:"turns"`
	Simplest   *string `json:"simplest"`
	Repetition string  `json:"repetition"`
}

// EvaluationObject is an [Evaluation] in an [Object], with the grade of the turn.
type EvaluationObject struct {
	Score  int               `json:"score"`
	Chance float64           `json:"chance"`
	Gold   float64           `json:"gold_chance"`
	Best   []CandidateObject `json:"best"`
	Fall   *float64          `json:"fall"`
	Grade  *string           `json:"grade"`
}

// CandidateObject is a [Candidate] in an [Object].
type CandidateObject struct {
	Line   []string `json:"line"`
	Chance float64  `json:"chance"`
}

func (r *Review) evaluationObject(i int) *EvaluationObject {
	if r.Evaluations == nil {
		return nil
	}
	e := &EvaluationObject{Score: r.Evaluations[i].Score, Chance: round(r.Evaluations[i].Chance),
		Gold: round(r.GoldChance(i)), Best: []CandidateObject{}}
	for _, c := range r.Evaluations[i].Best {
		e.Best = append(e.Best, CandidateObject{r.Notation(i, c.Line), round(c.Chance)})
	}
	if i < len(r.Judgements) {
		fall := round(r.Judgements[i].Fall)
		e.Fall, e.Grade = &fall, new(r.Judgements[i].Grade.String())
	}
	return e
}

// round leaves four digits of a probability.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func (r *Review) turnObject(i int) TurnObject {
	g, s := r.Record.Game, &r.Standings[i]
	p := g.Position(i)
	t := TurnObject{
		Turn:       g.Label(i),
		Position:   p.String(),
		Win:        objectOf(&s.Win),
		Threat:     objectOf(&s.Threat),
		Loss:       objectOf(&s.Loss),
		Evaluation: r.evaluationObject(i),
		Line:       []string{},
		Saving:     []SavingObject{},
	}
	if s.Turn.Len() > 0 {
		t.WinningTurn = new(p.Notation(s.Turn))
	}
	for _, saving := range s.Saving {
		t.Saving = append(t.Saving, SavingObject{p.Notation(saving.Turn), saving.Holds})
	}
	if i == g.Len() {
		return t
	}
	t.Played = new(p.Notation(g.Turn(i)))
	j := &r.Judgements[i]
	if j.Mark != None {
		t.Mark = new(j.Mark.String())
	}
	if j.Gives > 0 {
		t.Gives = &j.Gives
	}
	if s := &j.Stops; s.Turns > 0 {
		t.Stops = &StopsObject{Holding: s.Hold, Undecided: s.Undecided, Turns: s.Turns, Repetition: answer.Repetition(s.Aside)}
		if s.Hold > 0 {
			t.Stops.Simplest = new(p.Notation(s.Simplest))
		}
	}
	t.Line = append(t.Line, r.Notation(i, j.Line)...)
	return t
}

// TotalsObject holds the totals of a side in an [Object]: [Player].
type TotalsObject struct {
	Side        string   `json:"side"`
	Turns       int      `json:"turns"`
	Blunders    int      `json:"blunders"`
	Mistakes    int      `json:"mistakes"`
	Doubtful    int      `json:"doubtful"`
	MissedWins  int      `json:"missed_wins"`
	AverageLoss *float64 `json:"average_loss"`
}

// Object returns the review in JSON.
func (r *Review) Object() *Object {
	o := &Object{
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
		o.Ended = &r.Record.Ended
	}
	if r.Record.Finished() {
		o.Winner = new(r.Record.Winner.String())
	}
	if d := r.Decision; d != nil {
		g := r.Record.Game
		o.Decided = &DecisionObject{Turn: g.Label(d.From), By: d.Winner.String(), TurnsLeft: d.Turns, Holds: d.Holds}
		if d.Last >= 0 {
			o.Decided.LastTurn = new(g.Label(d.Last))
		}
		if d.Losing {
			o.Decided.LosingTurn = o.Decided.LastTurn
		}
	}
	for side, p := range r.Players() {
		totals := TotalsObject{Side: arimaa.Side(side).String(), Turns: p.Turns, Blunders: p.Blunders, Mistakes: p.Mistakes,
			Doubtful: p.Doubted, MissedWins: p.Missed}
		if r.Evaluations != nil {
			totals.AverageLoss = new(round(p.Loss))
		}
		o.Totals = append(o.Totals, totals)
	}
	for i := range r.Standings {
		o.Turns = append(o.Turns, r.turnObject(i))
	}
	return o
}
