package notation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// drawing is a diagram under way.
type drawing struct {
	text   strings.Builder // of its lines, from the first
	begins int             // line number of the first
	lines  int             // that have been added
	head   caption         // what its first line says, or the line above
	headed bool            // it has a first line
	wrong  error           // the first line contradicts itself, or the line above
	ranks  int             // lines that are no border
}

// head begins a diagram, or a turn, with a label.
func (r *reader) head(l line) {
	c, wrong, _ := cutHead(l.text)
	above, err := r.take(c.mover)
	contrary := err != nil && !errors.As(err, new(*ParseError))
	if wrong == "" && contrary {
		wrong = fmt.Sprintf("the label says that %v is to move, the line above says %v", c.side, above.side)
	}
	r.agreed(l, &c, &above)
	if c.claim == 0 {
		c.claim, c.words = above.claim, above.words
	}
	r.board = &drawing{begins: l.number, head: c, headed: true}
	if err != nil && !contrary {
		r.board.wrong = err
	}
	if wrong != "" {
		r.board.wrong = r.source(l).errorAt(l.start(), "%s", wrong)
	}
	r.state = headed
	r.collect(l)
}

// firstRank begins a diagram without a label.
func (r *reader) firstRank(l line) {
	c, err := r.take(mover{})
	r.board = &drawing{begins: l.number, head: c, wrong: err}
	r.state = inBoard
	r.collect(l)
}

// rankOfBroken begins a diagram with its eighth rank. Others are those of the broken one.
func (r *reader) rankOfBroken(l line) {
	if unindented(l.text)[0] == '8' {
		r.firstRank(l)
	}
}

// mend ends the lines that may be parts of something broken.
func (r *reader) mend(line) { r.state = outside }

// collect adds a line to the diagram under way.
func (r *reader) collect(l line) {
	d := r.board
	first := d.text.Len() == 0
	if r.state == headed && r.whole != nil && !first && !isComment(l.text) && !isBorder(l.text) && !isRank(l.text) {
		r.again(l) // the label stood at the end of the turns
		return
	}
	if d.text.Len()+len(l.text) >= MaxEntry {
		r.breaks(r.l.tooLong(d.begins, "position"))
		r.done = true
		return
	}
	for ; d.begins+d.lines < l.number; d.lines++ {
		d.text.WriteByte('\n') // these were read otherwise
	}
	d.text.WriteString(l.text + "\n")
	d.lines++
	if first && d.headed || isComment(l.text) || isBorder(l.text) {
		return
	}
	r.state = inBoard
	if d.ranks++; d.ranks == 8 {
		r.closeBoard()
	}
}

// closeBoard reads the diagram under way.
func (r *reader) closeBoard() {
	d := r.board
	r.board, r.state = nil, outside
	src := r.text(d.text.String(), d.begins)
	lines := src.lines()
	last := lines[len(lines)-1]
	if d.headed {
		lines = lines[1:]
	}
	if w := r.whole; w != nil { // a label stood below its turns
		if d.ranks == 0 && d.head.claim > 0 && w.Claim == 0 {
			w.Claim, w.ClaimFrom = d.head.claim, d.head.words
		}
		r.flush()
		if d.ranks == 0 && d.wrong != nil {
			r.fail(d.wrong)
		}
		if d.ranks == 0 {
			return
		}
	}
	b, err := src.ranks(lines, last.offset+len(last.text))
	if err == nil {
		err = d.wrong
	}
	if err != nil {
		r.failIn(src.text, d.begins, err)
		r.state = broken
		return
	}
	text, _, _ := strings.Cut(src.text, "\n")
	first := line{text: text, number: d.begins}
	r.complete(first, inLine{board: b, number: d.head.number, mover: cmp.Or(d.head.mover, r.l.otherwise), at: first.start()}, d.head)
	r.whole.sideKnown = d.head.known
}

// squares reads squares below a label, or else a position that says itself who is to move.
func (r *reader) squares(l line) {
	d := r.board
	if d.wrong != nil || r.whole != nil {
		r.again(l)
		return
	}
	src := r.source(l)
	p, err := src.single(l)
	switch list, ok := cutPieces(l); {
	case ok && !list.known && !list.sides[0] && !list.sides[1]:
		r.headOfGame(l)
	case err == nil && p.known:
		r.closeBoard()
		r.state = outside
		r.single(l)
	case err != nil:
		r.breaks(err)
	default:
		r.board = nil
		p.number, p.mover = d.head.number, d.head.mover
		r.complete(l, p, d.head)
		r.whole.Line, r.whole.Position.Line = d.begins, d.begins
		r.whole.inOneLine, r.whole.sideKnown = true, true
	}
}

// secondHead reads a label below a label alone: the first one is that of a setup without pieces, or
// lacks its board.
func (r *reader) secondHead(l line) {
	if r.board.head.number == 1 {
		r.headOfGame(l)
		return
	}
	r.leave()
	r.state = outside
	r.head(l)
}

// captionOfHead reads words below a label.
func (r *reader) captionOfHead(l line) {
	c, d := captionOf(l), r.board
	r.doubtful(&r.notes, l, c)
	switch {
	case !c.known || c.side == d.head.side:
		if r.agreed(l, &c, &d.head); c.claim > 0 {
			d.head.claim, d.head.words = c.claim, c.words
		}
	case !c.alone:
		r.leaveOut(&r.notes, l, "claim of the other side", "this claim is not about the side to move")
	case d.wrong == nil:
		d.wrong = r.source(l).errorAt(l.start(), "the label above says that %v is to move, this line says %v", d.head.side, c.side)
	}
}

// headOfGame begins a game with a label that stands alone above its turn.
func (r *reader) headOfGame(l line) {
	d := r.board
	text, _, _ := strings.Cut(d.text.String(), "\n")
	if !isDigit(unindented(text)[0]) || d.head.number > 1 && slices.Contains([]kind{tag, comment}, classify(l)) {
		r.collect(l)
		return
	}
	r.board = nil
	if r.whole != nil {
		r.flush()
	}
	r.beginGame(line{text: text, number: d.begins})
	r.game.skipTo(l.number)
	r.add(l)
}

// cutHead reads the first line of a diagram: a label such as 47g, perhaps with a remark such as
// (gold to move) behind it. If the remark says the other side, wrong says so.
func cutHead(text string) (c caption, wrong string, ok bool) {
	text = unindented(text)
	if word, label, ok := strings.Cut(text, ": "); ok && strings.EqualFold(word, "turn") {
		text = unindented(label)
	}
	number, side, rest, ok := cutLabel(text)
	if !ok {
		return c, "", false
	}
	c = caption{mover: mover{side, true}, number: number}
	if rest == "" {
		return c, "", true
	}
	if first, _, _ := strings.Cut(rest, " "); !isDigit(text[0]) || isStep(first) || isPlacement(first) {
		return c, "", false
	}
	said := captionOf(line{text: rest})
	if !(rest[0] == '(' && rest[len(rest)-1] == ')' || said.alone) {
		return c, "", false
	}
	if said.known && said.side != side {
		return c, "the label says that " + side.String() + " is to move, the words behind it say " + said.side.String(), true
	}
	c.claim, c.words = said.claim, said.words
	return c, "", true
}
