package referee

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"goalproof/internal/testkit/require"
)

// Each test is about one sentence of docs/rules.md, "A turn", "Captures" or "Ending a turn".

func TestSingleSteps(t *testing.T) {
	st := start(t, Gold, `
		8 .......c
		5 ...D....
		2 C.......
		1 RR......`)
	onlySteps(t, st,
		"Dd5n", "Dd5s", "Dd5e", "Dd5w",
		"Ca2n", "Ca2e",
		"Rb1n", "Rb1e")
	illegal(t, st, "occupied", "Ra1n", "Ra1e", "Ca2s")
	illegal(t, st, "no such piece", "Dd4n", "Cd5n", "dd5n")
	illegal(t, st, "no stronger piece", "ch8w")
}

func TestRabbitsDoNotStepBackward(t *testing.T) {
	gold := start(t, Gold, `4 ...R....`)
	onlySteps(t, gold, "Rd4n", "Rd4e", "Rd4w")
	illegal(t, gold, "backward", "Rd4s")
	silver := start(t, Silver, `4 ...r....`)
	onlySteps(t, silver, "rd4s", "rd4e", "rd4w")
	illegal(t, silver, "backward", "rd4n")
}

func TestRabbitsMayBePushedAndPulledBackward(t *testing.T) {
	st := start(t, Gold, `
		5 ...r....
		4 ...C....`)
	play(t, st, "rd5n Cd4n")
	pulled := start(t, Gold, `
		6 ...C....
		5 ...r....`)
	play(t, pulled, "Cd6n rd5n")
}

func TestATurnHasFourSteps(t *testing.T) {
	st := start(t, Gold, `1 E.......`)
	end := play(t, st, "Ea1n Ea2n Ea3n Ea4n")
	if end.Left != 0 {
		t.Errorf("%d steps left", end.Left)
	}
	onlySteps(t, end)
	illegal(t, end, "no steps are left", "Ea5n")
}

func TestFreezing(t *testing.T) {
	// Every kind freezes the weaker ones, and only those.
	kinds := "RCDHME"
	for i, freezer := range kinds {
		for j, kind := range "rcdhme" {
			b := EmptyBoard()
			b[28], b[36] = byte(freezer), byte(kind) // e4, e5
			if got, want := b.frozen(36), j < i; got != want {
				t.Errorf("%c next to %c: frozen is %t", kind, freezer, got)
			}
		}
	}

	st := start(t, Silver, `
		5 ...c....
		4 ...D....`)
	onlySteps(t, st)
	illegal(t, st, "frozen", "cd5n", "cd5e", "cd5w")
	// One's own stronger piece does not freeze, and one on a diagonal is not next to it.
	legal(t, start(t, Silver, `
		5 ...cd...`), "cd5n")
	legal(t, start(t, Silver, `
		5 ...c....
		4 ..D.D...`), "cd5n")
}

func TestAnyFriendUnfreezes(t *testing.T) {
	// The two rabbits would each be frozen alone.
	st := start(t, Silver, `
		6 ....E...
		5 ...rr...
		4 ...M....`)
	legal(t, st, "rd5w", "re5s")
	// Once its friend has gone, the other is frozen.
	illegal(t, play(t, st, "rd5w"), "frozen", "re5s")
	// A friend that comes back unfreezes it within the turn.
	legal(t, play(t, st, "rd5w rc5e"), "re5s")
}

func TestFrozenPiecesDoNotPushOrPull(t *testing.T) {
	st := start(t, Gold, `
		5 ...e....
		4 ...H....
		3 ...r....`)
	illegal(t, st, "frozen", "rd3s", "rd3e", "Hd4w")
	// With a friend next to it, it does both.
	free := start(t, Gold, `
		5 ...e....
		4 ...HR...
		3 ...r....`)
	play(t, free, "rd3s Hd4s")
	play(t, free, "Hd4w rd3n")
}

