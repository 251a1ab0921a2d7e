// Command vendored fetches the JavaScript libraries of the studio's page from npm's registry.
//
//	go run ./tools/vendored                         # the versions in vendor.json
//	go run ./tools/vendored preact@11.2.0 htm@3.1.1 # other versions of some
//
// An archive must have the digest that the registry states, and that of vendor.json if the version
// is the same. The command takes the ES modules and the licence from it. A browser cannot resolve
// bare imports, so they become relative ones. vendor.json says where each file comes from, and its
// SHA-256.
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
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"goalproof/internal/esm"
	"goalproof/internal/files"
)

const (
	registry  = "https://registry.npmjs.org"
	directory = "studio/assets/vendor"
	list      = "vendor.json" // in the directory
	most      = 16 << 20      // bytes of an archive, packed and unpacked
)

// source is a package, and what is taken of it: the files in which its modules are, by the bare
// specifiers of these.
type source struct {
	name    string
	modules map[string]string
}

var sources = []source{
	{"preact", map[string]string{"preact": "dist/preact.mjs", "preact/hooks": "hooks/dist/hooks.mjs"}},
	{"htm", map[string]string{"htm": "dist/htm.mjs"}},
	{"@preact/signals-core", map[string]string{"@preact/signals-core": "dist/signals-core.mjs"}},
	{"@preact/signals", map[string]string{"@preact/signals": "dist/signals.mjs"}},
}

// taken is what vendor.json says about a package.
type taken struct {
	Name      string            `json:"name"`
	Version   string            `json:"version"`
	URL       string            `json:"url"`
	Integrity string            `json:"integrity"` // of the archive, as the registry states it
	Files     map[string]string `json:"files"`     // SHA-256 of each file that was written, in hex
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("vendored: ")
	flag.Parse()
	if err := renew(registry, directory, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// renew fetches all packages, in the versions that are named or else those of the list, and writes
// their files and the list. If one cannot be fetched, nothing is written.
func renew(registry, directory string, versions []string) error {
	last, err := read(directory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if last, err = choose(last, versions); err != nil {
		return err
	}
	var all []taken
	texts := map[string][]byte{}
	for i, s := range sources {
		t, written, err := s.fetch(registry, last[i])
		if err != nil {
			return fmt.Errorf("%s@%s: %w", s.name, last[i].Version, err)
		}
		for name, text := range written {
			texts[name] = text
		}
		all = append(all, t)
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	texts[list] = append(text, '\n')
	for name, text := range texts {
		if err := files.WriteText(filepath.Join(directory, name), text); err != nil {
			return err
		}
	}
	return nil
}

// read reads the list.
func read(directory string) (all []taken, err error) {
	text, err := os.ReadFile(filepath.Join(directory, list))
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(text, &all)
}

// choose returns the version of each source and, if the list has the same version, the digest of its
// archive.
func choose(last []taken, versions []string) ([]taken, error) {
	named := map[string]string{}
	for _, v := range versions {
		at := strings.LastIndex(v, "@")
		if at < 0 || !slices.ContainsFunc(sources, func(s source) bool { return s.name == v[:at] }) {
			return nil, fmt.Errorf("%q is not NAME@VERSION of a package that the page uses", v)
		}
		named[v[:at]] = v[at+1:]
	}
	chosen := make([]taken, len(sources))
	for i, s := range sources {
		if k := slices.IndexFunc(last, func(t taken) bool { return t.Name == s.name }); k >= 0 {
			chosen[i] = last[k]
		}
		if version := named[s.name]; version != "" && version != chosen[i].Version {
			chosen[i] = taken{Version: version}
		}
		if chosen[i].Version == "" {
			return nil, fmt.Errorf("%s has no version in %s: name one, as in %s@1.2.3", s.name, list, s.name)
		}
	}
	return chosen, nil
}

// fetch fetches a package, and returns the files that are taken of it, by their new names.
func (s source) fetch(registry string, known taken) (taken, map[string][]byte, error) {
	var about struct {
		Dist struct{ Tarball, Integrity string }
	}
	text, err := get(registry + "/" + s.name + "/" + known.Version)
	if err == nil {
		err = json.Unmarshal(text, &about)
	}
	if err != nil {
		return known, nil, err
	}
	if known.Integrity != "" && known.Integrity != about.Dist.Integrity {
		return known, nil, fmt.Errorf("the registry states the digest %q, and %s has %q", about.Dist.Integrity, list, known.Integrity)
	}
	packed, err := get(about.Dist.Tarball)
	if err != nil {
		return known, nil, err
	}
	sum := sha512.Sum512(packed)
	if found := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); found != about.Dist.Integrity {
		return known, nil, fmt.Errorf("the archive has the digest %q, and the registry states %q", found, about.Dist.Integrity)
	}
	all, err := unpack(packed)
	if err != nil {
		return known, nil, err
	}
	written, err := s.take(all)
	t := taken{s.name, known.Version, about.Dist.Tarball, about.Dist.Integrity, map[string]string{}}
	for name, text := range written {
		sum := sha256.Sum256(text)
		t.Files[name] = hex.EncodeToString(sum[:])
	}
	return t, written, err
}

// get returns the body at an address.
func get(address string) ([]byte, error) {
	client := http.Client{Timeout: time.Minute}
	response, err := client.Get(address)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", address, response.Status)
	}
	return files.ReadLimited(response.Body, most)
}

// unpack returns the files of an archive of npm, without their first folder.
func unpack(packed []byte) (map[string][]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := files.ReadLimited(z, most)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(text)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		_, name, _ := strings.Cut(h.Name, "/")
		if all[name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}

// take returns the modules and the licence among the files of a package, by their new names.
func (s source) take(all map[string][]byte) (map[string][]byte, error) {
	written := map[string][]byte{}
	for specifier, file := range s.modules {
		text, ok := all[file]
		if !ok {
			return nil, fmt.Errorf("it has no file %s", file)
		}
		module, err := rewrite(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		written[fileOf(specifier)] = []byte(module)
	}
	licence, ok := all["LICENSE"]
	if !ok {
		return nil, errors.New("it has no file LICENSE")
	}
	written["LICENSE-"+strings.TrimSuffix(fileOf(s.name), ".js")] = licence
	return written, nil
}

// fileOf returns the name of the file of a module.
func fileOf(specifier string) string {
	return path.Base(specifier) + ".js"
}

var sourceMap = regexp.MustCompile(`(?m)//# sourceMappingURL=\S*\n?`)

// rewrite returns a module with relative imports in place of bare ones, and without the address of
// a source map, which nobody serves.
func rewrite(module string) (string, error) {
	module = sourceMap.ReplaceAllString(module, "")
	imports, err := esm.Imports(module)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	at := 0
	for _, i := range imports {
		known := false
		for _, s := range sources {
			_, has := s.modules[i.From]
			known = known || has
		}
		if !known {
			return "", fmt.Errorf("it imports %s, which is not fetched", i.From)
		}
		b.WriteString(module[at:i.At] + "./" + fileOf(i.From))
		at = i.At + len(i.From)
	}
	return b.String() + strings.TrimRight(module[at:], "\n") + "\n", nil
}
