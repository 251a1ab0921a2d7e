// Package answer holds the words in which every solver speaks: three verdicts, and
// why an unknown one is unknown.
package answer

// Verdict is a solver's answer to a question. A wrong Disproved is as bad as a
// wrong Proved; Unknown is always allowed.
type Verdict uint8

const (
	// Unknown: the search stopped before it knew; see Stop.
	Unknown Verdict = iota
	// Proved: the attacker wins whatever the defender does.
	Proved
	// Disproved: the attacker does not.
	Disproved
)

var verdictNames = [...]string{"unknown", "proved", "disproved"}

// String returns the verdict in a word.
func (v Verdict) String() string { return verdictNames[v] }

// Stop is why a search stopped without a verdict.
type Stop uint8

const (
	// Finished: it did not stop before it knew.
	Finished Stop = iota
	// Time: the time that it was given is over.
	Time
	// Memory: the memory that it was given is full.
	Memory
	// Interrupted: somebody asked it to stop.
	Interrupted
	// Nodes: as many nodes as it was given are searched.
	Nodes
)

var stopNames = [...]string{"finished", "time is up", "memory is full", "interrupted", "the nodes are spent"}

// String returns the reason in words.
func (s Stop) String() string { return stopNames[s] }
