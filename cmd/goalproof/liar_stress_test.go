//go:build stress && unix

package main

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/signature"
	"goalproof/joblevel"
	"goalproof/tables"
)

// askedOfLiars is a command of which a liar answers questions.
type askedOfLiars struct {
	clusterCommand
	wins *regexp.Regexp // what claims a win in what it prints or leaves; nil: nothing does
}

// askedCommands are the commands of which liars answer questions. Each asks more than ten.
var askedCommands = []askedOfLiars{
	{clusterCommand: clusterCommand{name: "verify", args: []string{"verify", "--nodes", "5000", "--json"}, input: "late.tsv", lines: 80, store: true}, wins: provedWithin},
	{clusterCommand: clusterCommand{name: "mine", args: []string{"mine", "--nodes", "2000", "--json"}, input: "games/archive-2026.tsv", lines: 2}, wins: mined},
	{clusterCommand: clusterCommand{name: "review", args: []string{"review", "--nodes", "30", "--win-in", "2", "--effort", "0", "--json"}, input: "games/archive-2026.tsv", lines: 12}, wins: provedAt},
	{clusterCommand: clusterCommand{name: "library review", args: []string{"library", "review", "DIR/games", "--nodes", "30", "--win-in", "2", "--effort", "0", "--json"}, input: "games/archive-2026.tsv", lines: 12,
		begin: func(t *testing.T, dir, input string) { importAll(t, filepath.Join(dir, "games"), input) },
		left:  func(t *testing.T, dir string) string { return reviewRows(t, filepath.Join(dir, "games")) }}, wins: provedAt},
	{clusterCommand: clusterCommand{name: "library mine", args: []string{"library", "mine", "DIR/games", "--nodes", "2000", "--json"}, input: "games/archive-2026.tsv", lines: 2,
		begin: func(t *testing.T, dir, input string) { importAll(t, filepath.Join(dir, "games"), input) },
		left:  func(t *testing.T, dir string) string { return minedRows(t, filepath.Join(dir, "games")) }}, wins: mined},
	{clusterCommand: clusterCommand{name: "solve", args: []string{"solve", "--quiet", "--threads", "1", "--win-in", "3", "DIR/position.txt"}, begin: lateEnding}, wins: regexp.MustCompile(`Proved.*`)},
	{clusterCommand: clusterCommand{name: "compose", args: []string{"compose", "--nodes", "5000", "--rounds", "5", "--json"}, input: "win-in-2/reduced"}, wins: mined},
	{clusterCommand: clusterCommand{name: "experiment", args: []string{"experiment", "--out", "DIR/out", "--nodes", "2000", "--grid", "algorithm=pns,dfpns", "--grid", "memory=16MiB"},
		input: "win-in-2/reduced", left: filesOf}, wins: regexp.MustCompile(`\\n\d+,[^\\]*,proved,\d+`)},
	{clusterCommand: clusterCommand{name: "learn", args: []string{"learn", "--out", "DIR/net", "--games", "40", "--nodes", "50", "--epochs", "1"}, left: filesOf}},
}

var (
	provedWithin = regexp.MustCompile(`"position":"[^"]*"|"verdict":"proved","least":\d+,"within":\d+`)
	provedAt     = regexp.MustCompile(`"position":"[^"]*","played":[^,]*,"win":\{"verdict":"proved","least":\d+,"within":\d+`)
	shutOut      = regexp.MustCompile(`worker (\w+) is shut out: (.*); \d+ of its answers`)
	secondsIn    = regexp.MustCompile(`"(seconds|time)":[^,}]*,?`)
	mined        = regexp.MustCompile(`"position":"[^"]*","claim":\d+`)
)

// lying is a way to lie.
type lying struct {
	name string
	lie  func(l *liar, a *liarsAnswerer, question, truth []byte) []byte // nil: it has no occasion
	late time.Duration                                                  // how long a lie takes
	once bool                                                           // the share does not matter
}

