// Package aei implements both ends of the Arimaa Engine Interface, version 1 (Brian Haskin, AEI
// protocol), a session of text lines with one message a line: it serves a player to a controller
// ([Serve]), and controls an engine ([Client]).
//
// # Organisation
//
// One goroutine reads lines, of bounded length; one runs the search, if there is one; the goroutine
// of [Serve] alone handles messages, writes, and owns the session. A search delivers its reports
// through a channel that never blocks it, and works on a copy of the game, so that a message can be
// tried during a search. A message that ends a search waits for it to return, so there is at most
// one.
//
// # Where the protocol is silent
//
// A message that is malformed, illegal or untimely is refused: a line "log Error:" says why, and
// nothing else changes, not even a running search. An unknown option causes a "log Warning:". A
// message of an unknown type ends the session ([ErrUnknownMessage]); an empty line is ignored. The
// end of the input ends the session like quit.
//
// Each go is answered by one bestmove: when the time for the turn is over, at the limit of depth or
// nodes, when the engine has decided, or at stop. Without a time control and without a limit a turn
// takes [UntimedTurn]. In a game that is over, by a makemove or a setposition, the bestmove has no
// steps, and a "log Warning:" says who has won. An accepted makemove, newgame or setposition ends
// the search without a bestmove.
//
// After go ponder the current position is searched, usually the opponent's, so that the engine's
// tables are prepared for the turn after it. There is no time limit, and a bestmove only at stop; a
// go ends pondering and begins the turn. So go ponder also serves to analyse a position until stop.
// A second go during a go is refused.
//
// # What it has beyond the protocol
//
// These are in the manner of UCI, the chess protocol (Stefan Meyer-Kahlen and Rudolf Huber):
//
//   - go infinite is a go ponder that disregards the limits of depth and nodes.
//   - go mate N asks the prover alone whether the side to move wins within N turns, without any
//     limit but stop. Its bestmove is the first turn of a proved win, with a line "log proved:", or
//     "none". Then "log disproved:" says that there is no win in N, or "log unknown:" how much is
//     known, unless the game is over. After setposition a "no" sets the third repetition aside, and
//     says so. It is refused during any other search, and during the setup.
//   - The option multipv is the number of lines that a go looks for ([player.Lines]). If that is
//     more than one, each group of info lines begins with "info multipv K", 1 for the best line,
//     which comes last and is played. Searching several lines costs depth.
//
// # The order of messages
//
// After newgame the board is empty; Gold sets up, then Silver. A go is answered with placements,
// and makemove accepts placements on the two home ranks, a full army or fewer. A session begins as
// after newgame. After setposition the game has no history for the rule of the third repetition; a
// position that no game can reach is refused. After a refused setposition the controller and the
// session have different positions, so go and makemove are refused as well, until newgame or an
// accepted setposition; a running search continues.
//
// Options set during a search apply from the next one on. A change of hash, threads or without
// makes a new engine, at isready if no search is running, for which controllers wait longest,
// otherwise before the next search; 0 stands for the initial value.
//
// # Time
//
// The time for a turn is the budget of [clock.Clock] from the moment when go was read. The engine
// ends its search around the aim of that budget, by need; at its end the context of the search is
// cancelled. Between the controller's messages about the reserves the session keeps the clock by
// charging the time of its own searches. The time of the whole game (tctotal) starts at newgame.
package aei
