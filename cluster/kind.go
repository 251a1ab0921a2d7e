package cluster

import (
	"context"
	"crypto/sha256"
	"errors"
	"iter"
	"time"
)

// Kind is a kind of question.
type Kind struct {
	Name string // lower-case letters
	// Open makes what answers the questions of a run, within so many bytes of memory. Options are
	// those of the run.
	Open func(ctx context.Context, options []byte, memory uint64, inputs Inputs) (Answerer, error)
	// Memory is how many bytes an Answerer takes.
	Memory func(options []byte) (uint64, error)
	// Varies says that a question may have several answers, as a game with a clock has. Then none
	// is given twice, and the workers must be trusted.
	Varies bool
	// Same returns the part of an answer that must be the same whoever gives it: all but the times
	// that it took, say. Two answers agree if these bytes do. The error says that the bytes are no
	// answer. Nil: all of it.
	Same func(answer []byte) ([]byte, error)
}

// digest returns what two answers that agree have in common.
func (k *Kind) digest(answer []byte) (sum [sha256.Size]byte, err error) {
	if k.Same != nil {
		if answer, err = k.Same(answer); err != nil {
			return sum, err
		}
	}
	return sha256.Sum256(answer), nil
}

// Inputs are files that questions refer to, by the digest of their bytes (SHA-256, in hex).
type Inputs interface {
	// File returns the path of a local copy.
	File(ctx context.Context, digest string) (path string, err error)
}

// Answerer answers questions, one after another. Unless the kind varies, what [Kind.Same] returns
// of the answer to a question depends on the question and the options alone, byte for byte,
// whatever was asked before and on whatever machine. An error other than that of the context is an
// answer, too.
type Answerer interface {
	Answer(ctx context.Context, question []byte) (answer []byte, err error)
}

// Answer is the answer to a question. The bytes are nil if Err is not.
type Answer struct {
	Question []byte
	Bytes    []byte
	Took     time.Duration // the worker, to answer it
	Err      error
}

// Asker puts questions, and yields the answers in the order of the questions, each as soon as it
// and all earlier ones are there. Check says why an answer cannot be right; it is called by several
// goroutines. When the context is done, or the answers can no longer be kept, it yields no more.
type Asker interface {
	Ask(ctx context.Context, questions iter.Seq[[]byte], check func(question, answer []byte) error) iter.Seq[Answer]
}

// Offerer takes files that questions refer to by the digests of their bytes.
type Offerer interface {
	// Offer has a file ready for those who answer, and returns its digest (SHA-256, in hex).
	Offer(ctx context.Context, path string) (digest string, err error)
}

// ErrUnproved is in the error of a check that found nothing wrong with an answer, but has no proof
// of what it says. It is to be believed only if another worker gives the same answer.
var ErrUnproved = errors.New("the answer has no proof")
