package notation_test

import (
	"fmt"
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
)

// Records by how their boards stand: Gold has passed a turn on, reached its goal, taken the last
// rabbit, or left Silver without a step.
const (
	goesOn      = "1w Ra2 Ee2\n1b rh7 ed7\n2w Ee2n\n"
	goalOfGold  = "1w Ra7 Ee2\n1b rh7 ed7\n2w Ra7n\n"
	noRabbit    = "1w Ra2 Ed4\n1b rc4 eh7\n2w rc4s rc3x Ed4w\n"
	immobilised = "1w Rh1 Eb6\n1b ra5\n2w Eb6w\n"
)

// endings are games that end in every way, with what their tags and a letter each for who has won
// and how.
var endings = []struct {
	name, record string
	tags         map[string]string
	want         notation.Result
	notes        int // of contradictions
}{
	{"nothing", goesOn, nil, notation.Result{}, 0},
	{"goal", goalOfGold, nil, notation.Result{Result: "w", Termination: "g"}, 0},
	{"goal and tags", goalOfGold, map[string]string{"Result": "1-0", "ResultCode": "g", "Termination": "goal"}, notation.Result{Result: "w", Termination: "g"}, 0},
	{"goal and another result", goalOfGold, map[string]string{"Result": "0-1", "ResultCode": "g"}, notation.Result{Result: "w", Termination: "g"}, 1},
	{"goal and a draw", goalOfGold, map[string]string{"Result": "1/2-1/2"}, notation.Result{Result: "w", Termination: "g"}, 1},
	{"goal and another ending", goalOfGold, map[string]string{"Result": "1-0", "ResultCode": "t"}, notation.Result{Result: "w", Termination: "g"}, 1},
	{"rabbits", noRabbit, nil, notation.Result{Result: "w", Termination: "e"}, 0},
	{"immobilised", immobilised, nil, notation.Result{Result: "w", Termination: "m"}, 0},
	{"immobilised and no illegal turn", immobilised, map[string]string{"Result": "1-0", "ResultCode": "i"}, notation.Result{Result: "w", Termination: "m"}, 1},
	{"resigns", goesOn + "2b resigns\n", nil, notation.Result{Result: "w", Termination: "r"}, 0},
	{"resigns and tags", goesOn + "2b resigns\n", map[string]string{"Result": "1-0", "ResultCode": "r"}, notation.Result{Result: "w", Termination: "r"}, 0},
	{"resigns and a result", goesOn + "2b resigns\n", map[string]string{"Result": "1-0"}, notation.Result{Result: "w", Termination: "r"}, 0},
	{"resigns and another result", goesOn + "2b resigns\n", map[string]string{"Result": "0-1"}, notation.Result{Result: "w", Termination: "r"}, 1},
	{"resigns and another ending", goesOn + "2b resigns\n", map[string]string{"Result": "1-0", "ResultCode": "t"}, notation.Result{Result: "w", Termination: "r"}, 1},
	{"resigns and words", goesOn + "2b resigns\n", map[string]string{"Result": "1-0", "Termination": "in despair"}, notation.Result{Result: "w", Termination: "r"}, 0},
	{"timeout", goesOn + "2b timeout\n", nil, notation.Result{Result: "w", Termination: "t"}, 0},
	{"timeout and words", goesOn + "2b lost on time\n", map[string]string{"Result": "1-0", "Termination": "time"}, notation.Result{Result: "w", Termination: "t"}, 0},
	{"forfeits", goesOn + "2b forfeits\n", nil, notation.Result{Result: "w", Termination: "f"}, 0},
	{"lost", goesOn + "2b lost\n", nil, notation.Result{Result: "w"}, 0},
	{"lost and how", goesOn + "2b lost\n", map[string]string{"Result": "1-0", "ResultCode": "t"}, notation.Result{Result: "w", Termination: "t"}, 0},
	{"lost and words", goesOn + "2b lost\n", map[string]string{"Result": "1-0", "Termination": "by a rule"}, notation.Result{Result: "w", Words: "by a rule"}, 0},
	{"lost and how another result came about", goesOn + "2b lost\n", map[string]string{"Result": "0-1", "ResultCode": "t", "Termination": "by a rule"}, notation.Result{Result: "w"}, 1},
	{"lost and a goal", goesOn + "2b lost\n", map[string]string{"Result": "1-0", "ResultCode": "g"}, notation.Result{Result: "w"}, 1},
	{"tag", goesOn, map[string]string{"Result": "0-1"}, notation.Result{Result: "b"}, 0},
	{"tags", goesOn, map[string]string{"Result": "0-1", "ResultCode": "t"}, notation.Result{Result: "b", Termination: "t"}, 0},
	{"tags in words", goesOn, map[string]string{"Result": "0-1", "Termination": "resignation"}, notation.Result{Result: "b", Termination: "r"}, 0},
	{"tags in other words", goesOn, map[string]string{"Result": "0-1", "Termination": "by a rule"}, notation.Result{Result: "b", Words: "by a rule"}, 0},
	{"two tags that differ", goesOn, map[string]string{"Result": "0-1", "ResultCode": "t", "Termination": "resignation"}, notation.Result{Result: "b", Termination: "t"}, 1},
	{"tag and no goal", goesOn, map[string]string{"Result": "0-1", "ResultCode": "g"}, notation.Result{Result: "b"}, 1},
	{"tag and no goal in a word", goesOn, map[string]string{"Result": "0-1", "Termination": "goal"}, notation.Result{Result: "b"}, 1},
	{"tag and rabbits", goesOn, map[string]string{"Result": "0-1", "ResultCode": "e"}, notation.Result{Result: "b"}, 1},
	{"draw", goesOn, map[string]string{"Result": "1/2-1/2", "ResultCode": "n"}, notation.Result{Result: "d", Termination: "n"}, 0},
	{"nobody", goesOn, map[string]string{"Result": "*", "ResultCode": "a"}, notation.Result{Result: "u", Termination: "a"}, 0},
}

