package experiment

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"goalproof/internal/files"
	"goalproof/internal/printable"
)

// WriteFiles writes the summary into a directory: summary.csv, summary.md and the plots solved.svg,
// time.svg (unless the limit is in nodes) and nodes.svg. Title returns the title of a parameter's
// axis, with its unit.
func (s *Summary) WriteFiles(dir string, title func(name string) string) error {
	table, err := s.csv()
	if err != nil {
		return err
	}
	texts := map[string][]byte{"summary.csv": table, "summary.md": []byte(s.Markdown())}
	figures, err := s.figures(title)
	if err != nil {
		return err
	}
	for _, f := range figures {
		texts[f.Name+".svg"] = f.SVG
	}
	for name, text := range texts {
		if err := files.WriteText(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// timed reports whether the summary has times. With a limit in nodes it has none: it is then the
// same on every machine.
func (s *Summary) timed() bool { return s.Plan.Limit.Nodes == 0 }

// csv returns the summary as comma-separated values, a row for each cell. Seconds have six
// decimals, nodes one; they are empty if no position is commonly solved, and seconds if the limit
// is in nodes.
func (s *Summary) csv() ([]byte, error) {
	var header []string
	for _, a := range s.Plan.Grid {
		header = append(header, a.Name)
	}
	rows := [][]string{append(header, "runs", "solved", "proved", "disproved", "unknown", "commonly_solved",
		"mean_seconds", "median_seconds", "mean_nodes", "median_nodes")}
	for _, c := range s.Cells {
		row := append([]string(nil), c.Cell...)
		for _, n := range []int{c.Runs, c.Solved(), c.Proved, c.Disproved, c.Unknown, s.Common} {
			row = append(row, strconv.Itoa(n))
		}
		for _, x := range []float64{c.MeanSeconds, c.MedianSeconds} {
			text := s.number(x, func(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) })
			if !s.timed() {
				text = ""
			}
			row = append(row, text)
		}
		for _, x := range []float64{c.MeanNodes, c.MedianNodes} {
			row = append(row, s.number(x, func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }))
		}
		rows = append(rows, row)
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(rows)
	return b.Bytes(), err
}

// number formats a mean or median; the text is empty if no position is commonly solved.
func (s *Summary) number(x float64, text func(float64) string) string {
	if s.Common == 0 {
		return ""
	}
	return text(x)
}

// Markdown returns the summary as a line about the experiment and a table, padded to be legible as
// plain text.
func (s *Summary) Markdown() string {
	p := s.Plan
	var b strings.Builder
	fmt.Fprintf(&b, "%s, a win in %d or less, %s each", printable.Amount(len(p.Positions), "position"), p.WinIn, each(p.Limit))
	if same := p.Grid.constant(); len(same) > 0 {
		fmt.Fprintf(&b, ", %v", same)
	}
	if s.Runs < p.Runs() {
		fmt.Fprintf(&b, "; %d of %d runs done", s.Runs, p.Runs())
	}
	what := "Times and nodes"
	if !s.timed() {
		what = "Nodes"
	}
	fmt.Fprintf(&b, ". %s are of the %s that every cell solves.\n\n", what, printable.Amount(s.Common, "position"))
	var header []string
	var rows [][]string
	for i := range s.Cells {
		c := &s.Cells[i]
		header, rows = nil, append(rows, nil)
		row := &rows[i]
		column := func(name, value string) { header, *row = append(header, name), append(*row, value) }
		for j, a := range p.Grid {
			if len(a.Values) > 1 {
				column(a.Name, c.Cell[j])
			}
		}
		if s.Runs < p.Runs() {
			column("runs", strconv.Itoa(c.Runs))
		}
		column("solved", strconv.Itoa(c.Solved()))
		column("proved", strconv.Itoa(c.Proved))
		column("disproved", strconv.Itoa(c.Disproved))
		column("unknown", strconv.Itoa(c.Unknown))
		nodes := func(x float64) string { return humanize.Comma(int64(math.Round(x))) }
		if s.timed() {
			column("mean time (s)", s.number(c.MeanSeconds, seconds))
			column("median (s)", s.number(c.MedianSeconds, seconds))
		}
		column("mean nodes", s.number(c.MeanNodes, nodes))
		column("median", s.number(c.MedianNodes, nodes))
	}
	writeTable(&b, header, rows, len(p.Grid)-len(p.Grid.constant()))
	return b.String()
}

// seconds formats a time with three significant digits, at most to microseconds.
func seconds(x float64) string {
	decimals := 6
	for ; decimals > 0 && x*math.Pow10(decimals) >= 1000; decimals-- {
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// writeTable writes a table in Markdown; the first columns are words, the others numbers.
func writeTable(b *strings.Builder, header []string, rows [][]string, words int) {
	width := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for i, cell := range row {
			width[i] = max(width[i], 2, utf8.RuneCountInString(cell))
		}
	}
	write := func(row []string) {
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i < words {
				cell += pad
			} else {
				cell = pad + cell
			}
			fmt.Fprintf(b, "| %s ", cell)
		}
		b.WriteString("|\n")
	}
	write(header)
	for i := range header {
		rule := strings.Repeat("-", width[i])
		if i >= words {
			rule = rule[1:] + ":"
		}
		fmt.Fprintf(b, "| %s ", rule)
	}
	b.WriteString("|\n")
	for _, row := range rows {
		write(row)
	}
}
