package studio

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"time"

	"goalproof/arimaa/notation"
	"goalproof/internal/files"
	"goalproof/internal/printable"
)

// The limits of a workspace.
const (
	maxListed = 10_000 // files of a kind that are listed
	maxFiles  = 10_000 // files of a kind with a bound, to which the studio adds no more
)

// fileKind is a kind of files in the workspace.
type fileKind struct {
	name   string // in events
	field  string // of the answer that lists them
	suffix string // of their names
	what   string // one of them, for a person
	bound  int64  // bytes of all of them together, which the studio does not exceed; 0: none
	none   error  // there is no file of a name
}

var (
	searchFiles      = fileKind{"saved", "searches", ".pns", "search", 0, missing("no search of this name has been saved")}
	gameFiles        = fileKind{"games", "games", ".game", "game", 1 << 30, missing("no game of this name has been saved")}
	archiveFiles     = fileKind{"archives", "archives", ".tsv", "archive", 4 << 30, missing("the workspace has no archive of this name")}
	certificateFiles = fileKind{"certificates", "certificates", ".proof", "certificate", 1 << 30, missing("the workspace has no certificate of this name")}
	runFiles         = fileKind{"runs", "runs", ".jsonl", "run", 1 << 30, missing("the workspace has no run of this name")}
)

var errNoWorkspace = errors.New("this studio keeps nothing on the disk: start it without --workspace none, or with --workspace DIR")

