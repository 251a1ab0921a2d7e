package notation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goalproof/arimaa"
)

// Result is how a game ended. The zero Result says that it has not, or that nobody knows.
type Result struct {
	Result      string // as in an archive ([Record]): who won, d or u; "" if it has not ended
	Termination string // as in an archive: how; "" if it is not known, or in words
	Words       string // the tag Termination, where no letter says the same
}

// ResultOf returns how a game ended: by its last position; else by the word that ends its record
// ([arimaa.Game.End]); else by its tags Result, ResultCode and Termination. Tags that contradict the
// position, the word or each other do not count.
func ResultOf(g *arimaa.Game, tags map[string]string) Result {
	r, _ := resultOf(g, tags)
	return r
}

// contradictory is the kind of their notes.
const contradictory = "results that contradict each other"

// contradiction is one of a record to itself, as a sentence, and how it is read.
type contradiction struct{ reason, how string }

// resultOf also returns the contradictions.
func resultOf(g *arimaa.Game, tags map[string]string) (r Result, against []contradiction) {
	r, by, allowed := decided(g)
	said := Result{resultLetter(tags["Result"]), tags["ResultCode"], tags["Termination"]}
	switch letter := EndingLetter(said.Words); {
	case letter == "":
	case said.Termination != "" && said.Termination != letter:
		against = append(against, contradiction{fmt.Sprintf("the tags give two endings, %s and %s", said.Termination, said.Words), "the first counts"})
		said.Words = ""
	default:
		said.Termination, said.Words = letter, ""
	}
	if said.Result != "" && r.Result != "" && said.Result != r.Result {
		against = append(against, contradiction{fmt.Sprintf("the result is given as %s, and is %s by %s", resultTag(said.Result), resultTag(r.Result), by), "the latter counts"})
		said = Result{}
	}
	if said.Termination != "" && !allowed(said.Termination) {
		against = append(against, contradiction{fmt.Sprintf("the ending is given as %s, and cannot be by %s", cmp.Or(EndingName(said.Termination), said.Termination), by), "it is left out"})
		said.Termination, said.Words = "", ""
	}
	r.Result, r.Termination = cmp.Or(r.Result, said.Result), cmp.Or(r.Termination, said.Termination)
	if r.Result == "" && r.Termination != "" {
		r.Result = "u"
	}
	if r.Termination == "" {
		r.Words = said.Words
	}
	return r, against
}

// decided returns how a game ended by its board or by its last word, which of them says so, and
// which letters of an ending agree with it.
func decided(g *arimaa.Game) (r Result, by string, allowed func(letter string) bool) {
	if o := g.Outcome(); o.Over() && g.Len() > 0 {
		letters := boardEndings[o.Reason]
		return Result{Result: results[o.Winner][0], Termination: letters[:1]}, "the board", func(letter string) bool { return strings.Contains(letters, letter) }
	}
	by = "the board"
	if last := g.Last(); g.End() != "" {
		r, by = Result{Result: results[last.Side().Other()][0], Termination: EndingLetter(g.End())}, "the end of the record"
	}
	return r, by, func(letter string) bool {
		return !strings.Contains("gem", letter) && (r.Termination == "" || r.Termination == letter)
	}
}

// boardEndings are the letters of an archive for what a board decides, the usual one first. Archives
// count it as immobilisation if every turn would repeat a position.
var boardEndings = [...]string{
	arimaa.Goal: "g", arimaa.OpponentGoal: "g", arimaa.Elimination: "e", arimaa.OwnElimination: "e", arimaa.Immobilisation: "m", arimaa.Repetition: "mp",
}

// endings are the letters with which an archive says how a game ended (the game room's
// reasonCodes.html), and their meaning. Repetitions and draws are those of games before July 2008.
var endings = map[string]string{
	"g": "goal", "m": "immobilisation", "e": "elimination", "t": "time", "r": "resignation", "i": "illegal turn",
	"f": "forfeit", "a": "abandonment", "s": "score", "p": "repetition", "n": "draw",
}

// EndingName returns the meaning of the letter by which an archive says how a game ended ([Record]),
// such as "goal"; "" if it is not known.
func EndingName(letter string) string { return endings[letter] }

// EndingLetter returns the letter for such a meaning, or for the words with which a record ends
// ([arimaa.Game.End]); "" if these words do not say how.
func EndingLetter(words string) string {
	if words = strings.ToLower(words); words == "" {
		return ""
	}
	for letter, name := range endings {
		if name == words {
			return letter
		}
	}
	return endWords[words]
}

// results are the results of games in an archive and in tags.
var results = [][2]string{{"w", "1-0"}, {"b", "0-1"}, {"d", "1/2-1/2"}}

// resultTag returns the tag Result for the result of an archive, "" if there is none.
func resultTag(letter string) string {
	for _, r := range results {
		if r[0] == letter {
			return r[1]
		}
	}
	return ""
}

// resultOfWord returns the result of an archive for a word such as 1-0 that ends a record, "" if it
// is none.
func resultOfWord(word string) string {
	for _, r := range results {
		if r[1] == word {
			return r[0]
		}
	}
	return ""
}

// dashes makes the dash of a result that of records.
var dashes = strings.NewReplacer("–", "-", " - ", "-")

