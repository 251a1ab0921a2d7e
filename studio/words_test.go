package studio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestInWords holds errors of Go's packages against what is said of them.
func TestInWords(t *testing.T) {
	dir := t.TempDir()
	_, noFile := os.Open(filepath.Join(dir, "a game.game"))
	noLink := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b"))
	_, noNumber := strconv.Atoi("x<")
	_, noRange := strconv.ParseInt("99999999999999999999", 10, 64)
	noJSON := json.Unmarshal([]byte(`{"a" 1}`), new(any))
	brokenOff := json.NewDecoder(strings.NewReader(`{"a"`)).Decode(new(any))
	noType := json.Unmarshal([]byte(`{"win_in":"x"}`), &struct {
		WinIn int `json:"win_in"`
	}{})
	for want, err := range map[string]error{
		"the game was not saved: a game.game: ": fmt.Errorf("the game was not saved: %w", noFile),
		"b: ":                                   noLink,
		`line 3: "x<" is no number that is possible here`:              fmt.Errorf("line 3: %w", noNumber),
		`"99999999999999999999" is no number that is possible here`:    noRange,
		"object 1: it is not JSON, at byte 6":                          fmt.Errorf("object 1: %w", noJSON),
		"object 1: it breaks off":                                      fmt.Errorf("object 1: %w", brokenOff),
		"object 1: win_in: it is a whole number, such as 12":           fmt.Errorf("object 1: %w", noType),
		"two: it breaks off\n\"y\" is no number that is possible here": errors.Join(fmt.Errorf("two: %w", brokenOff), numberError("y")),
	} {
		got := inWords(err)
		if !strings.HasPrefix(got, want) || strings.Contains(got, filepath.Base(dir)) || strings.Contains(got, "json") || strings.Contains(got, "strconv") {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

// TestJobInWords lets jobs fail: their errors are in words, too.
func TestJobInWords(t *testing.T) {
	q := newTestQueue(t, 64)
	a := act(t, q, "solve", 1, nil)
	dir := t.TempDir()
	_, noFile := os.Open(filepath.Join(dir, "facts"))
	q.mu.Lock()
	q.jobs[a.ID].err = fmt.Errorf("nothing is kept: %w", noFile)
	q.mu.Unlock()
	j, _, err := q.look(a.ID)
	if err != nil || !strings.HasPrefix(j.Says, "nothing is kept: facts: ") || *j.Error != j.Says {
		t.Errorf("%+v, %v", j, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := checked(ctx, ctx.Err(), ""); err == nil || err.Error() != "stopped before all of the certificate was checked" {
		t.Errorf("a check that is stopped: %v", err)
	}
}

func numberError(text string) error {
	_, err := strconv.Atoi(text)
	return err
}

// TestChanged answers with the error of a file that has been changed.
func TestChanged(t *testing.T) {
	w := httptest.NewRecorder()
	answered(w, nil, fmt.Errorf("save: %w", changed("the file has been changed elsewhere")))
	if got := strings.TrimSpace(w.Body.String()); w.Code != http.StatusConflict || got != `{"error":"save: the file has been changed elsewhere","code":"changed"}` {
		t.Errorf("%d %s", w.Code, got)
	}
}
