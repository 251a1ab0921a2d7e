// Package aei is the command aei: the engine plays over the Arimaa Engine Interface.
package aei

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/search"
	"goalproof/engine/aei"
	"goalproof/internal/files"
)

// flags are the flags of the aei command.
type flags struct {
	engine   search.EngineFlags
	without  string
	manifest bool
	sums     string // a file
	url      string
}

// Command returns the command aei.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "aei",
		Short: "Play over the Arimaa Engine Interface",
		Long: `Plays over the Arimaa Engine Interface, version 1, for graphical clients and
match programs. It reads messages from standard input and answers on standard
output.

Clients start it as "goalproof aei". Howdah also reads engine.json, which
--manifest writes. docs/clients.md explains the setup for Howdah, 4steps and
pyrimaa.

See also: goalproof help engine.`,
		Example: `  goalproof aei
  goalproof aei --threads 1 --memory 512MiB
  goalproof aei --manifest > engine.json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.sums != "" || f.url != "" || f.manifest {
				return f.writeManifest(cmd.Context(), t)
			}
			defer f.engine.Close(t)
			settings, err := f.engine.Settings()
			if err != nil {
				return err
			}
			settings.Without = f.without
			c := aei.Config{
				Version:  cli.ReadBuild().Version,
				Settings: settings,
				Check:    search.CheckEngine,
				New:      f.engine.NewEngine,
				Random:   rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
			}
			if err := c.Check(c.Settings); err != nil {
				return err
			}
			err = aei.Serve(cmd.Context(), t.In, t.Out, c)
			switch {
			case errors.Is(err, context.Canceled):
				return cli.Exit(cli.Unknown, errors.New("interrupted"))
			case errors.Is(err, aei.ErrUnknownMessage):
				return cli.Exit(cli.BadInput, err)
			case err != nil:
				return cli.Exit(cli.Internal, err)
			}
			return nil
		},
	}
	f.engine.Register(cmd.Flags())
	cmd.Flags().StringVar(&f.without, "without", "", "parts of the engine to switch off and weights to change, for example killers,frame=0.5")
	cmd.Flags().BoolVar(&f.manifest, "manifest", false, "write the engine manifest, engine.json, for clients that install engines, and end")
	cmd.Flags().StringVar(&f.sums, "sums", "", "list the archives of a release in the manifest, given this `file` SHA256SUMS; needs --url")
	cmd.Flags().StringVar(&f.url, "url", "", "where the archives are published, an https address; needs --sums")
	help.Group(cmd.Flags(), help.Output, "manifest", "sums", "url")
	help.Group(cmd.Flags(), help.Advanced, "without")
	return cmd
}

// maxSums is more than the list of the sums of any release has, in bytes.
const maxSums = 1 << 20

// writeManifest writes engine.json.
func (f *flags) writeManifest(ctx context.Context, t cli.Terminal) error {
	m := aei.NewManifest(cli.ReadBuild().Version)
	if (f.sums == "") != (f.url == "") {
		return errors.New("--sums and --url need each other")
	}
	if f.sums != "" {
		file, err := t.Source(ctx).Open(f.sums)
		if err != nil {
			return err
		}
		defer file.Close()
		sums, err := files.ReadLimited(file, maxSums)
		if err != nil {
			return cli.Unreadable(fmt.Errorf("--sums %s: %w", f.sums, err))
		}
		if err := m.AddDownloads(f.sums, string(sums), f.url); err != nil {
			return cli.Exit(cli.BadInput, err)
		}
	}
	w := json.NewEncoder(t.Out)
	w.SetEscapeHTML(false)
	w.SetIndent("", "  ")
	return w.Encode(m)
}
