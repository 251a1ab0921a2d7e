package notation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A header says in lines such as "Gold: ann (1500)" what annotated games say in tags. It stands above
// a game or a position. Prose may stand between them, if the header names a player.

// ofHeader matches a field of a header: a player (1) or another field (2), its value (3), and the
// rating of a player (4), behind which a country and the like may stand.
var ofHeader = regexp.MustCompile(`(?i)^` + bold + `(?:` + eitherSide + `(?: player)?|(event|site|date|round|time ?control|(?:final )?result|winner|termination|reason))` + bold +
	`\s*[:=]` + bold + `\s*(\S.*?)(?:\s*[(\[<]\s*(?:rated )?(\d{3,4})\b[^)\]>]*[)\]>](?:\s*[,;(\[].*)?)?` + bold + `$`)

// headings are words of which a field of a header has one.
var headings = append([]string{"event", "site", "date", "round", "control", "result", "winner", "termination", "reason"}, sideNames...)

// bold is what marks bold letters, perhaps, in Markdown, forums and pages.
const bold = `(?:\*\*?|__?|\[/?b\]|</?(?:b|strong)>)?`

// nextPlayer matches the name of another side further on in a line, such as " vs. Silver:", or the
// result.
var nextPlayer = regexp.MustCompile(`(?i)(?:\s*[,;|/]\s*|\s+(?:(?:-|vs\.?)\s+)?)(` + bold + `(?:` + aSide + `(?: player)?|result|winner)` + bold + `\s*:)`)

// nextHeadings are words of which a match of nextPlayer has one.
var nextHeadings = append([]string{"result", "winner"}, sideNames...)

// bareResult matches a line that holds a result alone (1), perhaps with a remark.
var bareResult = regexp.MustCompile(`^\(?(1-0|0-1|1/2-1/2)\)?[.;]?(?:\s*\([^()]*\))?$`)

// headerField is a field of a header, as a tag.
type headerField struct{ name, value, rating string }

// fieldOf reads a field of a header. A list of pieces has the same headings, and so may a sentence or
// a clock.
func fieldOf(text string) (f headerField, ok bool) {
	m := ofHeader.FindStringSubmatch(text)
	if m == nil {
		return f, false
	}
	words := (line{text: m[3]}).words()
	if slices.ContainsFunc(words, func(w word) bool {
		bare := strings.Trim(w.text, ",;.")
		return isPlacement(bare) || isStep(bare)
	}) {
		return f, false
	}
	switch name := strings.ToLower(m[2]); {
	case m[1] != "":
		equation := strings.Contains(text[:strings.Index(text, m[3])], "=") && m[4] == "" && !unicode.IsUpper([]rune(m[3])[0])
		sentence := len(words) > 6 || len(words) > 1 && (strings.EqualFold(words[0].text, "to") || strings.IndexByte(".:!?", m[3][len(m[3])-1]) >= 0) && !initial.MatchString(m[3])
		clock := strings.ContainsAny(m[3], ":.") && strings.Trim(m[3], "0123456789:., ") == ""
		if endOfPlayer.MatchString(m[3]) {
			return headerField{}, !sentence
		}
		return headerField{sideName(sideNamed(m[1])), strings.Trim(m[3], "*_`\"“” "), m[4]}, !sentence && !clock && !equation
	case slices.Contains([]string{"result", "final result", "winner"}, name):
		return resultField(m[3]), true
	case name == "termination" || name == "reason":
		return headerField{}, true
	case strings.HasPrefix(name, "time"):
		return headerField{"TimeControl", m[3], ""}, true
	default:
		return headerField{strings.ToUpper(name[:1]) + name[1:], m[3], ""}, true
	}
}

var (
	// initial matches a name that ends in an abbreviation, such as Jr. or B.
	initial = regexp.MustCompile(`\s[A-Z][a-z]?\.$`)
	// endInWords matches words that say how a game ended, endOfPlayer those in the place of a name.
	endInWords  = regexp.MustCompile(`(?i)\b(?:resign(?:s|ed)?|wins|won|loses|lost|forfeit(?:s|ed)?|timed? ?out|1-0|0-1|1/2-1/2)(?:[\s.!)]*$| (?:by|on|in time)\b)`)
	endOfPlayer = regexp.MustCompile(`^(?i:resigns|resigned|wins|won|loses|lost|timeout)$|\s\(?(?:resign(?:s|ed)?|wins|won|loses|lost|forfeit(?:s|ed)?|timed? ?out|1-0|0-1|1/2-1/2)\b`)
)

// pageLines replaces the ends of lines and paragraphs of web pages.
var pageLines = strings.NewReplacer("<br>", " | ", "<br/>", " | ", "<br />", " | ", "<p>", "", "</p>", "")

// resultField returns the result that a value says, without a name if it is not understood.
func resultField(value string) headerField {
	switch letter := resultLetter(value); {
	case value == "*":
		return headerField{"Result", "*", ""}
	case letter != "" && len(value) > 1:
		return headerField{"Result", resultTag(letter), ""}
	}
	return headerField{}
}

// fieldsOf returns the fields of a header in a line, nil if the line is none of a header. Only
// players share a line. A side may lack its name.
func fieldsOf(l line) []headerField {
	if l.found != nil {
		return l.found.fields.in(l, readFields)
	}
	return readFields(l)
}