var lyings = []lying{
	{name: "win", lie: (*liar).win},
	{name: "no", lie: (*liar).no},
	{name: "fact", lie: (*liar).fact},
	{name: "malformed", lie: (*liar).malformed},
	{name: "slow", lie: (*liar).no, late: 2 * time.Second},
	{name: "silent", once: true},                                          // it never answers, and says that it does many things at a time
	{name: "late", lie: (*liar).truth, late: 2 * time.Second, once: true}, // all is true
}

// liar answers questions truthfully, but for one in every so many.
type liar struct {
	lying
	every int
	began chan struct{} // closed when it has told a lie, or keeps silent

	begin      sync.Once
	mu         sync.Mutex
	random     *rand.Rand
	wins, rest [][]byte // answers with the certificate of a win, and without one
	given      int
	due        int // lies that it has not had the occasion to tell
	told       int
	plain      int // lies told that deny the truth, as the kind compares answers
}

// kinds are those of the program, with lies.
func (l *liar) kinds() (all []cluster.Kind) {
	for _, k := range jobs.Kinds() {
		honest := k.Open
		k.Open = func(ctx context.Context, options []byte, room cluster.Room, inputs cluster.Inputs) (cluster.Answerer, error) {
			if l.lie == nil {
				return &liarsAnswerer{liar: l}, nil
			}
			a, err := honest(ctx, options, room, inputs)
			return &liarsAnswerer{a, l, k, options}, err
		}
		all = append(all, k)
	}
	return all
}

// liarsAnswerer answers the questions of a run, for a liar.
type liarsAnswerer struct {
	cluster.Answerer
	*liar
	kind    cluster.Kind
	options []byte
}

// Answer implements [cluster.Answerer].
func (a *liarsAnswerer) Answer(ctx context.Context, question []byte) ([]byte, error) {
	if a.lie == nil {
		a.begin.Do(func() { close(a.began) })
		<-ctx.Done()
		return nil, ctx.Err()
	}
	truth, err := a.Answerer.Answer(ctx, question)
	if err != nil {
		return nil, err
	}
	said := a.instead(a, question, truth)
	if said == nil {
		return truth, nil
	}
	select {
	case <-time.After(a.late):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	a.begin.Do(func() { close(a.began) })
	return said, nil
}

// instead returns what the liar says in place of a true answer, nil for that.
func (l *liar) instead(a *liarsAnswerer, question, truth []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.given++; l.given%l.every == 0 {
		l.due++
	}
	var said []byte
	if l.due > 0 {
		said = l.lie(l, a, question, truth)
	}
	if certified(truth) {
		l.wins = append(l.wins, truth)
	} else {
		l.rest = append(l.rest, truth)
	}
	if same := bytes.Equal(said, truth); said == nil || same && !l.once {
		return nil
	} else if !same {
		l.told++
	}
	if !agree(a.kind, question, truth, said) {
		l.plain++
	}
	l.due--
	return said
}

// agree reports whether two answers agree, as a coordinator does.
func agree(kind cluster.Kind, question, a, b []byte) bool {
	if kind.Common == nil {
		return bytes.Equal(a, b)
	}
	_, agree := kind.Common(question, a, b)
	return agree
}

// certified reports whether an answer has the certificate of a win.
func certified(answer []byte) bool { return bytes.Contains(unzip(answer), []byte(`\nclaim `)) }

// unzip returns the text of an answer, nil if it has none.
func unzip(answer []byte) []byte {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil
	}
	defer r.Close()
	text, err := r.DecodeAll(answer, nil)
	if err != nil {
		return nil
	}
	return text
}

// zip returns the answer with a text.
func zip(text []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil
	}
	defer w.Close()
	return w.EncodeAll(text, nil)
}

