// Package check is the command check, which accepts certificates and refutations or names their
// first error. It shares no code with the solver.
package check

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
	"goalproof/internal/printable"
	"goalproof/proof"
	"goalproof/solve/report"
)

// flags are the flags of the check command.
type flags struct {
	sample int
	seed   uint64
	json   bool
}

// Command returns the command check.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "check FILE|DIR...",
		Short: "Check certificates of wins and losses, and refutations",
		Long: `Checks certificates of wins, losses and other goals, and refutations ("no win in
1", "no win in 2"), by the plain rules alone. It shares no code with the solver.
It accepts a file or names the first error. Of a directory, such as verify
--certificates writes, it reads every *.proof and *.proof.gz file. Several files
have a summary below their verdicts, and the exit code of the worst.

See also: goalproof help certificates, json, exit-codes.`,
		Example: `  goalproof solve --certificate win.proof examples/win-in-2.txt
  goalproof check win.proof
  goalproof solve --win-in 2 --certificate no-win.proof.gz examples/no-win-in-2.txt
  goalproof check --sample 500 no-win.proof.gz
  goalproof verify --claim 2 --certificates proofs examples/win-in-2.txt
  goalproof check proofs`,
		Args: cli.Args(1, cli.Many, "file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("sample") && f.sample < 1 {
				return fmt.Errorf("--sample %d: the number of replies is 1 or more", f.sample)
			}
			if !cmd.Flags().Changed("seed") {
				f.seed = rand.Uint64()
			} else if f.sample == 0 {
				return errors.New("--seed needs --sample")
			}
			return f.run(cmd.Context(), args, t)
		},
	}
	cmd.Flags().IntVar(&f.sample, "sample", 0, "in refutations, check only this number of replies, drawn at random")
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "seed of the sample, to draw the same replies again (default: random)")
	cli.JSONFlag(cmd.Flags(), &f.json, "each file")
	return cmd
}

// run checks all files and writes a verdict on each.
func (f *flags) run(ctx context.Context, args []string, t cli.Terminal) error {
	var code cli.Code
	files, verdicts := 0, map[string]int{}
	source := t.Source(ctx)
	for _, arg := range args {
		for r := range f.findings(ctx, t, source, arg) {
			files++
			verdicts[r.Verdict]++
			code = code.Worse(r.code)
			if !f.json {
				r.write(t)
			} else if err := report.WriteJSON(t.Out, r); err != nil {
				return err
			}
		}
	}
	if files > 1 && !f.json {
		fmt.Fprintf(t.Out, "\n%d files: %s\n", files, summary(verdicts))
	}
	return code.Finish()
}

// summary counts verdicts in words.
func summary(verdicts map[string]int) string {
	var counts []string
	for _, v := range []string{"accepted", "sampled", "rejected", "unknown", "error"} {
		switch n := verdicts[v]; {
		case n == 0:
		case v == "sampled":
			counts = append(counts, fmt.Sprintf("%d sampled (no proof)", n))
		case v == "error":
			counts = append(counts, printable.Amount(n, v))
		default:
			counts = append(counts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(counts, ", ")
}

// findings yields the verdict on a file, or on each below a directory.
func (f *flags) findings(ctx context.Context, t cli.Terminal, source *files.Source, arg string) iter.Seq[finding] {
	return func(yield func(finding) bool) {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			yield(f.file(ctx, t, arg, f.sample > 0))
			return
		}
		for file, err := range source.Files(arg, ".proof", ".proof.gz") {
			r := finding{}
			if err == nil {
				r = f.file(ctx, t, file, false)
			} else {
				r = unread(ctx, file, err)
			}
			if !yield(r) {
				return
			}
		}
	}
}

// unread returns the verdict on a file that was not read, because of an error or an interruption.
func unread(ctx context.Context, file string, err error) finding {
	if ctx.Err() != nil {
		return finding{File: file, Verdict: "unknown", Error: new("interrupted"), code: cli.Unknown}
	}
	return finding{File: file, Verdict: "error", Error: new(cli.Plain(err)), code: cli.BadInput}
}

// finding is the verdict about a file.
type finding struct {
	File     string  `json:"file"`
	Verdict  string  `json:"verdict"`
	Kind     *string `json:"kind"`
	Side     *string `json:"side"`
	Claim    *int    `json:"claim"`
	Goal     *string `json:"goal"`
	Position *string `json:"position"`
	Entries  *int    `json:"entries"`
	Game     *int    `json:"game_turns"`
	Replies  *int    `json:"replies"`
	Checked  *int    `json:"checked"`
	Seed     *uint64 `json:"seed"`
	Over     *string `json:"over"`
	Error    *string `json:"error"`
	code     cli.Code
	says     string // what an accepted or sampled file proves
}

// file checks a file, which must be a refutation if the flag is set.
func (f *flags) file(ctx context.Context, t cli.Terminal, file string, refutation bool) finding {
	type either struct {
		c *proof.Certificate
		r *proof.Refutation
	}
	found, err := files.Await(ctx, file, func() (e either, err error) {
		e.c, e.r, err = proof.ReadFile(file)
		return e, err
	})
	c := found.c
	if c != nil && refutation {
		err = fmt.Errorf("%s: --sample is for refutations, and this is a certificate", file)
	}
	switch {
	case ctx.Err() != nil || err != nil:
		return unread(ctx, file, err)
	case found.r != nil:
		return f.refutation(ctx, t, file, found.r)
	}
	entries, game := len(c.Entries), 0
	if c.Game != nil {
		game = len(c.Game.Turns)
	}
	r := finding{File: file, Verdict: "accepted", Kind: new("win"), Side: new(c.ToMove()), Claim: &c.Turns,
		Position: &c.Entries[0].Position, Entries: &entries, Game: &game,
		Over: overText(c.GameOver())}
	if c.Loss {
		r.Kind = new("loss")
	}
	if c.Goal != "" {
		r.Kind, r.Goal = new("goal"), &c.Goal
	}
	r.says = fmt.Sprintf("accepted: %s (%s)", report.Claim(c), printable.Amount(entries, "position"))
	switch err := certificates.Check(ctx, t, file, c); {
	case err == nil:
	case ctx.Err() != nil:
		r.Verdict, r.code, r.Error = "unknown", cli.Unknown, new("interrupted")
	case errors.Is(err, proof.ErrTooManyReplies):
		r.Verdict, r.code, r.Error = "unknown", cli.Unknown, new(err.Error())
	default:
		r.Verdict, r.code, r.Error = "rejected", cli.Fails, new(err.Error())
	}
	return r
}

func (r *finding) write(t cli.Terminal) {
	switch {
	case r.Verdict == "accepted", r.Verdict == "sampled":
		fmt.Fprintf(t.Out, "%s: %s\n  %s\n", r.File, r.says, *r.Position)
	case r.Verdict == "rejected":
		fmt.Fprintf(t.Out, "%s: rejected: %s\n", r.File, *r.Error)
	case r.Verdict == "unknown":
		fmt.Fprintf(t.Out, "%s: %s\n", r.File, *r.Error)
	default:
		fmt.Fprintf(t.Err, "goalproof: %s\n", *r.Error)
	}
}

// overText returns the text of a field that is null while the game goes on.
func overText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
