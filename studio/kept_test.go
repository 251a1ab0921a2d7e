package studio_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// keptOf is the answer to a request that keeps what a job has written.
type keptOf struct{ Name, Version, Kind string }

// keep keeps what a job has written.
func (c *client) keep(id string, body map[string]any) keptOf {
	c.Helper()
	return ask[keptOf](c, "POST", "/api/jobs/"+id+"/keep", body)
}

// text reads a file.
func (c *client) text(path string) string {
	c.Helper()
	status, text, h := c.do(c.request("GET", path, nil))
	if status != 200 || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment; filename=") {
		c.Fatalf("%s: %d %v %.200s", path, status, h, text)
	}
	return text
}

// nameTaken sends a request that makes a new file under a name that another one has.
func (c *client) nameTaken(path, what string, body map[string]any) {
	c.Helper()
	if status, text, _ := c.do(c.request("POST", path, body)); status != 409 || !strings.Contains(text, `"code":"changed"`) ||
		!strings.Contains(text, "another "+what+" has been saved as") {
		c.Errorf("%s %+v: %d %s", path, body, status, text)
	}
}

// keptFileOf is a certificate or a run in a list.
type keptFileOf struct {
	Name, Version   string
	Bytes           int
	Changed         time.Time
	Claim, Position string
}

// listOf lists the files of a kind.
func listOf(c *client, kind string) []keptFileOf {
	c.Helper()
	var all []keptFileOf
	require.NoError(c, json.Unmarshal(ask[map[string]json.RawMessage](c, "GET", "/api/"+kind, nil)[kind], &all))
	return all
}

// oneMove is a certificate in form and in truth.
const oneMove = "goalproof certificate 4\nclaim 1\ngoal rabbit=2\n1 g [            r                      E                    R       ] Ra1n\n"

// TestKeptCertificate keeps a certificate, lists, reads, checks, renames and deletes it.
func TestKeptCertificate(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	two := study(t, "win-in-2.txt")
	job := c.ended(task{Kind: "certificate", Study: two, Seconds: 300})
	written := c.text("/api/jobs/" + job.ID + "/certificate")
	kept := c.keep(job.ID, map[string]any{"name": "two turns"})
	same(t, "kept", keptOf{"two turns", kept.Version, "certificates"}, kept)
	if text, err := root.ReadFile("two turns.proof"); err != nil || string(text) != written {
		t.Errorf("the file has %.100q, %v", text, err)
	}
	same(t, "read", written, c.text("/api/certificates/two%20turns"))
	list := listOf(c, "certificates")
	if len(list) != 1 || list[0].Changed.IsZero() {
		t.Fatalf("%+v", list)
	}
	same(t, "listed", keptFileOf{"two turns", kept.Version, len(written), list[0].Changed, "gold wins in 2 turns", two.Position}, list[0])

	checked := c.ended(task{Kind: "check", Certificate: "two turns", Seconds: 300})
	if r := checked.Result; r == nil || r.Verdict != "accepted" || r.Says != "Accepted: gold wins in 2 turns." || checked.Label != "two turns" {
		t.Errorf("%+v", checked)
	}
	// No file is replaced.
	c.nameTaken("/api/jobs/"+job.ID+"/keep", "certificate", map[string]any{"name": "two turns"})
	for _, want := range []string{"two turns 2", "two turns 3"} {
		if again := c.keep(job.ID, map[string]any{"suggest": "two turns!"}); again.Name != want {
			t.Errorf("%+v, want %q", again, want)
		}
	}
	if kept := c.keep(job.ID, map[string]any{}); kept.Name != "Certificate" {
		t.Errorf("%+v", kept)
	}
	c.isChanged("/api/certificates/two%20turns/rename", map[string]any{"to": "mine", "version": "x"})
	c.refusedFor(422, "another certificate has been saved", "POST", "/api/certificates/two%20turns/rename", map[string]any{"to": "Certificate", "version": kept.Version})
	same(t, "renamed", keptGame{Name: "mine", Version: kept.Version}, ask[keptGame](c, "POST", "/api/certificates/two%20turns/rename", map[string]any{"to": "mine", "version": kept.Version}))
	c.refusedFor(404, "no certificate of this name", "GET", "/api/certificates/two%20turns", nil)
	c.refusedFor(404, "no certificate of this name", "POST", "/api/jobs", task{Kind: "check", Certificate: "two turns"})
	same(t, "read", written, c.text("/api/certificates/mine"))
	ask[struct{}](c, "DELETE", "/api/certificates/mine", nil)
	c.refusedFor(404, "no certificate of this name", "DELETE", "/api/certificates/mine", nil)
	if n := len(listOf(c, "certificates")); n != 3 {
		t.Errorf("%d certificates", n)
	}
}

