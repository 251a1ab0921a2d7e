package verify

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fatih/color"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/printable"
	"goalproof/puzzles"
	"goalproof/solve"
	"goalproof/solve/report"
)

// output writes the table for people, or a JSON object for each puzzle.
type output struct {
	*flags
	t      cli.Terminal
	width  int  // of the column of puzzles, in characters
	given  bool // some puzzles give solutions
	start  time.Time
	total  int // puzzles; 0: unknown
	counts struct {
		puzzles, claimTrue, unique, essentiallyUnique, open, errors, wrong, accepted, sampled int
		aside                                                                                 bool // a "no win in N" sets the third repetition aside
	}
	gaps          map[puzzles.Gap]int // how many puzzles have it
	falseClaims   []string            // the first of them
	moreFalse     int                 // further ones
	page          *puzzles.Report     // nil: none is written
	mostSolutions int
	most          string // the puzzle that has them
}

// newOutput returns an output; the first puzzles determine the columns of the table.
func newOutput(f *flags, all *inputs.Peeked[puzzles.Puzzle], t cli.Terminal) *output {
	r := &output{flags: f, t: t, gaps: map[puzzles.Gap]int{}, width: len("puzzle"), start: time.Now(), total: all.Total()}
	first := all.First
	for i := range first {
		r.width = min(max(r.width, utf8.RuneCountInString(first[i].Label())), 60)
		r.given = r.given || first[i].Solution != ""
	}
	return r
}

// row writes a line of the table.
func (r *output) row(puzzle, claim, verdict, solutions, essential, given, certificate, difficulty, time, remarks string) {
	line := fmt.Sprintf("%-*s %5s  %-11s %9s %9s", r.width, puzzle, claim, verdict, solutions, essential)
	if r.given {
		line += fmt.Sprintf("  %-8s", given)
	}
	if r.check || r.certificates != "" {
		line += fmt.Sprintf("  %-11s", certificate)
	}
	if r.themes {
		line += fmt.Sprintf(" %10s", difficulty)
	}
	if !r.search.InNodes() { // times differ
		line += fmt.Sprintf(" %8s", time)
	}
	fmt.Fprintln(r.t.Out, strings.TrimRight(line+"  "+remarks, " "))
}

func (r *output) head() {
	if !r.json {
		r.row("puzzle", "claim", "truth", "solutions", "essential", "given", "certificate", "difficulty", "time", "")
	}
}

// add reports a puzzle.
func (r *output) add(p *puzzles.Result) {
	r.count(p)
	if r.page != nil {
		r.page.Add(p)
	}
	if r.json {
		_ = report.WriteJSON(r.t.Out, p.Record()) // the output remembers that it could not be written
		return
	}
	r.table(p)
	r.below(p)
}

// table writes the row of a puzzle.
func (r *output) table(p *puzzles.Result) {
	claim, solutions, essential, given, difficulty := "-", "-", "-", "-", "-"
	if p.Puzzle.Claim > 0 {
		claim = fmt.Sprint(p.Puzzle.Claim)
	}
	if p.Verdict == answer.Proved {
		solutions, essential = fmt.Sprintf("%d or more", max(1, len(p.Solutions))), "?"
		if p.Listed {
			solutions, essential = fmt.Sprint(len(p.Solutions)), fmt.Sprint(p.Essential())
		}
	}
	if z := p.Description; z != nil {
		if d, ok := z.Difficulty(); ok {
			difficulty = fmt.Sprintf("%.1f", d)
		}
	}
	if p.SolutionOK != nil {
		given = map[bool]string{true: "right", false: "wrong"}[*p.SolutionOK]
	}
	r.row(p.Puzzle.Label(), claim, p.Truth(), solutions, essential, given, cmp.Or(string(p.Certificate), "none"), difficulty, seconds(p.Time), r.remarks(p))
}

