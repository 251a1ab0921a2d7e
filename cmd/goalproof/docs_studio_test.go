package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/require"
)

// shell runs a script with bash, and returns what it prints. The test is skipped where bash or a
// program that the script needs is missing.
func shell(t *testing.T, script string, args ...string) string {
	t.Helper()
	for _, program := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("skipped: ", err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{"-c", script, "script"}, args...)...)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// TestStudioPage runs the script of docs/studio.md.
func TestStudioPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/studio.md")
	require.NoError(t, err)
	parts := regexp.MustCompile("(?s)```bash\n(.*?)```\n\n```text\n(.*?)```").FindStringSubmatch(string(page))
	if parts == nil {
		t.Fatal("docs/studio.md has no script with what it prints")
	}
	s := openStudio(t)
	if got := shell(t, parts[1], s.base+"/#"+s.token); got != parts[2] {
		t.Errorf("the script prints\n%s\nand the page has\n%s", got, parts[2])
	}
}

// TestStudioTopic runs the commands of the topic studio-api.
func TestStudioTopic(t *testing.T) {
	topic, _, err := rootCommand(cli.Terminal{}).Find([]string{"studio-api"})
	require.NoError(t, err)
	s := openStudio(t)
	found := regexp.MustCompile(`(?m)^    (curl .*\n(?:      .*\n)*)`).FindAllStringSubmatch(topic.Long, -1)
	if len(found) != 2 {
		t.Fatalf("%d commands", len(found))
	}
	for _, m := range found {
		command := strings.NewReplacer("http://127.0.0.1:PORT", s.base, "TOKEN", s.token, "> openapi.json", "").Replace(m[1])
		var answer map[string]any
		if text := shell(t, command); json.Unmarshal([]byte(text), &answer) != nil || answer["id"] == nil && answer["openapi"] != "3.1.0" {
			t.Errorf("%s: %.300s", m[1], text)
		}
	}
}
