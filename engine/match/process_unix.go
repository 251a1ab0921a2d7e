//go:build unix

package match

import (
	"os/exec"
	"syscall"
)

// setGroup makes a process start in its own process group: an interrupt from the keyboard reaches
// the match alone, and the children of the process end with it.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a process and the rest of its group.
func killGroup(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Process.Kill()
}
