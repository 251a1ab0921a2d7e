package studio_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/require"
	"goalproof/puzzles/collection"
	"goalproof/puzzles/training"
	"goalproof/studio"
)

// exercise is a puzzle of the collection.
type exercise struct {
	Label      string
	Study      studio.Study
	WinIn      int `json:"win_in"`
	Difficulty *float64
	Themes     []string
	Idea       string
}

// collected returns the collection as a studio lists it.
func collected(c *client) []exercise {
	c.Helper()
	return ask[struct{ Puzzles []exercise }](c, "GET", "/api/collection", nil).Puzzles
}

// TestCollection compares what the studio lists with the collection. A puzzle is that of its
// number.
func TestCollection(t *testing.T) {
	c := start(t, studio.Options{})
	all := collected(c)
	if n := len(collection.All()); len(all) != n {
		t.Fatalf("%d of %d puzzles", len(all), n)
	}
	for i, e := range all {
		p := collection.ByNumber(i + 1)
		d, ok := p.Difficulty()
		if e.Label != p.Name() || e.Study.Position != p.Position.String() || e.WinIn != p.Turns || strings.Join(e.Themes, ", ") != p.Themes.String() ||
			e.Idea != p.Idea || ok != (e.Difficulty != nil) || ok && *e.Difficulty != d {
			t.Errorf("%+v is listed as %+v", p, e)
		}
	}
}

// TestNext follows the schedule: a new exercise near the rating, nothing that waits, what failed
// when it is due, and nothing where nothing is left.
func TestNext(t *testing.T) {
	c := start(t, studio.Options{})
	var all []map[string]any
	two := slices.DeleteFunc(collected(c), func(e exercise) bool { return e.WinIn != 2 })
	for i, e := range two[:8] {
		all = append(all, map[string]any{"position": e.Study.Position, "win_in": e.WinIn, "difficulty": float64(i)})
	}
	next := func(of ...map[string]any) (n int, waits bool) {
		t.Helper()
		got := ask[struct {
			Next  *int
			Waits *time.Time
		}](c, "POST", "/api/training/next", map[string]any{"exercises": of})
		if got.Next == nil {
			return -1, got.Waits != nil
		}
		return *got.Next, got.Waits != nil
	}
	attempt := func(i int, solved bool) {
		t.Helper()
		ask[studio.Training](c, "POST", "/api/training", studio.Attempt{Study: two[i].Study, WinIn: 2, Solved: solved})
	}
	if n, waits := next(); n != -1 || waits {
		t.Errorf("of none: %d", n)
	}
	if n, _ := next(all...); n < 0 || n > 4 { // difficulty 2.1 is what comes first: the rating minus its deviation
		t.Errorf("at first: %d", n)
	}
	attempt(1, false)
	if n, waits := next(all[0], all[1]); n != 0 || !waits {
		t.Errorf("what waits comes before what is new: %d", n)
	}
	if n, _ := next(all[1]); n != 0 {
		t.Errorf("what failed does not come where nothing else is left: %d", n)
	}
	for i := 2; i < 5; i++ {
		attempt(i, true)
	}
	if n, waits := next(all...); n != 1 || waits {
		t.Errorf("what is due does not come: %d", n)
	}
	if n, waits := next(all[2:5]...); n != -1 || waits {
		t.Errorf("what was solved comes: %d", n)
	}
	attempt(1, true)
	if n, waits := next(all[1:5]...); n != -1 || !waits {
		t.Errorf("what waits for a day comes: %d", n)
	}
	c.refusedFor(422, "exercise 1: ", "POST", "/api/training/next", map[string]any{"exercises": []any{all[0], map[string]any{"position": "g [x]", "win_in": 1}}})
}

// TestTrainingLater sends an attempt that has failed, and then that it was solved with help: it
// counts once.
func TestTrainingLater(t *testing.T) {
	c := start(t, studio.Options{})
	a := studio.Attempt{ID: "1", Study: studio.Study{Position: "Ra4 rh5 g"}, WinIn: 1, Mistakes: 1}
	ask[studio.Training](c, "POST", "/api/training", a)
	a.ID, a.Later, a.Solved, a.Seconds = "2", true, true, 7
	got := ask[studio.Training](c, "POST", "/api/training", a)
	if e := got.Exercises[0]; e.Tries != 1 || e.Solved != 1 || e.Clean != 0 || e.Seconds != 7 || got.Streak != 0 {
		t.Errorf("%+v", got)
	}
}