// recordOf writes a record with tags, as people do.
func recordOf(record string, tags map[string]string) string {
	var b strings.Builder
	for name, value := range tags {
		fmt.Fprintf(&b, "[%s %q]\n", name, value)
	}
	return b.String() + record
}

// rowOf writes the same as a row of an archive.
func rowOf(record string, tags map[string]string) string {
	letter := map[string]string{"1-0": "w", "0-1": "b", "1/2-1/2": "d", "*": "u"}[tags["Result"]]
	return "id\tresult\ttermination\tmovelist\n7\t" + letter + "\t" + tags["ResultCode"] + "\t" + strings.ReplaceAll(record, "\n", `\n`) + "\n"
}

// readOne reads the only entry of a text, with its game, its tags and its notes.
func readOne(text string, strict bool) (g *arimaa.Game, tags map[string]string, notes []notation.Note, err error) {
	lines := notation.NewLines("f", strings.NewReader(text))
	if strict {
		lines.Strict()
	}
	for p := range notation.Parts(lines) {
		if g, err = p.Played(); err == nil && p.Record != nil {
			p.Tags = p.Record.Tags()
		}
		return g, p.Tags, p.Notes, err
	}
	return nil, nil, nil, nil
}

// TestResultOf reads how games ended from their boards, the last words of their records, and tags or
// the columns of an archive. Each contradiction has a note, and is an error strictly.
func TestResultOf(t *testing.T) {
	for _, e := range endings {
		texts := map[string]string{"record": recordOf(e.record, e.tags), "row": rowOf(e.record, e.tags)}
		if e.tags["Termination"] != "" {
			delete(texts, "row")
		}
		for form, text := range texts {
			g, tags, notes, err := readOne(text, false)
			require.NoError(t, err)
			if got := notation.ResultOf(g, tags); got != e.want {
				t.Errorf("%s, %s: %+v, want %+v", e.name, form, got, e.want)
			}
			if len(notes) != e.notes {
				t.Errorf("%s, %s: the notes are %+v, want %d", e.name, form, notes, e.notes)
			}
			for _, n := range notes {
				if end := strings.Count(text, "\n"); n.Line != end {
					t.Errorf("%s, %s: a note on line %d, want %d", e.name, form, n.Line, end)
				}
			}
			if _, _, _, err := readOne(text, true); (err != nil) != (e.notes > 0) {
				t.Errorf("%s, %s, strictly: %v", e.name, form, err)
			}
		}
	}
}

