package training_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"goalproof/internal/files"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/describe"
	"goalproof/puzzles/training"
)

// noon is when tests begin to train.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// attempt is one at an exercise of a name, clean or failed.
func attempt(name string, clean bool) *training.Attempt {
	return &training.Attempt{Position: name, WinIn: 2, Solved: clean}
}

// TestSchedule follows one exercise through the schedule: when it is due, on which stage it is, and
// which attempts are games.
func TestSchedule(t *testing.T) {
	r, others := training.Empty(), 0
	for i, step := range []struct {
		wait         time.Duration // since the step before
		between      int           // attempts at others, meanwhile
		due          bool          // before the attempt
		clean, rated bool
		stage        int // after it
	}{
		{0, 0, false, true, true, 0},          // clean when it was new: not on the schedule
		{0, 0, false, true, false, 0},         // again
		{0, 0, false, false, false, 1},        // it fails
		{0, 2, false, true, false, 1},         // too early: that is no proof
		{0, 1, true, true, true, 2},           // after three others
		{day - 1, 9, false, true, false, 2},   // others do not count now
		{1, 0, true, true, true, 3},           // after a day
		{3 * day, 0, true, true, true, 4},     //
		{7 * day, 0, true, false, true, 1},    // it fails again
		{time.Hour, 0, true, true, true, 2},   // after an hour instead of others
		{day, 0, true, true, true, 3},         //
		{3 * day, 0, true, true, true, 4},     //
		{7 * day, 0, true, true, true, 5},     //
		{20 * day, 0, false, false, false, 1}, // at any time
		{time.Hour, 0, true, true, true, 2},   //
		{day, 0, true, true, true, 3},         //
		{3 * day, 0, true, true, true, 4},     //
		{7 * day, 0, true, true, true, 5},     //
		{21 * day, 0, true, true, true, 0},    // learned
		{900 * day, 0, false, true, false, 0},
	} {
		noon = noon.Add(step.wait)
		for range step.between {
			others++
			r.Add(attempt(fmt.Sprint("other ", others), true), noon)
		}
		if at := r.Find("one", 2); at >= 0 && r.IsDue(&r.Exercises[at], noon) != step.due {
			t.Errorf("step %d: due is not %v", i, step.due)
		}
		before := r.Player
		r.Add(attempt("one", step.clean), noon)
		e := r.Exercises[r.Find("one", 2)]
		if rated := r.Player != before; e.Stage != step.stage || rated != step.rated || e.Tries != i+1 {
			t.Errorf("step %d: rated %v, %+v", i, rated, e)
		}
	}
}

// TestOwn tries an exercise that failed again and again at once: that does not make it due, and only
// attempts at others do.
func TestOwn(t *testing.T) {
	r := training.Empty()
	r.Add(attempt("one", false), noon)
	player := r.Player
	for i := range 2 * training.Between {
		r.Add(attempt("one", true), noon)
		if r.Player != player || r.Exercises[0].Stage != 1 {
			t.Fatalf("after %d attempts: %+v", i+2, r)
		}
	}
	for i := range training.Between {
		if e := &r.Exercises[r.Find("one", 2)]; r.IsDue(e, noon) {
			t.Errorf("due after %d others", i)
		}
		r.Add(attempt(fmt.Sprint("other ", i), true), noon)
	}
	if e := &r.Exercises[r.Find("one", 2)]; !r.IsDue(e, noon) {
		t.Errorf("not due: %+v", e)
	}
}

// TestLater tells an attempt that fails, and is solved with help afterwards. Both count once.
func TestLater(t *testing.T) {
	r := training.Empty()
	r.Add(attempt("one", true), noon)
	failed := &training.Attempt{ID: "1", Position: "two", WinIn: 2, Mistakes: 1}
	solved := &training.Attempt{ID: "1 solved", Position: "two", WinIn: 2, Mistakes: 1, Solved: true, Seconds: 5, Later: true}
	r.Add(failed, noon)
	player := r.Player
	for range 2 {
		r.Add(solved, noon)
		r.Add(failed, noon)
	}
	e := r.Exercises[1]
	if e.Tries != 1 || e.Solved != 1 || e.Clean != 0 || e.Seconds != 5 || e.Stage != 1 || r.Attempts != 2 || r.Streak != 0 || r.Best != 1 || r.Player != player {
		t.Errorf("%+v, %+v", r, e)
	}
}

