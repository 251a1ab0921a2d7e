// Package examples_test proves what the example positions say about themselves.
//
// Each claim is checked twice: by the detector and the solver, and by complete
// enumeration that uses neither. In the enumeration everything that says that a side
// wins is played through by package referee; that a side cannot win is the
// result of looking at every turn it has.
package examples_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/goal"
	"goalproof/internal/testkit/boards"
	"goalproof/pns"
	"goalproof/proof/referee"
)

// examples lists the claims to prove about each position; game.turns has a test of its own.
var examples = map[string]func(*prover){
	"goal-in-1-step.txt": func(p *prover) {
		p.winsNow(arimaa.Goal, 1, "Rg7n")
		p.frozen("b7", true)
		p.frozen("g7", false)
	},
	"goal-in-2-steps.txt": func(p *prover) {
		p.winsNow(arimaa.Goal, 2, "dg4s rg2s")
		p.frozen("g2", true)
	},
	"goal-in-3-steps.txt": func(p *prover) {
		p.winsNow(arimaa.Goal, 3, "Hd8w ce8w Re7n")
	},
	"goal-in-4-steps.txt": func(p *prover) {
		p.winsNow(arimaa.Goal, 4, "Ed5s dd6s hc6x Rb6n Rb7n")
		p.frozen("b6", true)
	},
	"goal-in-4-steps-by-sacrifice.txt": func(p *prover) {
		p.winsNow(arimaa.Goal, 4, "Ra7e Hc7s Hc6x Rb7e Rc7n")
	},
	"elimination.txt": func(p *prover) {
		p.winsNow(arimaa.Elimination, 4, "rd6e rc6x Md7s re6e rf6x Md6e")
	},
	"immobilisation.txt": func(p *prover) {
		p.winsNow(arimaa.Immobilisation, 4, "cb6n Ma6e Ra5n Rb5w")
	},
	"win-in-2.txt": func(p *prover) {
		p.opponentThreatens()
		p.winsIn2("Re1e Rh2w Ed6n Ed7w")
		p.threatensAfter("Re1e Rh2w Ed6n Ed7w", "Ec7s Ec6x rb7e Ra7e Rb7n")
	},
	"win-in-2-for-silver.txt": func(p *prover) {
		p.frozen("b6", true)
		p.winsIn2("dc5n rb6s dc6x rb5s rb4s")
		p.threatensAfter("dc5n rb6s dc6x rb5s rb4s; Hb7s Hb6s Hb5s", "ec4s rb3s ec3x rb2s")
	},
	"zugzwang-in-2.txt": func(p *prover) {
		p.winsIn2("Ef5w Ee5w Ed5n Ed6n")
		p.threatensAfter("Ef5w Ee5w Ed5n Ed6n", "")
	},
	"win-in-2-with-six-pieces.txt": func(p *prover) {
		p.winsIn2("dc5s dc4w Rd4w")
		p.threatensAfter("dc5s dc4w Rd4w", "Cb3w db4s rb2e rc2s")
		p.economical()
	},
	"win-in-2-with-seven-pieces.txt": func(p *prover) {
		p.winsIn2("ra2n Db2w Cd5e Ce5e")
		p.threatensAfter("ra2n Db2w Cd5e Ce5e", "Rg5n Cf5e Rg6n Rg7n")
		p.economical()
	},
	"quiet-win-in-2.txt": func(p *prover) {
		p.winsIn2("Dd6n rc7s rc6x Dd7w Rc2w")
		p.threatensAfter("Dd6n rc7s rc6x Dd7w Rc2w", "")
		p.economical()
	},
	"no-win-in-2.txt": func(p *prover) {
		p.noWinIn2()
		p.threatensAfter("Ec7e Ed7e Ee7e Ef7n", "Ef8e Eg8w rh8w Rh7n")
		p.holding("Ec7e Ed7e Ee7e Ef7n", "ef4e eg4e eh4n eh5n")
	},
	"win-in-3.txt": func(p *prover) {
		p.noWinIn2()
		p.threatensAfter("Ec4w Eb4n Eb5n", "Eb6s rb7s Ra7e Rb7n")
		p.threatensAfter("Ec4w Eb4n Eb5n; hb3w ha3n ha4n ha5n; Eb6s ha6e hb6e hc6x Eb5n", "Eb6s rb7s Ra7e Rb7n")
		p.holding("Ec4w Eb4n Eb5n", "hb3w ha3n ha4n ha5n")
		if !boards.Large {
			return // seconds of enumeration
		}
		p.winsIn3("Ec4w Eb4n Eb5n", "hb3w ha3n ha4n ha5n", "Eb6s ha6e hb6e hc6x Eb5n")
		p.onlyWinsIn3("Ec4w Eb4n Eb5n", "Ec4w Eb4n Eb5n Rg3n", "Ec4w Eb4n Eb5n Rg3e", "Ec4w Eb4n Eb5n Rg3w Rf3x")
	},
}