// TestResultLast reads the result with which a record ends. It goes before the tag.
func TestResultLast(t *testing.T) {
	for text, want := range map[string]string{
		rowOf(goesOn+"1-0", nil):                                    "w, 0 notes",
		rowOf(goesOn+"1-0", map[string]string{"Result": "0-1"}):     "w, 1 notes",
		rowOf(goesOn+"1/2-1/2", map[string]string{"Result": "1-0"}): "d, 1 notes",
		goesOn + "1-0":                        "w, 0 notes",
		"[Result \"*\"]\n" + goesOn + "1-0":   "w, 0 notes",
		"[Result \"1-0\"]\n" + goesOn + "1-0": "w, 0 notes",
		"[Result \"0-1\"]\n" + goesOn + "1-0": "w, 1 notes",
		"[Result \"0-1\"]\n" + goesOn + "*":   "b, 0 notes",
		goesOn + "2b resigns\n0-1":            "w, 1 notes",
		goesOn + "2b resigns 1-0":             "w, 0 notes",
		goalOfGold + "0-1":                    "w, 1 notes",
		"1w Ra2 Ee2\n":                        ", 0 notes", // Silver has not set up, and has not lost
		goesOn[:len(goesOn)-1] + " 1/2-1/2\n": "d, 0 notes",
	} {
		g, tags, notes, err := readOne(text, false)
		require.NoError(t, err)
		if got := fmt.Sprintf("%s, %d notes", notation.ResultOf(g, tags).Result, len(notes)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestResultCounts reads a tag and a last word that contradict each other, in a game that the board
// decides: the note says what counts.
func TestResultCounts(t *testing.T) {
	for text, want := range map[string]string{
		"[Result \"1-0\"]\n" + goalOfGold + "0-1": "the board counts",
		"[Result \"0-1\"]\n" + goesOn + "1-0":     "the latter counts",
	} {
		_, _, notes, err := readOne(text, false)
		require.NoError(t, err)
		if len(notes) == 0 || !strings.HasSuffix(notes[0].Text, want) {
			t.Errorf("%s: %v, want %s", text, notes, want)
		}
	}
}

// TestEndings writes games that end in every way in every form that holds an end, and reads them
// again: who has won, and how, stays what it is, nothing contradicts it any more, and what is lost is
// named.
func TestEndings(t *testing.T) {
	for _, e := range endings {
		g, tags, _, err := readOne(recordOf(e.record, e.tags), false)
		require.NoError(t, err)
		w := notation.Written{Game: notation.Line(g)}
		w.Game.Tags = tags
		for _, name := range []string{"turns", "annotated", "archive", "aei"} {
			f, _ := notation.FormNamed(name)
			text, lost := f.Write(w)
			h, again, notes, err := readOne(f.Head+text, true)
			require.NoError(t, err)
			if got, named := notation.ResultOf(h, again), strings.Contains(fmt.Sprint(lost), "how the game ended"); (got == e.want) == named || len(notes) > 0 {
				t.Errorf("%s, %s: %+v, want %+v; %v is lost; %v, from\n%s", e.name, name, got, e.want, lost, notes, text)
			}
		}
	}
}
