package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"goalproof/cluster"
	"goalproof/internal/testkit/require"
)

// here answers questions in this process, on several goroutines in any order, through the bytes.
type here struct {
	kind    cluster.Kind
	options []byte
	lie     func(question, answer []byte) []byte // changes answers; nil: none
	offered offered
	stats   *Stats
}

// Stats count what was asked.
type Stats struct {
	mu                         sync.Mutex
	Answers, Unproved, Refused int
	Bytes                      int
	Answering, Checking        time.Duration
	Errors                     []error // of checks
	Lies                       int     // that the check let pass
	Tries                      int     // of lies about a question
	Believed                   func(question, answer, lie []byte)
	Fail                       func() error // of a question; nil: none fails
}

// offered are inputs by their digests, which are their paths here.
type offered struct{}

func (offered) File(_ context.Context, digest string) (string, error) { return digest, nil }

func (offered) Offer(_ context.Context, path string) (string, error) { return path, nil }

// AnswerHere has questions answered in this process until the test ends. An answer that lie changes
// and that the check refuses is made again without it.
func AnswerHere(t testing.TB, lie func(question, answer []byte) []byte) *Stats {
	before, reached, stats := open, reach, &Stats{}
	open = func(_ context.Context, _ *Flags, kind cluster.Kind, options func(cluster.Offerer) ([]byte, error)) (cluster.Asker, io.Closer, error) {
		bytes, err := options(offered{})
		return &here{kind: kind, options: bytes, lie: lie, stats: stats}, io.NopCloser(nil), err
	}
	reach = func(context.Context, *Flags) error { return nil }
	t.Cleanup(func() { open, reach = before, reached })
	return stats
}

const goroutines = 3

func (h *here) Ask(ctx context.Context, questions iter.Seq[[]byte], check func(question, answer []byte) error) iter.Seq[cluster.Answer] {
	return func(yield func(cluster.Answer) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var wait sync.WaitGroup
		defer wait.Wait()
		defer cancel()
		p := newPile()
		wait.Go(func() { p.read(questions) })
		for range goroutines {
			wait.Go(func() {
				need, err := h.kind.Memory(h.options)
				var a cluster.Answerer
				if err == nil {
					a, err = h.kind.Open(ctx, h.options, cluster.Room{Slots: goroutines, Memory: need}, h.offered)
				}
				for range p.there {
					w := p.any()
					answer := cluster.Answer{Question: w.question, Err: err}
					if err == nil && ctx.Err() == nil {
						answer = h.answer(ctx, a, w.question, check)
					}
					w.answer <- answer
				}
			})
		}
		for w := range p.order {
			select {
			case a := <-w.answer:
				if ctx.Err() != nil || !yield(a) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// Talk answers some questions at a time, in any order. Now and then an answer is taken back, unless
// the run was stopped, and the question is answered again only if it is asked again.
func (h *here) Talk(ctx context.Context, questions func(context.Context) iter.Seq[[]byte], check func(question, answer []byte) error) iter.Seq[cluster.Answer] {
	return func(yield func(cluster.Answer) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var wait sync.WaitGroup
		next, answers := make(chan []byte), make(chan cluster.Answer)
		defer wait.Wait()
		defer cancel()
		wait.Go(func() {
			defer close(next)
			for q := range questions(ctx) {
				select {
				case next <- q:
				case <-ctx.Done():
					return
				}
			}
			cancel()
		})
		for range goroutines {
			wait.Go(func() {
				need, err := h.kind.Memory(h.options)
				var a cluster.Answerer
				if err == nil {
					a, err = h.kind.Open(ctx, h.options, cluster.Room{Slots: goroutines, Memory: need}, h.offered)
				}
				for q := range next {
					answer := cluster.Answer{Question: q, Err: err}
					if err == nil {
						answer = h.answer(ctx, a, q, check)
					}
					select {
					case answers <- answer:
					case <-ctx.Done():
						return
					}
				}
			})
		}
		var given [][]byte
		for {
			select {
			case a := <-answers:
				if !yield(a) {
					return
				}
				if given = append(given, a.Question); ctx.Err() == nil && rand.IntN(10) == 0 {
					if !yield(cluster.Answer{Question: given[rand.IntN(len(given))], Void: true}) {
						return
					}
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// pile are questions that wait, of which any is answered next. They may come after answers to
// earlier ones.
type pile struct {
	mu    sync.Mutex
	all   []waits
	there chan struct{} // one for each
	order chan waits
}

type waits struct {
	question []byte
	answer   chan cluster.Answer
}

func newPile() *pile {
	const most = 1 << 16
	return &pile{there: make(chan struct{}, most), order: make(chan waits, most)}
}

func (p *pile) read(questions iter.Seq[[]byte]) {
	for q := range questions {
		w := waits{q, make(chan cluster.Answer, 1)}
		p.mu.Lock()
		p.all = append(p.all, w)
		p.mu.Unlock()
		p.order <- w
		p.there <- struct{}{}
	}
	close(p.there)
	close(p.order)
}

func (p *pile) any() waits {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := rand.IntN(len(p.all))
	w := p.all[i]
	p.all = slices.Delete(p.all, i, i+1)
	return w
}

// answer answers a question, and has the answer checked.
func (h *here) answer(ctx context.Context, a cluster.Answerer, question []byte, check func(question, answer []byte) error) cluster.Answer {
	begin := time.Now()
	bytes, err := a.Answer(ctx, question)
	took := time.Since(begin)
	h.stats.mu.Lock()
	if h.stats.Fail != nil && err == nil {
		if err = h.stats.Fail(); err != nil {
			bytes = nil
		}
	}
	h.stats.mu.Unlock()
	if err == nil && h.lie != nil {
		for range max(h.stats.Tries, 1) { // until a lie is believed, which what has no proof is not
			lie := h.lie(question, bytes)
			if check(question, lie) != nil {
				continue
			}
			h.stats.mu.Lock()
			h.stats.Lies++
			if h.stats.Believed != nil {
				h.stats.Believed(question, bytes, lie)
			}
			h.stats.mu.Unlock()
			bytes = lie
			break
		}
	}
	begin = time.Now()
	var wrong error
	if err == nil {
		wrong = check(question, bytes)
	}
	h.stats.mu.Lock()
	defer h.stats.mu.Unlock()
	h.stats.Answers++
	h.stats.Bytes += len(bytes)
	h.stats.Answering += took
	h.stats.Checking += time.Since(begin)
	switch {
	case errors.Is(wrong, cluster.ErrUnproved):
		h.stats.Unproved++
	case wrong != nil && ctx.Err() == nil:
		h.stats.Refused++
		h.stats.Errors = append(h.stats.Errors, wrong)
	}
	return cluster.Answer{Question: question, Bytes: bytes, Took: took, Err: err}
}

// Pack compresses a text as answers are.
func Pack(t testing.TB, text string) []byte {
	w, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	return w.EncodeAll([]byte(text), nil)
}

// Unpack returns the text of an answer.
func Unpack(t testing.TB, data []byte) (text json.RawMessage) {
	require.NoError(t, unpack(data, &text))
	return text
}
