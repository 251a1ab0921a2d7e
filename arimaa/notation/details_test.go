package notation

import (
	"slices"
	"testing"

	"goalproof/internal/testkit/published"
)

// TestDetails reads details beside the games, whatever stands between the rows.
func TestDetails(t *testing.T) {
	const text = byteOrderMark + "id\twrating\ttimecontrol\tstartts\tmovelist\r\n# a comment\n1\t1500\t4/4\t86399\t1w\r\n\n2\t\t\t0\t1w\n3\t\t\tx\t1w\n4\t\t\t99999999999999\t1w\n"
	games, err := ReadArchive("test", text)
	if err != nil {
		t.Fatal(err)
	}
	want := []Details{{GoldRating: "1500", TimeControl: "4/4", Date: "1970-01-01"}, {}, {}, {}}
	var got []Details
	for _, g := range games {
		got = append(got, g.Details)
	}
	if !slices.Equal(got, want) {
		t.Errorf("details %+v, want %+v", got, want)
	}
}

func TestPublishedDetails(t *testing.T) {
	const name = "games/archive-2002.tsv"
	text := published.Read(t, name)
	games, err := ReadArchive(name, text)
	if err != nil {
		t.Fatal(err)
	}
	want := Details{"1500", "1516", "4/4/100/4/0", "Casual game", "2002-11-22"}
	if got := games[0].Details; got != want {
		t.Errorf("the first of %d games has details %+v, want %+v", len(games), got, want)
	}
}
