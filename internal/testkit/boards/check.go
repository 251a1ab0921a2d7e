package boards

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Check checks a property on a number of cases, [Sized]. They are always the same, unless
// -rapid.seed says otherwise or tests run with their largest counts (build tag deep): with fewer,
// tests that must meet rare cases would fail by chance.
func Check(t *testing.T, few, many int, property func(*rapid.T)) {
	t.Helper()
	n, seed := Sized(few, many), "1"
	if Deep {
		seed = "0" // another one each time
	}
	defer set(t, "rapid.checks", strconv.Itoa(n))()
	if flag.Lookup("rapid.seed").Value.String() == "0" {
		defer set(t, "rapid.seed", seed)()
	}
	rapid.Check(t, property)
}

// ExpectAll checks that every case was met, so that a test cannot pass for want of cases.
func ExpectAll(t *testing.T, tally map[string]int, cases ...string) {
	t.Helper()
	t.Log(tally)
	for _, c := range cases {
		if tally[c] == 0 {
			t.Errorf("%s: not met once", c)
		}
	}
}

// set sets a flag, and returns what sets it back.
func set(t *testing.T, name, value string) (restore func() error) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	return func() error { return flag.Set(name, old) }
}
