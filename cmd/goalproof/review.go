package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"goalproof/arimaa"
	"goalproof/batch"
	"goalproof/engine"
	"goalproof/proof"
	"goalproof/review"
	"goalproof/solve"
)

// reviewFlags are the flags of the review command.
type reviewFlags struct {
	searchFlags
	game         string
	winIn        int
	effort       uint64 // nodes
	time         time.Duration
	certificates string // directory to write them to
	annotated    string // file to write
	html         string // file to write
	keepGoing    bool
	summary      bool
	csv          bool
	json         bool
}

func reviewCommand(t terminal) *cobra.Command {
	var f reviewFlags
	cmd := &cobra.Command{
		Use:   "review GAMES...",
		Short: "Find out what was really true in finished games",
		Long: `Review looks at every turn of a game and proves, where it can: did the side to move have a win in
1, 2, ... turns, and did it keep it, reach it or throw it away? Would the opponent have won if it
had been his turn? Was the position lost whatever was played, and if not, which turn would have
held? From that it tells where the game was decided: the first turn from which the win is proved
without a gap to the end, and the losing turn before it. The history of the game counts (third
repetition).

All that is said is true within --win-in turns: a turn that holds leaves the opponent no win in so
many turns. Times are for each turn.

Games are lists of turns, rows of the game room's archive, or annotated games in the shape of the
PGN files of chess, in files or on standard input (-). A broken record is reported and left out;
with --keep-going the part before the broken turn is reviewed. Games that were resigned, lost on
time or not finished are reviewed as far as they go.

Where nothing is proved there are evaluations: the engine looks at each position, and at what the
three turns that it likes best lead to, with the same effort, and its scores are turned into
chances of winning. What is proved overrides them. A turn that leaves its side a chance less by 5
percent or more than the engine's first choice is doubtful, by 10 a mistake, by 20 a blunder.
Evaluations are no facts. They take at most six searches of --effort nodes for each turn, less than
a tenth of a second by default.

With --summary there is one line for each game, and totals; with --csv the same as a table with
commas, whose columns are game, gold, silver, winner, ended (how), turns (of both sides), decided
(the first turn from which the win is proved), by (who is proved to win), turns_left (of that
side, from there to the end), losing_turn, holds (the number of turns in which the winner had no
win after another turn), gold_missed_1, ... silver_missed_1, ... (wins in so many turns that were
not kept), gold_thrown, silver_thrown (those after which none was left), undecided (positions with
an open question), seconds. Games run side by side on all threads.

With --store DIR what is proved is kept there, and what was tried in vain with which --time. A
second review of a game, with no more time for each turn, takes all of it from there, so a run
that was interrupted can be repeated and goes on where it was; with more time it asks again what
had stayed open.

With --json there is one object a line for each game, with the fields game, gold, silver,
gold_rating, silver_rating, time_control, winner, ended, win_in, decided (null, or an object with
turn, by, turns_left, losing_turn, holds), interrupted (true or false), nodes, seconds, and turns,
a list of objects with turn (its number), position, played (null at the end), win, threat, loss,
winning_turn, mark (wins, keeps, reaches, delays, misses, throws away, unclear, loses, perhaps
loses, or null), gives (the opponent's win after it, in turns, or null), line (of the win that was
not kept) and saving (turns that hold longer: objects with turn and holds, the number of turns in
which the opponent has no win after it), and, unless --effort is 0, evaluation: an object with
score (of the side to move, in centi-rabbits), chance (that it wins, 0 to 1), best (at most three
turns, the best first: objects with line, a list of turns, and chance), fall (by how much the turn
that was played leaves a smaller chance than the engine's first choice) and grade (good, doubtful,
mistake, blunder; both null at the end). Win (of the side to move), threat (of the opponent, if it
were his turn) and loss (a win of the opponent whatever is played) are objects with verdict (yes,
no, unknown), in (turns, 0 where the game is over, or null) and refuted (no win in so many turns).

With --html FILE the review is also written as a page for a browser, which needs nothing else: a
board to step through, arrows, a graph of the chances with proved wins filled in, and the moments
that mattered.

With --annotated FILE the game is written with comments and variations in the shape of the PGN
files of chess, one turn a line, as Arimaa's clients read them.

With --certificates DIR the proof of each win of a side to move is written to that directory, for
goalproof check, as far as there is time for it. At the end standard error says how many that are.

` + exitCodes,
		Example: `  goalproof review examples/game.turns
  goalproof review archive.tsv --game 669124 --time 5s
  goalproof review --csv --time 200ms --store facts archive.tsv > games.csv
  goalproof review --html game.html examples/game.turns
  goalproof review --annotated annotated.txt examples/game.turns
  goalproof review --certificates proofs examples/game.turns`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.winIn < 1 || f.winIn > solve.MaxTurns:
				return fmt.Errorf("--win-in %d: the number of turns is 1 to %d", f.winIn, solve.MaxTurns)
			case f.time <= 0:
				return fmt.Errorf("--time %v: the time must be more than zero", f.time)
			case f.certificates != "" && f.algorithm != "dfpns":
				return errors.New("--certificates needs --algorithm dfpns")
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	flags := cmd.Flags()
	f.searchFlags.register(flags, runtime.GOMAXPROCS(0))
	f.searchFlags.registerStore(flags)
	flags.StringVar(&f.game, "game", "", "in archives: review only the game with this id")
	flags.IntVar(&f.winIn, "win-in", 3, "look for wins within this many turns")
	flags.Uint64Var(&f.effort, "effort", 10_000, "nodes for each search of the evaluations; 0: no evaluations")
	flags.DurationVar(&f.time, "time", time.Second, "time for each turn, and again for each line and certificate")
	flags.StringVar(&f.certificates, "certificates", "", "write the proofs of wins to this directory")
	flags.StringVar(&f.annotated, "annotated", "", "write the game with comments and variations to this file")
	flags.StringVar(&f.html, "html", "", "write the review as a page with board and graph to this file")
	flags.BoolVar(&f.keepGoing, "keep-going", false, "review the readable part of a broken record")
	flags.BoolVar(&f.summary, "summary", false, "write one line for each game, and totals")
	flags.BoolVar(&f.csv, "csv", false, "write the summary as a table with commas")
	flags.BoolVar(&f.json, "json", false, "write one JSON object a line for each game")
	cmd.MarkFlagsMutuallyExclusive("summary", "csv", "json")
	return cmd
}

// run reviews all games.
func (f *reviewFlags) run(ctx context.Context, args []string, t terminal) error {
	games, code, err := f.read(ctx, args, t)
	if err != nil {
		return err
	}
	if (f.annotated != "" || f.html != "") && len(games) > 1 {
		return fmt.Errorf("--annotated and --html take one game, and there are %d", len(games))
	}
	if f.certificates != "" {
		if err := apart(games); err != nil {
			return err
		}
		if err := os.MkdirAll(f.certificates, 0o777); err != nil {
			return err
		}
	}
	if err := writable("annotated", f.annotated, args...); err != nil {
		return err
	}
	if err := writable("html", f.html, append(slices.Clone(args), f.annotated)...); err != nil {
		return err
	}
	out := newReviewOutput(f, t)
	err = f.withReviewers(len(games), func(workers int, start func() (*reviewer, error)) error {
		return f.review(ctx, games, workers, start, out, t, &code)
	})
	if err != nil {
		return err
	}
	return code.finish()
}

// reviewer is what a worker has to review a game with.
type reviewer struct {
	solver *solve.Solver
	engine *engine.Engine // nil: there are no evaluations
	notes  review.Notes   // nil: there is no store
}

// engineMemory is what the tables of an engine take of the memory of the process, in bytes.
const engineMemory = 8 << 20

// withReviewers reviews games side by side, with a worker for each thread; a game that is alone has all
// of them to prove with. The evaluations take one thread each, so that they are the same everywhere.
func (f *reviewFlags) withReviewers(games int, run func(workers int, start func() (*reviewer, error)) error) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	workers := max(1, min(o.Threads, games))
	o.Threads /= workers
	o.Memory /= uint64(workers)
	evaluates := f.effort > 0 && (f.html != "" || f.annotated != "" || !f.summary && !f.csv)
	if evaluates {
		o.Memory -= min(o.Memory/2, engineMemory)
	}
	if err := o.Check(); err != nil {
		return f.tooLittle(fmt.Errorf("%w for each of %d games at a time", err, workers))
	}
	return f.withStore(o, func(o solve.Options) error {
		return run(workers, func() (r *reviewer, err error) {
			r = &reviewer{}
			r.notes, _ = o.Store.(review.Notes)
			if evaluates {
				r.engine, err = engine.New(engine.Options{Threads: 1, Memory: engineMemory, Without: engine.Probe})
				if err != nil {
					return nil, err
				}
			}
			r.solver, err = solve.New(o)
			return r, err
		})
	})
}

