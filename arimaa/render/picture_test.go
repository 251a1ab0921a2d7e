package render

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// drawnPosition draws a position, and a turn from it.
func drawnPosition(t *rapid.T) (p arimaa.Position, turn arimaa.Turn) {
	p = boards.Parse(t, boards.Position().Draw(t, "position"))
	var g arimaa.Generator
	if n := g.Generate(&p); n > 0 {
		turn = g.Turn(rapid.IntRange(0, n-1).Draw(t, "turn"))
	}
	return p, turn
}

// TestMoves plays the displacements of turns one by one on a board, and checks who pushes and
// pulls.
func TestMoves(t *testing.T) {
	boards.Check(t, 300, 10_000, func(t *rapid.T) {
		p, turn := drawnPosition(t)
		b := p.Board
		moves := Moves(p, turn)
		if len(moves) != turn.Len() {
			t.Fatalf("%d displacements of %v", len(moves), turn)
		}
		for i, m := range moves {
			if b.At(m.From) != m.Piece || b.At(m.To) != arimaa.Empty {
				t.Fatalf("%v: displacement %d is %+v", turn, i, m)
			}
			if m.Forced {
				pusher := m.By.Side() == p.Side() && m.By.Kind() > m.Piece.Kind()
				from := m.Source // of the other half
				other := i + 1
				if m.Pull {
					other = i - 1
				}
				if !pusher || !from.Beside().Has(m.From) || moves[other].Piece != m.By || moves[other].From != from {
					t.Fatalf("%v: displacement %d is %+v", turn, i, m)
				}
			}
			b.Put(m.From, arimaa.Empty)
			b.Put(m.To, m.Piece)
			for rest := m.Captured; rest != 0; rest = rest.Rest() {
				if b.At(rest.First()) != m.Victim(rest.First()) {
					t.Fatalf("%v: displacement %d captures %+v", turn, i, m)
				}
				b.Put(rest.First(), arimaa.Empty)
			}
		}
		if after := p.AfterTurn(turn); after.Board != b {
			t.Fatalf("%v: another board", turn)
		}
	})
}

func TestDescribe(t *testing.T) {
	for _, test := range []struct{ position, turn, want string }{
		{"Ee4 Rc2 rd4 dh7 g", "rd4n Ee4w", "the elephant pushes the rabbit d4 to d5; elephant e4 to d4"},
		{"Ee4 Rc2 rd4 dh7 g", "Ee4n rd4e", "elephant e4 to e5; pulling the rabbit d4 to e4"},
		{"Eb3 Rh2 rd3 dh7 cd4 g", "rd3w rc3x", ""},
		{"Ed2 Rh2 rd3 dh7 g", "rd3w rc3x Ed2n", "the elephant pushes the rabbit d3 to c3, the silver rabbit on c3 is captured; elephant d2 to d3"},
	} {
		p := boards.Parse(t, test.position)
		s := arimaa.NewState(p)
		turn, err := notation.PlaySteps(&s, test.turn)
		if (err != nil) != (test.want == "") {
			t.Fatalf("%s: %v", test.turn, err)
		}
		if err == nil && describe(p, turn) != test.want {
			t.Errorf("%s: %q, want %q", test.turn, describe(p, turn), test.want)
		}
	}
}

// TestSVG checks that pictures are sound XML that names nothing outside, and show each piece on its
// square.
func TestSVG(t *testing.T) {
	boards.Check(t, 30, 1000, func(t *rapid.T) {
		p, turn := drawnPosition(t)
		picture := Picture{Position: p, Turn: turn, Flipped: rapid.Bool().Draw(t, "flipped"), Title: `<"&>`}
		text := picture.SVG()
		if err := wellFormed(text); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if left := strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""); strings.Contains(left, "://") || len(text) > 16<<10 {
			t.Fatalf("%d bytes, or an address:\n%s", len(text), text)
		}
		if got := shown(t, text, picture.Flipped); got != p.Board {
			t.Fatal("another board is shown")
		}
		arrows := strings.Count(text, `<path class="own"`) + strings.Count(text, `<path class="forced"`)
		if arrows != turn.Len() {
			t.Fatalf("%d arrows for %v", arrows, turn)
		}
	})
}

