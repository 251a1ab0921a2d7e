package notation

import (
	"cmp"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"goalproof/arimaa"
	"goalproof/internal/printable"
)

// last returns the last position of what is written.
func (w *Written) last() Diagram {
	return endOf(w.Game.Main)
}

func writeBoard(w *Written) string { return w.last().Long() }

func writeShort(w *Written) string { return w.last().Position.String() + "\n" }

// writeRanks writes the ranks of a position below the turn to come.
func writeRanks(w *Written) string {
	g := w.Game.Main
	return g.Label(g.Len()) + "\n" + ranksOf(g.Last()) + "\n"
}

// ranksOf returns the ranks of a position from 8 to 1 with slashes between them and digits for
// empty squares.
func ranksOf(p arimaa.Position) string {
	var b strings.Builder
	for rank := 8; rank >= 1; rank-- {
		empty := 0
		for file := range 8 {
			piece := p.At(arimaa.Square(8*(rank-1) + file))
			if piece == arimaa.Empty {
				empty++
			}
			if empty > 0 && (piece != arimaa.Empty || file == 7) {
				fmt.Fprint(&b, empty)
				empty = 0
			}
			if piece != arimaa.Empty {
				b.WriteByte(piece.Letter())
			}
		}
		if rank > 1 {
			b.WriteByte('/')
		}
	}
	return b.String()
}

// writePieces writes the pieces of both sides and then the side to move.
func writePieces(w *Written) string {
	var words []string
	p := w.last().Position
	g := arimaa.NewGame(p, arimaa.FirstTurn)
	for _, side := range []arimaa.Side{arimaa.Gold, arimaa.Silver} {
		for _, p := range g.Setup(side) {
			words = append(words, p.String())
		}
	}
	return strings.Join(append(words, string(p.Side().Letter())), " ") + "\n"
}

// writeLink writes the link by which forums show a board. arimaa.com takes no notice of the side
// behind it.
func writeLink(w *Written) string {
	p := w.last().Position
	return fmt.Sprintf("http://arimaa.com/arimaa/boardimg.php?orient=n&size=300&imgtype=jpeg&ranks=%s&side=%c\n", ranksOf(p), p.Side().Letter())
}

// writePost writes a board with a caption below it, and the solution hidden.
func writePost(w *Written) string {
	d := w.last()
	caption := fmt.Sprintf("%s to move.", sideName(d.Position.Side()))
	if w.Claim > 0 {
		caption = fmt.Sprintf("%s to play and win in %d.", sideName(d.Position.Side()), w.Claim)
	}
	text := "[code]\n" + d.Long() + "[/code]\n" + caption + "\n"
	if w.Solution != "" {
		text += "[spoiler]Solution: " + strings.NewReplacer("[", "(", "]", ")").Replace(Comment(w.Solution)) + "[/spoiler]\n"
	}
	return text
}

// sideName returns the name of a side at the beginning of a sentence.
func sideName(s arimaa.Side) string { return [2]string{"Gold", "Silver"}[s] }

// writeTurns writes a list of turns. A position alone with Gold to move counts as that of turn 2:
// only a label without a turn could say another number, and pyrimaa fails on such a label.
func writeTurns(w *Written) string {
	g := w.Game.Main
	text := Turns(g)
	if last := g.Last(); last.Side() == arimaa.Gold && g.Len() == 0 && g.End() == "" {
		w.lost |= theNumber
		text = strings.TrimSuffix(text, olderLabel(g.Number(0), arimaa.Gold)+"\n")
	}
	return text
}

// writeAnnotated writes a game with all that is written beside it.
func writeAnnotated(w *Written) string {
	for name, value := range w.Game.Tags {
		if !tagName.MatchString(name) || strings.ContainsAny(value, "\"\\") {
			w.lost |= theTags
		}
	}
	return w.Game.Write()
}

// writePuzzle writes the puzzle text of arimaa.com: percent-encoded fields. The list of turns ends
// with the solution, and startmove is its turn, so that a reader shows the position before it. The
// claim stands in the field chat.
func writePuzzle(w *Written) string {
	g := w.Game.Main.At(w.Game.Main.Len()) // without its end
	last := g.Last()
	start := olderLabel(g.Number(g.Len()), last.Side())
	if w.Solution != "" && Play(g, w.Solution) != nil {
		w.lost |= theSolution
	}
	if w.tagged("title", "chat") {
		w.lost |= theTags
	}
	title, chat := cmp.Or(w.Game.Tags["title"], w.Name), w.Game.Tags["chat"]
	for _, text := range []*string{&title, &chat} {
		if n, _, _ := claimOf(*text, last.Side()); n > 0 && n != w.Claim { // it is about another position
			*text = ""
			w.lost |= theTags
		}
	}
	if n, _, _ := claimOf(w.Game.Tags["title"]+"\n"+chat, last.Side()); n != w.Claim {
		chat = strings.TrimSpace(fmt.Sprintf("%s to win in %d", sideName(last.Side()), w.Claim) + "\n" + chat)
	}
	escape := strings.NewReplacer("%", "%25", "&", "%26", "=", "%3d", "\r\n", "%0d", "\n", "%0d", "\r", "%0d").Replace
	text := "mode=selfPlay\n&movelist=" + escape(strings.TrimSpace(Turns(g))) + "\n"
	for _, field := range [][2]string{{"chat", chat}, {"title", title}} {
		if field[1] != "" {
			text += "&" + field[0] + "=" + escape(field[1]) + "\n"
		}
	}
	return text + fmt.Sprintf("&side=%c\n&startmove=%s\n", start[len(start)-1], start)
}

