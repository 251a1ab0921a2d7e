// Package version is the command version: which build of the program this is.
package version

import (
	"fmt"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/solve/report"
)

// Command returns the command version.
func Command(t cli.Terminal) *cobra.Command {
	var json bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Show the version, and the commit it was built from",
		Long: `Shows the version of the program, the commit that it was built from with its
date, whether files differed from that commit, and the Go release. A program
that was built outside of version control knows no commit.

See also: goalproof help json.`,
		Example: `  goalproof version
  goalproof version --json`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if json {
				return report.WriteJSON(t.Out, cli.ReadBuild())
			}
			fmt.Fprint(t.Out, cli.ReadBuild())
			return nil
		},
	}
	cmd.Flags().BoolVar(&json, "json", false, "write a line of JSON (see goalproof help json)")
	return cmd
}
