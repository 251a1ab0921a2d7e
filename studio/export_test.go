package studio_test

import (
	"archive/zip"
	"io"
	"net/http"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/studio"
)

// TestExport exports a set in every form. The table and the texts are read again as the same
// puzzles, and a name is no markup.
func TestExport(t *testing.T) {
	c := start(t, studio.Options{})
	two, none := study(t, "win-in-2.txt").Position, study(t, "no-win-in-2.txt").Position
	set := "position\tclaim\tsolution\tname\n" + two + "\t2\tRe1e Rh2w Ed6n Ed7w\t<b>right</b>\n" + none + "\t2\t\tfalse\ng [x]\t\t\tbroken\n"
	verify := func() string {
		id := c.begin(task{Kind: "verify", Text: set, Describe: true, Seconds: 300}).ID
		c.end(id)
		return id
	}
	id := verify()
	export := func(form string) (string, http.Header) {
		status, text, h := c.do(c.request("GET", "/api/jobs/"+id+"/export?form="+form, nil))
		if status != 200 || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment; filename=") {
			t.Fatalf("%s: %d %v %.200s", form, status, h, text)
		}
		return text, h
	}
	table, _ := export("text")
	var again []puzzles.Puzzle
	for p := range puzzles.Parse(notation.NewLines("again", strings.NewReader(table))) {
		again = append(again, p)
	}
	if len(again) != 2 || again[0].Position.String() != two || again[0].Claim != 2 || again[0].Solution != "Re1e Rh2w Ed6n Ed7w" ||
		again[0].Name != "<b>right</b>" || again[1].Position.String() != none || again[1].Claim != 2 || again[1].Err != nil {
		t.Errorf("%s is read as %+v", table, again)
	}
	if !strings.Contains(table, "\t2\twin in 2, unique\t7.") {
		t.Errorf("the finding is not in %s", table)
	}
	page, h := export("html")
	if !strings.Contains(page, "3 puzzles, 1 false claim, 1 not decided or broken.") || !strings.Contains(page, "&lt;b&gt;right") || strings.Contains(page, "<b>right") ||
		strings.HasPrefix(h.Get("Content-Type"), "text/html") {
		t.Errorf("%v %.300s", h, page)
	}
	archive, _ := export("arimaa")
	files, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil || len(files.File) != 1 || files.File[0].Name != "0001.txt" {
		t.Fatalf("%v %+v", err, files)
	}
	f, err := files.File[0].Open()
	require.NoError(t, err)
	text, err := io.ReadAll(f)
	require.NoError(t, err)
	for p := range puzzles.Parse(notation.NewLines("site", strings.NewReader(string(text)))) {
		if p.Err != nil || p.Position.String() != two || p.Solution != "Re1e Rh2w Ed6n Ed7w" {
			t.Errorf("%s is read as %+v", text, p)
		}
	}

	for _, form := range []string{"", "exe", "../text", "TEXT"} {
		c.refusedFor(422, "text, html, arimaa or json", "GET", "/api/jobs/"+id+"/export?form="+form, nil)
	}
	second := verify()
	for range 3 {
		verify()
	}
	for path, want := range map[string]string{"/api/jobs/" + id: "newer sets", "/api/jobs/none": "no such job", "/api/jobs/..%2f": "no such job"} {
		c.refusedFor(404, want, "GET", path+"/export?form=text", nil)
	}
	id = second
	export("text") // the last four are there
}
