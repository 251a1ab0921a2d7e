package compose

import (
	"fmt"
	"io"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/puzzles/compose"
	"goalproof/puzzles/describe"
	"goalproof/solve/report"
)

// write writes a result.
func (f *flags) write(t cli.Terminal, p *puzzles.Puzzle, r *composed) error {
	switch {
	case f.json:
		return report.WriteJSON(t.Out, object(p, r, f.wanted, f.task().Aim))
	case f.as == "table" && r.Mined != nil:
		if lacks := r.lacks(f.wanted); lacks != 0 {
			fmt.Fprintf(t.Err, "%s: no puzzle with all wanted themes was found; this one lacks: %v\n", p.Label(), lacks)
		}
		if f.task().Aim.Varies() {
			for i := range r.Variants.Found {
				fmt.Fprintln(t.Out, r.Variants.Found[i].Mined.Row(fmt.Sprintf("%s %s %d", p.Name, f.aim, i+1)))
			}
			return nil
		}
		_, err := fmt.Fprintln(t.Out, r.Mined.Row(p.Name))
		return err
	case f.as == "table":
		_, err := fmt.Fprintf(t.Err, "%s: %s\n", p.Label(), r.state(p))
		return err
	}
	_, err := io.WriteString(t.Out, r.text(t, p, f.wanted, f.task().Aim))
	return err
}

// state says in a line why a position did not become a puzzle.
func (r *composed) state(p *puzzles.Puzzle) string {
	switch {
	case r.stopped:
		return "interrupted"
	case r.From.Turns > 0 && r.Mined == nil:
		return "not decided"
	case r.Finding.Verdict == answer.Unknown:
		return fmt.Sprintf("a puzzle about a win in %d: %v", p.Claim, r.Finding)
	}
	return fmt.Sprintf("no puzzle about a win in %d: %v", p.Claim, r.Finding)
}

// lacks returns the wanted themes that the solution does not have.
func (r *composed) lacks(wanted describe.Themes) describe.Themes {
	if r.Mined == nil {
		return 0
	}
	return wanted &^ r.Mined.Themes
}

// text returns a result for people. The rounds looked for the wanted themes.
func (r *composed) text(t cli.Terminal, p *puzzles.Puzzle, wanted describe.Themes, aim compose.Aim) string {
	w := &strings.Builder{}
	board := func(p arimaa.Position) {
		fmt.Fprint(w, render.Board(notation.Diagram{Position: p, Number: arimaa.FirstTurn}, t.Styled))
	}
	fmt.Fprintf(w, "%s\n", p.Label())
	if r.From.Turns == 0 {
		fmt.Fprintln(w, r.state(p))
		if len(r.Repairs) > 0 {
			fmt.Fprintln(w, "One essential solution is left")
		}
		for _, repaired := range r.Repairs {
			fmt.Fprintf(w, "  %v: %s\n", repaired.Change, repaired.Puzzle.Position.Notation(repaired.Puzzle.Solution))
		}
		r.writeTries(w)
		fmt.Fprintln(w)
		return w.String()
	}
	show := func(z *compose.Puzzle, found, before *puzzles.Mined) {
		board(z.Position)
		fmt.Fprintf(w, "%s to win in %d: %s\n", side(z.Position.Side()), z.Turns, z.Position.Notation(z.Solution))
		if found != nil {
			fmt.Fprintln(w, described(found, before))
		}
	}
	if r.Changed() {
		fmt.Fprintln(w, "Before")
		show(&r.From, r.Before, nil)
		fmt.Fprintln(w, "\nAfter")
		show(&r.To, r.Mined, r.Before)
	} else {
		show(&r.To, r.Mined, nil)
	}
	if lacks := r.lacks(wanted); lacks != 0 {
		fmt.Fprintf(w, "No puzzle with all wanted themes was found; this one lacks: %v\n", lacks)
	}
	if aim.Varies() {
		r.variants(w, board, aim)
		return w.String()
	}
	fmt.Fprintf(w, "%s: %d before\n", printable.Amount(r.To.Position.Occupied().Len(), "piece"), r.From.Position.Occupied().Len())
	if !r.Changed() && r.Mined != nil {
		fmt.Fprintf(w, "Unchanged: nothing %s was found\n", sought(aim))
	}
	gone, other, added := differences(&r.From.Position, &r.To.Position)
	less, instead := "Superfluous", "Other pieces do as well"
	if r.Rounds > 0 { // the solution may be another one
		less, instead = "Gone", "Replaced"
	}
	for _, line := range []struct {
		what   string
		pieces []string
	}{{less, gone}, {instead, other}, {"New", added}} {
		if len(line.pieces) > 0 {
			fmt.Fprintf(w, "%s: %s\n", line.what, strings.Join(line.pieces, ", "))
		}
	}
	if len(r.Parts) > 0 {
		fmt.Fprintln(w, "Without")
	}
	for _, part := range r.Parts {
		fmt.Fprintf(w, "  %v%v  %s\n", part.Piece, part.Square, without(&part))
	}
	if r.Mined == nil {
		fmt.Fprintln(w, r.state(p))
	}
	r.writeTries(w)
	fmt.Fprintf(w, "%s judged\n\n", printable.Amount(r.Judged, "position"))
	return w.String()
}

