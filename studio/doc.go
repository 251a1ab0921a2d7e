// Package studio serves the studio: a page in the browser that shows a board, sets positions up and
// solves them, and the API that the page uses. The help topic studio-api documents the requests.
//
//   - server.go: Server, its addresses, and the table of requests.
//   - api.go: what a row of the table has, how rows are served, and the document of the API, which
//     a test makes from the table: openapi.json. body.go: bodies, and what is wrong with them, in
//     words.
//   - guard.go: who may ask, and errors.
//   - study.go, board.go and moves.go: positions, steps, turns, setting up, texts. open.go: what a
//     text is.
//   - jobs.go: the queue. shares.go: which job may run, and with what memory. events.go: streams of
//     events. requests.go: what a job is asked to do, a type for each kind.
//     solve.go, variations.go, tries.go, check.go, sets.go, mines.go, compose.go, reviews.go,
//     analysis.go, play.go and matches.go: what jobs do. reviewed.go: reviews as data. export.go:
//     sets as files. compare.go: a set beside an earlier run. What answers mean is said by package
//     report. legal.go: whether a game leads to a position.
//   - training.go: puzzles to train on, and the record of those that were tried, which package
//     goalproof/puzzles/training keeps.
//   - trees.go: searches that are looked at while they grow. saved.go: their parameters, and how
//     they are saved. workspace.go: the files of the workspace. settings.go: those of the page.
//   - annotated.go: games with comments and variations. archives.go: archives of games. kept.go:
//     certificates and runs that are kept.
//   - library.go: questions about a library. filters.go: filters in JSON. exercises.go: sets of
//     exercises.
//   - assets: the page. app.js starts it. Its modules lie in layers without cycles, which
//     TestModules checks. views are the places Board, Puzzles and Library with their parts:
//     views/page.js puts them together, views/keys.js has the keys. store has the signals of the
//     window, and joins them with the studio. ui draws: its components take properties and report
//     events. state computes games, answers, jobs, files and addresses without a browser, and
//     imports nothing of the others. lib has requests and the stream of events; vendor, libraries.
//     assets.go joins the modules to one, and serves it and the style sheets at addresses with a
//     digest of them all, so browsers may keep them.
//
// # Where things are
//
// The page keeps the study: the first position, the turns, and the steps of the turn under way. It
// sends the study with each request, and the studio answers with a view. So windows do not disturb
// each other, a reload loses nothing (the study is in the window's session storage), and the page
// undoes by itself. The studio keeps the jobs, which all windows may list; after a reload a window
// follows its own jobs again. The id of a job or a tree begins with letters that each studio
// chooses anew, so a page never takes a job of a restarted studio for its own. Proved facts are in
// the store, if there is a workspace.
//
// The page keeps the games with their comments and variations, too: trees of turns, in which the
// study is a path. So every request about a position carries the turns of its own line only, and
// repetitions are those of the line: what was played elsewhere in the tree does not count. A turn
// played where the game continues otherwise begins a variation; a turn that is only looked at, on
// the line of a win say, is not added, and undo does not hold it. The studio receives a whole tree
// when it is exported or saved; it plays every line before it writes a file, which is a game with
// comments as all commands read it. A game with something written in it is saved as a person types
// (state/documents.js); the page asks before it is closed only where an edit could not be saved.
//
// What the page shows as an answer is bound to the study that was asked about (state/answers.js):
// to the position with its history, since that decides which repetitions are forbidden. Along the
// line of a proved win it shows the rest of that win: a proof of a win within N turns contains, for
// each reply to the winner's turn, a proof of a win within N-1. Of several answers it combines the
// bounds alone, and it shows answers that contradict each other side by side.
//
// An archive is read row by row as it arrives, and only the facts about its games and the places of
// their rows are kept. To open a game, the page cuts its row out of the file, so neither side ever
// holds an archive. One that is put into the workspace is read in the same way, and copied to the
// disk meanwhile.
//
// A library belongs to package library; the studio only asks it. It is opened for reading when the
// studio starts, and each question has its own transaction, so that an answer is that of one
// moment, whatever other processes write. Where a change of the file cannot be seen in time
// (library.Library.Changed), there is an error in place of the answer. A request contains a filter,
// never SQL. Rows are read one by one, and a page of them is kept; of a tree or groups, one count
// for each branch or group is kept until a page of them is written. At most maxQuestions are
// answered at once, for at most libraryTime, and no longer than the client waits: the context of
// the question ends what SQLite does. Where it sorts, that takes some 50 MiB for each question,
// beside the memory of the jobs.
//
// Only package arimaa knows the rules. The page knows the steps that the view lists, and draws the
// shapes that package render has made. So a faulty page may show a wrong picture, but plays no
// illegal turn.
//
// # What the page is made of
//
// It consists of JavaScript modules and a style sheet. They run as they are in the repository; the
// studio joins the modules when it starts, so that a browser asks for one. There is no other build
// step, and nothing is downloaded while it runs. Its components are made with preact, htm and
// signals, small libraries in the folder vendor, which tools/vendored fetches; vendor.json has
// their digests. lib/view.js joins them, and components import it. A component that reads a signal
// of the store while it draws is drawn again when that changes. The gallery in testdata/gallery
// shows the components of ui with sample data.
//
// The page has three places. Of the Board there are three modes: a position is analysed, set up, or
// played on in a game; a review is no mode, it belongs to the game that is shown. The place Puzzles
// has a board of its own. Places, positions, games, puzzles and jobs have addresses: what stands
// behind the # of the page's address (state/addresses.js).
//
// # Jobs
//
// All jobs share one memory budget. A job takes a quarter of it unless it says how much, or more if
// it needs more. Jobs that verify, mine, review and compose are long, the others prompt. Each class
// starts in order, each job as soon as its memory is free; no job overtakes another of its class,
// so none starves within it. At most two long jobs run, with half of the memory together; one that
// asks for more than half runs alone in its class.
//
// Somebody waits for a prompt job, so it overtakes long jobs that wait, and those that run give way
// between two positions: a long job becomes waiting, with its memory free and its solver idle,
// until no prompt job waits that could run in its place. It then continues, with the same solver or
// a new one. A new solver may need more time, and proves nothing else. A review has the same
// result, since its solvers forget everything between positions; it keeps the memory of its engine,
// whose estimates depend on earlier positions. A prompt job that could not run even then, because
// other prompt jobs or trees have the memory, holds up no long job.
//
// When a job ends, its solver stays, with its tables, until its memory is needed: the next position
// of a line is then often answered without a search. A tree that does not run is dropped when a job
// needs its memory, and one that runs is not.
//
// A result marked as kept is reported only after the store was synced, so its facts survive a
// killed process.
//
// A job that composes has a solver of its own, with neither store nor tables. Its limit in nodes
// alone determines the answers: the job makes the same puzzles on every machine, also where it has
// given way, unless it is stopped or its time is up.
//
// # Events
//
// A browser opens six connections to an address, so a window has one stream for all jobs, trees and
// files (lib/events.js). Nothing is queued for a client: its stream remembers what it was told last
// of each job and tree, and sends what differs now. A slow client thus misses states and never the
// last one. A bell rings when a job or tree begins, ends, changes its state or is forgotten; only
// while something runs do streams look every 200 ms. An idle studio does nothing but send a comment
// every 15 s, which shows each side that the other is still there.
//
// # Analyses
//
// An analysis shows the engine's best turns while it searches deeper. Scores and chances are
// estimates. Only three things are called proved: what the engine's Report says (package solve or
// an endgame table has proved it), that a turn ends the game, and that the opponent can end it at
// once (package goal). A person who walks through a game begins an analysis at each position. So an
// analysis may replace another one: that one stops, its result is forgotten, since it would push
// those of other jobs out of the list, and its engine serves the new one. The tables need not be
// cleared in between: they hold estimates and facts about positions. One engine stays when its
// analysis has ended, until its memory is needed.
//
// # Games against the engine
//
// The page keeps the game, as it keeps the study; each turn of the engine is a job, which receives
// the whole game with its repetitions. Package arimaa plays the turn before it is reported. When a
// turn is taken back, the page ignores the job that it no longer waits for.
//
// A game with clocks is one job. Its players are those of package match, which judges each turn and
// names the way in which a game ends off the board; a person is a player whose turns arrive as
// requests. So the studio keeps the clocks, whether the page is reloaded or gone. An illegal turn
// is refused before it reaches the game, and a turn for another position than the one on the board
// is not played. Two players share the memory of the job; what a program takes beyond its part is
// not counted. Its processes end with the job, and all jobs end before the studio does.
//
// The command line lists the programs, and a request contains only a name. Otherwise anybody with
// access to the page could run anything.
//
// # Files
//
// A file of the workspace is replaced as a whole, and the answer is sent when the new one has
// reached the disk. So a killed process or a full disk leaves the old file or the new one. Only a
// window that names the version of the file that it has seen may replace or rename it; otherwise
// two windows that save as one types would undo each other's work. The version of a game is that of
// its text. Other files may be too long to be read for that; theirs is of the size and the time of
// the last change. A list reads the first lines of certificates, for what they claim, and remembers
// that until they change.
//
// One studio at a time has a workspace open, which the command sees to. What is damaged is never
// deleted: the training and the settings, without which no studio starts, are renamed, and any
// other file stays where it is.
//
// # Training
//
// A search decides whether a turn is right, never a comparison with a published solution: a turn is
// right if it wins within the turns that are left, and an exercise has been proved to be a win in
// that many turns. The client's reports about exercises are trusted, because only the person who
// trains reads them. The record, its file, the ratings and the schedule are those of package
// goalproof/puzzles/training, which the command train shares: the file is read again before each
// answer about it, and under a lock before each change.
//
// What a library has to train on is no exception: its puzzles are claims, and its findings were
// proved with the history of a game, which an exercise lacks. So the library gives a set that
// claims wins, a job of the kind verify searches each position, and those that it proves are the
// exercises.
//
// # Trees
//
// A running search holds its lock while it expands some nodes, and releases it in between: requests
// then read a consistent graph. It never stops within an expansion. A node shows what APNS's window
// shows (Majerech 2012, appendix A.2.1): type, numbers, size, the best child and the path to the
// most-proving node.
//
// # Why it is safe to leave open
//
// Other pages in the same browser can send requests to 127.0.0.1, and programs of other users of
// the machine can connect. Neither learns or changes anything:
//
//   - Every request of the API needs the token: at least 128 random bits after the # of the
//     address, a part that browsers never send. The page takes it out of the address bar, keeps it
//     in the storage of its window, which no other origin can read, and sends it in a header;
//     another page needs the studio's consent for that, and never gets it. The browser is started
//     with a one-time address that redirects to the page, because all users can see the arguments
//     of a program.
//   - The Host of a request must be the studio's own. So a name that an attacker points to
//     127.0.0.1 (DNS rebinding) gets nothing, not even the page.
//   - Requests from another origin are refused (Origin, Sec-Fetch-Site), as are bodies of other
//     types than JSON, which forms can send.
//   - The content security policy allows only the studio's own files, no inline script, and no text
//     as markup: trusted types make the browser refuse innerHTML and its kin, which the page does
//     not use. Input from files and requests becomes the content of text nodes.
//   - The page of a review has an inline script. It is served under a name of 128 random bits, in a
//     sandbox: its script has an opaque origin, and may send no request.
//   - Bodies, headers, jobs, streams, times and memory are limited.
//   - No request names the library, or writes to it. Names of players and events are text in JSON.
//   - The only files that a request can name are saved searches, games, archives, certificates and
//     runs. Names consist of letters, digits, spaces, - and _; the file is a regular file in the
//     workspace, no link, and is accessed through an os.Root. The page's files are part of the
//     program, and the store, the training and the settings have fixed places.
package studio
