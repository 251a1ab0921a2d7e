// Package aei serves an engine to a controller over the Arimaa Engine Interface, version 1
// (Brian Haskin, AEI protocol): a session of text lines, one message a line.
//
// # How it is organised
//
// [Serve] runs a session. One goroutine reads lines, of bounded length; one, while there is
// a search, runs it; the session itself belongs to the goroutine of Serve, which alone
// handles messages and writes. A search hands over what it finds through a channel that
// never makes it wait, and works on a copy of the game, so that a message can be tried
// while it runs. A message that ends a search waits for it to return, so at most one runs.
//
// # What the protocol leaves open
//
// A message is refused when it is malformed, illegal or comes at the wrong time: a line
// "log Error:" says why, and nothing else changes, a search included. An option that is not
// known is a "log Warning:". A message of an unknown type ends the session
// ([ErrUnknownMessage]); an empty line is no message. The end of the input ends the session
// like quit, and a search with it.
//
// A go ends with one bestmove: when the time for the turn is over, at the depth or
// number of nodes that was set, when the engine has seen enough, or at stop. Where neither a time
// control nor one of these is set a turn takes [UntimedTurn]. A makemove, newgame or setposition that is accepted
// ends the search without a bestmove.
//
// A go ponder searches the present position, which is the opponent's as a rule: what it
// learns stays in the engine's tables for the turn after. It has no time limit and answers
// with a bestmove only at stop; a go without ponder ends it, and begins the turn. So go
// ponder is also the way to analyse a position until stop. A second go during a go is
// refused.
//
// After newgame the board is empty and Gold sets up, then Silver: go answers with
// placements, and makemove takes placements on the two home ranks, a full army or fewer.
// After setposition the game has no history, which the rule of the third repetition
// needs; it refuses a position to which no game can lead. Before either message the session
// stands as after newgame.
//
// Options set while a search runs count from the next one on. hash, threads and without make a new
// engine, before the next search, or at isready if none runs, where controllers wait
// longest; 0 stands for what the session began with.
//
// # Time
//
// The time for a turn is that of [engine.Clock], counted from when go was read. When it is over
// the context of the search is cancelled, whatever the engine does about it. Between the
// controller's messages about the reserves the session keeps the clock itself: it charges
// what its own searches took. The time of the whole game (tctotal) runs from newgame.
package aei
