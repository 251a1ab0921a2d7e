// Package cli is what every command does alike: it reads and writes at a [Terminal], ends with an exit [Code], shows
// progress, writes files that are whole, and writes JSON.
package cli
