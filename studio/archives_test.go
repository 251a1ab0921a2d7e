package studio_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// indexAnswer is the answer to an archive.
type indexAnswer struct {
	Header int64
	More   bool
	Games  []struct {
		Name, Gold, Silver, Winner, Ended, Date, Error string
		Turns                                          int
		Offset, Bytes                                  int64
	}
}

// archiveHeader is the first row of an archive.
const archiveHeader = "id\twusername\tbusername\tresult\ttermination\tstartts\tmovelist\n"

// archiveOf writes an archive of so many games.
func archiveOf(games int) string {
	var b strings.Builder
	b.WriteString("# an archive\n" + archiveHeader)
	for i := range games {
		fmt.Fprintf(&b, "%d\tann%d\tbob<b>\tb\tr\t%d\t1w Ra4 Eb2\\n1b rh5 eg7\\n2w Ra4n Ra5n\\n2b rh5s\\n\n", i+1, i%7, 86400*(i+1))
		if i%100 == 50 {
			b.WriteString("# a comment\n\n")
		}
	}
	return b.String()
}

// send returns a request that sends an archive to be listed.
func (c *client) send(body io.Reader) *http.Request {
	c.Helper()
	return c.sendTo("/api/archive", body)
}

// sendTo returns a request that sends an archive to a path.
func (c *client) sendTo(path string, body io.Reader) *http.Request {
	c.Helper()
	r := c.request("POST", path, nil)
	r.Body, r.ContentLength = io.NopCloser(body), -1
	r.Header.Set("Content-Type", "application/octet-stream")
	return r
}

// TestArchive lists the games of archives, those of a long one too, and opens some of them by where
// they stand: an archive that is sent, and the same in the workspace.
func TestArchive(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	const games = 10_000
	text := archiveOf(games)
	if len(text) < studio.MaxBody/2 {
		t.Fatalf("%d bytes", len(text))
	}
	status, answer, _ := c.do(c.send(strings.NewReader(text)))
	if status != 200 {
		t.Fatalf("%d %s", status, answer)
	}
	require.NoError(t, root.WriteFile("many games.tsv", []byte(text), 0o666))
	found := ask[indexAnswer](c, "GET", "/api/archives/many%20games", nil)
	if list := ask[struct{ Archives []keptGame }](c, "GET", "/api/archives", nil).Archives; len(list) != 1 || list[0].Name != "many games" {
		t.Errorf("archives: %+v", list)
	}
	if len(found.Games) != games || found.More || text[:found.Header] != "# an archive\n"+archiveHeader {
		t.Fatalf("%d games, header %q", len(found.Games), text[:found.Header])
	}
	for _, i := range []int{0, 1, 50, 51, 4999, games - 1} {
		g := found.Games[i]
		if g.Name != fmt.Sprint(i+1) || g.Gold != fmt.Sprintf("ann%d", i%7) || g.Silver != "bob<b>" || g.Winner != "silver" || g.Ended != "resignation" || g.Turns != 2 || g.Error != "" {
			t.Errorf("game %d: %+v", i, g)
		}
		if i == 0 && g.Date != "1970-01-02" || i == games-1 && g.Date != "1997-05-19" {
			t.Errorf("game %d was played on %s", i, g.Date)
		}
		row := text[g.Offset : g.Offset+g.Bytes]
		sent := ask[readAnswer](c, "POST", "/api/read", map[string]any{"text": text[:found.Header] + row})
		opened := ask[readAnswer](c, "GET", fmt.Sprintf("/api/archives/many%%20games/game?header=%d&offset=%d&bytes=%d", found.Header, g.Offset, g.Bytes), nil)
		if diff := cmp.Diff(sent, opened); diff != "" || len(sent.Found) != 1 || !strings.Contains(sent.Found[0].About, fmt.Sprintf("game %d, ", i+1)) {
			t.Errorf("game %d: %+v\n%s", i, sent, diff)
		}
	}
	// Broken rows are listed with what is wrong, at the place in the archive.
	broken := archiveOf(60) + "x\ty\n61\tann\tbob\tw\tg\tx\t1w Ra4\\n1b rh5\\n2w Ra4n Ra6n\\n"
	status, answer, _ = c.do(c.send(strings.NewReader(broken)))
	for _, want := range []string{`"error":"archive:65:1: the row has 2 columns`, `"error":"archive:66: game 61: `} {
		if status != 200 || !strings.Contains(answer, want) {
			t.Errorf("%d, no %s: %s", status, want, answer[max(0, len(answer)-800):])
		}
	}
}

