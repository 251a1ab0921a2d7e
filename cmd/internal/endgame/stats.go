package endgame

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/arimaa/render"
	"goalproof/cmd/internal/cli"
	"goalproof/tables/endgame"
)

// statsFlags are the flags of the stats command.
type statsFlags struct {
	flags
	out string
}

func statsCommand(t cli.Terminal) *cobra.Command {
	var f statsFlags
	cmd := &cobra.Command{
		Use:   "stats [CLASS...]",
		Short: "Write statistics: shares of wins, longest wins, mutual zugzwangs",
		Long: `Writes statistics of tables as Markdown: how often the side to move wins and
loses, in how many turns, the longest win with a line, and mutual zugzwangs
(positions in which neither side wants to move). The default is all tables that
exist.

See also: goalproof endgame --help, about classes.`,
		Example: `  goalproof endgame stats R-r
  goalproof endgame stats ER-r
  goalproof endgame stats --out docs`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ts, classes, err := f.openClasses(args)
			if err != nil {
				return err
			}
			defer ts.Close()
			var all []*endgame.Stats
			for _, c := range classes {
				s, err := ts.Stats(cmd.Context(), c, f.threads)
				if err != nil {
					return exitOf(err)
				}
				all = append(all, s)
			}
			if f.out == "" {
				return exitOf(writePage(t.Out, ts, all, nil))
			}
			return writeDocs(f.out, ts, all)
		},
	}
	f.Register(cmd.Flags())
	f.registerThreads(cmd.Flags())
	cmd.Flags().StringVar(&f.out, "out", "", "write endgames.md and its charts to this `directory`")
	return cmd
}

// writeDocs writes the page and its charts.
func writeDocs(dir string, ts *endgame.Tables, all []*endgame.Stats) error {
	if err := os.MkdirAll(filepath.Join(dir, "endgames"), 0o777); err != nil {
		return cli.Unwritten(err)
	}
	charts := map[endgame.Class]string{}
	for _, s := range all {
		picture, err := drawChart(s)
		if err != nil {
			return cli.Exit(cli.Internal, err)
		}
		charts[s.Class] = "endgames/" + s.Class.String() + ".svg"
		path := filepath.Join(dir, filepath.FromSlash(charts[s.Class]))
		if err := cli.WriteText(path, picture); err != nil {
			return err
		}
	}
	var page bytes.Buffer
	if err := writePage(&page, ts, all, charts); err != nil {
		return exitOf(err)
	}
	return cli.WriteText(filepath.Join(dir, "endgames.md"), page.Bytes())
}

// share writes a percentage with enough digits to differ from 0 and from 100.
func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	percent := 100 * float64(part) / float64(whole)
	for digits := 1; digits < 6; digits++ {
		text := fmt.Sprintf("%.*f", digits, percent)
		zero, hundred := fmt.Sprintf("%.*f", digits, 0.0), fmt.Sprintf("%.*f", digits, 100.0)
		if (text == zero) == (part == 0) && (text == hundred) == (part == whole) {
			return text + " %"
		}
	}
	return fmt.Sprintf("%d of %s", part, humanize.Comma(int64(whole)))
}

// notes are findings about the tables, for the page in docs.
//
//go:embed notes.md
var notes string

// writePage writes the statistics as Markdown, with the notes if there are charts.
func writePage(w io.Writer, ts *endgame.Tables, all []*endgame.Stats, charts map[endgame.Class]string) error {
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	p(`# Endgames

Exact values of all positions with few pieces, by retrograde analysis (package endgame). This page is made by
%s. Gold has the stronger pieces. Only relative strength counts: E and h stand for any
stronger and weaker piece. A position and its mirror image are one, and in classes where both sides have the
same pieces so are positions with colours exchanged. "Neither" means that nobody can force a win, the third
repetition set aside. Quiet positions are those without a win or loss in 1.

| class | to move | positions | win | loss | neither | quiet | win | loss | neither | longest win |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`, "`goalproof endgame stats --out docs`")
	for _, s := range all {
		for side := range s.ToMove {
			d := &s.ToMove[side]
			total, wins, losses := d.Total()
			quiet, quietWins, quietLosses := d.Quiet()
			longest := 0
			for n, count := range d.Wins {
				if count > 0 {
					longest = n
				}
			}
			mover := arimaa.Side(side).String()
			if len(s.ToMove) == 1 {
				mover = "either"
			}
			p("| %v | %s | %s | %s | %s | %s | %s | %s | %s | %s | %d |\n", s.Class, mover,
				humanize.Comma(int64(total)), share(wins, total), share(losses, total), share(total-wins-losses, total),
				humanize.Comma(int64(quiet)), share(quietWins, quiet), share(quietLosses, quiet),
				share(quiet-quietWins-quietLosses, quiet), longest)
		}
	}
	writeAnswers(w, all)
	if charts != nil {
		p("\n%s", notes)
	}
	for _, s := range all {
		if err := writeClass(w, ts, s, charts[s.Class]); err != nil {
			return err
		}
	}
	return nil
}

