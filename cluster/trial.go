package cluster

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// act is what a user does to a subject: "publish" or "receive".
type act struct{ verb, subject string }

// checkRun stands in place of a run in the subjects of messages that only try permissions.
const checkRun = "check"

// checkText is such a message. It is no JSON, so a server that takes it for a request declines it.
const checkText = `{"goalproof tries what a user may do"`

// duties returns what a user must be able to do.
func duties(name string) (all []act) {
	p := Permissions(name)
	for _, subject := range p.Publish.Allow {
		all = append(all, act{"publish", strings.NewReplacer("*", checkRun, ">", checkRun).Replace(subject)})
	}
	for _, subject := range p.Subscribe.Allow {
		all = append(all, act{"receive", subject})
	}
	return all
}

// trespasses returns what a worker must not do, to another worker among others.
func trespasses(w, other string) (all []act) {
	for _, subject := range []string{">", "*.*", "goalproof.>", "goalproof.answer.>", "goalproof.answer." + w + ".>", "goalproof.job.>", "goalproof.job." + w + ".>",
		runSubject("*"), aliveSubject("*"), adminSubject("*"), toldSubject(other), "_INBOX.>", inbox(other) + ".>", inbox(Coordinator) + ".>", "_INBOX.*.x", "$JS.>", "$SYS.>", "$O.>"} {
		all = append(all, act{"receive", subject})
	}
	publish := []string{
		answerSubject(other, checkRun, "1", "0"), jobSubject(w, checkRun, "1"), jobSubject(other, checkRun, "1"), aliveSubject(other), toldSubject(w), toldSubject(other), callSubject,
		runSubject(checkRun), adminSubject(statusRequest), adminSubject(revokeRequest), inbox(other) + ".x", inbox(Coordinator) + ".x", "anything",
		"$O." + inputsBucket + ".C." + checkRun, "$O." + inputsBucket + ".M." + checkRun,
		"$JS.ACK." + jobsStream + "." + other + ".1.1.1.1.1", "$JS.ACK." + answersStream + "." + checkRun + ".1.1.1.1.1",
		"$JS.API.INFO", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST", "$JS.API.CONSUMER.NAMES." + jobsStream, "$JS.API.CONSUMER.LIST." + inputsStream,
		"$JS.API.CONSUMER.MSG.NEXT." + jobsStream + "." + other, "$JS.API.CONSUMER.MSG.NEXT." + answersStream + "." + checkRun,
		"$JS.API.CONSUMER.CREATE." + inputsStream, "$JS.API.CONSUMER.CREATE." + inputsStream + ".x", "$JS.API.CONSUMER.DURABLE.CREATE." + inputsStream + ".x",
		"$SYS.REQ.USER.INFO", "$SYS.REQ.SERVER.PING", "$KV.x.y",
	}
	for _, stream := range []string{jobsStream, answersStream} {
		publish = append(publish, "$JS.API.STREAM.INFO."+stream, "$JS.API.DIRECT.GET."+stream+".goalproof.answer."+other+".run.2", "$JS.API.DIRECT.GET."+stream,
			"$JS.API.CONSUMER.CREATE."+stream+".x", "$JS.API.CONSUMER.CREATE."+stream+".x.goalproof.job."+w+".>", "$JS.API.CONSUMER.INFO."+stream+"."+other, "$JS.API.CONSUMER.DELETE."+stream+"."+w)
	}
	for _, stream := range []string{jobsStream, answersStream, inputsStream, "another"} {
		for _, verb := range []string{"CREATE", "UPDATE", "DELETE", "PURGE", "MSG.DELETE", "MSG.GET", "SNAPSHOT", "RESTORE"} {
			publish = append(publish, "$JS.API.STREAM."+verb+"."+stream)
		}
	}
	for _, subject := range publish {
		all = append(all, act{"publish", subject})
	}
	return all
}

// violation matches the error of a permission that is missing.
var violation = regexp.MustCompile(`(?i)permissions violation for (publish|subscription) to "([^"]+)"`)

