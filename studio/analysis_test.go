package studio

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/endings"
	"goalproof/internal/testkit/require"
	"goalproof/tables/endgame"
)

const openingPosition = "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]"

// quietServer is a studio without a listener.
func quietServer(t *testing.T, o Options) *Server {
	if o.Memory == 0 {
		o.Memory = 64 << 20
	}
	s := &Server{options: o, queue: newQueue(t.Context(), o.Memory)}
	t.Cleanup(func() {
		for _, j := range s.queue.list() {
			_, _ = s.queue.halt(j.ID)
		}
		s.queue.close()
	})
	return s
}

// beginAnalysis begins an analysis.
func beginAnalysis(t *testing.T, s *Server, position string, r analyzeRequest) Job {
	t.Helper()
	r.Study, r.Unusual, r.Threads = &Study{Position: position}, true, 1
	j, err := r.submit(s)
	require.NoError(t, err)
	return j
}

// await waits until a job is as it should be.
func await(t *testing.T, s *Server, id string, is func(Job) bool) (j Job) {
	t.Helper()
	eventually(t, "job "+id+" as it should be", func() (holds bool) {
		var err error
		j, _, err = s.queue.look(id)
		require.NoError(t, err)
		return is(j)
	})
	return j
}

func isDone(j Job) bool { return j.State == done }

// TestAnalyzeFacts analyses positions with few pieces and compares all that is said to be proved of
// the turns, while the search runs and at its end, with endgame tables, which the search does not
// have.
func TestAnalyzeFacts(t *testing.T) {
	ts, classes := endings.Open(t)
	random := rand.New(rand.NewPCG(7, 4))
	s := quietServer(t, Options{})
	tally := map[string]int{}
	for range boards.Sized(60, 600) {
		p, v := endings.Draw(t, ts, classes[random.IntN(len(classes))], random)
		g := arimaa.NewGame(p, 2)
		if g.Outcome().Over() {
			continue
		}
		j := beginAnalysis(t, s, p.String(), analyzeRequest{Lines: maxLines, timed: timed{0.05}})
		var seen []Job
		j = await(t, s, j.ID, func(j Job) bool {
			seen = append(seen, j)
			return j.State != waiting && j.State != running
		})
		if j.State != done || len(j.Lines) == 0 || len(j.Lines) > maxLines || j.Result.Verdict != "analyzed" || !strings.HasPrefix(j.Result.Says, j.Lines[0].Turn) {
			t.Fatalf("%v: %+v %+v", p, j, j.Result)
		}
		for _, shown := range seen {
			reached := map[arimaa.Position]bool{}
			for i := range shown.Lines {
				after := checkBest(t, ts, g, v, &shown.Lines[i], tally)
				if reached[after] {
					t.Errorf("%v: two of the turns lead to the same position: %+v", p, shown.Lines)
				}
				reached[after] = true
			}
		}
	}
	boards.ExpectAll(t, tally, "wins", "loses", "open")
}

// checkBest checks one of the best turns of an analysis of a game of a single position, which has a
// value, and returns the position after it.
func checkBest(t *testing.T, ts *endgame.Tables, g *arimaa.Game, v endgame.Value, b *Best, tally map[string]int) arimaa.Position {
	t.Helper()
	p, after := g.Last(), g.At(0)
	if err := notation.Play(after, b.Turn); err != nil || b.Line.Line[0] != b.Turn || len(b.Line.Line) != len(b.Labels) {
		t.Fatalf("%v: %+v, %v", p, b, err)
	}
	wins, loses := 0, 0 // within so many turns, of the side to move and of its opponent; 0: it does not
	last := after.Last()
	switch o := after.Outcome(); {
	case o.Over() && o.Winner == p.Side():
		wins = 1
	case o.Over():
		loses = 1
	default:
		value, ok := ts.Probe(&last.Board, last.Side())
		if !ok {
			return last // the turn captures, and no table knows the rest
		}
		if n, ok := value.Loss(); ok {
			wins = n + 1
		}
		loses, _ = value.Win()
	}
	if b.Wins != nil && (wins == 0 || *b.Wins < wins) || b.Loses != nil && (loses == 0 || *b.Loses < loses) {
		t.Errorf("%v (%v), %s: wins within %v, loses within %v; by the table %d, %d", p, v, b.Turn, b.Wins, b.Loses, wins, loses)
	}
	switch proved := strings.HasPrefix(b.Says, "proved: "); {
	case b.Wins != nil:
		tally["wins"]++
		if !proved || *b.Chance != 1 || b.Loses != nil {
			t.Errorf("%v, %s: %+v", p, b.Turn, b)
		}
	case b.Loses != nil:
		tally["loses"]++
		if !proved || *b.Chance != 0 {
			t.Errorf("%v, %s: %+v", p, b.Turn, b)
		}
	default:
		tally["open"]++
		if proved || b.Chance != nil && (*b.Chance <= 0 || *b.Chance >= 1) {
			t.Errorf("%v, %s: nothing is proved, but %+v", p, b.Turn, b)
		}
	}
	return last
}

