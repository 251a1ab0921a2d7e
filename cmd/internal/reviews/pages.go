package reviews

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"goalproof/cmd/internal/cli"
	"goalproof/review"
)

// pages writes a page for each game, and an index of them, to a directory.
type pages struct {
	directory string
	index     *review.Index
	taken     map[string]bool // names of files without case, as some systems make no difference
}

// newPages makes the directory. It returns nil if none is named.
func newPages(directory string, args []string) (*pages, error) {
	if directory == "" {
		return nil, nil
	}
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return nil, cli.Unwritten(err)
	}
	title := "Games of " + strings.Join(args, ", ")
	return &pages{directory, review.NewIndex(title), map[string]bool{"index": true}}, nil
}

// add writes the page of a game.
func (p *pages) add(r *review.Review) error {
	name := FileName(&r.Record)
	for i := 2; p.taken[strings.ToLower(name)]; i++ {
		name = fmt.Sprintf("%s-%d", FileName(&r.Record), i)
	}
	p.taken[strings.ToLower(name)] = true
	page, err := r.HTML()
	if err != nil {
		return err
	}
	p.index.Add(r, name+".html")
	return cli.WriteText(filepath.Join(p.directory, name+".html"), page)
}

// finish writes the index.
func (p *pages) finish() error {
	return cli.WriteFile(filepath.Join(p.directory, "index.html"), p.index.Write)
}
