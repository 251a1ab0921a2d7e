//go:build !race

package main

// underRace reports whether the race detector watches, which takes several times the memory.
const underRace = false
