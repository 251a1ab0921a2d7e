// Package proof writes down that the side to move at a position wins within N turns, and checks it. What it
// accepts is a win by the rules of package referee, whoever wrote the certificate: no solver and no other code
// of the project is involved.
//
//   - certificate.go: [Certificate], the parts of a proof.
//   - read.go and write.go: its text.
//   - check.go: the check.
//   - hole.go: [Hole], why a certificate is rejected.
//
// # What a certificate says
//
// The side to move at the root is the attacker. There is one entry for each position with the attacker to move
// that the proof needs, the root first. It holds its rank, the attacker's turn and a list of answers. An entry
// of rank r says: the attacker wins here within r of his turns, and begins with this one. The rank of the root
// is the claim.
//
// [Certificate.Check] accepts an entry if its turn is legal and then
//
//   - the end-of-turn table (RULES.md, "Who has won") names the attacker the winner; or
//   - the game goes on, the rank is at least 2, and every legal reply of the defender is met: (a) the table
//     names the attacker the winner after it, or the defender has not won and (b) an answer of the entry is
//     legal and wins at once, or (c) the position has an entry of lower rank.
//
// The replies are those that referee enumerates. Answers are tried in their order, and before (c).
//
// Nothing may be listed that does no work: every answer must be the first of its entry to meet some reply, and
// every entry but the root must be relied on by (c) somewhere. That is no condition for truth, but it lets few
// mistakes go unnoticed: a mistyped answer is found even where another one does its work. A rank need not be
// the least that is possible.
//
// # Why an accepted certificate proves a win
//
// First with the third repetition set aside, as "win in N" is defined in RULES.md. An entry of rank 1 is a win
// in 1. Let all entries of rank less than r be wins within their ranks. At an entry of rank r the turn wins at
// once, or whatever the defender replies he has lost, or loses to an answer, or leaves a win within r-1. So it
// is a win within r.
//
// The third repetition changes nothing in a game whose first position is the root. For a position p with the
// attacker to move let d(p) be the least n such that he has a win in n. For a position q with the defender to
// move let d(q) be 0 if the attacker has won there, and otherwise the greatest d of the positions after his
// replies, or 1 if he loses by every reply. Then d(p) = 1 + d(q) for the best turn, and the attacker always
// plays that. So d falls from each position with the attacker to move to the next one, and from each with the
// defender to move to the next one. No position is met twice, and the rule never speaks. (Play as the
// certificate has it may meet a position twice: an answer that is listed at one entry and not at another can
// meet a reply here by (b) and leave it to (c) there, with a whole turn in between that was for nothing. Ranks
// alone do not exclude that; the best play does.)
//
// # History
//
// A certificate may say how often positions have occurred at the start of a turn in the game up to the root
// and including it ([Seen]). It is taken on trust: the proof is of a win after such a game. A turn to a
// position that has occurred twice is illegal. From the attacker it proves nothing; from the defender it needs
// no cover; and who leaves the opponent no other turn has won, by row 6 of the table.
//
// The argument is that above, in the game from which exactly these turns are taken away. By the best play of
// that game no position is met twice. One that is met had occurred at most once before, so it now occurs at
// most for the second time: nothing is forbidden but what was taken away. So positions that have occurred once
// make no difference. They may be listed, and the root must be if anything is, which tells the history of
// another game.
//
// Where a reply is met by (b) or (c) the attacker has a legal turn, so row 6 does not speak for the defender
// there and need not be asked.
//
// A win that takes a reply away by bringing about a position twice in the line itself has no certificate.
//
// # The text
//
//	goalproof certificate 1
//	claim 2
//	seen 2 g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]
//	2 s [ ... 64 squares ... ] md8s md7e
//	+ Rb2e eb3s ra4s
//
// The first line names the format and its version. Then come the number of turns N that is claimed; with a
// history, the positions that have occurred, each with a count of 1 or 2; and the entries: rank, position in
// short form, turn. Below an entry stand its answers, one a line. Blank lines and lines that begin with # say
// nothing and are not kept.
//
// Empty squares are blanks or dots. In a turn, captures (hc3x) may be left out; one that is written has to
// happen, so an answer that meets replies with and without a capture has to leave it out. Every line ends with
// a newline, so that a text which was cut off within a line is not taken for another certificate. A file whose
// name ends in .gz is compressed with gzip.
package proof
