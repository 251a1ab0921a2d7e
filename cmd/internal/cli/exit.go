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
	Err  error // nil: no message
}

// Exit returns an error that carries an exit code. For a nil err no message is printed.
func Exit(code Code, err error) error { return &ExitError{code, err} }

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// Unwritten gives an error of writing a file an exit code, unless it has one: Internal if the disk
// is full or failed, since an answer is lost, else BadInput, since the file cannot be where the
// flags want it.
func Unwritten(err error) error {
	if err == nil {
		return nil
	}
	return Exit(CodeOf(err, BadInput), err)
}

// CodeOf returns the exit code that an error carries, Internal if a disk is full or failed, and
// otherwise the given one.
func CodeOf(err error, other Code) Code {
	if e, ok := errors.AsType[*ExitError](err); ok {
		return e.Code
	}
	for _, failed := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO} {
		if errors.Is(err, failed) {
			return Internal
		}
	}
	return other
}

// Unreadable gives an error of reading the exit code BadInput, unless reading was interrupted.
func Unreadable(err error) error {
	if errors.As(err, new(*files.Interrupted)) {
		return err
	}
	return Exit(BadInput, err)
}

// Finish returns the error with which a command ends, nil for Holds.
func (c Code) Finish() error {
	if c == Holds {
		return nil
	}
	return Exit(c, nil)
}

// Ended returns the error with which a command ends after reading its inputs, or after an
// interruption while it read them.
func Ended(source *files.Source, code Code) error {
	if err := source.Interrupted(); err != nil {
		return Exit(code.Worse(Unknown), err)
	}
	return code.Finish()
}
