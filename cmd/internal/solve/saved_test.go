package solve

import (
	"errors"
	"strings"
	"testing"
	"time"

	"goalproof/solve"
)

// TestSaveFails reports saves: each time they begin to fail, and at the end if the last one has
// failed and there is none after it.
func TestSaveFails(t *testing.T) {
	full := errors.New("the disk is full")
	const begins, last = "goalproof: --save: the disk is full; the search continues, and saves again every 10m0s\n",
		"goalproof: --save: the last save has failed: the disk is full\n"
	for _, test := range []struct {
		saves []error
		a     solve.Answer
		err   error
		want  string
	}{
		{[]error{nil, nil}, solve.Answer{}, full, ""},
		{[]error{full, full, full}, solve.Answer{}, nil, begins},
		{[]error{full, full, full}, solve.Answer{Unsaved: full}, nil, begins}, // which is told anyway
		{[]error{full, nil, full, full}, solve.Answer{}, errors.New("a contradiction"), begins + begins + last},
		{[]error{full}, solve.Answer{Unsaved: solve.ErrRecalled}, nil, begins + last},
		{[]error{full, nil}, solve.Answer{Unsaved: solve.ErrRecalled}, nil, begins},
	} {
		var out strings.Builder
		s := saves{err: &out, every: 10 * time.Minute}
		for _, err := range test.saves {
			s.report(err)
		}
		if s.end(test.a, test.err); out.String() != test.want {
			t.Errorf("%v, %v, %v: %q", test.saves, test.a.Unsaved, test.err, out.String())
		}
	}
}
