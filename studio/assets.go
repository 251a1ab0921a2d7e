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

	"github.com/evanw/esbuild/pkg/api"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"goalproof/arimaa/render"
)

// The files of the page. index.html is a template: a comment stands for the drawings of the pieces.
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
	program, err := joined(from)
	if err != nil {
		return nil, err
	}
	a := &assets{files: map[string]string{"board.css": render.Style(), "app.js": program}}
	err = fs.WalkDir(from, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) == ".js" || contentTypes[path.Ext(file)] == "" {
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
	page, err := fs.ReadFile(from, "index.html")
	if err != nil {
		return nil, err
	}
	a.page = strings.NewReplacer(`="assets/`, `="assets/`+a.digest+"/", "<!--SYMBOLS-->", render.Symbols()+render.Ground()).Replace(string(page))
	return a, nil
}

// joined returns the module app.js with all that it imports, as one module without comments: a
// browser that asks for a hundred small ones shows the page a second later.
func joined(files fs.FS) (string, error) {
	found := api.Build(api.BuildOptions{EntryPoints: []string{"app.js"}, Outfile: "app.js", Bundle: true, Format: api.FormatESModule,
		Charset: api.CharsetUTF8, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Plugins: []api.Plugin{{Name: "assets", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: "."}, func(i api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: path.Join(path.Dir(i.Importer), i.Path), Namespace: "assets"}, nil
			})
			b.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: "assets"}, func(m api.OnLoadArgs) (api.OnLoadResult, error) {
				text, err := fs.ReadFile(files, m.Path)
				contents := string(text)
				return api.OnLoadResult{Contents: &contents}, err
			})
		}}}})
	if len(found.Errors) == 0 {
		return string(found.OutputFiles[0].Contents), nil
	}
	first := found.Errors[0]
	if first.Location == nil {
		return "", fmt.Errorf("the modules of the page: %s", first.Text)
	}
	return "", fmt.Errorf("%s:%d: %s", strings.TrimPrefix(first.Location.File, "assets:"), first.Location.Line, first.Text)
}

// routes are the requests for the page and its files, which are compressed for clients that accept
// that.
func (a *assets) routes(m *http.ServeMux) {
	m.Handle("GET /{$}", compressed(a.index))
	m.Handle("GET /assets/{digest}/{path...}", compressed(a.file))
}

// compress makes a handler one that compresses its answers. That zstd is left out makes the page
// smaller: gzhttp would use its fastest level.
var compress = sync.OnceValue(func() func(http.Handler) http.HandlerFunc {
	w, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(gzip.BestCompression), gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the options are wrong
	}
	return w
})

// compressed compresses answers of some length for clients that accept gzip.
func compressed(h http.HandlerFunc) http.HandlerFunc { return compress()(h) }

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
