package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

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

// ask sends a request and returns the job that is the answer, or that of the last event. It waits for the end of events.
func (s *openedStudio) ask(method, path string, body any) (job studio.Job, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return job, err
	}
	r, err := http.NewRequest(method, s.base+path, bytes.NewReader(text))
	if err != nil {
		return job, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return job, err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		line := bytes.TrimPrefix(lines.Bytes(), []byte("data: "))
		if len(line) == 0 {
			continue
		}
		job = studio.Job{}
		if err := json.Unmarshal(line, &job); err != nil {
			return job, err
		}
	}
	if response.StatusCode != http.StatusOK {
		return job, fmt.Errorf("status %d", response.StatusCode)
	}
	return job, lines.Err()
}

// solve asks whether there is a win in two turns.
func (s *openedStudio) solve(position string) (job studio.Job, err error) {
	task := map[string]any{"kind": "solve", "study": studio.Study{Position: position}, "win_in": 2, "threads": 1, "memory": 8 << 20, "seconds": 600}
	if job, err = s.ask("POST", "/api/jobs", task); err != nil {
		return job, err
	}
	return s.ask("GET", "/api/jobs/"+job.ID+"/events", nil)
}

// TestStudio starts a studio, asks it and its library a question, and ends it as Ctrl-C does.
func TestStudio(t *testing.T) {
	s := openStudio(t, "--library", imported(t))
	if !strings.HasPrefix(s.base, "http://127.0.0.1:") || len(s.token) < 26 {
		t.Fatalf("the address is %s/#%s", s.base, s.token)
	}
	job, err := s.solve("Ra5 rh7 ed4 g")
	if err != nil || job.Result == nil || job.Result.Says != "Proved: gold wins in 1 turn." || job.Result.Kept {
		t.Errorf("%v, %+v", err, job)
	}
	if _, err := s.ask("POST", "/api/library/games", map[string]any{}); err != nil {
		t.Error(err)
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skipf("skipped: this system has no interrupt: %v", err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("interrupted: %v", err)
	}
}