func TestPush(t *testing.T) {
	st := start(t, Gold, `
		6 ........
		5 ..DdE...
		4 ...Dr...
		3 ....C...`)
	illegal(t, st, "occupied", "dd5s", "dd5e", "dd5w")
	// The rabbit on e4 stands next to three stronger pieces; any of them may follow it, and nothing
	// else may happen.
	begun := play(t, st, "re4e")
	if !begun.Unfinished() || begun.MayStop() {
		t.Error("the turn may stop within a push")
	}
	if _, err := begun.Stop(); !errors.Is(err, ErrUnfinishedPush) {
		t.Errorf("Stop: %v", err)
	}
	onlySteps(t, begun, "Ee5s", "Dd4e", "Ce3n")
	illegal(t, begun, "a push was begun", "Dc5n", "Ee5n", "rf4n", "dd5n")
	done := play(t, begun, "Dd4e")
	if done.Unfinished() || !done.MayStop() {
		t.Error("the turn may not stop after a push")
	}
	same(t, done.Board, `
		5 ..DdE...
		4 ....Dr..
		3 ....C...`)

	// A piece of equal strength cannot follow.
	equal := start(t, Gold, `
		5 ..DdE...`)
	begun = play(t, equal, "dd5n")
	onlySteps(t, begun, "Ee5w")
	illegal(t, begun, "too weak", "Dc5e")
}

func TestPushWhereAStrongerPieceIsFrozen(t *testing.T) {
	// The horse is frozen by the camel. Only the elephant may push the rabbit.
	st := start(t, Gold, `
		6 ...m....
		5 ...H....
		4 ...rE...`)
	begun := play(t, st, "rd4s")
	onlySteps(t, begun, "Ee4w")
	illegal(t, begun, "frozen", "Hd5s")
}

func TestRabbitsDoNotPushOrPull(t *testing.T) {
	st := start(t, Gold, `
		5 ...r....
		4 ...R....`)
	illegal(t, st, "no stronger piece", "rd5n", "rd5e")
	illegal(t, play(t, st, "Rd4w"), "no stronger piece", "rd5s")
}

func TestFriendlyPiecesAreNotDislodged(t *testing.T) {
	st := start(t, Gold, `
		5 ...R....
		4 ...E....`)
	illegal(t, play(t, st, "Ed4w"), "backward", "Rd5s")
	// A friend that steps after the elephant makes a step of its own: with its last one gone, it
	// stays.
	illegal(t, play(t, st, "Ed4s Ed3s Ed2s Ed1w"), "no steps are left", "Rd5n")
}

func TestPushNeedsTwoSteps(t *testing.T) {
	st := start(t, Gold, `
		5 ...r....
		4 ...E....
		1 C.......`)
	legal(t, play(t, st, "Ca1n Ca2n"), "rd5n")
	illegal(t, play(t, st, "Ca1n Ca2n Ca3n"), "needs two steps", "rd5n")
}

func TestPull(t *testing.T) {
	st := start(t, Gold, `
		6 ...r....
		5 ..dE....
		4 ...e....`)
	left := play(t, st, "Ed5e")
	if left.Unfinished() || !left.MayStop() {
		t.Error("a pull need not be completed")
	}
	// Either weaker neighbour of the square that was left may follow, the equal one may not.
	legal(t, left, "rd6s", "dc5e")
	illegal(t, left, "no stronger piece", "ed4n", "dc5n")
	done := play(t, left, "rd6s")
	if done.Unfinished() {
		t.Error("a completed pull is taken for a push")
	}
	same(t, done.Board, `
		6 ........
		5 ..drE...
		4 ...e....`)
	// The pull is over: nothing follows into the square that the rabbit left.
	b := start(t, Gold, `
		7 ...r....
		6 ...r....
		5 ...E....`)
	illegal(t, play(t, b, "Ed5e rd6s"), "no stronger piece", "rd7s")
}

func TestPullMustFollowAtOnce(t *testing.T) {
	st := start(t, Gold, `
		6 ...r....
		5 ...E....
		1 C.......`)
	illegal(t, play(t, st, "Ed5s Ca1n"), "no stronger piece", "rd6s")
	legal(t, play(t, st, "Ca1n Ed5s"), "rd6s")
}

func TestPullMayUseTheLastStep(t *testing.T) {
	st := start(t, Gold, `
		6 ...r....
		5 ...E....
		1 C.......`)
	end := play(t, st, "Ca1n Ca2n Ed5s rd6s")
	if end.Left != 0 || !end.MayStop() {
		t.Error("a pull with the third and fourth step is not complete")
	}
	// With one step left a pull cannot be completed.
	illegal(t, play(t, st, "Ca1n Ca2n Ca3n Ed5s"), "no steps are left", "rd6s")
}

