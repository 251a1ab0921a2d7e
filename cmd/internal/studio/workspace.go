package studio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
)

// none is the value of --workspace for a studio that keeps nothing.
const none = "none"

// elsewhere is what to do where the directory cannot be used.
const elsewhere = "name another directory with --workspace DIR, or keep nothing with --workspace none"

// workspace is the directory of a studio while it runs. Without one, all of it is empty.
type workspace struct {
	dir       string
	byDefault bool // it is the one that is taken by default
	root      *os.Root
	lock      *os.File
}

// openWorkspace opens the directory that --workspace names, and creates it if necessary. No other
// studio can open it before it is closed.
func openWorkspace(dir string, given bool) (w *workspace, err error) {
	w = &workspace{dir: dir, byDefault: !given}
	switch {
	case given && dir == "":
		return nil, cli.Exit(cli.BadInput, errors.New("--workspace: name a directory, or none"))
	case given && dir == none:
		return &workspace{}, nil
	case given:
		if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, cli.Unwritten(fmt.Errorf("--workspace: %w", err))
		}
	default:
		if w.dir, err = files.DataDir("studio"); err == nil {
			err = os.MkdirAll(w.dir, 0o700)
		}
		if err != nil {
			return nil, cli.Unwritten(fmt.Errorf("the studio cannot keep its files in your data folder: %w; %s", err, elsewhere))
		}
	}
	if w.lock, err = files.LockDir(w.dir, false); errors.Is(err, files.ErrInUse) {
		return nil, cli.Exit(cli.BadInput, fmt.Errorf("another studio has %s open: use its window, or %s", w.dir, elsewhere))
	} else if err != nil {
		return nil, cli.Exit(cli.BadInput, fmt.Errorf("--workspace: %w", err))
	}
	if w.root, err = os.OpenRoot(w.dir); err != nil {
		w.lock.Close()
		return nil, cli.Exit(cli.BadInput, fmt.Errorf("--workspace: %w", err))
	}
	return w, nil
}

// close lets other studios open the directory.
func (w *workspace) close() {
	if w.root != nil {
		w.root.Close()
		w.lock.Close()
	}
}

// says is a sentence about the place where things are kept.
func (w *workspace) says() string {
	if w.root == nil {
		return "Nothing is kept on the disk."
	}
	return fmt.Sprintf("Its files are in %s.", w.dir)
}

// advised adds what to do to an error of opening the store in the directory, if the user has not
// chosen that.
func (w *workspace) advised(err error) error {
	if err == nil || !w.byDefault {
		return err
	}
	return cli.Exit(cli.CodeOf(err, cli.BadInput), fmt.Errorf("%w; %s", err, elsewhere))
}
