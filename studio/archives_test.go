package studio_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
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