// win claims a win: that of another position where there is none, or one that nobody has found.
func (l *liar) win(a *liarsAnswerer, question, truth []byte) []byte {
	if a.kind.Name == "solve" {
		return winning(question)
	}
	if len(l.wins) > 0 && !certified(truth) {
		return l.wins[l.random.IntN(len(l.wins))]
	}
	if text := raised(unzip(truth)); text != nil {
		return zip(text)
	}
	return nil
}

// raised returns JSON that claims wins where there are none, and in fewer turns where there are
// some; nil if that is the same.
func raised(text []byte) []byte {
	var v any
	if json.Unmarshal(text, &v) != nil || !raise(v) {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return text
}

// raise raises the claims in decoded JSON, and reports whether it has changed any.
func raise(v any) (changed bool) {
	change := func(m map[string]any, k string, to any) { m[k], changed = to, true }
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			n, number := x.(float64)
			inner, text := x.(string)
			switch {
			case k == "Verdict" && number && n != 1:
				change(v, k, 1)
			case (k == "Within" || k == "Least") && number && n != 1:
				change(v, k, max(1, n-1))
			case k == "Review" && text:
				if r := raisedReview(inner); r != "" {
					change(v, k, r)
				}
			default:
				changed = raise(x) || changed
			}
		}
	case []any:
		for _, x := range v {
			changed = raise(x) || changed
		}
	}
	return changed
}

// raisedReview does that with a review as it travels; "" if that is the same.
func raisedReview(packed string) string {
	data, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return ""
	}
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(r)
	if text = raised(text); err != nil || text == nil {
		return ""
	}
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// winning answers that the first legal turn wins, without a certificate.
func winning(question []byte) []byte {
	var q joblevel.Question
	if json.Unmarshal(question, &q) != nil {
		return nil
	}
	p, err := arimaa.UnpackPosition(q.Position)
	if err != nil {
		return nil
	}
	var g arimaa.Generator
	g.Generate(&p)
	turn := g.Turn(0)
	a := map[string]any{"Win": turn.Code(), "Nodes": 1000, "Unproved": true, "Facts": map[string]any{}}
	if !q.Whole() {
		a["To"], a["Number"] = q.To, q.From
	}
	text, err := json.Marshal(a)
	if err != nil {
		return nil
	}
	return zip(text)
}

// fact adds the fact that the position of the question, or the one that is decided, is won in four.
func (l *liar) fact(a *liarsAnswerer, question, truth []byte) []byte {
	var q struct{ Position string }
	if a.kind.Name == "solve" {
		question = a.options
	}
	if json.Unmarshal(question, &q) != nil {
		return nil
	}
	p, err := notation.ParsePosition(q.Position)
	if err != nil {
		return nil
	}
	var answer map[string]any
	if json.Unmarshal(unzip(truth), &answer) != nil {
		return nil
	}
	var facts jobs.Facts
	if text, err := json.Marshal(answer["Facts"]); err != nil || json.Unmarshal(text, &facts) != nil {
		return nil
	}
	var g arimaa.Generator
	g.Generate(&p)
	turn := g.Turn(0)
	lie := jobs.Fact{Key: p.AppendPacked(nil), Fact: tables.Fact{ProvedWithin: 4, Turn: turn.Code()}}
	at, found := slices.BinarySearchFunc(facts.Facts, lie.Key, func(f jobs.Fact, key []byte) int { return bytes.Compare(f.Key, key) })
	if found && facts.Facts[at].ProvedWithin <= 4 {
		return nil
	}
	if found {
		facts.Facts = slices.Delete(facts.Facts, at, at+1)
	}
	facts.Facts = slices.Insert(facts.Facts, at, lie)
	answer["Facts"] = facts
	text, err := json.Marshal(answer)
	if err != nil {
		return nil
	}
	return zip(text)
}

