// Package published gives tests the positions, games and counts that others have
// published. They are not part of the project: they are read from the folder
// shared/data beside the checkout, and a test that needs them skips without it.
package published

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Root returns the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return root
		}
		parent := filepath.Dir(root)
		if parent == root {
			t.Fatal("the test does not run inside the module")
		}
		root = parent
	}
}

// Dir returns the folder of published data, or skips the test.
func Dir(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(filepath.Dir(Root(t)), "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("skipped: the published positions are not at ../shared/data")
	}
	return dir
}

// Read returns the text of a file of published data, or skips the test.
func Read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(Dir(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Names returns the names of the files of published data that match a pattern, in order, or skips
// the test.
func Names(t testing.TB, pattern string) (names []string) {
	t.Helper()
	dir := Dir(t)
	files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(name))
	}
	return names
}

// Rows returns the rows of a tab-separated file without its first line.
func Rows(t testing.TB, name string) [][]string {
	t.Helper()
	var rows [][]string
	for i, line := range strings.Split(strings.TrimRight(Read(t, name), "\n"), "\n") {
		if i > 0 {
			rows = append(rows, strings.Split(strings.TrimRight(line, "\r"), "\t"))
		}
	}
	return rows
}