// behindResult matches what may stand behind the winner or the result, in small letters.
var behindResult = regexp.MustCompile(` (?:wins?|won)(?: (?:by|on) [a-z ]+)?$| \([^()]*\)$`)

// resultLetter returns the result of an archive for a tag or a line that says it: a word such as 1-0,
// the side that has won, by its name or its letter, or a draw; "" if it is none of them.
func resultLetter(tag string) string {
	if tag = strings.Trim(tag, " .()*_\""); len(tag) == 1 && strings.ToLower(tag) != tag {
		return "" // as in a list of wins and losses
	}
	tag = strings.Join(strings.Fields(strings.ToLower(tag)), " ")
	if len(tag) > len("0-1") {
		tag = behindResult.ReplaceAllString(dashes.Replace(tag), "")
	}
	if side, ok := sideOf(tag); ok {
		return results[side][0]
	}
	if slices.Contains([]string{"d", "draw", "drawn"}, tag) {
		return "d"
	}
	return resultOfWord(tag)
}

// winner puts what the tags say about the winner in the tag Result. What is not understood is noted.
func (r *gameReader) winner(tags map[string]string) error {
	for _, name := range []string{"Result", "Winner"} {
		value := tags[name]
		if slices.Contains([]string{"", "*", "?", "-", "u", "unknown"}, strings.ToLower(value)) || resultLetter(value) != "" {
			continue
		}
		if err := r.doubted(0, "result that is not understood", "it is left out", "the tag %s is %.100q: write for example [Result \"1-0\"]", name, value); err != nil {
			return err
		}
	}
	had, winner := resultLetter(tags["Result"]), resultLetter(tags["Winner"])
	if winner == "" {
		return nil
	}
	if delete(tags, "Winner"); had != "" && had != winner {
		delete(tags, "Result")
		return r.doubted(0, contradictory, "neither counts", "the tag Result says %s, the tag Winner %s", resultTag(had), resultTag(winner))
	}
	tags["Result"] = resultTag(winner)
	return nil
}

// result puts the result with which a record ends in its tags, and notes what contradicts it or how
// the game ended.
func (r *gameReader) result(tags map[string]string) error {
	var against []contradiction
	text := strings.TrimRight(r.text, trailing)
	if err := r.winner(tags); err != nil {
		return err
	}
	if last := text[strings.LastIndexAny(text, " \t\r\n")+1:]; resultOfWord(last) != "" {
		if had := tags["Result"]; resultLetter(had) != "" && resultLetter(had) != resultLetter(last) {
			how := "the latter counts"
			if r, by, _ := decided(r.game); r.Result != "" {
				how = by + " counts"
			}
			against = append(against, contradiction{fmt.Sprintf("the result is given as %s and, at the end of the record, as %s", had, last), how})
		}
		tags["Result"] = last
	}
	known, others := resultOf(r.game, tags)
	if m := r.remark; known.Result == "" && endInWords.MatchString(m.text) && !hasStep(m.text) {
		if err := r.doubted(m.offset, "result in a remark", "it is left out", "this remark may say how the game ended: write it behind a label, such as 12s resigns"); err != nil {
			return err
		}
	}
	if named := strings.ToLower(tags["Termination"]); known.Result == "" && endInWords.MatchString(named) && isMentioned(named, append(players(tags), sideNames...)) {
		if err := r.doubted(0, "result in words", "it is left out", "the tag Termination may say who has won: write for example [Result \"1-0\"]"); err != nil {
			return err
		}
	}
	return r.contradicted(append(against, others...))
}

// players returns the names of the players in small letters.
func players(tags map[string]string) (names []string) {
	for _, name := range []string{"Gold", "Silver", "White", "Black"} {
		if tags[name] != "" {
			names = append(names, strings.ToLower(tags[name]))
		}
	}
	return names
}

// endInProse notes words below turns on a position that may say how the game ended.
func (r *reader) endInProse(l line) {
	e := r.wait
	if e == nil || e.Game == nil || len(l.text) > maxCaption || !mentions(strings.ToLower(l.text), sideNames...) || !endInWords.MatchString(l.text) || looksLikeClaim(strings.ToLower(l.text)) {
		return
	}
	if known, _ := resultOf(e.Game, e.Tags); known.Result == "" {
		r.leaveOut(&e.Notes, l, "result in words", "these words may say how the game ended: write it behind a label, such as 12s resigns")
	}
}

// contradicted notes contradictions.
func (r *gameReader) contradicted(against []contradiction) error {
	end := len(strings.TrimRight(r.text, trailing))
	for _, a := range against {
		if err := r.doubted(end, contradictory, a.how, "%s", a.reason); err != nil {
			return err
		}
	}
	return nil
}

// resultOutside takes the result that stands above or below a record, "" if none does.
func (r *gameReader) resultOutside(tags map[string]string, outside string) error {
	switch own := tags["Result"]; {
	case outside == "":
		return nil
	case resultLetter(own) == "":
		tags["Result"] = outside
		_, against := resultOf(r.game, tags)
		return r.contradicted(against)
	case resultLetter(own) != resultLetter(outside):
		return r.contradicted([]contradiction{{fmt.Sprintf("the record gives the result as %s, a line outside of it as %s", own, outside), "the record counts"}})
	}
	return nil
}
