package search

import "goalproof/answer"

// VerdictName is the verdict in JSON.
func VerdictName(v answer.Verdict) string {
	switch v {
	case answer.Proved:
		return "win"
	case answer.Disproved:
		return "no-win"
	}
	return "unknown"
}