// TestKeptRun keeps the runs of a set and of games, and compares a set with a run.
func TestKeptRun(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	id, run := earlierRun(t, c)
	kept := c.keep(id, map[string]any{"suggest": "a set.txt"})
	same(t, "kept", keptOf{"a set txt", kept.Version, "runs"}, kept)
	written := c.text("/api/runs/a%20set%20txt")
	same(t, "as it is exported", c.text("/api/jobs/"+id+"/export?form=json"), written)
	if text, err := root.ReadFile("a set txt.jsonl"); err != nil || string(text) != written {
		t.Errorf("the file has %.100q, %v", text, err)
	}
	if list := listOf(c, "runs"); len(list) != 1 || list[0].Name != kept.Name || list[0].Version != kept.Version || list[0].Bytes != len(written) {
		t.Errorf("%+v", list)
	}
	compare := func(body map[string]any) studio.Comparison {
		t.Helper()
		return ask[studio.Comparison](c, "POST", "/api/jobs/"+id+"/compare", body)
	}
	unchanged := studio.Comparison{Compared: 4, Changed: []studio.Change{}, Says: "4 puzzles compared, 0 changed."}
	same(t, "with itself", unchanged, compare(map[string]any{"run": kept.Name}))
	run[2]["verdict"] = "unknown"
	require.NoError(t, root.WriteFile("by hand.jsonl", []byte(lines(t, run)), 0o666))
	same(t, "with another", compare(map[string]any{"text": lines(t, run)}), compare(map[string]any{"run": "by hand"}))
	if got := compare(map[string]any{"run": "by hand"}).Changed; len(got) != 1 || got[0].Puzzle != 2 {
		t.Errorf("%+v", got)
	}
	c.nameTaken("/api/jobs/"+id+"/keep", "run", map[string]any{"name": "by hand"})
	c.refusedFor(422, "or a run of the workspace", "POST", "/api/jobs/"+id+"/compare", map[string]any{"run": kept.Name, "text": written})
	ask[keptGame](c, "POST", "/api/runs/a%20set%20txt/rename", map[string]any{"to": "mine", "version": kept.Version})
	c.refusedFor(404, "no run of this name", "POST", "/api/jobs/"+id+"/compare", map[string]any{"run": kept.Name})
	same(t, "renamed", unchanged, compare(map[string]any{"run": "mine"}))
	ask[struct{}](c, "DELETE", "/api/runs/mine", nil)
	c.refusedFor(404, "no run of this name", "GET", "/api/runs/mine", nil)

	// What was mined is a run, too, which a set can be compared with.
	mined := c.ended(task{Kind: "mine", Text: study(t, "win-in-2.txt").Position, Seconds: 300})
	if kept := c.keep(mined.ID, map[string]any{}); kept.Name != "Run" || kept.Kind != "runs" {
		t.Errorf("%+v", kept)
	}
	if got := compare(map[string]any{"run": "Run"}); got.Compared != 1 || got.New != 3 || len(got.Changed) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestNothingKept asks for what cannot be kept.
func TestNothingKept(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	set := comparedSet(t)
	keep := func(id string) string { return "/api/jobs/" + id + "/keep" }
	solved := c.ended(task{Kind: "solve", Study: study(t, "goal-in-1-step.txt"), WinIn: 1})
	c.refusedFor(404, "nothing to keep", "POST", keep(solved.ID), map[string]any{"name": "x"})
	unproved := c.ended(task{Kind: "certificate", Study: endlessTask.Study, WinIn: 9, Seconds: 0.1})
	c.refusedFor(404, "written no certificate", "POST", keep(unproved.ID), map[string]any{"name": "x"})
	for _, id := range []string{"none", "..%2f" + solved.ID, solved.ID + "0"} {
		c.refusedFor(404, "no such job", "POST", keep(id), map[string]any{"name": "x"})
	}
	blocks := c.begin(endlessTask)
	until(t, "running", func() bool { return c.job(blocks.ID).State == "running" })
	waits := c.begin(task{Kind: "verify", Text: set})
	c.refusedFor(422, "keep its run at the end", "POST", keep(waits.ID), map[string]any{"name": "x"})
	c.stop(waits.ID)
	c.stop(blocks.ID)
	c.end(waits.ID)
	c.refusedFor(404, "nothing to export, compare or keep", "POST", keep(waits.ID), map[string]any{"name": "x"})
	if names := entries(t, root); len(names) > 0 {
		t.Errorf("the workspace has %q", names)
	}

	without := start(t, studio.Options{})
	job := without.ended(task{Kind: "certificate", Study: study(t, "win-in-2.txt"), Seconds: 300})
	id, _ := earlierRun(t, without)
	for path, body := range map[string]any{
		"POST " + keep(job.ID): map[string]any{"name": "x"}, "POST " + keep(id): map[string]any{"suggest": "x"},
		"GET /api/certificates": nil, "GET /api/certificates/x": nil, "DELETE /api/certificates/x": nil, "POST /api/certificates/x/rename": map[string]any{"to": "y"},
		"GET /api/runs": nil, "GET /api/runs/x": nil, "DELETE /api/runs/x": nil, "POST /api/runs/x/rename": map[string]any{"to": "y"},
		"POST /api/jobs": task{Kind: "check", Certificate: "x"}, "POST /api/jobs/" + id + "/compare": map[string]any{"run": "x"},
	} {
		method, path, _ := strings.Cut(path, " ")
		without.refusedFor(422, "--workspace", method, path, body)
	}
}

// entries returns the names of all files in a workspace, hidden ones too.
func entries(t *testing.T, root *os.Root) (names []string) {
	t.Helper()
	all, err := os.ReadDir(root.Name())
	require.NoError(t, err)
	for _, e := range all {
		names = append(names, e.Name())
	}
	return names
}

// TestKeptNames asks for certificates and runs by names that lead elsewhere: nothing outside of the
// workspace is read or written.
func TestKeptNames(t *testing.T) {
	outer := workspace(t)
	inside := filepath.Join(outer.Name(), "inside")
	require.NoError(t, os.Mkdir(inside, 0o777))
	root, err := os.OpenRoot(inside)
	require.NoError(t, err)
	defer root.Close()
	c := start(t, studio.Options{Workspace: root})
	job := c.ended(task{Kind: "certificate", Study: study(t, "goal-in-1-step.txt"), WinIn: 1})
	id, run := earlierRun(t, c)
	texts := map[string]string{".proof": oneMove, ".jsonl": lines(t, run)}
	for suffix, text := range texts {
		require.NoError(t, outer.WriteFile("outside"+suffix, []byte(text), 0o666))
		require.NoError(t, root.WriteFile("fine"+suffix, []byte(text), 0o666))
		require.NoError(t, root.WriteFile(".hidden"+suffix, []byte(text), 0o666))
		require.NoError(t, root.Mkdir("directory"+suffix, 0o777))
		require.NoError(t, os.Symlink("../outside"+suffix, filepath.Join(inside, "link"+suffix)))
	}
	before := entries(t, root)
	for _, name := range []string{"../outside", "..", ".", "/outside", "inside/../fine", "a/b", `..\outside`, "fine\x00", ".hidden", "é", "C:fine", strings.Repeat("a", 65),
		"<img src=x>", filepath.Join(outer.Name(), "outside")} {
		const want = "begins with a letter"
		c.refusedFor(422, want, "POST", "/api/jobs/"+job.ID+"/keep", map[string]any{"name": name})
		c.refusedFor(422, want, "POST", "/api/jobs/"+id+"/keep", map[string]any{"name": name})
		c.refusedFor(422, want, "POST", "/api/jobs", task{Kind: "check", Certificate: name})
		c.refusedFor(422, want, "POST", "/api/jobs/"+id+"/compare", map[string]any{"run": name})
		for _, kind := range []string{"certificates", "runs"} {
			version := listOf(c, kind)[0].Version
			c.refusedFor(422, want, "POST", "/api/"+kind+"/fine/rename", map[string]any{"to": name, "version": version})
		}
	}
	for _, name := range []string{"link", "directory"} {
		c.refusedFor(422, "no plain file", "POST", "/api/jobs/"+job.ID+"/keep", map[string]any{"name": name})
		c.refusedFor(422, "no plain file", "POST", "/api/jobs/"+id+"/keep", map[string]any{"name": name})
		c.refusedFor(422, "no plain file", "POST", "/api/jobs", task{Kind: "check", Certificate: name})
		c.refusedFor(422, "no plain file", "POST", "/api/jobs/"+id+"/compare", map[string]any{"run": name})
	}
	for _, kind := range []string{"certificates", "runs"} {
		for name, want := range map[string]string{"..%2foutside": "begins with a letter", ".hidden": "begins with a letter", "%00": "begins with a letter",
			"link": "no plain file", "directory": "no plain file", "none": "of this name"} {
			c.refusedFor(0, want, "GET", "/api/"+kind+"/"+name, nil)
			c.refusedFor(0, want, "DELETE", "/api/"+kind+"/"+name, nil)
			c.refusedFor(0, want, "POST", "/api/"+kind+"/"+name+"/rename", map[string]any{"to": "x"})
		}
		if list := listOf(c, kind); len(list) != 1 || list[0].Name != "fine" {
			t.Errorf("%s: %+v", kind, list)
		}
	}
	same(t, "the files", before, entries(t, root))
	for suffix, want := range texts {
		for in, name := range map[*os.Root]string{outer: "outside" + suffix, root: "fine" + suffix} {
			if text, err := in.ReadFile(name); err != nil || string(text) != want {
				t.Errorf("%s has %.100q, %v", name, text, err)
			}
		}
	}
}

// TestDamagedKept checks certificates and compares runs that are damaged, too long, or not what was
// asked about. They stay as they are.
func TestDamagedKept(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, root.WriteFile(name, []byte(text), 0o666))
	}
	texts := map[string]string{"empty": "", "cut": oneMove[:len(oneMove)-4], "other": "Ra5 rh7 ed4 g\n", "false": strings.Replace(oneMove, "Ra1n", "Ra1e", 1), "zeros": strings.Repeat("\x00", 1<<20)}
	for name, want := range map[string]string{"empty": "empty.proof: no certificate", "cut": "cut.proof:4: the text ends within a line", "other": "other.proof:1: no certificate",
		"zeros": "zeros.proof:1: the line is longer", "false": ""} {
		write(name+".proof", texts[name])
		job := c.ended(task{Kind: "check", Certificate: name})
		switch {
		case want == "" && (job.Result == nil || job.Result.Verdict != "rejected"):
			t.Errorf("%s: %+v", name, job)
		case want != "" && (job.State != "failed" || !strings.HasPrefix(*job.Error, want)):
			t.Errorf("%s: %+v, want %q", name, job.Brief, want)
		}
		same(t, name, texts[name], c.text("/api/certificates/"+name))
	}
	long := func(name string, bytes int64) {
		t.Helper()
		f, err := root.Create(name)
		require.NoError(t, err)
		defer f.Close()
		require.NoError(t, f.Truncate(bytes)) // which takes no room on the disk
	}
	long("long.proof", 64<<20+1)
	long("large.proof", 20<<20)
	c.refusedFor(422, "long.proof has more than 67108864 bytes", "POST", "/api/jobs", task{Kind: "check", Certificate: "long"})
	c.refusedFor(422, "needs 120 MiB of memory", "POST", "/api/jobs", task{Kind: "check", Certificate: "large"})
	c.refusedFor(422, "or a certificate of the workspace", "POST", "/api/jobs", task{Kind: "check", Certificate: "false", Text: oneMove})

	// A file that changes while its check waits.
	write("mine.proof", oneMove)
	blocks := c.begin(endlessTask)
	changed := c.begin(task{Kind: "check", Certificate: "mine"})
	gone := c.begin(task{Kind: "check", Certificate: "false"})
	write("mine.proof", oneMove+"# another\n")
	require.NoError(t, root.Remove("false.proof"))
	c.stop(blocks.ID)
	for id, want := range map[string]string{changed.ID: `the certificate "mine" has been changed since its check was asked for`, gone.ID: "no certificate of this name"} {
		if job, _ := c.end(id); job.State != "failed" || !strings.Contains(*job.Error, want) {
			t.Errorf("%+v, want %q", job.Brief, want)
		}
	}

	id, run := earlierRun(t, c)
	first := lines(t, run[:1])
	for name, of := range map[string][2]string{"empty": {"", "empty.jsonl: the earlier run is empty"}, "cut": {first + "{", "cut.jsonl: object 2: "},
		"other": {oneMove, "other.jsonl: object 1: "}, "future": {`{"schema": 99}`, "future.jsonl: object 1: its schema is 99"}} {
		write(name+".jsonl", of[0])
		c.refusedFor(422, of[1], "POST", "/api/jobs/"+id+"/compare", map[string]any{"run": name})
		same(t, name, of[0], c.text("/api/runs/"+name))
	}
	long("long.jsonl", 64<<20+1)
	c.refusedFor(422, "long.jsonl has more than 67108864 bytes", "POST", "/api/jobs/"+id+"/compare", map[string]any{"run": "long"})
}

