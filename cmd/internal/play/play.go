// Package play is the command play: a game against the engine in the terminal. A sitting is one
// game; at its prompt a person types turns and commands.
package play

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/inputs"
	"goalproof/cmd/internal/search"
)

// flags are the flags of the play command.
type flags struct {
	inputs inputs.Flags
	side   string
	time   time.Duration
	clock  string
	save   string
	engine search.EngineFlags
}

func (f *flags) register(flags *pflag.FlagSet) {
	f.inputs.Seated = true
	f.inputs.Register(flags)
	flags.StringVar(&f.side, "side", "gold", "side you play: gold, silver, or both")
	flags.DurationVar(&f.time, "time", 5*time.Second, "time of the engine for a turn without --clock, and for a hint")
	flags.StringVar(&f.clock, "clock", "", "time control for both sides, for example 30s/2m/100/5m/2h; without it you have unlimited time")
	flags.StringVar(&f.save, "save", "", "write the game to this `file` after each turn")
	f.engine.Register(flags)
	help.Group(flags, help.Game, "turn", "game", "unusual", "side", "time", "clock")
	help.Group(flags, help.Output, "save")
}

// Command returns the command play.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "play [INPUT]",
		Short: "Play against the engine in the terminal",
		Long: `Lets you play against the engine in the terminal, from the setup or from any
position. At the prompt, "help" lists what you can type. From a position, play
also says when your turn lets a proved win go.

See also: goalproof help prompt, formats, matches (for time controls).`,
		Example: `  goalproof play
  goalproof play --side silver --time 2s --save game.txt
  goalproof play --clock 30s/2m/100/5m/2h
  goalproof play examples/game.turns --turn 20g`,
		Args: cli.Args(0, 1, "input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			defer f.engine.Close(t)
			m, err := f.sitting(cmd.Context(), args, t)
			if err != nil {
				return err
			}
			return m.run(cmd.Context())
		},
	}
	f.register(cmd.Flags())
	return cmd
}
