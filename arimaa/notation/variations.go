package notation

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"goalproof/arimaa"
)

// MaxNesting is how deep variations may lie within each other.
const MaxNesting = 100

// Annotated is a game with comments and variations: a tree of turns.
type Annotated struct {
	Tags map[string]string
	// Main is the line from the first position along the first children. How it ended stands in it.
	Main *arimaa.Game
	// Nodes is the tree. Nodes[0] is the first position; every other node is a turn, and stands
	// behind its parent. The first of the nodes with the same parent continues the line of that
	// one, the others begin variations.
	Nodes []Node

	lost part // what the record has besides
}

// Node is a turn of an annotated game, or its first position, and what is written beside it.
type Node struct {
	Parent  int // in Nodes; -1 of the first position
	Turn    arimaa.Turn
	Sign    string // such as !, ?? or !?; "" for none
	Comment string // in one paragraph (Comment)
}

// Line returns a game without comments and variations.
func Line(g *arimaa.Game) *Annotated {
	a := &Annotated{Main: g, Nodes: []Node{{Parent: -1}}}
	for i := range g.Len() {
		a.Nodes = append(a.Nodes, Node{Parent: i, Turn: g.Turn(i)})
	}
	return a
}

// At returns the game as it stood before turn i of its main line, with the comments and variations
// up to there. The tags do not say how it ended, unless the game is whole.
func (a *Annotated) At(i int) *Annotated {
	if i == a.Main.Len() {
		return a
	}
	cut := &Annotated{Tags: maps.Clone(a.Tags), Main: a.Main.At(i), lost: a.lost}
	for _, name := range endTags {
		delete(cut.Tags, name)
	}
	last := 0 // the node of the position
	for range i {
		last = slices.IndexFunc(a.Nodes, func(n Node) bool { return n.Parent == last })
	}
	place := map[int]int{-1: -1} // of the nodes that are kept
	for k, n := range a.Nodes {
		if parent, ok := place[n.Parent]; ok && n.Parent != last {
			place[k] = len(cut.Nodes)
			n.Parent = parent
			cut.Nodes = append(cut.Nodes, n)
		}
	}
	return cut
}

// Comment returns a comment as an annotated game can hold it: one paragraph, with parentheses in
// place of braces, which end a comment.
func Comment(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '{':
			return '('
		case r == '}':
			return ')'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)), " ")
}

// ReadVariations reads an annotated game ([ReadAnnotated]) with its comments, variations and marks.
// A variation stands behind the turn in place of which it is played, or before that turn: its first
// label tells which. Anything else in brackets is kept as a comment: what is not legal there, and a
// line behind the last turn, in whose place nothing was played. Words with which a variation ends
// are a comment on its last turn. A turn has one mark: the first; numbers such as $14 are none, but
// those of ! to ?!. The notes on a turn that was taken back are left out. The error is that of ReadAnnotated.
func ReadVariations(file, text string) (*Annotated, error) {
	return (&source{file: file, line: 1, text: cleanText(text)}).tree()
}

// tree reads a record with all that stands beside its turns.
func (s *source) tree() (*Annotated, error) {
	g, tags, err := s.game()
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	plain, notes, _ := s.plain(all) // as it was read before
	r, _ := s.begun(plain, all)
	if r.notes != nil {
		r.notes = new([]Note) // they are known
	}
	turns, _ := r.grouped()
	path := []*branch{{}}
	for i, t := range turns {
		path[len(path)-1].take(&notes, t.offset())
		before, n := r.game, 0
		if err := r.play(t, i == len(turns)-1); err != nil {
			return nil, err // as the game has been read
		}
		if r.game != nil {
			n = r.game.Len()
		}
		if before != nil && r.game != nil && r.game != before { // it begins anew
			path = []*branch{{}}
		}
		path = r.follow(path, n)
	}
	path[len(path)-1].take(&notes, len(plain)+1)
	vary(g.At(g.Len()), path, 0)
	a := &Annotated{Tags: tags, Main: g}
	if slices.ContainsFunc(turns, func(t turnText) bool { return len(t.words) == 1 && t.words[0].text == "takeback" }) {
		a.lost = theTakebacks
	}
	a.flatten(path[0], -1)
	return a, nil
}

// branch is a node while it is read.
type branch struct {
	turn     arimaa.Turn
	marks    []string
	comments []string
	notes    []note // variations that stand behind it, not yet read
	children []*branch
}

