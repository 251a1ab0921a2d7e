package notation_test

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
)

// A kind of paste holds texts that people paste. Its members must be read as want says, plain and
// in all decorations but those of except, which says why they cannot apply.
type kindOfPaste struct {
	kind    string
	except  map[string]string
	members []paste
}

// A paste is a text and what is read from it, one entry a line, as by summary. In want "…" stands
// for anything. There are two special wants: "doubt" is at least an error or a note, and what begins
// with "?" may also be met by an error or a note instead.
type paste struct{ name, text, want string }

// record is a game, recorded is what is read from it.
const (
	record   = "1w Ra2 Ee2\n1b rh7 ed7\n2w Ee2n Ra2n\n2b ed7s\n3w Ee3n\n"
	recorded = "3 turns to 3s Ra3 Ee4 ed6 rh7"
	// setUp begins a game; ahead and behind are what is read with Ee2n and then ed7s.
	setUp  = "1w Ra2 Ee2\n1b rh7 ed7\n"
	ahead  = "1 turns to 2s Ra2 Ee3 ed7 rh7"
	behind = "2 turns to 3g Ra2 Ee3 ed6 rh7"
	// study is a diagram in which nobody is said to move: a rabbit of each side runs.
	study = ` +-----------------+
8|                 |
7| R               |
6|     x     x     |
5|                 |
4|             r   |
3|     x     x     |
2|                 |
1|                 |
 +-----------------+
   a b c d e f g h
`
	// studies are two diagrams with headings.
	studies = "Study 1. Gold to play and win in 1.\n" + study + "Study 2. Silver to play and win in 1.\n" + study + "\n"
	// shortSquares are two pieces in short form, which is read as shortRead.
	shortSquares = "r                                                              R"
	short        = "g [" + shortSquares + "]"
	shortRead    = "2g Rh1 ra8"
)

// puzzleOf is a puzzle text of arimaa.com with these turns.
func puzzleOf(moves string) string {
	return "mode=selfPlay\n&movelist=" + strings.ReplaceAll(moves, "\n", "%0d") + "\n&title=A puzzle\n&side=w\n&startmove=2w\n"
}

// archiveRow is a row of the archive without a header, with these turns.
func archiveRow(id, moves string) string {
	return id + "\t1\t2\tann\tbob\t\t\tUS\tUS\t1500\t1500\t60\t60\th\th\tCasual game\tOver the Net\t15s/2m/100\t0\t1\t2\tw\tr\t3\tIGS\t1\t0\t" +
		strings.ReplaceAll(moves, "\n", `\n`) + "\n"
}

