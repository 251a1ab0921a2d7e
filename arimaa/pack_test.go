package arimaa_test

import (
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
)

// TestPacked packs random positions and reads them back, and every turn of some; what is changed or
// cut is refused or another position.
func TestPacked(t *testing.T) {
	boards.Check(t, 300, 20_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		packed := p.AppendPacked([]byte("before"))[len("before"):]
		back, err := arimaa.UnpackPosition(packed)
		if err != nil || back != p {
			t.Fatalf("%v came back as %v, %v", p, back, err)
		}
		if n := p.Occupied().Len(); len(packed) != 9+(n+1)/2 {
			t.Fatalf("%d bytes for %d pieces", len(packed), n)
		}
		if got, err := arimaa.UnpackPosition(packed[:rapid.IntRange(0, len(packed)-1).Draw(t, "cut")]); err == nil {
			t.Fatalf("%v came back as %v from a part of its bytes", p, got)
		}
		if got, err := arimaa.UnpackPosition(append(packed[:len(packed):len(packed)], 0)); err == nil {
			t.Fatalf("%v came back as %v with a byte too many", p, got)
		}
		packed[rapid.IntRange(0, len(packed)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if got, err := arimaa.UnpackPosition(packed); err == nil && got == p {
			t.Fatalf("%v came back from other bytes", p)
		}
	})
}

// TestTurnCode codes every turn of random positions, and reads it back.
func TestTurnCode(t *testing.T) {
	boards.Check(t, 30, 1_000, func(t *rapid.T) {
		p := boards.Parse(t, boards.Position().Draw(t, "position"))
		var g arimaa.Generator
		codes := map[uint32]bool{0: true}
		for i := range g.Generate(&p) {
			turn := g.Turn(i)
			code := turn.Code()
			if codes[code] {
				t.Fatalf("%v: %v has the code %08x, which is another turn's, or none", p, turn, code)
			}
			codes[code] = true
			if after, ok := p.Replay(code); !ok || after != g.Position(i, p.Side()) {
				t.Fatalf("%v: %v leads to %v (%t)", p, turn, after, ok)
			}
			if got, after, ok := p.Decode(code); !ok || got != turn || after != g.Position(i, p.Side()) {
				t.Fatalf("%v: %v came back as %v (%t)", p, turn, got, ok)
			}
		}
		code := rapid.Uint32().Draw(t, "any code")
		turn, after, ok := p.Decode(code)
		if again, legal := p.Try(turn); ok && (!legal || again != after) {
			t.Fatalf("%v: the code %08x makes the turn %v, which is not legal", p, code, turn)
		}
	})
}
