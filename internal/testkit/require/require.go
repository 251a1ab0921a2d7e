// Package require ends a test at once where something that it needs fails.
package require

// T is the part of testing.TB and of rapid.TB that the package needs.
type T interface {
	Helper()
	Fatal(args ...any)
}

// NoError fails the test at once if err is not nil.
func NoError(t T, err error) {
	if err != nil {
		t.Helper() // here, because it takes time in a loop
		t.Fatal(err)
	}
}