// no answers with what was found of another position, without a win if there is such an answer.
func (l *liar) no(*liarsAnswerer, []byte, []byte) []byte {
	from := l.rest
	if len(from) == 0 {
		from = l.wins
	}
	if len(from) == 0 {
		return nil
	}
	return from[l.random.IntN(len(from))]
}

// truth tells none.
func (l *liar) truth(_ *liarsAnswerer, _, truth []byte) []byte { return truth }

// malformed answers with what is no answer.
func (l *liar) malformed(_ *liarsAnswerer, _, truth []byte) []byte {
	switch l.random.IntN(3) {
	case 0:
		return truth[:l.random.IntN(len(truth))]
	case 1:
		random := make([]byte, 1+l.random.IntN(100))
		for i := range random {
			random[i] = byte(l.random.Uint32())
		}
		return random
	}
	return []byte{}
}

// liarRun is a run in which a liar answers.
type liarRun struct {
	askedOfLiars
	lying
	every     int
	untrusted bool
}

func (r liarRun) String() string {
	trust := map[bool]string{false: "trusted", true: "untrusted"}[r.untrusted]
	return fmt.Sprintf("%s/%s/%d %%/%s", r.askedOfLiars.name, r.lying.name, 100/r.every, trust)
}

// liarRuns returns all runs of a command, or with few one or two of them.
func (c askedOfLiars) liarRuns(few []string) (runs []liarRun) {
	for _, how := range lyings {
		for _, every := range []int{10, 2, 1} {
			for _, untrusted := range []bool{false, true} {
				r := liarRun{c, how, every, untrusted}
				needless := every > 1 && (how.once || c.args[0] == "solve") || how.name == "win" && c.wins == nil ||
					how.name == "fact" && c.args[0] != "solve" && !c.store || how.name == "no" && c.args[0] == "solve" // there is no win
				if !needless && (boards.Deep || slices.Contains(few, r.String())) {
					runs = append(runs, r)
				}
			}
		}
	}
	return runs
}

// fewLiarRuns are those that are tried without the tag deep.
var fewLiarRuns = []string{
	"verify/win/10 %/trusted", "verify/no/100 %/untrusted", "mine/malformed/50 %/trusted", "review/no/50 %/untrusted",
	"library mine/malformed/100 %/untrusted", "solve/win/100 %/untrusted", "experiment/win/50 %/trusted", "learn/late/100 %/untrusted", "compose/silent/100 %/trusted",
}

// TestLiarAmongWorkers has one honest worker and one liar answer the questions of commands. The liar
// has lied before the honest worker is heard. Without trust all is as on one machine, and the liar is
// shut out. By default no win is printed or kept that is none, and who claims one, or answers with
// what is no answer, is shut out. With -v it prints the table of docs/cluster.md.
func TestLiarAmongWorkers(t *testing.T) {
	program := copyProgram(t)
	var mu sync.Mutex
	rows := map[string]string{}
	t.Cleanup(func() {
		var all strings.Builder
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			all.WriteString(rows[name] + "\n")
		}
		t.Logf("\n| command | lies | share | trust | found after | of these lies | by | false answers printed |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n%s", all.String())
	})
	for _, c := range askedCommands {
		runs := c.liarRuns(fewLiarRuns)
		if len(runs) == 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			input := c.inputOf(t)
			want := timeless(c.alone(t, program, input))
			f := newLiarFarm(t, program)
			for i, r := range runs {
				t.Run(r.String(), func(t *testing.T) {
					row := f.try(t, r, i, input, want)
					mu.Lock()
					defer mu.Unlock()
					rows[r.String()] = "| " + strings.ReplaceAll(r.String(), "/", " | ") + " | " + row + " |"
				})
			}
		})
	}
}

// liarFarm is a cluster with an honest worker, which is stopped while a liar is to be alone.
type liarFarm struct {
	*killable
	coordinator *cluster.Conn
}