// TestArchiveRefused sends what is no archive, or too long, and names that lead elsewhere.
func TestArchiveRefused(t *testing.T) {
	t.Parallel() // the studio waits for bodies
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	for text, want := range map[string]string{
		"":                                     "archive",
		"g [" + strings.Repeat(" ", 63) + "R]": "no archive of games",
		"1w Ra1\n1b ra8\n2w Ra1n\n":            "no archive of games",
		archiveHeader:                          "there are no games",
		"a\tmovelist\nx\ty\n":                  "a turn begins with its number and side",
		archiveHeader + "x\ty\n":               "the row has 2 columns",
		archiveHeader + strings.Repeat("x", 2<<20): "longer than 1048576 bytes",
		"x" + strings.Repeat("\n", 8<<20):          "1048576 bytes of blank lines and comments", // known long before all is sent
		"\xff\xfea\x00":                            "UTF-16",
	} {
		status, answer, _ := c.do(c.send(strings.NewReader(text)))
		if status != 422 || !strings.Contains(strings.ReplaceAll(answer, `\"`, `"`), want) {
			t.Errorf("%.40q: %d %s, want %q", text, status, answer, want)
		}
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json", ""} {
		r := c.send(strings.NewReader(strings.Repeat("#", 8<<20)))
		r.Header.Set("Content-Type", kind)
		if status, text, _ := c.do(r); status != http.StatusUnsupportedMediaType {
			t.Errorf("%q: %d %s", kind, status, text)
		}
	}
	r := c.send(strings.NewReader(strings.Repeat("#", 8<<20)))
	r.Header.Del("Authorization")
	if status, _, _ := c.do(r); status != http.StatusUnauthorized {
		t.Errorf("without the token: %d", status)
	}
	r = c.send(strings.NewReader(strings.Repeat("#", studio.MaxArchive+1)))
	r.ContentLength = studio.MaxArchive + 1
	if response, err := http.DefaultTransport.RoundTrip(r); err == nil { // or the connection was closed before all was sent
		if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(text), "67108864 bytes") {
			t.Errorf("too long: %d %s", response.StatusCode, text)
		}
		response.Body.Close()
	}
	row := []byte(archiveOf(1)[len("# an archive\n")+len(archiveHeader):])
	rows := &repeated{head: []byte(archiveHeader), row: row}
	if response, err := http.DefaultTransport.RoundTrip(c.send(rows)); err == nil { // or the connection was closed first
		if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusRequestEntityTooLarge && !strings.Contains(string(text), `"more":true`) {
			t.Errorf("without an end: %d %.200s", response.StatusCode, text)
		}
		response.Body.Close()
	}
	if n := rows.read.Load(); n > studio.MaxArchive+8<<20 {
		t.Errorf("%d bytes were taken", n)
	}

	require.NoError(t, os.WriteFile(filepath.Join(root.Name(), "fine.tsv"), []byte(archiveOf(2)), 0o666))
	require.NoError(t, root.WriteFile("broken.tsv", []byte("x"), 0o666))
	if err := os.Symlink("../outside", filepath.Join(root.Name(), "link.tsv")); err != nil {
		t.Log(err)
	}
	f, err := root.Create("long.tsv")
	require.NoError(t, err)
	require.NoError(t, f.Truncate(studio.MaxArchive+1))
	f.Close()
	for name, want := range map[string]string{"..%2fx": "begins with a letter", ".x": "begins with a letter", "none": "no archive of this name", "link": "no plain file",
		"long": "more than 67108864 bytes", "broken": "broken.tsv:1"} {
		c.refusedFor(0, want, "GET", "/api/archives/"+name, nil)
	}
	for query, want := range map[string]string{"": "header: ", "?header=0&offset=-1&bytes=5": "offset: ", "?header=0&offset=0&bytes=9999999": "bytes: ", "?header=1e9&offset=0&bytes=0": "header: ",
		"?header=0&offset=999999999&bytes=1000": ""} {
		c.refusedFor(0, want, "GET", "/api/archives/fine/game"+query, nil)
	}
}

// importAnswer is the answer to an archive that is put into the workspace.
type importAnswer struct {
	Name, Version string
	Games, Broken int
	More          bool
}

// imports asks the studio to put an archive into the workspace.
func (c *client) imports(name, text string) (a importAnswer) {
	c.Helper()
	status, answer, _ := c.do(c.sendTo("/api/archives/"+name, strings.NewReader(text)))
	if status != 200 {
		c.Fatalf("%d %s", status, answer)
	}
	require.NoError(c, json.Unmarshal([]byte(answer), &a))
	return a
}

