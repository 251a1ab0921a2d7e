package files

import (
	"os"
	"path/filepath"
	"runtime"
)

// DataDir returns a directory of the program in the user's data folder: $XDG_DATA_HOME/goalproof or
// ~/.local/share/goalproof, on Windows and macOS what is usual there.
func DataDir(name string) (string, error) {
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "goalproof", name), nil
	}
	data := ""
	var err error
	switch runtime.GOOS {
	case "windows", "darwin", "ios":
		data, err = os.UserConfigDir()
	default:
		data, err = os.UserHomeDir()
		data = filepath.Join(data, ".local", "share")
	}
	return filepath.Join(data, "goalproof", name), err
}
