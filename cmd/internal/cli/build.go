package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Build says what the program was built from. The Go command writes it into the program, from the
// version control of the directory in which it builds. What it did not write is unknown.
type Build struct {
	Version  string  `json:"version"`  // a tag, a pseudo-version (Go Modules Reference, "Pseudo-versions"), or devel
	Commit   *string `json:"commit"`   // in full
	Date     *string `json:"date"`     // of the commit, RFC 3339
	Dirty    *bool   `json:"dirty"`    // whether files differed from the commit
	Go       string  `json:"go"`       // the Go release
	Platform string  `json:"platform"` // operating system and architecture
}

// ReadBuild returns the build of this program.
func ReadBuild() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return readBuild(info)
}

func readBuild(info *debug.BuildInfo) Build {
	b := Build{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = &s.Value
		case "vcs.time":
			b.Date = &s.Value
		case "vcs.modified":
			b.Dirty = new(s.Value == "true")
		}
	}
	return b
}

// String describes the build in two or three lines.
func (b Build) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "goalproof %s\n", b.Version)
	if b.Commit != nil {
		fmt.Fprintf(&s, "commit %s", *b.Commit)
		if b.Date != nil {
			fmt.Fprintf(&s, " of %s", *b.Date)
		}
		if b.Dirty != nil && *b.Dirty {
			s.WriteString(", with changes")
		}
		s.WriteString("\n")
	}
	fmt.Fprintf(&s, "built with %s for %s\n", b.Go, b.Platform)
	return s.String()
}