// TestImport puts archives into the workspace. Each is kept as it was sent, one with more games
// than are listed too, and none replaces another.
func TestImport(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	short := archiveOf(60) + "x\ty\n61\tann\tbob\tw\tg\tx\t1w Ra4\\n1b rh5\\n2w Ra4n Ra6n\\n\n"
	long := archiveOf(50_000) + "50001\tann\tbob\tb\tr\t1\tthis is never read\n"
	for _, test := range []struct {
		name, text string
		want       importAnswer
	}{
		{"short", short, importAnswer{Games: 62, Broken: 2}},
		{"a%20long%20one", long, importAnswer{Games: 50_000, More: true}},
	} {
		got := c.imports(test.name, test.text)
		test.want.Name, test.want.Version = strings.ReplaceAll(test.name, "%20", " "), got.Version
		same(t, test.name, test.want, got)
		if text, err := root.ReadFile(got.Name + ".tsv"); err != nil || string(text) != test.text {
			t.Errorf("%s: %d bytes of %d, %v", test.name, len(text), len(test.text), err)
		}
		list := ask[struct{ Archives []keptGame }](c, "GET", "/api/archives", nil).Archives
		if !slices.Contains(list, keptGame{Name: got.Name, Version: got.Version}) {
			t.Errorf("%+v is not in %+v", got, list)
		}
	}
	if found := ask[indexAnswer](c, "GET", "/api/archives/short", nil); len(found.Games) != 62 || found.More {
		t.Errorf("%d games are listed", len(found.Games))
	}
	for _, text := range []string{archiveOf(3), "no archive, which nobody looks at"} {
		if status, text, _ := c.do(c.sendTo("/api/archives/short", strings.NewReader(text))); status != 409 || !strings.Contains(text, `"code":"changed"`) ||
			!strings.Contains(text, "another archive has been saved as") {
			t.Errorf("%d %s", status, text)
		}
	}
	version := ask[struct{ Archives []keptGame }](c, "GET", "/api/archives", nil).Archives[1].Version
	c.isChanged("/api/archives/short/rename", map[string]any{"to": "mine", "version": "x"})
	c.refusedFor(422, "another archive has been saved", "POST", "/api/archives/short/rename", map[string]any{"to": "a long one", "version": version})
	same(t, "renamed", keptGame{Name: "mine", Version: version}, ask[keptGame](c, "POST", "/api/archives/short/rename", map[string]any{"to": "mine", "version": version}))
	if text, err := root.ReadFile("mine.tsv"); err != nil || string(text) != short {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	ask[struct{}](c, "DELETE", "/api/archives/a%20long%20one", nil)
	c.refusedFor(404, "no archive of this name", "DELETE", "/api/archives/a%20long%20one", nil)
	same(t, "the files", []string{"mine.tsv"}, entries(t, root))
	// The last part of a path is a name, whatever it is.
	if got := c.imports("rename", archiveOf(1)); got.Name != "rename" {
		t.Errorf("%+v", got)
	}
}

// TestImportRefused sends what must not be put into the workspace: nothing is left of it.
func TestImportRefused(t *testing.T) {
	t.Parallel() // the studio waits for bodies
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	refused := func(c *client, path string, body io.Reader, status int, want string) {
		t.Helper()
		got, answer, _ := c.do(c.sendTo("/api/archives/"+path, body))
		if got != status || !strings.Contains(strings.ReplaceAll(answer, `\"`, `"`), want) {
			t.Errorf("%s: %d %.200s, want %d %q", path, got, answer, status, want)
		}
	}
	for text, want := range map[string]string{
		"":                                     "new.tsv",
		"g [" + strings.Repeat(" ", 63) + "R]": "no archive of games",
		oneMove:                                "text after the position",
		"a\tmovelist\nx\ty\n":                  "a turn begins with its number and side",
		archiveHeader:                          "there are no games",
		archiveHeader + strings.Repeat("x", 2<<20): "longer than 1048576 bytes",
		"PK\x03\x04" + strings.Repeat("\x00", 99):  "new.tsv:1",
		"\xff\xfea\x00": "UTF-16",
	} {
		refused(c, "new", strings.NewReader(text), 422, want)
	}
	for _, name := range []string{"..%2fx", "%2e%2e", ".x", "%2fetc%2fx", "a%2fb", "%00", "%3Cimg%3E", strings.Repeat("a", 65)} {
		refused(c, name, strings.NewReader(archiveOf(1)), 422, "begins with a letter")
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json", ""} {
		r := c.sendTo("/api/archives/new", strings.NewReader(archiveOf(1)))
		r.Header.Set("Content-Type", kind)
		if status, text, _ := c.do(r); status != http.StatusUnsupportedMediaType {
			t.Errorf("%q: %d %s", kind, status, text)
		}
	}
	r := c.sendTo("/api/archives/new", strings.NewReader(archiveOf(1)))
	r.Header.Del("Authorization")
	if status, _, _ := c.do(r); status != http.StatusUnauthorized {
		t.Errorf("without the token: %d", status)
	}
	row := []byte(archiveOf(1)[len("# an archive\n")+len(archiveHeader):])
	rows := &repeated{head: []byte(archiveHeader), row: row}
	if response, err := http.DefaultTransport.RoundTrip(c.sendTo("/api/archives/new", rows)); err == nil { // or the connection was closed first
		if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(text), "67108864 bytes") {
			t.Errorf("without an end: %d %.200s", response.StatusCode, text)
		}
		response.Body.Close()
	}
	if n := rows.read.Load(); n > studio.MaxArchive+8<<20 {
		t.Errorf("%d bytes were taken", n)
	}
	c.refusedFor(413, "1048576 bytes", "POST", "/api/archives/new/rename", map[string]any{"to": strings.Repeat("a", studio.MaxBody)})
	until(t, "empty", func() bool { return len(entries(t, root)) == 0 }) // the last one may still be removed

	require.NoError(t, root.Mkdir("directory.tsv", 0o777))
	require.NoError(t, os.Symlink("../outside", filepath.Join(root.Name(), "link.tsv")))
	for _, name := range []string{"directory", "link"} {
		refused(c, name, strings.NewReader(archiveOf(1)), 422, "no plain file")
	}
	refused(start(t, studio.Options{}), "new", strings.NewReader(archiveOf(1)), 422, "--workspace")

	f, err := root.Create("large.tsv")
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, f.Truncate(4<<30)) // which takes no room on the disk
	refused(c, "new", strings.NewReader(archiveOf(1)), 422, `the archives of the workspace would take more than 4,294,967,296 bytes: delete some of them first, such as "large"`)
	require.NoError(t, f.Truncate(4<<30-int64(len(archiveOf(1)))))
	c.imports("new", archiveOf(1))
	same(t, "the files", []string{"directory.tsv", "large.tsv", "link.tsv", "new.tsv"}, entries(t, root))
}

