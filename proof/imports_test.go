package proof_test

import (
	"os/exec"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestImports asserts that no code can be reached from here but package referee and the standard
// library.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "goalproof/proof").Output()
	require.NoError(t, err)
	got := strings.Join(strings.Fields(string(out)), " ")
	if want := "goalproof/proof/referee goalproof/proof"; got != want {
		t.Errorf("it depends on %s, want %s", got, want)
	}
}
