package puzzles

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/internal/printable"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// reportPage is the template of a report.
//
//go:embed report.html
var reportPage string

// Report is a self-contained page about puzzles: a card with a diagram for each. The cards can be
// filtered by what was found out, and printed.
type Report struct {
	title string
	solve bool // the reader is to solve the puzzles: solutions are hidden at first
	cards []card
}

// card is what a report says about a puzzle.
type card struct {
	Name       string
	Kinds      string // the filters that show it, with blanks between them
	Verdict    string
	Remarks    []remark
	Facts      string
	Parts      []Part
	Picture    template.HTML
	Hidden     bool          // Parts and Solved are hidden at first
	Solved     template.HTML // a picture with the solution
	Position   string
	Difficulty string
}

// is reports whether a filter shows the card.
func (c *card) is(kind string) bool { return slices.Contains(strings.Fields(c.Kinds), kind) }

// remark is a remark beside the verdict; its class is bad, good, open or none.
type remark struct{ Class, Text string }

// Part is a list under a title.
type Part struct {
	Phase string   `json:"phase"` // of Phases: short, near, set, duals or variations
	Title string   `json:"title"`
	Lines []string `json:"lines"`
	More  int      `json:"more"` // further ones that are left out
}

// isFalse is the kind of false claims, which come first.
const isFalse = "false"

// kinds holds the filters in their order.
var kinds = []struct{ Name, Label string }{
	{"true", "true claims"}, {isFalse, "false claims"}, {"wrong", "wrong given solutions"}, {"unique", "one solution"},
	{"second", "second solutions"}, {"open", "something is not known"}, {"error", "errors"},
	{"quiet", "quiet solutions"}, {"loud", "solutions that threaten to win"},
}

// NewReport returns an empty report about results of Verify.
func NewReport(title string) *Report { return &Report{title: title} }

// NewCollection returns an empty report of puzzles to be solved.
func NewCollection(title string) *Report { return &Report{title: title, solve: true} }

// The greatest numbers of essential and other solutions on a card.
const (
	essentialShown = 8
	othersShown    = 4
)

// longestDefence is the title of the line of a win within n turns.
func longestDefence(n int) string {
	if n > solve.SureLine {
		return "Win against the longest defence known"
	}
	return "Win against the longest defence"
}

// noGame begins the note about a position that is impossible.
const noGame = "no game leads to this position: "

// Add adds a result of Verify.
func (r *Report) Add(result *Result) {
	p := &result.Puzzle
	c := card{Name: p.Label(), Verdict: result.words()}
	var kinds []string
	note := func(kind, class, text string) {
		kinds = append(kinds, kind)
		c.Remarks = append(c.Remarks, remark{class, text})
	}
	switch yes, known := result.ClaimTrue(); {
	case known && yes:
		note("true", "good", fmt.Sprintf("the claim of a win in %d is true", p.Claim))
	case known:
		note(isFalse, "bad", fmt.Sprintf("the claim of a win in %d is false: %s", p.Claim, result.Instead()))
	case p.Claim > 0 && !result.Failed():
		note("open", "open", fmt.Sprintf("the claim of a win in %d is not decided", p.Claim))
	case p.Claim == 0 && !result.Failed():
		c.Remarks = append(c.Remarks, remark{"", "no claim"})
	}
	for _, gap := range result.Open {
		note("open", "open", fmt.Sprintf("%s open: %s", gap.What, gap.Why))
	}
	if ok := result.SolutionOK; ok != nil && !*ok {
		note("wrong", "bad", "the given solution is wrong")
	}
	if second := result.Second(); len(second) > 0 && result.Listed {
		note("second", "open", "second solutions")
	} else if yes, known := result.EssentiallyUnique(); known && yes {
		note("unique", "good", "one essential solution")
	}
	switch result.Certificate {
	case Accepted:
		c.Remarks = append(c.Remarks, remark{"good", "certificate accepted"})
	case Sampled:
		c.Remarks = append(c.Remarks, remark{"open", "certificate sampled, which is no proof"})
	case Written:
		c.Remarks = append(c.Remarks, remark{"", "certificate written, not checked"})
	case Rejected:
		c.Remarks = append(c.Remarks, remark{"bad", "certificate rejected"})
	}
	if result.Table != "" {
		c.Facts = "By an endgame table: " + result.Table + "."
	}
	if result.Impossible != "" {
		c.Remarks = append(c.Remarks, remark{"open", noGame + result.Impossible})
	}
	if result.Err != nil {
		c.Remarks = append(c.Remarks, remark{"bad", result.Err.Error()})
		if result.Failed() {
			kinds = append(kinds, "error")
		}
	}
	if z := result.Description; z != nil {
		c.Facts = strings.TrimSpace(c.Facts + " " + described(z))
	}
	c.Kinds = strings.Join(kinds, " ")
	if sources := p.Sources(); sources != nil {
		c.Parts = append(c.Parts, Part{Title: "Taken from the text", Lines: sources})
	}
	if !result.Failed() {
		result.draw(&c)
	}
	r.cards = append(r.cards, c)
}

