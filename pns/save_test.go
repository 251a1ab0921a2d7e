package pns

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"

	"github.com/google/go-cmp/cmp"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// stopped searches until this number of nodes has been made, and returns the verdict so far.
func stopped(t testing.TB, s *Solver, q Question, nodes uint64) answer.Verdict {
	t.Helper()
	s.begin(q)
	if turn := s.startTree(); turn.Len() > 0 {
		t.Fatal("the question is too easy")
	}
	for root := s.slab.at(s.root); !root.solved() && s.Nodes() < nodes; {
		s.expand(s.mostProving())
	}
	return Node{s, s.root}.Verdict()
}

// saved returns what Save writes.
func saved(t testing.TB, s *Solver) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, s.Save(&b))
	return b.Bytes()
}

// there returns a short game from a position and back to it.
func there(t testing.TB, p arimaa.Position) *arimaa.Game {
	t.Helper()
	g := arimaa.NewGame(p, 5)
	for i := 0; i < 4; i++ {
		at := g.Last()
		options := at.Options(nil)
		step := options[0]
		if i >= 2 { // back by the step the other way
			last := g.Turn(i - 2).Step(0)
			for _, o := range options {
				if o.Steps() == 1 && o.First().From() == last.To() && o.First().To() == last.From() {
					step = o
				}
			}
		}
		require.NoError(t, g.Play(arimaa.Turn{}.WithOption(step)))
	}
	return g
}

// TestSaveAndResume stops searches at several points, saves and loads them, by parameters the same
// and others, and continues: the verdict is that of a search that nothing stopped. A graph that is
// saved, loaded and saved again is the same to the byte.
func TestSaveAndResume(t *testing.T) {
	first, second := fresh(t, 64), fresh(t, 32)
	went := 0
	for i, f := range quick() {
		q := Question{Position: boards.Parse(t, f.board), N: f.n}
		for j, v := range variants {
			if (i+j)%6 != 0 && (!boards.Large || (i+j)%3 != 0) { // each with some
				continue
			}
			require.NoError(t, first.Tune(v.parameters))
			if stopped(t, first, q, []uint64{1, 300, 9_000}[j%3]) != answer.Unknown {
				continue
			}
			file := saved(t, first)
			got, err := second.Load(bytes.NewReader(file))
			if err != nil {
				t.Fatalf("%s, %s: %v", f.name, v.name, err)
			}
			if got != q || second.parameters != v.parameters || second.Nodes() != first.Nodes() {
				t.Errorf("%s, %s: %+v by %+v with %d nodes is loaded", f.name, v.name, got, second.parameters, second.Nodes())
			}
			checkTree(t, second)
			if !bytes.Equal(saved(t, second), file) {
				t.Errorf("%s, %s: it is saved another way the second time", f.name, v.name)
			}
			other := variants[(j+1+i%2)%len(variants)].parameters
			require.NoError(t, second.Tune(other))
			before := second.Nodes()
			if r := second.Continue(context.Background()); r.Verdict != f.verdict || r.Nodes <= before {
				t.Errorf("%s, %s and then %+v: %+v after %d nodes", f.name, v.name, other, r, before)
			}
			went++
		}
	}
	if went < 5 {
		t.Errorf("only %d searches went on", went)
	}
}

// TestSaveInterrupted saves a search that its context has stopped, in the middle of an expansion
// perhaps, and continues.
func TestSaveInterrupted(t *testing.T) {
	f := fixed[3]
	q := Question{Position: boards.Parse(t, f.board), N: f.n}
	s := fresh(t, 64)
	went := 0
	for i := range 8 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*time.Millisecond)
		r := s.Solve(ctx, q)
		cancel()
		if r.Verdict != answer.Unknown {
			continue
		}
		if _, err := s.Load(bytes.NewReader(saved(t, s))); err != nil {
			t.Fatal(err)
		}
		checkTree(t, s)
		if i%5 == 0 {
			if r := s.Continue(context.Background()); r.Verdict != f.verdict {
				t.Errorf("stopped after %d ms: %+v", i, r)
			}
		}
		went++
	}
	if went == 0 {
		t.Error("no search was stopped")
	}
}

