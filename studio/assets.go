package studio

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzhttp"

	"goalproof/arimaa/render"
	"goalproof/internal/esm"
)

// The files of the page. index.html is a template: comments stand for the drawings of the pieces and
// the links to modules.
//
//go:embed assets
var embedded embed.FS

// contentTypes are the content types of the files that are served. The system's may be wrong, and
// browsers then run no modules.
var contentTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// assets are the page and its files. The address of a file has a digest of all files in it, so
// what a browser has kept is never of another version.
type assets struct {
	page   string
	digest string
	files  map[string]string // by path below assets
}

// bundled returns the assets of the program.
var bundled = sync.OnceValues(func() (*assets, error) {
	files, err := fs.Sub(embedded, "assets")
	if err != nil {
		return nil, err
	}
	return bundle(files)
})

// bundle makes the assets of files. board.css is the style of pictures.
func bundle(from fs.FS) (*assets, error) {
	a := &assets{files: map[string]string{"board.css": render.Style()}}
	err := fs.WalkDir(from, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || contentTypes[path.Ext(file)] == "" {
			return err
		}
		text, err := fs.ReadFile(from, file)
		a.files[file] = string(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	hash := sha256.New()
	for _, file := range slices.Sorted(maps.Keys(a.files)) {
		fmt.Fprintf(hash, "%s %d\n%s", file, len(a.files[file]), a.files[file])
	}
	a.digest = hex.EncodeToString(hash.Sum(nil))[:16]
	modules, err := a.modules("app.js")
	if err != nil {
		return nil, err
	}
	var links strings.Builder
	for _, file := range modules[1:] { // the page has the first one itself
		fmt.Fprintf(&links, "<link rel=\"modulepreload\" href=\"assets/%s\">\n", file)
	}
	page, err := fs.ReadFile(from, "index.html")
	if err != nil {
		return nil, err
	}
	text := strings.Replace(string(page), "<!--MODULES-->\n", links.String(), 1)
	a.page = strings.NewReplacer(`="assets/`, `="assets/`+a.digest+"/", "<!--SYMBOLS-->", render.Symbols()+render.Ground()).Replace(text)
	return a, nil
}

// modules returns the modules that a module needs before it runs, itself first. A browser that is
// told of them all asks for them at once, and not for one after it has read another.
func (a *assets) modules(first string) ([]string, error) {
	all := []string{first}
	for i := 0; i < len(all); i++ {
		source, ok := a.files[all[i]]
		if !ok {
			return nil, fmt.Errorf("the module %s is imported and does not exist", all[i])
		}
		imports, err := esm.Imports(source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", all[i], err)
		}
		for _, m := range imports {
			if to := path.Join(path.Dir(all[i]), m.From); !m.Dynamic && !slices.Contains(all, to) {
				all = append(all, to)
			}
		}
	}
	return all, nil
}

// routes are the requests for the page and its files, which are compressed for clients that accept
// that.
func (a *assets) routes(m *http.ServeMux) {
	m.Handle("GET /{$}", gzhttp.GzipHandler(http.HandlerFunc(a.index)))
	m.Handle("GET /assets/{digest}/{path...}", gzhttp.GzipHandler(http.HandlerFunc(a.file)))
}

// index answers with the page.
func (a *assets) index(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, a.page) // the client may have disconnected
}

// file answers with a file of the page. It may be kept for a year: another one has another address.
func (a *assets) file(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("path")
	text, ok := a.files[name]
	if !ok || r.PathValue("digest") != a.digest {
		refuse(w, http.StatusNotFound, errors.New("this version of the studio has no such file: load the page again"))
		return
	}
	w.Header().Set("Content-Type", contentTypes[path.Ext(name)])
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	_, _ = io.WriteString(w, text) // the client may have disconnected
}