func TestPullIsPreferredToPush(t *testing.T) {
	// After Ed4s the step rd5s can end the elephant's pull or begin the dog's push.
	st := start(t, Gold, `
		5 .rDr....
		4 ...E....
		1 C.......`)
	pulled := play(t, st, "Ed4s rd5s")
	if pulled.Unfinished() || !pulled.MayStop() {
		t.Fatal("read as a push")
	}
	// So the dog's next step is one of its own, and it may pull; as the end of a push it might not.
	play(t, pulled, "Dc5e rb5e")
	// And it is legal as the last step of the turn, when no push may begin.
	last := play(t, st, "Ca1n Ca2n Ed4s rd5s")
	if last.Unfinished() || !last.MayStop() {
		t.Error("read as a push with no step left to complete it")
	}
	// A step to another square cannot be the end of the pull.
	pushed := play(t, st, "Ed4s rd5n")
	if !pushed.Unfinished() {
		t.Error("read as a pull")
	}
	onlySteps(t, pushed, "Dc5e")
}

func TestNoPushAndPullWithTheSameStep(t *testing.T) {
	st := start(t, Gold, `
		6 ...r....
		5 ...E....
		4 ...r....`)
	pushed := play(t, st, "rd6n Ed5n")
	illegal(t, pushed, "no stronger piece", "rd4n")
	// The same piece may pull with a later step.
	legal(t, play(t, pushed, "Ed6s"), "rd7s")
}

func TestCapturedPullerStillPulls(t *testing.T) {
	// After Chesspedia, "Arimaa": silver clears the trap's guard, the horse steps onto the trap,
	// and the rabbit follows.
	st := start(t, Silver, `
		4 .....r..
		3 ........
		2 .....h..
		1 .....R..`)
	end := play(t, st, "rf4e hf2n hf3x Rf1n")
	same(t, end.Board, `
		4 ......r.
		2 .....R..`)
	// It also does as the last two steps, and where nobody could have pushed.
	end = play(t, st, "rf4e rg4e hf2n hf3x Rf1n")
	if end.Left != 0 || !end.MayStop() {
		t.Error("the pull is not complete")
	}
}

func TestCaptureOnEnteringATrap(t *testing.T) {
	for _, trap := range []struct{ from, step, x string }{
		{"c2", "Cc2n", "Cc3x"}, {"e3", "Ce3e", "Cf3x"}, {"c7", "Cc7s", "Cc6x"}, {"g6", "Cg6w", "Cf6x"},
	} {
		b := EmptyBoard()
		square, err := ParseSquare(trap.from)
		require.NoError(t, err)
		b[square] = 'C'
		end := play(t, NewState(b, Gold), trap.step+" "+trap.x)
		if end.Board != EmptyBoard() {
			t.Errorf("%s: not captured", trap.step)
		}
	}
	// A friend on any side saves it, an enemy does not.
	play(t, start(t, Gold, `
		4 ..R.....
		2 ..C.....`), "Cc2n")
	play(t, start(t, Gold, `
		4 ..r.....
		2 ..C.....`), "Cc2n Cc3x")
}

func TestPushedOrPulledOntoATrap(t *testing.T) {
	// The first half captures; the pusher follows all the same.
	end := play(t, start(t, Gold, `
		6 .....x..
		5 .....d..
		4 .....E..`), "df5n df6x Ef4n")
	same(t, end.Board, `5 .....E..`)
	// Pulled: the second half captures.
	end = play(t, start(t, Gold, `
		6 .....E..
		5 .....d..`), "Ef6n df5n df6x")
	same(t, end.Board, `7 .....E..`)
}