const gameFile = "game.turns"

// A file that nothing is claimed of would be a claim that nobody checks.
func TestEveryFileIsProved(t *testing.T) {
	all, err := filepath.Glob("*")
	require.NoError(t, err)
	files := slices.DeleteFunc(all, func(f string) bool { return strings.HasSuffix(f, ".go") || f == "mined" || f == "games.tsv" }) // see TestMined, and package randomgames
	for _, f := range files {
		if examples[f] == nil && f != gameFile {
			t.Errorf("%s: nothing is proved of it", f)
		}
	}
	if len(files) != len(examples)+1 {
		t.Errorf("%d files, but %d positions and a game are to be proved", len(files), len(examples))
	}
}

func TestPositions(t *testing.T) {
	solver := newSolver(t)
	for file, prove := range examples {
		t.Run(strings.TrimSuffix(file, ".txt"), func(t *testing.T) {
			prove(newProver(t, solver, file))
		})
	}
}

// TestGame proves what the comment of the game says about its turns 24s, 25s and 26s.
func TestGame(t *testing.T) {
	text := read(t, gameFile)
	game, err := notation.ReadGame(gameFile, text)
	require.NoError(t, err)
	if o := game.Outcome(); o.Winner != arimaa.Silver || o.Reason != arimaa.Goal {
		t.Errorf("the game ends with %v for %v, not with a goal for silver", o.Reason, o.Winner)
	}
	if text != firstLine(text)+"\n"+notation.Turns(game) {
		t.Error("the file is not written as arimaa.Game writes it")
	}
	solver := newSolver(t)
	at := func(label string) (p *prover, played string) {
		number, side, err := notation.ParseLabel(label)
		require.NoError(t, err)
		i, ok := game.Find(number, side)
		if !ok {
			t.Fatalf("there is no turn %s", label)
		}
		p = &prover{T: t, solver: solver, game: game.At(i), position: game.Position(i)}
		return p, p.position.Notation(game.Turn(i))
	}

	p, played := at("24s")
	p.solved(answer.Disproved, 1)
	p.solved(answer.Proved, 2)
	if _, _, ok := referee.FewestWin(p.referee(p.position)); ok {
		t.Error("24s: a win in 1")
	}
	p.allLose(p.position.AfterTurn(p.turn(p.position, "ed3s Dc2n Dc3x ed2w ec2e")))
	// The turn played leaves a reply after which no turn of silver's wins.
	after := p.position.AfterTurn(p.turn(p.position, played))
	reply := after.AfterTurn(p.turn(after, "Rf1w Re1w Rd1w"))
	if reply.Board.Ended(arimaa.Gold).Over() || p.enumerate().wins(reply) {
		t.Errorf("24s: %s wins as well, the win was not missed", played)
	}

	p, played = at("25s")
	p.shortest(arimaa.Goal, 3, "ec2n ec3x rb2e rc2s")
	if after := p.position.AfterTurn(p.turn(p.position, played)); after.Board.Ended(arimaa.Silver).Over() {
		t.Errorf("25s: %s wins at once, the win was not missed", played)
	}

	p, played = at("26s")
	p.shortest(arimaa.Goal, 3, played)
}