// TestNext trains on a hundred puzzles of the collection for years, with failures drawn at random.
// Nothing new comes while something is due, what failed comes back after three other exercises, and
// the same seed gives the same exercises.
func TestNext(t *testing.T) {
	all := training.Collection(collection.Filter{})[:100]
	var first []int
	for range 2 {
		random, r, now := rand.New(rand.NewPCG(1, 1)), training.Empty(), noon
		failed := map[int]int{} // on the first stage, with the number of the attempt
		var order []int
		for n := 1; n <= 800; n++ {
			due, _ := r.DueOf(now)
			i := training.Next(all, &r, now, nil, random)
			if i < 0 {
				now = now.Add(day)
				failed = map[int]int{}
				continue
			}
			at := r.Find(all[i].Position.String(), all[i].WinIn)
			if due > 0 && (at < 0 || !r.IsDue(&r.Exercises[at], now)) {
				t.Fatalf("attempt %d: %d due, and puzzle %d comes", n, due, i)
			}
			for k, when := range failed {
				if r.Attempts-when >= training.Between+len(failed) {
					t.Errorf("attempt %d: puzzle %d failed at attempt %d", n, k, when)
				}
			}
			a := &training.Attempt{Position: all[i].Position.String(), WinIn: all[i].WinIn, Difficulty: all[i].Difficulty, Solved: random.IntN(3) > 0}
			r.Add(a, now)
			delete(failed, i)
			if !a.Solved {
				failed[i] = r.Attempts
			}
			order = append(order, i)
		}
		if first == nil {
			first = order
		} else if fmt.Sprint(first) != fmt.Sprint(order) {
			t.Error("the same seed gives other exercises")
		}
		if len(r.Exercises) != len(all) {
			t.Errorf("%d of %d puzzles came", len(r.Exercises), len(all))
		}
	}
}

// TestCollection compares the puzzles to train on with those of the collection: a win in one has no
// difficulty.
func TestCollection(t *testing.T) {
	all := training.Collection(collection.Filter{Turns: 1, Themes: describe.Goal})
	if len(all) == 0 || all[0].Difficulty != nil {
		t.Errorf("wins in one: %+v", all)
	}
	for p := range collection.Select(collection.Filter{}) {
		q := training.Of(p)
		if d, ok := p.Difficulty(); q.Name != p.Name() || q.Position != p.Position || q.WinIn != p.Turns || q.Themes != p.Themes || q.Idea != p.Idea ||
			ok != (q.Difficulty != nil) || ok && *q.Difficulty != d {
			t.Errorf("%+v is trained on as %+v", p, q)
		}
	}
}

// TestWaits asks when the first of some puzzles comes that wait: what is due, or is of other sets,
// does not count.
func TestWaits(t *testing.T) {
	all, r := training.Collection(collection.Filter{})[:3], training.Empty()
	if next := training.Waits(all, &r, noon); !next.IsZero() {
		t.Errorf("of an empty record: %v", next)
	}
	r.Add(attempt("another", false), noon)
	for i, p := range all {
		r.Add(&training.Attempt{Position: p.Position.String(), WinIn: p.WinIn, Solved: i == 0}, noon.Add(time.Duration(i)*time.Minute))
	}
	for after, want := range map[time.Duration]time.Duration{0: 61 * time.Minute, 61 * time.Minute: 62 * time.Minute, 62 * time.Minute: 0} {
		next := training.Waits(all, &r, noon.Add(after))
		if want == 0 && !next.IsZero() || want > 0 && !next.Equal(noon.Add(want).Truncate(time.Second)) {
			t.Errorf("after %v: %v", after, next)
		}
	}
}

