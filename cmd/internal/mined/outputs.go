package mined

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/puzzles"
)

// Outputs are the files of puzzles in the formats of other programs: one for each puzzle in a
// directory, or one of all.
type Outputs struct {
	path    string
	each    bool            // a file for each
	taken   map[string]bool // names of files in lower case, as some systems ignore case
	records []byte          // of all
}

// CheckForm returns an error if --as and --out do not go together.
func CheckForm(as, out string) error {
	switch {
	case as != "table" && as != "arimaa" && as != "4steps":
		return fmt.Errorf("--as %q: it is table, arimaa or 4steps", as)
	case as == "arimaa" && out == "":
		return errors.New("--as arimaa writes a file for each puzzle: name a directory with --out")
	case as == "4steps" && out == "":
		return errors.New("--as 4steps writes one file of all puzzles: name it with --out")
	case as == "table" && out != "":
		return errors.New("--out is for --as arimaa and 4steps; the table goes to standard output")
	}
	return nil
}

// NewOutputs returns the files that --out names for a form that --as names; nil if the puzzles go to
// standard output. A file must be none of the others.
func NewOutputs(as, out string, others ...string) (*Outputs, error) {
	all := &Outputs{path: out, each: as == "arimaa", taken: map[string]bool{}}
	switch {
	case out == "":
		return nil, nil
	case all.each:
		return all, cli.Unwritten(os.MkdirAll(out, 0o777))
	}
	return all, cli.Writable("out", out, others...)
}

// Add writes a puzzle, or keeps it for the common file.
func (a *Outputs) Add(t cli.Terminal, name string, m *puzzles.Mined) error {
	if !a.each {
		record := m.FourSteps()
		a.records = append(a.records, record[:]...)
		return nil
	}
	base := certificates.FileName(name)
	file := base
	for i := 2; a.taken[strings.ToLower(file)]; i++ {
		file = fmt.Sprintf("%s-%d", base, i)
	}
	a.taken[strings.ToLower(file)] = true
	if err := t.Durable(); err != nil {
		return err
	}
	return cli.WriteText(filepath.Join(a.path, file+".txt"), m.ArimaaText(name))
}

// Finish writes the common file.
func (a *Outputs) Finish(t cli.Terminal) error {
	if a.each {
		return nil
	}
	if err := t.Durable(); err != nil {
		return err
	}
	return cli.WriteText(a.path, a.records)
}
