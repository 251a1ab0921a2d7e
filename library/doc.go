// Package library keeps games and puzzles in one SQLite file and answers questions about them: who
// played what, where a position, some material or a pattern occurred, what was played next, who
// missed a win, which puzzles the games hold.
//
// [Create], [Edit] and [Open] open a library, [Library.Import] fills it, [Library.Reviews] keeps the
// reviews of its games, [Library.Mine] finds puzzles in them, [Library.Games], [Library.Findings],
// [Library.Puzzles] and [Library.Tree] ask it, [Library.Select] runs a statement in SQL,
// [Library.Verify] checks it.
//
//   - schema*.sql, schema.go: tables, indices and the views for other programs; versions.
//   - library.go: opening and closing a file; errors.go: what can be wrong with it.
//   - entry.go: a game or a puzzle as the tables hold it, and back.
//   - import.go: from texts into the file; review.go: reviews and their findings; mine.go: puzzles
//     from its games.
//   - filter.go: which games; pattern.go, material.go, setup.go: what filters say of a board.
//   - index.go: one transaction for each question; games.go: the games that a filter selects;
//     puzzles.go: the puzzles, imported and mined; tree.go: what was played from a position;
//     stats.go: games counted in groups.
//   - rows.go: games, findings, puzzles and counts in JSON, for commands and the studio.
//   - sql.go: statements of users, limited; process.go: what holds for SQLite in the whole process.
//   - verify.go: the whole file replayed.
//
// # What a library promises
//
// A game is there wholly, with its positions and material, or not at all: all its rows are written
// in one transaction. The same game is never there twice, however often it is imported: its
// identity is a digest of all that is kept of it, but for tags that tell the result or the date in
// other words. Two records in one file that are equal in everything are two games, told apart by
// their order. Games with equal turns are marked ([Game.Twin]), and none is dropped.
//
// What is kept of a game: its header, the first position, the turns, the word that ends it, and if
// it has comments or variations, those. The order in which a side set up and turns that were taken
// back are not kept.
//
// One process writes while others read (SQLite's write-ahead log). That needs a file system with
// working locks, and memory shared between the processes: none over a network.
//
// # Reviews
//
// A review is kept as a whole, as package review writes it, for each game and each [Reviewing]: with
// limits in nodes it says the same whenever it is made, so that none is made twice; if another
// process has added the same one meanwhile, that one stays. The tables of findings and proofs are
// made of the latest review of a game alone, in the transaction that adds it, so that no question
// mixes what two reviews say of one game. Verify makes them again and compares them. What they claim
// is proved for a position with the history of its game (package review, "Repetition").
//
// # Positions
//
// The index of positions holds 64 bits of a key of 128. An import compares each new position with
// the first one that the index has under the same 64 bits, by all 128, and notes those bits that
// stand for several positions (the table collision). A question about a position replays the first
// game that the index finds, and compares the board: if it is another one, no game has the
// position; if it is the same, all games have it that the index finds, unless the bits are noted:
// then all are replayed.
//
// Replaying does not ask the rules again ([arimaa.Position.Replay]): the turns were legal when they
// were imported. Bits that have changed on the disk since then are found by the digest of the
// turns, which is compared whenever a game is replayed.
//
// # Mined puzzles
//
// A game is mined wholly or not at all: its puzzles, and the row that says with what it was mined,
// are written in one transaction. That row is asked for again within the transaction, so that two
// processes do not mine a game twice. With other limits, or by another version of the mining, a game
// is mined again, and a puzzle that is there stays as it is, with the figures and themes of then:
// its identity has the game, the turn and the length of the win.
//
// Every puzzle is kept, and names the first that shows its idea ([puzzles.Ideas], which decides by
// the puzzles that were added before). The rows depend on the order in which games are mined, and
// on nothing else: not on the number of workers, because games are added in the order of their ids,
// the search of a position is limited in nodes and does not depend on what was searched before, and
// what was searched when an interruption came is thrown away; not on interruptions, because a
// resumed mining takes the ideas from the library before it adds to them.
//
// [Library.Verify] holds mined puzzles against their games. It does not prove them again, nor
// decide again which show one idea: a later version may decide otherwise.
//
// # Patterns
//
// Patterns have no index. SQL narrows the games as far as the rest of the filter can, and those
// that are left are replayed. A filter about a board asks all its conditions of the same board: a
// position, material and a pattern must be there at once.
package library
