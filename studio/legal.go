package studio

import (
	"net/http"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa/retro"
)

// The limits within which a position is traced back.
const (
	legalTurns = 2
	legalNodes = 20_000 // boards
)

// legalRequest asks whether a game can lead to the position of a study before the turn under way.
// The turns of the study do not count.
type legalRequest struct {
	Study Study `json:"study"`
}

// legalAnswer says whether a game can lead to a position.
type legalAnswer struct {
	Verdict string `json:"verdict"` // possible: turns can be taken back; impossible: no game leads here; or open
	Reason  string `json:"reason"`  // why it is impossible, or ""
}

// legal takes turns back from a position, as goalproof legal does.
func (s *Server) legal(_ http.ResponseWriter, h *http.Request, r legalRequest) (a legalAnswer, err error) {
	p, err := r.Study.read()
	if err != nil {
		return a, err
	}
	ctx, cancel := answer.Limit{Nodes: legalNodes}.Start(h.Context())
	defer cancel()
	last := p.game.Last()
	found, err := retro.Trace(ctx, last, legalTurns)
	return legalAnswer{found.Verdict.String(), strings.ReplaceAll(found.Reason(last.Side()), "\n", "; ")}, err
}
