package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Trust says what an answer takes to count.
type Trust int

const (
	// Trusted workers are the coordinator's own machines. Wins come with certificates, which are
	// checked. One in a hundred answers, and the first one of each worker, is given twice.
	Trusted Trust = iota
	// Untrusted workers are anybody's: every answer is given twice, by two workers or by the
	// coordinator itself, and counts if the two are the same.
	Untrusted
)

// sampleOf is how many answers of trusted workers there are to one that is given twice.
const sampleOf = 100

// RunOptions describe a run.
type RunOptions struct {
	Dir       string // of the answers; a run that was interrupted goes on there
	Command   string // the command line, for people
	Kind      Kind
	Options   []byte // of the questions
	Asked     []byte // what else makes it another run, such as the arguments of the command
	Version   string
	Signature string
	Trust     Trust
	Total     int               // questions, 0 if that is not known
	Memory    uint64            // for an answer of the coordinator's own, in bytes
	Inputs    Inputs            // of the coordinator
	Say       func(text string) // tells a person
}

// Run is a run: questions that are answered on the machines of a cluster. Its answers stand in a
// directory.
type Run struct {
	RunOptions
	c        *Conn
	record   *record
	keys     publicKeys
	need     uint64 // memory for an answer, in bytes
	complete bool   // all has been asked, answered and delivered
	broken   error  // why it has not been, if nobody wanted that
	false    int    // answers that were delivered before they were found to be false
	early    int    // of these, those that an earlier process was given
	talked   bool   // see Talk
}

// Begin begins a run, or goes on with the one in its directory.
func Begin(ctx context.Context, c *Conn, o RunOptions) (*Run, error) {
	if o.Kind.Varies && o.Trust == Untrusted {
		return nil, ErrVaries
	}
	need, err := o.Kind.Memory(o.Options)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", o.Options, o.Asked))
	rec, err := openRecord(ctx, o.Dir, fmt.Sprintf("%s %s %s", o.Kind.Name, o.Signature, hex.EncodeToString(sum[:])))
	if err != nil {
		return nil, err
	}
	r := &Run{RunOptions: o, c: c, record: rec, need: need, keys: publicKeys{c: c}}
	if _, err := r.consumer(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("the server takes no run, perhaps since its disk is full (goalproof cluster status says so); when that is mended, run the command again: %w", err), rec.close())
	}
	if err := r.keys.ask(ctx); err != nil {
		return nil, errors.Join(err, rec.close())
	}
	if o.Trust == Untrusted { // an earlier process may have trusted the workers
		if err := rec.dropUnconfirmed(ctx); err != nil {
			return nil, errors.Join(err, rec.close())
		}
	}
	switch n := len(rec.have); n {
	case 0:
	case 1:
		r.Say("going on with a run that was interrupted: one question is answered")
	default:
		r.Say(fmt.Sprintf("going on with a run that was interrupted: %d questions are answered", n))
	}
	return r, nil
}

// ErrVaries is the error of questions whose answers vary, put to workers that are not trusted.
var ErrVaries = errors.New("the answers vary, so two workers need not agree: the workers must be trusted")

// consumer makes the consumer of the answers, or finds it.
func (r *Run) consumer(ctx context.Context) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*beat)
	defer cancel()
	return r.c.JS.CreateOrUpdateConsumer(ctx, answersStream, jetstream.ConsumerConfig{
		Durable: r.record.run, FilterSubject: answerSubject("*", r.record.run, "*", "*"), AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: 30 * time.Second, MaxDeliver: -1, MaxAckPending: -1,
	})
}

// ErrFalse is the error of a run in which answers were delivered that then proved to be false, by
// this process or an earlier one. They are right when the same questions are asked again.
var ErrFalse = errors.New("false answers were delivered")