func readFields(l line) (all []headerField) {
	rest := strings.TrimLeft(strings.TrimSpace(l.text), "-*• ")
	if begin := strings.TrimPrefix(rest, "("); begin != "" && (begin[0] == '1' || begin[0] == '0') {
		if m := bareResult.FindStringSubmatch(rest); m != nil {
			return []headerField{{"Result", m[1], ""}}
		}
	}
	if len(rest) > maxCaption || !strings.ContainsAny(rest, ":=") || !mentions(strings.ToLower(rest), headings...) || isList(l) {
		return nil
	}
	if strings.Contains(rest, "<") {
		rest = strings.TrimLeft(pageLines.Replace(rest), "| ")
	}
	for rest != "" {
		text := rest
		rest = ""
		if mentions(strings.ToLower(text[1:]), nextHeadings...) {
			if next := nextPlayer.FindStringSubmatchIndex(text); next != nil {
				text, rest = text[:next[0]], text[next[2]:]
			}
		}
		f, ok := fieldOf(text)
		switch {
		case ok:
			all = append(all, f)
		case !isSideName(strings.TrimRight(text, ": ")):
			return nil
		}
	}
	if len(all) > 0 && captionOf(l) != (caption{}) {
		return nil
	}
	return all
}

// header takes the fields of a header for what follows. Of two names of a side neither counts, but a
// header further below begins anew.
func (r *reader) header(l line) {
	r.passOver(l)
	fields, again := fieldsOf(l), l.number > r.tagged+1
	if r.tags == nil || again && slices.ContainsFunc(fields, func(f headerField) bool { return r.tags[f.name] != "" }) {
		r.tags = map[string]string{}
	}
	r.tagged = l.number
	for _, f := range fields {
		if f.name == "" {
			if err := r.source(l).mended(l.start(), "result in a header", "it is left out", "this line says how a game ended: write it as a tag, such as [Result \"1-0\"]"); err != nil {
				r.fail(err)
				return
			}
			continue
		}
		if had := r.tags[f.name]; had != "" && had != f.value {
			if err := r.source(l).mended(l.start(), "second player", "neither counts", "%s stands twice: %.100q and %.100q", f.name, had, f.value); err != nil {
				r.fail(err)
				return
			}
			delete(r.tags, f.name)
			delete(r.tags, f.name+"Rating")
			continue
		}
		r.tags[f.name] = f.value
		if f.rating != "" {
			r.tags[f.name+"Rating"] = f.rating
		}
	}
}

// isResultLine reports whether a line of a header says the result of a game, namesPlayer whether it
// names a player.
func isResultLine(l line) bool { return fieldsOf(l)[0].name == "Result" }

func namesPlayer(l line) bool {
	name := fieldsOf(l)[0].name
	return name == "Gold" || name == "Silver"
}

// blocks splits the lines of a header where others stand between them.
func blocks(header []line) (all [][]line) {
	for i, l := range header {
		if i == 0 || l.number != header[i-1].number+1 {
			all = append(all, nil)
		}
		last := len(all) - 1
		all[last] = append(all[last], l)
	}
	return all
}

// resultBelow gives the result below the turns of a record to it, if it stands right there and begins a
// block that names no player, and if none stands above them.
func (r *reader) resultBelow() {
	g := r.game
	if len(g.header) == 0 || r.tags["Result"] != "" {
		return
	}
	block := blocks(g.header)[0]
	if block[0].number != g.ends+1 || !isResultLine(block[0]) || slices.ContainsFunc(block, namesPlayer) {
		return
	}
	g.header = slices.DeleteFunc(g.header, func(l line) bool {
		own := isResultLine(l) && l.number <= block[len(block)-1].number
		if own {
			r.tagged = l.number - 1 // it does not begin anew
			r.header(l)
		}
		return own
	})
}

// headerOfNext takes a header below the turns of a record for what comes next. Of a result without a
// player, or right below the turns, nobody knows whose it is.
func (r *reader) headerOfNext(g *script) {
	for _, block := range blocks(g.header) {
		named := slices.ContainsFunc(block, namesPlayer) && !(block[0].number == g.ends+1 && isResultLine(block[0]))
		for _, l := range block {
			if isResultLine(l) && !named {
				r.leaveOut(&r.notes, l, "result between two games", "this may be the result of the game above or of what is below: put it right below the turns of its game, without a blank line")
			} else if r.header(l); l.number < r.l.number-1 {
				r.headerEnds()
			}
		}
	}
}

// playersBelow gives the players below the last record of a text to it, and its result.
func (r *reader) playersBelow() {
	for _, l := range r.game.header {
		if namesPlayer(l) || isResultLine(l) || fieldsOf(l)[0].name == "" {
			r.tagged = l.number - 1 // it does not begin anew
			r.header(l)
		}
	}
	r.game.header = nil
}

// headerEnds ends a header. Without a player or a result it is one only right above a game or a
// position.
func (r *reader) headerEnds() {
	if r.tags["Gold"]+r.tags["Silver"]+r.tags["Result"] == "" {
		r.tags = nil
	}
}

// proseBelow ends a header above prose, which needs a player.
func (r *reader) proseBelow() {
	if r.tags["Gold"]+r.tags["Silver"] != "" {
		return
	}
	had := r.tags
	if r.tags = nil; had["Result"] != "" && r.tagged > 0 {
		r.leaveOut(&r.notes, line{number: r.tagged}, "result apart", "this result stands neither right above a game nor right below one")
	}
}

// withTags adds the tags of a header to those of a record, which count more.
func withTags(own, header map[string]string) map[string]string {
	ownNames(own)
	for name, value := range header {
		if own[name] == "" {
			own[name] = value
		}
	}
	return own
}
