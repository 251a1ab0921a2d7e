package cli

import (
	"fmt"
	"os/exec"
	"runtime"
)

// Open opens a file or an address in the system's default program, without waiting for it to end.
func Open(name string) error {
	command := exec.Command("xdg-open", name)
	switch runtime.GOOS {
	case "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", name)
	case "darwin":
		command = exec.Command("open", name)
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("no program opens %s: %w", name, err)
	}
	return command.Process.Release()
}
