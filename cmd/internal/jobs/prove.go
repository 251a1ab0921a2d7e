package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/cluster"
	"goalproof/proof"
	"goalproof/solve"
)

// proofNodes times the limit of a question is how many nodes the proof of a win may take.
const proofNodes = 4

// text returns the text of a certificate.
func text(c interface{ Write(io.Writer) error }) (string, error) {
	var b bytes.Buffer
	err := c.Write(&b)
	if err == nil && b.Len() > maxText {
		err = fmt.Errorf("the certificate has %d MiB, and at most %d travel", b.Len()>>20, maxText>>20)
	}
	return b.String(), err
}

// prove returns the text of the certificate of a win within n turns that begins with a turn, "" if
// it is not completed within the limit, or there is none. It goes on from what the solver knows,
// and adds no facts. The error is that of the context.
func (w *searcher) prove(ctx context.Context, nodes uint64, q solve.Question, n int, turn arimaa.Turn) (string, error) {
	limited, cancel := answer.Limit{Nodes: proofNodes * nodes}.Start(ctx)
	defer cancel()
	c, err := w.solver.CertificateFor(limited, q, n, turn)
	if err == nil {
		var t string
		if t, err = text(c); err == nil {
			return t, nil
		}
	}
	return "", ctx.Err()
}

// win is a claim that the side to move at a position wins within so many turns, beginning with a
// turn.
type win struct {
	position arimaa.Position
	game     *arimaa.Game // that led there, nil: none
	turns    int
	fewer    bool        // a certificate of a win in fewer turns will do
	turn     arimaa.Turn // no steps: any
}

// proved checks that a text is a certificate of the win. Without one the error is
// [cluster.ErrUnproved], if the answer says that there is none.
func (w *win) proved(ctx context.Context, text string, unproved bool) error {
	switch {
	case text == "" && unproved:
		return cluster.ErrUnproved
	case text == "":
		return errors.New("a win has no certificate")
	case unproved:
		return errors.New("there is a certificate of a win that is said to have none")
	}
	c, err := w.read(text)
	if err != nil {
		return err
	}
	return c.Check(ctx, nil)
}

// read returns the certificate that a text is, if it claims the win.
func (w *win) read(text string) (*proof.Certificate, error) {
	c, _, err := proof.Read(strings.NewReader(text), "certificate")
	if err != nil {
		return nil, err
	}
	if c == nil || c.Loss || c.Goal != "" || c.Turns > w.turns || c.Turns < w.turns && !w.fewer || c.Entries[0].Position != w.position.String() {
		return nil, errors.New("the certificate is one of something else")
	}
	if w.turn.Len() > 0 && c.Entries[0].Turn != w.position.Notation(w.turn) {
		return nil, fmt.Errorf("the certificate begins with %q", c.Entries[0].Turn)
	}
	if !sameGame(c.Game, w.game) {
		return nil, errors.New("the certificate is one of another game")
	}
	return c, nil
}

// sameGame reports whether a certificate has a game, none if that has no turns.
func sameGame(c *proof.Game, g *arimaa.Game) bool {
	if g == nil || g.Len() == 0 {
		return c == nil
	}
	first := g.Position(0)
	return c != nil && c.Start == first.String() && len(c.Turns) == g.Len() &&
		slices.Equal(c.Turns, turnsOf(g))
}

// turnsOf returns the turns of a game in notation.
func turnsOf(g *arimaa.Game) (turns []string) {
	for i := range g.Len() {
		p := g.Position(i)
		turns = append(turns, p.Notation(g.Turn(i)))
	}
	return turns
}