// wellFormed reads XML to its end.
func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// shown reads the board of a picture.
func shown(t rapid.TB, text string, flipped bool) (b arimaa.Board) {
	t.Helper()
	for side, class := range []string{"gold", "silver"} {
		for _, group := range regexp.MustCompile(`<g class="`+class+`">(.*?)</g>`).FindAllStringSubmatch(text, -1) {
			for _, use := range regexp.MustCompile(`#piece-(\w+)" x="(\d+)" y="(\d+)"`).FindAllStringSubmatch(group[1], -1) {
				kind := arimaa.Rabbit
				for kind.String() != use[1] {
					kind++
				}
				x, _ := strconv.Atoi(use[2])
				y, _ := strconv.Atoi(use[3])
				s := 8*(7-y/100) + x/100
				if flipped {
					s ^= 63
				}
				b.Put(arimaa.Square(s), arimaa.NewPiece(arimaa.Side(side), kind))
			}
		}
	}
	return b
}

// bitmap draws a picture with squares of this size in pixels.
func bitmap(t *testing.T, p *Picture, square int) image.Image {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.PNG(&b, square))
	picture, err := png.Decode(&b)
	require.NoError(t, err)
	return picture
}

// grey returns the luminance of a square's pixels, 0 to 255.
func grey(i image.Image, s arimaa.Square, square int) (all []int) {
	left, top := (margin*square+50)/100+int(s)%8*square, (rim*square+50)/100+(7-int(s)/8)*square
	for y := range square {
		for x := range square {
			r, g, b, _ := i.At(left+x, top+y).RGBA()
			all = append(all, int((299*r+587*g+114*b)/1000>>8))
		}
	}
	return all
}

// TestTellingApart compares the pieces in grey at 24 pixels a square: any two kinds differ in at
// least a sixth of the pixels, and on nearly every pixel inside both, gold is lighter than silver.
func TestTellingApart(t *testing.T) {
	const size = 24
	var p Picture
	at := func(side arimaa.Side, kind arimaa.Kind) arimaa.Square {
		return arimaa.Square(16*int(kind-1)%64 + int(side)*8 + int(kind)/5*2)
	}
	for side := arimaa.Gold; side <= arimaa.Silver; side++ {
		for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
			p.Position.Put(at(side, kind), arimaa.NewPiece(side, kind))
		}
	}
	picture := bitmap(t, &p, size)
	differing := func(a, b []int) (n int) {
		for i := range a {
			if d := a[i] - b[i]; d > 60 || d < -60 {
				n++
			}
		}
		return n
	}
	for kind := arimaa.Rabbit; kind <= arimaa.Elephant; kind++ {
		gold, silver := grey(picture, at(arimaa.Gold, kind), size), grey(picture, at(arimaa.Silver, kind), size)
		for other := kind + 1; other <= arimaa.Elephant; other++ {
			for side, mine := range [][]int{gold, silver} {
				if n := differing(mine, grey(picture, at(arimaa.Side(side), other), size)); n < size*size/6 {
					t.Errorf("%v and %v of side %d: %d pixels differ", kind, other, side, n)
				}
			}
		}
		light, dark := 0, 0
		for i := range gold {
			if gold[i] > 150 && silver[i] < 90 {
				light++
			}
			if gold[i] < 90 && silver[i] > 150 {
				dark++
			}
		}
		if light < 80 || light < 3*dark {
			t.Errorf("%v: gold is lighter on %d pixels, and darker on %d", kind, light, dark)
		}
	}
}

func TestPNGSize(t *testing.T) {
	for _, size := range []int{0, MinSquare - 1, MaxSquare + 1} {
		if err := (&Picture{}).PNG(io.Discard, size); err == nil {
			t.Errorf("squares of %d pixels are drawn", size)
		}
	}
	if got := bitmap(t, &Picture{}, 50).Bounds().Dx(); got != extent/2 {
		t.Errorf("%d pixels wide, want %d", got, extent/2)
	}
}

// TestContrast checks that texts stand out on light and dark pages: coordinates from the frame,
// numbers from their badges.
func TestContrast(t *testing.T) {
	colours := map[string][2]string{} // light, dark
	for _, s := range palette {
		colours[s.class] = [2]string{s.fill, cmp.Or(s.darkFill, s.fill)}
	}
	for _, pair := range [][2]string{{"label", "frame"}, {"number", "badge"}} {
		for i, page := range []string{"light", "dark"} {
			a, b := luminance(t, colours[pair[0]][i]), luminance(t, colours[pair[1]][i])
			if ratio := (max(a, b) + .05) / (min(a, b) + .05); ratio < 4.5 {
				t.Errorf("%s on %s, %s: the contrast is %.2f", pair[0], pair[1], page, ratio)
			}
		}
	}
}

