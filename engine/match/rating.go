package match

import (
	"errors"
	"math"
	"slices"
)

// Wins holds the results of several players: Wins[i][j] is the number of games that i has won
// against j.
type Wins [][]int

// Rating is the strength of a player in Elo points relative to the mean of all, with its 95 %
// interval.
type Rating struct{ Elo, Low, High float64 }

// ErrUnrated is the error of results that determine no finite ratings.
var ErrUnrated = errors.New("some players have won all or none of the games against the others, so no ratings fit the results best")

// Ratings fits the model of Bradley and Terry (Rank analysis of incomplete block designs, 1952), in
// which i beats j with probability g_i/(g_i+g_j), by maximum likelihood. The logarithm of g is the
// rating, on the scale of Elo.
//
// The fit is the iteration of Hunter (MM algorithms for generalized Bradley-Terry models, 2004,
// section 2): each g_i becomes the wins of i over the sum of n_ij/(g_i+g_j), n_ij the games of i
// and j. It never lowers the likelihood, and leads to the one maximum if there is one. There is,
// unless the players fall into two groups of which one has won no game against the other (his
// assumption 1): the error is then [ErrUnrated].
//
// The intervals are those of the normal approximation. The information matrix of the logarithms is
// the Laplacian of the players' graph with the weights n_ij p_ij p_ji. With ratings whose mean is 0
// their covariance is its pseudo-inverse, the inverse of the matrix with 1/n added everywhere less
// 1/n everywhere. With few games the intervals are too narrow.
func (w Wins) Ratings() ([]Rating, error) {
	n := len(w)
	if !w.connected() {
		return nil, ErrUnrated
	}
	strength := slices.Repeat([]float64{1}, n)
	for changed, steps := 1.0, 0; changed > 1e-12 && steps < maxSteps; steps++ {
		changed = 0
		next := make([]float64, n)
		mean := 0.0 // of the logarithms
		for i := range n {
			won, sum := 0, 0.0
			for j := range n {
				won += w[i][j]
				sum += float64(w[i][j]+w[j][i]) / (strength[i] + strength[j])
			}
			next[i] = float64(won) / sum
			mean += math.Log(next[i]) / float64(n)
		}
		for i := range n {
			next[i] /= math.Exp(mean)
			changed = max(changed, math.Abs(math.Log(next[i]/strength[i])))
		}
		strength = next
	}
	covariance := w.covariance(strength)
	const points = 400 / math.Ln10 // of Elo in a unit of the logarithm
	ratings := make([]Rating, n)
	for i := range n {
		elo, half := points*math.Log(strength[i]), points*z*math.Sqrt(covariance[i][i])
		ratings[i] = Rating{elo, elo - half, elo + half}
	}
	return ratings, nil
}

// maxSteps bounds the iteration, whose convergence is linear and slow where one player hardly ever
// wins.
const maxSteps = 100_000

// connected reports whether a chain of wins leads from each player to each other one.
func (w Wins) connected() bool {
	for _, won := range []func(i, j int) bool{
		func(i, j int) bool { return w[i][j] > 0 }, func(i, j int) bool { return w[j][i] > 0 },
	} {
		reached := make([]bool, len(w))
		reached[0] = true
		for next := []int{0}; len(next) > 0; {
			i := next[0]
			next = next[1:]
			for j := range w {
				if !reached[j] && won(i, j) {
					reached[j] = true
					next = append(next, j)
				}
			}
		}
		if slices.Contains(reached, false) {
			return false
		}
	}
	return true
}

// covariance returns the covariance matrix of the logarithms of the strengths.
func (w Wins) covariance(strength []float64) [][]float64 {
	n := len(w)
	m := make([][]float64, n)
	for i := range n {
		m[i] = slices.Repeat([]float64{1 / float64(n)}, n)
	}
	for i := range n {
		for j := range n {
			p := strength[i] / (strength[i] + strength[j])
			weight := float64(w[i][j]+w[j][i]) * p * (1 - p)
			m[i][i] += weight
			m[i][j] -= weight
		}
	}
	m = inverse(m)
	for i := range n {
		for j := range n {
			m[i][j] -= 1 / float64(n)
		}
	}
	return m
}

// inverse returns the inverse of a positive definite matrix, which it overwrites (Gauss and
// Jordan).
func inverse(m [][]float64) [][]float64 {
	n := len(m)
	result := make([][]float64, n)
	for i := range n {
		result[i] = make([]float64, n)
		result[i][i] = 1
	}
	for i := range n {
		pivot := m[i][i]
		for k := range n {
			m[i][k] /= pivot
			result[i][k] /= pivot
		}
		for j := range n {
			if factor := m[j][i]; j != i {
				for k := range n {
					m[j][k] -= factor * m[i][k]
					result[j][k] -= factor * result[i][k]
				}
			}
		}
	}
	return result
}
