package main

import (
	"errors"
	"fmt"

	"goalproof/internal/input"
)

// The exit codes of every command.
const (
	exitHolds    = 0 // proved, accepted, done
	exitFails    = 1 // disproved, rejected
	exitUnknown  = 3 // unknown, or interrupted
	exitBadInput = 4 // bad input or usage
	exitInternal = 5 // contradiction or internal error
)

// status is an exit code.
type status int

// worse returns the more serious of two exit codes.
func (s status) worse(other status) status {
	rank := map[status]int{exitHolds: 0, exitFails: 1, exitUnknown: 2, exitBadInput: 3, exitInternal: 4}
	if rank[other] > rank[s] {
		return other
	}
	return s
}

// exit is an error that carries an exit code; without one an error is bad usage.
type exit struct {
	code status
	err  error // nil: there is nothing to say
}

// exitWith returns an error that carries an exit code. Nothing is said of a nil err.
func exitWith(code status, err error) error { return &exit{code, err} }

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// badInput gives an error of what was read its exit code, unless reading was interrupted.
func badInput(err error) error {
	var i *input.Interrupted
	if errors.As(err, &i) {
		return err
	}
	return exitWith(exitBadInput, err)
}

// finish turns a status into what a command returns.
func (s status) finish() error {
	if s == exitHolds {
		return nil
	}
	return exitWith(s, nil)
}

// ended is how a command ends that has read its inputs, or was interrupted while it did.
func ended(source *input.Source, code status) error {
	if err := source.Interrupted(); err != nil {
		return exitWith(code.worse(exitUnknown), err)
	}
	return code.finish()
}
