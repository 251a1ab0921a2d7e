package cluster

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// intruder puts messages among the answers to a run, as the server would that repeats or confuses
// what it carries, or a worker that borrows another's name.
type intruder struct {
	t    *testing.T
	boss *Conn // may publish anywhere
	keys map[string]Key
}

// publish publishes a message, as often as it takes until no other waits at the subject.
func (i *intruder) publish(subject string, message []byte) {
	i.t.Helper()
	for {
		_, err := i.boss.JS.Publish(soon(i.t), subject, message)
		if err == nil {
			return
		}
		if !isThere(err) {
			i.t.Fatal(err)
		}
	}
}

// signed returns a false answer to the first questions, signed by a worker for a subject.
func (i *intruder) signed(by, subject string) []byte {
	i.t.Helper()
	var lies answers
	for q := range upTo(40) {
		lies.Answers = append(lies.Answers, answered{ID: idOf(q), Bytes: []byte("12345678")})
	}
	data, err := pack(lies)
	require.NoError(i.t, err)
	parts, err := split(func(int) string { return subject }, data, 1<<20, i.keys[by].Sign)
	require.NoError(i.t, err)
	return parts[0]
}

// TestStrangers has answers come that no worker has given to this run: of another run, to another
// group, under another name, with another key, or without one. None counts, and nobody is shut out
// for what others have sent.
func TestStrangers(t *testing.T) {
	f := newFarm(t)
	i := &intruder{t, connected(t, f.dir, ""), map[string]Key{}}
	for _, name := range []string{"good", "bad"} {
		key, err := NewKey(name)
		require.NoError(t, err)
		require.NoError(t, i.boss.Add(soon(t), key))
		i.keys[name] = key
	}
	unknown, err := NewKey("good")
	require.NoError(t, err)
	i.keys["unknown"] = unknown
	for _, trust := range []Trust{Trusted, Untrusted} {
		r := f.begin(filepath.Join(t.TempDir(), "run"), trust, squares{}.kind())
		run := r.record.run
		own := answerSubject("good", run, "x-1", "0")
		for name, message := range map[string][]byte{
			"of another run":                         i.signed("good", answerSubject("good", "another", "x-1", "0")),
			"of another group":                       i.signed("good", answerSubject("good", run, "x-2", "0")),
			"another part":                           i.signed("good", answerSubject("good", run, "x-1", "1")),
			"signed by another worker":               i.signed("bad", own),
			"signed by another worker for its name":  i.signed("bad", answerSubject("bad", run, "x-1", "0")),
			"signed by a key of the same name":       i.signed("unknown", own),
			"signed by the coordinator's own server": append(make([]byte, signatureLength), i.signed("good", own)[signatureLength:]...),
			"empty":                                  nil,
			"short":                                  []byte("short"),
			"long":                                   bytes.Repeat([]byte("x"), 1<<16),
		} {
			i.publish(own, message)
			d := newDesk(r, checkSquare)
			if a := d.collect(t.Context(), map[string]*arrival{}, onlyMessage(t, r)); a != nil {
				t.Errorf("%s: the answer counts: %+v", name, a)
			}
		}
		// The streams take other subjects, too, which no worker may publish.
		for _, subject := range []string{"goalproof.answer.good." + run + ".x", "goalproof.answer.good." + run + ".x.0.1", "goalproof.answer"} {
			if _, err := i.boss.JS.Publish(soon(t), subject, nil); err != nil && strings.Contains(subject, "good") {
				t.Errorf("%s: %v", subject, err)
			}
		}
		stop := f.process(connected(t, f.s.Address(), KeyFile(f.dir, FirstWorker)), WorkOptions{Room: Room{1, 1 << 20}, Kinds: []Kind{squares{}.kind()}, Signature: "s"})
		wholly(t, r, 100)
		if len(r.record.shut) > 0 {
			t.Errorf("shut out: %v", r.record.shut)
		}
		stop()
	}
}

// TestReplayed has each answer come three times, after it was acknowledged and dropped from the
// server, also in a later run of the same questions, and each job twice: nothing counts twice, and
// nobody is shut out.
func TestReplayed(t *testing.T) {
	for _, trust := range []Trust{Trusted, Untrusted} {
		f := newFarm(t)
		boss := connected(t, f.dir, "")
		// What travels is recorded, and sent again a moment later.
		again := make(chan *travelled, 1<<16)
		for _, subjects := range []string{"goalproof.answer.>", "goalproof.job.>"} {
			sub, err := boss.NATS.SubscribeSync(subjects)
			require.NoError(t, err)
			defer sub.Unsubscribe()
			go func() {
				for {
					m, err := sub.NextMsgWithContext(f.ctx)
					if err != nil {
						return
					}
					again <- &travelled{m.Subject, m.Data}
				}
			}()
		}
		seen := map[string]int{}
		var sent []*travelled
		f.wait.Go(func() {
			for {
				select {
				case c := <-again:
					seen[c.subject]++
					if seen[c.subject] > 3 { // it hears itself
						continue
					}
					sent = append(sent, c)
					for _, x := range []*travelled{c, sent[len(sent)/2]} {
						_, _ = boss.JS.Publish(f.ctx, x.subject, x.data) // one may wait there still
					}
				case <-f.ctx.Done():
					return
				}
			}
		})
		for _, name := range []string{"a", "b"} {
			f.work(name, squares{}.kind(), 2)
		}
		for range 2 {
			r := f.begin(filepath.Join(t.TempDir(), "run"), trust, squares{}.kind())
			wholly(t, r, 400)
			if len(r.record.shut) > 0 {
				t.Errorf("shut out: %v", r.record.shut)
			}
		}
		f.stop()
		f.wait.Wait()
		for _, stream := range []string{"goalproof.answer.", "goalproof.job."} {
			if !slices.ContainsFunc(sent, func(c *travelled) bool { return strings.HasPrefix(c.subject, stream) && seen[c.subject] > 1 }) {
				t.Errorf("no message to %s was sent again", stream)
			}
		}
		t.Logf("%d messages, at %d subjects", len(sent), len(seen))
	}
}

// travelled is a message as it has travelled.
type travelled struct {
	subject string
	data    []byte
}
