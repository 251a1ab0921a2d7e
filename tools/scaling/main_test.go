//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// TestMain makes the test binary the command when it is told to.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "scaling" {
		os.Args = os.Args[1:]
		main()
		return
	}
	os.Exit(m.Run())
}

// scalingOutput runs the command.
func scalingOutput(t *testing.T, args string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), os.Args[0], append([]string{"scaling"}, strings.Fields(args)...)...).CombinedOutput()
	return string(out), err
}

// column returns a column of all tables of an output.
func column(t *testing.T, out string, n int) (all []float64) {
	t.Helper()
	for _, row := range regexp.MustCompile(`(?m)^\| \d.*$`).FindAllString(out, -1) {
		x, err := strconv.ParseFloat(strings.Fields(strings.Split(row, "|")[n])[0], 64)
		require.NoError(t, err)
		all = append(all, x)
	}
	return all
}

// TestSets simulates sets of questions: more workers are faster, until the desk is busy.
func TestSets(t *testing.T) {
	out, err := scalingOutput(t, "-takes 2ms,1s -questions 2000 -workers 1,8,128")
	fast := column(t, out, 3)
	if err != nil || len(fast) != 6 || fast[1] < 5*fast[0] || fast[2] > 64 || fast[4] < 7 || fast[4] > 8 || fast[5] < 64 || fast[5] > 128 {
		t.Errorf("%v: %v\n%s", fast, err, out)
	}
	if desk := column(t, out, 5); desk[2] < 50 || desk[3] > 5 {
		t.Errorf("the desk is busy: %v", desk)
	}
	twice, err := scalingOutput(t, "-takes 1s -questions 2000 -workers 8 -untrusted")
	if half := column(t, twice, 3); err != nil || half[0] < 3.5 || half[0] > 4 {
		t.Errorf("without trust: %v\n%s", err, twice)
	}
	// Three cores check 4000 answers for half a second each.
	checked, err := scalingOutput(t, "-takes 1s -questions 2000 -workers 8 -untrusted -check 0.5")
	if other := column(t, checked, 6); err != nil || other[0] < 99 {
		t.Errorf("with checks: %v\n%s", err, checked)
	}
}

// TestShortLives simulates workers that are killed before they can answer: that is no speed.
func TestShortLives(t *testing.T) {
	out, err := scalingOutput(t, "-takes 60s -lifetime 30s -questions 50 -workers 8")
	if err != nil || !strings.Contains(out, "| 8 | not said: ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestProofs simulates searches: more workers are faster, and search more.
func TestProofs(t *testing.T) {
	out, err := scalingOutput(t, "-proof -takes 1s -workers 1,16")
	jobs, fast := column(t, out, 4), column(t, out, 3)
	if err != nil || len(jobs) != 6 {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, want := range []float64{28, 820, 2700} {
		one, many := jobs[2*i], jobs[2*i+1]
		if one < 0.9*want || one > 1.1*want || many <= one || fast[2*i] != 1 || fast[2*i+1] < 2 || fast[2*i+1] > 16 {
			t.Errorf("a proof of %v jobs: %v with one worker, %v with 16, which are %v times as fast", want, one, many, fast[2*i+1])
		}
	}
}

// TestReadTimes reads times as commands write them.
func TestReadTimes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "times")
	for _, c := range []struct {
		text string
		want []time.Duration
	}{
		{"{\"schema\":1,\"seconds\":0.5,\"other\":1}\n{\"schema\":1,\"count\":2}\n\n1.25\n", []time.Duration{time.Second / 2, 5 * time.Second / 4}},
		{"-1\n", nil}, {"1e9\n", nil}, {"x\n", nil}, {"{\"seconds\":\"1\"}\n", nil}, {"{\n", nil}, {"", nil}, {"0\n", nil},
	} {
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
		got, err := readTimes(path)
		if (err != nil) != (c.want == nil) || err == nil && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, %v", c.text, got, err)
		}
	}
}

// TestReadCosts reads what the benchmark prints.
func TestReadCosts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "costs")
	line := "BenchmarkCosts-2 1 %d Commit 2 Deliver 3 Group 4 Heard 5 Keep 6 Question 7 ServerGroup 8 ServerQuestion 9 Sign 10 WorkerGroup 11.5 WorkerQuestion\n"
	text := ""
	for _, commit := range []string{"90", "10", "20"} {
		text += strings.Replace(line, "%d", commit, 1)
	}
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	c, err := readCosts(path)
	if err != nil || c.Commit != 20*time.Microsecond || c.WorkerQuestion != 11500*time.Nanosecond || c.Sign != 9*time.Microsecond {
		t.Errorf("%+v, %v", c, err)
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "Sign", "Sigh")), 0o600))
	if _, err := readCosts(path); err == nil || !strings.Contains(err.Error(), "has no Sign") {
		t.Error(err)
	}
}

// TestFlags refuses what cannot be simulated.
func TestFlags(t *testing.T) {
	for _, args := range []string{"-questions 0", "-slots 0", "-cores 1", "-check -1", "-check NaN", "-workers 0", "-workers 1,x", "-takes 0s", "-takes 5", "-round-trip -1s", "-lifetime 1ms", "-lifetime 1000000h", "-cores 1000000000", "-times none", "-costs none", "none"} {
		words := strings.Fields(args)
		if out, err := scalingOutput(t, args); err == nil || strings.Contains(out, "panic") || strings.Contains(out, "|") || !strings.Contains(out, words[len(words)-1]) && !strings.Contains(out, words[0]) {
			t.Errorf("%s: %v\n%s", args, err, out)
		}
	}
}