func TestCaptureWhenTheLastDefenderLeaves(t *testing.T) {
	// By its own step.
	st := start(t, Gold, `
		4 ..E.....
		3 ..D.....`)
	same(t, play(t, st, "Ec4n Dc3x").Board, `5 ..E.....`)
	// By a pull: the enemy's piece is captured. Then the captor walks in (Hřebejk 2013, figure
	// 3.3).
	st = start(t, Gold, `
		3 ....rcR.
		2 .....C..`)
	same(t, play(t, st, "Cf2w Ce2e re3s cf3x Cf2n").Board, `
		3 .....CR.
		2 ....r...`)
	// By a push.
	st = start(t, Gold, `
		6 ..c.....
		5 ..r.....
		4 ..H.....`)
	same(t, play(t, st, "rc5e cc6x Hc4n").Board, `5 ..Hr....`)
}

func TestPusherLeavesItsFriendOnATrap(t *testing.T) {
	// "A dog on a trap whose only defender is the piece that pushes."
	st := start(t, Gold, `
		5 ..r.....
		4 ..E.....
		3 ..D.....`)
	end := play(t, st, "rc5e Ec4n Dc3x")
	same(t, end.Board, `5 ..Er....`)
	if !end.MayStop() || end.Unfinished() {
		t.Error("the push is not complete")
	}
}

func TestCapturesOfBothColoursInOneTurn(t *testing.T) {
	st := start(t, Gold, `
		6 ..d.....
		5 ..rE....
		4 ...M....
		3 ..D.....
		2 ..R.....`)
	// The push takes the silver dog's defender away, the rabbit's step takes the gold dog's.
	end := play(t, st, "rc5w dc6x Ed5w Rc2w Dc3x")
	same(t, end.Board, `
		5 .rE.....
		4 ...M....
		2 .R......`)
}

func TestACaptureUnfreezes(t *testing.T) {
	st := start(t, Silver, `
		5 .....h..
		4 .....D..
		3 .....Cr.`)
	illegal(t, st, "frozen", "rg3s")
	play(t, st, "hf5e Df4n Cf3x rg3s")
}

func TestATrapClearsTheWay(t *testing.T) {
	// The dog steps aside onto the trap and is captured, on purpose, and the rabbit takes its
	// place.
	st := start(t, Gold, `
		7 ..rrr...
		6 ..xDr...
		5 ..rRr...`)
	play(t, st, "Dd6w Dc6x Rd5n")
}

func TestUndefendedPiecesGivenByHand(t *testing.T) {
	// They go at the first displacement, all of them, whoever makes it.
	st := start(t, Gold, `
		6 ..d..R..
		3 ..C..e..
		1 H.......`)
	end := play(t, st, "Ha1n Cc3x ef3x dc6x Rf6x")
	same(t, end.Board, `2 H.......`)
	// The one that moves away is saved.
	end = play(t, st, "Cc3n ef3x dc6x Rf6x")
	same(t, end.Board, `
		4 ..C.....
		1 H.......`)
	// A push cannot begin if the pusher is captured before it can follow.
	st = start(t, Gold, `
		3 ..Hr....`)
	illegal(t, st, "captured before it can follow", "rd3n", "rd3e", "rd3s")
	// It can pull, as it leaves the trap.
	end = play(t, st, "Hc3w rd3w rc3x")
	same(t, end.Board, `3 .H......`)
	// The horse was frozen when the push began. That the piece which froze it is captured does not
	// make it a pusher.
	st = start(t, Gold, `
		6 ..m.....
		5 ..Hr....
		4 ...E....`)
	begun := play(t, st, "rd5e mc6x")
	onlySteps(t, begun, "Ed4n")
	illegal(t, begun, "frozen", "Hc5e")
}

func TestATurnMustChangeTheBoard(t *testing.T) {
	st := start(t, Gold, `
		2 ........
		1 CC......`)
	if st.MayStop() {
		t.Error("a turn may be passed")
	}
	if _, err := st.Stop(); !errors.Is(err, ErrUnchanged) {
		t.Errorf("Stop: %v", err)
	}
	back := play(t, st, "Ca1n Ca2s")
	if back.MayStop() {
		t.Error("going back and forth changes nothing, but the turn may stop")
	}
	// Two pieces of the same kind have changed places.
	swapped := play(t, st, "Ca1n Cb1w Ca2e Cb2s")
	if swapped.MayStop() || swapped.Board != st.Board {
		t.Error("swapping two cats is taken for a change")
	}
	if _, ok := reaches(t, st, `1 CC......`); ok {
		t.Error("the unchanged board is a result")
	}
	// But a board that is the same as after an earlier step is none the worse for it.
	if steps, ok := reaches(t, st, `
		2 C.......
		1 .C......`); !ok || steps != 1 {
		t.Errorf("a single step is found with %d steps (%t)", steps, ok)
	}
}