// TestClaims lists certificates of every form with what their beginnings claim.
func TestClaims(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	const at = "s [        R                      r                       E        ]"
	refuted := "goalproof refutation 1\nclaim no win in 2\n" + study(t, "no-win-in-2.txt").Position + "\n"
	for text, want := range map[string][2]string{
		oneMove: {"gold brings a rabbit to rank 2 or wins in 1 turn", "g [            r                      E                    R       ]"},
		"goalproof certificate 3\nclaim lost 1\n1 " + at + "\n+ Ra7n\n": {"silver, to move, loses in 1 turn", at},
		"goalproof certificate 2\nclaim 1\ngame " + at + "\nturn rh5s\n1 g [        R                              r               E        ] Ra7n\n": {"gold wins in 1 turn after a game of 1 turn",
			"g [        R                              r               E        ]"},
		oneMove + strings.Repeat("# a comment\n", 1<<20) + "damaged far behind": {"gold brings a rabbit to rank 2 or wins in 1 turn", "g [            r                      E                    R       ]"},
		oneMove[:60]: {},
		oneMove[1:]:  {},
		"":           {},
		strings.Repeat("# a comment\n", 1000) + oneMove: {},
		"\x00\xff\n":         {},
		refuted:              {"gold has no win in 2 turns (the third repetition set aside)", study(t, "no-win-in-2.txt").Position},
		refuted + "- Ra1n\n": {"gold has no win in 2 turns (the third repetition set aside)", study(t, "no-win-in-2.txt").Position},
	} {
		require.NoError(t, root.WriteFile("mine.proof", []byte(text), 0o666))
		if list := listOf(c, "certificates"); len(list) != 1 || list[0].Claim != want[0] || list[0].Position != want[1] {
			t.Errorf("%.200q: %+v, want %q", text, list, want)
		}
	}
}

