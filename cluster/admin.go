package cluster

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Requests to the server, which keeps the keys. Each carries a signature of the coordinator's key,
// in a header: the server sends the replies to requests wherever they ask, also to these subjects,
// and what a reply says is in part chosen by the worker that asked.
const (
	statusRequest  = "status"
	workersRequest = "workers"
	addRequest     = "add"
	revokeRequest  = "revoke"
	dropRequest    = "drop"

	signatureHeader = "Signature" // in base64, of the subject, a line feed and the message
)

// adminQuestion is a request.
type adminQuestion struct {
	Name   string `json:"name,omitempty"`   // of a worker, or a run
	Reason string `json:"reason,omitempty"` // to revoke or to drop it
	Key    string `json:"key,omitempty"`    // of the worker that is added, public
}

// adminAnswer is what comes back.
type adminAnswer struct {
	Error   string   `json:"error,omitempty"`
	Status  *Status  `json:"status,omitempty"`
	Workers []Worker `json:"workers,omitempty"`
	Todo    string   `json:"todo,omitempty"` // for a person
}

// RequestError is a request that the server has declined, with its reason.
type RequestError struct{ Reason string }

func (e *RequestError) Error() string { return e.Reason }

// Status returns all that the server knows of the cluster. As for all requests, the key must be
// that of the coordinator. The error says that the server does not answer, or is a [RequestError].
func (c *Conn) Status(ctx context.Context) (Status, error) {
	a, err := c.request(ctx, statusRequest, adminQuestion{})
	if err != nil {
		return Status{}, err
	}
	if a.Status == nil {
		return Status{}, errors.New("the server has answered without a status: it is of another version")
	}
	return *a.Status, nil
}

// Workers returns the workers that have keys, also those that were revoked, without their processes.
func (c *Conn) Workers(ctx context.Context) ([]Worker, error) {
	a, err := c.request(ctx, workersRequest, adminQuestion{})
	return a.Workers, err
}

// Add lets a worker in that has a key: see [NewKey]. The server gets the public half alone. Where
// others run the NATS server, the connection reports what must be changed in its configuration
// before the worker can connect.
func (c *Conn) Add(ctx context.Context, key Key) error {
	_, err := c.request(ctx, addRequest, adminQuestion{Name: key.Name, Key: key.Public()})
	return err
}

// Revoke shuts a worker out: its processes are disconnected, its jobs and its answers that wait are
// deleted. Where others run the NATS server, the processes stay connected until its configuration
// is changed, which the connection reports; runs put no questions to them and refuse their answers.
func (c *Conn) Revoke(ctx context.Context, worker, why string) error {
	_, err := c.request(ctx, revokeRequest, adminQuestion{Name: worker, Reason: why})
	return err
}

// Drop has the server forget a run, and deletes its jobs and answers that wait. What the
// coordinator has in its files stays.
func (c *Conn) Drop(ctx context.Context, run, why string) error {
	_, err := c.request(ctx, dropRequest, adminQuestion{Name: run, Reason: why})
	return err
}

// request sends a request and waits for the answer.
func (c *Conn) request(ctx context.Context, what string, q adminQuestion) (a adminAnswer, err error) {
	if c.Key.Name != Coordinator {
		return a, fmt.Errorf("the key of %s may not do this: use that of the coordinator, the file %s in the directory of goalproof serve", c.Key.Name, coordinatorFile)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	m := nats.NewMsg(adminSubject(what))
	if m.Data, err = json.Marshal(q); err != nil {
		return a, err
	}
	signature, err := c.Key.Sign(signed(m))
	if err != nil {
		return a, err
	}
	m.Header.Set(signatureHeader, base64.StdEncoding.EncodeToString(signature))
	reply, err := c.NATS.RequestMsgWithContext(ctx, m)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return a, fmt.Errorf("%s carries messages, but nothing answers that keeps the keys: start goalproof serve --external %[1]s", c.address)
	case err != nil:
		return a, fmt.Errorf("%s does not answer: %w", c.address, err)
	}
	if err := json.Unmarshal(reply.Data, &a); err != nil {
		return a, fmt.Errorf("%s answers what is no answer: %w", c.address, err)
	}
	if a.Error != "" {
		return a, &RequestError{a.Error}
	}
	if a.Todo != "" {
		c.report(a.Todo)
	}
	return a, nil
}

// signed returns what the signature of a request is of.
func signed(m *nats.Msg) []byte { return append([]byte(m.Subject+"\n"), m.Data...) }

// answer answers a request.
func (s *Server) answer(m *nats.Msg) {
	a, err := s.do(m)
	if err != nil {
		a = adminAnswer{Error: err.Error()}
	}
	text, err := json.Marshal(a)
	if most := s.conn.NATS.MaxPayload(); err == nil && int64(len(text)) > most {
		text, err = json.Marshal(adminAnswer{Error: fmt.Sprintf("the answer has %d KiB, and a message at most %d: --max-message of goalproof serve, or max_payload of your own server, allows longer ones", len(text)>>10, most>>10)})
	}
	s.reportError(err)
	if m.Reply != "" {
		_ = m.Respond(text) // the one who asked may be gone
	}
}