// try does what a user tries, and returns what the server refuses of it. It waits until all of
// expected is refused, or for a second without a refusal: the server has sent them all by then.
func try(ctx context.Context, a address, key Key, acts, expected []act) (refused map[act]bool, err error) {
	refusals := make(chan act, 2*len(acts))
	c, err := connect(ctx, a, key, func(text string) {
		m := violation.FindStringSubmatch(text)
		if m == nil {
			return
		}
		verb := "publish"
		if strings.EqualFold(m[1], "subscription") {
			verb = "receive"
		}
		select {
		case refusals <- act{verb, m[2]}:
		default: // of a connection that was made again meanwhile
		}
	})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for _, x := range acts {
		if x.verb == "publish" {
			err = c.NATS.PublishRequest(x.subject, inbox(key.Name)+".x", []byte(checkText))
		} else {
			_, err = c.NATS.SubscribeSync(x.subject)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := c.NATS.FlushTimeout(connectTimeout); err != nil {
		return nil, err
	}
	refused = map[act]bool{}
	for slices.ContainsFunc(expected, func(x act) bool { return !refused[x] }) {
		select {
		case x := <-refusals:
			refused[x] = true
		case <-time.After(time.Second):
			return refused, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return refused, nil
}

// tryUser tries with a key what its user must and must not do, and returns where the server does
// otherwise. The error wraps [ErrRefused] if it does not know the key.
func (s *Server) tryUser(ctx context.Context, a address, key Key) (faults []string, err error) {
	must := duties(key.Name)
	mustNot := []act{{"publish", "anything"}} // does no harm, and shows that all refusals have come
	worker := key.Name != Coordinator && key.Name != serverUser
	if worker {
		mustNot = trespasses(key.Name, "another")
		for _, other := range s.keys.list() {
			if other.Name != key.Name {
				mustNot = append(mustNot, trespasses(key.Name, other.Name)...)
				break
			}
		}
	}
	refused, err := try(ctx, a, key, append(slices.Clone(must), mustNot...), mustNot)
	if err != nil {
		return nil, err
	}
	for _, x := range must {
		if refused[x] {
			faults = append(faults, fmt.Sprintf("%s may not %s %s", key.Name, x.verb, x.subject))
		}
	}
	for _, x := range mustNot {
		if worker && !refused[x] {
			faults = append(faults, fmt.Sprintf("%s may %s %s", key.Name, x.verb, x.subject))
			refused[x] = true // it may be there twice
		}
	}
	return faults, nil
}

// tryAll tries what the coordinator may, each worker whose key is here, and strangers.
func (s *Server) tryAll(ctx context.Context, a address) (faults []string, err error) {
	defer s.sweep(ctx)
	if faults, err = s.tryUser(ctx, a, s.keys.coordinator); err != nil {
		return nil, err
	}
	for _, w := range s.keys.list() {
		found, err := s.tryWorker(ctx, a, w)
		if err != nil {
			return nil, err
		}
		faults = append(faults, found...)
	}
	open, err := s.tryStranger(ctx, a)
	if open {
		faults = append(faults, "a client without a key may take part")
	}
	return faults, err
}

// tryWorker tries what a worker may, if its key is here.
func (s *Server) tryWorker(ctx context.Context, a address, w Worker) (faults []string, err error) {
	key, err := ReadKey(KeyFile(s.dir, w.Name))
	if err != nil || key.Public() != w.Key {
		if !w.Revoked {
			s.options.Report(fmt.Sprintf("what worker %s may do is not tried, since its key is not in %s", w.Name, filepath.Join(s.dir, keysDir)))
		}
		return nil, nil
	}
	faults, err = s.tryUser(ctx, a, key)
	switch unknown := errors.Is(err, ErrRefused); {
	case unknown && w.Revoked:
		return nil, nil
	case unknown:
		return []string{fmt.Sprintf("the key of %s is unknown there", w.Name)}, nil
	case w.Revoked && err == nil:
		return []string{fmt.Sprintf("the key of %s is let in, which was revoked", w.Name)}, nil
	}
	return faults, err
}

// tryStranger reports whether a client without a key reaches the account of the cluster. A server
// may let it into another one.
func (s *Server) tryStranger(ctx context.Context, a address) (open bool, err error) {
	stranger, err := connect(ctx, a, Key{Name: randomName()}, nil, func(o *nats.Options) error {
		o.Nkey, o.SignatureCB = "", nil
		return nil
	})
	if errors.Is(err, ErrRefused) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer stranger.Close()
	carries := func(from, to *Conn) bool {
		sub, err := to.NATS.SubscribeSync(inbox(serverUser) + "." + randomName())
		if err != nil {
			return false
		}
		defer sub.Unsubscribe()
		if to.NATS.FlushTimeout(connectTimeout) != nil || from.NATS.Publish(sub.Subject, nil) != nil {
			return false
		}
		_, err = sub.NextMsg(time.Second / 2)
		return err == nil
	}
	return carries(stranger, s.conn) || carries(s.conn, stranger), nil
}

// sweep removes what was stored by trying.
func (s *Server) sweep(ctx context.Context) {
	for stream, subject := range map[string]string{
		jobsStream: jobSubject("*", checkRun, "*"), answersStream: answerSubject("*", checkRun, "*", "*"), inputsStream: "$O." + inputsBucket + ".*." + checkRun,
	} {
		if st, err := s.conn.JS.Stream(ctx, stream); err == nil {
			s.reportError(st.Purge(ctx, jetstream.WithPurgeSubject(subject)))
		}
	}
}
