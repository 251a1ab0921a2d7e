package joblevel

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"goalproof/arimaa/notation"
)

// A saved graph is
//
//	the line "goalproof joblevel 1": the kind of file and the version of the format
//	a line of JSON with position, turns and the number of answers
//	a line of JSON for each answer, with its question
//
// It holds no nodes, since they follow from the answers.
const (
	Header   = "goalproof joblevel 1\n"
	mostLine = 64 << 20 // bytes of a line that is read
)

type about struct {
	Position string
	Turns    int
	Answers  int
}

type saved struct {
	Question Question
	Answer   Answer
}

// Write saves the graph.
func (g *Graph) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	all := g.all()
	out.WriteString(Header)
	if err := lines.Encode(about{g.position.String(), g.n, len(all)}); err != nil {
		return err
	}
	for _, x := range all {
		if err := lines.Encode(saved{x.q, x.a}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Read reads a graph that [Graph.Write] has saved. The error names the line; if answers contradict
// each other, that is the last one of them, or the last line.
func Read(r io.Reader) (*Graph, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, mostLine)
	number := 0
	next := func(v any) error {
		number++
		if !lines.Scan() {
			if err := lines.Err(); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			return fmt.Errorf("line %d: the file ends here, it is cut off", number)
		}
		if v == nil {
			if lines.Text()+"\n" != Header {
				return errors.New("line 1: this is no saved search of a cluster")
			}
			return nil
		}
		if err := json.Unmarshal(lines.Bytes(), v); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		return nil
	}
	var a about
	if err := next(nil); err != nil {
		return nil, err
	}
	if err := next(&a); err != nil {
		return nil, err
	}
	p, err := notation.ParsePosition(a.Position)
	if err == nil {
		err = (&Question{Position: p.AppendPacked(nil), N: a.Turns, Effort: 1}).Check()
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", number, err)
	}
	g := New(p, a.Turns)
	for range a.Answers {
		var x saved
		if err := next(&x); err != nil {
			return nil, err
		}
		if err := x.Answer.Check(&x.Question); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if g.Take(x.Question, x.Answer); g.Err() != nil {
			return nil, fmt.Errorf("line %d: %w", number, g.Err())
		}
	}
	if lines.Scan() {
		return nil, fmt.Errorf("line %d: there are more answers than the file says", number+1)
	}
	if g.begin(); g.Err() != nil {
		return nil, fmt.Errorf("line %d: %w", number, g.Err())
	}
	return g, nil
}
