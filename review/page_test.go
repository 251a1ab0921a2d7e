package review_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"goalproof/internal/testkit/require"
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
	require.NoError(t, json.Unmarshal([]byte(found[1]), &data))
	return data
}

func TestPage(t *testing.T) {
	r := read(t, race)
	r.Name = `</script><b>"race"`
	page := html(t, playEvaluated(t, r, 2, 500))
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

// TestMoments lists a mistake as a moment even where nothing worse was played.
func TestMoments(t *testing.T) {
	v := playEvaluated(t, read(t, waits), 1, 50)
	for grade, want := range map[review.Grade]bool{review.Doubtful: false, review.Mistake: true, review.Blunder: true} {
		v.Judgements[0] = review.Judgement{Grade: grade}
		if first := pageData(t, html(t, v)).Positions[0]; first.Moment != want {
			t.Errorf("a %v is a moment: %v", grade, first.Moment)
		}
	}
}

// TestPagePublished lists all mistakes of a game in which nothing is proved and nothing worse was
// played, on a page of moderate size.
func TestPagePublished(t *testing.T) {
	page := html(t, playEvaluated(t, publishedGame(t, "669193"), 1, 1000))
	all, moments, mistakes := pageData(t, page).Positions, 0, 0
	for _, p := range all {
		if p.Moment {
			moments++
		}
		if p.Sign == "?" || p.Sign == "??" {
			mistakes++
		}
	}
	if moments != mistakes || mistakes == 0 {
		t.Errorf("%d moments, %d mistakes", moments, mistakes)
	}
	if len(page) >= 60_000+1200*len(all) {
		t.Errorf("%d positions in %d bytes", len(all), len(page))
	}
}
