// Package describe says in the words of players and composers what solvers have proved about a
// position: what the turn is worth, what a winning first turn does (its themes), and how hard a
// puzzle is.
//
// Everything but the difficulty is a proved fact. What was not decided is left out. The third
// repetition is set aside throughout.
//
//   - worth.go: threats and zugzwang.
//   - themes.go, win.go: themes and counts of a position in which the side to move wins.
//   - phases.go: what editors print beside a solution: tries, set play, duals.
//   - sight.go: when an engine sees a solution.
//   - difficulty.go, surprise.go: the measure of difficulty.
//
// # What the turn is worth
//
// Let A be the side to move at a position and B its opponent. The same board with B to move is the
// position after a pass of A, which the rules do not allow. So there are four questions: does A
// force a win, and does B, if A is to move; and the same if B is to move. B threatens to win in n
// if B, to move, wins in n.
//
// A is in zugzwang if it would rather pass. The idea of comparing a position with the same one and
// the other side to move, and of telling zugzwangs apart by what the turn costs (a point, half a
// point, or only time), is that of Bleicher and Haworth for chess endgames (2010; Haworth 2015,
// with the cost of each). Let h be the horizon, the number of turns within which wins are looked
// for:
//
//   - mutual: A to move loses, and B to move loses.
//   - losing: A to move loses; B to move does not win within h.
//   - spoiling: B to move loses; A to move does not win within h.
//   - hastening: A to move loses in n at most; B to move does not win within n. (If he wins, it
//     takes longer.)
//   - delaying: B to move loses in n at most; A to move does not win within n.
//
// The first that applies names the zugzwang. "Losing" and "spoiling" speak of h, because there may
// be longer wins; all others are true without it. A mutual zugzwang costs a point, a losing or
// spoiling one half a point if nobody wins beyond h, the others cost turns only.
//
// Lemma 1. Zugzwang is reciprocal: if A would rather pass, so would B if it were to move. Order the
// values of a board for A: wins, the shorter the better; nothing; losses, the longer the better.
// Let m be its value with A to move, and q with B to move. A would rather pass if q is better than
// m. If B is to move and passes, A is to move: B goes from q to m, and since the values of B are
// those of A in reverse order, m is better for B. The kinds above say how much it costs.
//
// If the game is over once the other side is to move (it has no legal step), nothing is said of a
// pass.
//
// # Themes
//
// The themes of a solution, a first turn that keeps the shortest win, in N turns, are these. P is
// the position before it and Q the one after it, with the defender to move. Themes that depend on
// the order of steps are those of the turn that is shown, which has the fewest steps.
//
//   - threat: N > 1, and if the defender passed at Q the attacker would win with one turn.
//   - quiet: N > 1, and he would not.
//   - zugzwang: N > 1, and if the defender passed at Q the attacker would not win within N-1 turns,
//     though he does so after every reply.
//   - capture: the defender has fewer pieces at Q than at P.
//   - sacrifice: the attacker has fewer pieces at Q than at P.
//   - push, pull: the turn pushes or pulls a piece of the defender. A displacement that could be
//     read as either is a pull.
//   - freeing: an attacker's piece that is frozen at P makes a step in the turn, or stands where it
//     stood and is not frozen at Q.
//   - goal, elimination, immobilisation, of a win in one: how the turn wins.
//   - the same of a win in two: goal if every reply leaves the attacker a goal; elimination if some
//     reply leaves no goal, but an elimination; immobilisation if some reply leaves neither. A
//     reply that ends the game counts by how it ends. They are left out where there are many
//     essential solutions.
//
// The themes of a puzzle are those that all its essential solutions share.
//
// Lemma 2. In a win in two each quiet solution is one by zugzwang: N-1 is one turn.
//
// Lemma 3. A near try, a first turn that is no solution, after which the defender has no win at
// once and at most [Few] defences, has at least one defence. Otherwise the attacker would win with
// his second turn whatever the reply, and the turn would keep a win in two; if that is the least N
// it is a solution, and if N is greater there is no win in two.
//
// # Tries, set play and duals
//
// These are the phases of a puzzle ([Phases]), in the words of problemists. N is the number of turns
// of the shortest win, or without a win one for which it is known that there is none. The key is
// the first essential solution.
//
//   - A defence refutes a near try if it leaves the attacker no win in the N-1 turns that are left.
//   - The set play is what follows each turn of the defender if he were to move in the diagram:
//     whether the attacker then wins within N-1 turns. It is complete if he does so after all of
//     them.
//   - A reply to the key is a short variation if the attacker then needs fewer than N-1 turns, or
//     the reply loses by itself. All others hold out longest.
//   - A reply that holds out longest has a dual if two essential turns of the attacker win in N-1
//     turns after it; else it has a single answer. Essential is meant as of solutions: winning turns
//     with idle steps added are no duals. Duals of short variations are not counted.
//   - A short solution is a solution of a win that is shorter than the puzzle claims.
//
// Lemma 4. At least one defence refutes a near try, which does not win within N turns. For after a
// reply that is no defence there is a win in one, and the defender has no win at once. So if all
// defences but one are known not to refute, the one that is left does. In particular a single
// defence refutes, and takes no search.
//
// Lemma 5. In a position with a win, a complete set play is a delaying zugzwang of the attacker:
// after a pass he wins within N-1 turns, and he has no win in so few if he moves.
//
// Lemma 6. After a reply to the key of a win in two the attacker wins at once. Let k be the fewest
// steps in which he does. Every winning result of k steps is essential, as no winning result of
// fewer steps lies on the way to it. So two of them are a dual. If there is one, and k is all the
// steps of a turn, there is no other winning result. In all other cases every result is listed.
//
// For N = 2 everything is exact unless the limit is reached. For N > 2 defences, set replies, the
// length of variations and duals are searched, and what is not decided is counted apart.
//
// # Difficulty
//
// [Puzzle.Difficulty] estimates for how many nodes an engine has to search before it sees a
// solution ([Eye]). It is a linear formula in two features ([Features]): how unlikely the engine
// took the solution to be before it searched ([Surprise]), and how many winning turns there are. An
// engine is no person, but it can be asked often, and what surprises it is what the players of its
// games would not do. docs/difficulty.md tells how the weights were fitted, how well they predict,
// and what they say about searches that know less.
package describe
