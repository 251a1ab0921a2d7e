//go:build large

package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
	"goalproof/internal/memory"
)

// running says how an example runs in the test, if not as it stands and to exit code 0. It is for all examples that begin with a
// text, unless another one fits better.
type running struct {
	begins string
	why    string
	exit   int    // expected
	add    string // flags that are added: later ones count
	stop   string // it is interrupted as soon as it has written this file, or something to its output if it is "output"
}

// output is a value of [running.stop].
const output = "output"

var runnings = []running{
	{begins: "goalproof solve --try", exit: cli.Fails, why: "the turn does not keep the win"},
	{begins: "goalproof solve --win-in 2 --certificate no-win", exit: cli.Fails, why: "there is no win in two"},
	{begins: "goalproof solve --win-in 2 --time 10s --quiet examples", exit: cli.Fails, why: "some examples are no wins in two"},
	{begins: "goalproof solve --store facts --win-in 3 examples", exit: cli.Fails, why: "some examples are no wins in three"},
	{begins: "goalproof check --sample", exit: cli.Unknown, why: "a sample is no proof"},
	{begins: "goalproof defend --win-in 3", exit: cli.Fails, why: "no turn holds"},

	{begins: "goalproof studio", stop: output, add: "--port 0", why: "it runs until it is interrupted; the port may be taken"},
	{begins: "goalproof serve --external", exit: cli.BadInput, why: "no server runs"},
	{begins: "goalproof serve", stop: output, add: "--listen 127.0.0.1:0", why: "it runs until it is interrupted; the port may be taken"},
	{begins: "goalproof cluster", exit: cli.BadInput, why: "no server runs"},
	{begins: "goalproof work", exit: cli.BadInput, why: "no server runs"},
	{begins: "goalproof verify --cluster", exit: cli.BadInput, why: "no server runs"},
	{begins: "goalproof solve --cluster", exit: cli.BadInput, why: "no server runs"},
	{begins: "goalproof bench --engine", stop: output, exit: cli.Unknown, why: "it takes half a minute"},
	{begins: "goalproof endgame build", stop: output, exit: cli.Unknown, why: "it takes a minute"},
	{begins: "goalproof endgame verify --sample 100000", add: "--sample 1000", why: "it takes ten seconds"},
	{begins: "goalproof verify examples/mined", stop: output, exit: cli.Unknown, why: "it takes twenty seconds"},
	{begins: "goalproof verify --json", stop: output, exit: cli.Unknown, why: "it takes twenty seconds"},
	{begins: "goalproof verify --html", stop: output, exit: cli.Unknown, why: "it takes twenty seconds"},
	{begins: "goalproof verify --describe", stop: output, exit: cli.Unknown, why: "it takes a minute"},
	{begins: "goalproof mine --html puzzles.html examples/games.tsv", add: "--game random-1-7", why: "one game is enough"},
	{begins: "goalproof mine --theme", add: "--game random-1-7", why: "one game is enough"},
	{begins: "goalproof mine --win-in 3", stop: output, exit: cli.Unknown, why: "it takes minutes"},
	{begins: "goalproof compose --rounds", add: "--rounds 20", why: "it takes half a minute"},
	{begins: "goalproof analyze", add: "--time 20ms", why: "it takes all the time that it gets"},
	{begins: "goalproof analyze examples/game.turns --turn 12g --depth", why: "it takes a second"},
	{begins: "goalproof review", add: "--win-in 1 --effort 100", why: "it takes half a minute"},
	{begins: "goalproof review --defence-nodes", add: "--win-in 1 --effort 100 --defence-nodes 1000", why: "it takes minutes"},
	{begins: "goalproof review --csv --win-in 2", add: "--win-in 1 --effort 100 --game random-1-7", why: "one game is enough"},
	{begins: "goalproof library review games.db --nodes 2000 --effort 100", add: "--win-in 1 --effort 0", why: "it takes half a minute"},
	{begins: "goalproof library query games.db --game", add: "--win-in 1 --effort 0", why: "the review takes half a minute"},
	{begins: "goalproof match --games 10", add: "--games 2 --depth 1 --turns 2", why: "it takes hours"},
	{begins: "goalproof match --games 60", add: "--games 6 --depth 1 --turns 2", why: "it takes hours"},
	{begins: "goalproof match --depth 4", add: "--games 2 --depth 1 --turns 20", why: "it takes minutes"},
	{begins: "goalproof match --clock", stop: output, exit: cli.Unknown, why: "it takes hours"},
	{begins: "goalproof learn --out runs/network", add: "--games 40,40,40,40,40 --nodes 1 --epochs 1", why: "it takes hours"},
	{begins: "goalproof learn --out runs/more", stop: "runs/more/games-1.bin", exit: cli.Unknown, why: "it takes hours"},
	{begins: "goalproof learn --out runs/small", stop: "runs/small/games-1.bin", exit: cli.Unknown, why: "it takes hours"},
	{begins: "goalproof learn --out runs/players", stop: "runs/players/games-1.bin", exit: cli.Unknown, why: "it takes hours"},
}

// find returns how an example runs.
func find(line string) (best running) {
	for _, r := range runnings {
		if strings.HasPrefix(line, r.begins) && len(r.begins) > len(best.begins) {
			best = r
		}
	}
	return best
}

