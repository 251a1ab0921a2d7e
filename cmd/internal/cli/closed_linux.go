package cli

import (
	"os"
	"runtime"
	"syscall"
)

// sharesFile reports whether two descriptors of this process are known to share one open file
// description. The runtime opens a file for each, so it has not opened these.
func sharesFile(a, b int) bool {
	kcmp := map[string]uintptr{"amd64": 312, "arm64": 272}[runtime.GOARCH]
	pid := uintptr(os.Getpid())
	const file = 0 // KCMP_FILE
	order, _, err := syscall.RawSyscall6(kcmp, pid, pid, file, uintptr(a), uintptr(b), 0)
	return kcmp != 0 && err == 0 && order == 0
}
