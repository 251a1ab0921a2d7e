package studio_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// domFolder names the variable with the folder of happy-dom, which stands for the document in
// [TestViews].
const domFolder = "GOALPROOF_DOM"

// shortGame is a game in which each turn throws a win in one away.
const shortGame = "[Gold \"ann\"]\n[Silver \"bob\"]\n\n1g Ra4 Eb2 1s rh5 eg7\n2g Eb2n 2s rh5s 3g Ra4n *\n"

// inNode returns the tests of the page's modules that are in a folder, and the program that runs
// them: Node in a version that recognises modules by their text, 20.19, 22.7 or later.
func inNode(t *testing.T, folder string) (node string, tests []string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the tests of the page's modules need node")
	}
	tests, err = filepath.Glob(filepath.Join("testdata", folder, "*.test.js"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	return node, tests
}

// TestState runs the tests of the page's modules that need no document.
func TestState(t *testing.T) {
	for _, folder := range []string{"state", "ui"} {
		node, tests := inNode(t, folder)
		if out, err := exec.Command(node, append([]string{"--test"}, tests...)...).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// TestViews runs the tests of the page's views, each with a studio of its own.
func TestViews(t *testing.T) {
	node, tests := inNode(t, "views")
	if os.Getenv(domFolder) == "" {
		t.Skipf("set %s to the folder of happy-dom (npm install happy-dom)", domFolder)
	}
	for _, file := range tests {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			root := workspace(t)
			require.NoError(t, root.WriteFile("race.game", []byte(shortGame), 0o666))
			c := start(t, studio.Options{Workspace: root})
			run := exec.CommandContext(t.Context(), node, "--test", "--test-force-exit", file)
			run.Env = append(os.Environ(), "GOALPROOF_STUDIO="+c.studio.Address())
			if out, err := run.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