// TestAnalyzeRefused asks for what is not allowed.
func TestAnalyzeRefused(t *testing.T) {
	s := quietServer(t, Options{})
	at := func(first, steps string) position { return position{Study: &Study{Position: first, Steps: steps}} }
	for want, r := range map[string]analyzeRequest{
		"there is no study":     {},
		"lines 6: it is 0 to 5": {position: at(openingPosition, ""), Lines: 6},
		"lines -1":              {position: at(openingPosition, ""), Lines: -1},
		"seconds -1":            {position: at(openingPosition, ""), timed: timed{-1}},
		"seconds 100000":        {position: at(openingPosition, ""), timed: timed{100_000}},
		"the turn under way":    {position: at(openingPosition, "Ee2n")},
		"no game leads to":      {position: at("Rc3 rh5 g", "")},
		"threads -1":            {position: at(openingPosition, ""), resources: resources{Threads: -1}},
		"memory 1: it is too":   {position: at(openingPosition, ""), resources: resources{Memory: 1}},
		"the studio has":        {position: at(openingPosition, ""), resources: resources{Memory: 1 << 40}},
	} {
		if _, err := r.submit(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestAnalyzeSmall begins an analysis in a studio with little memory, without naming any.
func TestAnalyzeSmall(t *testing.T) {
	s := quietServer(t, Options{Memory: 4 << 20})
	if j := beginAnalysis(t, s, openingPosition, analyzeRequest{timed: timed{0.01}}); s.queue.free != 2<<20 {
		t.Errorf("%+v: %d bytes are free", j, s.queue.free)
	}
}

// TestAnalyzeReplaced walks through positions: each analysis takes the place of the one before it,
// which is forgotten, and all share an engine. At the end all memory is free again.
func TestAnalyzeReplaced(t *testing.T) {
	s := quietServer(t, Options{})
	id, hour := "", timed{time.Hour.Seconds()}
	for i, position := range []string{openingPosition, strings.Replace(openingPosition, "g", "s", 1), openingPosition} {
		j := beginAnalysis(t, s, position, analyzeRequest{Replaces: id, timed: hour})
		if _, _, err := s.queue.look(id); id != "" && !errors.Is(err, errNoJob) {
			t.Errorf("the analysis that was replaced is still there: %v", err)
		}
		id = j.ID
		j = await(t, s, id, func(j Job) bool { return len(j.Lines) == defaultLines && *j.Lines[0].Depth > 1 })
		chance, gold := *j.Lines[0].Chance, *j.Lines[0].Gold
		if want := map[bool]float64{true: gold, false: 1 - gold}[position[0] == 'g']; chance-want > 1e-3 || want-chance > 1e-3 || j.Nodes == 0 {
			t.Errorf("position %d: %+v", i, j)
		}
		if all := s.queue.list(); len(all) != 1 {
			t.Errorf("%d jobs", len(all))
		}
	}
	if _, err := s.queue.halt(id); err != nil {
		t.Error(err)
	}
	if j := await(t, s, id, isDone); len(j.Lines) != defaultLines || j.Result.Says == "" {
		t.Errorf("stopped: %+v", j)
	}
	engine := s.queue.engine.engine
	if s.queue.free != 48<<20 {
		t.Errorf("%d bytes are free", s.queue.free)
	}
	j := beginAnalysis(t, s, openingPosition, analyzeRequest{timed: timed{0.01}})
	await(t, s, j.ID, isDone)
	if s.queue.engine.engine != engine {
		t.Error("a new engine was made")
	}
	// Another number of lines needs no other engine; other memory does.
	j = beginAnalysis(t, s, openingPosition, analyzeRequest{Lines: 1, resources: resources{Memory: 20 << 20}, timed: timed{0.01}})
	if j = await(t, s, j.ID, isDone); len(j.Lines) != 1 || s.queue.engine.engine == engine || s.queue.free != 44<<20 {
		t.Errorf("%+v, %d bytes are free", j, s.queue.free)
	}
	// Memory that is counted stays counted, where another amount of it has the same tables.
	j = beginAnalysis(t, s, openingPosition, analyzeRequest{Lines: 1, resources: resources{Memory: 20<<20 + 1}, timed: timed{0.01}})
	if await(t, s, j.ID, isDone); s.queue.free != 44<<20-1 {
		t.Errorf("%d bytes are free", s.queue.free)
	}
	// A job that needs all of the memory gets it.
	all := &playRequest{position: position{Study: &Study{Position: openingPosition}}, resources: resources{Memory: 64 << 20, Threads: 1}, timed: timed{0.01}}
	played, err := all.submit(s)
	require.NoError(t, err)
	if await(t, s, played.ID, isDone); s.queue.engine != nil || s.queue.free != 64<<20 {
		t.Errorf("%d bytes are free", s.queue.free)
	}
	other := analyzeRequest{position: position{Study: &Study{Position: openingPosition}}, Replaces: played.ID}
	if _, err := other.submit(s); !errors.Is(err, errReplaced) {
		t.Errorf("another job is replaced: %v", err)
	}
}

// TestAnalyzeForgotten ends an analysis that was replaced, in a list that is full: it alone is
// forgotten.
func TestAnalyzeForgotten(t *testing.T) {
	q := newTestQueue(t, 64)
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range maxFinished + 1 {
		j := &job{id: q.nextID(), state: done, replaced: i == maxFinished}
		q.jobs[j.id], q.order = j, append(q.order, j)
	}
	first, last := q.order[0], q.order[maxFinished]
	q.forget()
	if len(q.order) != maxFinished || len(q.jobs) != maxFinished || q.order[0] != first || q.jobs[last.id] != nil {
		t.Errorf("%d jobs are left, the first is %s", len(q.order), q.order[0].id)
	}
}
