package files

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestWriteSecret writes a secret to a new file and over one that everybody may read: in both cases
// its owner alone may read it.
func TestWriteSecret(t *testing.T) {
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	require.NoError(t, os.WriteFile(open, nil, 0o644))
	for _, path := range []string{filepath.Join(dir, "new"), open} {
		require.NoError(t, WriteSecret(path, "secret"))
		info, err := os.Stat(path)
		require.NoError(t, err)
		if text, err := os.ReadFile(path); err != nil || string(text) != "secret" || runtime.GOOS != "windows" && info.Mode() != 0o600 {
			t.Errorf("%s: %q, %v, %v", path, text, info.Mode(), err)
		}
	}
	if err := WriteSecret(os.DevNull, "secret"); err == nil {
		t.Error("a secret was written to a device")
	}
}