// TestLengths asks about two exercises of one position. Each has its own place on the schedule; a
// puzzle without a length has that of the exercise of its position that was tried last.
func TestLengths(t *testing.T) {
	two := training.Collection(collection.Filter{})[0]
	two.WinIn = 2
	three, open := two, two
	three.WinIn, open.WinIn = 3, 0
	position := two.Position.String()
	r, random := training.Empty(), rand.New(rand.NewPCG(1, 1))
	next := func(want int, wait time.Duration, all ...training.Puzzle) {
		t.Helper()
		if i := training.Next(all, &r, noon, nil, random); i != want {
			t.Errorf("%d comes, want %d", i, want)
		}
		if waits := training.Waits(all, &r, noon); wait == 0 && !waits.IsZero() || wait > 0 && !waits.Equal(noon.Add(wait).Truncate(time.Second)) {
			t.Errorf("waits for %v, want %v", waits, wait)
		}
	}
	r.Add(&training.Attempt{Position: position, WinIn: 3}, noon) // it fails
	next(1, time.Hour, three, two)
	next(0, 0, two)
	r.Add(&training.Attempt{Position: position, WinIn: 2, Solved: true}, noon)
	next(1, time.Hour, two, three)
	next(-1, 0, two)
	next(-1, 0, open)
	r.Add(&training.Attempt{Position: position, WinIn: 3}, noon)
	next(0, time.Hour, open)
}

// TestNear draws new puzzles near the rating of the person minus its deviation.
func TestNear(t *testing.T) {
	all := training.Collection(collection.Filter{})[:100]
	for i := range all {
		all[i].WinIn, all[i].Difficulty = 2, new(float64(i)/10)
	}
	r, random := training.Empty(), rand.New(rand.NewPCG(1, 1))
	for _, player := range []training.Rating{{Rating: 1250, Deviation: 350}, {Rating: 1600, Deviation: 100}, {Rating: 1560, Deviation: 60}, {Rating: 2148, Deviation: 60}} {
		r.Player.Rating, r.Player.Deviation = player.Rating, player.Deviation
		for range 50 {
			i := training.Next(all, &r, noon, map[int]bool{50: true}, random)
			if away := training.RatingOf(2, all[i].Difficulty).Rating - (player.Rating - player.Deviation); i == 50 || away < -60 || away > 60 {
				t.Errorf("%+v: puzzle %d", player, i)
			}
		}
	}
}

// TestBegins has somebody begin with the collection who fails, and somebody who does not. The first
// gets wins in one; the other one first as well, soon longer ones, and none with a higher rating than
// the person's.
func TestBegins(t *testing.T) {
	all := training.Collection(collection.Filter{})
	for _, solves := range []bool{false, true} {
		r, random, longer := training.Empty(), rand.New(rand.NewPCG(1, 1)), 0
		for n := range 12 {
			i := training.Next(all, &r, noon, nil, random)
			p := &all[i]
			if n == 0 && p.WinIn != 1 || !solves && p.WinIn != 1 || solves && n > 5 && p.WinIn == 1 {
				t.Errorf("solves %v, attempt %d: a win in %d comes", solves, n, p.WinIn)
			}
			if p.WinIn > 1 {
				longer++
			}
			if begins := training.RatingOf(p.WinIn, p.Difficulty).Rating; solves && begins > r.Player.Rating {
				t.Errorf("solves %v, attempt %d: one of %.0f comes to %+v", solves, n, begins, r.Player)
			}
			t.Logf("solves %v, rating %.0f, deviation %.0f: a win in %d%s", solves, r.Player.Rating, r.Player.Deviation, p.WinIn, difficulty(p))
			r.Add(&training.Attempt{Position: p.Position.String(), WinIn: p.WinIn, Difficulty: p.Difficulty, Solved: solves}, noon)
		}
		if solves && longer < 6 {
			t.Errorf("%d of 12 are no wins in one", longer)
		}
	}
}

