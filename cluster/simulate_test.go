package cluster

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// costly are costs of the order that BenchmarkCosts finds on two cores.
var costly = Costs{
	ServerGroup: 240 * time.Microsecond, ServerQuestion: 85 * time.Microsecond, Group: 220 * time.Microsecond, Question: 60 * time.Microsecond,
	WorkerGroup: 200 * time.Microsecond, WorkerQuestion: 60 * time.Microsecond, Sign: 10 * time.Microsecond, Heard: 10 * time.Microsecond,
	Commit: 500 * time.Microsecond, Keep: 135 * time.Microsecond, Deliver: 90 * time.Microsecond,
}

// tasks are questions that take the same time each.
func tasks(n int, takes time.Duration) []Task {
	all := make([]Task, n)
	for i := range all {
		all[i].Takes = takes
	}
	return all
}

// TestSimulate simulates runs whose outcome is known.
func TestSimulate(t *testing.T) {
	simulate := func(s Scenario) Outcome {
		s.Slots, s.Cores = 1, 4
		return Simulate(s)
	}
	// Nothing costs anything: each of eight workers answers a hundred questions, a few are given twice.
	o := simulate(Scenario{Tasks: tasks(800, 2*time.Second), Workers: 8})
	if o.Work != 1600*time.Second || o.Elapsed < 200*time.Second || o.Elapsed > 215*time.Second || o.Given < 801 || o.Given > 840 || o.Own != 0 {
		t.Errorf("without costs: %+v", o)
	}
	// Each answer is given twice, so it takes twice as long.
	if twice := simulate(Scenario{Tasks: tasks(800, 2*time.Second), Workers: 8, Trust: Untrusted}); twice.Given < 1600 || twice.Elapsed < 400*time.Second || twice.Elapsed > 430*time.Second {
		t.Errorf("untrusted: %+v", twice)
	}
	// One worker that is not trusted: the coordinator answers everything, too.
	if alone := simulate(Scenario{Tasks: tasks(20, 2*time.Second), Workers: 1, Trust: Untrusted}); alone.Own != 40*time.Second {
		t.Errorf("alone: %+v", alone)
	}
	// A server that takes 10 ms for the messages of a group is done after 10 s at the earliest.
	if slow := simulate(Scenario{Tasks: tasks(1000, time.Second), Workers: 400, Costs: Costs{ServerGroup: 10 * time.Millisecond}}); slow.Server < 10*time.Second || slow.Elapsed < slow.Server {
		t.Errorf("a slow server: %+v", slow)
	}
	// Two cores check for 1 s each what takes 1 s.
	checked := tasks(200, time.Second)
	for i := range checked {
		checked[i].Check = time.Second
	}
	if o := simulate(Scenario{Tasks: checked, Workers: 100}); o.Other < 200*time.Second || o.Elapsed < o.Other/3 {
		t.Errorf("slow checks: %+v", o)
	}
	// A network on which a message takes 1 s: a slot waits two round trips between questions.
	if far := simulate(Scenario{Tasks: tasks(100, time.Second), Workers: 1, RoundTrip: 2 * time.Second}); far.Elapsed < 99*5*time.Second {
		t.Errorf("far away: %+v", far)
	}
	// Processes that live for 20 s lose what they have begun, and all is answered nevertheless.
	if dying := simulate(Scenario{Tasks: tasks(400, 2*time.Second), Workers: 8, Lifetime: 20 * time.Second}); dying.Elapsed < 110*time.Second || dying.Groups < 420 {
		t.Errorf("dying: %+v", dying)
	}
}

// TestForecast holds simulations against real runs with one to four workers, whose questions sleep:
// that is fair where workers share few cores. The simulated questions take what the real ones took.
// The time of the run differs by at most 15 % in one of three attempts, since other programs use
// the machine, too; that of a simulation with twice as many workers differs by more in all of them.
func TestForecast(t *testing.T) {
	if !boards.Deep {
		t.Skip("the tag deep holds simulations against real runs")
	}
	const tolerance = 0.15
	for _, takes := range []time.Duration{20 * time.Millisecond, 100 * time.Millisecond} {
		for _, workers := range []int{1, 2, 4} {
			name := fmt.Sprint(workers, " workers, ", takes)
			good := false
			for try := 0; try < 3 && !good; try++ {
				slept, elapsed := sleeping(t, workers, workers*int(6*time.Second/takes), takes)
				off := func(workers int) float64 {
					o := Simulate(Scenario{Tasks: slept, Workers: workers, Slots: 1, Cores: 2, Costs: costly})
					return o.Elapsed.Seconds()/elapsed.Seconds() - 1
				}
				t.Logf("%s: %v, simulated %+.1f %%, with twice as many workers %+.1f %%", name, elapsed, 100*off(workers), 100*off(2*workers))
				good = math.Abs(off(workers)) <= tolerance
				if off(2*workers) > -tolerance {
					t.Errorf("%s: the simulation does not tell them from twice as many", name)
				}
			}
			if !good {
				t.Errorf("%s: the simulation is off by more than 15 %%", name)
			}
		}
	}
}

// sleeping has questions answered that sleep, and returns what they took and what the run took.
func sleeping(t *testing.T, workers, questions int, takes time.Duration) (slept []Task, elapsed time.Duration) {
	t.Helper()
	f := newFarm(t)
	defer func() { f.stop(); f.wait.Wait() }()
	for i := range workers {
		f.work(fmt.Sprintf("worker-%d", i), squares{sleep: takes}.kind(), 1)
	}
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind())
	start := time.Now()
	for a := range r.Ask(t.Context(), upTo(questions), checkSquare) {
		require.NoError(t, a.Err)
		slept = append(slept, Task{Takes: a.Took})
	}
	elapsed = time.Since(start)
	require.NoError(t, r.Close())
	if len(slept) != questions {
		t.Fatalf("%d answers to %d questions", len(slept), questions)
	}
	return slept, elapsed
}
