package review

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"goalproof/arimaa"
	"goalproof/internal/printable"
)

// indexPage is the template of an index.
//
//go:embed index.html
var indexPage string

// Index is a page that lists reviewed games with their players, headlines, totals and graphs, and
// leads to their pages.
type Index struct {
	title string
	games []indexed
}

// indexed is a game in an index.
type indexed struct {
	File, Title, Headline string
	Totals                []string
	Points                string  // of the graph, or ""
	Width                 int     // of the graph, in positions
	End                   float64 // its right edge
}

// NewIndex returns an empty index.
func NewIndex(title string) *Index { return &Index{title: title} }

// Add adds a game whose page is in a file, relative to the index.
func (x *Index) Add(r *Review, file string) {
	game := indexed{File: file, Title: r.Record.Title(), Headline: r.Headline(), Width: len(r.Standings),
		End: float64(len(r.Standings)) - .5}
	for side, p := range r.Players() {
		game.Totals = append(game.Totals, fmt.Sprintf("%s: %s.", capital(arimaa.Side(side).String()), r.Describe(p)))
	}
	var points []string
	for i := range r.Evaluations {
		points = append(points, fmt.Sprintf("%d,%.1f", i, 100-100*r.GoldChance(i)))
	}
	game.Points = strings.Join(points, " ")
	x.games = append(x.games, game)
}

// Write writes the page.
func (x *Index) Write(w io.Writer) error {
	page, err := template.New("index").Parse(indexPage)
	if err != nil {
		return err
	}
	return page.Execute(printable.Writer(w), struct {
		Title, Summary string
		Games          []indexed
	}{x.title, printable.Amount(len(x.games), "game") + ". All chances are gold's.", x.games})
}
