package studio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/review"
)

// The limits of archives.
const (
	MaxArchive  = 64 << 20 // bytes
	maxIndexed  = 50_000   // games that are listed
	maxCell     = 100      // bytes of what is said about a game, each
	archiveTime = 10 * time.Minute
)

// The paths to which archives are sent.
const (
	archivePath  = "/api/archive"
	archivesPath = "/api/archives" // below it
)

var errIndexing = errors.New("another archive or run is being read: try again when that has ended")

// indexed is a game of an archive, with the place of its row.
type indexed struct {
	gameFacts
	Offset int64  `json:"offset"` // in bytes
	Bytes  int64  `json:"bytes"`
	Error  string `json:"error,omitempty"` // why the game could not be read
}

// clip cuts long texts about a game, and copies the others, so as not to hold its row.
func (g *indexed) clip() {
	for _, text := range []*string{&g.Name, &g.Gold, &g.Silver, &g.GoldRating, &g.SilverRating, &g.Event, &g.Ended, &g.Result} {
		*text = clipped(*text)
	}
}

// archiveIndex lists the games of an archive.
type archiveIndex struct {
	Header int64     `json:"header"` // bytes before the first row
	Games  []indexed `json:"games"`
	More   bool      `json:"more"` // there are more than are listed
}

// index reads an archive row by row, and keeps only the facts about its games.
func (s *Server) index(name string, text io.Reader) (*archiveIndex, error) {
	if !s.indexing.TryLock() {
		return nil, errIndexing
	}
	defer s.indexing.Unlock()
	lines := notation.NewLines(notation.Legible(name), text)
	a := &archiveIndex{Games: []indexed{}}
	var first error
	broken := 0
	for e, err := range notation.Read(lines) {
		var wrong *notation.ParseError
		switch {
		case err != nil && !errors.As(err, &wrong):
			return nil, err // of reading
		case e.Position != nil || e.Game != nil:
			return nil, fmt.Errorf("%s: it is no archive of games; a text in another form has at most %d bytes",
				notation.Legible(name), MaxBody)
		case len(a.Games) == maxIndexed:
			a.More = true
			return a, nil
		}
		g := indexed{}
		if g.Offset, g.Bytes = lines.Span(); len(a.Games) == 0 {
			a.Header = g.Offset
		}
		if e.Record != nil {
			g.Name, g.Gold, g.Silver, g.Date = e.Record.ID, e.Record.Gold, e.Record.Silver, e.Record.Details.Date
			var game *arimaa.Game
			if game, err = e.Record.Game(); game != nil {
				g.gameFacts = *facts(review.FromEntry("", &e, game, err))
			}
		}
		if err != nil {
			first = cmp.Or(first, err)
			broken++
			g.Error = notation.Explain(err)
		}
		g.clip()
		a.Games = append(a.Games, g)
	}
	if broken == len(a.Games) && first != nil {
		return nil, first
	}
	return a, nil
}

// importedArchive is an archive that has been put into the workspace.
type importedArchive struct {
	keptFile
	Games  int  `json:"games"`  // those that are listed
	Broken int  `json:"broken"` // of them those that cannot be read
	More   bool `json:"more"`   // there are more than are listed
}

// importArchive puts the archive in the body of a request into the workspace. It replaces no file.
func (s *Server) importArchive(r *http.Request) (a importedArchive, err error) {
	name := subject(r)
	file, err := s.unused(name, archiveFiles) // there is no need to wait for all of it
	if err != nil {
		return a, err
	}
	unlock := func() {}
	defer func() { unlock() }()
	var wrong error // with the archive or its name, rather than with the disk
	err = files.WriteIn(s.options.Workspace, file, func(w io.Writer) error {
		out := &disk{to: w}
		wrong = a.receive(s, name, r.Body, out)
		if out.err != nil {
			wrong = nil
			return out.err
		}
		if wrong != nil {
			return wrong
		}
		s.saving.Lock() // until the file has its name
		unlock = s.saving.Unlock
		if _, wrong = s.unused(name, archiveFiles); wrong == nil {
			wrong = s.room(archiveFiles, out.bytes, true)
		}
		return wrong
	})
	switch {
	case wrong != nil:
		return a, wrong
	case err != nil:
		return a, unsaved("the archive was", err)
	}
	a.keptFile, err = s.created(name, archiveFiles)
	return a, err
}