// archiveColumns are the columns of an archive that are written, and the tags that stand in them
// unchanged.
var archiveColumns = []struct{ name, tag string }{
	{"id", "Source"}, {"wusername", "Gold"}, {"busername", "Silver"}, {"wrating", "GoldRating"},
	{"brating", "SilverRating"}, {"event", "Event"}, {"timecontrol", "TimeControl"},
	{name: "startts"}, {name: "result"}, {name: "termination"}, {name: "movelist"},
}

// archiveHead returns the header of an archive.
func archiveHead() string {
	var names []string
	for _, c := range archiveColumns {
		names = append(names, c.name)
	}
	return strings.Join(names, "\t") + "\n"
}

// writeRow writes a game as a row of an archive. The movelist ends with the label of the turn to
// come, as in the archive of the game room.
func writeRow(w *Written) string {
	g, tags := w.Game.Main, w.Game.Tags
	moves := Turns(g)
	last := g.Last()
	if next := olderLabel(g.Number(g.Len()), last.Side()); g.End() == "" && !strings.HasSuffix(moves, "\n"+next+"\n") {
		moves += next + "\n"
	}
	seconds := ""
	if begun, err := time.Parse(time.DateOnly, tags["Date"]); err == nil {
		seconds = strconv.FormatInt(begun.Unix(), 10)
	} else if tags["Date"] != "" {
		w.lost |= theTags
	}
	r := ResultOf(g, w.Game.Tags)
	special := map[string]string{
		"startts": seconds, "result": r.Result, "termination": printable.Cell(r.Termination), "movelist": strings.ReplaceAll(strings.TrimSuffix(moves, "\n"), "\n", `\n`),
	}
	known := []string{"Date"}
	var row []string
	for _, c := range archiveColumns {
		value := special[c.name]
		if c.tag != "" {
			known, value = append(known, c.tag), printable.Cell(tags[c.tag])
		}
		if c.name == "id" {
			value = cmp.Or(value, printable.Cell(w.Name), "1")
			if strings.HasPrefix(value, "#") { // which begins a comment
				value = "'" + value
			}
		}
		row = append(row, value)
	}
	if w.tagged(known...) {
		w.lost |= theTags
	}
	if r.Words != "" {
		w.lost |= theResult
	}
	return strings.Join(row, "\t") + "\n"
}

// isEmpty reports whether a tag has no value.
func isEmpty(_, value string) bool { return value == "" }

// Tags returns what the row says about the game as the tags of an annotated game: Gold, Silver,
// Result, ResultCode (the letter of the termination), ...; Source is the id.
func (r *Record) Tags() map[string]string {
	d := &r.Details
	tags := map[string]string{
		"Source": r.ID, "Gold": r.Gold, "Silver": r.Silver, "GoldRating": d.GoldRating, "SilverRating": d.SilverRating,
		"Event": d.Event, "TimeControl": d.TimeControl, "Date": d.Date, "Result": resultTag(r.Result), "ResultCode": r.Termination,
	}
	maps.DeleteFunc(tags, isEmpty)
	return tags
}

// writeCommands writes the commands that set a position up: newgame and the setups of an ordinary
// game, otherwise the first position; then the turns.
func writeCommands(w *Written) string {
	g := w.Game.Main
	var b strings.Builder
	first := g.Position(0)
	gold, silver := g.Setup(arimaa.Gold), g.Setup(arimaa.Silver)
	if g.Len() > 0 && g.Number(0) == arimaa.FirstTurn && first.Side() == arimaa.Gold && len(gold) > 0 && len(silver) > 0 {
		b.WriteString("newgame\n")
		for _, setup := range [][]arimaa.Placement{gold, silver} {
			b.WriteString("makemove")
			for _, p := range setup {
				b.WriteString(" " + p.String())
			}
			b.WriteByte('\n')
		}
	} else {
		fmt.Fprintf(&b, "setposition %v\n", first)
		if g.Number(0) != arimaa.FirstTurn {
			w.lost |= theNumber
		}
	}
	for i := range g.Len() {
		p := g.Position(i)
		fmt.Fprintf(&b, "makemove %s\n", p.Notation(g.Turn(i)))
	}
	return b.String()
}