// savedName matches the names of files. None leads out of the directory or hides a file.
var savedName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 _-]{0,63}$`)

// maxName is the length of the longest name.
const maxName = 64

// savedFile returns the file of a name in the workspace, and what it is, or nil if it does not
// exist.
func (s *Server) savedFile(name string, k fileKind) (file string, info fs.FileInfo, err error) {
	file = name + k.suffix
	switch {
	case s.options.Workspace == nil:
		return "", nil, errNoWorkspace
	case !savedName.MatchString(name) || !filepath.IsLocal(file):
		return "", nil, fmt.Errorf("name %q: it has 1 to %d letters a to z, digits, spaces, - and _, and begins with a letter or a digit",
			notation.Legible(name), maxName)
	}
	info, err = s.options.Workspace.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file, nil, nil
	case err != nil:
		return "", nil, err
	case !info.Mode().IsRegular():
		return "", nil, fmt.Errorf("%s is no plain file", file)
	}
	return file, info, nil
}

// openSaved opens the file of a name in the workspace.
func (s *Server) openSaved(name string, k fileKind) (*os.File, error) {
	file, info, err := s.savedFile(name, k)
	if err = cmp.Or(err, absent(info == nil, k.none)); err != nil {
		return nil, err
	}
	return s.options.Workspace.Open(file)
}

// wholeFile is an open file of the workspace, with the length and the version that it had when it
// was opened.
type wholeFile struct {
	*io.SectionReader
	io.Closer
	version string
}

// openWhole opens a file of the workspace that has at most so many bytes; 0: any number.
func (s *Server) openWhole(name string, k fileKind, most int64) (*wholeFile, error) {
	f, err := s.openSaved(name, k)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && most > 0 && info.Size() > most {
		err = fmt.Errorf("%s has more than %d bytes", name+k.suffix, most)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &wholeFile{io.NewSectionReader(f, 0, info.Size()), f, stamp(info)}, nil
}

// taken is the error of saving under a name that another file has.
func taken(name string, k fileKind) error {
	return fmt.Errorf("another %s has been saved as %q: choose another name", k.what, name)
}

// elsewhere is the error of a change to a file that has another version than the client believes.
func elsewhere(name string, k fileKind) error {
	return changed(fmt.Sprintf("the %s %q has been changed elsewhere since it was loaded here: load it again, or choose another name", k.what, name))
}

// unsaved is the error of replacing a file, or of making a new one. What is "the game was", say.
func unsaved(what string, err error) error {
	return fmt.Errorf("%s not saved, and what was saved before is unharmed: %w", what, err)
}

// nameParts matches what names consist of, but for spaces.
var nameParts = regexp.MustCompile(`[A-Za-z0-9_-]+`)

// fittingName turns a text into a name that files of a kind may have, which has room for a number.
func fittingName(text string, k fileKind) string {
	name := strings.TrimLeft(strings.Join(nameParts.FindAllString(text, -1), " "), " _-")
	name = strings.TrimRight(name[:min(len(name), maxName-len(" 10000"))], " _-")
	if name == "" || !filepath.IsLocal(name) { // Windows has names that are devices
		return strings.ToUpper(k.what[:1]) + k.what[1:]
	}
	return name
}

// freeName returns a name that no file of the kind has: the one that is suggested, perhaps with a
// number. s.saving is held.
func (s *Server) freeName(suggested string, k fileKind) (string, error) {
	if s.options.Workspace == nil {
		return "", errNoWorkspace
	}
	base := fittingName(suggested, k)
	for n, name := 2, base; ; n++ {
		if _, err := s.options.Workspace.Lstat(name + k.suffix); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		} else if err != nil {
			return "", err
		}
		name = fmt.Sprintf("%s %d", base, n)
	}
}

// version identifies a text.
func version(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// stamp identifies a state of a file that may be too long to be read for that.
func stamp(info fs.FileInfo) string {
	return version(fmt.Append(nil, info.Size(), info.ModTime().UnixNano()))
}

// noted remembers a fact about each file of a kind, so that a list reads only the files that have
// changed.
type noted[Fact any] struct {
	mu sync.Mutex
	of map[string]stamped[Fact] // by file
}

// stamped is a fact about a file in the state of a stamp.
type stamped[Fact any] struct {
	stamp string
	fact  Fact
}

// about returns the facts about all files of the kind. A fact that read calls unfinished is read
// again the next time.
func (n *noted[Fact]) about(all []fs.FileInfo, read func(fs.FileInfo) (fact Fact, finished bool)) []Fact {
	n.mu.Lock()
	defer n.mu.Unlock()
	found := make(map[string]stamped[Fact], len(all))
	list := make([]Fact, len(all))
	for i, info := range all {
		known, ok := n.of[info.Name()], true
		if known.stamp != stamp(info) {
			known.stamp = stamp(info)
			known.fact, ok = read(info)
		}
		if list[i] = known.fact; ok {
			found[info.Name()] = known
		}
	}
	n.of = found
	return list
}

// listed is a file of the workspace in the list of its kind.
type listed struct {
	Name    string    `json:"name"` // without the suffix
	Bytes   int64     `json:"bytes"`
	Changed time.Time `json:"changed"`
	Version string    `json:"version"`
	*claimed
	*played
}

// present returns the files of a kind in the workspace, by name.
func present(root *os.Root, k fileKind) (all []fs.FileInfo, err error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), k.suffix)
		if !ok || !savedName.MatchString(name) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			all = append(all, info)
		}
	}
	return all, err
}

// listing answers with the files of a kind, by name.
func (s *Server) listing(k fileKind) action {
	a := get(func(string) (map[string]any, error) {
		if s.options.Workspace == nil {
			return nil, errNoWorkspace
		}
		found, err := present(s.options.Workspace, k)
		if err != nil {
			return nil, err
		}
		more := len(found) > maxListed
		found = found[:min(len(found), maxListed)]
		all := make([]listed, len(found))
		for i, info := range found {
			all[i] = listed{strings.TrimSuffix(info.Name(), k.suffix), info.Size(), info.ModTime(), stamp(info), nil, nil}
		}
		switch k {
		case gameFiles:
			for i, g := range s.known.about(found, s.gameReader()) {
				all[i].Version, all[i].played = g.version, &g.played
			}
		case certificateFiles:
			for i, c := range s.claims.about(found, s.claimed) {
				all[i].claimed = &c
			}
		}
		return map[string]any{k.field: all, "more": more}, nil
	}).failing(http.StatusUnprocessableEntity)
	a.answer = reflect.StructOf([]reflect.StructField{
		{Name: "Files", Type: reflect.TypeFor[[]listed](), Tag: reflect.StructTag(`json:"` + k.field + `"`)},
		{Name: "More", Type: reflect.TypeFor[bool](), Tag: `json:"more"`},
	})
	return a
}

// removing removes a file of a kind.
func (s *Server) removing(k fileKind) action {
	return get(func(name string) (struct{}, error) {
		s.saving.Lock()
		defer s.saving.Unlock()
		file, info, err := s.savedFile(name, k)
		if err = cmp.Or(err, absent(info == nil, k.none)); err != nil {
			return struct{}{}, err
		}
		if err := s.options.Workspace.Remove(file); err != nil {
			return struct{}{}, err
		}
		s.changedFile(k.name, name, "")
		return struct{}{}, nil
	}).failing(http.StatusUnprocessableEntity)
}

// renameTask asks for a file to be renamed.
type renameTask struct {
	To      string `json:"to"`
	Version string `json:"version"` // that the client has seen
}

// keptFile is a file of the workspace as it is now.
type keptFile struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// renaming renames a file of a kind.
func (s *Server) renaming(k fileKind) action {
	return handleAbout(func(name string, r renameTask) (keptFile, error) {
		kept, err := s.rename(name, r, k)
		if err == nil && k == searchFiles {
			s.queue.renamed(name, kept.Name)
		}
		return kept, err
	}).failing(http.StatusConflict)
}

// rename gives a file another name. It replaces no file.
func (s *Server) rename(name string, r renameTask, k fileKind) (kept keptFile, err error) {
	s.saving.Lock()
	defer s.saving.Unlock()
	from, info, err := s.savedFile(name, k)
	if err = cmp.Or(err, absent(info == nil, k.none)); err != nil {
		return kept, err
	}
	to, other, err := s.savedFile(r.To, k)
	switch {
	case err != nil:
		return kept, fmt.Errorf("to: %w", err)
	case other != nil && !os.SameFile(info, other): // which it is where case does not count
		return kept, taken(r.To, k)
	}
	kept = keptFile{r.To, stamp(info)}
	if k == gameFiles {
		text, err := readGame(s.options.Workspace, from)
		if err != nil {
			return kept, err
		}
		kept.Version = version(text)
	}
	if kept.Version != r.Version {
		return kept, elsewhere(name, k)
	}
	if err := s.options.Workspace.Rename(from, to); err != nil {
		return kept, err
	}
	if name != r.To {
		s.changedFile(k.name, name, "")
	}
	s.changedFile(k.name, r.To, kept.Version)
	return kept, nil
}

// room returns an error if the workspace has no room for a file of a kind that takes more bytes
// than before, and is new or not. s.saving is held.
func (s *Server) room(k fileKind, more int64, fresh bool) error {
	all, err := present(s.options.Workspace, k)
	if err != nil || len(all) == 0 {
		return err
	}
	oldest, bytes := all[0], more
	for _, info := range all {
		bytes += info.Size()
		if info.ModTime().Before(oldest.ModTime()) {
			oldest = info
		}
	}
	full := ""
	switch {
	case fresh && len(all) >= maxFiles:
		full = fmt.Sprintf("the workspace has %s, and the studio adds no more", printable.Amount(len(all), k.what))
	case more > 0 && bytes > k.bound:
		full = fmt.Sprintf("the %ss of the workspace would take more than %s", k.what, printable.Amount(k.bound, "byte"))
	default:
		return nil
	}
	return fmt.Errorf("%s: delete some of them first, such as %q, which was changed longest ago", full, strings.TrimSuffix(oldest.Name(), k.suffix))
}

// openState reads the training and the settings, and notes which of them were damaged.
func (s *Server) openState() (err error) {
	s.notices = []string{}
	note := func(notice string) {
		if notice != "" {
			s.notices = append(s.notices, notice)
			s.options.Log.Print(notice)
		}
	}
	notice := ""
	if s.training, notice, err = openTraining(s.options.Workspace); err != nil {
		return err
	}
	note(notice)
	if s.settings, notice, err = openSettings(s.options.Workspace); err != nil {
		return err
	}
	note(notice)
	return nil
}

// A stateFile is a JSON file of the workspace that is read when the studio starts and is then
// replaced as a whole.
type stateFile struct {
	kind   string // in events
	file   string
	what   string // for a person
	most   int64  // bytes
	newest int    // the version that this program writes; it reads those before, too
}

// open reads the file in a workspace, if there is one. If it is damaged, nothing is read: it
// gets another name, and the notice says so.
func (d *stateFile) open(root *os.Root, read func(text []byte) error) (notice string, err error) {
	if root == nil {
		return "", nil
	}
	text, err := d.text(root)
	if text == nil && err == nil {
		return "", nil
	}
	if err == nil {
		if err = d.current(text); err == nil {
			if err = read(text); err != nil {
				err = damaged{errors.New(inWords(err))}
			}
		}
	}
	var wrong damaged
	if !errors.As(err, &wrong) {
		return "", d.at(root, err)
	}
	aside, err := setAside(root, d.file)
	if err != nil {
		return "", d.at(root, fmt.Errorf("%w, and it cannot be renamed: %w", wrong, err))
	}
	return fmt.Sprintf("%s of the workspace is damaged: %v. It has been renamed to %s, and a new one begins.", d.file, wrong, aside), nil
}

// at says which file an error is about.
func (d *stateFile) at(root *os.Root, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", filepath.Join(root.Name(), d.file), err)
}

// damaged is the error of a file that is not what the studio writes.
type damaged struct{ error }

// text reads the file, or returns nil if there is none.
func (d *stateFile) text(root *os.Root) ([]byte, error) {
	info, err := root.Lstat(d.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no plain file")
	case info.Size() > d.most:
		return nil, damaged{fmt.Errorf("it has more than %d bytes", d.most)}
	}
	text, err := root.ReadFile(d.file)
	if text == nil {
		text = []byte{}
	}
	return text, err
}

// current returns an error unless a text has the version that this program knows.
func (d *stateFile) current(text []byte) error {
	var has struct {
		Version int `json:"version"`
	}
	switch err := json.Unmarshal(text, &has); {
	case err != nil:
		return damaged{errors.New(inWords(err))}
	case has.Version > d.newest:
		return fmt.Errorf("a newer goalproof has written it, in version %d of the %s, and this one knows version %d: "+
			"take the newer one, or name another directory with --workspace DIR", has.Version, d.what, d.newest)
	case has.Version < 1:
		return damaged{fmt.Errorf("it has version %d of the %s, and there is no such version", has.Version, d.what)}
	}
	return nil
}

// setAside renames a damaged file, over no other one, and returns its name.
func setAside(root *os.Root, file string) (aside string, err error) {
	for n := 1; ; n++ {
		if aside = file + ".damaged"; n > 1 {
			aside = fmt.Sprintf("%s-%d", aside, n)
		}
		if _, err := root.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, root.Rename(file, aside)
		} else if err != nil {
			return "", err
		}
	}
}

// write replaces the file, if there is a workspace, and returns the version of the file.
func (d *stateFile) write(root *os.Root, value any) (string, error) {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(value); err != nil {
		return "", err
	}
	v := version(text.Bytes())
	if root == nil {
		return v, nil
	}
	return v, files.WriteIn(root, d.file, func(w io.Writer) error {
		_, err := w.Write(text.Bytes())
		return err
	})
}
