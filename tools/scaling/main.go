//go:build unix

// Command scaling says what more workers of a cluster would do for a set of questions, and where
// the coordinator or the server becomes the limit. It simulates runs (cluster.Simulate): with the
// plan of real runs, whose processor time it measures on this machine, and with costs of messages
// that a benchmark has measured. It prints tables in Markdown.
//
//	go run ./tools/scaling                                 # questions of 5 ms, 100 ms, 1 s and 10 s
//	go run ./tools/scaling -times answers.jsonl -check 0.6 # as long as in a real run
//	go run ./tools/scaling -takes 1s -untrusted -round-trip 20ms -lifetime 1h
//	go run ./tools/scaling -proof -takes 1s                # one position, by proof-number search over jobs
//
// The costs are those of docs/cluster.md, or those of your machine:
//
//	go test ./cluster -run '^$' -bench Costs -benchtime 1x -count 5 > costs.txt
//	go run ./tools/scaling -costs costs.txt
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"strconv"
	"strings"
	"syscall"
	"time"

	"goalproof/cluster"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("scaling: ")
	s := scaling{costs: measured}
	flag.StringVar(&s.takes, "takes", "5ms,100ms,1s,10s", "what questions take, a table for each")
	flag.StringVar(&s.times, "times", "", "`file` with what each question took: the JSON of verify or review, or a number of seconds on each line")
	flag.IntVar(&s.questions, "questions", 20_000, "questions of a run")
	flag.Float64Var(&s.check, "check", 0, "checking an answer, as a share of what the question takes")
	flag.StringVar(&s.workers, "workers", "1,2,4,8,16,64,256,1024", "numbers of workers, a row for each")
	flag.IntVar(&s.slots, "slots", 1, "questions that a worker answers at the same time")
	flag.IntVar(&s.cores, "cores", 4, "cores of the coordinator")
	flag.BoolVar(&s.untrusted, "untrusted", false, "each answer is given twice")
	flag.DurationVar(&s.roundTrip, "round-trip", 500*time.Microsecond, "between the server and other machines")
	flag.DurationVar(&s.lifetime, "lifetime", 0, "how long a worker runs on average before it is killed; 0: none is")
	costs := flag.String("costs", "", "`file` with what BenchmarkCosts of package cluster has printed")
	proof := flag.Bool("proof", false, "simulate a proof-number search over jobs in place of a set of questions")
	flag.Parse()
	err := s.refuse()
	if err == nil && *costs != "" {
		s.costs, err = readCosts(*costs)
	}
	show := s.set
	if *proof {
		show = s.proofs
	}
	if err == nil {
		err = s.each(show)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// measured are the costs of docs/cluster.md: medians of several runs, on two cores.
var measured = cluster.Costs{
	ServerGroup: 282 * time.Microsecond, ServerQuestion: 68 * time.Microsecond,
	Group: 241 * time.Microsecond, Question: 61 * time.Microsecond,
	WorkerGroup: 217 * time.Microsecond, WorkerQuestion: 54 * time.Microsecond,
	Sign: 9 * time.Microsecond, Heard: 9 * time.Microsecond,
	Commit: 514 * time.Microsecond, Keep: 131 * time.Microsecond, Deliver: 79 * time.Microsecond,
}

// scaling holds the flags.
type scaling struct {
	takes, times, workers   string
	questions, slots, cores int
	check                   float64
	untrusted               bool
	roundTrip, lifetime     time.Duration
	costs                   cluster.Costs
}

// refuse returns an error for flags out of range.
func (s *scaling) refuse() error {
	switch {
	case flag.NArg() > 0:
		return fmt.Errorf("%q is no flag", flag.Arg(0))
	case s.questions < 1 || s.questions > 10_000_000:
		return fmt.Errorf("-questions %d: from 1 to 10,000,000", s.questions)
	case s.slots < 1 || s.slots > 4096:
		return fmt.Errorf("-slots %d: from 1 to 4096", s.slots)
	case s.cores < 2 || s.cores > 4096:
		return fmt.Errorf("-cores %d: from 2, one of them for the plan and the record, to 4096", s.cores)
	case !(s.check >= 0 && s.check <= 100):
		return fmt.Errorf("-check %v: from 0 to 100", s.check)
	case s.roundTrip < 0 || s.roundTrip > time.Minute:
		return fmt.Errorf("-round-trip %v: from 0 to a minute", s.roundTrip)
	case s.lifetime != 0 && (s.lifetime < time.Second || s.lifetime > 10_000*time.Hour):
		return fmt.Errorf("-lifetime %v: 0, or from a second to 10,000 hours", s.lifetime)
	}
	return nil
}

// counts returns the numbers of workers.
func (s *scaling) counts() (all []int, err error) {
	for text := range strings.SplitSeq(s.workers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 10_000 {
			return nil, fmt.Errorf("-workers %s: numbers from 1 to 10,000, with commas between them", s.workers)
		}
		all = append(all, n)
	}
	return all, nil
}

// sample is what questions take, from which those of a run are drawn.
type sample struct {
	name  string
	times []time.Duration
}

// samples returns what the questions take.
func (s *scaling) samples() (all []sample, err error) {
	if s.times != "" {
		times, err := readTimes(s.times)
		return []sample{{fmt.Sprintf("as in %s, %.3g s on average", s.times, mean(times)), times}}, err
	}
	for text := range strings.SplitSeq(s.takes, ",") {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 || d > 24*time.Hour {
			return nil, fmt.Errorf("-takes %s: times up to a day, such as 100ms, with commas between them", s.takes)
		}
		all = append(all, sample{text + " each", []time.Duration{d}})
	}
	return all, nil
}

// mean returns a mean in seconds.
func mean(times []time.Duration) (sum float64) {
	for _, t := range times {
		sum += t.Seconds()
	}
	return sum / float64(max(len(times), 1))
}

// each shows something of each sample.
func (s *scaling) each(show func(sample, []int)) error {
	counts, err := s.counts()
	if err != nil {
		return err
	}
	samples, err := s.samples()
	if err != nil {
		return err
	}
	for _, x := range samples {
		show(x, counts)
	}
	return nil
}

// set shows what more workers do for a set of questions.
func (s *scaling) set(x sample, counts []int) {
	tasks := s.tasks(x)
	trust := "trusted"
	if s.untrusted {
		trust = "not trusted"
	}
	fmt.Printf("%d questions, %s, workers %s:\n\n", len(tasks), x.name, trust)
	fmt.Println("| workers | seconds | times as fast | of the ideal | desk busy | other cores busy | server busy | end of the run, seconds |")
	fmt.Println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, n := range counts {
		o := cluster.Simulate(s.scenario(n, tasks))
		if o.Failed > 0 {
			fmt.Printf("| %d | not said: %d questions have no answer, since workers do not live for as long as they take |\n", n, o.Failed)
			continue
		}
		fmt.Println(s.row(n, o))
	}
	fmt.Println()
}

// scenario returns a run with so many workers.
func (s *scaling) scenario(workers int, tasks []cluster.Task) cluster.Scenario {
	c := cluster.Scenario{Tasks: tasks, Workers: workers, Slots: s.slots, Cores: s.cores, RoundTrip: s.roundTrip, Lifetime: s.lifetime, Costs: s.costs, Meter: used}
	if s.untrusted {
		c.Trust = cluster.Untrusted
	}
	return c
}

// tasks draws the questions of a run.
func (s *scaling) tasks(from sample) []cluster.Task {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([]cluster.Task, s.questions)
	for i := range all {
		takes := from.times[r.IntN(len(from.times))]
		all[i] = cluster.Task{Takes: takes, Check: time.Duration(s.check * float64(takes))}
	}
	return all
}

// row is a row of a table. Busy is the share of the time.
func (s *scaling) row(workers int, o cluster.Outcome) string {
	fast := o.Work.Seconds() / o.Elapsed.Seconds()
	share := func(d time.Duration, of int) float64 { return 100 * d.Seconds() / o.Elapsed.Seconds() / float64(of) }
	return fmt.Sprintf("| %d | %.1f | %.3g | %.0f %% | %.0f %% | %.0f %% | %.0f %% | %.1f |", workers, o.Elapsed.Seconds(), fast,
		100*fast/float64(workers*s.slots), share(o.Desk, 1), share(o.Other, s.cores-1), share(o.Server, 1), o.Tail.Seconds())
}

// used returns the processor time that this process has used.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		log.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