// described writes the difficulty and the themes of a win.
func described(z *describe.Puzzle) string {
	var facts []string
	if d, ok := z.Difficulty(); ok {
		facts = append(facts, fmt.Sprintf("Difficulty %.1f.", d))
	}
	if z.Themes != 0 {
		facts = append(facts, fmt.Sprintf("Themes: %v.", z.Themes))
	}
	return strings.Join(facts, " ")
}

// words writes a verdict.
func (r *Result) words() string {
	side := r.Puzzle.Position.Side()
	switch {
	case r.Verdict == answer.Proved:
		return fmt.Sprintf("%v wins in %s", side, r.In())
	case r.Verdict == answer.Disproved || r.Verdict == answer.Unknown && r.Refuted > 0:
		return fmt.Sprintf("%v has no win in %d%s", side, r.Refuted, r.Aside())
	case r.Verdict == answer.Unknown && r.Stop != answer.Finished:
		return fmt.Sprintf("unknown (%v)", r.Stop)
	}
	return r.Word()
}

// draw adds the diagram and the lists of turns.
func (r *Result) draw(c *card) {
	p := &r.Puzzle
	c.Position = p.Position.String()
	picture := render.Picture{Position: p.Position, Title: fmt.Sprintf("%s, %v to move", p.Label(), p.Position.Side())}
	shown := "" // the turn that is drawn
	if r.SolutionOK != nil {
		title := "Given solution, wrong"
		if *r.SolutionOK {
			title = "Given solution, right: it wins in " + r.In()
		}
		c.Parts = append(c.Parts, Part{Title: title, Lines: []string{p.Solution}})
	}
	if len(r.Refutation) > 0 {
		title := strings.ToUpper(r.Shows[:1]) + r.Shows[1:]
		c.Parts = append(c.Parts, Part{Title: title, Lines: []string{strings.Join(r.Refutation, " / ")}})
		shown = r.Refutation[0]
	}
	essential, others := Part{Title: "Essential solutions"}, Part{Title: "Other solutions"}
	if !r.Listed {
		others.Title = "Solutions found (the list is not complete)"
	}
	for _, s := range r.Solutions {
		list, most, text := &others, othersShown, s.Turn
		if s.Essential {
			list, most = &essential, essentialShown
		}
		if s.Given {
			text += "  (given)"
			shown = s.Turn
		}
		if len(list.Lines) == most {
			list.More++
			continue
		}
		list.Lines = append(list.Lines, text)
	}
	if shown == "" && len(r.Line) > 0 {
		shown = r.Line[0]
	}
	defence := Part{Title: longestDefence(r.Within)}
	if len(r.Line) > 1 {
		defence.Lines = arimaa.Labelled(p.Number, p.Position.Side(), r.Line)
	}
	for _, list := range []Part{essential, defence, others} {
		if len(list.Lines) > 0 {
			c.Parts = append(c.Parts, list)
		}
	}
	if r.Phases != nil {
		c.Parts = append(c.Parts, r.Phases.Parts()...)
	}
	picture.Turn = played(p.Position, shown)
	c.Picture = template.HTML(picture.Inline()) // render escapes its texts
}