// sought is what an aim looks for.
func sought(aim compose.Aim) string {
	if aim == compose.Hard {
		return "harder"
	}
	return "smaller"
}

// described returns the difficulty and the themes of a puzzle in words, and the difficulty of the one
// that it was made of, if there is one. A win in one has no difficulty.
func described(m, before *puzzles.Mined) string {
	if m.Turns == 1 {
		return fmt.Sprintf("Themes: %v", m.Themes)
	}
	text := fmt.Sprintf("Difficulty %.1f", m.Difficulty())
	if before != nil && before.Turns > 1 {
		text += fmt.Sprintf(", before %.1f", before.Difficulty())
	}
	return fmt.Sprintf("%s; %v", text, m.Themes)
}

// writeTries writes the phases, if they were asked for.
func (r *composed) writeTries(w io.Writer) {
	switch {
	case r.Phases != nil:
		r.Phases.Write(w, "")
	case r.Unlisted != answer.Finished:
		fmt.Fprintln(w, puzzles.Missing(r.Unlisted))
	}
}

// variants writes the other puzzles that were made of one.
func (r *composed) variants(w io.Writer, board func(arimaa.Position), aim compose.Aim) {
	v := &r.Variants
	for i := range v.Found {
		one := &v.Found[i]
		p := &one.Puzzle.Position
		fmt.Fprintln(w)
		board(*p)
		solution := p.Notation(one.Puzzle.Solution)
		if aim == compose.Twin {
			fmt.Fprintf(w, "%s: the solution becomes %s\n", one.Change.Imperative(), solution)
		} else {
			after := p.AfterTurn(one.Puzzle.Solution)
			fmt.Fprintf(w, "%s to win in %d: %s; the defence %s leads to the puzzle", side(p.Side()), one.Puzzle.Turns, solution, after.Notation(one.Reply))
			if one.Change != (compose.Change{}) {
				fmt.Fprintf(w, " %v", one.Change)
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, described(one.Mined, r.Before))
	}
	more := "" // everything was tried
	if !v.All {
		more = "; there may be more"
	}
	fmt.Fprintf(w, "\n%s found, of %s tried%s\n", printable.Amount(len(v.Found), "puzzle"), printable.Amount(v.Tried, "position"), more)
	for i, n := range v.Refused {
		if n > 0 {
			fmt.Fprintf(w, "  %d refused: %v\n", n, compose.Reason(i))
		}
	}
	if r.stopped {
		fmt.Fprintln(w, "interrupted")
	}
	fmt.Fprintf(w, "%s judged\n\n", printable.Amount(r.Judged, "position"))
}

// without describes the puzzle without a piece.
func without(part *compose.Part) string {
	text := part.Without.String()
	switch {
	case part.Superfluous:
		text = "nothing changes"
	case part.Odd != nil:
		text = strings.ReplaceAll(part.Odd.Error(), "\n", "; ")
	}
	if part.Weaker != arimaa.None {
		text += fmt.Sprintf("; a %v does as well", part.Weaker)
	}
	return text
}

// differences lists the pieces that are gone in another position, those that are replaced there,
// and the new ones.
func differences(from, to *arimaa.Position) (gone, other, added []string) {
	for rest := from.Occupied() | to.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		old, now := from.At(s), to.At(s)
		switch {
		case old == now:
		case now == arimaa.Empty:
			gone = append(gone, fmt.Sprintf("%v%v", old, s))
		case old == arimaa.Empty:
			added = append(added, fmt.Sprintf("%v%v", now, s))
		default:
			other = append(other, fmt.Sprintf("%v for %v%v", now, old, s))
		}
	}
	return gone, other, added
}

func side(s arimaa.Side) string {
	if s == arimaa.Silver {
		return "Silver"
	}
	return "Gold"
}

// jsonPart is the JSON of a piece.
type jsonPart struct {
	Piece       string  `json:"piece"`
	Superfluous bool    `json:"superfluous"`
	Without     string  `json:"without"`
	Weaker      *string `json:"weaker"`
}

// jsonRepair is the JSON of a change that leaves one solution.
type jsonRepair struct {
	Change   string `json:"change"`
	Position string `json:"position"`
	Solution string `json:"solution"`
}