// take gives a node the notes before an offset.
func (n *branch) take(notes *[]note, before int) {
	for len(*notes) > 0 && (*notes)[0].offset < before {
		switch note := (*notes)[0]; note.kind {
		case '{':
			n.comments = append(n.comments, note.text)
		case '!':
			n.marks = append(n.marks, note.text)
		default:
			n.notes = append(n.notes, note)
		}
		*notes = (*notes)[1:]
	}
}

// follow returns the path to a position after so many turns, one more or less than it has, or as
// many.
func (r *gameReader) follow(path []*branch, turns int) []*branch {
	last := path[len(path)-1]
	switch {
	case turns > len(path)-1:
		next := &branch{turn: r.game.Turn(r.game.Len() - 1)}
		last.children = []*branch{next}
		return append(path, next)
	case turns < len(path)-1: // the last turn was taken back
		path = path[:len(path)-1]
		path[len(path)-1].children = nil
	}
	return path
}

// vary reads the variations of the nodes of a line, the last one first. The game stands at its end,
// and is taken back to the first node, which is no turn of the line.
func vary(g *arimaa.Game, path []*branch, nesting int) {
	type place struct {
		note
		behind *branch
	}
	var instead []place // of the node after the present one
	for i, n := range slices.Backward(path) {
		var here, before []place
		for _, v := range n.notes {
			switch label := v.label(); {
			case label == g.Label(g.Len()) && len(n.children) > 0:
				here = append(here, place{v, n})
			case i > 0 && label == g.Label(g.Len()-1):
				before = append(before, place{v, n})
			default:
				n.comments = append(n.comments, "("+v.text+")")
			}
		}
		for _, v := range append(here, instead...) {
			if found := v.read(g, nesting+1); found != nil {
				n.children = append(n.children, found...)
			} else {
				v.behind.comments = append(v.behind.comments, "("+v.text+")")
			}
		}
		if instead = before; i > 0 {
			_ = g.TakeBack() // the turn of the node
		}
	}
}

// label returns the label of the first turn of a variation as arimaa.Game writes labels, "" if it
// has none.
func (v *note) label() string {
	src := &source{line: 1, text: v.text}
	plain, _, err := src.plain(map[string]string{})
	if err != nil {
		return ""
	}
	if lines := src.with(plain).lines(); len(lines) > 0 {
		if number, side, ok := labelOf(lines[0].words()[0].text); ok {
			return arimaa.TurnLabel(number, side)
		}
	}
	return ""
}

// read reads a variation from the present position of a game, which it leaves as it is. It returns
// its first turn, and those that are played in place of that one; nothing if not all of it is a
// legal line.
func (v *note) read(g *arimaa.Game, nesting int) []*branch {
	src := &source{line: 1, text: v.text}
	tags := map[string]string{}
	plain, notes, err := src.plain(tags)
	if err != nil || len(tags) > 0 || nesting > MaxNesting {
		return nil
	}
	r := &gameReader{source: &source{line: 1, text: plain}, game: g}
	path := []*branch{{}}
	turns, err := r.grouped()
	turns, remark := withoutRemark(turns)
	for _, t := range turns {
		path[len(path)-1].take(&notes, t.offset())
		had := g.Len()
		played := err == nil && t.number > 0 && len(t.words) > 0 && len(t.words[0].text) == 4 && // no takeback and the like
			r.play(t, false) == nil && g.Len() == had+1
		if !played {
			for range path[1:] {
				_ = g.TakeBack() // what was played
			}
			return nil
		}
		path = r.follow(path, len(path))
	}
	if len(path) == 1 {
		return nil
	}
	last := path[len(path)-1]
	if last.take(&notes, len(plain)+1); remark != "" {
		last.comments = append(last.comments, remark)
	}
	vary(g, path, nesting)
	path[1].comments = append(path[0].comments, path[1].comments...) // what stands before the first turn is about it
	return path[0].children
}

// withoutRemark cuts the words without digits with which a variation ends, such as "wins" and
// "3s resigns".
func withoutRemark(turns []turnText) ([]turnText, string) {
	if len(turns) == 0 {
		return nil, ""
	}
	last := turns[len(turns)-1]
	at := len(last.words)
	for at > 0 && !strings.ContainsAny(last.words[at-1].text, "0123456789") && !slices.Contains([]string{"pass", "takeback"}, last.words[at-1].text) {
		at--
	}
	if at == len(last.words) {
		return turns, ""
	}
	var remark []string
	for _, w := range last.words[at:] {
		remark = append(remark, w.text)
	}
	turns = turns[:len(turns)-1]
	if last.words = last.words[:at]; at == 0 {
		remark = slices.Insert(remark, 0, last.label.text)
	} else {
		turns = append(turns, last)
	}
	return turns, strings.Join(remark, " ")
}

