//go:build unix

package match

import (
	"os/exec"
	"syscall"
)

// setGroup makes a process to be started the first of a group of its own: an interruption from the
// keyboard goes to the match alone, and what the process starts ends with it.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a process, be it still in its group or not, and what is left of the group.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Process.Kill()
}
