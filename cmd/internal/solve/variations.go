package solve

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/solve"
	"goalproof/solve/report"
)

// variationsPage is the template of the page.
//
//go:embed variations.html
var variationsPage string

// variationsWidth is the number of groups of replies that --variations shows without a number.
const variationsWidth = "5"

// addVariations adds the variations of a proved win, if they were asked for. If they cannot be
// listed, it says so on standard error.
func (w *writer) addVariations(ctx context.Context, s *solve.Solver, known *solved) (err error) {
	if w.variations == 0 || known.Verdict != answer.Proved {
		return nil
	}
	ctx, cancel := w.search.Limit().Start(ctx)
	defer cancel()
	defer known.ends(ctx)
	known.tree, err = s.Variations(ctx, known.Question, known.Within, known.Line[0].Turn, w.variations)
	because := answer.Explain(ctx, err)
	switch {
	case err == nil:
		return nil
	case because == err && !errors.Is(err, solve.ErrNoVariations):
		return err
	}
	known.tree = nil
	fmt.Fprintf(w.t.Err, "goalproof: %s: the variations are not listed: %v\n", known.Name, because)
	return nil
}

// writeVariations writes the variations as lines, each indented by two columns more than the turn
// before it.
func (s *solved) writeVariations(out io.Writer) {
	if s.tree == nil {
		return
	}
	v := report.VariationOf(s.tree, s.Number)
	fmt.Fprintf(out, "Variations, the longest resistance first:\n  %v\n", v)
	writeGroups(out, v, "    ")
	fmt.Fprintln(out)
}

// writeGroups writes the groups of replies to a turn of the attacker.
func writeGroups(w io.Writer, v *report.Variation, indent string) {
	for i, g := range v.Groups {
		if v.Hidden > 0 && i == max(1, len(v.Groups)-1) {
			fmt.Fprintf(w, "%s(%s)\n", indent, v.Left())
		}
		fmt.Fprintf(w, "%s%s %s: ", indent, g.Label, v.Replies(i))
		if g.Answer == nil {
			fmt.Fprintf(w, "loses at once\n")
			continue
		}
		fmt.Fprintf(w, "%v\n", g.Answer)
		writeGroups(w, g.Answer, indent+"  ")
	}
	if v.Hidden > 0 && len(v.Groups) == 1 {
		fmt.Fprintf(w, "%s(%s)\n", indent, v.Left())
	}
}

// annotated returns the win as a game with variations in the form that [notation.ReadAnnotated]
// reads, with the first reply of each group.
func (s *solved) annotated() string {
	v := report.VariationOf(s.tree, s.Number)
	w := new(strings.Builder)
	fmt.Fprintf(w, "[Event \"%s\"]\n[Annotator \"goalproof\"]\n[Result \"*\"]\n\n", strings.NewReplacer(`"`, "'", `\`, "/", "\n", " ").Replace(s.Name))
	g := arimaa.NewGame(s.Diagram.Position, s.Diagram.Number)
	setup := strings.TrimSuffix(notation.Turns(g), fmt.Sprintf("\n%dw\n", g.Number(0))) // the label of the first turn
	w.WriteString(strings.TrimSuffix(setup, "\n"))
	fmt.Fprintf(w, "\n%s %s {%s}\n", v.Label, v.Turn, v.Does())
	writeGame(w, v)
	w.WriteString("*\n")
	return w.String()
}

// writeGame writes the replies to a turn: the first group, the others in brackets, and then the
// answer to the first.
func writeGame(w *strings.Builder, v *report.Variation) {
	reply := func(i int) {
		comment := ""
		if v.Groups[i].Count > 1 {
			comment = " {" + v.Replies(i) + "}"
		}
		fmt.Fprintf(w, "%s %s%s\n", v.Groups[i].Label, v.Groups[i].Replies[0], comment)
	}
	follow := func(i int) {
		if a := v.Groups[i].Answer; a != nil {
			fmt.Fprintf(w, "%s %s {%s}\n", a.Label, a.Turn, a.Does())
			writeGame(w, a)
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
		fmt.Fprintf(w, "{%s}\n", v.Left())
	}
	if len(v.Groups) > 0 {
		follow(0)
	}
}

// turnOnPage is a turn of the attacker on the page, drawn on a board.
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

// page returns the variations as a self-contained page with a board for each turn of the attacker.
func page(v *solve.Variation, number int, title string) (string, error) {
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
		template.CSS(render.Style()), template.HTML(render.Symbols() + render.Ground()), onPage(v, report.VariationOf(v, number), arimaa.Turn{})})
	return b.String(), err
}

// onPage returns a turn of the attacker for the page; words are its texts, last is the reply before
// it.
func onPage(v *solve.Variation, words *report.Variation, last arimaa.Turn) *turnOnPage {
	text := words.String()
	picture := render.Picture{Position: v.Before, Title: text, Turn: v.Turn, Last: last}
	p := &turnOnPage{Turn: text, Picture: template.HTML(picture.Inline())} // render escapes its texts
	if v.Hidden > 0 {
		p.Hidden = "(" + words.Left() + ".)"
	}
	for i, g := range words.Groups {
		group := groupOnPage{Replies: g.Label + " " + words.Replies(i), Open: i == 0, Note: "loses at once"}
		if g.Answer != nil {
			group.Note = fmt.Sprintf("then a win in %d", g.Needs)
			group.Answer = onPage(v.Groups[i].Answer, g.Answer, v.Groups[i].Replies[0])
		}
		p.Groups = append(p.Groups, group)
	}
	return p
}

// saveVariations writes the variations to the files that the flags name, or says on standard error
// that no win is proved.
func (w *writer) saveVariations(known *solved) error {
	if w.annotated == "" && w.html == "" {
		return nil
	}
	if known.tree == nil {
		if known.Verdict != answer.Proved { // otherwise addVariations has said why they are not listed
			fmt.Fprintf(w.t.Err, "goalproof: %s: no win is proved, so no variations are written\n", known.Name)
		}
		return nil
	}
	if err := w.t.Durable(); err != nil {
		return err
	}
	if w.annotated != "" {
		if err := cli.WriteText(w.annotated, known.annotated()); err != nil {
			return err
		}
	}
	if w.html == "" {
		return nil
	}
	text, err := page(known.tree, known.Number, fmt.Sprintf("%s: the win of %v and its variations", known.Name, known.Position.Side()))
	if err != nil {
		return err
	}
	return cli.WriteText(w.html, text)
}
