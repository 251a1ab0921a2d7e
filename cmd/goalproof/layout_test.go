package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestLayout holds the imports of each package against the map in CONTRIBUTING: every package stands on it, and every import
// points down, but for those of tools and to internal.
func TestLayout(t *testing.T) {
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	require.NoError(t, err)
	var floors []string // from the top down
	rooms := map[string]bool{}
	row := regexp.MustCompile("(?m)^\\| (?:`(.+?)`)? ?\\| (?:`(.+?)`|others) \\|")
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		rooms[m[1]] = true
		floors = append(floors, strings.Replace(m[2], "/NAME", "/", 1))
	}
	floor := func(pkg string) int {
		found := -1
		for i, f := range floors {
			if f != "" && (pkg == f || strings.HasSuffix(f, "/") && strings.HasPrefix(pkg, f) && found < 0) {
				found = i
			}
		}
		return found
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "goalproof/...").Output()
	require.NoError(t, err)
	free := regexp.MustCompile(`^(tools|internal)/`)
	for line := range strings.Lines(string(out)) {
		var pkgs []string
		for _, p := range strings.Fields(line) {
			if p, ok := strings.CutPrefix(p, "goalproof/"); ok {
				pkgs = append(pkgs, p)
			}
		}
		from := pkgs[0]
		if room, _, _ := strings.Cut(from, "/"); !rooms[room] {
			t.Errorf("the room of %s is not on the map", from)
		}
		if free.MatchString(from) {
			continue
		}
		above := floor(from)
		if above < 0 {
			t.Errorf("%s is not on the map", from)
		}
		for _, to := range pkgs[1:] {
			if below := floor(to); !free.MatchString(to) && below <= above {
				t.Errorf("%s imports %s, which is not below it", from, to)
			}
		}
	}
}
