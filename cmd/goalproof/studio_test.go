package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/studio"
)

// openedStudio is a studio that runs as a process of its own.
type openedStudio struct {
	cmd         *exec.Cmd
	base, token string
}

// openStudio starts a studio and reads its address.
func openStudio(t *testing.T, args ...string) *openedStudio {
	t.Helper()
	s := &openedStudio{cmd: process(t, "goalproof", append([]string{"studio", "--no-open", "--memory", "64MiB"}, args...)...)}
	out, err := s.cmd.StdoutPipe()
	require.NoError(t, err)
	s.cmd.Stderr = os.Stderr
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { s.cmd.Process.Kill() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if base, token, ok := strings.Cut(lines.Text(), "/#"); ok {
			s.base, s.token = base, token
			return s
		}
	}
	t.Fatal("the studio printed no address")
	return nil
}

// ask sends a request and reads the answer, or the last event, into a value. It waits for the end
// of events.
func (s *openedStudio) ask(method, path string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(method, s.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %s", response.StatusCode, answer)
	}
	last := answer
	for line := range bytes.Lines(answer) {
		if line := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("data: "))); len(line) > 0 {
			last = line
		}
	}
	return json.Unmarshal(last, into)
}

// solve asks whether there is a win in two turns.
func (s *openedStudio) solve(position string) (job studio.Job, err error) {
	task := map[string]any{"kind": "solve", "study": studio.Study{Position: position}, "win_in": 2, "threads": 1, "memory": 8 << 20, "seconds": 600}
	if err := s.ask("POST", "/api/jobs", task, &job); err != nil {
		return job, err
	}
	var ended studio.Job
	err = s.ask("GET", "/api/jobs/"+job.ID+"/events", nil, &ended)
	return ended, err
}

// keptGame is a game of a workspace.
type keptGame struct {
	Name, Version string
	Game          studio.Game
}

// saveGame saves a game of one position with a comment, under a name that the studio chooses if
// none is given.
func (s *openedStudio) saveGame(name, version, comment string) (kept keptGame, err error) {
	err = s.ask("POST", "/api/games", map[string]any{"name": name, "suggest": "Position", "version": version,
		"game": studio.Game{Position: "Ra5 rh7 ed4 g", Nodes: []studio.GameNode{{Parent: -1, Comment: comment}}}}, &kept)
	return kept, err
}

// game returns a game of the workspace.
func (s *openedStudio) game(name string) (kept keptGame, err error) {
	err = s.ask("GET", "/api/games/"+url.PathEscape(name), nil, &kept)
	return kept, err
}

// TestStudio starts a studio that keeps nothing, asks it and its library a question, and ends it as
// Ctrl-C does.
func TestStudio(t *testing.T) {
	s := openStudio(t, "--workspace", "none", "--library", imported(t))
	if !strings.HasPrefix(s.base, "http://127.0.0.1:") || len(s.token) < 26 {
		t.Fatalf("the address is %s/#%s", s.base, s.token)
	}
	job, err := s.solve("Ra5 rh7 ed4 g")
	if err != nil || job.Result == nil || job.Result.Says != "Proved: gold wins in 1 turn." || job.Result.Kept {
		t.Errorf("%v, %+v", err, job)
	}
	var found any
	if err := s.ask("POST", "/api/library/games", map[string]any{}, &found); err != nil {
		t.Error(err)
	}
	if _, err := s.saveGame("", "", ""); err == nil || !strings.Contains(err.Error(), "--workspace") {
		t.Errorf("a game was saved nowhere: %v", err)
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skipf("skipped: this system has no interrupt: %v", err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
}

// TestStudioDefault starts a studio without flags: it keeps games, facts and the training in the
// data folder.
func TestStudioDefault(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	s := openStudio(t)
	kept, err := s.saveGame("", "", "a comment")
	if err != nil || kept.Name != "Position" {
		t.Fatalf("%+v, %v", kept, err)
	}
	job, err := s.solve("Ra5 rh7 ed4 g")
	if err != nil || job.Result == nil || !job.Result.Kept {
		t.Errorf("%v, %+v", err, job)
	}
	var trained studio.Training
	if err := s.ask("POST", "/api/training", studio.Attempt{Study: studio.Study{Position: "Ra5 rh7 ed4 g"}, WinIn: 1, Solved: true}, &trained); err != nil {
		t.Error(err)
	}
	require.NoError(t, s.cmd.Process.Kill())
	_ = s.cmd.Wait() // it was killed
	s = openStudio(t, "--workspace", filepath.Join(data, "goalproof", "studio"))
	if got, err := s.game("Position"); err != nil || got.Version != kept.Version || got.Game.Nodes[0].Comment != "a comment" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := s.ask("GET", "/api/training", nil, &trained); err != nil || trained.Streak != 1 {
		t.Errorf("%+v, %v", trained, err)
	}
}

// TestStudioStoreInUse starts a studio while a search has the facts of the workspace open: the
// error is that of the store.
func TestStudioStoreInUse(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	dir := filepath.Join(data, "goalproof", "studio")
	facts, err := search.OpenStore(filepath.Join(dir, "facts"))
	require.NoError(t, err)
	defer facts.Close()
	refuses(t, cli.BadInput, []string{"facts is in use: ", "name another directory with --workspace DIR, or keep nothing with --workspace none"},
		"studio", "--no-open")
	code, _, errors := said(t, "studio", "--no-open", "--workspace", dir)
	if code != cli.BadInput || !strings.Contains(errors, "facts is in use: ") || strings.Contains(errors, "none") {
		t.Errorf("exit code %d\n%s", code, errors)
	}
}