// Close ends the run. If all was answered and delivered, its directory is removed, so what follows
// from the answers must be on the disk. The error may be that the directory can no longer be
// written, so that answers are missing, or wrap [ErrFalse].
func (r *Run) Close() error {
	wrong := r.wrong()
	if !r.complete {
		return errors.Join(r.broken, wrong, r.record.close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*beat)
	defer cancel()
	r.purgeAll(ctx)
	r.c.JS.DeleteConsumer(ctx, answersStream, r.record.run)
	if wrong != nil {
		return errors.Join(wrong, r.record.forget(ctx), r.record.close())
	}
	return r.record.remove()
}

// Complete reports whether all has been asked, answered and delivered.
func (r *Run) Complete() bool { return r.complete }

// wrong returns an error that wraps [ErrFalse] if false answers were delivered, or may have been:
// what is not asked again cannot be compared.
func (r *Run) wrong() error {
	early := r.early
	if r.complete && !r.talked {
		early += len(r.record.dropped)
	}
	switch now := r.false - r.early; {
	case now > 0:
		return fmt.Errorf("%w: %d, by a worker that lied: run the command again, which prints the right ones", ErrFalse, now+early)
	case early > 0:
		return fmt.Errorf("%w, or may have been, before this run was interrupted: %d, by workers that lied or are not trusted any more; what is printed now is right", ErrFalse, early)
	}
	return nil
}

// purgeAll removes from the server what is left of the run.
func (r *Run) purgeAll(ctx context.Context) {
	r.purge(ctx, jobsStream, jobSubject("*", r.record.run, "*"))
	r.purge(ctx, answersStream, answerSubject("*", r.record.run, "*", "*"))
}

// purge removes messages from a stream, if it can.
func (r *Run) purge(ctx context.Context, stream, subject string) {
	ctx, cancel := context.WithTimeout(ctx, 2*beat)
	defer cancel()
	if s, err := r.c.JS.Stream(ctx, stream); err == nil {
		s.Purge(ctx, jetstream.WithPurgeSubject(subject))
	}
}

// Ask puts the questions of the run, see [Asker]. It is called once.
func (r *Run) Ask(ctx context.Context, questions iter.Seq[[]byte], check func(question, answer []byte) error) iter.Seq[Answer] {
	return r.answers(ctx, independent(questions), check, false)
}

// independent returns questions that wait for no answer, and so need no context.
func independent(questions iter.Seq[[]byte]) func(context.Context) iter.Seq[[]byte] {
	return func(context.Context) iter.Seq[[]byte] { return questions }
}

// Talk puts questions that depend on earlier answers. It takes a question when a worker is about to
// be free, and yields the answers as they come, in no order: first those that an earlier process was
// given, whether they are asked for or not. When a worker has lied, its answers come again, as void,
// unless somebody confirmed them. Talk ends when the questions end, and the first answers of trusted
// workers are confirmed; others that are missing then are of no use. The questions end when their
// context is done, also while they wait for an answer: it is done when there will be none. A question
// may be put a second time once it was answered and that is void. It is called once, in place of Ask.
func (r *Run) Talk(ctx context.Context, questions func(context.Context) iter.Seq[[]byte], check func(question, answer []byte) error) iter.Seq[Answer] {
	return r.answers(ctx, questions, check, true)
}

func (r *Run) answers(ctx context.Context, questions func(context.Context) iter.Seq[[]byte], check func(question, answer []byte) error, talk bool) iter.Seq[Answer] {
	return func(yield func(Answer) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		d := newDesk(r, check)
		d.talk, r.talked = talk, talk
		if talk {
			d.loose = slices.Sorted(maps.Keys(r.record.have))
		}
		ended := make(chan error, 1)
		go func() { ended <- d.run(ctx, questions) }()
		defer func() {
			cancel()
			for range d.out { // until the desk has ended
			}
			<-ended
		}()
		for a := range d.out {
			if !yield(a) {
				return
			}
		}
		err := <-ended
		ended <- nil
		if r.complete = err == nil; ctx.Err() == nil {
			r.broken = err
		}
	}
}

// sampled reports whether an answer is given twice. Nobody else knows.
func (r *Run) sampled(id string) bool {
	sum := sha256.Sum256([]byte(r.record.secret + id))
	return (int(sum[0])<<8|int(sum[1]))%sampleOf == 0
}

// publicKeys are the keys of the workers, as the keeper of the keys has told them lately. Several
// goroutines may use them.
type publicKeys struct {
	c *Conn

	mu     sync.Mutex
	keys   map[string]string // by the names of workers that were not revoked
	asked  time.Time
	failed error // why they were not told then
}

// of returns the key of a worker, "" if it has none. Those of all workers are asked for again if
// they are older than age, or this one is missing, but twice a second at most. Where the keeper
// does not answer, those that it told last hold, and the error says that. It is errJustAsked if the
// key is missing and was not asked for now.
func (p *publicKeys) of(ctx context.Context, worker string, age time.Duration) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.keys[worker] == "" {
		age = 0
	}
	if time.Since(p.asked) > max(age, beat/4) {
		p.failed = p.askLocked(ctx)
	} else if age == 0 && p.failed == nil && p.keys[worker] == "" {
		return "", errJustAsked
	}
	return p.keys[worker], p.failed
}

// errJustAsked says that the keys were asked for before the worker may have been added.
var errJustAsked = errors.New("the keys were asked for just now")

// ask asks for the keys. The error is that of [Conn.Workers].
func (p *publicKeys) ask(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.askLocked(ctx)
}

func (p *publicKeys) askLocked(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*beat)
	defer cancel()
	all, err := p.c.Workers(ctx)
	p.asked = time.Now()
	if err != nil {
		return err
	}
	p.keys = map[string]string{}
	for _, w := range all {
		if !w.Revoked {
			p.keys[w.Name] = w.Key
		}
	}
	return nil
}
