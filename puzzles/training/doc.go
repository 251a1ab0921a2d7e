// Package training keeps the record of a person who trains on puzzles: what became of each
// exercise, ratings of the person and of the exercises, streaks, and the schedule by which what
// failed comes again. The studio and the command train share it, and its file.
//
// Everything is a function of the attempts and of the time at which each was added, which is an
// argument. An attempt is clean if the exercise was solved without a mistake and without a hint.
// Any other attempt has failed, for the rating, the streak and the schedule alike. An exercise is
// known by its position and the length of its win, not by a name or number, so what became of it
// stays when the collection has other numbers.
//
// # Ratings
//
// Ratings are those of Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013), with tau 0.5. An
// attempt is a game between the person and the exercise, which the person wins if the attempt is
// clean. It is a rating period of its own for these two, so there is a rating after each attempt, and
// both are rated with what the other had before it. Nobody's deviation grows between attempts: a
// period is an attempt, not a span of time.
//
// A person begins with 1500, deviation 350 and volatility 0.06. An exercise begins with the rating
// that its length and difficulty suggest ([RatingOf]) and moves like a player: that recalibrates it
// for this person. [Exercise.Difficulty] says on the scale of difficulties where it has got to. That
// is nearer to how hard the exercise is for this person if the predicted difficulties are wrong by a
// point or more, which is what the deviation of an exercise allows for, and if the person solves as
// ratings say: simulated ones do (docs/difficulty.md).
//
// An attempt is a game only if the exercise is new or due. One that is tried again at once, with the
// solution still in sight, would measure nothing.
//
// # Schedule
//
// An exercise that fails is on the first stage of the schedule. It is due again after [Between]
// attempts at other exercises, so in the same session, or after an hour if there are fewer. Each
// clean attempt when it is due puts it on the next stage, where it waits for 1, 3, 7 and at last 21
// days. After that it leaves the schedule. A clean attempt before it is due changes nothing; an
// attempt that fails puts it back on the first stage at any time. An exercise that was clean when it was new is
// never on the schedule.
//
// [Next] chooses what comes next: exercises that are due; else a new one near the rating of the
// person minus its deviation; else one that failed and is not due yet. Of those due, the ones on the
// first stage come before the others. On the first stage the one that was tried longest ago comes
// first, on the others the one that has been due for longest.
//
// # Durability
//
// [File.Add] returns when the attempt is in the file: a file of its own replaces the old one
// (goalproof/internal/files), under a lock, after the record has been read again. So a killed process
// loses nothing that it has reported, and two programs on one file lose nothing of each other. An
// attempt with an id counts once, however often it is added.
package training
