package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestReadBuild checks builds with and without version control.
func TestReadBuild(t *testing.T) {
	commit := strings.Repeat("ab", 20)
	tagged := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: []debug.BuildSetting{
		{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: commit},
		{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"},
	}}
	clean := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: "false"},
	}}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{tagged, "goalproof v1.2.3+dirty\ncommit " + commit + " of 2026-01-02T03:04:05Z, with changes\nbuilt with "},
		{clean, "goalproof v1.2.3\ncommit " + commit + "\nbuilt with "},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "goalproof devel\nbuilt with "},
		{new(debug.BuildInfo), "goalproof devel\nbuilt with "},
	} {
		if got := readBuild(c.info).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q\nwant\n%q", got, c.want)
		}
	}
	if b := readBuild(clean); b.Dirty == nil || *b.Dirty {
		t.Error("a clean build is dirty")
	}
}
