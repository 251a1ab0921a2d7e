package review_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/review"
)

// pageGame is a page's data about its game.
type pageGame struct {
	Title, Headline, Legend, Squares string
	Totals                           []string
	Players                          [][]string
	Start                            int
	Positions                        []struct {
		Label, Played, Sign, Remark, Facts, Proved string
		Others                                     []struct {
			Line  []string
			Worth string
		}
		Better int
		Moment bool
		Chance *float64
	}
}

// pageData reads the data of a page.
func pageData(t *testing.T, page string) (data pageGame) {
	t.Helper()
	found := regexp.MustCompile(`(?s)<script id="data" type="application/json">(.*?)</script>`).FindStringSubmatch(page)
	if found == nil {
		t.Fatal("the page has no data")
	}
	if err := json.Unmarshal([]byte(found[1]), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPage(t *testing.T) {
	r := read(t, race)
	r.Name = `</script><b>"race"`
	page, err := playEvaluated(t, r, 2, 500).HTML()
	if err != nil {
		t.Fatal(err)
	}
	data := pageData(t, page)
	if data.Title != r.Name || data.Start != 0 || len(data.Positions) != 5 || data.Headline != "Silver won by goal. All chances are gold's. "+
		"From 2s on silver has a proved win. "+
		"The losing turn was 2g: gold had a win in 1, Ra6n Ra7n." {
		t.Errorf("title %q, headline %q, %d positions", data.Title, data.Headline, len(data.Positions))
	}
	if diff := cmp.Diff([][]string{{"gold (unknown)", "2", "1", "0", "1", "50.0"}, {"silver (unknown)", "2", "0", "0", "1", "0.0"}}, data.Players); diff != "" {
		t.Errorf("players (-want +got):\n%s", diff)
	}
	if s := data.Squares; len(s) != 64 || s[4] != 'E' || s[40] != 'R' || s[58] != 'e' {
		t.Errorf("the squares are %q", s)
	}
	first := data.Positions[0]
	if first.Label != "2g" || first.Played != "Ra6n" || first.Sign != "??" || !first.Moment || *first.Chance != 1 || len(first.Others) != 1 || first.Better != 0 {
		t.Fatalf("the first turn is %+v", first)
	}
	if other := first.Others[0]; !slices.Equal(other.Line, []string{"Ra6n Ra7n"}) || other.Worth != "wins in 1" {
		t.Errorf("the other turn is %+v", other)
	}
	if last := data.Positions[4]; last.Played != "" || len(last.Others) != 0 || last.Better != -1 {
		t.Errorf("the end is %+v", last)
	}
	var proved []string
	for _, p := range data.Positions {
		proved = append(proved, p.Proved)
	}
	if diff := cmp.Diff([]string{"gold", "silver", "silver", "silver", "silver"}, proved); diff != "" {
		t.Errorf("bands (-want +got):\n%s", diff)
	}
	// Nothing is loaded: the only address is the name of SVG.
	if left := strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""); strings.Contains(left, "://") {
		t.Error("the page names an address")
	}
	if !strings.Contains(page, "default-src 'none'") {
		t.Error("the page may load something")
	}
}

// TestPageSize checks that the page of a game of 100 turns takes less than 300 KB.
func TestPageSize(t *testing.T) {
	turns := boards.Sized(25, 100)
	var game strings.Builder
	game.WriteString("1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\n")
	game.WriteString("1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 md7 ee7 cf7 dg7 hh7\n")
	// The elephants walk to and fro through the middle, one file further each time.
	for i := range turns {
		gold, silver := walk(i)
		fmt.Fprintf(&game, "%dw %s\n%db %s\n", i+2, gold, i+2, silver)
	}
	g, err := notation.ReadGame("test", game.String())
	if err != nil {
		t.Fatal(err)
	}
	page, err := playEvaluated(t, review.NewRecord("long", g), 1, 50).HTML()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(pageData(t, page).Positions); n != 2*turns+1 || len(page) >= 60_000+turns*2400 {
		t.Errorf("%d positions in %d bytes", n, len(page))
	}
}

// walk is a turn of both elephants that makes no position occur three times: gold's goes round a ring
// of 12 squares and silver's round one of 10.
func walk(i int) (gold, silver string) {
	if i == 0 {
		return "Ee2n", "ee7s"
	}
	ring := func(letter string, squares []string, i int) string {
		from, to := squares[i%len(squares)], squares[(i+1)%len(squares)]
		direction := "n"
		switch {
		case to[0] > from[0]:
			direction = "e"
		case to[0] < from[0]:
			direction = "w"
		case to[1] < from[1]:
			direction = "s"
		}
		return letter + from + direction
	}
	return ring("E", []string{"e3", "d3", "c3", "b3", "a3", "a4", "b4", "c4", "d4", "e4", "f4", "f3"}, i-1),
		ring("e", []string{"e6", "f6", "g6", "h6", "h5", "g5", "f5", "e5", "d5", "d6"}, i-1)
}
