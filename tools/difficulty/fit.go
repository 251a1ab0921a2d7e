package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"goalproof/internal/printable"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// row is a measured puzzle.
type row struct {
	game   string
	name   string
	themes []string
	values map[string]float64 // by the other columns
}

// readRows reads what measureAll has written.
func readRows(name string) (rows []row, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma = '\t'
	all, err := r.ReadAll()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(all) == 0 || !slices.Equal(all[0], columns[:]):
		return nil, fmt.Errorf("%s: these are no rows of -measure", name)
	}
	for i, cells := range all[1:] {
		one := row{game: cells[0], name: cells[1], themes: strings.Split(cells[2], ", "), values: map[string]float64{}}
		for k := 3; k < len(cells); k++ {
			if one.values[columns[k]], err = strconv.ParseFloat(cells[k], 64); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
			}
		}
		rows = append(rows, one)
	}
	return rows, nil
}

// work is the work of a search on the scale of difficulties.
func (r *row) work(search string) float64 { return math.Log2(1+r.values[search+"_nodes"]) / 2 }

// target is what the difficulty predicts.
func (r *row) target() float64 { return r.work("eye") }

// count returns the binary logarithm of a count with 1 added.
func (r *row) count(column string) float64 { return math.Log2(1 + r.values[column]) }

// features are those of the difficulty.
func (r *row) features() []float64 {
	c := describe.Counts{Winning: int(r.values["winning"]), Surprise: r.values["surprise"]}
	f := c.Features()
	return f[:]
}

// counted are features of counts alone, for comparison.
func (r *row) counted() []float64 {
	return []float64{1, r.count("first"), r.count("winning"), r.count("threats"), r.values["steps"]}
}

// heldOut reports whether the rows of a game are held out of the fit.
func (r *row) heldOut() bool {
	h := fnv.New32a()
	fmt.Fprint(h, seed, r.game)
	return h.Sum32()&1 == 1
}

// seed divides the games into those that are fitted and those that are held out.
const seed = 1

// ridge is the penalty on the weights of features in units of their standard deviation (ridge
// regression, Hoerl and Kennard 1970).
const ridge = 2

// fit returns the weights of features that predict the targets best. The first feature is 1, and
// its weight is free.
func fit(rows []row, features func(*row) []float64) []float64 {
	average := 0.0
	for i := range rows {
		average += rows[i].target() / float64(len(rows))
	}
	mean, scale := moments(rows, features)
	n := len(mean)
	a := make([][]float64, n) // normal equations of the standardised features, and their right side
	for i := range a {
		a[i] = make([]float64, n+1)
		a[i][i] = ridge
	}
	for k := range rows {
		f := features(&rows[k])
		for i := 1; i < n; i++ {
			x := (f[i] - mean[i]) / scale[i]
			for j := 1; j < n; j++ {
				a[i][j] += x * (f[j] - mean[j]) / scale[j]
			}
			a[i][n] += x * (rows[k].target() - average)
		}
	}
	w := solved(a)
	w[0] = average
	for i := 1; i < n; i++ {
		w[i] /= scale[i]
		w[0] -= w[i] * mean[i]
	}
	return w
}

// moments returns the mean of each feature, and its standard deviation, which is taken to be
// positive.
func moments(rows []row, features func(*row) []float64) (mean, deviation []float64) {
	n := len(features(&rows[0]))
	mean, deviation = make([]float64, n), make([]float64, n)
	for i := range rows {
		for k, x := range features(&rows[i]) {
			mean[k] += x / float64(len(rows))
		}
	}
	for i := range rows {
		for k, x := range features(&rows[i]) {
			deviation[k] += (x - mean[k]) * (x - mean[k]) / float64(len(rows))
		}
	}
	for k, variance := range deviation {
		deviation[k] = max(math.Sqrt(variance), 1e-9)
	}
	return mean, deviation
}

// solved returns the solution of n equations, each with its right side as the last of n+1 numbers,
// which it overwrites. Their matrix is positive definite, so that no pivots are needed.
func solved(a [][]float64) []float64 {
	n := len(a)
	for i := range n {
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j <= n; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	w := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		sum := a[i][n]
		for j := i + 1; j < n; j++ {
			sum -= a[i][j] * w[j]
		}
		w[i] = sum / a[i][i]
	}
	return w
}

