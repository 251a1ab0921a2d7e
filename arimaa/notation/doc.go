// Package notation reads and writes the texts in which positions and games of Arimaa
// are kept.
//
// Package arimaa has the rules and prints single values; this package reads them, and
// it writes whatever takes more than a line. Nothing here decides what is legal: a
// turn that is read is played by [arimaa.Game] or [arimaa.State].
//
// # The forms
//
//   - A position in short form, "g [64 squares]", or in long form, a [Diagram] of
//     nine lines and more: [ParsePosition], [ReadPositions], [Diagram.Long].
//   - A game as a list of turns: [ReadGame], [Turns].
//   - An annotated game in the shape of the PGN files of chess: [ReadAnnotated].
//   - The game room's archive, one [Record] a row: [ReadArchive].
//   - A step, the label of a turn, a setup, a turn to be played: [ParseStep],
//     [ParseLabel], [ParseSetup], [Play], [PlaySteps].
//
// [Read] tells the forms of whole texts apart and reads them entry by entry, so that a
// file of any length needs little memory. The functions named Read... know the form
// and take a whole text with the name of its file, those named Parse... a single
// value.
//
// Texts come from anywhere. A text that cannot be read gets a [*ParseError] with file,
// line, column and reason; the fuzz targets check that no text causes a panic, and that
// whatever is read can be written and read again.
package notation
