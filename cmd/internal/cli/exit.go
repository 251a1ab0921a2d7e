package cli

import (
	"errors"
	"fmt"
	"syscall"

	"goalproof/internal/files"
)

// The exit codes of every command.
const (
	Holds    = 0 // proved, accepted, done
	Fails    = 1 // disproved, rejected
	Unknown  = 3 // unknown, or interrupted
	BadInput = 4 // bad input or usage
	Internal = 5 // contradiction or internal error
)

// Code is an exit code.
type Code int

// Worse returns the more serious of two exit codes.
func (c Code) Worse(other Code) Code {
	rank := map[Code]int{Holds: 0, Fails: 1, Unknown: 2, BadInput: 3, Internal: 4}
	if rank[other] > rank[c] {
		return other
	}
	return c
}

// ExitError is an error that carries an exit code; without one an error is bad usage.
type ExitError struct {
	Code Code
	Err  error // nil: there is nothing to say
}

// Exit returns an error that carries an exit code. Nothing is said of a nil err.
func Exit(code Code, err error) error { return &ExitError{code, err} }

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// Unwritten gives an error of writing a file its exit code, unless it has one: Internal if the disk is full or failed, as for
// an answer that is lost, else BadInput, because the file cannot be where it is asked for.
func Unwritten(err error) error {
	if err == nil {
		return nil
	}
	return Exit(CodeOf(err, BadInput), err)
}

// CodeOf returns the exit code that an error carries, Internal for one of a disk that is full or failed, or else another one.
func CodeOf(err error, other Code) Code {
	var e *ExitError
	if errors.As(err, &e) {
		return e.Code
	}
	for _, failed := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO} {
		if errors.Is(err, failed) {
			return Internal
		}
	}
	return other
}

// Unreadable gives an error of what was read its exit code, unless reading was interrupted.
func Unreadable(err error) error {
	var i *files.Interrupted
	if errors.As(err, &i) {
		return err
	}
	return Exit(BadInput, err)
}

// Finish returns what a command returns that ends with a code.
func (c Code) Finish() error {
	if c == Holds {
		return nil
	}
	return Exit(c, nil)
}

// Ended is how a command ends that has read its inputs, or was interrupted while it did.
func Ended(source *files.Source, code Code) error {
	if err := source.Interrupted(); err != nil {
		return Exit(code.Worse(Unknown), err)
	}
	return code.Finish()
}
