package proof_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"

	"goalproof/arimaa/notation"
	"goalproof/proof"
	"goalproof/solve"
)

// A win is written down by the solver, read again and checked without it. A certificate that says
// too much is rejected.
func ExampleCertificate_Check() {
	p, err := notation.ParsePosition("g [                R                                r              ]")
	if err != nil {
		log.Fatal(err)
	}
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	q := solve.Question{Position: p, Deepest: 1}
	a, err := s.Solve(ctx, q)
	if err != nil {
		log.Fatal(err)
	}
	c, err := s.Certificate(ctx, q, a)
	if err != nil {
		log.Fatal(err)
	}
	var text bytes.Buffer
	if err := c.Write(&text); err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(text.Bytes())
	read, _, err := proof.Read(&text, "win.proof")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("checked:", read.Check(ctx, nil))
	read.Entries[0].Turn = "Ra6n"
	fmt.Println("forged:", read.Check(ctx, nil))
	// Output:
	// goalproof certificate 1
	// claim 1
	// 1 g [                R                                r              ] Ra6n Ra7n
	// checked: <nil>
	// forged: line 3: at g [                R                                r              ]: the rank is 1, but the turn Ra6n does not win at once
}