// predict returns the sum of features by their weights.
func predict(weights, features []float64) (sum float64) {
	for i, x := range features {
		sum += weights[i] * x
	}
	return sum
}

// spearman returns the rank correlation of two lists (Spearman 1904); equal values share the mean
// of their ranks.
func spearman(a, b []float64) float64 {
	x, y := ranks(a), ranks(b)
	mean := float64(len(a)-1) / 2
	var xy, xx, yy float64
	for i := range x {
		xy += (x[i] - mean) * (y[i] - mean)
		xx += (x[i] - mean) * (x[i] - mean)
		yy += (y[i] - mean) * (y[i] - mean)
	}
	return xy / math.Sqrt(xx*yy)
}

func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	all := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			all[k] = float64(i+j-1) / 2
		}
		i = j
	}
	return all
}

// column returns a value of each row.
func column(rows []row, value func(*row) float64) (all []float64) {
	for i := range rows {
		all = append(all, value(&rows[i]))
	}
	return all
}

// figure is a figure of a puzzle that may say how hard it is.
type figure struct {
	name  string
	value func(*row) float64
}

// of returns the figure of a column.
func of(name, column string) figure {
	return figure{name, func(r *row) float64 { return r.values[column] }}
}

// searches are those that find a solution with less and less knowledge, and one that proves it.
func searches() (all []figure) {
	for _, s := range []struct{ name, column string }{
		{"engine", "eye_nodes"}, {"untaught", "untaught_nodes"}, {"without detectors", "blind_nodes"}, {"proof", "proof_nodes"},
	} {
		all = append(all, of(s.name, s.column))
	}
	return all
}

// theme is 1 of a puzzle with a theme, and else 0.
func theme(name string) figure {
	return figure{name, func(r *row) float64 {
		if slices.Contains(r.themes, name) {
			return 1
		}
		return 0
	}}
}

// figures are those that are compared with the searches.
func figures() []figure {
	all := []figure{
		of("surprise", "surprise"), of("rank by likelihood", "rank"), of("steps of the solution", "steps"),
		of("distinct first turns", "first"), of("solutions among them", "winning"), of("tries", "threats"),
		of("near tries", "near"), of("near tries with one defence", "single"), of("replies", "replies"), of("pieces", "pieces"),
	}
	for _, name := range []string{"quiet", "capture", "sacrifice", "push", "pull", "freeing"} {
		all = append(all, theme(name))
	}
	return all
}

// correlate writes a table of the rank correlations of figures with searches over some rows; there
// is none where a figure is the same for all.
func correlate(w io.Writer, title string, rows []row, figures, with []figure) {
	var columns []string
	for _, f := range with {
		columns = append(columns, f.name)
	}
	table(w, fmt.Sprintf("%s: %s", title, printable.Amount(len(rows), "puzzle")), columns, figures,
		func(f figure, column int) string { return correlation(rows, f, with[column]) })
}

// table writes a table with a row for each figure.
func table(w io.Writer, title string, columns []string, figures []figure, cell func(f figure, column int) string) {
	fmt.Fprintf(w, "| %s | %s |\n| --- |%s\n", title, strings.Join(columns, " | "), strings.Repeat(" ---: |", len(columns)))
	for _, f := range figures {
		fmt.Fprintf(w, "| %s |", f.name)
		for i := range columns {
			fmt.Fprintf(w, "%s |", cell(f, i))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

// correlation writes a rank correlation behind a space; nothing where a figure is the same for all.
func correlation(rows []row, a, b figure) string {
	c := spearman(column(rows, a.value), column(rows, b.value))
	if math.IsNaN(c) {
		return ""
	}
	return fmt.Sprintf(" %.2f", c)
}

// ofLength returns the rows of wins in so many turns.
func ofLength(rows []row, turns int) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.values["win_in"] != float64(turns) })
}

// halves are the measured puzzles of a file: wins in two turns or more, of which half of the games
// are fitted and half are held out, and wins in one.
type halves struct{ fitted, held, ones []row }

// halve divides rows.
func halve(rows []row) (h halves) {
	for _, r := range rows {
		switch {
		case r.values["win_in"] == 1:
			h.ones = append(h.ones, r)
		case r.heldOut():
			h.held = append(h.held, r)
		default:
			h.fitted = append(h.fitted, r)
		}
	}
	return h
}

