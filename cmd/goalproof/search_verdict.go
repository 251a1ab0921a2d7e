package main

import "goalproof/answer"

// verdictName is the verdict in JSON.
func verdictName(v answer.Verdict) string {
	switch v {
	case answer.Proved:
		return "win"
	case answer.Disproved:
		return "no-win"
	}
	return "unknown"
}