// stopper is a judge that stops the search at one of its judgments.
type stopper struct {
	evaluator
	s    *Solver
	left int
}

func (j *stopper) count() {
	if j.left--; j.left == 0 {
		j.s.stop.Store(true)
	}
}

func (j *stopper) afterAttack(p *arimaa.Position, turns int, l line) answer.Verdict {
	j.count()
	return j.evaluator.afterAttack(p, turns, l)
}

func (j *stopper) afterReply(p *arimaa.Position, turns int, l line) answer.Verdict {
	j.count()
	return j.evaluator.afterReply(p, turns, l)
}

// TestStopInExpansion stops searches in the middle of an expansion. A node whose options are not
// all there is listed again: none that counts as expanded lacks one.
func TestStopInExpansion(t *testing.T) {
	f := fixed[3]
	s := fresh(t, 64)
	evaluator := s.evaluator
	for i := 1; i < 3_000; i += 1 + i/10 {
		s.evaluator = &stopper{evaluator, s, i}
		if r := ask(s, Question{Position: boards.Parse(t, f.board), N: f.n}); r.Stop != answer.Interrupted {
			t.Fatalf("stopped at answer.Verdict %d: %+v", i, r)
		}
		checkTree(t, s)
		for _, n := range reachable(s) {
			if !n.is(expanded) || n.solved() {
				continue
			}
			p := s.position(&n)
			for _, o := range p.Options(nil) {
				after := p.After(o)
				if s.index.find(&s.slab, n.turn, &after.Board, after.PiecesKey()) == 0 {
					t.Fatalf("stopped at answer.Verdict %d: %v is not listed at an expanded node", i, o)
				}
			}
		}
	}
}

// TestSaveWithGame saves questions with a history: it counts after loading.
func TestSaveWithGame(t *testing.T) {
	s := fresh(t, 16)
	for _, tt := range []struct {
		name  string
		game  *arimaa.Game
		twice int
		want  answer.Verdict
	}{
		{"a win by repetition alone", arimaa.NewGame(drawn(t, arimaa.Gold, forcedReturn), 0), 0, answer.Proved},
		{"a position that stands for the second time", there(t, boards.Parse(t, fixed[0].board)), 1, fixed[0].verdict},
	} {
		q := Question{Position: tt.game.Last(), N: 2, Game: tt.game}
		stopped(t, s, q, 1)
		got, err := s.Load(bytes.NewReader(saved(t, s)))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if got.Position != q.Position || got.Game == nil || len(s.history.twice) != tt.twice {
			t.Errorf("%s: %+v is loaded, %d positions occurred twice", tt.name, got, len(s.history.twice))
			continue
		}
		if diff := cmp.Diff(notation.Turns(tt.game), notation.Turns(got.Game)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		if r := s.Continue(context.Background()); r.Verdict != tt.want {
			t.Errorf("%s: %v", tt.name, r.Verdict)
		}
	}
}

// TestDamagedFiles loads files in which a byte is changed, or that end too early or too late, and
// files of other kinds: they are refused, and nothing is loaded.
func TestDamagedFiles(t *testing.T) {
	s := fresh(t, 8)
	f := fixed[0]
	stopped(t, s, Question{Position: boards.Parse(t, f.board), N: f.n}, 1_000)
	file := saved(t, s)
	refused := func(name string, data []byte, want string) {
		t.Helper()
		_, err := s.Load(bytes.NewReader(data))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("%s: %v, want an error with %q", name, err, want)
		}
		if _, err := s.Root(); err == nil {
			t.Fatalf("%s: something is loaded", name)
		}
		if s.Save(&bytes.Buffer{}) == nil {
			t.Fatalf("%s: something is saved", name)
		}
	}
	for i := len(saveHeader); i < len(file); i += 1 + i/200 {
		for _, bit := range []byte{1, 0x80} {
			bad := bytes.Clone(file)
			bad[i] ^= bit
			refused("a byte is changed", bad, "damaged")
		}
		refused("cut off", file[:i], "damaged")
	}
	refused("more behind the end", append(bytes.Clone(file), 0), "damaged")
	refused("empty", nil, "no saved search")
	refused("a text", []byte(strings.Repeat("g [                ]\n", 20)), "no saved search")
	for _, version := range []string{"1", "3"} {
		other := append([]byte("goalproof pns "+version+"\n"), file[len(saveHeader):]...)
		refused("another version", other, "a saved search of version "+version+"; this program reads version 2: start it anew")
	}
	large := fresh(t, 64)
	stopped(t, large, Question{Position: boards.Parse(t, long), N: 3}, 100_000)
	_, err := s.Load(bytes.NewReader(saved(t, large)))
	if err == nil || errors.Is(err, errDamaged) || !strings.Contains(err.Error(), "memory") {
		t.Errorf("a graph that does not fit: %v", err)
	}
	if _, err := s.Load(bytes.NewReader(file)); err != nil {
		t.Errorf("the file as it was: %v", err)
	}
}

