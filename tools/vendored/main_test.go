package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/require"
)

// TestDigests checks that the files of the page are those that were fetched.
func TestDigests(t *testing.T) {
	directory := filepath.Join("..", "..", directory)
	all, err := read(directory)
	require.NoError(t, err)
	checkDigests(t, directory, all)
	if _, err := choose(all, nil); err != nil {
		t.Error(err)
	}
}

func checkDigests(t *testing.T, directory string, all []taken) {
	t.Helper()
	want := map[string]string{list: ""}
	for _, p := range all {
		if p.URL == "" || !strings.HasPrefix(p.Integrity, "sha512-") || p.Version == "" {
			t.Errorf("%+v", p)
		}
		maps.Copy(want, p.Files)
	}
	got := map[string]string{}
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(directory, e.Name()))
		require.NoError(t, err)
		sum := sha256.Sum256(text)
		got[e.Name()] = hex.EncodeToString(sum[:])
	}
	got[list] = "" // is not about itself
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("digests (-%s +files):\n%s", list, diff)
	}
}

// TestRewrite makes bare imports relative, and leaves what only looks like one.
func TestRewrite(t *testing.T) {
	for module, want := range map[string]string{
		"":                               "\n",
		`import{h as a}from"preact";a()`: "import{h as a}from\"./preact.js\";a()\n",
		`import {a} from 'preact/hooks'; export * from "@preact/signals-core"; const s = 'import "preact"';`: `import {a} from './hooks.js'; export * from "./signals-core.js"; const s = 'import "preact"';` + "\n",
		"a();//# sourceMappingURL=a.mjs.map\n":           "a();\n",
		"a();\n//# sourceMappingURL=a.mjs.map":           "a();\n",
		"a(); // import \"preact\"\nimport(\"htm\")\n\n": "a(); // import \"preact\"\nimport(\"./htm.js\")\n",
	} {
		if got, err := rewrite(module); err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", module, got, err, want)
		}
	}
	for module, want := range map[string]string{
		`import "react"`:  "it imports react, which is not fetched",
		`import "./a.js"`: "it imports ./a.js, which is not fetched",
		`import("a" + b)`: "import() of something other than a string",
	} {
		if _, err := rewrite(module); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", module, err, want)
		}
	}
}

// packed returns the archive of a package.
func packed(t *testing.T, all map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: "package/" + name, Size: int64(len(all[name])), Mode: 0o644}))
		_, err := w.Write([]byte(all[name]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	return b.Bytes()
}

// TestRenew fetches packages from a registry that lies about some of them.
func TestRenew(t *testing.T) {
	archives := map[string][]byte{
		"preact": packed(t, map[string]string{"dist/preact.mjs": "export const h = 1;\n//# sourceMappingURL=preact.mjs.map\n",
			"hooks/dist/hooks.mjs": `import{h}from"preact";`, "LICENSE": "licence", "src/other.js": "import 'x'"}),
		"htm":                  packed(t, map[string]string{"dist/htm.mjs": "export default 1;", "LICENSE": "another licence"}),
		"@preact/signals-core": packed(t, map[string]string{"dist/signals-core.mjs": "export const signal = 1;", "LICENSE": "licence"}),
		"@preact/signals":      packed(t, map[string]string{"dist/signals.mjs": `export{signal}from"@preact/signals-core";`, "LICENSE": "licence"}),
	}
	stated := map[string]string{} // digests that are not those of the archives
	m := http.NewServeMux()
	server := httptest.NewServer(m)
	defer server.Close()
	for name := range archives {
		m.HandleFunc("GET /"+name+"/1.0.0", func(w http.ResponseWriter, _ *http.Request) {
			sum := sha512.Sum512(archives[name])
			integrity := "sha512-" + base64.StdEncoding.EncodeToString(sum[:])
			if stated[name] != "" {
				integrity = stated[name]
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"dist": map[string]string{"tarball": server.URL + "/" + name + ".tgz", "integrity": integrity}})
		})
		m.HandleFunc("GET /"+name+".tgz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archives[name]) })
	}
	directory := t.TempDir()
	refused := func(want string, versions ...string) {
		t.Helper()
		if err := renew(server.URL, directory, versions); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", versions, err, want)
		}
	}
	all := []string{"preact@1.0.0", "htm@1.0.0", "@preact/signals-core@1.0.0", "@preact/signals@1.0.0"}
	refused("preact has no version in vendor.json: name one, as in preact@1.2.3")
	refused("@preact/signals has no version", all[:3]...)
	refused(`"react@1.0.0" is not NAME@VERSION`, "react@1.0.0")
	refused("htm@2.0.0: ", all[0], "htm@2.0.0", all[2], all[3])
	stated["htm"] = "sha512-other"
	refused("htm@1.0.0: the archive has the digest", all...)
	if entries, err := os.ReadDir(directory); err != nil || len(entries) > 0 {
		t.Errorf("files are written: %v %v", entries, err)
	}
	delete(stated, "htm")
	require.NoError(t, renew(server.URL, directory, all))
	found, err := read(directory)
	require.NoError(t, err)
	checkDigests(t, directory, found)
	for name, want := range map[string]string{"preact.js": "export const h = 1;\n", "hooks.js": "import{h}from\"./preact.js\";\n",
		"signals.js": "export{signal}from\"./signals-core.js\";\n", "LICENSE-htm": "another licence"} {
		if text, err := os.ReadFile(filepath.Join(directory, name)); err != nil || string(text) != want {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
	require.NoError(t, renew(server.URL, directory, nil)) // the same versions again

	archives["htm"] = packed(t, map[string]string{"dist/htm.mjs": "export default 2;", "LICENSE": "another licence"})
	refused("htm@1.0.0: the registry states the digest") // another archive of a version that was fetched
	archives["preact"] = packed(t, map[string]string{"dist/preact.mjs": "import 'react'", "LICENSE": "licence"})
	refused("preact@1.0.0: ")
	if again, err := read(directory); err != nil || !cmp.Equal(again, found) {
		t.Errorf("the list has changed: %+v %v", again, err)
	}
}

// TestTake refuses packages that lack what is taken of them.
func TestTake(t *testing.T) {
	htm := sources[1]
	for want, all := range map[string]map[string][]byte{
		"it has no file dist/htm.mjs":  {"LICENSE": nil},
		"it has no file LICENSE":       {"dist/htm.mjs": nil},
		"dist/htm.mjs: it imports a":   {"dist/htm.mjs": []byte("import 'a'"), "LICENSE": nil},
		"dist/htm.mjs: offset 4: a st": {"dist/htm.mjs": []byte("a = 'a"), "LICENSE": nil},
	} {
		if _, err := htm.take(all); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