// played reads a turn in notation; it is empty if the text is no turn.
func played(p arimaa.Position, text string) arimaa.Turn {
	if text == "" {
		return arimaa.Turn{}
	}
	s := arimaa.NewState(p)
	t, err := notation.PlaySteps(&s, text)
	if err != nil {
		return arimaa.Turn{}
	}
	return t
}

// AddMined adds a puzzle that was mined at a place.
func (r *Report) AddMined(at *Place, m *Mined) {
	name, side := at.Name, m.Position.Side()
	c := card{Name: name, Kinds: "loud", Hidden: true, Position: m.Position.String(), Difficulty: fmt.Sprintf("%.1f", m.Difficulty()),
		Verdict: fmt.Sprintf("%s to win in %d", strings.ToUpper(side.String()[:1])+side.String()[1:], m.Turns),
		Facts:   fmt.Sprintf("Difficulty %.1f; %d pieces; other turns that threaten to win: %d.", m.Difficulty(), m.Pieces, m.Tries)}
	threat := "The solution threatens to win at once"
	if m.Quiet {
		c.Kinds, threat = "quiet", "The solution is quiet: it threatens no win at once"
	}
	c.Parts = []Part{{Title: fmt.Sprintf("%s; replies: %d", threat, m.Replies), Lines: []string{m.Position.Notation(m.Solution)}}}
	if m.Themes != 0 {
		c.Parts[0].Lines = append(c.Parts[0].Lines, "Themes: "+m.Themes.String())
	}
	if len(m.Line) > 1 {
		c.Parts = append(c.Parts, Part{Title: longestDefence(m.Turns), Lines: arimaa.Labelled(at.Number, side, m.Line)})
	}
	picture := render.Picture{Position: m.Position, Title: fmt.Sprintf("%s, %v to move", name, side)}
	c.Picture = template.HTML(picture.Inline()) // render escapes its texts
	picture.Turn, picture.Title = m.Solution, name+", solution"
	c.Solved = template.HTML(picture.Inline())
	r.cards = append(r.cards, c)
}

// Origin says how a report was made. Empty fields are left out.
type Origin struct {
	Made    time.Time
	Took    time.Duration // by then
	Version string        // of the program
	Limits  string        // of the searches, in words
	Command string        // the command line
}

// When says in words when the report was made. No other part of a report depends on the time.
func (o *Origin) When() string {
	if o.Made.IsZero() {
		return ""
	}
	text := o.Made.UTC().Format("Made on 2 January 2006, 15:04:05 UTC")
	if o.Took > 0 {
		text += fmt.Sprintf(", in %.1f s", o.Took.Seconds())
	}
	return text + "."
}

// Write writes the page, with a summary in words. False claims come first.
func (r *Report) Write(w io.Writer, summary string, o Origin) error {
	page, err := template.New("report").Parse(reportPage)
	if err != nil {
		return err
	}
	type kind struct {
		Name, Label string
		Count       int
	}
	data := struct {
		Title, Summary string
		Origin         *Origin
		Solve          bool
		Style          template.CSS
		Symbols        template.HTML
		Kinds          []kind
		Cards          []card
	}{r.title, summary, &o, r.solve, template.CSS(render.Style()), template.HTML(render.Symbols() + render.Ground()), nil, nil}
	var others []card
	for _, c := range r.cards {
		if c.is(isFalse) {
			data.Cards = append(data.Cards, c)
		} else {
			others = append(others, c)
		}
	}
	data.Cards = append(data.Cards, others...)
	for _, k := range kinds {
		n := 0
		for i := range r.cards {
			if r.cards[i].is(k.Name) {
				n++
			}
		}
		if n > 0 {
			data.Kinds = append(data.Kinds, kind{k.Name, k.Label, n})
		}
	}
	return page.Execute(printable.Writer(w), data)
}