// difficulty says the difficulty of a puzzle.
func difficulty(p *training.Puzzle) string {
	if p.Difficulty == nil {
		return ""
	}
	return fmt.Sprintf(" of difficulty %.1f", *p.Difficulty)
}

// TestVersion1 reads the file that studios wrote before there were ratings.
func TestVersion1(t *testing.T) {
	r, err := training.Parse([]byte(`{"version":1,"streak":2,"best":7,"exercises":[` +
		`{"position":"a","win_in":2,"tries":3,"solved":2,"clean":0,"seconds":4.5},{"position":"b","win_in":1,"tries":2,"solved":1,"clean":1,"seconds":1}],"recent":["x"]}`))
	require.NoError(t, err)
	a, b := &r.Exercises[0], &r.Exercises[1]
	if r.Version != training.Version || r.Attempts != 5 || r.Streak != 2 || r.Best != 7 || r.Player != training.New || len(r.Recent) != 1 ||
		a.Tries != 3 || a.Solved != 2 || a.Seconds != 4.5 || !r.IsDue(a, noon) || b.Clean != 1 || b.Stage != 0 {
		t.Errorf("%+v", r)
	}
	for text, want := range map[string]string{
		`{"version":3,"exercises":[]}`: "version 3",
		`{"version":2,"exercises":[]}`: "do not agree", // no rating
		`{"version":1,"exercises":[{"position":"a","win_in":2,"tries":1,"solved":2}]}`:                                  "exercise 1",
		`{"version":2,"player":{"rating":1500,"deviation":200,"volatility":0.06},"exercises":[{"win_in":1,"stage":6}]}`: "exercise 1",
	} {
		if _, err := training.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestFile adds attempts from several openings of one file at once: none is lost, and one that is
// added again counts once.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		defer root.Close()
		wg.Go(func() {
			f := training.File{Root: root, Name: training.Name}
			for i := range 20 {
				for range 2 {
					a := attempt(fmt.Sprint("exercise ", w), true)
					a.ID = fmt.Sprint(w, " ", i)
					if _, err := f.Add(a, noon); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	r, err := training.File{Root: root, Name: training.Name}.Read()
	require.NoError(t, err)
	if r.Attempts != 80 || r.Streak != 80 || len(r.Exercises) != 4 || r.Exercises[0].Tries != 20 {
		t.Errorf("%+v", r)
	}
}

// TestFull fills a record: it keeps what is on the schedule, and its text fits into the file.
func TestFull(t *testing.T) {
	r := training.Empty()
	for i := range training.MaxExercises + 100 {
		r.Add(&training.Attempt{Position: fmt.Sprintf("g [%64d]", i), WinIn: 2, Solved: i > 0, Seconds: 12.345678, ID: strings.Repeat("i", 60) + fmt.Sprint(i)}, noon)
	}
	if len(r.Exercises) != training.MaxExercises || r.Exercises[0].Stage != 1 {
		t.Errorf("%d exercises, the first is %+v", len(r.Exercises), r.Exercises[0])
	}
	for i := range r.Exercises {
		r.Exercises[i].Stage, r.Exercises[i].Due, r.Exercises[i].After = 1, noon, 1_000_000
	}
	text, err := json.Marshal(&r)
	require.NoError(t, err)
	if len(text) > training.MaxBytes {
		t.Errorf("%d bytes", len(text))
	}
}

// TestLocked waits for a program that does not let go of the file.
func TestLocked(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer root.Close()
	held, err := files.LockIn(root, "lock", 0)
	require.NoError(t, err)
	if _, err := files.LockIn(root, "lock", 10*time.Millisecond); !errors.Is(err, files.ErrInUse) {
		t.Errorf("%v", err)
	}
	held.Close()
	again, err := files.LockIn(root, "lock", 0)
	require.NoError(t, err)
	again.Close()
}