// TestNumber keeps the number of the turn in a saved search.
func TestNumber(t *testing.T) {
	s := fresh(t, 8)
	q := Question{Position: boards.Parse(t, fixed[0].board), N: fixed[0].n, Number: 300}
	stopped(t, s, q, 1_000)
	if got, err := s.Load(bytes.NewReader(saved(t, s))); err != nil || got != q {
		t.Errorf("%+v (%v), want %+v", got, err, q)
	}
}

// TestSaveEvery lets searches save themselves all the time, to a file and to where there can be
// none: they are the same searches. What a stop interrupts leaves the file as it was.
func TestSaveEvery(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "search.pns")
	s := fresh(t, 64)
	f := fixed[0]
	q := Question{Position: boards.Parse(t, f.board), N: f.n}
	var failures []error
	saves := 0
	failed := func(err error) {
		if err == nil {
			saves++
		} else {
			failures = append(failures, err)
		}
	}
	s.SaveEvery(filepath.Join(dir, "missing", "file"), time.Nanosecond, nil)
	if got := ask(s, q); got.Verdict != f.verdict || got.Nodes != f.nodes {
		t.Errorf("saving to nowhere: %+v", got)
	}
	s.SaveEvery(filepath.Join(dir, "missing", "file"), time.Nanosecond, failed)
	if got := ask(s, q); got.Verdict != f.verdict || got.Nodes != f.nodes {
		t.Errorf("saving to nowhere: %+v", got)
	}
	if len(failures) == 0 || !errors.Is(failures[0], fs.ErrNotExist) {
		t.Errorf("saving to nowhere is reported as %v", failures)
	}
	failures = nil
	s.SaveEvery(path, 20*time.Millisecond, failed)
	if got := ask(s, q); got.Verdict != f.verdict || got.Nodes != f.nodes {
		t.Errorf("saving: %+v", got)
	}
	s.SaveEvery(path, 0, failed)
	prepare(s, q.Position, q.N, 0)
	s.saveIfDue()
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	got, err := fresh(t, 64).Load(bytes.NewReader(before))
	if err != nil || got != q {
		t.Errorf("%+v is saved, %v", got, err)
	}
	stopped(t, s, q, 1_000)
	s.stop.Store(true)
	s.saveIfDue()
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
		t.Errorf("a save that is stopped leaves %d bytes, there were %d: %v", len(after), len(before), err)
	}
	s.stop.Store(false)
	s.saveIfDue()
	if after, err := os.ReadFile(path); err != nil || bytes.Equal(after, before) {
		t.Errorf("nothing is saved: %v", err)
	}
	if len(failures) > 0 || saves < 2 {
		t.Errorf("%d saves that did not fail are reported, and failures: %v", saves, failures)
	}
	s.SaveEvery("", 0, nil)
	require.NoError(t, os.Remove(path))
	s.saveIfDue()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left behind, %v", left, err)
	}
}

// saveTo names the environment variable with the file that TestSaveForever saves to.
const saveTo = "PNS_TEST_SAVE_TO"

// TestSaveForever is the process that TestKilled kills.
func TestSaveForever(t *testing.T) {
	path := os.Getenv(saveTo)
	if path == "" {
		t.Skip("only for TestKilled")
	}
	s := fresh(t, 64)
	stopped(t, s, Question{Position: boards.Parse(t, long), N: 3}, 100_000)
	for {
		require.NoError(t, s.SaveFile(path))
	}
}
