package studio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/review"
)

// The limits of archives.
const (
	MaxArchive  = 64 << 20 // bytes
	maxIndexed  = 50_000   // games that are listed
	maxCell     = 100      // bytes of what is said about a game, each
	archiveTime = 10 * time.Minute
)

const archivePath = "/api/archive"

var errIndexing = errors.New("another archive is being read: try again when that has ended")

// indexed is a game of an archive, with the place of its row.
type indexed struct {
	gameFacts
	Offset int64  `json:"offset"` // in bytes
	Bytes  int64  `json:"bytes"`
	Error  string `json:"error,omitempty"` // why the game could not be read
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
		for _, cell := range []*string{&g.Name, &g.Gold, &g.Silver, &g.GoldRating, &g.SilverRating, &g.Event, &g.Ended, &g.Result} {
			if len(*cell) > maxCell {
				*cell = strings.ToValidUTF8((*cell)[:maxCell], "") + "..."
			} else {
				*cell = strings.Clone(*cell) // so as not to hold the row
			}
		}
		a.Games = append(a.Games, g)
	}
	if broken == len(a.Games) && first != nil {
		return nil, first
	}
	return a, nil
}

// archive answers with the index of the archive in the body.
func (s *Server) archive(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/octet-stream" {
		refuse(w, http.StatusUnsupportedMediaType, errors.New("the body is not application/octet-stream"))
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(archiveTime))
	a, err := s.index("archive", r.Body)
	takeRest(r) // before a long answer: both sides could wait for each other
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		refuse(w, http.StatusRequestEntityTooLarge, tooLarge(long.Limit))
		return
	}
	answered(w, a, err)
}

// archiveFile is an open archive of the workspace, with the length that it had when opened.
type archiveFile struct {
	*io.SectionReader
	io.Closer
}

// openArchive opens an archive of the workspace, of at most MaxArchive bytes.
func (s *Server) openArchive(name string) (*archiveFile, error) {
	f, err := s.openSaved(name, archiveFiles)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > MaxArchive {
		err = fmt.Errorf("%s has more than %d bytes", name+archiveFiles.suffix, MaxArchive)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &archiveFile{io.NewSectionReader(f, 0, info.Size()), f}, nil
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
			upload[*archiveIndex](s.archive, "application/octet-stream").failing(http.StatusServiceUnavailable)},
		{"GET /api/archives", "List the archives of the workspace.", s.listing(archiveFiles)},
		{"GET /api/archives/{name}", "List the games of an archive of the workspace.", get(func(name string) (*archiveIndex, error) {
			f, err := s.openArchive(name)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return s.index(name+archiveFiles.suffix, f)
		}).failing(http.StatusUnprocessableEntity, http.StatusServiceUnavailable)},
		{"GET /api/archives/{name}/game", "Read a game of an archive of the workspace.", getting(s.archiveGame)},
	}
}