// TestExamples runs every example of the help and every command line of the README in an unpacked release, each
// command's and the README's from top to bottom in a folder of their own.
func TestExamples(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell: ", err)
	}
	sessions := map[string][]string{"README": readmeLines(t)}
	root := rootCommand(cli.Terminal{})
	root.InitDefaultHelpCmd()
	for _, c := range append(everyCommand(root), root) {
		for line := range strings.Lines(c.Example) {
			sessions[c.CommandPath()] = append(sessions[c.CommandPath()], strings.TrimSpace(line))
		}
	}
	all := slices.Concat(slices.Collect(maps.Values(sessions))...)
	for _, r := range runnings {
		if !slices.ContainsFunc(all, func(line string) bool { return find(line) == r }) {
			t.Errorf("no example begins with %q", r.begins)
		}
	}
	bin := installed(t)
	done := lines{have: map[string]bool{}}
	two := make(chan struct{}, 2)
	for _, name := range slices.Sorted(maps.Keys(sessions)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			two <- struct{}{}
			defer func() { <-two }()
			session{dir: unpack(t), bin: bin, home: t.TempDir()}.run(t, sessions[name], &done)
		})
	}
}

// readmeLines returns the command lines of the README. Those for a clone of the repository are checked here.
func readmeLines(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^    ((?:goalproof|go) .*)$`).FindAllStringSubmatch(string(text), -1) {
		words := strings.Fields(m[1])
		switch {
		case words[0] == "goalproof":
			all = append(all, m[1])
		case strings.HasPrefix(m[1], "go run ./cmd/goalproof "):
			all = append(all, "goalproof "+strings.Join(words[3:], " "))
		default:
			if _, err := os.Stat("../../" + strings.TrimSuffix(words[2], "/...")); err != nil {
				t.Errorf("%s: %v", m[1], err)
			}
		}
	}
	if len(all) < 50 {
		t.Errorf("%d lines in the README", len(all))
	}
	return all
}

// unpack returns a folder that is like an unpacked release: what release/build puts into an archive, without the program.
func unpack(t *testing.T) string {
	t.Helper()
	const repository = "../.."
	script, err := os.ReadFile(repository + "/release/build")
	require.NoError(t, err)
	packed := regexp.MustCompile(`git archive HEAD (.*) ':\(exclude\)\*_test\.go'`).FindSubmatch(script)
	if packed == nil {
		t.Fatal("release/build does not say what it packs")
	}
	dir := t.TempDir()
	var all []string
	for name := range strings.FieldsSeq(string(packed[1])) {
		found, err := filepath.Glob(filepath.Join(repository, strings.Trim(name, "'")))
		require.NoError(t, err)
		if len(found) == 0 {
			t.Errorf("release/build packs %s, which is not there", name)
		}
		all = append(all, found...)
	}
	for _, name := range all {
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			path, err = filepath.Rel(repository, path)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, path), text, 0o666)
		})
		require.NoError(t, err)
	}
	return dir
}

// installed returns a folder with the program, and with those that would open a page in a browser.
func installed(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	if err := os.Symlink(exe, filepath.Join(dir, "goalproof")); err != nil { // testscript.Main runs what it is called by
		t.Skip(err)
	}
	for _, name := range []string{"xdg-open", "open"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o777))
	}
	return dir
}

// lines are those that have run in a release as it was unpacked, and left it so: they need not run again.
type lines struct {
	sync.Mutex
	have map[string]bool
}

// session runs lines in a folder.
type session struct{ dir, bin, home string }

func (s session) run(t *testing.T, all []string, done *lines) {
	fresh := s.files(t)
	for _, line := range all {
		done.Lock()
		had := done.have[line]
		done.Unlock()
		if had {
			continue
		}
		if m := regexp.MustCompile(`--memory (\S+)`).FindStringSubmatch(line); m != nil {
			if _, err := memory.Budget(m[1]); err != nil {
				t.Logf("left out: %s: %v", line, err)
				continue
			}
		}
		unused := slices.Equal(fresh, s.files(t))
		s.line(t, line, find(line))
		if unused && slices.Equal(fresh, s.files(t)) {
			done.Lock()
			done.have[line] = true
			done.Unlock()
		}
	}
}

// files returns the names of the files in the folder.
func (s session) files(t *testing.T) (all []string) {
	t.Helper()
	err := filepath.WalkDir(s.dir, func(path string, _ fs.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	require.NoError(t, err)
	return all
}

// line runs a line and checks its exit code.
func (s session) line(t *testing.T, line string, how running) {
	t.Helper()
	command, redirect, _ := strings.Cut(line, " > ")
	if how.add != "" {
		command += " " + how.add
	}
	if redirect != "" {
		command += " > " + redirect
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "exec "+command)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+s.home, "XDG_DATA_HOME="+s.home, "XDG_CACHE_HOME="+s.home, "TMPDIR="+s.home)
	said := &heard{first: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = said, said
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its exit code is checked
		close(ended)
	}()
	if how.stop != "" {
		s.await(how.stop, said, ended)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Errorf("%s ended by itself: %v", line, err)
		}
	}
	<-ended
	if code := cmd.ProcessState.ExitCode(); code != how.exit {
		t.Errorf("%s: exit code %d, want %d\n%s", command, code, how.exit, said.text.String())
	}
}

// await returns when a program has written what it is to be interrupted after, or has ended.
func (s session) await(stop string, said *heard, ended chan struct{}) {
	if stop == output {
		select {
		case <-said.first:
		case <-ended:
		}
		return
	}
	for {
		if info, err := os.Stat(filepath.Join(s.dir, stop)); err == nil && info.Size() > 0 {
			return
		}
		select {
		case <-ended:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// heard is what a program writes.
type heard struct {
	text  bytes.Buffer
	first chan struct{} // closed when something has been written
}

func (h *heard) Write(b []byte) (int, error) {
	if h.text.Len() == 0 {
		close(h.first)
	}
	return h.text.Write(b)
}
