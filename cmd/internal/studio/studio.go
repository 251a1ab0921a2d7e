// Package studio is the command studio: a page in the browser that does what the commands do.
package studio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/search"
	"goalproof/engine/match"
	"goalproof/library"
	"goalproof/solve"
	"goalproof/studio"
	"goalproof/tables/store"
)

// flags are the flags of the studio command.
type flags struct {
	search    search.Flags
	port      uint16
	noOpen    bool
	workspace string
	library   string
	programs  []string
}

// Command returns the command studio.
func Command(t cli.Terminal) *cobra.Command {
	f := flags{search: search.Flags{Algorithm: "dfpns", Threads: 1}}
	cmd := &cobra.Command{
		Use:   "studio",
		Short: "Open a page in the browser: a board, and everything about it",
		Long: `Opens a page in the browser on which positions are set up, played and solved. It
prints the address of the page and answers until it is interrupted (Ctrl-C).

Only this machine can reach it, and only with the address that it prints: that
holds a secret. It uses no network, and no files but those of --workspace and
--library. Programs can use the same interface.

--library is a file that goalproof library import has made. It is read alone,
and other processes may import into it and review its games meanwhile.

--program names a program that speaks the Arimaa Engine Interface, which then
plays games in the studio. The page can start these programs and no others.

See also: goalproof help studio-api, matches, library-filters.`,
		Example: `  goalproof studio
  goalproof studio --workspace studio-facts
  goalproof library import games.db examples/games.tsv
  goalproof studio --library games.db
  goalproof studio --program 'quick=goalproof aei' --program 'slow=goalproof aei --threads 1'
  goalproof studio --no-open --port 8080 --memory 1GiB`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			games, err := f.games(cmd)
			if err != nil {
				return err
			}
			if games != nil {
				defer games.Close() // nothing was written
			}
			return f.run(cmd.Context(), t, games)
		},
	}
	fl := cmd.Flags()
	fl.Uint16Var(&f.port, "port", 0, "port on 127.0.0.1 (default: any that is free)")
	fl.BoolVar(&f.noOpen, "no-open", false, "print the address and open no browser")
	fl.StringVar(&f.workspace, "workspace", "", "keep proved facts, saved searches and games, and the training in this `directory`")
	fl.StringVar(&f.library, "library", "", "answer questions about the games in this `file` (goalproof library --help)")
	fl.StringArrayVar(&f.programs, "program", nil, "a program for games, as `NAME=COMMAND`: a name to show, and its command line (repeat for more)")
	cli.MemoryFlag(fl, &f.search.Memory, "memory for the whole process, for example 512MiB; a limit below 64MiB may be exceeded")
	f.search.RegisterEndgames(fl, t)
	help.Group(fl, help.Output, "port", "no-open")
	help.Group(fl, help.Game, "program", "library")
	help.Group(fl, help.Store, "workspace")
	help.Group(fl, help.Search, "memory")
	return cmd
}

// games opens the library, if one is named.
func (f *flags) games(cmd *cobra.Command) (*library.Library, error) {
	if !cmd.Flags().Changed("library") {
		return nil, nil
	}
	l, err := library.Open(cmd.Context(), f.library)
	if err != nil {
		return nil, cli.Exit(cli.CodeOf(err, cli.BadInput), fmt.Errorf("--library: %w", err))
	}
	return l, nil
}

func (f *flags) run(ctx context.Context, t cli.Terminal, games *library.Library) error {
	programs, err := f.named()
	if err != nil {
		return cli.Exit(cli.BadInput, err)
	}
	if f.workspace != "" {
		if err := os.Mkdir(f.workspace, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return cli.Unwritten(fmt.Errorf("--workspace: %w", err))
		}
		f.search.Store = filepath.Join(f.workspace, "facts")
	}
	o, err := f.search.Options()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(f.port))))
	if err != nil {
		return cli.Exit(cli.BadInput, fmt.Errorf("--port %d: %w", f.port, err))
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return f.search.WithStore(o, func(o solve.Options) error {
		options := studio.Options{Programs: programs, Library: games, Memory: o.Memory, Endgames: o.Endgames, Store: o.Store, Version: cli.ReadBuild().Version,
			Log: log.New(t.Err, "goalproof: studio: ", 0)}
		if s, ok := o.Store.(*store.Store); ok { // a store that is only read keeps nothing
			options.Sync = func() error {
				err := s.Sync()
				if errors.Is(err, store.ErrFull) {
					cancel() // no more facts can be kept
				}
				return err
			}
		}
		if f.workspace != "" {
			if options.Workspace, err = os.OpenRoot(f.workspace); err != nil {
				return cli.Exit(cli.BadInput, fmt.Errorf("--workspace: %w", err))
			}
			defer options.Workspace.Close()
		}
		s, err := studio.New(ctx, l, options)
		if err != nil {
			return cli.Exit(cli.BadInput, err) // the file of the training, or the name of a program
		}
		fmt.Fprintf(t.Out, "The studio is open. Ctrl-C ends it.\n%s\n", s.Address())
		if !f.noOpen {
			if err := cli.Open(s.Once()); err != nil {
				fmt.Fprintf(t.Err, "goalproof: %v\n", err)
			}
		}
		return s.Serve(l)
	})
}

// named reads the values of --program.
func (f *flags) named() (all []studio.Program, err error) {
	for _, text := range f.programs {
		name, command, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--program %q: it is a name, =, and a command line", text)
		}
		c, err := match.ParseCommand(command)
		if err == nil {
			_, err = exec.LookPath(c.Args[0])
		}
		if err != nil {
			return nil, fmt.Errorf("--program %q: %w", text, err)
		}
		all = append(all, studio.Program{Name: name, Command: c})
	}
	return all, nil
}
