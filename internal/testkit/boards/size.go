package boards

import "math"

const (
	// Deep reports whether tests run with their largest counts (go test -tags deep).
	Deep = deep
	// Large reports whether they run with large counts (go test -tags large), or the largest.
	Large = large || deep
)

// Sized returns the count of a test: few in a plain run, many in a run of hours (build tag deep), and
// in between few times the cube root of many/few (build tag large).
func Sized(few, many int) int {
	switch {
	case Deep:
		return many
	case Large:
		return int(math.Round(math.Cbrt(float64(few) * float64(few) * float64(many))))
	}
	return few
}