// below writes what stands below the row of a puzzle.
func (r *output) below(p *puzzles.Result) {
	if p.Impossible != "" {
		fmt.Fprintf(r.t.Out, "    no game leads to this position: %s\n", p.Impossible)
	}
	for _, line := range p.Puzzle.Sources() {
		fmt.Fprintf(r.t.Out, "    %s\n", line)
	}
	if len(p.Refutation) > 0 {
		fmt.Fprintf(r.t.Out, "    %s: %s\n", p.Shows, strings.Join(p.Refutation, " / "))
	}
	if p.Verdict == answer.Proved {
		r.win(p)
	}
	if p.Phases != nil {
		p.Phases.Write(r.t.Out, "    ")
	}
}

// win writes what there is about a win below its row.
func (r *output) win(p *puzzles.Result) {
	if yes, known := p.ClaimTrue(); known && !yes && p.Within == 1 && len(p.Line) == 1 {
		fmt.Fprintf(r.t.Out, "    wins at once: %s\n", p.Line[0])
	}
	if z := p.Description; z != nil && z.Themes != 0 {
		fmt.Fprintf(r.t.Out, "    themes: %v\n", z.Themes)
	}
	r.turns(p)
}

// secondShown is the number of second solutions in the table without --all.
const secondShown = 3