// attempts are attempts at a position, with the streak after each.
var attempts = []struct {
	studio.Attempt
	streak, best int
}{
	{studio.Attempt{WinIn: 2, Solved: true, Seconds: 9}, 1, 1},
	{studio.Attempt{WinIn: 2, Solved: true, Seconds: 12}, 2, 2},
	{studio.Attempt{WinIn: 2, Solved: true, Seconds: 3, Hints: 1}, 0, 2},
	{studio.Attempt{WinIn: 2, Solved: true, Seconds: 20}, 1, 2},
	{studio.Attempt{WinIn: 2, Solved: true, Seconds: 20, Mistakes: 1}, 0, 2},
	{studio.Attempt{WinIn: 2, Seconds: 1}, 0, 2},
	{studio.Attempt{WinIn: 1, Seconds: 1}, 0, 2},
}

// TestTraining keeps attempts in a file: a studio that is started later knows them.
func TestTraining(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	const position = "g [                                                        R      r]"
	for i, a := range attempts {
		a.Study.Position = position
		if got := ask[studio.Training](c, "POST", "/api/training", a.Attempt); got.Streak != a.streak || got.Best != a.best {
			t.Errorf("attempt %d: %+v", i, got)
		}
	}
	for _, c := range []*client{c, start(t, studio.Options{Workspace: root})} {
		got := ask[studio.Training](c, "GET", "/api/training", nil)
		want := []studio.Exercise{{Position: position, WinIn: 2, Tries: 6, Solved: 5, Clean: 3, Seconds: 3}, {Position: position, WinIn: 1, Tries: 1}}
		for i := range got.Exercises {
			want[i].Rating, want[i].ByResults = got.Exercises[i].Rating, got.Exercises[i].ByResults // of the package
		}
		if fmt.Sprint(got.Exercises) != fmt.Sprint(want) || got.Best != 2 || want[0].Rating == nil || got.Due != 0 || !(got.Rating < 1500 && got.Deviation < 350) {
			t.Errorf("kept: %+v", got)
		}
	}
	good := studio.Study{Position: position}
	refuses(c, "/api/training", map[string]studio.Attempt{
		"position":         {WinIn: 2},
		"no turns":         {Study: studio.Study{Position: "Ra4 rh5 g", Turns: []string{"Ra4n"}}, WinIn: 1},
		"win_in 0":         {Study: good},
		"win_in 1000":      {Study: good, WinIn: 1000},
		"mistakes":         {Study: good, WinIn: 1, Mistakes: -1},
		"difficulty 11":    {Study: good, WinIn: 1, Difficulty: new(11.0)},
		"seconds -1":       {Study: good, WinIn: 1, Seconds: -1},
		"seconds 1e+09":    {Study: good, WinIn: 1, Seconds: 1e9},
		"at most 64":       {ID: strings.Repeat("x", 65), Study: good, WinIn: 1},
		"training.json/..": {Study: studio.Study{Position: "training.json/.."}, WinIn: 1},
	})
	for _, body := range []string{`{"study":{"position":"x"},"path":"../x"}`, `{"win_in":1e99}`} {
		c.refusedFor(400, "", "POST", "/api/training", rawJSON(body))
	}
}

// TestByResults compares the difficulties by the results with those of package training. There are
// none after one attempt, and none of a win in one.
func TestByResults(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	good := studio.Study{Position: "g [                                                        R      r]"}
	for i, a := range []studio.Attempt{{WinIn: 1}, {WinIn: 2, Difficulty: new(5.1)}, {WinIn: 3, Difficulty: new(5.1)}} {
		a.Study = good
		posted := ask[studio.Training](c, "POST", "/api/training", a)
		if d := posted.Exercises[i].ByResults; d != nil {
			t.Errorf("win in %d: difficulty %v after an attempt", a.WinIn, *d)
		}
		tries(t, root, training.Attempt{Position: good.Position, WinIn: a.WinIn}, time.Now().AddDate(0, 0, 1), true, false, true, false, true, false)
		posted = ask[studio.Training](c, "GET", "/api/training", nil)
		record, err := training.File{Root: root, Name: training.Name}.Read()
		require.NoError(t, err)
		if len(posted.Exercises) != i+1 {
			t.Fatalf("%+v", posted)
		}
		for k, e := range posted.Exercises {
			if diff := cmp.Diff(record.Exercises[k].Difficulty(), e.ByResults); diff != "" {
				t.Errorf("win in %d: %s", e.WinIn, diff)
			}
		}
		if d := posted.Exercises[i].ByResults; (a.WinIn == 1) != (d == nil) || record.Exercises[i].Rating.Deviation > 165 {
			t.Errorf("%+v, %+v", posted.Exercises[i], *record.Exercises[i].Rating)
		}
	}
}

