// Package studio is the command studio: a page in the browser that does what the commands do.
package studio

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
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

Games, archives, searches, certificates, runs, proved facts, the training and
the settings of the page are kept in a directory, by default goalproof/studio in
your data folder. One studio at a time can have it open. --workspace DIR names
another directory; "none" keeps nothing (a directory of that name is ./none).

--library is a file that goalproof library import has made. It is read alone,
and other processes may import into it and review its games meanwhile.

--program names a program that speaks the Arimaa Engine Interface, which then
plays games in the studio. The page can start these programs and no others.

See also: goalproof help studio-api, matches, library-filters.`,
		Example: `  goalproof studio
  goalproof studio --workspace my-studies
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
			programs, err := f.named()
			if err != nil {
				return cli.Exit(cli.BadInput, err)
			}
			w, err := openWorkspace(f.workspace, cmd.Flags().Changed("workspace"))
			if err != nil {
				return err
			}
			defer w.close()
			return f.run(cmd.Context(), t, w, studio.Options{Programs: programs, Library: games, Workspace: w.root})
		},
	}
	fl := cmd.Flags()
	fl.Uint16Var(&f.port, "port", 0, "port on 127.0.0.1 (default: any that is free)")
	fl.BoolVar(&f.noOpen, "no-open", false, "print the address and open no browser")
	fl.StringVar(&f.workspace, "workspace", "", "keep games, searches, proved facts, training and settings in this `directory`, or none (default: goalproof/studio in your data folder)")
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

// run serves the studio until the context is done. The options are completed by those of searches.
func (f *flags) run(ctx context.Context, t cli.Terminal, w *workspace, options studio.Options) error {
	if w.root != nil {
		f.search.Store = filepath.Join(w.dir, "facts")
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
	opened := false
	err = f.search.WithStore(o, func(o solve.Options) error {
		opened = true
		options.Memory, options.Endgames, options.Store = o.Memory, o.Endgames, o.Store
		options.Version, options.Log = cli.ReadBuild().Version, log.New(t.Err, "goalproof: studio: ", 0)
		if s, ok := o.Store.(*store.Store); ok { // a store that is only read keeps nothing
			options.Sync = func() error {
				err := s.Sync()
				if errors.Is(err, store.ErrFull) {
					cancel() // no more facts can be kept
				}
				return err
			}
		}
		s, err := studio.New(ctx, l, options)
		if err != nil {
			return cli.Exit(cli.BadInput, err) // a file of the workspace, or the name of a program
		}
		fmt.Fprintf(t.Out, "The studio is open. %s Ctrl-C ends it.\n%s\n", w.says(), s.Address())
		if !f.noOpen {
			if err := cli.Open(s.Once()); err != nil {
				fmt.Fprintf(t.Err, "goalproof: %v\n", err)
			}
		}
		return s.Serve(l)
	})
	if !opened {
		return w.advised(err)
	}
	return err
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
