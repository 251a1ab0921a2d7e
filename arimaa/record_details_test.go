package arimaa

import (
	"slices"
	"testing"

	"goalproof/internal/published"
)

// TestArchiveDetails reads details beside the games, whatever stands between the rows.
func TestArchiveDetails(t *testing.T) {
	const text = byteOrderMark + "id\twrating\ttimecontrol\tmovelist\r\n# a comment\n1\t1500\t4/4\t1w\r\n\n2\t\t\t1w\n"
	games, err := ReadArchive("test", text)
	if err != nil {
		t.Fatal(err)
	}
	want := []Details{{GoldRating: "1500", TimeControl: "4/4"}, {}}
	if got := ArchiveDetails(text); len(games) != 2 || !slices.Equal(got, want) {
		t.Errorf("%d games, details %+v, want %+v", len(games), got, want)
	}
}

func TestPublishedDetails(t *testing.T) {
	const name = "games/archive-2002.tsv"
	text := published.Read(t, name)
	games, err := ReadArchive(name, text)
	if err != nil {
		t.Fatal(err)
	}
	all := ArchiveDetails(text)
	want := Details{"1500", "1516", "4/4/100/4/0", "Casual game"}
	if len(all) != len(games) || all[0] != want {
		t.Errorf("%d details for %d games, the first %+v, want %+v", len(all), len(games), all[0], want)
	}
}
