package cluster

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/printable"
	"goalproof/solve/report"
)

func statusCommand(t cli.Terminal, f *flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show workers and runs",
		Long: `Shows the workers of a cluster and what their processes do, the runs and how far
they are, and what waits at the server.

See also: goalproof help json.`,
		Example: `  goalproof cluster status
  goalproof cluster status --json --cluster cluster`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := f.connect(cmd.Context(), nil)
			if err != nil {
				return err
			}
			defer c.Close()
			return f.status(cmd.Context(), t, c, asJSON)
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON (see goalproof help json)")
	return cmd
}

func (f *flags) status(ctx context.Context, t cli.Terminal, c *cluster.Conn, asJSON bool) error {
	st, err := c.Status(ctx)
	if err != nil {
		return failed(ctx, err)
	}
	if asJSON {
		return report.WriteJSON(t.Out, st)
	}
	writeStatus(t.Out, st)
	return nil
}

// writeStatus writes a status for a person.
func writeStatus(w io.Writer, st cluster.Status) {
	fmt.Fprintf(w, "server %s; waiting there: questions %s, answers %s\n", st.Version, humanize.IBytes(st.JobBytes), humanize.IBytes(st.AnswerBytes))
	if st.Trouble != "" {
		fmt.Fprintf(w, "trouble: %s\n", st.Trouble)
	}
	fmt.Fprintln(w, "\nworkers")
	for _, k := range st.Workers {
		switch {
		case k.Revoked:
			fmt.Fprintf(w, "  %-12s revoked\n", k.Name)
		case len(k.Alive) == 0:
			fmt.Fprintf(w, "  %-12s no process\n", k.Name)
		}
		for _, a := range k.Alive {
			leaving := ""
			if a.Leaving {
				leaving = ", leaving"
			}
			fmt.Fprintf(w, "  %-12s %s, %s: %d of %s at work, %s in %s%s\n", k.Name, printable.Text(a.Host), printable.Text(a.Version),
				len(a.Running), printable.Amount(a.Slots, "thread"), printable.Amount(a.Answered, "answer"), seconds(a.Seconds), leaving)
		}
	}
	fmt.Fprintln(w, "\nruns")
	for _, r := range st.Runs {
		writeRun(w, r)
	}
	if len(st.Runs) == 0 {
		fmt.Fprintln(w, "  none")
	}
}

// writeRun writes the lines of a run.
func writeRun(w io.Writer, r cluster.RunStatus) {
	state := "no process: continue it with its command, or drop it"
	switch {
	case r.Ended:
		state = "ended"
	case r.Heard && r.Left > 0:
		state = "about " + seconds(r.Left) + " left"
	case r.Heard:
		state = "at work"
	case r.Stopped:
		state = "stopped: continue it with its command, or drop it"
	}
	of := ""
	if r.Total > 0 {
		of = " of " + humanize.Comma(int64(r.Total))
	}
	fmt.Fprintf(w, "  %s: %s%s answered, %d given out, %d failed; %s\n    %s\n", r.Run, humanize.Comma(int64(r.Answered)), of, r.Running, r.Failed, state, printable.Text(r.Command))
	if !r.Heard && !r.Ended && r.Dir != "" {
		fmt.Fprintf(w, "    its answers: %s on %s; a run that was dropped needs them no more\n", printable.Text(r.Dir), printable.Text(r.Host))
	}
	for _, name := range r.Shut {
		fmt.Fprintf(w, "    %s is shut out for what it answered\n", printable.Text(name))
	}
}

// seconds writes a number of seconds.
func seconds(s float64) string {
	return cli.Took(time.Duration(s * float64(time.Second)).Round(time.Second))
}
