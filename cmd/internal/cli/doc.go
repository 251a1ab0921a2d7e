// Package cli does what all commands have in common: it reads and writes at a [Terminal], ends with an exit [Code], shows
// progress, writes files that are whole, and writes JSON.
package cli
