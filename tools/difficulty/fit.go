package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"goalproof/puzzles/describe"
)

// row is a measured puzzle.
type row struct {
	set      string
	features describe.Features
	target   float64 // half the binary logarithm of the nodes of the engine, the difficulty to be predicted
	depth    float64
	pns      float64 // binary logarithm of the nodes of package pns
	tries    float64 // the number of other turns that threaten to win at once
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
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("%s: no rows: %v", name, err)
	}
	column := map[string]int{}
	for i, name := range all[0] {
		column[name] = i
	}
	for i, fields := range all[1:] {
		number := func(name string) (x float64) {
			at, ok := column[name]
			if !ok {
				err = fmt.Errorf("there is no column %s", name)
				return 0
			}
			x, bad := strconv.ParseFloat(fields[at], 64)
			err = cmp.Or(err, bad)
			return x
		}
		one := row{
			set: fields[0], target: math.Log2(1+number("nodes")) / 2, depth: number("depth"),
			pns: math.Log2(1 + number("pns")), tries: number("threats"),
		}
		for k, name := range describe.FeatureNames {
			one.features[k] = number(name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		if fields[column["seen"]] == "true" {
			rows = append(rows, one)
		}
	}
	return rows, nil
}

// ridge is the penalty on the weights of features in units of their standard deviation (ridge
// regression, Hoerl and Kennard 1970).
const ridge = 2

// fit returns the weights that predict the targets best. The first feature is 1, and its weight is
// free.
func fit(rows []row) (w describe.Features) {
	const n = describe.NumFeatures
	var mean, scale describe.Features
	var average float64
	for _, r := range rows {
		average += r.target / float64(len(rows))
		for i, x := range r.features {
			mean[i] += x / float64(len(rows))
		}
	}
	for _, r := range rows {
		for i, x := range r.features {
			scale[i] += (x - mean[i]) * (x - mean[i]) / float64(len(rows))
		}
	}
	var a [n][n + 1]float64 // normal equations of the standardised features, and their right side
	for i := 1; i < n; i++ {
		scale[i] = max(math.Sqrt(scale[i]), 1e-9)
		a[i][i] = ridge
	}
	for _, r := range rows {
		for i := 1; i < n; i++ {
			x := (r.features[i] - mean[i]) / scale[i]
			for j := 1; j < n; j++ {
				a[i][j] += x * (r.features[j] - mean[j]) / scale[j]
			}
			a[i][n] += x * (r.target - average)
		}
	}
	for i := 1; i < n; i++ { // the matrix is positive definite: no pivots
		for k := i + 1; k < n; k++ {
			f := a[k][i] / a[i][i]
			for j := i; j <= n; j++ {
				a[k][j] -= f * a[i][j]
			}
		}
	}
	w[0] = average
	for i := n - 1; i > 0; i-- {
		sum := a[i][n]
		for j := i + 1; j < n; j++ {
			sum -= a[i][j] * w[j] * scale[j]
		}
		w[i] = sum / a[i][i] / scale[i]
		w[0] -= w[i] * mean[i]
	}
	return w
}

func predict(w describe.Features, r row) (sum float64) {
	for i, x := range r.features {
		sum += w[i] * x
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

// fitFile fits the weights to the training set of a file and writes how well they predict.
func fitFile(name string, w io.Writer) error {
	rows, err := readRows(name)
	if err != nil {
		return err
	}
	sets := map[string][]row{}
	for _, r := range rows {
		sets[r.set] = append(sets[r.set], r)
	}
	train := sets[training]
	if len(train) < 2*describe.NumFeatures || len(sets[validation]) < 2 {
		return fmt.Errorf("%s: %d rows to fit, and %d to validate, are too few", name, len(train), len(sets[validation]))
	}
	weights := fit(train)
	fmt.Fprint(w, "weights:")
	for i, x := range weights {
		fmt.Fprintf(w, " %s %.3f", describe.FeatureNames[i], x)
	}
	fmt.Fprintln(w)
	var without []float64 // each row predicted from the others
	for i := range train {
		without = append(without, predict(fit(slices.Concat(train[:i], train[i+1:])), train[i]))
	}
	nodesOf := func(r row) float64 { return r.target }
	fmt.Fprintf(w, "%s, each left out in turn: %.2f with the nodes\n", training, spearman(without, column(train, nodesOf)))
	for _, set := range []string{training, validation} {
		rows := sets[set]
		nodes := column(rows, nodesOf)
		depth := column(rows, func(r row) float64 { return r.depth })
		pns := column(rows, func(r row) float64 { return r.pns })
		difficulty := column(rows, func(r row) float64 { return predict(weights, r) })
		tries := column(rows, func(r row) float64 { return r.tries })
		error := 0.0
		for i := range rows {
			error += math.Abs(difficulty[i]-nodes[i]) / float64(len(rows))
		}
		fmt.Fprintf(w, "%s: %d puzzles; difficulty %.1f to %.1f, mean error %.2f\n", set, len(rows), slices.Min(difficulty), slices.Max(difficulty), error)
		for _, by := range []struct {
			name   string
			values []float64
		}{{"difficulty", difficulty}, {"tries", tries}} {
			fmt.Fprintf(w, "  rank correlation of %s with nodes %.2f, depth %.2f, nodes of pns %.2f\n", by.name,
				spearman(by.values, nodes), spearman(by.values, depth), spearman(by.values, pns))
		}
		fmt.Fprintf(w, "  rank correlation of nodes with nodes of pns %.2f\n", spearman(nodes, pns))
	}
	return nil
}

// column returns a value of each row.
func column(rows []row, value func(row) float64) (all []float64) {
	for _, r := range rows {
		all = append(all, value(r))
	}
	return all
}
