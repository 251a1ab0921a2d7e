package store

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/search"
	"goalproof/internal/printable"
	"goalproof/solve/report"
	"goalproof/tables"
	"goalproof/tables/store"
)

func infoCommand(t cli.Terminal) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info DIR",
		Short: "Count the facts of a store",
		Long: `Counts the facts of a store by distance, and gives its size on disk.

See also: goalproof help json.`,
		Example: `  goalproof solve --store facts examples/win-in-2.txt
  goalproof store info facts
  goalproof store info --json facts`,
		Args: cli.Args(1, 1, "store"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := search.ReadStore(args[0])
			if err != nil {
				return search.StoreExit(err)
			}
			i, err := s.Info()
			if err == nil {
				err = writeInfo(t.Out, args[0], i, asJSON)
			}
			return search.CloseStore(s, err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON (see goalproof help json)")
	return cmd
}

// byTurns is a number of facts.
type byTurns struct {
	Turns int   `json:"turns"`
	Facts int64 `json:"facts"`
}

func writeInfo(w io.Writer, dir string, i store.Info, asJSON bool) error {
	list := func(counts []int64, from int) []byTurns {
		all := []byTurns{}
		for n, facts := range counts {
			if facts > 0 {
				all = append(all, byTurns{n + from, facts})
			}
		}
		return all
	}
	proved, refuted := list(i.Proved[:tables.Unproved], 0), list(i.Refuted[1:], 1)
	if asJSON {
		return report.WriteJSON(w, struct {
			Dir            string    `json:"dir"`
			Facts          int64     `json:"facts"`
			Proved         []byTurns `json:"proved"`
			Refuted        []byTurns `json:"refuted"`
			Contradictions int       `json:"contradictions"`
			Bytes          int64     `json:"bytes"`
			Schema         int       `json:"layout"`
			Keys           string    `json:"keys"`
			Rules          string    `json:"rules"`
		}{dir, i.Facts, proved, refuted, len(i.Contradictions), i.Bytes, i.Schema, i.Keys, i.Rules})
	}
	fmt.Fprintf(w, "%s: facts about %s, %s\n", dir, printable.Amount(i.Facts, "position"), humanize.IBytes(uint64(i.Bytes)))
	for _, n := range proved {
		fmt.Fprintf(w, "%12s  win in %s\n", humanize.Comma(n.Facts), printable.Amount(n.Turns, "turn"))
	}
	for _, n := range refuted {
		fmt.Fprintf(w, "%12s  no win in %s\n", humanize.Comma(n.Facts), printable.Amount(n.Turns, "turn"))
	}
	fmt.Fprintf(w, "Layout %d; keys: %s; rules: %s.\n", i.Schema, i.Keys, i.Rules)
	for _, c := range i.Contradictions {
		fmt.Fprintf(w, "A contradiction was kept: %v\n", &c)
	}
	return nil
}
