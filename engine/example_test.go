package engine_test

import (
	"context"
	"fmt"
	"log"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
)

// The best turn, which here is proved to win.
func ExampleEngine_Search() {
	p, err := notation.ParsePosition("g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	if err != nil {
		log.Fatal(err)
	}
	e, err := engine.New(engine.Options{Threads: 1, Memory: 32 << 20})
	if err != nil {
		log.Fatal(err)
	}
	g := arimaa.NewGame(p, arimaa.FirstTurn)
	r, err := e.Search(context.Background(), g, engine.Limits{Depth: 6}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Notation(r.Turn), "- proved to win within", r.Win, "turns")
	// With one thread and a limit of depth or nodes the result is the same on every machine.
	r, err = e.Search(context.Background(), g, engine.Limits{Depth: 4, Exclude: []arimaa.Turn{r.Turn}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the next best is proved:", r.Win > 0)
	// Output:
	// Rh2w Ed6n Ed7w Re1e - proved to win within 2 turns
	// the next best is proved: false
}
