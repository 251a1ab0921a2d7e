// Package notation reads and writes the texts in which positions and games of Arimaa are kept.
//
// Package arimaa has the rules and prints single values; this package reads them, and it writes
// whatever takes more than a line. Nothing here decides what is legal: a turn that is read is
// played by [arimaa.Game] or [arimaa.State].
//
// # The forms
//
//   - A position in one line: short form, "g [64 squares]" or "23g [...]"; an AEI command,
//     "setposition g [...]"; ranks, "22g rrrddrrr/8/..."; pieces on their squares, "Ra1 ra8 g":
//     [ParsePosition].
//   - A position in long form, a [Diagram] of eight lines and more, below a line such as "47g" or
//     "47g (gold to move)": [ReadPositions], [Diagram.Long].
//   - A game as a list of turns: [ReadGame], [Turns].
//   - A log of the AEI: newgame, then makemove for the setups and turns.
//   - An annotated game in the shape of the PGN files of chess: [ReadAnnotated]; with its comments
//     and variations: [ReadVariations], [Annotated].
//   - The game room's archive, one [Record] a row: [ReadArchive].
//   - A puzzle with its solution: the puzzle text of arimaa.com ([ReadPuzzle]) and the puzzle file
//     of the client 4steps.
//   - A step, the label of a turn, a setup, a turn to be played: [ParseStep], [ParseLabel],
//     [ParseSetup], [Play], [PlaySteps].
//
// [Read] tells the forms of whole texts apart and reads them entry by entry, so that a file of any
// length needs little memory. The functions named Read... know the form and take a whole text with
// the name of its file, those named Parse... a single value.
//
// [Forms] lists the ways to write a position or a game. What a form can hold is read back as the
// same; what it cannot hold is named when it is written ([Form.Write]). Every kind of text that is
// read can be written, but for the puzzle file of 4steps, which is no text (package puzzles writes
// it), and tables and objects in JSON, which commands write.
//
// # What people paste
//
// Positions are found among prose, in quotations and in preformatted text, with the blanks, dashes
// and boxes that web pages put in the place of plain characters. A position that is misread is a
// wrong answer, so that
//
//   - a board has eight ranks in a row, and a line that looks like a part of a position, but fits
//     nowhere, is an error and never prose;
//   - the side to move is never guessed. It stands in the text, in a line right above or below a
//     diagram that says nothing else, or is given from outside ([Lines.Assume]). Where the text
//     says it twice, both must agree;
//   - turns right below a position are played on it, and must be legal. Below prose they may
//     continue the position or comment on it: that is an error, which says so;
//   - where the squares can be read in two ways, both must give the same board.
//
// Texts come from anywhere. A text that cannot be read gets a [*ParseError] with file, line, column
// and reason; the fuzz targets check that no text causes a panic, and that whatever is read can be
// written and read again.
package notation
