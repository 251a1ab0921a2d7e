package render

import (
	"fmt"
	"strings"

	"goalproof/arimaa"
)

// The times of an animation, in milliseconds.
const (
	opening   = 1200 // before the first step
	moving    = 350  // while a piece moves
	pause     = 550  // after each step
	between   = 700  // added to it after each turn
	finale    = 3000 // after the last turn
	fadeAfter = 250  // how long a captured piece takes to vanish
)

// captionHeight is the room below the board for the turn that is played.
const captionHeight = 48

// keyframe is where a piece is, and how visible, for a span of time.
type keyframe struct {
	from, to int // milliseconds
	x, y     float64
	opacity  float64
}

// actor is a piece of an animation.
type actor struct {
	piece arimaa.Piece
	at    point // corner, at the beginning
	keys  []keyframe
}

// Animation returns a line of turns from the position as one SVG, which repeats. Captions are shown
// below the board while their turns are played, as many as there are. For readers who prefer
// reduced motion it is a still picture of the first turn with its arrows. Turn and Last of the
// picture are not used. The line ends at its first illegal turn.
func (p Picture) Animation(line []arimaa.Turn, captions []string) string {
	p.Turn, p.Last = arimaa.Turn{}, arimaa.Turn{}
	actors := map[arimaa.Square]*actor{}
	var all []*actor // in the order of their squares
	for rest := p.Position.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		x, y := p.corner(s)
		a := &actor{piece: p.Position.At(s), at: point{x, y}, keys: []keyframe{{0, 0, x, y, 1}}}
		actors[s], all = a, append(all, a)
	}
	now, begins := opening, []int{0}
	position := p.Position
	var told []string
	for _, t := range line {
		next, legal := position.Try(t)
		if !legal {
			break
		}
		for _, m := range Moves(position, t) {
			a := actors[m.From]
			delete(actors, m.From)
			actors[m.To] = a
			a.hold(now)
			x, y := p.corner(m.To)
			now += moving
			a.keys = append(a.keys, keyframe{now, now, x, y, 1})
			for rest := m.Captured; rest != 0; rest = rest.Rest() {
				lost := actors[rest.First()]
				delete(actors, rest.First())
				lost.hold(now)
				last := lost.keys[len(lost.keys)-1]
				lost.keys = append(lost.keys, keyframe{now + fadeAfter, now + fadeAfter, last.x, last.y, 0})
			}
			now += pause
		}
		now += between
		told = append(told, fmt.Sprintf("%s plays: %s.", capital(position.Side().String()), describe(position, t)))
		begins = append(begins, now)
		position = next
	}
	now += finale
	begins[len(begins)-1] = now
	var rules, body strings.Builder
	elements := p.empty()
	for i, a := range all {
		e := element{piece: a.piece, x: a.at.x, y: a.at.y}
		if len(a.keys) > 1 {
			e.attributes = fmt.Sprintf(` class="m%d"`, i)
			a.writeKeyframes(&rules, i, now)
		}
		elements = append(elements, e)
	}
	for i := range min(len(captions), len(begins)-1) {
		elements = append(elements, element{class: "label", text: captions[i], x: 4 * unit, y: 8*unit + margin + captionHeight/2 - rim,
			attributes: fmt.Sprintf(` id="c%d"`, i)})
		fmt.Fprintf(&rules, "@keyframes c%d{0%%{visibility:hidden}%s{visibility:visible}%s{visibility:hidden}}#c%d{animation:c%d %dms step-end infinite}",
			i, percent(begins[i], now), percent(begins[i+1], now), i, i, now)
	}
	writeElements(&body, elements)
	still := p
	if len(line) > 0 {
		still.Turn = line[0]
	}
	body.WriteString(`<g class="still">`)
	writeElements(&body, still.arrows(Moves(still.Position, still.Turn)))
	body.WriteString("</g>")
	frame := fmt.Sprintf(`<path class="frame" d="M%vL%vL%vL%vZ"/>`, point{-margin, 8 * unit}, point{extent - margin, 8 * unit},
		point{extent - margin, extent + captionHeight}, point{-margin, extent + captionHeight})
	style := Style() + ".still{display:none}" + rules.String() +
		"@media (prefers-reduced-motion:reduce){*{animation:none!important}.still{display:inline}text[id]:not(#c0){display:none}}"
	head := strings.Replace(p.head(true, extent+captionHeight), "</desc>", " "+escape(strings.Join(told, " "))+"</desc>", 1)
	return fmt.Sprintf("%s<style>%s</style><defs>%s</defs>%s%s</svg>\n", head, style, Symbols(), frame, body.String())
}

// hold keeps a piece where it is until a time.
func (a *actor) hold(until int) { a.keys[len(a.keys)-1].to = until }

// writeKeyframes writes the keyframes of a piece within a time.
func (a *actor) writeKeyframes(b *strings.Builder, i, total int) {
	fmt.Fprintf(b, "@keyframes m%d{", i)
	for k, at := range a.keys {
		to := at.to
		if k == len(a.keys)-1 {
			to = total
		}
		fmt.Fprintf(b, "%s,%s{transform:translate(%vpx,%vpx);opacity:%v}", percent(at.from, total), percent(to, total),
			at.x-a.at.x, at.y-a.at.y, at.opacity)
	}
	fmt.Fprintf(b, "}.m%d{animation:m%d %dms linear infinite}", i, i, total)
}

// percent writes a part of a time.
func percent(part, total int) string { return fmt.Sprintf("%.2f%%", 100*float64(part)/float64(total)) }