// flatten puts a node and those below it at the end of the list.
func (a *Annotated) flatten(n *branch, parent int) {
	at, sign := len(a.Nodes), ""
	for _, mark := range n.marks {
		if sign == "" && mark[0] != '$' && parent >= 0 {
			sign = mark
		} else if mark != sign {
			a.lost |= theSigns
		}
	}
	a.Nodes = append(a.Nodes, Node{parent, n.turn, sign, Comment(strings.Join(n.comments, " "))})
	for _, child := range n.children {
		a.flatten(child, at)
	}
}

// quotable replaces characters that a tag cannot contain; programs for chess take a backslash for
// an escape.
var quotable = strings.NewReplacer(`"`, "'", `\`, "/", "\n", " ", "\r", " ")

// tagName matches the names of tags that are written.
var tagName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// tagOrder are the tags that are written first.
var tagOrder = []string{"Event", "Source", "Date", "Gold", "Silver", "GoldRating", "SilverRating", "TimeControl", "Annotator", "Termination", "ResultCode"}

// Write writes the game as [ReadVariations] reads it: the tags; each turn on its own line, behind
// its label, with its mark and comment; brackets on their own lines, behind the turn in place of
// which a variation is played. This is the form of the client Howdah (its docs/VARIATIONS.md,
// 2026).
func (a *Annotated) Write() string {
	var b strings.Builder
	names := slices.SortedFunc(maps.Keys(a.Tags), func(x, y string) int {
		place := func(name string) int {
			if i := slices.Index(tagOrder, name); i >= 0 {
				return i
			}
			return len(tagOrder)
		}
		return cmp.Or(cmp.Compare(place(x), place(y)), strings.Compare(x, y))
	})
	r := ResultOf(a.Main, a.Tags)
	for _, name := range names {
		value := quotable.Replace(a.Tags[name])
		switch letter := EndingLetter(value); {
		case name == "ResultCode":
			value = r.Termination
		case name == "Termination" && r.Words == "" && (r.Termination == "" || letter != "" && letter != r.Termination):
			value = "" // it does not count
		}
		if name != "Result" && value != "" && tagName.MatchString(name) {
			fmt.Fprintf(&b, "[%s \"%s\"]\n", name, value)
		}
	}
	result := cmp.Or(resultTag(r.Result), "*")
	fmt.Fprintf(&b, "[Result \"%s\"]\n\n", cmp.Or(resultTag(r.Result), quotable.Replace(a.Tags["Result"]), "*"))
	if text := a.Nodes[0].Comment; text != "" {
		fmt.Fprintf(&b, "{%s}\n", Comment(text))
	}
	g := a.Main.At(0)
	setup := Turns(g)
	if len(a.Nodes) > 1 || a.Main.End() != "" { // the first line behind it has the same label
		setup = strings.TrimSuffix(setup, "\n"+olderLabel(g.Number(0), arimaa.Gold)+"\n")
	}
	setup = strings.TrimSuffix(setup, "\n") + "\n"
	b.WriteString(strings.NewReplacer("1w", "1g", "1b", "1s").Replace(setup))
	children := make([][]int, len(a.Nodes))
	for i, n := range a.Nodes[1:] {
		children[n.Parent] = append(children[n.Parent], i+1)
	}
	a.write(&b, g, children, 0)
	if end := a.Main.End(); end != "" {
		fmt.Fprintf(&b, "%s %s\n", a.Main.Label(a.Main.Len()), end)
	}
	b.WriteString(result + "\n")
	return b.String()
}

// write writes what follows node i. The game stands there, and does so again in the end.
func (a *Annotated) write(b *strings.Builder, g *arimaa.Game, children [][]int, i int) {
	from := g.Len()
	turn := func(i int) {
		n, last := &a.Nodes[i], g.Last()
		b.WriteString(g.Label(g.Len()) + " " + last.Notation(n.Turn))
		if n.Sign != "" {
			b.WriteString(" " + n.Sign)
		}
		if text := Comment(n.Comment); text != "" {
			b.WriteString(" {" + text + "}")
		}
		b.WriteByte('\n')
	}
	for ; len(children[i]) > 0; i = children[i][0] {
		turn(children[i][0])
		for _, other := range children[i][1:] {
			b.WriteString("(\n")
			turn(other)
			if g.Play(a.Nodes[other].Turn) == nil { // as it is legal
				a.write(b, g, children, other)
				_ = g.TakeBack()
			}
			b.WriteString(")\n")
		}
		if g.Play(a.Nodes[children[i][0]].Turn) != nil {
			break
		}
	}
	for g.Len() > from {
		_ = g.TakeBack()
	}
}
