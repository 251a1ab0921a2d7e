// Package notation reads and writes the texts in which positions and games of Arimaa are kept.
//
// Package arimaa has the rules and prints single values; this package reads them, and it writes
// whatever takes more than a line. Nothing here decides what is legal: a turn that is read is
// played by [arimaa.Game] or [arimaa.State].
//
// # The forms
//
//   - A position in one line: short form, "g [64 squares]" or "23g [...]"; an AEI command,
//     "setposition g [...]"; ranks, "22g rrrddrrr/8/...", also in the address of a picture; pieces
//     on their squares, "Ra1 ra8 g" or "Gold: Ra1. Silver: ra8.": [ParsePosition].
//   - A position in long form, a [Diagram] of eight lines and more, below a line such as "47g" or
//     "47g (gold to move)": [ReadPositions], [Diagram.Long].
//   - The record of a game, a list of turns, which may have tags, comments and variations in the
//     shape of the PGN files of chess: [ReadGame], [Turns], [ReadVariations], [Annotated].
//   - A header above a game or a position, in lines such as "Gold: ann (1500)".
//   - A log of the AEI: newgame, then makemove for the setups and turns.
//   - The game room's archive, one [Record] a row: [ReadArchive].
//   - A puzzle with its solution: the puzzle text of arimaa.com, a position with words that claim
//     and solve, and the puzzle file of the client 4steps.
//   - Tables and objects in JSON, as the commands of goalproof write them.
//   - A step, the label of a turn, a setup, a turn to be played: [ParseStep], [ParseLabel],
//     [ParseSetup], [Play], [PlaySteps].
//
// [Read] reads whole texts in any of these forms, entry by entry, so that a file of any length needs
// little memory; [Parts] also says where each entry stands. It is the one way in which commands and
// the studio read. The functions named Read... know the form and take a whole text with the name of
// its file, those named Parse... a single value.
//
// [Forms] lists the ways to write a position or a game. Whatever is written is read back as the
// same; what a form cannot hold is named ([Form.Write]).
//
// # How a text is read
//
// Lines are cleaned of what quotations, web pages, forums and logs put around them (clean.go). What
// a line looks like by itself is a matter of classifiers, tried in one order (classify.go). What
// it does is a matter of a table of states and kinds (reader.go): outside, each line begins
// something or is prose; within a diagram, a record or a puzzle it is collected. A record is read
// when all its lines are there: comments and variations are blanked in place (annotated.go), the
// rest is split into turns by the labels, and these are played (games.go).
//
// Texts come as people paste them. A position that is misread is a wrong answer, so that
//
//   - a board has eight ranks in a row, and a line that looks like a part of a position or a turn,
//     but fits nowhere, is an error and never prose;
//   - the side to move is never guessed. It stands in the text, in words beside a position or right
//     above or below it, or is given from outside ([Lines.Assume]). Where the text says it twice,
//     both must agree;
//   - turns right below a position are played on it, and must be legal. Below a claim they are left
//     out, with a note. Below prose they may continue the position or comment on it: that is an
//     error, which says so;
//   - a claim counts only in a plain sentence right beside its position (claims.go). Words that doubt
//     it, another claim, or another position that it may be about leave it out, with a note. Words in
//     the paragraph of a position, with a blank line below them, are about no position below;
//   - a solution must be legal, and its number, if it has one, that of its position. Positions with
//     numbers are held back, since their solutions may follow at the end of the text (solutions.go);
//   - where the squares can be read in two ways, both must give the same board;
//   - where a record contradicts itself about who won, its board counts, then its last words, then
//     its tags or columns ([ResultOf]), with a note;
//   - a line with a result counts above a game, with its players or right at its turns, and right
//     below the turns. Where it may be that of another game it is left out, with a note;
//   - what breaks the rules of its form and can mean one thing only is mended, with a [Note], unless
//     the reader is strict ([Lines.Strict]).
//
// Reading costs time in proportion to the length of the text, and memory only for the entry under
// way and those held back. Patterns are slow: those that cost most are tried only on a line that has
// a word that they need, and a test draws texts from each of them to see that this word is there.
//
// A text that cannot be read gets a [*ParseError] with file, line, column and reason; the fuzz
// targets check that no text causes a panic, and that whatever is read can be written and read
// again.
package notation