// writeAnswers answers questions of players, as far as the tables exist. Shares are of quiet
// positions.
func writeAnswers(w io.Writer, all []*endgame.Stats) {
	by := map[string]*endgame.Stats{}
	for _, s := range all {
		by[s.Class.String()] = s
	}
	there := func(classes ...string) bool {
		return !slices.ContainsFunc(classes, func(c string) bool { return by[c] == nil })
	}
	// outcome returns the share of wins and of losses of a side to move, and the number of
	// positions that nobody wins.
	outcome := func(class string, side arimaa.Side) (wins, losses string, neither int) {
		total, won, lost := by[class].ToMove[side].Quiet()
		return share(won, total), share(lost, total), total - won - lost
	}
	var answers []string
	if there("R-r", "RR-r", "RRR-r", "RR-rr") {
		one, _, a := outcome("R-r", arimaa.Gold)
		two, _, b := outcome("RR-rr", arimaa.Gold)
		_, _, c := outcome("RR-r", arimaa.Gold)
		_, _, d := outcome("RRR-r", arimaa.Gold)
		answers = append(answers, fmt.Sprintf("**When does a rabbit race decide?** Within %d turns: that is the longest win of a class with rabbits alone and up to four "+
			"pieces. The quiet positions with Gold to move in which nobody can force a win number %d. The side to move wins %s of the quiet positions of R-r, and %s of RR-rr.",
			max(by["R-r"].N, by["RR-r"].N, by["RRR-r"].N, by["RR-rr"].N), a+b+c+d, one, two))
	}
	if there("ER-er") {
		wins, losses, neither := outcome("ER-er", arimaa.Gold)
		answers = append(answers, fmt.Sprintf("**Does E+R beat e+r?** Whoever is to move wins %s of the quiet positions and loses %s; in %s nobody can force a win. "+
			"The longest win takes %d turns.", wins, losses, humanize.Comma(int64(neither)), by["ER-er"].N))
	}
	if there("ER-rr") {
		first, _, _ := outcome("ER-rr", arimaa.Gold)
		_, second, _ := outcome("ER-rr", arimaa.Silver)
		answers = append(answers, fmt.Sprintf("**Does a piece with a rabbit stop two rabbits?** It wins %s of the quiet positions when its side is to move, and %s when the two rabbits are.",
			first, second))
	}
	if there("ER-r", "ER-hr", "ERR-r", "EHR-r") {
		var more []string
		for _, class := range []string{"ER-r", "ER-hr", "ERR-r", "EHR-r"} {
			first, _, _ := outcome(class, arimaa.Gold)
			_, second, _ := outcome(class, arimaa.Silver)
			more = append(more, fmt.Sprintf("%s in %s (%s)", first, class, second))
		}
		answers = append(answers, fmt.Sprintf("**Does a piece more, or a stronger one, win?** The stronger side wins, of the quiet "+
			"positions with the move (and without it): %s.", strings.Join(more, ", ")))
	}
	if len(answers) > 0 {
		fmt.Fprintf(w, "\n## What players have asked\n\n%s\n", strings.Join(answers, "\n\n"))
	}
}

// writeClass writes the statistics of one class.
func writeClass(w io.Writer, ts *endgame.Tables, s *endgame.Stats, chart string) error {
	p := func(format string, args ...any) { fmt.Fprintf(w, format, args...) }
	p("\n## %v\n\n", s.Class)
	if chart != "" {
		p("![How long the wins and losses of %v take](%s)\n\n", s.Class, chart)
	}
	if s.N > 0 {
		p("The longest win: %v wins in %d.\n\n", s.Longest.Side(), s.N)
		drawPosition(w, s.Longest)
		line, err := ts.Line(s.Longest)
		if err != nil {
			return err
		}
		for at := s.Longest; len(line) > 0; line = line[1:] {
			p("    %s\n", at.Notation(line[0].Turn))
			at = arimaa.NewPosition(line[0].After, at.Side().Other())
		}
		p("\n")
	}
	z := &s.Zugzwangs
	p("Mutual zugzwangs: %s full (whoever is to move loses), %s half (one side loses if it is to move, and otherwise nobody can force a win).\n",
		humanize.Comma(int64(z.Full)), humanize.Comma(int64(z.Half)))
	for _, example := range []struct {
		what  string
		n     int
		board arimaa.Board
	}{{"full", z.FullN, z.FullBoard}, {"half", z.HalfN, z.HalfBoard}} {
		if example.n == 0 {
			continue
		}
		p("The %s one that lasts longest:\n\n", example.what)
		drawPosition(w, arimaa.NewPosition(example.board, arimaa.Gold))
		for side := arimaa.Gold; side <= arimaa.Silver; side++ {
			v, ok := ts.Probe(&example.board, side)
			if !ok {
				return errors.Join(endgame.ErrUnknown, ts.Err())
			}
			p("    %v to move: %v\n", side, v)
		}
		p("\n")
	}
	return nil
}

// drawPosition draws a board as a block of Markdown, with its short form.
func drawPosition(w io.Writer, p arimaa.Position) {
	board := render.Board(notation.Diagram{Position: p, Number: 2}, false)
	_, board, _ = strings.Cut(board, "\n") // without the number of the turn
	for line := range strings.Lines(board) {
		fmt.Fprintf(w, "    %s", line)
	}
	fmt.Fprintf(w, "    %v\n\n", p)
}
