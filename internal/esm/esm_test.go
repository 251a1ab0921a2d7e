package esm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestImports reads imports in all their forms, and what only looks like one.
func TestImports(t *testing.T) {
	for source, want := range map[string]string{
		``:                                  "",
		`import "./a.js"; import './b.js';`: "./a.js ./b.js",
		"import {a,\n  b as from} from \"./a.js\"\nimport c, {d} from './b.js'":             "./a.js ./b.js",
		`import * as all from "./a.js"; import from from "./b.js"`:                          "./a.js ./b.js",
		`import{options as n,Fragment as e}from"preact";var r,u=0;export{r as x}`:           "preact",
		`export {a} from "./a.js"; export * from "./b.js"; export * as c from "./c.js"`:     "./a.js ./b.js ./c.js",
		"export {a, b};\nconst from = 'x';\nimport {c} from './c.js'":                       "./c.js",
		"export {a}\nlet from\n'use'":                                                       "",
		`const m = await import("./a.js"), n = import ( './b.js' , {});`:                    "./a.js? ./b.js?",
		`import.meta.url; x.import("y"); ({import: "z"}); s = "import 'x'"; // import "y"`:  "",
		"/* import 'x' */ const s = `import 'x' ${import('./a.js')} import 'y' ${`${1}`}`;": "./a.js?",
		"const r = /import \"/.test(s) && a / b / c; import \"./a.js\"":                     "./a.js",
		"const r = [/[/\"]/, x => /'/], b = (1) / 2 + '/'; import \"./a.js\"":               "./a.js",
		`const r = "\"import 'x'", q = '\\'; import "./a.js"`:                               "./a.js",
		"a = b++ / 2 - c--/2; d = e + /'/; import './a.js'":                                 "./a.js",
		"if (a) { b = {c: {}}; } import './a.js'":                                           "./a.js",
	} {
		found, err := Imports(source)
		var got []string
		for _, f := range found {
			if source[f.At:f.At+len(f.From)] != f.From || !strings.ContainsRune(`"'`, rune(source[f.At-1])) {
				t.Errorf("%s: %q does not stand at %d", source, f.From, f.At)
			}
			if f.Dynamic {
				f.From += "?"
			}
			got = append(got, f.From)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" || err != nil {
			t.Errorf("%s: %v %s", source, err, diff)
		}
	}
}

// TestUnread reads texts that are no modules, and imports whose names are known only when the
// module runs.
func TestUnread(t *testing.T) {
	for source, want := range map[string]string{
		"import(name)":          "offset 0: import() of something other than a string",
		`import("./a" + ".js")`: "import() of something other than a string",
		"import(`./a.js`)":      "import() of something other than a string",
		"import {a};":           "offset 0: an import without the name of a module",
		"import a from b":       "an import without the name of a module",
		"import":                "an import without the name of a module",
		"import {":              "an import without the name of a module",
		"import(":               "import() of something other than a string",
		"1; 'a\nb'":             "offset 3: a string without an end",
		"`a ${b":                "",
		"`a ${b} c":             "a template without an end",
		"a = /b\n/":             "a regular expression without an end",
		"/* a":                  "a comment without an end",
	} {
		if found, err := Imports(source); want == "" && (err != nil || found != nil) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v %v, want %q", source, found, err, want)
		}
	}
}

// FuzzImports looks for texts at which the lexer panics or never ends.
func FuzzImports(f *testing.F) {
	for _, s := range []string{`import "./a.js"`, "`${a}`", "/[/]/", "import(", "export*from'a'", "}", "import{", "export{"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		found, err := Imports(s)
		for _, i := range found {
			if err != nil || s[i.At:i.At+len(i.From)] != i.From {
				t.Errorf("%+v does not stand there", i)
			}
		}
	})
}