// review reviews games side by side and writes each as soon as it and those before it are done.
func (f *reviewFlags) review(
	ctx context.Context, games []review.Record, workers int, start func() (*reviewer, error),
	out reviewOutput, t terminal, code *status,
) error {
	positions := 0
	for i := range games {
		positions += games[i].Game.Len() + 1
	}
	bar := counter(t, "reviewing, turns", positions)
	defer bar.Finish()
	var proofs atomic.Int64
	wins := 0
	play := func(ctx context.Context, w *reviewer, job int) (*review.Review, error) {
		o := review.Options{WinIn: f.winIn, Time: f.time, Engine: w.engine, Effort: f.effort, Notes: w.notes}
		o.Progress = func(int, int) { bar.Increment() }
		if f.certificates != "" {
			o.Certify = func(i int, c *proof.Certificate) error {
				proofs.Add(1)
				return f.certificate(&games[job], i, c)
			}
		}
		return review.Play(ctx, w.solver, games[job], o)
	}
	for done := range batch.Run(ctx, len(games), workers, start, play) {
		if err := done.Err; err != nil {
			fmt.Fprintf(t.err, "goalproof: %v\n", err)
			*code = code.worse(exitInternal)
			continue
		}
		if done.Value.Interrupted && (f.summary || f.csv) {
			continue // a part of a game is not to be counted as one
		}
		wins += done.Value.Wins()
		out.add(done.Value)
		if err := f.files(done.Value); err != nil {
			return err
		}
	}
	out.finish()
	if f.certificates != "" {
		fmt.Fprintf(t.err, "goalproof: %s has the proofs of %d of %s\n", f.certificates, proofs.Load(), amount(wins, "win"))
	}
	if ctx.Err() != nil {
		fmt.Fprintln(t.err, "goalproof: interrupted")
		*code = code.worse(exitUnknown)
	}
	return nil
}

