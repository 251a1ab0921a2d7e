// Command middlegames writes positions of an archive's games from which matches can begin, where
// games from the setup would take too long: the first three of each game, after ten turns, in which
// the engine sees neither side far ahead.
//
//	go run ./tools/middlegames archive.tsv > openings.txt
//	goalproof match --openings openings.txt ...
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
)

const (
	each     = 3      // positions of a game
	apart    = 8      // turns between them, of both sides
	earliest = 20     // turns of both sides before the first
	ahead    = 100    // centi-rabbits that are not far
	nodes    = 50_000 // of each search
)

func main() {
	log.SetFlags(0)
	if len(os.Args) == 1 {
		log.Fatal("middlegames: name archives of games")
	}
	e, err := engine.New(engine.Options{Threads: 1, Memory: 32 << 20})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		records, err := notation.ReadArchive(name, string(text))
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range records {
			g, err := r.Game()
			if err != nil {
				log.Print(err)
				continue
			}
			if err := write(e, g); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// write writes the positions of a game.
func write(e *engine.Engine, g *arimaa.Game) error {
	found := 0
	for i := earliest; i < g.Len() && found < each; i++ {
		e.Forget()
		r, err := e.Search(context.Background(), g.At(i), engine.Limits{Nodes: nodes}, nil)
		if err != nil {
			return err
		}
		if r.Score >= -ahead && r.Score <= ahead {
			p := g.Position(i)
			fmt.Println(p.String())
			found++
			i += apart - 1
		}
	}
	return nil
}
