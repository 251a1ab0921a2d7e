package studio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/solve"
)

// eventually waits for a condition.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 60_000 {
		if holds() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("after a minute: not %s", what)
}

// actor is a job that does what a test tells it to.
type actor struct {
	kind
	Job
	memory uint64
	do     chan func(ctx context.Context, j *job) error // nil ends the job
	did    chan error                                   // the results of these
}

func (*actor) submit(*Server) (Job, error) { return Job{}, errors.New("a test adds it") }

// act adds a job of a kind, which takes so many MiB, or so many beside those that it takes for a
// solver of its own.
func act(t *testing.T, q *queue, name string, mib uint64, o *solve.Options) *actor {
	t.Helper()
	a := &actor{kind: kind{name}, memory: mib << 20, do: make(chan func(context.Context, *job) error), did: make(chan error, 1)}
	var err error
	a.Job, err = q.add(a, time.Hour, o, a.memory, func(ctx context.Context, j *job) (*Result, error) {
		for {
			select {
			case do := <-a.do:
				if do == nil {
					return &Result{Says: "It has ended."}, nil
				}
				a.did <- do(ctx, j)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	})
	require.NoError(t, err)
	return a
}

// yields tells a job to give way, if that is wanted.
func (a *actor) yields(q *queue) { a.do <- q.yield }

// states returns the states of jobs, in a line.
func states(t *testing.T, q *queue, all ...*actor) string {
	t.Helper()
	var text []string
	for _, a := range all {
		j, _, err := q.look(a.ID)
		require.NoError(t, err)
		text = append(text, j.State)
	}
	return strings.Join(text, " ")
}

// ends ends a job that runs.
func (a *actor) ends(t *testing.T, q *queue) {
	t.Helper()
	a.do <- nil
	eventually(t, "ended", func() bool { return states(t, q, a) == "done" })
}

// newTestQueue returns a queue with so many MiB, which ends with the test.
func newTestQueue(t *testing.T, mib uint64) *queue {
	ctx, end := context.WithCancel(context.Background())
	q := newQueue(ctx, mib<<20)
	t.Cleanup(func() {
		end()
		q.close()
	})
	return q
}

// want compares the states of jobs, and what the last of them waits for, with X for the letters of
// the studio.
func want(t *testing.T, q *queue, what, wantStates, wantWaits string, all ...*actor) {
	t.Helper()
	if got := states(t, q, all...); got != wantStates {
		t.Errorf("%s: %s, want %s", what, got, wantStates)
	}
	last, _, err := q.look(all[len(all)-1].ID)
	require.NoError(t, err)
	if got := strings.ReplaceAll(last.WaitsFor, q.studio, "X"); got != wantWaits {
		t.Errorf("%s: it waits for %q, want %q", what, got, wantWaits)
	}
}

// TestQueueClasses starts jobs of both classes: long ones leave memory and places to prompt ones,
// which overtake them and not each other.
func TestQueueClasses(t *testing.T) {
	q := newTestQueue(t, 64)
	verify, mine := act(t, q, "verify", 16, nil), act(t, q, "mine", 16, nil)
	want(t, q, "two long jobs", "running running", "", verify, mine)
	review := act(t, q, "review", 16, nil)
	want(t, q, "a third", "waiting", "its turn: 2 long jobs run, the most that may", review)
	fourth := act(t, q, "verify", 16, nil)
	want(t, q, "a fourth", "waiting", "its turn: review (X-3) is first", fourth)
	solve, play := act(t, q, "solve", 16, nil), act(t, q, "play", 16, nil)
	want(t, q, "prompt jobs", "running running", "", solve, play)
	try, check := act(t, q, "try", 60, nil), act(t, q, "check", 1, nil)
	want(t, q, "places", "waiting", "its turn: 4 jobs run, the most that may", try)
	want(t, q, "behind it", "waiting", "its turn: try (X-7) is first", check)
	mine.ends(t, q)
	want(t, q, "a place for a long job, since try cannot run yet", "waiting waiting running", "", try, check, review)

	// When solve and play have ended, try needs what the long jobs have.
	solve.ends(t, q)
	play.ends(t, q)
	want(t, q, "memory", "waiting", "memory: verify (X-1) and review (X-3) have it", try)
	verify.yields(q)
	eventually(t, "waiting", func() bool { return states(t, q, verify) == "waiting" })
	want(t, q, "one has given way", "waiting", "memory: review (X-3) has it", try)
	want(t, q, "it waits", "waiting", "its turn: try (X-7) is first", verify)
	review.yields(q)
	eventually(t, "running", func() bool { return states(t, q, try) == "running" })
	want(t, q, "both have given way", "waiting waiting running running", "", verify, review, check, try)
	want(t, q, "they wait", "waiting", "memory: try (X-7) and check (X-8) have it", verify)
	try.ends(t, q)
	require.NoError(t, <-verify.did)
	require.NoError(t, <-review.did)
	want(t, q, "afterwards", "waiting running running running", "", fourth, verify, review, check)
	review.yields(q)
	require.NoError(t, <-review.did) // at once: nobody waits
}

// TestQueueLarge lets a long job that asks for more than its class may have run alone in its class,
// and leaves no long job waiting when the others have ended.
func TestQueueLarge(t *testing.T) {
	q := newTestQueue(t, 64)
	small, large := act(t, q, "mine", 8, nil), act(t, q, "verify", 40, nil)
	want(t, q, "beside another", "waiting", "memory: mine (X-1) has the half that long jobs may have", large)
	small.ends(t, q)
	next := act(t, q, "mine", 8, nil)
	want(t, q, "alone", "waiting running", "", next, large)
	prompt := act(t, q, "solve", 24, nil)
	want(t, q, "beside prompt jobs", "running", "", prompt)
	large.ends(t, q)
	want(t, q, "afterwards", "running", "", next)
	if _, err := q.add(next, time.Hour, nil, 65<<20, nil); err == nil || err.Error() != "the job needs 65 MiB of memory, and the studio has 64 MiB: start it with more --memory" {
		t.Error(err)
	}
}

// TestQueueStopped stops jobs that have given way. They end without memory, and take none along.
func TestQueueStopped(t *testing.T) {
	q := newTestQueue(t, 64)
	o := solve.Options{Memory: 64 << 20, Threads: 1}
	long := act(t, q, "verify", 64, &o)
	for _, how := range []string{"stopped", "resumed"} {
		prompt := act(t, q, "solve", 64, nil)
		long.yields(q)
		eventually(t, "running", func() bool { return states(t, q, prompt) == "running" })
		if how == "stopped" {
			waits := act(t, q, "mine", 8, nil)
			if _, err := q.halt(long.ID); err != nil {
				t.Error(err)
			}
			eventually(t, "stopped", func() bool { return states(t, q, long) == "stopped" })
			prompt.ends(t, q)
			want(t, q, "behind it", "running", "", waits)
			waits.ends(t, q)
			long = act(t, q, "verify", 64, &o)
			continue
		}
		prompt.ends(t, q)
		require.NoError(t, <-long.did)
		long.do <- func(_ context.Context, j *job) error {
			if j.solver == nil {
				return errors.New("it has no solver")
			}
			return nil
		}
		require.NoError(t, <-long.did)
	}
	long.ends(t, q)
	if q.free != 0 || len(q.idle) != 1 || q.idle[0].solver == nil {
		t.Errorf("%d bytes are free beside %d solvers", q.free, len(q.idle))
	}
}

// consistent checks what always holds, and returns how many jobs run or wait.
func consistent(t *testing.T, q *queue) (left int) {
	t.Helper()
	q.mu.Lock()
	defer q.mu.Unlock()
	sum := q.free
	for _, s := range q.idle {
		sum += s.options.Memory
	}
	run, long, longMemory := 0, 0, uint64(0)
	for _, j := range q.order {
		sum += j.held
		switch {
		case j.over():
			if j.held > 0 {
				t.Errorf("%s: it has ended and holds %d bytes", j.name(), j.held)
			}
			continue
		case j.state == waiting:
			if why := q.obstacle(j); why == "" {
				t.Errorf("%s waits for nothing", j.name())
			}
		case j.held != j.memory:
			t.Errorf("%s holds %d of %d bytes", j.name(), j.held, j.memory)
		default:
			run++
			if j.long() {
				long++
				longMemory += j.memory
			}
		}
		left++
	}
	if sum != q.all {
		t.Errorf("%d bytes of %d are accounted for", sum, q.all)
	}
	if run > maxRunning || long > maxLong || long > 1 && longMemory > q.all/2 {
		t.Errorf("%d jobs run, %d long ones with %d bytes", run, long, longMemory)
	}
	return left
}

// TestQueueAnyOrder begins, ends and stops jobs of all kinds in any order, and has them give way.
// Memory is neither lost nor made, and in the end all jobs have ended.
func TestQueueAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	q := newTestQueue(t, 64)
	o := solve.Options{Memory: 8 << 20, Threads: 1}
	var all []*actor
	gaveWay := 0
	tell := func(a *actor) {
		j, _, err := q.look(a.ID)
		require.NoError(t, err)
		if j.State != running {
			return
		}
		if prompt := !longKinds[a.Kind]; prompt && random.IntN(3) > 0 {
			return
		} else if prompt || random.IntN(4) == 0 {
			a.do <- nil
			eventually(t, "ended", func() bool { return states(t, q, a) == "done" })
			return
		}
		a.yields(q)
		eventually(t, "told", func() bool {
			select {
			case err := <-a.did:
				require.NoError(t, err)
				return true
			default:
			}
			if states(t, q, a) != "waiting" {
				return false
			}
			gaveWay++
			go func() { <-a.did }()
			return true
		})
	}
	ended := func(a *actor) bool { return strings.Contains("done stopped", states(t, q, a)) }
	kinds := []string{"verify", "mine", "review", "solve", "try", "game"}
	for range 1000 {
		switch n := random.IntN(10); {
		case n < 4 && consistent(t, q) < 20:
			name := kinds[random.IntN(len(kinds))]
			if random.IntN(3) == 0 {
				all = append(all, act(t, q, name, 8, &o))
			} else {
				all = append(all, act(t, q, name, 1+random.Uint64N(64)/(1+random.Uint64N(3)), nil))
			}
		case n == 4 && len(all) > 0:
			a := all[random.IntN(len(all))]
			_, err := q.halt(a.ID)
			require.NoError(t, err)
			eventually(t, "stopped", func() bool { return states(t, q, a) == "stopped" })
		}
		for _, i := range random.Perm(len(all))[:min(3, len(all))] {
			tell(all[i])
		}
		all = slices.DeleteFunc(all, ended)
		consistent(t, q)
	}
	if gaveWay < 10 {
		t.Errorf("jobs have given way %d times", gaveWay)
	}
	eventually(t, "at the end of all jobs", func() bool {
		for _, a := range all {
			tell(a)
		}
		all = slices.DeleteFunc(all, ended)
		return consistent(t, q) == 0
	})
}

// newTestStudio returns a studio with 64 MiB that is not served.
func newTestStudio(t *testing.T) *Server {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	ctx, end := context.WithCancel(context.Background())
	s, err := New(ctx, l, Options{Memory: 64 << 20})
	require.NoError(t, err)
	t.Cleanup(func() {
		end()
		s.queue.close()
	})
	return s
}

// TestQueueTreeRead lets a job wait because the tree that has its memory is just being read: it
// runs when that has been done.
func TestQueueTreeRead(t *testing.T) {
	s := newTestStudio(t)
	for path, serve := range map[string]http.HandlerFunc{"/api/trees/": s.routes().ServeHTTP, "/events": s.treeEvents} {
		shown, err := s.startTree(treeTask{position: position{Study: &Study{Position: "Ra4 Eb2 rh5 eg7 g"}}, WinIn: 1, Memory: 8 << 20})
		require.NoError(t, err)
		tree, err := s.queue.tree(shown.ID)
		require.NoError(t, err)
		tree.mu.Lock()
		a := act(t, s.queue, "solve", 64, nil)
		want(t, s.queue, path, "waiting", "memory: a tree that is looked at has it", a)
		tree.mu.Unlock()
		r := httptest.NewRequest("GET", "/api/trees/"+shown.ID, nil)
		r.SetPathValue("id", shown.ID)
		w := httptest.NewRecorder()
		serve(w, r)
		if !strings.Contains(w.Body.String(), shown.ID) {
			t.Errorf("%s: %s", path, w.Body)
		}
		if got := states(t, s.queue, a); got != running {
			t.Fatalf("%s: the job is %s", path, got)
		}
		a.ends(t, s.queue)
	}
}

// findings is what a long job has found, without what depends on time and on earlier questions to
// the solver.
func findings(t *testing.T, s *Server, id string) (all []string) {
	t.Helper()
	j, _, err := s.queue.look(id)
	require.NoError(t, err)
	if j.State != done {
		t.Fatalf("%+v", j)
	}
	all = append(all, j.Says)
	_, err = ofJob(s.queue, id, func(j *job) (struct{}, error) {
		all = append(all, j.annotated)
		for _, v := range j.verified {
			text, err := json.Marshal([]any{v.Label, v.Study, v.Says, v.Second, v.Solutions})
			if err != nil {
				return struct{}{}, err
			}
			all = append(all, string(text))
		}
		return struct{}{}, nil
	})
	require.NoError(t, err)
	return all
}

// TestQueueYields makes long jobs give way in the middle of their work. What they find is the same
// as without that.
func TestQueueYields(t *testing.T) {
	text, err := os.ReadFile("../examples/game.turns")
	require.NoError(t, err)
	var set strings.Builder
	studied := &Study{}
	for e, err := range notation.Read(notation.NewLines("game", strings.NewReader(string(text)))) {
		require.NoError(t, err)
		for i := 0; i < e.Game.Len(); i += 8 {
			p := e.Game.Position(i)
			fmt.Fprintln(&set, p)
		}
		*studied = (&point{game: e.Game.At(10)}).study()
	}
	for _, body := range []map[string]any{
		{"kind": "verify", "text": set.String(), "claim": 2, "seconds": 3600},
		{"kind": "mine", "text": set.String(), "seconds": 3600},
		{"kind": "review", "study": studied, "win_in": 1},
	} {
		body["memory"], body["threads"] = 64<<20, 1
		name := body["kind"].(string)
		s := newTestStudio(t)
		q := s.queue
		begin := func() *actor {
			t.Helper()
			text, err := json.Marshal(body)
			require.NoError(t, err)
			var p posted
			require.NoError(t, json.Unmarshal(text, &p))
			j, err := p.submit(s)
			require.NoError(t, err)
			return &actor{Job: j}
		}
		undisturbed := begin()
		eventually(t, name+": done", func() bool { return states(t, q, undisturbed) == done })
		disturbed := begin()
		for range 2 {
			prompt := act(t, q, "solve", 40, nil)
			eventually(t, name+": giving way", func() bool { return states(t, q, disturbed, prompt) == "waiting running" })
			want(t, q, name, "waiting", "memory: solve (X-"+prompt.ID[len(q.studio)+1:]+") has it", disturbed)
			if consistent(t, q); q.free > 24<<20 {
				t.Errorf("%s: %d bytes are free", name, q.free)
			}
			prompt.ends(t, q)
		}
		eventually(t, name+": done", func() bool { return states(t, q, disturbed) == done })
		if diff := cmp.Diff(findings(t, s, undisturbed.ID), findings(t, s, disturbed.ID)); diff != "" {
			t.Errorf("%s: (-undisturbed +disturbed)\n%s", name, diff)
		}
	}
}