// files writes what goes into files of its own.
func (f *reviewFlags) files(r *review.Review) error {
	if f.annotated != "" {
		if err := writeText(f.annotated, r.Annotated()); err != nil {
			return err
		}
	}
	if f.html == "" {
		return nil
	}
	page, err := r.HTML()
	if err != nil {
		return err
	}
	return writeText(f.html, page)
}

// unsafeInName is what does not belong in the name of a file.
var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// certificate writes the proof of the win before turn i.
func (f *reviewFlags) certificate(r *review.Record, i int, c *proof.Certificate) error {
	return c.WriteFile(filepath.Join(f.certificates, fmt.Sprintf("%s-%s.proof", fileName(r), r.Game.Label(i))))
}

// fileName is the name of a game as the files of its certificates begin with it.
func fileName(r *review.Record) string {
	return unsafeInName.ReplaceAllString(filepath.Base(r.Name), "_")
}

// apart returns an error if two games would write the same certificates.
func apart(games []review.Record) error {
	named := map[string]bool{}
	for i := range games {
		name := fileName(&games[i])
		if named[name] {
			return fmt.Errorf("--certificates: two games are named %s, and so would their files be", name)
		}
		named[name] = true
	}
	return nil
}

// read reads the games. What cannot be read is reported and does not stop the others. An interruption
// does not wait for a slow file.
func (f *reviewFlags) read(
	ctx context.Context, args []string, t terminal,
) (games []review.Record, code status, err error) {
	if len(args) == 0 {
		if isTerminal(t.in) {
			return nil, 0, errors.New("no input: name a file with games, or - for standard input")
		}
		args = []string{"-"}
	}
	type result struct {
		games  []review.Record
		errors []error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		for _, arg := range args {
			g, e := f.readFile(arg, t.in)
			r.games, r.errors = append(r.games, g...), append(r.errors, e...)
		}
		done <- r
	}()
	select {
	case r := <-done:
		for _, err := range r.errors {
			fmt.Fprintf(t.err, "goalproof: %v\n", err)
			code = code.worse(exitBadInput)
		}
		return r.games, code, nil
	case <-ctx.Done():
		return nil, 0, &exit{exitUnknown, errors.New("interrupted while reading the games")}
	}
}

