package boards

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Check checks a property on few cases in a normal run and on many with the build
// tag large.
func Check(t *testing.T, few, many int, property func(*rapid.T)) {
	t.Helper()
	n := few
	if Large {
		n = many
	}
	old := flag.Lookup("rapid.checks").Value.String()
	if err := flag.Set("rapid.checks", strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	defer flag.Set("rapid.checks", old)
	rapid.Check(t, property)
}