// tableOf is the study as a table in Markdown.
func tableOf(head string) string {
	var b strings.Builder
	b.WriteString(head)
	for _, l := range strings.Split(study, "\n") {
		if len(l) < 19 || l[1] != '|' {
			continue
		}
		b.WriteString("| " + l[:1] + " |")
		for file := range 8 {
			b.WriteString(" " + l[3+2*file:4+2*file] + " |")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// surroundings are what stands around a text that is pasted. It moves the text down and to the
// right.
var surroundings = []struct {
	name           string
	lines, columns int
	apply          func(text string) string
}{
	{"plain", 0, 0, func(text string) string { return text }},
	{"quoted", 0, 2, func(text string) string { return eachLine("> ", text, "") }},
	{"quoted twice", 0, 4, func(text string) string { return eachLine("> > ", text, "") }},
	{"indented", 0, 4, func(text string) string { return eachLine("    ", text, "") }},
	{"trailing blanks", 0, 0, func(text string) string { return eachLine("", text, "   ") }},
	{"fence", 1, 0, func(text string) string { return "```\n" + eachLine("", text, "") + "```\n" }},
	{"code", 1, 0, func(text string) string { return "[code]\n" + eachLine("", text, "") + "[/code]\n" }},
	{"pre", 1, 0, func(text string) string { return "<pre>\n" + eachLine("", text, "") + "</pre>\n" }},
	{"prose above", 2, 0, func(text string) string { return "Hi all, what do you think?\n\n" + text }},
	{"prose below", 0, 0, func(text string) string { return eachLine("", text, "") + "\nCheers, Bob\n" }},
	{"reply", 2, 2, func(text string) string { return "On Friday Bob wrote:\n\n" + eachLine("> ", text, "") }},
	{"CRLF", 0, 0, func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }},
	{"CR", 0, 0, func(text string) string { return strings.ReplaceAll(text, "\n", "\r") }},
	{"mark", 0, 0, func(text string) string { return "\ufeff" + text }},
	{"Ctrl-Z", 0, 0, func(text string) string { return text + "\x1a" }},
}

// eachLine puts something before and behind each line.
func eachLine(before, text, behind string) string {
	text = strings.TrimSuffix(text, "\n")
	return before + strings.ReplaceAll(text, "\n", behind+"\n"+before) + behind + "\n"
}

// pieces writes the pieces of a position from a1 to h8, those of Gold first.
func pieces(p arimaa.Position) string {
	var words [2][]string
	for s := range arimaa.Square(64) {
		if piece := p.At(s); piece != arimaa.Empty {
			words[piece.Side()] = append(words[piece.Side()], fmt.Sprintf(" %c%v", piece.Letter(), s))
		}
	}
	return strings.Join(slices.Concat(words[arimaa.Gold], words[arimaa.Silver]), "")
}

// summary says what is read, one entry a line: an error by its place; a position by the turn to
// come, the pieces, claim and solution; a game by its turns, the same and who has given up; the
// players and other tags, the result by a tag, and the lines of notes. Of what is said the words must stand in the text.
func summary(t *testing.T, lines *notation.Lines, text string) string {
	t.Helper()
	var all []string
	for e, err := range notation.Read(lines) {
		var bad *notation.ParseError
		switch {
		case errors.Is(err, notation.ErrNoSide):
			all = append(all, "no side")
			continue
		case errors.As(err, &bad):
			all = append(all, fmt.Sprintf("error %d:%d", bad.Line, bad.Column))
			continue
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, entrySummary(t, &e, text))
	}
	return strings.Join(all, "\n")
}

func entrySummary(t *testing.T, e *notation.Entry, text string) string {
	t.Helper()
	var b strings.Builder
	g := e.Game
	if e.Record != nil {
		fmt.Fprintf(&b, "row %s: ", e.Record.ID)
		var err error
		if g, err = e.Record.Game(); err != nil {
			return b.String() + "broken"
		}
	}
	if e.Position != nil {
		p := e.Position.Position
		b.WriteString(arimaa.TurnLabel(e.Position.Number, p.Side()) + pieces(p))
	} else {
		fmt.Fprintf(&b, "%d turns to %s%s", g.Len(), g.Label(g.Len()), pieces(g.Last()))
		if last := g.Last(); g.End() != "" {
			fmt.Fprintf(&b, "; %v lost", last.Side())
		}
	}
	if e.Claim > 0 {
		fmt.Fprintf(&b, "; claim %d", e.Claim)
	}
	if e.Solution != "" {
		b.WriteString("; solution " + e.Solution)
	}
	for _, words := range []string{e.ClaimFrom, e.SolutionFrom} {
		if !strings.Contains(text, words) && !strings.Contains(text, strings.ReplaceAll(words, " ", "+")) {
			t.Errorf("the text does not say %q", words)
		}
	}
	if e.ClaimFrom != "" && e.Claim == 0 || e.SolutionFrom != "" && e.Solution == "" {
		t.Errorf("words without what they say: %+v", e)
	}
	gold, silver := e.Tags["Gold"], e.Tags["Silver"]
	if e.Record != nil {
		gold, silver = e.Record.Gold, e.Record.Silver
	}
	if gold+silver != "" {
		fmt.Fprintf(&b, "; %s against %s", gold, silver)
	}
	for _, name := range []string{"GoldRating", "Event", "Date"} {
		if value := e.Tags[name]; value != "" && e.Tags["movelist"] == "" {
			fmt.Fprintf(&b, "; %s %s", name, value)
		}
	}
	if e.Tags["Result"] != "" && g != nil {
		b.WriteString("; result " + cmp.Or(notation.ResultOf(g, e.Tags).Result, "none"))
	}
	if len(e.Notes) > 0 {
		b.WriteString("; noted")
	}
	for _, n := range e.Notes {
		fmt.Fprintf(&b, " %d", n.Line)
		if n.Kind == "" || strings.TrimSpace(n.Text) == "" || n.Line < 1 {
			t.Errorf("an empty note: %+v", n)
		}
	}
	return b.String()
}

var (
	errorPlace = regexp.MustCompile(`error (\d+):(\d+|…)`)
	noteLines  = regexp.MustCompile(`noted[ \d]*`)
)

// moved is what is wanted of a decorated text.
func moved(want, decoration string, lines, columns int) string {
	shift := func(digits string, n int) string {
		number, err := strconv.Atoi(digits)
		if err != nil {
			return digits
		}
		return strconv.Itoa(number + n)
	}
	prose := decoration == "prose above" || decoration == "prose below" || decoration == "reply"
	want = errorPlace.ReplaceAllStringFunc(want, func(place string) string {
		m := errorPlace.FindStringSubmatch(place)
		switch {
		case decoration == "CR" || prose:
			return "error …"
		case m[2] == "0":
			return "error " + shift(m[1], lines) + ":0"
		}
		return "error " + shift(m[1], lines) + ":" + shift(m[2], columns)
	})
	want = noteLines.ReplaceAllStringFunc(want, func(words string) string {
		fields := strings.Fields(words)
		for i := range fields {
			fields[i] = shift(fields[i], lines)
		}
		return strings.Join(fields, " ")
	})
	if prose {
		want = noteLines.ReplaceAllString(want, "noted…")
	}
	if decoration == "prose below" && strings.Contains(want, " turns to ") && !strings.HasSuffix(want, "…") {
		want += "; noted…"
	}
	return want
}

// meets reports whether what was read is what is wanted.
func meets(want, got string) bool {
	doubtful := strings.Contains(got, "error") || strings.Contains(got, "no side") || strings.Contains(got, "; noted")
	if want == "doubt" {
		return doubtful
	}
	want, lenient := strings.CutPrefix(want, "?")
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*")
	return lenient && doubtful || regexp.MustCompile("^(?s:"+pattern+")$").MatchString(got)
}

// TestPastes reads texts as people paste them, each in all decorations, and strictly.
func TestPastes(t *testing.T) {
	kinds := slices.Concat(pastes(), publishedPastes(t))
	texts := 0
	for _, k := range kinds {
		for _, p := range k.members {
			texts++
			t.Run(k.kind+"/"+p.name, func(t *testing.T) {
				for _, d := range surroundings {
					if k.except[d.name] != "" {
						continue
					}
					text := d.apply(p.text)
					got := summary(t, notation.NewLines("f", strings.NewReader(text)), text)
					want := moved(p.want, d.name, d.lines, d.columns)
					if !meets(want, got) {
						t.Errorf("%s: %s is read, want %s, from\n%s%s", d.name, got, want, text, reasons(text))
						if d.name == "plain" {
							return // the decorations fail likewise
						}
					}
				}
				checkStrict(t, p.text)
			})
		}
	}
	if len(kinds) < 30 || texts < 80 {
		t.Errorf("%d texts of %d kinds", texts, len(kinds))
	}
}

// reasons are the errors and notes of a text, to be shown.
func reasons(text string) string {
	var b strings.Builder
	for e, err := range entries("f", text) {
		if err != nil {
			fmt.Fprintf(&b, "- %v\n", err)
		}
		for _, n := range e.Notes {
			fmt.Fprintf(&b, "- note %d: %s: %s\n", n.Line, n.Kind, n.Text)
		}
	}
	return b.String()
}

// checkStrict checks that strict reading refuses what has a note, in the line of a note, and reads
// everything else as without. What is refused anyway may be refused in another place.
func checkStrict(t *testing.T, text string) {
	t.Helper()
	strictly := func() *notation.Lines {
		lines := notation.NewLines("f", strings.NewReader(text))
		lines.Strict()
		return lines
	}
	failed := map[int]bool{} // by lines
	for e, err := range notation.Read(strictly()) {
		if len(e.Notes) > 0 && err == nil {
			t.Errorf("with a note, and strictly: %+v from\n%s", e.Notes, text)
		}
		if bad := (*notation.ParseError)(nil); errors.As(err, &bad) {
			failed[bad.Line] = true
		}
	}
	noted := false
	for e := range entries("f", text) {
		noted = noted || len(e.Notes) > 0
		if len(e.Notes) > 0 && !slices.ContainsFunc(e.Notes, func(n notation.Note) bool { return failed[n.Line] }) {
			t.Errorf("the errors are in lines %v, the notes are %+v, of\n%s", failed, e.Notes, text)
		}
	}
	if noted {
		return
	}
	if strict, got := summary(t, strictly(), text), summary(t, notation.NewLines("f", strings.NewReader(text)), text); strict != got && !(meets("doubt", strict) && meets("doubt", got)) {
		t.Errorf("strictly %s is read, otherwise %s from\n%s", strict, got, text)
	}
}

// publishedPastes are the texts of ../shared/data/pastes.
func publishedPastes(t *testing.T) []kindOfPaste {
	t.Helper()
	want := map[string]string{
		"01-oneline.txt":      recorded,
		"02a-doublelabel.txt": "2g Ee1 Ra6 rh7 eh8… solution Ra6n Ra7n; noted…",
		"02b-allinone.txt":    "2g Ee1 Ra6 rh7 eh8… solution Ra6n Ra7n; noted…",
		"02c-noletter.txt":    "2g Ee1 Ra6 rh7 eh8… solution Ra6n Ra7n; noted…",
		"02d-laterpass.txt":   "3g Ee1 Ra6 rh3 eh8… solution Ra6n Ra7n; noted…",
		"02e-movercase.txt":   "2g Ee3 Ra7 ce4 rh7… solution ce4n Ee3n Ra7n; noted…",
		"02f-latin1.txt":      "2g Ee1 Ra6 rh7 eh8… solution Ra6n Ra7n",
		"03a-cell.txt":        ahead,
		"03b-row.tsv":         "row 7: " + ahead + "; silver lost; ann against bob",
		"04-twogames.pgn":     ahead + "; a against b; result w\n1 turns to 2s Ee2 Ra3 ed7 rh7; b against a; result b",
		"05-boardlink.txt":    "no side",
		"05b-ranks.txt":       "no side",
		"06-position.txt":     "2 turns to 32s Ca2 Rd4 ra6; ann against ",
		"07-limit.txt":        "6 turns to 5g…",
		"08-trailer.txt":      ahead + "; noted 5",
		"09a-vars.txt":        behind,
		"09b-comment.txt":     ahead,
		"10-resigns.txt":      ahead + "; silver lost",
		"10b-timeout.txt":     ahead + "; silver lost",
		"10c-pass.txt":        behind,
		"11-quoted.txt":       "2g Ra1 Da2 ra8 hh8",
		"13-brace.txt":        ahead + "; a against ",
		"14-list.txt":         "2g Rd1 Ef5 rh7 ec8",
		"14b-list.txt":        "2g Ee3 Ra6 ed6 rh7; claim 1",
		"15-captions.txt":     "2g Ra7 rg4; claim 1; solution Ra7n\n2s Rb5 rg2; claim 1; solution rg2s",
		"16-endword.txt":      ahead + "; silver lost",
		"16b-inline.txt":      "…gold lost…",
		"17-nolabels.txt":     behind,
	}
	var all []kindOfPaste
	for _, file := range published.Names(t, "pastes/[0-9]*") {
		name := strings.TrimPrefix(file, "pastes/")
		if want[name] == "" {
			t.Errorf("%s: no want", name)
		}
		k := kindOfPaste{name[:strings.IndexAny(name, "-")], nil, []paste{{name, published.Read(t, file), want[name]}}}
		if strings.HasPrefix(name, "02") {
			k.except = fieldsGoOn
		} else if name == "03b-row.tsv" {
			k.except = notARow
		}
		all = append(all, k)
	}
	return all
}

var (
	fieldsGoOn = map[string]string{"prose below": "the last field would hold the prose"}
	notARow    = map[string]string{"prose below": "the prose would be a row", "indented": "the blanks would be part of the id"}
)