func newLiarFarm(t *testing.T, program string) *liarFarm {
	t.Helper()
	f := &liarFarm{killable: newKillable(t, program, 1)}
	var err error
	f.coordinator, err = cluster.Connect(t.Context(), f.dir, "", nil)
	require.NoError(t, err)
	t.Cleanup(f.coordinator.Close)
	for start := time.Now(); !f.works("w1"); time.Sleep(100 * time.Millisecond) {
		if time.Since(start) > clusterLimit {
			t.Fatal("the honest worker does not begin")
		}
	}
	return f
}

// worker returns what the server knows of a worker.
func (f *liarFarm) worker(name string) (w cluster.Worker) {
	f.t.Helper()
	st, err := f.coordinator.Status(context.Background())
	require.NoError(f.t, err)
	for _, w := range st.Workers {
		if w.Name == name {
			return w
		}
	}
	return w
}

// works reports whether a worker is heard.
func (f *liarFarm) works(name string) bool { return len(f.worker(name).Alive) > 0 }

// liar has a liar work until the test ends or it is shut out.
func (f *liarFarm) liar(t *testing.T, l *liar, name string) {
	t.Helper()
	key, err := cluster.NewKey(name)
	require.NoError(t, err)
	require.NoError(t, f.coordinator.Add(t.Context(), key))
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, key.Write(file))
	c, err := cluster.Connect(t.Context(), f.dir, file, nil)
	require.NoError(t, err)
	slots := 1
	if l.lie == nil {
		slots = 64
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cluster.Work(ctx, c, cluster.WorkOptions{ // its key may be refused
			Room: cluster.Room{Slots: slots, Memory: 1 << 29}, Kinds: l.kinds(), Version: signature.Version(), Signature: signature.Of(),
			Inputs: cluster.NewStore(c, t.TempDir()), Say: func(string) {},
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		c.Close()
	})
}

// try has a liar answer, and returns what became of it for the table.
func (f *liarFarm) try(t *testing.T, r liarRun, number int, input string, want result) (row string) {
	l := &liar{lying: r.lying, every: r.every, began: make(chan struct{}), random: rand.New(rand.NewPCG(1, uint64(number)))}
	name := fmt.Sprint("liar", number)
	honest := f.processes["worker1"].Process
	require.NoError(t, honest.Signal(syscall.SIGSTOP))
	defer honest.Signal(syscall.SIGCONT)
	f.liar(t, l, name)
	dir, more := r.prepared(t, input), []string{"--cluster", f.dir, "--run", filepath.Join(t.TempDir(), "run")}
	if r.untrusted {
		more = append(more, "--untrusted")
	}
	facts := filepath.Join(t.TempDir(), "facts")
	start := time.Now()
	asking := f.ask(r.line(dir, input, r.withStore(facts, more)...)...)
	select {
	case <-l.began:
	case <-asking.ended:
		t.Errorf("the liar had no occasion to lie:\n%s", asking.err.String())
	case <-time.After(clusterLimit):
		t.Errorf("the liar had no occasion to lie in %v", clusterLimit)
	}
	require.NoError(t, honest.Signal(syscall.SIGCONT))
	got := f.ended(t, r, asking, dir, facts)
	took := time.Since(start)
	given, told, plain := l.counts()
	why := ""
	if m := shutOut.FindStringSubmatch(asking.err.String()); m != nil && m[1] == name {
		why = m[2]
	}
	if revoked := f.worker(name).Revoked; revoked != (why != "") {
		t.Errorf("shut out: %q, and its key is revoked: %v", why, revoked)
	}
	t.Logf("%v: %d answers, %d lies, exit code %d, %v; shut out: %s", r, given, told, got.code, took.Round(time.Millisecond), why)
	// Nobody looks at an answer that comes when others have answered.
	certain := r.late == 0 && (r.untrusted || r.lying.name == "win" || r.lying.name == "malformed")
	if certain && plain > 0 && why == "" {
		t.Error("the liar is not shut out")
	}
	printed := "none"
	n := differing(got, want)
	believed := !r.untrusted && plain > 0
	switch {
	case believed && got.code == cli.Internal: // it says that it has printed lies
		printed = fmt.Sprintf("%d lines, exit code 5", n)
		r.noFalseWin(t, got, want, facts)
		require.NoError(t, os.RemoveAll(dir)) // the run belongs to the arguments
		require.NoError(t, os.Mkdir(dir, 0o777))
		if r.begin != nil {
			r.begin(t, dir, input)
		}
		facts = filepath.Join(t.TempDir(), "facts")
		f.ended(t, r, f.ask(r.line(dir, input, r.withStore(facts, more)...)...), dir, facts).compare(t, want)
	case believed && why == "":
		if n > 0 {
			printed = fmt.Sprintf("%d lines", n)
		}
		r.noFalseWin(t, got, want, facts)
	default:
		got.compare(t, want)
	}
	return fmt.Sprintf("%s | %s", found(given, told, why), printed)
}

