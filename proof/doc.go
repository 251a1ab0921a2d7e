// Package proof writes down that the side to move at a position wins within N turns, and checks it. What it accepts
// is a win by the rules of package referee, whoever wrote the certificate; no solver and no other code of the project
// is involved.
//
//   - certificate.go: [Certificate], the parts of a proof.
//   - read.go and write.go: its text.
//   - check.go: the check.
//   - hole.go: [Hole], why a certificate is rejected.
//
// # What a certificate says
//
// The side to move at the root is the attacker. There is one entry for each position with the attacker to move that
// the proof needs, the root first. It holds its rank, the attacker's turn and a list of answers. An entry of rank r
// says: the attacker wins here within r of his turns, and begins with this one. The rank of the root is the claim.
//
// [Certificate.Check] accepts an entry if its turn is legal and then
//
//   - the end-of-turn table (RULES.md, "Who has won") names the attacker the winner; or
//   - the game goes on, the rank is at least 2, and every legal reply of the defender is met: (a) the table names
//     the attacker the winner after it; or the defender has not won and (b) an answer of the entry is legal and wins at
//     once, or (c) there is an entry of lower rank for the position.
//
// The replies are those that referee enumerates. The answers are tried in their order, and before (c). Rank 1 leaves only the first case.
//
// A certificate holds nothing that is not needed: every answer must be the first of its entry to meet some reply, and
// every entry but the root must be relied on by (c) somewhere. This has nothing to do with truth, but an edit that damages an answer or
// an entry does not go unnoticed, and as the text also has to end with a newline, no beginning of a certificate that leaves out part of an
// item is a certificate. A rank is a bound: it need not be the least.
//
// # Why an accepted certificate proves a win
//
// First with the third repetition set aside, as "win in N" is defined in RULES.md. An entry of rank 1 is a win in 1. Let
// all entries of rank less than r be wins within their ranks. At an entry of rank r the turn wins at once, or whatever
// the defender replies he has lost, loses to an answer, or leaves a win within r-1. So it is a win within r.
//
// The third repetition changes nothing for a game whose first position is the root. For an attacker-to-move position p
// let d(p) be the least n such that he has a win in n, and let him always make a turn that keeps it. Then d falls from one position with
// the attacker to move to the next. After his turn at p the position q is such that all replies leave at most d(p)-1, and one reply at
// least, or a win at once, brings it to exactly that (otherwise d(p) would be less), so what can be said of q alone falls as well. So no position is met
// twice, with either side to move, and no rule about the third is met. (The play that a certificate describes may meet a position twice
// where an answer is listed at one entry and not at another; then d(p) is less than the rank, and the play just described is
// shorter.)
//
// # History
//
// A certificate may say how often positions have occurred in the game up to and including the root ([Seen]): at the start of a
// turn, with the side to move. It is taken on trust: the proof is of a win after such a game. A turn to a position that has
// occurred twice is illegal: for the attacker it may not stand in the certificate, and from the defender it
// needs no cover. A turn after which the opponent has no other is a win by row 6 of the table.
//
// The argument is the same in the game from which exactly these turns are taken away. By the best play of that game the attacker meets
// no position twice. One that he meets had occurred at most once before, so now it occurs at most for the second time:
// nothing but the turns taken away is forbidden, to either side. Positions that have occurred once therefore make no difference; they
// may be listed, and the root must be if anything is.
//
// After a reply that is met by (b) or (c) the attacker has a legal turn, so row 6 does not make the defender the winner there and need not be asked.
//
// A win that needs a position to occur more than once in the line itself, in order to take a reply away, has no certificate.
//
// # The text
//
//	goalproof certificate 1
//	claim 2
//	seen 2 g [rrrrrrrrhdcemcdh                                HDCMECDHRRRRRRRR]
//	2 s [ ... 64 squares ... ] md8s md7e
//	+ Rb2e eb3s ra4s
//
// The first line names the format and its version. Then the number of turns N that is claimed; with a history, the
// positions that have occurred, each with a count of 1 or 2; and the entries: rank, position in short form, turn.
// Below an entry stand its answers, one a line. Blank lines and lines that begin with # say nothing and are not kept. Empty squares are blanks or
// dots. In a turn, captures (hc3x) may be left out; one that is written has to happen, so an answer that meets replies with and
// without a capture has to leave it out. Every line ends with a newline. A file whose name ends in .gz is compressed with gzip.
package proof