func newSolver(t *testing.T) *pns.Solver {
	solver, err := pns.New(256 << 20)
	require.NoError(t, err)
	return solver
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	text := string(b)
	if !strings.HasPrefix(text, "# ") || !strings.HasSuffix(firstLine(text), ".") {
		t.Error("the first line is not a comment that says what the example shows")
	}
	return text
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// prover checks the claims about a position.
type prover struct {
	*testing.T
	solver   *pns.Solver
	game     *arimaa.Game // nil for a position by itself
	position arimaa.Position
	comment  string
}

func newProver(t *testing.T, solver *pns.Solver, file string) *prover {
	text := read(t, file)
	diagrams, err := notation.ReadPositions(file, text)
	require.NoError(t, err)
	if text != firstLine(text)+"\n"+diagrams[0].Long() {
		t.Error("the file is not written as notation.Diagram writes it")
	}
	p := &prover{T: t, solver: solver, position: diagrams[0].Position, comment: firstLine(text)}
	if err := p.position.Unusual(); err != nil {
		t.Errorf("not a position from a game: %v", err)
	}
	return p
}

// winsNow proves that the side to move wins with this turn for the reason given, that no win takes
// fewer steps, and that only one result takes as few; the comment has to name the turn.
func (p *prover) winsNow(reason arimaa.Reason, steps int, solution string) {
	p.Helper()
	p.says(solution)
	p.solved(answer.Proved, 1)
	p.shortest(reason, steps, solution)

	after := p.board(p.position, solution)
	winning := 0
	for _, r := range referee.Results(p.referee(p.position)) {
		if len(r.Turn) == steps && p.winsAfter(r.Board, p.position.Side()) {
			if winning++; r.Board != after {
				p.Errorf("another turn of %d steps wins: %v", steps, r.Turn)
			}
		}
	}
	if winning != 1 {
		p.Errorf("%d results of %d steps win, want 1", winning, steps)
	}
}

// shortest proves that a turn wins with the fewest steps and for a reason, and when
// the reason is another than a goal, that there is no goal.
func (p *prover) shortest(reason arimaa.Reason, steps int, solution string) {
	p.Helper()
	var d goal.Detector
	if got, _ := d.Win(&p.position, &p.position.Board); got != goal.After(steps) {
		p.Errorf("the detector finds a win in %v, want %d steps", got, steps)
	}
	wantGoal := goal.None
	if reason == arimaa.Goal {
		wantGoal = goal.After(steps)
	}
	if got, _ := d.Goal(&p.position, &p.position.Board); got != wantGoal {
		p.Errorf("the detector finds a goal in %v, want %v", got, wantGoal)
	}

	st := p.referee(p.position)
	if n, turn, ok := referee.FewestWin(st); !ok || n != steps {
		p.Errorf("the referee finds a win in %d steps (%t), %v, want %d", n, ok, turn, steps)
	}
	if _, turn, ok := referee.FewestGoal(st); ok != (reason == arimaa.Goal) {
		p.Errorf("the referee finds a goal: %t, %v", ok, turn)
	}
	turn := p.turn(p.position, solution)
	if turn.Len() != steps {
		p.Errorf("%s has %d steps, want %d", solution, turn.Len(), steps)
	}
	want := map[arimaa.Reason]referee.Reason{
		arimaa.Goal:           referee.Goal,
		arimaa.Elimination:    referee.Elimination,
		arimaa.Immobilisation: referee.Immobilisation,
	}[reason]
	winner, got, over := referee.Outcome(p.board(p.position, solution), st.Side)
	if !over || winner != st.Side || got != want {
		p.Errorf("%s ends with %v for %v, want %v for %v", solution, got, winner, want, st.Side)
	}
}

// winsIn2 proves that the side to move has no win in 1, that the turn wins in 2, and that
// no turn with another result does.
func (p *prover) winsIn2(solution string) {
	p.Helper()
	p.says(solution)
	p.solved(answer.Disproved, 1)
	if r := p.solved(answer.Proved, 2); p.position.AfterTurn(r.Turn) != p.position.AfterTurn(p.turn(p.position, solution)) {
		p.Errorf("the solver wins with %s, which is said not to win", p.position.Notation(r.Turn))
	}
	if _, turn, ok := referee.FewestWin(p.referee(p.position)); ok {
		p.Errorf("a win in 1: %v", turn)
	}
	after := p.position.AfterTurn(p.turn(p.position, solution))
	p.allLose(after)
	if kept := p.enumerate().keep(p.position, 2); len(kept) != 1 || kept[0] != after {
		p.Errorf("these results keep a win in 2, want %s alone: %v", solution, kept)
	}
}

// economical proves by enumeration that without any one piece, or with a weaker one in its place, the position could not
// come up or has no single win in 2.
func (p *prover) economical() {
	p.Helper()
	for rest := p.position.Occupied(); rest != 0; rest = rest.Rest() {
		s := rest.First()
		for kind := arimaa.None; kind < p.position.At(s).Kind(); kind++ {
			b := p.position.Board
			b.Put(s, arimaa.Empty)
			if kind != arimaa.None {
				b.Put(s, arimaa.NewPiece(p.position.At(s).Side(), kind))
			}
			q := arimaa.NewPosition(b, p.position.Side())
			if q.Unusual() != nil {
				continue
			}
			if _, _, ok := referee.FewestWin(p.referee(q)); ok {
				continue
			}
			if kept := p.enumerate().keep(q, 2); len(kept) == 1 {
				p.Errorf("with %v on %v, instead of %v, there is a single win in 2: %v", b.At(s), s, p.position.At(s), kept[0])
			}
		}
	}
}

// noWinIn2 proves that the side to move has no win in 2.
func (p *prover) noWinIn2() {
	p.Helper()
	p.solved(answer.Disproved, 1)
	p.solved(answer.Disproved, 2)
	if _, turn, ok := referee.FewestWin(p.referee(p.position)); ok {
		p.Errorf("a win in 1: %v", turn)
	}
	if kept := p.enumerate().keep(p.position, 1); len(kept) > 0 {
		p.Errorf("a win in 2: %v", kept)
	}
}

// winsIn3 proves that the turn wins in 3: that after each reply but one a win in 1 is
// left, and after that one the second turn wins in 2.
func (p *prover) winsIn3(solution, reply, second string) {
	p.Helper()
	p.says(solution)
	p.says(reply)
	p.solved(answer.Proved, 3)
	first := p.position.AfterTurn(p.turn(p.position, solution))
	critical := first.AfterTurn(p.turn(first, reply))
	p.allLose(first, critical)
	p.allLose(critical.AfterTurn(p.turn(critical, second)))
}

// onlyWinsIn3 proves that the turns given, and no turn with another result, keep a
// win in 3.
func (p *prover) onlyWinsIn3(solutions ...string) {
	p.Helper()
	want := map[arimaa.Position]bool{}
	for _, s := range solutions {
		want[p.position.AfterTurn(p.turn(p.position, s))] = true
	}
	// The turns after which every reply leaves a win in 1 or, if not, in 2.
	var first, replies arimaa.Generator
	inner := p.enumerate()
	holds := func(reply arimaa.Position) bool { return inner.holds(reply) && len(inner.keep(reply, 1)) == 0 }
	var held []arimaa.Turn
	refuted := func(after arimaa.Position) bool {
		for _, t := range held {
			if reply, ok := after.Try(t); ok && holds(reply) {
				return true
			}
		}
		for i := range replies.Generate(&after) {
			if holds(replies.Position(i, after.Side())) {
				held = append(held, replies.Turn(i))
				return true
			}
		}
		return false
	}
	kept := 0
	for i := range first.Generate(&p.position) {
		after := first.Position(i, p.position.Side())
		if after.Board.Ended(p.position.Side()).Over() || refuted(after) {
			continue
		}
		if kept++; !want[after] {
			p.Errorf("%s wins in 3 as well", p.position.Notation(first.Turn(i)))
		}
	}
	if kept != len(solutions) {
		p.Errorf("%d results keep a win in 3, want %d", kept, len(solutions))
	}
}

// holding proves that of all replies to a turn exactly one leaves no win in 1, and that
// the comment names both.
func (p *prover) holding(solution, reply string) {
	p.Helper()
	p.says(solution)
	p.says(reply)
	after := p.position.AfterTurn(p.turn(p.position, solution))
	want := after.AfterTurn(p.turn(after, reply))
	if holds := p.enumerate().holding(after, 2); len(holds) != 1 || holds[0] != want {
		p.Errorf("after %s these replies hold, want %s alone: %v", solution, reply, holds)
	}
}

// threatensAfter proves what the side to move could do after its turn if the opponent did
// not answer: win with the turn given, or, where none is given, not win. A line of turns
// and replies is separated by semicolons; after a reply there is nothing more to answer.
func (p *prover) threatensAfter(line, threat string) {
	p.Helper()
	position := p.position
	for text := range strings.SplitSeq(line, "; ") {
		position = position.AfterTurn(p.turn(position, text))
	}
	unanswered := arimaa.NewPosition(position.Board, p.position.Side())
	if threat == "" {
		if _, turn, ok := referee.FewestWin(p.referee(unanswered)); ok {
			p.Errorf("a threat: %v", turn)
		}
		return
	}
	p.says(threat)
	if !p.winsAfter(p.board(unanswered, threat), p.position.Side()) {
		p.Errorf("%s does not win, so it is no threat", threat)
	}
}

// opponentThreatens proves that the opponent would win if it were his turn.
func (p *prover) opponentThreatens() {
	p.Helper()
	if _, _, ok := referee.FewestWin(p.referee(p.position.EndTurn())); !ok {
		p.Error("the opponent threatens nothing")
	}
}

func (p *prover) frozen(square string, want bool) {
	p.Helper()
	frozen := p.position.Board.Frozen(p.position.Side())
	for s := range arimaa.Square(64) {
		if s.String() == square && frozen.Has(s) != want {
			p.Errorf("frozen on %s: %t, want %t", square, !want, want)
		}
	}
}

// says demands that the comment of the file names a turn.
func (p *prover) says(turn string) {
	p.Helper()
	if !strings.Contains(p.comment, turn) {
		p.Errorf("the comment does not name %s", turn)
	}
}

// solved asks the solver for a win in n.
func (p *prover) solved(want answer.Verdict, n int) pns.Result {
	p.Helper()
	r := p.solver.Solve(context.Background(), pns.Question{Position: p.position, N: n, Game: p.game})
	if r.Verdict != want {
		p.Fatalf("the solver says that a win in %d is %v, want %v", n, r.Verdict, want)
	}
	return r
}

// allLose proves that every turn of the side to move, but for those with the results that
// are excepted, loses at once or leaves the opponent a win in 1. The turns are listed by
// the referee, and each winning turn is played through by it.
func (p *prover) allLose(position arimaa.Position, except ...arimaa.Position) {
	p.Helper()
	st := p.referee(position)
	if winner, _, over := referee.Outcome(st.Board, st.Side.Other()); over {
		p.Errorf("the game is over, %v has won", winner)
	}
	excepted := map[referee.Board]bool{}
	for _, e := range except {
		excepted[p.referee(e).Board] = true
	}
	// Most replies lose to a turn that won before.
	var known [][]referee.Step
	var d goal.Detector
	for _, r := range referee.Results(st) {
		if excepted[r.Board] {
			continue
		}
		if winner, _, over := referee.Outcome(r.Board, st.Side); over {
			if winner == st.Side {
				p.Errorf("%v wins for the side that is said to lose", r.Turn)
			}
			continue
		}
		next := referee.NewState(r.Board, st.Side.Other())
		wins := func(turn []referee.Step) bool {
			after, err := next.PlayTurn(turn)
			return err == nil && after.MayStop() && p.winsAfter(after.Board, position.Side().Other())
		}
		found := false
		for _, turn := range known {
			found = found || wins(turn)
		}
		if found {
			continue
		}
		board, err := notation.ParsePosition(next.Position())
		if err != nil {
			p.Fatal(err)
		}
		// How the turn is found does not matter: the referee judges it.
		winning, _ := d.CanWin(&board, &board.Board)
		turn, _, err := next.ReadTurn(winning.String())
		if err != nil || !wins(turn) {
			p.Errorf("after %v no win in 1 was found", r.Turn)
			continue
		}
		known = append(known, turn)
	}
}

// turn reads a turn that is legal in the position.
func (p *prover) turn(position arimaa.Position, text string) (turn arimaa.Turn) {
	p.Helper()
	p.board(position, text) // the referee reads the captures too
	for word := range strings.FieldsSeq(text) {
		if strings.HasSuffix(word, "x") {
			continue
		}
		step, err := notation.ParseStep(word)
		if err != nil {
			p.Fatal(err)
		}
		turn = turn.With(step)
	}
	if _, ok := position.Try(turn); !ok || position.Notation(turn) != text {
		p.Fatalf("%s is no legal turn in full notation", text)
	}
	return turn
}

// board returns the referee's board after a turn.
func (p *prover) board(position arimaa.Position, text string) referee.Board {
	p.Helper()
	_, after, err := p.referee(position).ReadTurn(text)
	if err == nil {
		_, err = after.Stop()
	}
	if err != nil {
		p.Fatalf("%s: %v", text, err)
	}
	return after.Board
}

func (p *prover) referee(position arimaa.Position) referee.State {
	p.Helper()
	st, err := referee.ParsePosition(position.String())
	if err != nil {
		p.Fatal(err)
	}
	return st
}

// winsAfter reports whether a side has won by ending its turn with a board.
func (p *prover) winsAfter(b referee.Board, side arimaa.Side) bool {
	me := referee.Gold
	if side == arimaa.Silver {
		me = referee.Silver
	}
	winner, _, over := referee.Outcome(b, me)
	return over && winner == me
}

func (p *prover) enumerate() *enumerator {
	return &enumerator{attacker: p.position.Side()}
}

// enumerator answers for the attacker what a win in 1 or 2 is by definition: it looks at
// every turn. To save time it tries first what decided before.
type enumerator struct {
	attacker                arimaa.Side
	first, replies, answers arimaa.Generator
	won                     []arimaa.Turn // answers that won, the latest first
	held                    []arimaa.Turn // replies that held, the latest first
}

// keep returns the results of the attacker's turns that leave a win in 1 after every
// reply, up to a limit. If he has no win in 1, they are his wins in 2.
func (e *enumerator) keep(p arimaa.Position, limit int) (kept []arimaa.Position) {
	for i := range e.first.Generate(&p) {
		after := e.first.Position(i, e.attacker)
		if len(kept) < limit && !after.Board.Ended(e.attacker).Over() && !e.refuted(after) {
			kept = append(kept, after)
		}
	}
	return kept
}

// refuted reports whether some reply holds.
func (e *enumerator) refuted(p arimaa.Position) bool {
	for i, t := range e.held {
		if after, ok := p.Try(t); ok && e.holds(after) {
			e.held[0], e.held[i] = e.held[i], e.held[0]
			return true
		}
	}
	for i := range e.replies.Generate(&p) {
		if e.holds(e.replies.Position(i, p.Side())) {
			e.held = append([]arimaa.Turn{e.replies.Turn(i)}, e.held...)
			return true
		}
	}
	return false
}

// holding returns the results of replies that hold, up to a limit.
func (e *enumerator) holding(p arimaa.Position, limit int) (holds []arimaa.Position) {
	for i := range e.replies.Generate(&p) {
		if after := e.replies.Position(i, p.Side()); len(holds) < limit && e.holds(after) {
			holds = append(holds, after)
		}
	}
	return holds
}

// holds reports whether the defender, who has just replied, has won or leaves no win in 1.
func (e *enumerator) holds(p arimaa.Position) bool {
	if o := p.Board.Ended(e.attacker.Other()); o.Over() {
		return o.Winner != e.attacker
	}
	return !e.wins(p)
}

// wins reports whether the attacker has a win in 1.
func (e *enumerator) wins(p arimaa.Position) bool {
	won := func(b *arimaa.Board) bool {
		o := b.Ended(e.attacker)
		return o.Over() && o.Winner == e.attacker
	}
	for i, t := range e.won {
		if after, ok := p.Try(t); ok && won(&after.Board) {
			e.won[0], e.won[i] = e.won[i], e.won[0]
			return true
		}
	}
	for i := range e.answers.Generate(&p) {
		if won(e.answers.Board(i)) {
			e.won = append([]arimaa.Turn{e.answers.Turn(i)}, e.won...)
			return true
		}
	}
	return false
}
