//go:build !(linux || darwin || freebsd)

package files

import (
	"errors"
	"os"
)

const locks = false

func openDir(dir string) (*os.File, error) { return os.Open(dir) }

func lock(*os.File, bool, bool) error { return errors.ErrUnsupported }
