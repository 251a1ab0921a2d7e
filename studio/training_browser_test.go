//go:build browser

package studio_test

import (
	"strings"
	"testing"

	"goalproof/studio"
)

// play plays a turn: the squares from which and to which each piece is dragged.
func (w window) play(steps ...string) {
	w.Helper()
	for _, s := range steps {
		before := w.study().Steps
		w.drag(square(s[:2]), square(s[2:]))
		until(w.T, s, func() bool { return w.study().Steps != before })
	}
	w.until("the end of the turn", `!document.getElementById("end").disabled`)
	w.press("#end")
}

// TestBrowserTrain plays a puzzle: a wrong turn, a hint, the solution against the best defence.
// Another one is given up.
func TestBrowserTrain(t *testing.T) {
	c := start(t, studio.Options{})
	w := open(t, c)
	w.press(`[data-view="train"]`)
	w.press("#train")
	w.says("train-error", "pasted")
	const markup = "<img src=x>"
	two, one := study(t, "win-in-2.txt").Position, study(t, "goal-in-1-step.txt").Position
	set := "position\tclaim\tsolution\tname\n" + two + "\t2\t\t" + markup + "\n" + one + "\t1\t\tone\n" +
		study(t, "no-win-in-2.txt").Position + "\t2\t\tfalse\n"
	w.set("train-text", set)
	w.press("#train")
	w.says("train-state", "2 exercises of 3 puzzles.")
	w.press("#exercises li:nth-child(2) button") // the easy one is the first
	w.is(c, two)
	w.says("task", "wins in 2 turns.")
	w.play("d6d7", "d7c7")
	w.says("train-says", "Disproved: with Ed6n Ed7w gold has no win in 2 turns (the third repetition set aside). The reply ")
	w.until("the reply as arrows", `document.querySelectorAll("#pieces .own, #pieces .forced").length > 0`)
	w.look("train-wrong")
	w.play("a8b8")
	w.says("train-says", "another position")
	w.press("#again")
	w.is(c, two)
	w.press("#hint")
	w.says("train-says", "moves first.")
	w.press("#hint")
	w.says("train-says", "The first step is ")
	w.until("the step as an arrow", `document.querySelectorAll("#pieces .own").length > 0`)
	w.Reload()
	w.says("task", "wins in 2 turns.")
	w.is(c, two)
	w.play("e1f1", "h2g2", "d6d7", "d7c7")
	w.says("train-says", "Right. The reply is ")
	w.says("task", "1 left.")
	w.look("train")
	w.press("#solution")
	w.says("train-says", "The solution is ")
	w.says("exercises", "Tried")
	w.press("#next")
	w.is(c, one)
	w.press("#solution")
	w.says("train-says", "The solution is ")
	steps := strings.Fields(strings.TrimSuffix(strings.TrimPrefix(w.text("train-says"), "The solution is "), "."))
	w.press("#exercises li:nth-child(1) button")
	w.says("train-says", "Play the turn")
	var moves []string
	for _, s := range steps {
		to := map[byte][2]int{'n': {0, 1}, 's': {0, -1}, 'e': {1, 0}, 'w': {-1, 0}}[s[3]]
		moves = append(moves, s[1:3]+string([]byte{s[1] + byte(to[0]), s[2] + byte(to[1])}))
	}
	w.play(moves...)
	w.says("train-says", "Solved in ")
	w.says("train-says", "without a mistake.")
	w.says("streak", "hint: 1, the longest 1.")
	w.says("exercises", "Solved, fastest in")
	got := ask[studio.Training](c, "GET", "/api/training", nil)
	if len(got.Exercises) != 2 || got.Exercises[1].Clean != 1 || got.Exercises[1].Tries != 2 || got.Exercises[0].Solved != 0 {
		t.Errorf("%+v", got)
	}
	w.hasNoMarkup()
	w.press("#examples")
	w.says("train-state", "mined from games at random")
	w.says("exercise-title", "Exercise 1 of 1")
	w.look("train-examples")
}
