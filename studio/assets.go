package studio

import (
	"embed"
	"net/http"
	"path"
	"strings"

	"goalproof/arimaa/render"
)

// The files of the page. index.html is a template: comments stand for the drawings of the pieces
// and the empty board.
//
//go:embed assets
var assets embed.FS

// page answers with the page.
func (s *Server) page(w http.ResponseWriter, _ *http.Request) {
	text, err := assets.ReadFile("assets/index.html")
	if err != nil {
		refuse(w, http.StatusNotFound, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	page := strings.NewReplacer("<!--SYMBOLS-->", render.Symbols()+render.Ground(), "<!--BOARD-->", render.Empty("board", `<g id="pieces"></g>`))
	_, _ = page.WriteString(w, string(text)) // the client may have disconnected
}

// contentTypes are the content types of the files. The system's may be wrong, and browsers then run
// no modules.
var contentTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

// asset answers with a file of the page; board.css is the style of pictures.
func asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("path")
	text := []byte(render.Style())
	if name != "board.css" {
		var err error
		if text, err = assets.ReadFile("assets/" + name); err != nil || name == "index.html" {
			http.NotFound(w, r)
			return
		}
	}
	w.Header().Set("Content-Type", contentTypes[path.Ext(name)])
	_, _ = w.Write(text) // the client may have disconnected
}
