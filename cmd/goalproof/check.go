package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"goalproof/proof"
)

func checkCommand(t terminal) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check certificates of wins",
		Long: `Check reads certificates (solve --certificate FILE) and goes through each of them with the plain
rules alone: no code of the solver takes part. It accepts, or names the first hole: a turn that is
not legal, a reply that nothing answers.

With --json each object has the fields file, verdict (accepted, rejected, unknown, error),
win_in, position, entries, error.

` + exitCodes,
		Example: `  goalproof solve --certificate win.proof examples/win-in-2.txt
  goalproof check win.proof`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var code status
			for _, file := range args {
				r := checkFile(cmd.Context(), t, file)
				code = code.worse(r.code)
				if asJSON {
					if err := json.NewEncoder(t.out).Encode(r); err != nil {
						return err
					}
				} else {
					r.write(t)
				}
			}
			return code.finish()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object a line for each file")
	return cmd
}

// checkResult is what check says about a file.
type checkResult struct {
	File     string  `json:"file"`
	Verdict  string  `json:"verdict"`
	WinIn    *int    `json:"win_in"`
	Position *string `json:"position"`
	Entries  *int    `json:"entries"`
	Error    *string `json:"error"`
	code     int
}

func checkFile(ctx context.Context, t terminal, file string) checkResult {
	c, err := proof.ReadFile(file)
	if err != nil {
		return checkResult{File: file, Verdict: "error", Error: text(err.Error()), code: exitBadInput}
	}
	n := len(c.Entries)
	r := checkResult{File: file, Verdict: "accepted", WinIn: &c.Turns, Position: &c.Entries[0].Position, Entries: &n}
	switch err := check(ctx, t, file, c); {
	case err == nil:
	case ctx.Err() != nil:
		r.Verdict, r.code, r.Error = "unknown", exitUnknown, text("interrupted")
	default:
		r.Verdict, r.code, r.Error = "rejected", exitFails, text(err.Error())
	}
	return r
}

// check checks a certificate, with a progress bar on a terminal.
func check(ctx context.Context, t terminal, name string, c *proof.Certificate) error {
	bar := counter(t, name, len(c.Entries))
	defer bar.Finish()
	return c.Check(ctx, func(done, total int) {
		bar.SetTotal(int64(total))
		bar.SetCurrent(int64(done))
	})
}

func (r *checkResult) write(t terminal) {
	switch r.Verdict {
	case "accepted":
		side := "gold"
		if (*r.Position)[0] == 's' {
			side = "silver"
		}
		positions := "1 position"
		if *r.Entries > 1 {
			positions = fmt.Sprintf("%d positions", *r.Entries)
		}
		fmt.Fprintf(t.out, "%s: accepted: %s wins in %s (%s)\n  %s\n", r.File, side, turns(*r.WinIn), positions, *r.Position)
	case "rejected":
		fmt.Fprintf(t.out, "%s: rejected: %s\n", r.File, *r.Error)
	case "unknown":
		fmt.Fprintf(t.out, "%s: interrupted\n", r.File)
	default:
		fmt.Fprintf(t.err, "goalproof: %s\n", *r.Error)
	}
}

// rejected tells whether an error is that of a certificate with a hole.
func rejected(err error) bool {
	var hole *proof.Hole
	return errors.As(err, &hole)
}