// receive copies an archive and counts its games. The error is that of the archive or of copying.
func (a *importedArchive) receive(s *Server, name string, from io.Reader, to io.Writer) error {
	index, err := s.index(name+archiveFiles.suffix, io.TeeReader(from, to))
	if err != nil {
		return err
	}
	a.Games, a.More = len(index.Games), index.More
	for _, g := range index.Games {
		if g.Error != "" {
			a.Broken++
		}
	}
	_, err = io.Copy(to, from) // behind the games that are listed
	return err
}

// disk is a writer that counts what it has written, and remembers its last error.
type disk struct {
	to    io.Writer
	bytes int64
	err   error
}

func (d *disk) Write(b []byte) (n int, err error) {
	n, d.err = d.to.Write(b)
	d.bytes += int64(n)
	return n, d.err
}

// openArchive opens an archive of the workspace, of at most MaxArchive bytes.
func (s *Server) openArchive(name string) (*wholeFile, error) {
	return s.openWhole(name, archiveFiles, MaxArchive)
}

// placed says where the row of a game stands in an archive.
type placed struct {
	Header int64 `json:"header"` // bytes before the first row
	Offset int64 `json:"offset"` // bytes before the row
	Bytes  int64 `json:"bytes"`  // of the row
}

// archiveGame reads a game of an archive of the workspace.
func (s *Server) archiveGame(_ http.ResponseWriter, r *http.Request, at placed) (a readAnswer, err error) {
	name := subject(r)
	f, err := s.openArchive(name)
	if err != nil {
		return a, err
	}
	defer f.Close()
	for _, place := range []struct {
		field    string
		n, limit int64
	}{{"header", at.Header, notation.MaxEntry}, {"offset", at.Offset, MaxArchive}, {"bytes", at.Bytes, notation.MaxEntry}} {
		if place.n < 0 || place.n > place.limit {
			return a, fmt.Errorf("%s: it is 0 to %d", place.field, place.limit)
		}
	}
	text, err := io.ReadAll(io.MultiReader(io.NewSectionReader(f, 0, at.Header), io.NewSectionReader(f, at.Offset, at.Bytes)))
	if err != nil {
		return a, err
	}
	return s.read(readRequest{Text: string(text), Name: name + archiveFiles.suffix})
}

// archiveRoutes are the requests about archives.
func (s *Server) archiveRoutes() []operation {
	return []operation{
		{"POST " + archivePath, "List the games of an archive, which is the body.",
			upload(func(r *http.Request) (*archiveIndex, error) { return s.index("archive", r.Body) }).failing(http.StatusServiceUnavailable)},
		{"GET " + archivesPath, "List the archives of the workspace.", s.listing(archiveFiles)},
		{"POST " + archivesPath + "/{name}", "Put an archive, which is the body, into the workspace.",
			upload(s.importArchive).failing(http.StatusConflict, http.StatusServiceUnavailable)},
		{"DELETE " + archivesPath + "/{name}", "Delete an archive of the workspace.", s.removing(archiveFiles)},
		{"POST " + archivesPath + "/{name}/rename", "Give an archive of the workspace another name.", s.renaming(archiveFiles)},
		{"GET " + archivesPath + "/{name}", "List the games of an archive of the workspace.", get(func(name string) (*archiveIndex, error) {
			f, err := s.openArchive(name)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return s.index(name+archiveFiles.suffix, f)
		}).failing(http.StatusUnprocessableEntity, http.StatusServiceUnavailable)},
		{"GET " + archivesPath + "/{name}/game", "Read a game of an archive of the workspace.", getting(s.archiveGame)},
	}
}

// clipped returns the beginning of a text, as lists show it, without holding the rest in memory.
func clipped(text string) string {
	if len(text) > maxCell {
		return strings.ToValidUTF8(text[:maxCell], "") + "..."
	}
	return strings.Clone(text)
}
