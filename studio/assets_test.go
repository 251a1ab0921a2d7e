package studio

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"goalproof/internal/testkit/require"
)

// served returns the answer of assets to a request, with what it accepts.
func served(a *assets, path, accepts string) *httptest.ResponseRecorder {
	m := http.NewServeMux()
	a.routes(m)
	r := httptest.NewRequest("GET", path, nil)
	if accepts != "" {
		r.Header.Set("Accept-Encoding", accepts)
	}
	w := httptest.NewRecorder()
	w.Header().Set("Cache-Control", "no-store") // as guard sets it
	m.ServeHTTP(w, r)
	return w
}

// TestAssets asks for the page's files, compressed and not, at their address and at others.
func TestAssets(t *testing.T) {
	a, err := bundled()
	require.NoError(t, err)
	for path, kind := range map[string]string{"app.js": "text/javascript", "page.css": "text/css", "board.css": "text/css"} {
		at := "/assets/" + a.digest + "/" + path
		plain := served(a, at, "")
		if text := plain.Body.String(); plain.Code != 200 || text != a.files[path] || len(text) < 100 {
			t.Errorf("%s: %d, %d bytes", path, plain.Code, len(text))
		}
		if h := plain.Header(); !strings.HasPrefix(h.Get("Content-Type"), kind) || h.Get("Content-Encoding") != "" ||
			h.Get("Cache-Control") != "private, max-age=31536000, immutable" || !strings.Contains(h.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: %v", path, h)
		}
		zipped := served(a, at, "gzip, deflate")
		if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() > plain.Body.Len()*2/3 {
			t.Errorf("%s: %d of %d bytes: %v", path, zipped.Body.Len(), plain.Body.Len(), zipped.Header())
			continue
		}
		from, err := gzip.NewReader(zipped.Body)
		require.NoError(t, err)
		text, err := io.ReadAll(from)
		require.NoError(t, err)
		if string(text) != a.files[path] {
			t.Errorf("%s: another text", path)
		}
	}
	for _, path := range []string{"/assets/app.js", "/assets/" + strings.Repeat("0", 16) + "/app.js", "/assets/" + a.digest + "/", "/assets/" + a.digest + "/views",
		"/assets/" + a.digest + "/index.html", "/assets/" + a.digest + "/none.js", "/assets/" + a.digest + "/views/../app.js", "/assets/" + a.digest + "x/app.js"} {
		if w := served(a, path, "gzip"); w.Code == 200 || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	if w := served(a, "/assets/"+strings.Repeat("0", 16)+"/app.js", ""); w.Code != 404 || !strings.Contains(w.Body.String(), `{"error":"this version of the studio has no such file`) {
		t.Errorf("a file of another version: %d %s", w.Code, w.Body)
	}
	if w := served(a, "/", "gzip"); w.Code != 200 || w.Header().Get("Content-Encoding") != "gzip" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the page: %d %v", w.Code, w.Header())
	}
}

// TestBundle makes the assets of a small page: its modules become one, and its files have addresses
// that change with any file.
func TestBundle(t *testing.T) {
	files := fstest.MapFS{}
	put := func(file, text string) { files[file] = &fstest.MapFile{Data: []byte(text)} }
	made := func() *assets {
		t.Helper()
		a, err := bundle(files)
		require.NoError(t, err)
		return a
	}
	put("index.html", "<link href=\"assets/page.css\"><script src=\"assets/app.js\"></script>\n")
	put("app.js", `import {a} from "./views/a.js"; // a comment
		document.title = a;`)
	put("views/a.js", `import {c} from "../lib/c.js"; export const a = "first, " + c;`)
	put("lib/c.js", `export const c = "second …";`)
	put("lib/unused.js", `document.title = "unused"`)
	put("page.css", "b {}")
	put("lib/LICENSE", "")
	first := made()
	if got := strings.ReplaceAll(first.page, first.digest, "D"); got != "<link href=\"assets/D/page.css\"><script src=\"assets/D/app.js\"></script>\n" || len(first.digest) != 16 {
		t.Errorf("%q: %s", first.digest, got)
	}
	if program := first.files["app.js"]; !strings.Contains(program, "second …") || !strings.Contains(program, "first, ") || strings.Contains(program, "unused") ||
		strings.Contains(program, "comment") || len(first.files) != 3 {
		t.Errorf("%d files: %s", len(first.files), program)
	}
	if again := made(); again.digest != first.digest {
		t.Error("the digest is another one of the same files")
	}
	for _, change := range []func(){
		func() { put("lib/c.js", `export const c = "third";`) }, func() { put("page.css", "i {}") }, func() { put("other.css", "") },
	} {
		change()
		if next := made(); next.digest == first.digest {
			t.Error("the digest is that of other files")
		} else {
			first = next
		}
	}
	for source, want := range map[string]string{`import "./none.js";`: "lib/c.js:1: ", "export const b = 1": `views/a.js:1: No matching export in "assets:lib/c.js" for import "c"`,
		"\n)": "lib/c.js:2: "} {
		put("lib/c.js", source)
		if _, err := bundle(files); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