// tries adds attempts at an exercise to the file of a workspace, clean ones or failures, each some
// days after the one before, so that it is due.
func tries(t *testing.T, root *os.Root, a training.Attempt, first time.Time, clean ...bool) {
	t.Helper()
	for i := range clean {
		a.Solved = clean[i]
		_, err := training.File{Root: root, Name: training.Name}.Add(&a, first.AddDate(0, 0, 4*i))
		require.NoError(t, err)
	}
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// TestTrainingTogether adds attempts from several windows at once: each is counted, and the file is
// whole.
func TestTrainingTogether(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	var wait sync.WaitGroup
	const n = 20
	for i := range n {
		wait.Go(func() {
			a := studio.Attempt{Study: studio.Study{Position: "Ra4 rh5 g"}, WinIn: 1 + i%2, Solved: true}
			if status, text, _ := c.do(c.request("POST", "/api/training", a)); status != 200 {
				t.Errorf("%d %s", status, text)
			}
		})
	}
	wait.Wait()
	got := ask[studio.Training](start(t, studio.Options{Workspace: root}), "GET", "/api/training", nil)
	if got.Streak != n || len(got.Exercises) != 2 || got.Exercises[0].Tries+got.Exercises[1].Tries != n {
		t.Errorf("%+v", got)
	}
}

// TestTrainingAgain sends attempts again whose answers may have been lost, also to a studio that was
// started later: each counts once.
func TestTrainingAgain(t *testing.T) {
	root := workspace(t)
	first := studio.Attempt{ID: "1", Study: studio.Study{Position: "Ra4 rh5 g"}, WinIn: 1, Solved: true, Seconds: 4}
	second := first
	second.ID, second.Solved = "2", false
	for range 2 {
		c := start(t, studio.Options{Workspace: root})
		for _, a := range []studio.Attempt{first, second, first} {
			ask[studio.Training](c, "POST", "/api/training", a)
		}
		got := ask[studio.Training](c, "GET", "/api/training", nil)
		if len(got.Exercises) != 1 || got.Exercises[0].Tries != 2 || got.Exercises[0].Solved != 1 || got.Streak != 0 || got.Best != 1 {
			t.Errorf("%+v", got)
		}
	}
	c := start(t, studio.Options{})
	for i := range 150 {
		first.ID = fmt.Sprint(i)
		if got := ask[studio.Training](c, "POST", "/api/training", first); got.Exercises[0].Tries != i+1 || len(got.Recent) > 100 {
			t.Fatalf("attempt %d: %+v", i, got)
		}
	}
}

// TestTrainingNotKept cannot write the file: the attempt may be sent again later, and does not count
// before.
func TestTrainingNotKept(t *testing.T) {
	root := workspace(t)
	c := start(t, studio.Options{Workspace: root})
	require.NoError(t, root.Mkdir("training.json", 0o777))
	a := studio.Attempt{ID: "1", Study: studio.Study{Position: "Ra4 rh5 g"}, WinIn: 1, Solved: true}
	c.refusedFor(503, "the training was not saved, and what was saved before is unharmed", "POST", "/api/training", a)
	if got := ask[studio.Training](c, "GET", "/api/training", nil); got.Streak != 0 || len(got.Exercises) != 0 {
		t.Errorf("%+v", got)
	}
	require.NoError(t, root.Remove("training.json"))
	if got := ask[studio.Training](c, "POST", "/api/training", a); got.Streak != 1 || len(got.Exercises) != 1 {
		t.Errorf("later: %+v", got)
	}
}

// TestTrainingElsewhere reads the file of a studio before there were ratings: what failed is due. Then
// another program adds an attempt to the file, and the studio another one: neither is lost.
func TestTrainingElsewhere(t *testing.T) {
	root := workspace(t)
	const first, second = "g [r       Rr     r   E dr                    e  r        RR  RR  R]", "g [                                                        R      r]"
	require.NoError(t, root.WriteFile(training.Name, []byte(`{"version":1,"streak":0,"best":4,"exercises":[{"position":"`+first+`","win_in":2,"tries":2,"solved":1,"clean":0,"seconds":9}]}`), 0o666))
	c := start(t, studio.Options{Workspace: root})
	if got := ask[studio.Training](c, "GET", "/api/training", nil); got.Due != 1 || !got.Exercises[0].Due || got.Best != 4 || got.Rating != 1500 {
		t.Errorf("%+v", got)
	}
	_, err := training.File{Root: root, Name: training.Name}.Add(&training.Attempt{Position: first, WinIn: 2, Solved: true, Seconds: 3}, time.Now())
	require.NoError(t, err)
	if got := ask[studio.Training](c, "GET", "/api/training", nil); got.Due != 0 || got.Streak != 1 || !(got.Rating > 1500) {
		t.Errorf("%+v", got)
	}
	got := ask[studio.Training](c, "POST", "/api/training", studio.Attempt{Study: studio.Study{Position: second}, WinIn: 1, Solved: true})
	if got.Streak != 2 || len(got.Exercises) != 2 || got.Exercises[0].Tries != 3 {
		t.Errorf("%+v", got)
	}
}
