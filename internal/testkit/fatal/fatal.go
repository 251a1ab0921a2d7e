// Package fatal ends tests at errors that they are not about.
package fatal

// TB is the part of testing.TB, and of rapid.TB, that is needed.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// If ends a test, which fails, if there is an error.
func If(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
