package games

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
)

// Many writes an archive of so many invented games (tools/manygames) that begin as the published ones,
// and returns its name, or skips the test.
func Many(t testing.TB, games int) (file string) {
	t.Helper()
	args := []string{"run", "./tools/manygames", "-games", strconv.Itoa(games)}
	for _, name := range published.Names(t, "games/*.tsv") {
		args = append(args, filepath.Join(published.Dir(t), filepath.FromSlash(name)))
	}
	file = filepath.Join(t.TempDir(), "many.tsv")
	out, err := os.Create(file)
	require.NoError(t, err)
	defer out.Close()
	cmd := exec.Command("go", args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = published.Root(t), out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	return file
}