// do does what a request asks.
func (s *Server) do(m *nats.Msg) (a adminAnswer, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
	defer cancel()
	signature, err := base64.StdEncoding.DecodeString(m.Header.Get(signatureHeader))
	if err != nil || Verify(s.keys.coordinator.Public(), signed(m), signature) != nil {
		return a, errors.New("requests must be signed with the coordinator's key")
	}
	var q adminQuestion
	if err := json.Unmarshal(m.Data, &q); err != nil {
		return a, fmt.Errorf("the request is no request: %w", err)
	}
	switch what := lastToken(m.Subject); what {
	case statusRequest:
		a.Status = s.status(ctx)
	case workersRequest:
		a.Workers = s.keys.list() // without their processes, which may be too many for a message
	case addRequest:
		err = s.add(ctx, q.Name, q.Key)
		a.Todo = s.todo(what, q.Name)
	case revokeRequest:
		err = s.revoke(ctx, q.Name, q.Reason)
		a.Todo = s.todo(what, q.Name)
	case dropRequest:
		err = s.drop(ctx, q.Name, q.Reason)
	default:
		err = fmt.Errorf("there is no request %q: the server is of another version", what)
	}
	return a, err
}

// workers returns the workers with their processes.
func (s *Server) workers() []Worker {
	all := s.keys.list()
	for i := range all {
		all[i].Alive = []Alive{}
		if !all[i].Revoked {
			all[i].Alive = s.alive.of(all[i].Name)
		}
	}
	return all
}

// status returns all that is known.
func (s *Server) status(ctx context.Context) *Status {
	elsewhere := s.AddressElsewhere()
	st := &Status{Version: s.options.Version, Address: cmp.Or(elsewhere, s.address), Elsewhere: elsewhere != "", Workers: s.workers(), Runs: s.runs.list()}
	if text := s.trouble.Load(); text != nil {
		st.Trouble = *text
	}
	for name, bytes := range map[string]*uint64{jobsStream: &st.JobBytes, answersStream: &st.AnswerBytes} {
		if s.unwell() {
			break // the trouble says so
		}
		stream, err := s.conn.JS.Stream(ctx, name)
		if err == nil {
			*bytes = stream.CachedInfo().State.Bytes
		}
	}
	return st
}

// add lets a worker in.
func (s *Server) add(ctx context.Context, name, public string) error {
	if err := s.keys.add(name, public); err != nil {
		return err
	}
	if err := s.reload(); err != nil {
		return err
	}
	if err := s.keys.note(addRequest, name, ""); err != nil {
		return err
	}
	return s.makeStreams(ctx)
}

// revoke shuts a worker out, then deletes what it has left.
func (s *Server) revoke(ctx context.Context, name, why string) error {
	if err := s.keys.revoke(name); err != nil {
		return err
	}
	if err := s.reload(); err != nil {
		return err
	}
	if err := s.keys.note(revokeRequest, name, why); err != nil {
		return err
	}
	if err := s.purge(ctx, name, "*"); err != nil {
		return err
	}
	return ignore(s.conn.JS.DeleteConsumer(ctx, jobsStream, name), jetstream.ErrConsumerNotFound)
}

// drop forgets a run and deletes its jobs and answers.
func (s *Server) drop(ctx context.Context, run, why string) error {
	if nameForm.FindString(run) == "" {
		return fmt.Errorf("%q is no name of a run; goalproof cluster status lists them", run)
	}
	for _, r := range s.runs.list() {
		if r.Run == run && r.Heard {
			return fmt.Errorf("the run %s is at work: stop its command first", run)
		}
	}
	if !s.runs.drop(run) {
		return fmt.Errorf("there is no run %q; goalproof cluster status lists them", run)
	}
	if err := s.purge(ctx, "*", run); err != nil {
		return err
	}
	if err := ignore(s.conn.JS.DeleteConsumer(ctx, answersStream, run), jetstream.ErrConsumerNotFound); err != nil {
		return err
	}
	if err := s.runs.save(); err != nil {
		return err
	}
	return s.keys.note(dropRequest, run, why)
}

// purge deletes the jobs and answers of a worker or a run.
func (s *Server) purge(ctx context.Context, worker, run string) error {
	for name, subject := range map[string]string{jobsStream: jobSubject(worker, run, "*"), answersStream: answerSubject(worker, run, "*", "*")} {
		stream, err := s.conn.JS.Stream(ctx, name)
		if err != nil {
			return err
		}
		if err := stream.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
			return err
		}
	}
	return nil
}

// reload gives the embedded server the list of users. It disconnects those who are no longer in it.
// For a NATS server that others run it writes the account, which they have to load.
func (s *Server) reload() error {
	if s.external() {
		return s.writeAccount()
	}
	s.reloading.Lock()
	defer s.reloading.Unlock()
	return s.nats.Load().ReloadOptions(s.serverOptions(s.listen.host, s.listen.port))
}

// ignore returns an error, but nil for the one that does no harm.
func ignore(err, harmless error) error {
	if errors.Is(err, harmless) {
		return nil
	}
	return err
}

// lastToken returns what a subject ends with.
func lastToken(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }
