package puzzles

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// drawMined draws a puzzle whose solution is any turn that leaves the game open.
func drawMined(t *rapid.T) *Mined {
	p := boards.Parse(t, boards.Few(8).Draw(t, "position"))
	if p.Unusual() != nil {
		return nil
	}
	var g arimaa.Generator
	n := g.Generate(&p)
	return &Mined{Position: p, Turns: 2, Solution: g.Turn(rapid.IntRange(0, n-1).Draw(t, "turn"))}
}

// TestArimaaText reads what is written as text of arimaa.com.
func TestArimaaText(t *testing.T) {
	boards.Check(t, 200, 2_000, func(t *rapid.T) {
		m := drawMined(t)
		if m == nil {
			return
		}
		for p := range Parse(notation.NewLines("file.txt", strings.NewReader(m.ArimaaText("a & b = 100%")))) {
			turn, err := ReadTurn(p.Position, p.Solution)
			if p.Err != nil || err != nil || p.Position != m.Position || turn != m.Solution || p.Claim != 2 || p.Name != "a & b = 100%: win in 2" {
				t.Errorf("%v, %v is read as %+v: %v", m.Position, m.Solution, p, err)
			}
		}
	})
}

// fourSteps reads a record of 4steps: the squares, and the steps by names such as a1n.
func fourSteps(record [36]byte) (squares [64]byte, steps []string) {
	for i := range squares {
		half := record[i/2] & 15
		if i%2 == 1 {
			half = record[i/2] >> 4
		}
		squares[i] = "RrCcDdHhMmEe   ."[half]
	}
	for _, b := range record[32:] {
		if b == 0 {
			break
		}
		steps = append(steps, arimaa.Square(b%64).String()+string("swen"[b/64]))
	}
	return squares, steps
}

// TestFourSteps reads what is written for 4steps: Gold's puzzles as they are, Silver's turned by
// 180 degrees with the sides exchanged.
func TestFourSteps(t *testing.T) {
	boards.Check(t, 200, 2_000, func(t *rapid.T) {
		m := drawMined(t)
		if m == nil {
			return
		}
		record := m.FourSteps()
		squares, steps := fourSteps(record)
		turned := m.Position.Side() == arimaa.Silver
		for p := range Parse(notation.NewLines("puzzles", bytes.NewReader(record[:]))) {
			turn, err := ReadTurn(p.Position, p.Solution)
			if p.Err != nil || err != nil || !turned && (p.Position != m.Position || turn != m.Solution) || p.Position.Side() != arimaa.Gold {
				t.Errorf("%v, %v is read as %+v: %v", m.Position, m.Solution, p, err)
			}
		}
		var want []string
		for i := range m.Solution.Len() {
			name := m.Solution.Step(i).String()[1:]
			if turned {
				name = string([]byte{'a' + 'h' - name[0], '1' + '8' - name[1], map[byte]byte{'n': 's', 's': 'n', 'e': 'w', 'w': 'e'}[name[2]]})
			}
			want = append(want, name)
		}
		if strings.Join(steps, " ") != strings.Join(want, " ") {
			t.Errorf("%v, %v: %v, want %v", m.Position, m.Solution, steps, want)
		}
		for i, letter := range squares {
			s := arimaa.Square(i)
			if turned {
				s = 63 - s
			}
			want := m.Position.At(s).Letter()
			switch {
			case want == ' ':
				want = '.'
			case turned:
				want ^= 0x20
			}
			if letter != want {
				t.Fatalf("%v: square %d holds %c, want %c", m.Position, i, letter, want)
			}
		}
	})
}