// TestImportSlowly puts an archive into the workspace while other things happen: another archive is
// sent, a file of its name appears, and a client goes.
func TestImportSlowly(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	text := archiveOf(100)
	type answer struct {
		status int
		text   string
	}
	begin := func(name string) (*io.PipeWriter, <-chan answer) {
		t.Helper()
		from, to := io.Pipe()
		ended := make(chan answer, 1)
		r := c.sendTo("/api/archives/"+name, from)
		go func() {
			response, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				ended <- answer{}
				return
			}
			defer response.Body.Close()
			text, _ := io.ReadAll(response.Body) // as far as it comes
			ended <- answer{response.StatusCode, string(text)}
		}()
		_, err := io.WriteString(to, text[:len(text)/2])
		require.NoError(t, err)
		until(t, "begun", func() bool { return len(entries(t, root)) > 0 })
		return to, ended
	}
	body, ended := begin("mine")
	for _, path := range []string{"/api/archive", "/api/archives/another"} {
		if status, text, _ := c.do(c.sendTo(path, strings.NewReader(text))); status != 503 || !strings.Contains(text, "try again") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if list := ask[struct{ Archives []keptGame }](c, "GET", "/api/archives", nil).Archives; len(list) > 0 {
		t.Errorf("a part is listed: %+v", list)
	}
	c.saveGame(map[string]any{"name": "a game", "game": branchy()}) // which does not wait for the archive
	require.NoError(t, root.WriteFile("mine.tsv", []byte("by hand"), 0o666))
	_, err := io.WriteString(body, text[len(text)/2:])
	require.NoError(t, err)
	require.NoError(t, body.Close())
	if got := <-ended; got.status != 409 || !strings.Contains(got.text, `"code":"changed"`) {
		t.Errorf("%+v", got)
	}
	if kept, err := root.ReadFile("mine.tsv"); err != nil || string(kept) != "by hand" {
		t.Errorf("%q, %v", kept, err)
	}
	require.NoError(t, root.Remove("mine.tsv"))
	require.NoError(t, root.Remove("a game.game"))

	body, ended = begin("mine")
	require.NoError(t, body.CloseWithError(io.ErrUnexpectedEOF))
	<-ended
	until(t, "empty", func() bool { return len(entries(t, root)) == 0 })
	c.imports("mine", text)
}

// repeated is an archive without end.
type repeated struct {
	head, row []byte
	read      atomic.Int64 // the transport may still be sending when the answer is there
}

func (r *repeated) Read(b []byte) (int, error) {
	n := copy(b, r.head)
	r.head = r.head[n:]
	for n < len(b) {
		k := copy(b[n:], r.row)
		r.head = r.row[k:]
		n += k
	}
	if r.read.Add(int64(n)) > 1<<30 {
		return n, io.EOF
	}
	return n, nil
}