// turns writes the solutions of a win and the line of the longest defence below its row.
func (r *output) turns(p *puzzles.Result) {
	shown, more := p.Solutions, 0
	if !r.all {
		shown = p.Second()
		more = max(len(shown)-secondShown, 0)
		shown = shown[:len(shown)-more]
	}
	for _, s := range shown {
		mark, given := " ", ""
		if s.Essential {
			mark = "*"
		}
		if s.Given {
			given = "  (given)"
		}
		fmt.Fprintf(r.t.Out, "  %s %s%s\n", mark, s.Turn, given)
	}
	if more > 0 {
		fmt.Fprintf(r.t.Out, "    and %d more (--all lists them)\n", more)
	}
	if len(p.Line) > 1 {
		longest := "longest defence"
		if p.Within > solve.SureLine {
			longest += " known"
		}
		fmt.Fprintf(r.t.Out, "    %s: %s\n", longest, strings.Join(p.Line, " / "))
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

// remarks returns remarks about a puzzle, on a terminal in colour.
func (r *output) remarks(p *puzzles.Result) string {
	var all []string
	note := func(c color.Attribute, format string, args ...any) {
		style := color.New(c)
		style.DisableColor()
		if r.t.Styled {
			style.EnableColor()
		}
		all = append(all, style.Sprintf(format, args...))
	}
	if yes, known := p.ClaimTrue(); known && !yes {
		note(color.FgRed, "false claim: %s", p.Instead())
	}
	if p.SolutionOK != nil && !*p.SolutionOK {
		note(color.FgRed, "wrong solution")
	}
	if p.Certificate == puzzles.Rejected {
		note(color.FgRed, "certificate rejected: this is a bug")
	}
	if yes, known := p.Unique(); known && yes {
		note(color.FgGreen, "unique")
	} else if yes, known := p.EssentiallyUnique(); known && yes {
		note(color.FgGreen, "essentially unique")
	} else if p.Verdict == answer.Proved && p.Listed {
		note(color.FgYellow, "second solutions")
	}
	if p.Table != "" {
		note(color.FgGreen, "%s by endgame table", p.Table)
	}
	for _, gap := range p.Open {
		note(color.FgYellow, "open: %s (%s)", gap.What, gap.Why)
	}
	if p.Err != nil {
		note(color.FgRed, "%v", p.Err)
	}
	return strings.Join(all, ", ")
}

// falseShown is the number of false claims that are listed at the end.
const falseShown = 1000

// count adds a puzzle to the summary.
func (r *output) count(p *puzzles.Result) {
	c := &r.counts
	c.puzzles++
	switch yes, known := p.ClaimTrue(); {
	case known && yes:
		c.claimTrue++
	case known && len(r.falseClaims) == falseShown:
		r.moreFalse++
	case known:
		r.falseClaims = append(r.falseClaims, p.Puzzle.Label())
	}
	add := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	yes, known := p.Unique()
	add(&c.unique, yes && known)
	yes, known = p.EssentiallyUnique()
	add(&c.essentiallyUnique, yes && known)
	add(&c.open, len(p.Open) > 0)
	for _, gap := range p.Open {
		r.gaps[gap]++
	}
	add(&c.errors, p.Failed())
	add(&c.wrong, p.SolutionOK != nil && !*p.SolutionOK)
	add(&c.accepted, p.Certificate == puzzles.Accepted)
	c.aside = c.aside || p.Refuted > 1 && !p.Exact()
	add(&c.sampled, p.Certificate == puzzles.Sampled)
	if n := len(p.Solutions); n > r.mostSolutions {
		r.mostSolutions, r.most = n, p.Puzzle.Label()
	}
}

// summary returns the counts in words.
func (r *output) summary() string {
	c := &r.counts
	text := fmt.Sprintf("%s; claims: %d true, %d false; %d unique, %d essentially unique (these included); %d open, %s",
		printable.Amount(c.puzzles, "puzzle"), c.claimTrue, len(r.falseClaims)+r.moreFalse, c.unique, c.essentiallyUnique, c.open, printable.Amount(c.errors, "error"))
	if r.given {
		text += fmt.Sprintf("; %s wrong", printable.Amount(c.wrong, "given solution"))
	}
	if r.check {
		text += fmt.Sprintf("; %s accepted", printable.Amount(c.accepted, "certificate"))
	}
	if c.sampled > 0 {
		text += fmt.Sprintf("; %d with a sample checked", c.sampled)
	}
	if c.aside {
		text += `; "no win" sets the third repetition aside`
	}
	return text
}

// open lists what is unknown, of how many puzzles, and why; "" if everything is known.
func (r *output) open() string {
	var all []string
	for gap, n := range r.gaps {
		all = append(all, fmt.Sprintf("%s of %s (%s)", gap.What, printable.Amount(n, "puzzle"), gap.Why))
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return "Open: " + strings.Join(all, "; ")
}

// finish writes the summary and the page.
func (r *output) finish(interrupted bool) error {
	if r.page != nil {
		summary := r.summary() + "."
		if open := r.open(); open != "" {
			summary += " " + open + "."
		}
		if interrupted {
			summary += " The run was interrupted."
		}
		if err := r.t.Durable(); err != nil {
			return err
		}
		if err := cli.WriteFile(r.html, func(file io.Writer) error {
			return r.page.Write(file, summary, r.search.Origin(r.t, r.start, r.limits()))
		}); err != nil {
			return err
		}
	}
	if r.json {
		return nil
	}
	c := &r.counts
	if took := seconds(time.Since(r.start)); r.search.InNodes() {
		fmt.Fprintf(r.t.Out, "\n%s\n", r.summary())
		fmt.Fprintf(r.t.Err, "goalproof: %s in %s\n", printable.Amount(c.puzzles, "puzzle"), took)
	} else {
		fmt.Fprintf(r.t.Out, "\n%s; %s\n", r.summary(), took)
	}
	if open := r.open(); open != "" {
		fmt.Fprintln(r.t.Out, open)
	}
	if len(r.falseClaims) > 0 {
		more := ""
		if r.moreFalse > 0 {
			more = fmt.Sprintf(", and %d more", r.moreFalse)
		}
		fmt.Fprintf(r.t.Out, "False claims: %s%s\n", strings.Join(r.falseClaims, ", "), more)
	}
	if r.mostSolutions > 1 {
		fmt.Fprintf(r.t.Out, "Most solutions found: %d (%s)\n", r.mostSolutions, r.most)
	}
	switch {
	case interrupted && r.total > 0:
		fmt.Fprintf(r.t.Out, "Interrupted: %s not examined\n", printable.Amount(r.total-c.puzzles, "puzzle"))
	case interrupted:
		fmt.Fprintln(r.t.Out, "Interrupted: the other puzzles have not been examined")
	}
	return nil
}
