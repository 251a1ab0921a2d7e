package proof_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestImports asserts that no code of the project but package referee can be reached from here, and package whole, which
// knows nothing but how to write a file; and nothing from elsewhere but the standard library.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "goalproof/proof").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(string(out)), " ")
	if want := "goalproof/internal/whole goalproof/proof/referee goalproof/proof"; got != want {
		t.Errorf("it depends on %s, want %s", got, want)
	}
}
