package solve

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"strings"

	"github.com/dustin/go-humanize"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/printable"
	"goalproof/solve"
)

// variationsPage is the template of the page.
//
//go:embed variations.html
var variationsPage string

// variationsWidth is the number of groups of replies that --variations shows without a number.
const variationsWidth = "5"

// variationsOf lists the variations of a proved win, if that is asked for, nil if they cannot be listed, which it says on
// standard error.
func (f *flags) variationsOf(ctx context.Context, s *solve.Solver, q solve.Question, known *solved, t cli.Terminal) (*solve.Variation, error) {
	a, name := known.answer, known.Name
	if f.variations == 0 || a.Verdict != answer.Proved {
		return nil, nil
	}
	ctx, cancel := f.search.Limit().Start(ctx)
	defer cancel()
	defer known.ends(ctx)
	v, err := s.Variations(ctx, q, a.Within, a.Line[0].Turn, f.variations)
	because := answer.Explain(ctx, err)
	switch {
	case err == nil:
		return v, nil
	case because == err && !errors.Is(err, solve.ErrNoVariations):
		return nil, cli.Exit(cli.Internal, fmt.Errorf("%s: %w", name, err))
	}
	fmt.Fprintf(t.Err, "goalproof: %s: the variations are not listed: %v\n", name, because)
	return nil, nil
}

// tree writes variations.
type tree struct {
	root *solve.Variation
	*strings.Builder
}

// writeVariations writes the variations as lines, each deeper by two columns than the turn that it follows.
func writeVariations(t cli.Terminal, it answered) {
	if it.variations == nil {
		return
	}
	w := tree{it.variations, new(strings.Builder)}
	w.WriteString("Variations, the longest resistance first:\n")
	w.WriteString("  " + label(&it.Item, 0) + " " + turnText(it.variations) + "\n")
	w.lines(&it.Item, it.variations, 1)
	fmt.Fprintln(t.Out, w.String())
}

// label is the label of the turn so many turns after the position.
func label(it *inputs.Item, ply int) string {
	number, side := it.Diagram.Number, it.Diagram.Position.Side()
	for range ply {
		if side == arimaa.Silver {
			number++
		}
		side = side.Other()
	}
	return arimaa.TurnLabel(number, side)
}

// turnText is a turn of the attacker, and what it does.
func turnText(v *solve.Variation) string { return v.Before.Notation(v.Turn) + ", " + does(v) }

// does says what a turn of the attacker does.
func does(v *solve.Variation) string {
	switch {
	case v.Outcome.Over():
		return fmt.Sprintf("wins by %v", v.Outcome.Reason)
	case v.Threat.Len() > 0:
		passed := v.Before.AfterTurn(v.Turn).EndTurn()
		return "threatens " + passed.Notation(v.Threat)
	}
	return "quiet"
}

// repliesText is a group of replies after a turn: the first of them, or for the last group how many other ones there are.
func repliesText(v *solve.Variation, i int) string {
	g := &v.Groups[i]
	switch n := len(g.Replies); {
	case i == len(v.Groups)-1 && i > 0 && n > 1:
		return cli.Amount(n, "other turn")
	case i == 0 && n == v.Replies && n > 1:
		return "any turn"
	default:
		text := v.Before.AfterTurn(v.Turn).Notation(g.Replies[0])
		if n > 1 {
			text += fmt.Sprintf(" and %s more", humanize.Comma(int64(n-1)))
		}
		return text
	}
}

// hiddenText says which groups are left out after a turn.
func hiddenText(v *solve.Variation) string {
	return fmt.Sprintf("%s with %s not shown: --variations=N shows more", cli.Amount(v.Hidden, "more answer"), cli.Amount(v.HiddenReplies, "turn"))
}

// lines writes what follows a turn of the attacker; so many turns have been played since the position.
func (w *tree) lines(it *inputs.Item, v *solve.Variation, ply int) {
	indent := strings.Repeat("  ", (ply+3)/2)
	for i := range v.Groups {
		g := &v.Groups[i]
		if v.Hidden > 0 && i == max(1, len(v.Groups)-1) {
			fmt.Fprintf(w, "%s(%s)\n", indent, hiddenText(v))
		}
		fmt.Fprintf(w, "%s%s %s: ", indent, label(it, ply), repliesText(v, i))
		if g.Answer == nil {
			fmt.Fprintf(w, "loses at once\n")
			continue
		}
		fmt.Fprintf(w, "%s %s\n", label(it, ply+1), turnText(g.Answer))
		w.lines(it, g.Answer, ply+2)
	}
	if v.Hidden > 0 && len(v.Groups) == 1 {
		fmt.Fprintf(w, "%s(%s)\n", indent, hiddenText(v))
	}
}

