// Package version is the command version: which build of the program this is.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
)

// Build says what the program was built from. The Go command writes it into the program, from the version control
// of the directory in which it builds. What it did not write is unknown.
type Build struct {
	Version  string  `json:"version"`  // a tag, a pseudo-version (Go Modules Reference, "Pseudo-versions"), or devel
	Commit   *string `json:"commit"`   // in full
	Date     *string `json:"date"`     // of the commit, RFC 3339
	Dirty    *bool   `json:"dirty"`    // whether files differed from the commit
	Go       string  `json:"go"`       // the Go release
	Platform string  `json:"platform"` // operating system and architecture
}

// Read returns the build of this program.
func Read() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return read(info)
}

func read(info *debug.BuildInfo) Build {
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
			dirty := s.Value == "true"
			b.Dirty = &dirty
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

// Command returns the command version.
func Command(t cli.Terminal) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version, and the commit it was built from",
		Long: `Shows the version of the program, the commit that it was built from with its
date, whether files differed from that commit, and the Go release. A program
that was built outside of version control knows no commit.

See also: goalproof help json.`,
		Example: `  goalproof version
  goalproof version --json`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if json {
				return cli.WriteJSON(t.Out, Read())
			}
			fmt.Fprint(t.Out, Read())
			return nil
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "write a line of JSON (see goalproof help json)")
	return cmd
}