func TestStop(t *testing.T) {
	st := start(t, Gold, `1 E.......`)
	for _, turn := range []string{"Ea1n", "Ea1n Ea2n", "Ea1n Ea2n Ea3n", "Ea1n Ea2n Ea3n Ea4n"} {
		end := play(t, st, turn)
		next, err := end.Stop()
		if err != nil || next != NewState(end.Board, Silver) || next.Left != 4 {
			t.Errorf("after %s: %v, %d steps left (%v)", turn, next.Side, next.Left, err)
		}
	}
}

func TestGoalRankPassedWithinATurn(t *testing.T) {
	st := start(t, Gold, `
		8 c.......
		3 ...E....
		2 ...r...R`)
	home := play(t, st, "rd2s Ed3s")
	if winner, reason, over := Outcome(home.Board, Gold); !over || winner != Silver || reason != OpponentGoal {
		t.Errorf("stopping there: %v by %v (%t)", winner, reason, over)
	}
	// Pushed on and pulled off again: nothing has happened.
	end := play(t, st, "rd2s Ed3s Ed2w rd1n")
	same(t, end.Board, `
		8 c.......
		2 ..Er...R`)
	if _, reason, over := Outcome(end.Board, Gold); over {
		t.Errorf("pulled off again: over by %v", reason)
	}
	// The same way back restores the board.
	if play(t, st, "rd2s Ed3s Ed2n rd1n").MayStop() {
		t.Error("a turn that restores the board may stop")
	}
	// One's own rabbit on its goal rank has not won before the end of the turn either, and the turn
	// may go on.
	own := start(t, Gold, `7 R.......`)
	if steps, turn, ok := FewestGoal(own); !ok || steps != 1 || turn[0].String() != "Ra7n" {
		t.Errorf("goal in %d by %v", steps, turn)
	}
	if _, ok := reaches(t, own, `8 .R......`); !ok {
		t.Error("a rabbit may not step on along its goal rank")
	}
}

// The order of the steps in the list is promised.
func TestOrderOfSteps(t *testing.T) {
	var got []string
	for _, step := range start(t, Gold, `
		5 ...r....
		4 ...E....
		1 C.......`).Steps() {
		got = append(got, step.String())
	}
	want := []string{"Ca1n", "Ca1e", "Ed4s", "Ed4e", "Ed4w", "rd5n", "rd5e", "rd5w"}
	if !slices.Equal(got, want) {
		t.Errorf("steps %v, want %v", got, want)
	}
}

// TestCanStep compares with the list of steps on crowded boards, where often only a push is
// possible, or nothing.
func TestCanStep(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	counts := map[string]int{}
	for range 3_000 {
		b := EmptyBoard()
		empty := 1 + random.IntN(8)
		for i, square := range random.Perm(64) {
			if i >= empty {
				b[square] = "EEMMHDCRRemhhddccrrrrrrrrrrrrrr"[random.IntN(31)]
			}
		}
		st := NewState(b, Side(random.IntN(2)))
		steps := st.Steps()
		if st.CanStep() != (len(steps) > 0) {
			t.Fatalf("%s: it can step: %t, but the steps are %v", st.Position(), st.CanStep(), steps)
		}
		own := slices.ContainsFunc(steps, func(s Step) bool { return owner(s.Piece) == st.Side })
		switch {
		case own:
			counts["own pieces"]++
		case len(steps) > 0:
			counts["pushes alone"]++
			if begun, _, err := st.Play(steps[0]); err != nil || !begun.CanStep() {
				t.Fatalf("%s: the push %v cannot be completed: %v", st.Position(), steps[0], err)
			}
		default:
			counts["nothing"]++
		}
	}
	t.Log(counts)
	for _, what := range []string{"own pieces", "pushes alone", "nothing"} {
		if counts[what] < 10 {
			t.Errorf("%s: %d boards", what, counts[what])
		}
	}
}
