package review_test

import (
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// TestFromArchive says how games ended: by the board, and else by the letters of an archive or by
// the words of the list of turns.
func TestFromArchive(t *testing.T) {
	// Every turn of gold is a third repetition: it has not made one.
	const cage = `1w Eb1 Ch4 Rd4\n1b ea2 eb2 ec1 dd5 dh5 cd8 ra8\n2w pass\n2b dh5n\n3w Ch4w\n3b dh6s\n4w Cg4e\n4b cd8e\n5w Eb1w\n5b ce8w`
	const position = `1w Ra6 Ee1\n1b ec8 rh7\n2w `
	for row, want := range map[string]string{
		"w\tg\t" + position + `Ee1n`:      "gold won; the record does not say how", // for the board refutes it
		"w\te\t" + position + `Ee1n`:      "gold won; the record does not say how",
		"w\tm\t" + position + `Ee1n`:      "gold won; the record does not say how",
		"w\tt\t" + position + `Ee1n`:      "gold won on time",
		"w\ti\t" + position + `Ee1n`:      "gold won: silver played an illegal turn",
		"b\tr\t" + position:               "silver won by resignation",
		"b\tp\t" + position + `Ee1n`:      "silver won: gold repeated a position",
		"b\tp\t" + cage:                   "silver won by repetition",
		"b\ta\t" + position + `Ee1n`:      "silver won: the game was abandoned",
		"b\tb\t" + position + `Ee1n`:      "silver won (code b)",
		"b\t\t" + position + `Ee1n`:       "silver won; the record does not say how",
		"d\tn\t" + position + `Ee1n`:      "a draw by the rules of its time",
		"d\ts\t" + position + `Ee1n`:      "a draw by the rules of its time",
		"u\ta\t" + position + `Ee1n`:      "no result: abandonment",
		"u\t\t" + position + `Ee1n`:       "not finished",
		"u\tb\t" + position + `Ra6n Ra7n`: "gold won by goal",
		"b\tt\t" + position + `Ra6n Ra7n`: "gold won by goal",
		"b\tr\t" + position + `Ra6n Ra7n`: "gold won by goal",
		"\t\t" + position + `lost`:        "silver won; the record does not say how",
		"b\tt\t" + position + `lost`:      "silver won on time",
		"w\tt\t" + position + `lost`:      "silver won; the record does not say how",
		"w\tt\t" + position + `resigns`:   "silver won by resignation",
		"b\tt\t" + position + `resigns`:   "silver won by resignation",
		"u\ta\t" + position + `resigns`:   "silver won by resignation",
		"d\tn\t" + position + `resigns`:   "silver won by resignation",
		"\t\t" + position + `resigns`:     "silver won by resignation",
		"\t\t" + position + `Ee1n`:        "not finished",
	} {
		r := archived(t, "id\twusername\tbusername\tresult\ttermination\tmovelist", "7\tann\tbob\t"+row)
		if r.Name != "7" || r.Gold != "ann" || r.Silver != "bob" || r.Result() != want || r.Finished() != strings.Contains(want, " won") {
			t.Errorf("%q: %s, want %s: %+v", row, r.Result(), want, r)
		}
	}
}

// TestFromTags reads the names of tags that Arimaa's programs and those of chess write.
func TestFromTags(t *testing.T) {
	for _, tags := range []string{
		`[Gold "ann"] [GoldRating "1500"] [Silver "bob"] [SilverRating "1600"] [Result "0-1"] [ResultCode "r"]`,
		`[White "ann"] [WhiteElo "1500"] [Black "bob"] [BlackElo "1600"] [Result "0-1"] [Termination "resignation"]`,
		`[White "ann"] [WhiteElo "1500"] [Black "bob"] [BlackElo "1600"] [Result "0-1"] [Termination "by rule of theirs"]`,
	} {
		text := strings.ReplaceAll(tags, "] [", "]\n[") + "\n\n1g Ra1 Ee1\n1s ec8 rh7\n2g Ee1n\n0-1\n"
		g, read, err := notation.ReadAnnotated("test", text)
		require.NoError(t, err)
		r := review.FromTags("7", read, g)
		won := "silver won by resignation"
		if strings.Contains(tags, "theirs") {
			won = "silver won (by rule of theirs)"
		}
		if want := "7: ann (gold, 1500) - bob (silver, 1600)"; r.Title() != want || r.Result() != won {
			t.Errorf("%s: %q, %s, want %q, %s", tags, r.Title(), r.Result(), want, won)
		}
	}
}

// TestControlCharacters reads names that would give orders to a terminal.
func TestControlCharacters(t *testing.T) {
	const name, want = "\x1b[2Jann\u202eé", "\ufffd[2Jann\ufffdé"
	header := "id\tevent\twusername\tbusername\tmovelist"
	r := archived(t, header, "7\x07\t"+name+"\t"+name+"\tbob\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w")
	if r.Gold != want || r.Details.Event != want || r.Name != "7\ufffd" {
		t.Errorf("%+q, %+q, %+q", r.Name, r.Gold, r.Details.Event)
	}
	g, tags, err := notation.ReadAnnotated("test", "[Gold \""+name+"\"]\n\n1g Ra1 Ee1\n1s ec8 rh7\n2g Ee1n\n")
	require.NoError(t, err)
	if r := review.FromTags("7", tags, g); r.Gold != want {
		t.Errorf("%+q, %+q, %+q", r.Name, r.Gold, r.Details.Event)
	}
}
