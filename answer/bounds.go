package answer

import "strconv"

// Bounds bound the least number of turns in which a side wins: it is more than Refuted and, if a
// win is proved, at most Within. Tables hold them packed (tables.Fact).
type Bounds struct {
	Within  int // the least number of turns proved; 0: no win is proved
	Refuted int // the greatest number of turns disproved; 0: none is
}

// Exact reports whether the least number of turns is known: Within.
func (b Bounds) Exact() bool { return b.Within > 0 && b.Within == b.Refuted+1 }

// In returns the number of turns of a proved win in words: "3", or "at most 3" if it may be less.
func (b Bounds) In() string { return b.AtMost() + strconv.Itoa(b.Within) }

// AtMost returns "at most " if a proved win may take less than Within turns, else "".
func (b Bounds) AtMost() string {
	if b.Within > b.Refuted+1 {
		return "at most "
	}
	return ""
}

// Rule is what the words about an answer call a question that leaves the third-repetition rule out.
const Rule = "the third repetition set aside"

// Aside returns Rule in brackets behind a blank, or "" if the rule counts.
func Aside(yes bool) string {
	if yes {
		return " (" + Rule + ")"
	}
	return ""
}

// Repetition returns what JSON says of the third-repetition rule: "set aside" or "counted".
func Repetition(aside bool) string {
	if aside {
		return "set aside"
	}
	return "counted"
}
