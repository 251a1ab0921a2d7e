// Package cluster is the command cluster, which looks after the server of a cluster: who may work
// for it, and what it does.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/files"
)

// flags are the flags of all subcommands.
type flags struct{ where, key string }

// Command returns the command cluster with its subcommands.
func Command(t cli.Terminal) *cobra.Command {
	f := &flags{}
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Look after a cluster: what it does, and who may work for it",
		Long: `Shows what the workers and runs of a cluster do, makes keys for workers, and
takes keys away. The server is that of goalproof serve.

See also: goalproof help clusters.`,
		Example: `  goalproof cluster status
  goalproof cluster add laptop
  goalproof cluster revoke laptop --reason sold`,
	}
	cmd.AddCommand(statusCommand(t, f), addCommand(t, f), revokeCommand(t, f), dropCommand(t, f))
	cli.Group(cmd)
	return cmd
}

// register adds the flags that say which cluster it is.
func (f *flags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.where, "cluster", "", "the `address` of the server, or its directory (default: goalproof/cluster in the data folder)")
	cmd.Flags().StringVar(&f.key, "key", "", "the `file` of the coordinator's key (default: that in the directory of the server)")
}

// connect connects to the cluster that the flags name. Say is called with what a person must know
// besides; it may be nil.
func (f *flags) connect(ctx context.Context, say func(string)) (*cluster.Conn, error) {
	where := f.where
	if where == "" {
		dir, err := cluster.DefaultDir()
		if err != nil {
			return nil, cli.Exit(cli.BadInput, fmt.Errorf("there is no data folder for --cluster: %w", err))
		}
		where = dir
	}
	c, err := cluster.Connect(ctx, where, f.key, say)
	return c, failed(ctx, err)
}

// failed gives an error its exit code.
func failed(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &files.Interrupted{Name: "the server"}
	}
	return cli.Exit(cli.CodeOf(err, cli.BadInput), err)
}

func addCommand(t cli.Terminal, f *flags) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Make a key for a worker",
		Long: `Makes a key for a worker and writes it to a file. Copy that to the machine that
is to work, and start goalproof work --key FILE there.

With the file one can answer as this worker, so it is secret. The name says
who answered; several processes may use one key, and then count as one worker.
The server gets the public half of the key alone.`,
		Example: `  goalproof cluster add laptop
  goalproof cluster add lab-7 --cluster cluster --out keys/lab-7.key`,
		Args: cli.Args(1, 1, "name"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.add(cmd.Context(), t, args[0], out) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&out, "out", "", "write the key to this `file` (default: NAME.key)")
	return cmd
}

func (f *flags) add(ctx context.Context, t cli.Terminal, name, out string) error {
	if err := cluster.CheckName(name); err != nil {
		return cli.Exit(cli.BadInput, err)
	}
	if out == "" {
		out = name + ".key"
	}
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		return cli.Exit(cli.BadInput, fmt.Errorf("%s is there already: move it away, or name another file with --out", out))
	}
	todo := "" // what the server has a person do
	c, err := f.connect(ctx, func(text string) { todo += text + "\n" })
	if err != nil {
		return err
	}
	defer c.Close()
	key, err := cluster.NewKey(name)
	if err != nil {
		return cli.Exit(cli.Internal, err)
	}
	if err := key.Write(out); err != nil { // first: a key that could not be written would have to be revoked
		return cli.Unwritten(err)
	}
	if err := c.Add(ctx, key); err != nil {
		return errors.Join(failed(ctx, err), os.Remove(out))
	}
	st, err := c.Status(ctx)
	if err != nil {
		return failed(ctx, err)
	}
	address := st.Address
	if strings.Contains(f.where, "://") { // it has just led there
		address = f.where
	}
	fmt.Fprintf(t.Out, "%s may work. Its key is in %s: copy that to its machine, and start there:\n  goalproof work --cluster %s --key %s\n%s",
		name, out, cli.Quoted(address), cli.Quoted(filepath.Base(out)), todo)
	if !st.Elsewhere && address == st.Address {
		fmt.Fprintln(t.Out, "Other machines cannot reach this server: start it again with --listen 0.0.0.0:4747, which lets them.")
	}
	return nil
}

func revokeCommand(t cli.Terminal, f *flags) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "revoke NAME",
		Short: "Shut a worker out",
		Long: `Shuts a worker out for good: its processes are disconnected at once, its key is
refused, and what waits of its questions and answers at the server is deleted.
Runs put these questions to other workers. The server notes it in trail.jsonl in
its directory. The name may be used again, with a new key.`,
		Example: `  goalproof cluster revoke laptop
  goalproof cluster revoke laptop --reason 'wrong answers on 12 May'`,
		Args: cli.Args(1, 1, "name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.ask(cmd.Context(), t, args[0]+" is shut out.", func(ctx context.Context, c *cluster.Conn) error {
				return c.Revoke(ctx, args[0], reason)
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&reason, "reason", "", "a `text` for the trail")
	return cmd
}

func dropCommand(t cli.Terminal, f *flags) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "drop RUN",
		Short: "Forget a run that nobody will continue",
		Long: `Has the server forget a run, and deletes what waits of its questions and answers
there. What the directory of the run holds stays: the run can be continued with
it. A run that is at work cannot be dropped.`,
		Example: `  goalproof cluster status
  goalproof cluster drop f6a1f9b534014c0970d9 --reason 'the wrong puzzles'`,
		Args: cli.Args(1, 1, "run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.ask(cmd.Context(), t, args[0]+" is forgotten.", func(ctx context.Context, c *cluster.Conn) error {
				return c.Drop(ctx, args[0], reason)
			})
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&reason, "reason", "", "a `text` for the trail")
	return cmd
}

// ask connects, makes a request, and says that it was done.
func (f *flags) ask(ctx context.Context, t cli.Terminal, done string, request func(context.Context, *cluster.Conn) error) error {
	todo := "" // what the server has a person do
	c, err := f.connect(ctx, func(text string) { todo += text + "\n" })
	if err != nil {
		return err
	}
	defer c.Close()
	if err := request(ctx, c); err != nil {
		return failed(ctx, err)
	}
	fmt.Fprintf(t.Out, "%s\n%s", done, todo)
	return nil
}