// TestLargeKept keeps certificates and runs in a workspace with files of almost a gibibyte.
func TestLargeKept(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	certificate := c.ended(task{Kind: "certificate", Study: study(t, "goal-in-1-step.txt"), WinIn: 1}).ID
	run := c.ended(task{Kind: "verify", Text: study(t, "goal-in-1-step.txt").Position, Claim: 1}).ID
	for id, file := range map[string]string{certificate: "large.proof", run: "large.jsonl"} {
		f, err := root.Create(file)
		require.NoError(t, err)
		defer f.Close()
		kept := c.keep(id, map[string]any{"name": "one"})
		info, err := root.Stat("one" + filepath.Ext(file))
		require.NoError(t, err)
		require.NoError(t, f.Truncate(1<<30-2*info.Size()+1)) // which takes no room on the disk
		const full = `more than 1,073,741,824 bytes: delete some of them first, such as "`
		c.refusedFor(422, full, "POST", "/api/jobs/"+id+"/keep", map[string]any{"name": "two"})
		c.refusedFor(422, full, "POST", "/api/jobs/"+id+"/keep", map[string]any{"suggest": "two"})
		ask[struct{}](c, "DELETE", "/api/"+kept.Kind+"/one", nil)
		c.keep(id, map[string]any{"name": "two"})
	}
}
