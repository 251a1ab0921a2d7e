package studio

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"goalproof/internal/esm"
	"goalproof/internal/testkit/require"
)

// layers are the folders of modules whose modules a module may import, besides those of its own
// folder, which are those below it. A folder that is "" is that of app.js.
var layers = map[string]string{
	"":       "views store ui state lib vendor",
	"views":  "store ui state lib vendor",
	"store":  "state lib vendor",
	"ui":     "lib vendor",
	"state":  "vendor",
	"lib":    "vendor",
	"vendor": "",
}

// TestModules checks that the modules of the page lie in layers without cycles: each imports
// modules that exist, from its own layer or from below it, by relative paths, and each is imported.
// A view calls another one; it does not click its buttons.
func TestModules(t *testing.T) {
	files, err := fs.Sub(embedded, "assets")
	require.NoError(t, err)
	for _, fault := range faults(t, files) {
		t.Error(fault)
	}
}

// faults returns what is wrong with the imports of modules.
func faults(t *testing.T, files fs.FS) (all []string) {
	t.Helper()
	imports, imported := map[string][]string{}, map[string]bool{}
	require.NoError(t, fs.WalkDir(files, ".", func(file string, _ fs.DirEntry, err error) error {
		if path.Ext(file) != ".js" || err != nil {
			return err
		}
		source, err := fs.ReadFile(files, file)
		require.NoError(t, err)
		found, err := esm.Imports(string(source))
		require.NoError(t, err)
		imports[file] = nil
		folder := strings.TrimSuffix(path.Dir(file), ".")
		below, known := layers[folder]
		if !known {
			all = append(all, file+": its folder is no layer")
		}
		if folder == "views" && strings.Contains(string(source), ".click()") {
			all = append(all, file+" clicks a button")
		}
		for _, i := range found {
			to := path.Join(folder, i.From)
			layer := strings.TrimSuffix(path.Dir(to), ".")
			switch _, err := fs.Stat(files, to); {
			case !strings.HasPrefix(i.From, "./") && !strings.HasPrefix(i.From, "../"):
				all = append(all, file+" imports "+i.From+", which is no relative path")
				continue
			case err != nil:
				all = append(all, file+" imports "+to+", which does not exist")
				continue
			case layer != folder && !slices.Contains(strings.Fields(below), layer):
				all = append(all, file+" imports "+to+", which is not below it")
			}
			imports[file] = append(imports[file], to)
			imported[to] = true
		}
		return nil
	}))
	for file := range imports {
		if !imported[file] && file != "app.js" {
			all = append(all, file+" is imported by no module")
		}
		if way := cycle(imports, file); way != nil {
			all = append(all, "a cycle: "+strings.Join(way, " -> "))
		}
	}
	slices.Sort(all)
	return all
}

// cycle returns the shortest way of imports from a file to itself, or nil.
func cycle(imports map[string][]string, file string) []string {
	seen := map[string]bool{}
	for ways := [][]string{{file}}; len(ways) > 0; ways = ways[1:] {
		for _, to := range imports[ways[0][len(ways[0])-1]] {
			way := append(slices.Clone(ways[0]), to)
			if to == file {
				return way
			}
			if !seen[to] {
				seen[to] = true
				ways = append(ways, way)
			}
		}
	}
	return nil
}

// TestFaults checks that each fault of the imports is found.
func TestFaults(t *testing.T) {
	good := map[string]string{
		"app.js":        `import "./views/a.js"; import("./lib/c.js"); // import "./none.js"`,
		"views/a.js":    `import {b} from "./b.js"; import {d} from "../ui/d.js";`,
		"views/b.js":    `import "../lib/c.js"; import "../state/e.js";`,
		"lib/c.js":      `import "../vendor/f.js";`,
		"ui/d.js":       ``,
		"state/e.js":    `import "../vendor/f.js";`,
		"vendor/f.js":   `export const a = 1, b = "import 'x'";`,
		"vendor/a.json": `{}`,
	}
	for _, test := range []struct{ file, source, want string }{
		{"app.js", good["app.js"], ""},
		{"lib/c.js", `import "../views/a.js"; import "../vendor/f.js";`,
			"a cycle: lib/c.js -> views/a.js -> views/b.js -> lib/c.js\na cycle: views/a.js -> views/b.js -> lib/c.js -> views/a.js\n" +
				"a cycle: views/b.js -> lib/c.js -> views/a.js -> views/b.js\nlib/c.js imports views/a.js, which is not below it"},
		{"views/b.js", `import "../lib/c.js"; import "../state/e.js"; const a = () => import("./b.js");`, "a cycle: views/b.js -> views/b.js"},
		{"ui/d.js", `export {e} from "../state/e.js";`, "ui/d.js imports state/e.js, which is not below it"},
		{"state/e.js", `import "../lib/c.js"; import "../vendor/f.js";`, "state/e.js imports lib/c.js, which is not below it"},
		{"ui/d.js", `import "../app.js";`, "a cycle: app.js -> views/a.js -> ui/d.js -> app.js\na cycle: ui/d.js -> app.js -> views/a.js -> ui/d.js\n" +
			"a cycle: views/a.js -> ui/d.js -> app.js -> views/a.js\nui/d.js imports app.js, which is not below it"},
		{"ui/d.js", `import "../lib/g.js";`, "ui/d.js imports lib/g.js, which does not exist"},
		{"ui/d.js", `import "preact";`, "ui/d.js imports preact, which is no relative path"},
		{"ui/d.js", `import "/assets/lib/c.js";`, "ui/d.js imports /assets/lib/c.js, which is no relative path"},
		{"views/b.js", `import "../lib/c.js"; import "../state/e.js"; a.click()`, "views/b.js clicks a button"},
		{"lib/h.js", ``, "lib/h.js is imported by no module"},
		{"other/h.js", ``, "other/h.js is imported by no module\nother/h.js: its folder is no layer"},
	} {
		files := fstest.MapFS{}
		for file, source := range good {
			files[file] = &fstest.MapFile{Data: []byte(source)}
		}
		files[test.file] = &fstest.MapFile{Data: []byte(test.source)}
		if got := strings.Join(faults(t, files), "\n"); got != test.want {
			t.Errorf("%s %s:\n%s\nwant\n%s", test.file, test.source, got, test.want)
		}
	}
}
