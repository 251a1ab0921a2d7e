package cluster

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"time"
)

// Kind is a kind of question.
type Kind struct {
	Name string // lower-case letters
	// Open makes what answers the questions of a run, one after another. Options are those of the run.
	Open func(ctx context.Context, options []byte, room Room, inputs Inputs) (Answerer, error)
	// Memory is how many bytes an Answerer takes.
	Memory func(options []byte) (uint64, error)
	// Varies says that a question may have several answers, as a game with a clock has. Then none
	// is given twice, and the workers must be trusted.
	Varies bool
	// Patience is how long a question may take at least before it is put to another worker, too; 0
	// means a minute. An idle worker gets it sooner.
	Patience time.Duration
	// Common returns what two answers to a question both say, and reports whether they agree: neither
	// denies what the other says. Nil: they agree if they are the same.
	Common func(question, a, b []byte) (both []byte, agree bool)
}

// Room is what a process has for those who answer.
type Room struct {
	Slots  int    // questions that it answers at the same time, each with an Answerer of its own
	Memory uint64 // for each of them, in bytes
}

// But returns [Kind.Common] of answers that agree if they are the same without what does not count,
// such as the times that they took. Strip returns the rest; its error says that there is no answer.
func But(strip func(answer []byte) ([]byte, error)) func(question, a, b []byte) ([]byte, bool) {
	return func(_, a, b []byte) ([]byte, bool) {
		x, err := strip(a)
		y, wrong := strip(b)
		return a, err == nil && wrong == nil && bytes.Equal(x, y)
	}
}

// Inputs are files that questions refer to, by the digest of their bytes (SHA-256, in hex).
type Inputs interface {
	// File returns the path of a local copy.
	File(ctx context.Context, digest string) (path string, err error)
}

// Answerer answers questions, one after another. Unless the kind varies, all answers to a question
// under the same options agree ([Kind.Common]), whatever was asked before and on whatever machine.
// An error other than that of the context is an answer, too.
type Answerer interface {
	Answer(ctx context.Context, question []byte) (answer []byte, err error)
}

// Answer is the answer to a question. The bytes are nil if Err is not.
type Answer struct {
	Question []byte
	Bytes    []byte
	Took     time.Duration // the worker, to answer it
	Err      error
	// Void says that the answer that was given before does not count: its worker has lied. Only
	// [Run.Talk] says so.
	Void bool
}

// Asker puts questions, and yields the answers in the order of the questions, each as soon as it
// and all earlier ones are there. Check says why an answer cannot be right; it is called by several
// goroutines. When the context is done, or the answers can no longer be kept, it yields no more.
type Asker interface {
	Ask(ctx context.Context, questions iter.Seq[[]byte], check func(question, answer []byte) error) iter.Seq[Answer]
}

// Talker is an Asker whose questions depend on earlier answers: see [Run.Talk].
type Talker interface {
	Talk(ctx context.Context, questions func(context.Context) iter.Seq[[]byte], check func(question, answer []byte) error) iter.Seq[Answer]
}

// Offerer takes files that questions refer to by the digests of their bytes.
type Offerer interface {
	// Offer has a file ready for those who answer, and returns its digest (SHA-256, in hex).
	Offer(ctx context.Context, path string) (digest string, err error)
}

// ErrUnproved is in the error of a check that found nothing wrong with an answer, but has no proof
// of what it says. It is to be believed only if another worker gives the same answer.
var ErrUnproved = errors.New("the answer has no proof")
