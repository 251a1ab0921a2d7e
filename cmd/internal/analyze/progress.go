package analyze

import (
	"fmt"
	"strings"
	"time"

	"goalproof/cmd/internal/cli"
	"goalproof/engine"
	"goalproof/engine/player"
)

// showProgress returns a function to be called with the reports of a search. On a terminal it shows
// the number of the candidate, gold's chance, the depth and the line beside a bar of the time,
// until stop is called.
func (a *analysis) showProgress(t cli.Terminal) (report func(engine.Report), stop func()) {
	if !cli.IsTerminal(t.Err) {
		return nil, func() {}
	}
	bar := cli.NewBar(t, t.Err, a.about.File, int(a.flags.limit.Time.Milliseconds()))
	bar.SetTemplateString(`{{string . "name"}}: {{string . "best"}} {{bar . }} {{etime . }}`).Start()
	begun := time.Now()
	report = func(r engine.Report) {
		bar.Set("best", a.progress(r)).SetCurrent(time.Since(begun).Milliseconds())
	}
	return report, func() { bar.Finish() }
}

// progress describes the state of the search for the next candidate.
func (a *analysis) progress(r engine.Report) string {
	turns := player.LineOf(a.game, r.Line).Line
	if len(turns) > 0 {
		turns[0] = withoutSteps(turns[0], a.made.Len())
	}
	return fmt.Sprintf("%d. %s: %s", len(a.best)+1, player.Worth(r, a.state.Side()), strings.Join(turns, " / "))
}
