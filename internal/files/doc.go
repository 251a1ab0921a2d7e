// Package files reads, replaces and locks files, so that an interruption or a killed process does no harm.
//
// A [Source] opens and reads files, both of which end at once when a context is done: even on a pipe that nobody writes
// to, where the system waits for ever. [Write] replaces a file atomically. [LockDir] keeps a second process out of a
// directory in which one is at work.
package files
