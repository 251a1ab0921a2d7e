package solve_test

import (
	"context"
	"fmt"
	"log"

	"goalproof/arimaa/notation"
	"goalproof/solve"
)

// A question with its answer: the verdict, the distance and the line with the longest defence.
func ExampleSolver_Solve() {
	p, err := notation.ParsePosition("g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	if err != nil {
		log.Fatal(err)
	}
	s, err := solve.New(solve.Options{Memory: 64 << 20, Threads: 1})
	if err != nil {
		log.Fatal(err)
	}
	a, err := s.Solve(context.Background(), solve.Question{Position: p, Deepest: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Verdict, "within", a.Within, "turns; no win in", a.Refuted)
	for _, ply := range a.Line {
		fmt.Println(ply.Before.Notation(ply.Turn))
	}
	// Output:
	// proved within 2 turns; no win in 1
	// Re1e Rh2w Ed6n Ed7w
	// ed3s
	// Ec7s Ec6x rb7e Ra7e Rb7n
}
