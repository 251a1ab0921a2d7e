package review_test

import (
	"strings"
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/review"
)

// TestFromArchive takes the end from the board, and else from the archive.
func TestFromArchive(t *testing.T) {
	const header = "id\twusername\tbusername\tresult\ttermination\tmovelist\n"
	for _, test := range []struct {
		row    string
		winner arimaa.Side
		ended  string
	}{
		{"w\tt\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w Ee1n", arimaa.Gold, "time"},
		{"b\tr\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w", arimaa.Silver, "resignation"},
		{"b\tx\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w", arimaa.Silver, "code x"},
		{"b\t\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w", arimaa.Silver, "unknown"},
		{"b\tp\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w", arimaa.Silver, "repetition"},
		{"b\tt\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w Ra6n Ra7n", arimaa.Gold, "goal"},
		{"\t\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w Ee1n", arimaa.Gold, ""},
		{"\t\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w lost", arimaa.Silver, "loss"},
		{"\t\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w resigns", arimaa.Silver, "resignation"},
	} {
		rows, err := notation.ReadArchive("test", header+"7\tann\tbob\t"+test.row+"\n")
		if err != nil {
			t.Fatal(err)
		}
		g, err := rows[0].Game()
		if err != nil {
			t.Fatal(err)
		}
		r := review.FromArchive(rows[0], g)
		if r.Name != "7" || r.Gold != "ann" || r.Silver != "bob" {
			t.Errorf("%s: %+v", test.row, r)
		}
		if r.Ended != test.ended || r.Finished() && r.Winner != test.winner {
			t.Errorf("%s: ended by %q, won by %v", test.row, r.Ended, r.Winner)
		}
	}
}

// TestFromTags reads the names of tags that Arimaa's programs and those of chess write.
func TestFromTags(t *testing.T) {
	for _, tags := range []string{
		`[Gold "ann"] [GoldRating "1500"] [Silver "bob"] [SilverRating "1600"] [Result "0-1"] [ResultCode "r"]`,
		`[White "ann"] [WhiteElo "1500"] [Black "bob"] [BlackElo "1600"] [Result "0-1"] [Termination "resignation"]`,
	} {
		text := strings.ReplaceAll(tags, "] [", "]\n[") + "\n\n1g Ra1 Ee1\n1s ec8 rh7\n2g Ee1n\n0-1\n"
		g, read, err := notation.ReadAnnotated("test", text)
		if err != nil {
			t.Fatal(err)
		}
		r := review.FromTags("7", read, g)
		want := "7: ann (gold, 1500) - bob (silver, 1600)"
		if r.Title() != want || r.Winner != arimaa.Silver || r.Ended != "resignation" {
			t.Errorf("%s: %q, won by %v, %s", tags, r.Title(), r.Winner, r.Ended)
		}
	}
}

// TestControlCharacters reads names that would give orders to a terminal.
func TestControlCharacters(t *testing.T) {
	const name, want = "\x1b[2Jann\u202eé", "\ufffd[2Jann\ufffdé"
	rows, err := notation.ReadArchive("test", "id\twusername\tbusername\tmovelist\n7\x07\t"+name+"\tbob\t1w Ra6 Ee1\\n1b ec8 rh7\\n2w\n")
	if err != nil {
		t.Fatal(err)
	}
	g, err := rows[0].Game()
	if err != nil {
		t.Fatal(err)
	}
	rows[0].Details.Event = name
	if r := review.FromArchive(rows[0], g); r.Gold != want || r.Details.Event != want || r.Name != "7\ufffd" {
		t.Errorf("%+q, %+q, %+q", r.Name, r.Gold, r.Details.Event)
	}
	g, tags, err := notation.ReadAnnotated("test", "[Gold \""+name+"\"]\n\n1g Ra1 Ee1\n1s ec8 rh7\n2g Ee1n\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := review.FromTags("7", tags, g); r.Gold != want {
		t.Errorf("%+q, %+q, %+q", r.Name, r.Gold, r.Details.Event)
	}
}