// fitFile fits the weights to the fitted puzzles of a file, and writes how well they predict the
// others, as tables in Markdown.
func fitFile(name string, w io.Writer) error {
	rows, err := readRows(name)
	if err != nil {
		return err
	}
	h := halve(rows)
	if len(h.fitted) < 20 || len(h.held) < 20 || len(h.ones) < 2 {
		return fmt.Errorf("%s: %d puzzles to fit, %d held out and %d wins in one are too few", name, len(h.fitted), len(h.held), len(h.ones))
	}
	weights, counts := fit(h.fitted, (*row).features), fit(h.fitted, (*row).counted)
	fmt.Fprintln(w, "| feature | weight |\n| --- | ---: |")
	for i, x := range weights {
		fmt.Fprintf(w, "| %s | %.3f |\n", describe.FeatureNames[i], x)
	}
	measures := []figure{
		{"difficulty", func(r *row) float64 { return clamp(predict(weights, r.features())) }},
		{"counts alone", func(r *row) float64 { return clamp(predict(counts, r.counted())) }},
	}
	fmt.Fprintf(w, "\n| mean error | %d fitted | %d held out |\n| --- | ---: | ---: |\n", len(h.fitted), len(h.held))
	for _, f := range measures {
		fmt.Fprintf(w, "| %s | %.2f | %.2f |\n", f.name, meanError(h.fitted, f), meanError(h.held, f))
	}
	fmt.Fprintln(w)
	correlate(w, "fitted", h.fitted, measures, searches())
	correlate(w, "held out", h.held, slices.Concat(measures, figures()), searches())
	correlate(w, "searches", h.held, searches(), searches())
	for _, part := range parts {
		correlate(w, part.name, slices.DeleteFunc(slices.Clone(h.held), func(r row) bool { return !part.has(&r) }), measures, searches())
	}
	lengths(w, slices.Concat(h.fitted, h.held), measures[0])
	correlate(w, "wins in one", h.ones, figures()[:5], searches()[2:3])
	return nil
}

// lengths writes what is predicted for wins of each length, and what the engine needs, on average;
// and how wrong that is, and the best constant would be.
func lengths(w io.Writer, rows []row, difficulty figure) {
	fmt.Fprintln(w, "| turns of the win | puzzles | difficulty | engine | mean error | of a constant |\n| --- | ---: | ---: | ---: | ---: | ---: |")
	for n := 2; n <= solve.MaxTurns; n++ {
		some := ofLength(rows, n)
		if len(some) == 0 {
			continue
		}
		predicted, needed := 0.0, 0.0
		for i := range some {
			predicted += difficulty.value(&some[i]) / float64(len(some))
			needed += some[i].target() / float64(len(some))
		}
		targets := slices.Sorted(slices.Values(column(some, (*row).target)))
		constant := figure{value: func(*row) float64 { return targets[len(targets)/2] }}
		fmt.Fprintf(w, "| %d | %d | %.1f | %.1f | %.2f | %.2f |\n", n, len(some), predicted, needed, meanError(some, difficulty), meanError(some, constant))
	}
	fmt.Fprintln(w)
}

// parts are parts of the puzzles, by where they come from.
var parts = []struct {
	name string
	has  func(*row) bool
}{
	{"the collection", func(r *row) bool { return r.from() == "" }},
	{"published wins in two", func(r *row) bool { return r.from() == fromSet }},
	{"published games", func(r *row) bool { return r.from() == fromGame }},
}

// from returns the prefix of a game that says where a puzzle comes from, "" for the collection.
func (r *row) from() string {
	for _, prefix := range []string{fromSet, fromGame} {
		if strings.HasPrefix(r.game, prefix) {
			return prefix
		}
	}
	return ""
}

// clamp keeps a difficulty within its scale.
func clamp(d float64) float64 { return min(max(d, 0), describe.MaxDifficulty) }

// meanError is that of a prediction.
func meanError(rows []row, f figure) (mean float64) {
	for i := range rows {
		mean += math.Abs(f.value(&rows[i])-rows[i].target()) / float64(len(rows))
	}
	return mean
}