// counts returns how many answers the liar has given, and how many of them are lies, and plain ones.
func (l *liar) counts() (given, told, plain int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.given, l.told, l.plain
}

// found says in the table why a liar was shut out, if it was.
func found(given, told int, why string) string {
	switch {
	case why == "":
		return fmt.Sprintf("not found, %d | %d | ", given, told)
	case strings.Contains(why, "not the one that the coordinator finds"):
		return fmt.Sprintf("%d | %d | comparison", given, told)
	}
	return fmt.Sprintf("%d | %d | form", given, told)
}

// withStore adds a store, if the command has one.
func (c clusterCommand) withStore(facts string, more []string) []string {
	if !c.store {
		return more
	}
	return append(slices.Clone(more), "--store", facts)
}

// ended waits for the end of a command, and returns what it leaves.
func (f *liarFarm) ended(t *testing.T, r liarRun, a *asking, dir, facts string) result {
	t.Helper()
	if !a.over(3 * clusterLimit) {
		_ = a.cmd.Process.Kill()
		<-a.ended
		t.Fatalf("the run does not end; so far:\n%s%s", a.out.String(), a.err.String())
	}
	got := timeless(r.result(t, a.code(), a.out.String(), dir))
	if r.store {
		got.facts = factsOf(t, facts)
	}
	return got
}

// timeless returns a result without times in JSON.
func timeless(r result) result {
	r.out = secondsIn.ReplaceAllString(r.out, "")
	return r
}

// differing returns how many lines of two results differ.
func differing(a, b result) (n int) {
	there := map[string]int{}
	for line := range strings.Lines(b.out + b.left) {
		there[line]++
	}
	for line := range strings.Lines(a.out + a.left) {
		if there[line]--; there[line] < 0 {
			n++
		}
	}
	return n
}

// noFalseWin checks that a result claims no win that is none: those of one machine are some. Facts of
// workers that are trusted are believed.
func (r liarRun) noFalseWin(t *testing.T, got, want result, facts string) {
	t.Helper()
	if r.wins != nil {
		proved := r.claimed(want)
		for claim := range r.claimed(got) {
			if !proved[claim] {
				t.Errorf("a win is claimed that is none: %s", claim)
			}
		}
	}
	if r.store && r.lying.name != "fact" {
		if code, out, errors := said(t, "store", "verify", "--sample", "200", facts); code != cli.Holds {
			t.Errorf("store verify: %d\n%s%s", code, out, errors)
		}
	}
}

// claimed returns the claims of wins in a result, each after the position before it.
func (c askedOfLiars) claimed(r result) map[string]bool {
	all, position := map[string]bool{}, ""
	for _, claim := range c.wins.FindAllString(r.out+r.left, -1) {
		if c.wins == provedWithin && strings.HasPrefix(claim, `"position"`) {
			position = claim
		} else {
			all[position+claim] = true
		}
	}
	return all
}