// annotated is the win as a game with variations, as [notation.ReadAnnotated] reads it, from the position on: the first reply of
// each group.
func annotated(it *inputs.Item, v *solve.Variation) string {
	w := tree{v, new(strings.Builder)}
	p := it.Diagram.Position
	fmt.Fprintf(w, "[Event \"%s\"]\n[Annotator \"goalproof\"]\n[Result \"*\"]\n\n", strings.NewReplacer(`"`, "'", `\`, "/", "\n", " ").Replace(it.Name))
	g := arimaa.NewGame(p, it.Diagram.Number)
	setup := strings.TrimSuffix(notation.Turns(g), fmt.Sprintf("\n%dw\n", g.Number(0))) // the label of the first turn
	w.WriteString(strings.TrimSuffix(setup, "\n"))
	fmt.Fprintf(w, "\n%s %s {%s}\n", label(it, 0), v.Before.Notation(v.Turn), does(v))
	w.game(it, v, 1)
	w.WriteString("*\n")
	return w.String()
}

// game writes what follows a turn: the first group, with the others in brackets, and then its answer.
func (w *tree) game(it *inputs.Item, v *solve.Variation, ply int) {
	after := v.Before.AfterTurn(v.Turn)
	reply := func(i int) {
		comment := ""
		if n := len(v.Groups[i].Replies); n > 1 {
			comment = " {" + repliesText(v, i) + "}"
		}
		fmt.Fprintf(w, "%s %s%s\n", label(it, ply), after.Notation(v.Groups[i].Replies[0]), comment)
	}
	follow := func(i int) {
		if a := v.Groups[i].Answer; a != nil {
			fmt.Fprintf(w, "%s %s {%s}\n", label(it, ply+1), a.Before.Notation(a.Turn), does(a))
			w.game(it, a, ply+2)
		}
	}
	for i := range v.Groups {
		if i == 0 {
			reply(0)
			continue
		}
		w.WriteString("(\n")
		reply(i)
		follow(i)
		w.WriteString(")\n")
	}
	if v.Hidden > 0 {
		fmt.Fprintf(w, "{%s}\n", hiddenText(v))
	}
	if len(v.Groups) > 0 {
		follow(0)
	}
}

// turnOnPage is a turn of the attacker on the page, with a board on which it is drawn.
type turnOnPage struct {
	Turn    string
	Picture template.HTML
	Groups  []groupOnPage
	Hidden  string
}

// groupOnPage is a group of replies on the page.
type groupOnPage struct {
	Replies, Note string
	Open          bool
	Answer        *turnOnPage
}

// page is the variations as a page that needs nothing else, with a board for each turn of the attacker.
func page(it *inputs.Item, v *solve.Variation, title string) (string, error) {
	parsed, err := template.New("variations").Parse(variationsPage)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = parsed.Execute(printable.Writer(&b), struct {
		Title, Summary string
		Style          template.CSS
		Symbols        template.HTML
		Root           *turnOnPage
	}{title, "Replies stand together if they meet the same answer; those that hold out longest come first. Open a reply to see the answer.",
		template.CSS(render.Style()), template.HTML(render.Symbols() + render.Ground()), onPage(it, v, arimaa.Turn{}, 0)})
	return b.String(), err
}

// onPage is a turn of the attacker on the page, so many turns after the position; last is the reply before it.
func onPage(it *inputs.Item, v *solve.Variation, last arimaa.Turn, ply int) *turnOnPage {
	text := label(it, ply) + " " + turnText(v)
	picture := render.Picture{Position: v.Before, Title: text, Turn: v.Turn, Last: last}
	p := &turnOnPage{Turn: text, Picture: template.HTML(picture.Inline())} // render escapes its texts
	if v.Hidden > 0 {
		p.Hidden = "(" + hiddenText(v) + ".)"
	}
	for i := range v.Groups {
		g := groupOnPage{Replies: label(it, ply+1) + " " + repliesText(v, i), Open: i == 0, Note: "loses at once"}
		if a := v.Groups[i].Answer; a != nil {
			g.Note = "then a win in " + fmt.Sprint(v.Groups[i].Turns)
			g.Answer = onPage(it, a, v.Groups[i].Replies[0], ply+2)
		}
		p.Groups = append(p.Groups, g)
	}
	return p
}

// variationJSON is a turn of the attacker in JSON.
type variationJSON struct {
	Turn    string      `json:"turn"`
	Threat  *string     `json:"threat"`
	EndsBy  *string     `json:"ends_by"`
	Replies int         `json:"replies"`
	Groups  []groupJSON `json:"groups"`
	Hidden  int         `json:"hidden"`
}

// groupJSON is a group of replies in JSON.
type groupJSON struct {
	Reply   string         `json:"reply"`
	Replies int            `json:"replies"`
	Needs   int            `json:"needs"`
	Answer  *variationJSON `json:"answer"`
}

func variationOf(v *solve.Variation) *variationJSON {
	j := &variationJSON{Turn: v.Before.Notation(v.Turn), Replies: v.Replies, Groups: []groupJSON{}, Hidden: v.Hidden}
	after := v.Before.AfterTurn(v.Turn)
	if v.Threat.Len() > 0 {
		passed := after.EndTurn()
		j.Threat = new(passed.Notation(v.Threat))
	}
	if v.Outcome.Over() {
		j.EndsBy = new(v.Outcome.Reason.String())
	}
	for i := range v.Groups {
		g := &v.Groups[i]
		group := groupJSON{Reply: after.Notation(g.Replies[0]), Replies: len(g.Replies), Needs: g.Turns}
		if g.Answer != nil {
			group.Answer = variationOf(g.Answer)
		}
		j.Groups = append(j.Groups, group)
	}
	return j
}

// saveVariations writes the variations to the files that the flags name. Where there is no win to write down it says so
// on standard error.
func (f *flags) saveVariations(t cli.Terminal, it answered, a solve.Answer) error {
	v := it.variations
	if f.annotated == "" && f.html == "" {
		return nil
	}
	if v == nil {
		if a.Verdict != answer.Proved { // otherwise it has been said why they are not listed
			fmt.Fprintf(t.Err, "goalproof: %s: no win is proved, so no variations are written\n", it.Name)
		}
		return nil
	}
	if err := t.Durable(); err != nil {
		return err
	}
	if f.annotated != "" {
		if err := cli.WriteText(f.annotated, annotated(&it.Item, v)); err != nil {
			return err
		}
	}
	if f.html == "" {
		return nil
	}
	text, err := page(&it.Item, v, fmt.Sprintf("%s: the win of %v and its variations", it.Name, v.Before.Side()))
	if err != nil {
		return err
	}
	return cli.WriteText(f.html, text)
}
