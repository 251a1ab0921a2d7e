package studio_test

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestState runs the tests of the page's modules that need no browser. It needs Node in a version
// that recognises modules by their text: 20.19, 22.7 or later.
func TestState(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the tests of the page's modules need node")
	}
	tests, err := filepath.Glob("testdata/*/*.test.js")
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	if out, err := exec.Command(node, append([]string{"--test"}, tests...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
