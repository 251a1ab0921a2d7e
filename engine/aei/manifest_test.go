package aei

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestManifestOptions checks that a session takes the default, the least and the greatest value of
// each option without a warning, and refuses what lies beyond. Limits of the machine do not count.
func TestManifestOptions(t *testing.T) {
	refused := func(name string, value any) bool {
		lines, err := converse(t, &fake{t: t}, fmt.Sprintf("aei\nsetoption name %s value %v\nquit\n", name, value))
		require.NoError(t, err)
		rest := lines[len(opened):]
		return len(rest) > 0 && !strings.HasSuffix(rest[0], ": that is too much")
	}
	for _, o := range NewManifest("v1").Options {
		if refused(o.Name, o.Default) {
			t.Errorf("%s: the default %v is refused", o.Name, o.Default)
		}
		if o.Type != "spin" {
			continue
		}
		if refused(o.Name, *o.Min) || refused(o.Name, *o.Max) {
			t.Errorf("%s: %d or %d is refused", o.Name, *o.Min, *o.Max)
		}
		if !refused(o.Name, *o.Min-1) || !refused(o.Name, *o.Max+1) {
			t.Errorf("%s: %d or %d is accepted", o.Name, *o.Min-1, *o.Max+1)
		}
	}
}

// TestManifestDownloads checks a manifest as clients read it, and what is refused.
func TestManifestDownloads(t *testing.T) {
	sum := strings.Repeat("0f", 32)
	m := NewManifest("v1.2.0-rc1")
	sums := sum + "  goalproof-v1.2.0-rc1-linux-amd64.tar.gz\n" + sum + "  goalproof-v1.2.0-rc1-darwin-arm64.tar.gz\n" +
		sum + "  goalproof-v1.2.0-rc1-windows-amd64.zip\n"
	require.NoError(t, m.AddDownloads("SHA256SUMS", sums, "https://example.com/v1/"))
	text, err := json.Marshal(m)
	require.NoError(t, err)
	var read struct {
		Downloads map[string]map[string]string
		Options   []map[string]any
		Args      []string
		Version   int `json:"manifest_version"`
	}
	require.NoError(t, json.Unmarshal(text, &read))
	if read.Version != 1 || !slices.Equal(read.Args, []string{"aei"}) || len(read.Downloads) != 3 || len(read.Options) == 0 {
		t.Errorf("%s", text)
	}
	windows := read.Downloads["windows-x86_64"]
	if windows["url"] != "https://example.com/v1/goalproof-v1.2.0-rc1-windows-amd64.zip" || windows["archive"] != "zip" ||
		windows["program"] != "goalproof-v1.2.0-rc1-windows-amd64/goalproof.exe" || windows["sha256"] != sum {
		t.Errorf("%v", windows)
	}
	if mac := read.Downloads["macos-aarch64"]; mac["program"] != "goalproof-v1.2.0-rc1-darwin-arm64/goalproof" || mac["archive"] != "tar.gz" {
		t.Errorf("%v", mac)
	}
	for _, bad := range []struct{ sums, url string }{
		{sums, "http://example.com"}, {sums, "https://"}, {sums, "https://a b"}, {"", "https://example.com"},
		{sums + "x\n", "https://example.com"}, {strings.ReplaceAll(sums, "rc1", "rc2"), "https://example.com"},
		{sum[1:] + "  goalproof-v1.2.0-rc1-linux-amd64.tar.gz\n", "https://example.com"},
	} {
		if err := NewManifest("v1.2.0-rc1").AddDownloads("SHA256SUMS", bad.sums, bad.url); err == nil {
			t.Errorf("%q, %q: no error", bad.sums, bad.url)
		}
	}
}
