package arimaa_test

import (
	"fmt"
	"log"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// The distinct results of a turn, and how many of them win at once.
func ExampleGenerator() {
	p, err := notation.ParsePosition("g [                R                                r              ]")
	if err != nil {
		log.Fatal(err)
	}
	var turns arimaa.Generator
	wins := 0
	n := turns.Generate(&p)
	for i := range n {
		after := turns.Position(i, p.Side())
		if o := after.Ended(p.Side()); o.Over() && o.Winner == p.Side() {
			wins++
		}
	}
	fmt.Println(n, "positions after a turn,", wins, "of them won")
	// Output:
	// 9 positions after a turn, 3 of them won
}

// A game ends when a rabbit reaches its goal.
func ExampleGame() {
	p, err := notation.ParsePosition("g [                R                                r              ]")
	if err != nil {
		log.Fatal(err)
	}
	g := arimaa.NewGame(p, arimaa.FirstTurn)
	for _, o := range p.Options(nil) {
		after := p.After(o)
		fmt.Println(o, "leaves", after.StepsLeft(), "steps")
	}
	if err := notation.Play(g, "Ra6n Ra7n"); err != nil {
		log.Fatal(err)
	}
	o := g.Outcome()
	fmt.Println(g.Label(g.Len()-1), p.Notation(g.Turn(0)), "-", o.Winner, "has won by", o.Reason)
	// Output:
	// Ra6e leaves 3 steps
	// Ra6n leaves 3 steps
	// 2g Ra6n Ra7n - gold has won by goal
}
