package jobs

import (
	"context"
	"errors"
	"fmt"

	"goalproof/cluster"
)

// Kinds returns all kinds of questions, for those who answer them.
func Kinds() []cluster.Kind {
	return []cluster.Kind{verifyKind, mineKind, reviewKind, gamesKind, matchKind, endgameKind, experimentKind, composeKind, solveKind}
}

// kind are the options of a run of some kind.
type kind interface {
	// search is what the questions are answered with.
	search() *Search
	// more is the memory that it takes besides, in bytes.
	more() uint64
	// answer answers a question.
	answer(ctx context.Context, w *searcher, question []byte) (any, error)
}

func (s *Search) search() *Search { return s }

func (s *Search) more() uint64 { return 0 }

// optionsOf reads the options of a run.
func optionsOf[K interface {
	*T
	kind
}, T any](options []byte) (K, error) {
	k := K(new(T))
	if err := read(options, k); err != nil {
		return nil, fmt.Errorf("the options of the run: %w", err)
	}
	return k, nil
}

// memoryOf is [cluster.Kind.Memory] of a kind.
func memoryOf[T any, K interface {
	*T
	kind
}](options []byte) (uint64, error) {
	k, err := optionsOf[K](options)
	if err != nil {
		return 0, err
	}
	need, err := k.search().memory()
	return need + k.more(), err
}

// openAnswerer is [cluster.Kind.Open] of a kind.
func openAnswerer[T any, K interface {
	*T
	kind
}](ctx context.Context, options []byte, room cluster.Room, inputs cluster.Inputs) (cluster.Answerer, error) {
	k, err := optionsOf[K](options)
	if err != nil {
		return nil, err
	}
	need, err := memoryOf[T, K](options)
	if err != nil {
		return nil, err
	}
	if need > room.Memory {
		return nil, fmt.Errorf("the questions take %d MiB of memory, and there are %d", need>>20, room.Memory>>20)
	}
	shared := k.search().shared(string(options), room)
	a := &answerer{kind: k, open: func() (*searcher, error) { return k.search().open(ctx, inputs, shared) }}
	a.searcher, err = a.open()
	return a, err
}

// answerer answers the questions of a run.
type answerer struct {
	kind
	searcher *searcher // nil after a panic, which may have corrupted it
	open     func() (*searcher, error)
}

// Answer implements [cluster.Answerer].
func (a *answerer) Answer(ctx context.Context, question []byte) (data []byte, err error) {
	if a.searcher == nil {
		if a.searcher, err = a.open(); err != nil {
			return nil, err
		}
	}
	defer func() {
		if v := recover(); v != nil {
			a.searcher = nil
			data, err = nil, fmt.Errorf("internal error: panic: %v", v)
		}
	}()
	a.searcher.begin()
	answer, err := a.answer(ctx, a.searcher, question)
	if err := errors.Join(ctx.Err(), err); err != nil { // what an interruption may have cut short is no answer
		return nil, err
	}
	return pack(answer)
}
