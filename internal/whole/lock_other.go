//go:build !(linux || darwin || freebsd)

package whole

import (
	"errors"
	"os"
)

const locks = false

func lock(*os.File, bool) error { return errors.ErrUnsupported }
