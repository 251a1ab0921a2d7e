// Package studio is the studio: a page in the browser that shows a board, sets positions up and solves them, and the API that
// the page is a client of. The help topic studio-api documents the requests.
//
//   - server.go: Server, its addresses, and the list of requests.
//   - guard.go: who may ask, and the form of requests and answers.
//   - study.go and board.go: positions, steps, turns, setting up, texts.
//   - jobs.go: the queue, and events. requests.go: what a job is asked to do, a type for each kind. solve.go, variations.go,
//     check.go, sets.go, mines.go, reviews.go, play.go and matches.go: what jobs do. export.go: sets as files. compare.go: a
//     set beside an earlier run. What answers mean is said by package report.
//   - training.go: puzzles to train on, and what is remembered of those that were tried.
//   - trees.go: searches that are looked at while they grow. saved.go: their parameters, and files in the workspace.
//   - annotated.go: games with comments and variations. archives.go: archives of games.
//   - assets: the page. index.html is what there is; studio.js ties it together; board.js is the board; annotate.js is the
//     game with its comments and variations; solve.js, tree.js, texts.js, review.js, set.js, train.js, play.js and clocks.js are views; games.js is a table of games; api.js sends requests.
//
// # Where things are
//
// The page keeps the study: the first position, the turns, and the steps of the turn under way. It sends it with each
// request, and the studio answers with a view. So two windows do not disturb each other, a reload of the page loses
// nothing (the window's own storage has it), and undoing is a matter of the page. The studio keeps the jobs, which
// all windows may list; a window that is loaded again goes on following its own. Facts that a search has proved are in the
// store, if there is a workspace.
//
// The page keeps the games with their comments and variations, too: trees of turns, in which the study is a path. So every
// request about a position carries the turns of its own line and no others, and repetitions are those of the line: a
// variation never sees what was played elsewhere in the tree. A turn that is played where the game has gone on otherwise
// begins a variation; one that is only looked at, on the line of a win, leaves the tree when it is left. The studio sees a
// whole tree when it is exported or saved; it plays every line of it before it writes a file, which is a game with
// comments as all commands read it. A file is replaced only by a window that says which version of it it has seen.
//
// An archive is read row by row as it comes in, and what is left are the facts about its games and where their rows are.
// The page cuts a row out of the file when a game is opened, so neither of them ever holds an archive.
//
// The rules are in package arimaa alone. The page knows no more than which steps the view lists, and draws the shapes that
// package render has made. So a page that is wrong shows a wrong picture, but makes no illegal turn.
//
// # Why the page has no framework
//
// It is modules of plain JavaScript and a style sheet, as they stand in the repository: no build step, nothing to
// download, nothing to keep up to date. There is little state, and what changes is drawn as a whole.
//
// # Jobs
//
// All jobs share one amount of memory. They begin in the order in which they came, each as soon as its memory is free; a
// later one does not overtake, so none waits for ever. A solver that has ended its job stays, with its tables, until its
// memory is needed: the question about the next position of a line is then often answered without a search. Progress is
// asked for while somebody follows a job, and not otherwise; an idle studio does nothing.
//
// A result with the mark kept has been reported after the store was synced. A store's facts outlast the process that is
// killed then, so nothing is lost that was reported as kept.
//
// # Games against the engine
//
// The page keeps the game, as it keeps the study; each turn of the engine is a job, which sees the whole game and so its
// repetitions. The turn is played by package arimaa before it is reported. A job that the page no longer waits for, after a
// turn was taken back, changes nothing.
//
// A game with clocks is one job. Its players are those of package match, which judges each turn and names what ends a game
// off the board; a person is a player who hands over turns by requests. So the clocks are the studio's, and a page that
// is loaded again or never comes back changes nothing. A turn against the rules is refused before it is handed over, and a
// turn for another position than the one on the board is not played. Two players share the memory of the job; what a
// program takes beyond its part is not counted. Its processes end with the job, and all jobs end before the studio does.
//
// The command line names the programs. A request has no more than the name of one: whoever got to use the page could otherwise
// run anything.
//
// # Training
//
// Whether a turn is right is decided by a search, never by a comparison with a published solution: a turn that wins
// within the turns that are left is right, and what is an exercise has been proved to be a win in that many turns. What the client reports
// about an exercise is counted as it says, because nobody but the person who trains reads it. The file is replaced
// whole for each report, before the answer is sent.
//
// # Trees
//
// A search that is looked at holds its lock while it expands some nodes, and lets it go for a moment in between: the
// graph is then whole, and requests look at it. It is never stopped within an expansion. What APNS's window shows of a node
// (Majerech 2012, appendix A.2.1) is there: type, numbers, size, the best child and the way to the most-proving node.
//
// # Why it is safe to leave open
//
// A page elsewhere in the same browser can send requests to 127.0.0.1, and a program of another user of the machine can
// connect. Neither learns or changes anything:
//
//   - Every request of the API needs the token, 128 random bits or more that stand in the address behind the #. A browser
//     sends that part to nobody. The page sends the token in a header, which another page cannot do without the studio's consent;
//     the studio never gives it. The browser is started with another address, which leads to this one once, because
//     all users can see the arguments of a program.
//   - The Host of a request must be the studio's own. So a name that an attacker has pointed to 127.0.0.1 (DNS
//     rebinding) gets nothing, not even the page.
//   - Requests that say that they come from another origin are refused (Origin, Sec-Fetch-Site), as are bodies of another
//     type than JSON, which forms can send.
//   - The content security policy allows the studio's own files alone, no script within the page, and no text as markup: trusted
//     types make the browser refuse innerHTML and its kin, which the page does not use. Whatever comes from a file or a
//     request becomes the content of a text node.
//   - The page of a review has its script within it. It is served under a name of 128 random bits, in a sandbox: its script
//     runs as if it came from nowhere, and may send no request.
//   - Bodies, headers, jobs, streams, times and memory are limited.
//   - A request names no file but a saved search, a game or an archive. Its name has letters, digits, spaces, - and _ alone, its file is a plain
//     file in the workspace, no link, and is read, written and removed through an os.Root. The page's files are part of the program,
//     and the store and the training have fixed places.
package studio
