package notation_test

import (
	"fmt"
	"log"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

// A game as a list of turns, in which a capture need not be written.
func ExampleReadGame() {
	g, err := notation.ReadGame("game.txt", `
1w Ra1 Cc2
1b rd5 rh8
2w Cc2n`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(notation.Turns(g))
	_, err = notation.ReadGame("broken.txt", "1w Ra1\n1b rh8\n2w Ra1s")
	fmt.Println(err)
	// Output:
	// 1w Ra1 Cc2
	// 1b rd5 rh8
	// 2w Cc2n Cc3x
	// broken.txt:3:4: turn 2w: Ra1s: the step leaves the board
}

// A position in short form, and a turn from it.
func ExampleParsePosition() {
	p, err := notation.ParsePosition("g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]")
	if err != nil {
		log.Fatal(err)
	}
	g := arimaa.NewGame(p, arimaa.FirstTurn)
	if err := notation.Play(g, "Ee2n Ee3n"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Last())
	// Output:
	// s [rrrrrrrrhdcemcdh                    E           HDCM CDHRRRRRRRR]
}

// A puzzle for a forum. What the form cannot hold is named.
func ExampleForm_Write() {
	g, err := notation.ReadGame("game.txt", "1w Ra6 Cc2\n1b rb2 ch7\n2w Cc2n\n2b ch7s\n")
	if err != nil {
		log.Fatal(err)
	}
	post, _ := notation.FormNamed("post")
	text, lost := post.Write(notation.Written{Game: notation.Line(g), Claim: 1, Solution: "Ra6n Ra7n"})
	fmt.Print(text)
	fmt.Println("left out:", lost)
	// Output:
	// [code]
	// 3g
	//  +-----------------+
	// 8|                 |
	// 7|                 |
	// 6| R   x     x   c |
	// 5|                 |
	// 4|                 |
	// 3|     x     x     |
	// 2|   r             |
	// 1|                 |
	//  +-----------------+
	//    a b c d e f g h
	// [/code]
	// Gold to play and win in 1.
	// [spoiler]Solution: Ra6n Ra7n[/spoiler]
	// left out: [the turns before]
}
