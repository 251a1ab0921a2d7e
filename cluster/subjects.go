package cluster

import (
	"encoding/json"
	"regexp"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The streams, and the bucket of the object store: see the documentation of the package.
const (
	jobsStream    = "goalproof-jobs"
	answersStream = "goalproof-answers"
	inputsBucket  = "goalproof-inputs"
)

// Subjects of a worker, a run, the number of a group of questions, and a part of its answers.
func jobSubject(worker, run, number string) string {
	return "goalproof.job." + worker + "." + run + "." + number
}
func answerSubject(worker, run, number, part string) string {
	return "goalproof.answer." + worker + "." + run + "." + number + "." + part
}
func aliveSubject(worker string) string { return "goalproof.alive." + worker }
func toldSubject(worker string) string  { return "goalproof.told." + worker }

// callSubject is where a coordinator asks workers for a sign of life.
const callSubject = "goalproof.call"

func runSubject(run string) string       { return "goalproof.run." + run }
func adminSubject(request string) string { return "goalproof.admin." + request }

// inbox returns the prefix of the subjects at which a user receives replies.
func inbox(user string) string { return "_INBOX." + user }

// Coordinator is the name of the user that puts questions.
const Coordinator = "coordinator"

// CheckName returns an error if a text cannot be the name of a worker.
func CheckName(name string) error {
	if !nameForm.MatchString(name) || name == Coordinator || name == serverUser {
		return &nameError{name}
	}
	return nil
}

type nameError struct{ name string }

func (e *nameError) Error() string {
	return "\"" + e.name + "\" is no name of a worker: it has up to 40 letters, digits, - and _, and is not " + Coordinator + " or " + serverUser
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// Limits bound what the server keeps, in bytes.
type Limits struct {
	Message int32 // of one message
	Jobs    int64 // of all jobs that wait
	Answers int64 // of all answers that wait
	Inputs  int64 // of all inputs
}

// redelivery is how long a job may go without a sign from the process that has it, before another
// process of the worker gets it. Signs come three times as often.
const redelivery = 12 * time.Second

// beat is the time between two signs of life of a worker or a run.
const beat = 2 * time.Second

// mostAge is how long a message waits at most. Answers that come after the end of their run wait for
// nobody.
const mostAge = 7 * 24 * time.Hour

// streams returns the streams.
func streams(l Limits) []jetstream.StreamConfig {
	queue := func(name, subject string, bytes int64) jetstream.StreamConfig {
		return jetstream.StreamConfig{
			Name: name, Subjects: []string{subject}, Storage: jetstream.FileStorage, Retention: jetstream.WorkQueuePolicy,
			Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true, MaxBytes: bytes, MaxMsgSize: l.Message, MaxAge: mostAge,
		}
	}
	return []jetstream.StreamConfig{
		queue(jobsStream, "goalproof.job.>", l.Jobs),
		queue(answersStream, "goalproof.answer.>", l.Answers),
	}
}

// jobsConsumer returns the consumer of the jobs of a worker. The server makes it, with the key.
func jobsConsumer(worker string) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable: worker, FilterSubject: jobSubject(worker, "*", "*"), AckPolicy: jetstream.AckExplicitPolicy, AckWait: redelivery,
	}
}

// Alive is what a process of a worker says every two seconds, on the subject of its worker.
type Alive struct {
	Process   string    `json:"process"` // a random name
	Host      string    `json:"host"`
	Version   string    `json:"version"`
	Signature string    `json:"signature"` // of version, rules, keys and bench counts
	Slots     int       `json:"slots"`     // questions at the same time
	Memory    uint64    `json:"memory"`    // for each of them, in bytes
	Running   []Running `json:"running"`
	Answered  int       `json:"answered"` // questions since its start
	Seconds   float64   `json:"seconds"`  // since its start
	Leaving   bool      `json:"leaving"`  // it takes no more
}

// What a sign of life may be: its length in bytes, its texts in bytes, and how many processes a
// worker may have. A process that is further from the truth than that is not heard.
const (
	mostAlive     = 1 << 20
	mostName      = 256
	mostProcesses = 1024
)

// readAlive reads a sign of life, and reports whether it can be one.
func readAlive(data []byte) (a Alive, ok bool) {
	if len(data) > mostAlive || json.Unmarshal(data, &a) != nil || !nameForm.MatchString(a.Process) ||
		max(len(a.Host), len(a.Version), len(a.Signature)) > mostName || a.Slots < 1 || a.Slots > mostSlots || len(a.Running) > a.Slots {
		return a, false
	}
	for _, r := range a.Running {
		if !nameForm.MatchString(r.Run) || !nameForm.MatchString(r.Number) {
			return a, false
		}
	}
	return a, true
}

// Running is a group of questions at work.
type Running struct {
	Run     string  `json:"run"`
	Number  string  `json:"number"`
	Seconds float64 `json:"seconds"`
}

// Progress is what a run says every two seconds.
type Progress struct {
	Run      string    `json:"run"`
	Command  string    `json:"command"` // the command line
	Kind     string    `json:"kind"`
	Version  string    `json:"version"`
	Started  time.Time `json:"started"`
	Waiting  int       `json:"waiting"`  // questions that have been read and not been put
	Running  int       `json:"running"`  // that have been put
	Answered int       `json:"answered"` // accepted, in earlier processes, too
	Failed   int       `json:"failed"`
	Total    int       `json:"total"`        // 0: not known yet
	Rate     float64   `json:"per_second"`   // questions answered lately
	Left     float64   `json:"seconds_left"` // 0: not known
	Shut     []string  `json:"shut_out"`     // workers that lied
	Ended    bool      `json:"ended"`        // all is answered
	Stopped  bool      `json:"stopped"`      // its command has ended before that
	Host     string    `json:"host"`         // where the command runs
	Dir      string    `json:"dir"`          // of its answers, there
}

// Worker is a worker as the keeper of the keys knows it.
type Worker struct {
	Name    string    `json:"name"`
	Key     string    `json:"key"` // public
	Revoked bool      `json:"revoked"`
	Alive   []Alive   `json:"processes"`
	Since   time.Time `json:"since"` // when the key was made
}

// Status is all that is known of a cluster.
type Status struct {
	Version     string      `json:"version"`   // of the server
	Address     string      `json:"address"`   // for other machines; for this one, if they cannot reach it
	Elsewhere   bool        `json:"elsewhere"` // other machines can reach it
	Workers     []Worker    `json:"workers"`
	Runs        []RunStatus `json:"runs"`
	JobBytes    uint64      `json:"job_bytes"`         // waiting at the server
	AnswerBytes uint64      `json:"answer_bytes"`      // the same
	Trouble     string      `json:"trouble,omitempty"` // such as a full disk
}

// RunStatus is a run, and whether its coordinator was heard lately.
type RunStatus struct {
	Progress
	Heard bool `json:"heard"`
}
