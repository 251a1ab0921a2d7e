// Package files reads, replaces and locks files such that an interruption or a killed process does
// no harm.
//
// A [Source] opens and reads files, and stops at once when a context is done, even on a pipe that
// nobody writes to, where the system would wait for ever. [Write] replaces a file atomically.
// [LockDir] keeps a second process out of a directory in which one is at work.
package files
