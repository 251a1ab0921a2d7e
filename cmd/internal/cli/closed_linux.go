package cli

import (
	"os"
	"runtime"
	"syscall"
)

// sharesFile reports whether two descriptors of this process are of one opening of a file, as far as the kernel tells: that is
// no work of the runtime, which opens a file for each.
func sharesFile(a, b int) bool {
	kcmp := map[string]uintptr{"amd64": 312, "arm64": 272}[runtime.GOARCH]
	pid := uintptr(os.Getpid())
	const file = 0 // KCMP_FILE
	order, _, err := syscall.RawSyscall6(kcmp, pid, pid, file, uintptr(a), uintptr(b), 0)
	return kcmp != 0 && err == 0 && order == 0
}
