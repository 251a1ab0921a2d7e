//go:build race

package main

// underRace tells whether the race detector watches, which takes several times the memory.
const underRace = true