// jsonVariant is the JSON of another puzzle that was made of one.
type jsonVariant struct {
	Change     string   `json:"change,omitempty"`
	Position   string   `json:"position"`
	Claim      int      `json:"claim"`
	Solution   string   `json:"solution"`
	Reply      string   `json:"reply,omitempty"`
	Difficulty *float64 `json:"difficulty"`
}

// jsonVariants is the JSON of all of them.
type jsonVariants struct {
	Found   []jsonVariant  `json:"found"`
	Tried   int            `json:"tried"`
	Refused map[string]int `json:"refused"` // by reason
	All     bool           `json:"all"`
}

func variantsOf(v *compose.Variants, aim compose.Aim) *jsonVariants {
	j := &jsonVariants{Found: []jsonVariant{}, Tried: v.Tried, Refused: map[string]int{}, All: v.All}
	for i, n := range v.Refused {
		if n > 0 {
			j.Refused[compose.Reason(i).String()] = n
		}
	}
	for i := range v.Found {
		one := &v.Found[i]
		p := &one.Puzzle.Position
		x := jsonVariant{Position: p.String(), Claim: one.Puzzle.Turns, Solution: p.Notation(one.Puzzle.Solution), Difficulty: difficulty(one.Mined)}
		if one.Change != (compose.Change{}) {
			x.Change = one.Change.Imperative()
		}
		if aim == compose.Longer {
			after := p.AfterTurn(one.Puzzle.Solution)
			x.Reply = after.Notation(one.Reply)
		}
		j.Found = append(j.Found, x)
	}
	return j
}

// jsonReport is the JSON of a puzzle.
type jsonReport struct {
	File       string               `json:"file"`
	Name       string               `json:"name"`
	From       string               `json:"from"`
	Position   *string              `json:"position"`
	Claim      int                  `json:"claim"`
	Solution   *string              `json:"solution"`
	Pieces     *int                 `json:"pieces"`
	Difficulty *float64             `json:"difficulty"`
	Before     *float64             `json:"difficulty_before"`
	Winning    *int                 `json:"winning"`
	Themes     []string             `json:"themes"`
	Lacks      []string             `json:"lacks"`
	Tries      *puzzles.TriesRecord `json:"tries"`
	Parts      []jsonPart           `json:"parts"`
	Repairs    []jsonRepair         `json:"repairs"`
	Variants   *jsonVariants        `json:"variants,omitempty"`
	Rounds     int                  `json:"rounds"`
	Judged     int                  `json:"judged"`
	Problem    *string              `json:"problem"`
	Notes      []string             `json:"notes,omitempty"`
}

// difficulty returns the difficulty of a puzzle; nil if it was not described, or has none.
func difficulty(m *puzzles.Mined) *float64 {
	if m == nil || m.Turns == 1 {
		return nil
	}
	return new(m.Difficulty())
}

func object(p *puzzles.Puzzle, r *composed, wanted describe.Themes, aim compose.Aim) jsonReport {
	j := jsonReport{File: p.File, Name: p.Name, From: p.Position.String(), Claim: p.Claim, Rounds: r.Rounds, Judged: r.Judged, Notes: p.Notes,
		Themes: []string{}, Lacks: r.lacks(wanted).Names(), Parts: []jsonPart{}, Repairs: []jsonRepair{}}
	if aim.Varies() && r.From.Turns > 0 {
		j.Variants = variantsOf(&r.Variants, aim)
	}
	if r.Mined == nil {
		j.Problem = new(r.state(p))
	} else {
		j.Winning, j.Themes = &r.Mined.Solutions, r.Mined.Themes.Names()
	}
	j.Difficulty, j.Before = difficulty(r.Mined), difficulty(r.Before)
	if r.To.Turns > 0 {
		p := &r.To.Position
		j.Position, j.Solution, j.Pieces = new(p.String()), new(p.Notation(r.To.Solution)), new(p.Occupied().Len())
	}
	j.Tries = puzzles.RecordTries(r.Phases, r.Unlisted)
	for _, part := range r.Parts {
		one := jsonPart{Piece: fmt.Sprintf("%v%v", part.Piece, part.Square), Superfluous: part.Superfluous, Without: part.Without.String()}
		if part.Odd != nil {
			one.Without = part.Odd.Error()
		}
		if part.Weaker != arimaa.None {
			one.Weaker = new(part.Weaker.String())
		}
		j.Parts = append(j.Parts, one)
	}
	for _, one := range r.Repairs {
		p := one.Puzzle.Position
		j.Repairs = append(j.Repairs, jsonRepair{one.Change.String(), p.String(), p.Notation(one.Puzzle.Solution)})
	}
	return j
}
