// Package cli does what all commands have in common: it reads and writes at a [Terminal], ends with
// an exit [Code], shows progress, and replaces files atomically.
package cli