// luminance returns the relative luminance of a colour, 0 to 1 (Web Content Accessibility
// Guidelines).
func luminance(t *testing.T, text string) (sum float64) {
	t.Helper()
	c, err := colour(text)
	require.NoError(t, err)
	r, g, b, _ := c.RGBA()
	for i, v := range []uint32{r, g, b} {
		x := float64(v) / 0xffff
		if x <= .04045 {
			x /= 12.92
		} else {
			x = math.Pow((x+.055)/1.055, 2.4)
		}
		sum += x * [...]float64{.2126, .7152, .0722}[i]
	}
	return sum
}

// TestMarks counts the rings and frames of a flipped picture, and looks where its pointers are.
func TestMarks(t *testing.T) {
	p := Picture{Marked: arimaa.Traps, Pointers: []Pointer{{0, 24}, {9, 63}}, Flipped: true}
	text := p.SVG()
	// From a1, at the upper right, down to a4; and from b2 along the diagonal to h8, at the lower
	// left.
	ends := regexp.MustCompile(`class="pointer" d="M(\S+) (\S+)L.*?"`).FindAllStringSubmatch(text, -1)
	points := regexp.MustCompile(`class="pointer" d="(?:[^L]*L){3}(\S+) (\S+)L`).FindAllStringSubmatch(text, -1)
	if len(ends) != 2 || len(points) != 2 {
		t.Fatalf("%d pointers: %s", len(ends), text)
	}
	near := func(found []string, x, y float64) bool {
		gotX, _ := strconv.ParseFloat(found[1], 64)
		gotY, _ := strconv.ParseFloat(found[2], 64)
		return math.Hypot(gotX-x, gotY-y) < 30
	}
	if !near(ends[0], 750, 50) || !near(points[0], 750, 350) || !near(ends[1], 650, 150) || !near(points[1], 50, 750) {
		t.Errorf("pointers lead from %q to %q", ends, points)
	}
	if !strings.Contains(text, " Marks: c3, f3, c6, f6, a1 to a4, b2 to h8.") {
		t.Errorf("the description does not name the marks: %s", p.Describe())
	}
	if found := regexp.MustCompile(`class="ring" d="([^"]*)"`).FindStringSubmatch(text); found == nil || strings.Count(found[1], "M") != 4 {
		t.Errorf("rings: %q", found)
	}
	if strings.Contains(text, `class="last"`) {
		t.Error("no turn was played, and squares have frames")
	}
}

// TestAnimation checks that each piece ends where it stands after the line, or invisible if it has
// been captured.
func TestAnimation(t *testing.T) {
	boards.Check(t, 30, 1000, func(t *rapid.T) {
		p, first := drawnPosition(t)
		if first.Len() == 0 {
			t.Skip("no turn")
		}
		line := []arimaa.Turn{first}
		end := p.AfterTurn(first)
		var g arimaa.Generator
		if n := g.Generate(&end); n > 0 {
			line = append(line, g.Turn(rapid.IntRange(0, n-1).Draw(t, "reply")))
			end = end.AfterTurn(line[1])
		}
		text := Picture{Position: p}.Animation(line, []string{"1 <a>", "2"})
		if err := wellFormed(text); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if !strings.Contains(text, "prefers-reduced-motion") {
			t.Fatal("the reader's choice is not asked for")
		}
		last := regexp.MustCompile(`@keyframes m(\d+)\{[^@]*?100\.00%\{transform:translate\((\S+?)px,(\S+?)px\);opacity:(\d)\}\}`)
		moved := map[string][]string{}
		for _, found := range last.FindAllStringSubmatch(text, -1) {
			moved[found[1]] = found
		}
		if n := strings.Count(text, "@keyframes m"); n != len(moved) || n == 0 {
			t.Fatalf("%d pieces move, %d are understood", n, len(moved))
		}
		use := regexp.MustCompile(`(<use href="#piece-\w+") x="(\d+)" y="(\d+)" class="m(\d+)"/>`)
		final := use.ReplaceAllStringFunc(text, func(one string) string {
			f := use.FindStringSubmatch(one)
			to := moved[f[4]]
			if to[4] == "0" {
				return ""
			}
			at := func(from, by string) int {
				a, _ := strconv.Atoi(from)
				b, _ := strconv.Atoi(by)
				return a + b
			}
			return fmt.Sprintf(`%s x="%d" y="%d"/>`, f[1], at(f[2], to[2]), at(f[3], to[3]))
		})
		if got := shown(t, final, false); got != end.Board {
			t.Fatal("another board at the end")
		}
	})
}
