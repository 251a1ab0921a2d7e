package mine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/puzzles"
)

// outputs are the files of puzzles in the formats of other programs: one for each puzzle in a
// directory, or one of all.
type outputs struct {
	path    string
	each    bool            // a file for each
	taken   map[string]bool // names of files in lower case, as some systems ignore case
	records []byte          // of all
}

// outputs returns the files that --out names, nil if the puzzles go to standard output.
func (f *flags) outputs(args []string) (*outputs, error) {
	all := &outputs{path: f.out, each: f.as == "arimaa", taken: map[string]bool{}}
	switch {
	case f.out == "":
		return nil, nil
	case all.each:
		return all, cli.Unwritten(os.MkdirAll(f.out, 0o777))
	}
	return all, cli.Writable("out", f.out, append(args, f.html)...)
}

// add writes a puzzle, or keeps it for the common file.
func (a *outputs) add(t cli.Terminal, name string, m *puzzles.Mined) error {
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

// finish writes the common file.
func (a *outputs) finish(t cli.Terminal) error {
	if a.each {
		return nil
	}
	if err := t.Durable(); err != nil {
		return err
	}
	return cli.WriteText(a.path, a.records)
}
