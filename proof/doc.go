// Package proof writes and checks certificates: that the side to move at a position wins within N
// turns, or loses within N turns of its opponent. A certificate that it accepts is true by the
// rules of package referee, whoever wrote it: no solver and no other code of the project is
// involved.
//
//   - certificate.go: [Certificate], the parts of a proof.
//   - read.go and write.go: its text.
//   - check.go: the check.
//   - goal.go: goals other than the win.
//   - game.go: the game that led to the root.
//   - hole.go: [Hole], why a certificate is rejected.
//   - refutation.go, refutation_read.go, refutation_write.go, refutation_check.go: [Refutation],
//     the proof of a "no", its text and its check.
//
// # What a certificate says
//
// The side to move at the root is the attacker. There is one entry for each position with the
// attacker to move that the proof needs, the root first. It holds its rank, the attacker's turn and
// a list of answers. An entry of rank r says: the attacker wins here within r of his turns, and
// begins with this one. The rank of the root is the claim.
//
// [Certificate.Check] accepts an entry if its turn is legal and then
//
//   - the end-of-turn table (docs/rules.md, "Who has won") names the attacker the winner; or
//   - the game continues, the rank is at least 2, and every legal reply of the defender is met: (a)
//     the table names the attacker the winner after it, or the defender has not won and (b) an
//     answer of the entry is legal and wins at once, or (c) the position has an entry of lower
//     rank.
//
// The replies are those that referee enumerates. Answers are tried in their order, and before (c).
//
// Everything that is listed must be needed: every answer must be the first of its entry to meet
// some reply, and (c) must rely on every entry but the root. Soundness does not need this; it
// catches mistakes: a mistyped answer is found even if another one does its work. A rank need not
// be the least possible.
//
// # Why an accepted certificate proves a win
//
// First with the third repetition set aside, as "win in N" is defined in docs/rules.md. An entry of
// rank 1 is a win in 1. Let all entries of rank less than r be wins within their ranks. At an entry
// of rank r the turn wins at once, or whatever the defender replies he has lost, or loses to an
// answer, or leaves a win within r-1. So it is a win within r.
//
// The third repetition changes nothing in a game whose first position is the root. For a position p
// with the attacker to move let d(p) be the least n such that he has a win in n. For a position q
// with the defender to move let d(q) be 0 if the attacker has won there, and otherwise the greatest
// d of the positions after his replies, or 1 if he loses by every reply. Then d(p) = 1 + d(q) for
// the best turn, and the attacker always plays that. So d falls from each position with the
// attacker to move to the next one, and from each with the defender to move to the next one. No
// position repeats, so the rule never applies. (Play by the certificate itself may repeat a
// position: a reply that an answer meets by (b) at one entry may be met by (c) at another, which
// does not list that answer. Ranks alone do not exclude that; the best play does.)
//
// # Losses
//
// A certificate may also claim a loss ([Certificate].Loss): the attacker, who is not to move at the
// root, wins within N of his turns whatever the defender plays first. The root is then an entry
// without a turn, of rank N. Every legal turn of the defender must be met there as after a turn of
// the attacker; by (c) an entry of rank N is enough. Nobody may have won at the root.
//
// An accepted loss is one: by the argument above every entry is a win within its rank, so after
// each turn of the defender the attacker has won, or wins within N. With d(root) as above the third
// repetition changes nothing here either.
//
// # History
//
// A certificate may carry the game that led to its root ([Game]): the first position and every
// turn. The check plays it by the rules: each turn is legal, changes the board and creates no third
// occurrence; nobody has won before the root or at it, by any row of the table; and the game ends
// with the root. So it is known how often each position has occurred at the start of a turn, and
// the certificate claims a win after that game. The first position counts once, whatever came
// before it. A turn to a position that has occurred twice is illegal: the attacker may not play it,
// the defender's need not be met, and a side that leaves its opponent no other turn has won, by row
// 6 of the table.
//
// The argument above applies to the game without exactly these turns. By the best play of that game
// no position repeats. A position that is reached had occurred at most once before, so it now
// occurs at most for the second time: only the turns that were taken away are forbidden. So
// positions that have occurred once make no difference.
//
// If a reply is met by (b) or (c) the attacker has a legal turn, so row 6 does not make the
// defender the winner and need not be asked.
//
// A win that needs a position to occur twice within its own line has no certificate.
//
// # Other goals
//
// A certificate of version 4 is of a goal other than the win: a capture, or a rabbit on a rank
// ([Certificate.Goal]). It has no game. "capture=e@f6" is the capture of an elephant on f6;
// "capture=e" of one on any trap; "capture@f6" of any piece there; "rabbit=7" a rabbit on rank 7 of
// the board. An entry of rank r says: the attacker reaches the goal within r of his turns. He does
// so within n turns if he has a turn after which the table does not name the defender the winner,
// and
//
//   - the table names the attacker the winner, or a step of the turn has made the capture; or
//   - no reply wins for the defender, and every reply loses, makes the capture, leaves a rabbit on
//     the rank where one stood before the reply, or leads to a position from which he reaches the
//     goal within n-1 turns; for n = 1 there are no such positions, and that a reply makes the
//     capture does not count.
//
// The check asks the same of an entry. It plays turns and answers step by step, and so sees what
// they capture. A reply makes the capture if every way to its result does: the replies to be met
// are those of [referee.EndsWithout]. An entry of rank 1 whose turn only brings a rabbit to the
// rank has no answers, and no entry has a lower rank, so all its replies must leave a rabbit there
// or lose. Thus an accepted entry is true if those of lower rank are, as for wins.
//
// The third repetition changes nothing in a game whose first position is the root, nor in one in
// which no position has occurred twice before: with d(p) as the least n within which the goal is
// reached, and d(q) the greatest d of the positions after the replies that do not reach it by
// themselves, the best play repeats no position.
//
// # The text
//
//	goalproof certificate 2
//	claim 2
//	game g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]
//	turn Ee2n Ee3n Ee4n Md2n
//	turn ed7s ed6s ed5s
//	...
//	2 s [ ... 64 squares ... ] md8s md7e
//	+ Rb2e eb3s ra4s
//
// The first line names the format and its version: 2 with a game, 1 without, 3 for a loss, with a
// game or without, 4 for a goal. Then come the number of turns N that is claimed; in version 2 the
// game, its first position and a line for each turn up to the root; and the entries: rank, position
// in short form, turn. Below an entry stand its answers, one a line.
//
// The claim of a loss, and the first entry below it, without a turn:
//
//	goalproof certificate 3
//	claim lost 2
//	2 s [ ... 64 squares ... ]
//	+ Rb2e eb3s ra4s
//
// The claim of a goal:
//
//	goalproof certificate 4
//	claim 2
//	goal capture=e@f6
//
// Blank lines and comments, which begin with #, are ignored.
//
// The side to move is g or s: the letters w and b of older records are refused in every position.
// Empty squares are blanks or dots. In a turn, captures (hc3x) may be left out; one that is written
// has to happen, so an answer that meets replies with and without a capture has to leave it out.
// Every line ends with a newline, so that a text cut off within a line is not taken for another
// certificate. A file whose name ends in .gz is compressed with gzip.
//
// # Limits
//
// A text has at most 256 MiB (after decompression), 8 million lines of 4096 bytes, a million
// entries, four million answers, and 10,000 turns of a game. At most a million distinct replies to
// a turn are enumerated ([ErrTooManyReplies]). So a check, with what it reads, takes at most some
// 1.5 GiB of memory.
//
// # Refutations
//
// A [Refutation] says that the attacker has no win within 1 or 2 turns, as docs/rules.md defines
// it: the third repetition is set aside. (A history may add such a win or take it away. A
// refutation has no history and says nothing about that.) It is right if for every turn of the
// attacker, told apart by their results,
//
//   - the table does not name him the winner; and
//   - for a claim of 2: the table names the defender the winner, or the listed reply is legal, and
//     after it the table names the defender the winner, or nobody and the attacker has no turn that
//     wins at once.
//
// [Refutation.Check] plays each listed turn, and then has referee enumerate the attacker's turns:
// one whose result is not among those of the list is missing. After each reply referee enumerates
// the attacker's turns again. So nothing is taken on trust: the check is the definition, in which
// the file only says which reply to try. Illegal turns, turns whose result is listed already, and
// replies that are not needed are refused. [Refutation.CheckSample] leaves some of the replies out,
// and so proves nothing.
//
// More turns are not for a file: for "no win in 3" there are as many second turns after each of the
// thousands of replies, and each needs a reply of its own.
//
//	goalproof refutation 1
//	claim no win in 2
//	g [ ... 64 squares ... ]
//	- md8s md7e
//	+ Rb2n
//	+ Rb2n Rb3n
//	-
//	+ Rc2n Rc3x
//
// After the claim and the position follow the first turns, each on a line of its own that begins
// with +, below the reply to them, on a line that begins with -. That is all for "no win in 2"; "no
// win in 1" ends with the position. Below a - without a turn stand those that lose at once.
// Otherwise the rules of the text are those above.
//
// A file has at most a million first turns. A position after a reply in which a turn has more
// results is not checked: the check then ends with [ErrTooLarge], and nothing is known.
//
// A position of a game has some 17,000 first turns, and a refutation some 25 bytes for each, a
// seventh of that compressed. A dozen replies do for most of them. After each reply there are about
// as many second turns, so the check takes time as the square of the number. Each core needs up to
// 50 MB. The published "wins in two" that are none, with their first turns, the size of the
// compressed file, and the processor time of goalproof check, which all cores share:
//
//	win-in-2/reduced/11778    7,658   23 kB    40 s
//	win-in-2/big/11255        9,647   29 kB   270 s
//	win-in-2/big/08829       14,396   42 kB   400 s
package proof