// readFile reads the games of a file, and what is wrong with the others.
func (f *reviewFlags) readFile(name string, stdin io.Reader) (games []review.Record, wrong []error) {
	var text []byte
	var err error
	if name == "-" {
		name = "standard input"
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, []error{err}
	}
	if arimaa.IsAnnotated(string(text)) {
		return f.annotatedGame(name, string(text))
	}
	doc, err := arimaa.Read(name, string(text))
	switch {
	case doc.Archive != nil:
		return f.archive(name, doc.Archive, arimaa.ArchiveDetails(string(text)))
	case f.game != "":
		return nil, []error{fmt.Errorf("%s: --game chooses from an archive", name)}
	case doc.Positions != nil:
		return nil, []error{fmt.Errorf("%s holds positions: a review needs a game", name)}
	}
	if err != nil {
		wrong = append(wrong, err)
		if doc.Game = nil; f.keepGoing {
			doc.Game, _ = arimaa.ReadPart(name, string(text))
		}
	}
	if doc.Game != nil {
		games = append(games, review.NewRecord(name, doc.Game))
	}
	return games, wrong
}

// annotatedGame reads a game with comments and variations.
func (f *reviewFlags) annotatedGame(name, text string) (games []review.Record, wrong []error) {
	if f.game != "" {
		return nil, []error{fmt.Errorf("%s: --game chooses from an archive", name)}
	}
	a, err := arimaa.ReadAnnotated(name, text)
	if err != nil {
		wrong = append(wrong, err)
	}
	if a.Game != nil && (err == nil || f.keepGoing) {
		if err != nil {
			delete(a.Tags, "Result") // it is that of the whole game
		}
		games = append(games, review.FromTags(name, a))
	}
	return games, wrong
}

// archive reads the games of an archive.
func (f *reviewFlags) archive(
	name string, records []*arimaa.Record, details []arimaa.Details,
) (games []review.Record, wrong []error) {
	found := f.game == ""
	for i, r := range records {
		if f.game != "" && r.ID != f.game {
			continue
		}
		found = true
		g, err := r.Part()
		if err != nil {
			wrong = append(wrong, err)
		}
		switch {
		case err == nil:
			games = append(games, review.FromArchive(r, details[i], g))
		case f.keepGoing && g != nil:
			part := *r
			part.Result = "" // it is that of the whole game
			games = append(games, review.FromArchive(&part, details[i], g))
		}
	}
	if !found {
		wrong = append(wrong, fmt.Errorf("%s: there is no game %s in it", name, f.game))
	}
	return games, wrong
}
