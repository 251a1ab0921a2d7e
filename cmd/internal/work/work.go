// Package work is the command work: it answers the questions of a cluster.
package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/jobs"
	"goalproof/cmd/internal/search"
	"goalproof/cmd/internal/signature"
	"goalproof/internal/memory"
	"goalproof/internal/printable"
)

// flags are the flags of the work command.
type flags struct {
	where   string
	key     string
	threads int
	memory  string
}

// Command returns the command work.
func Command(t cli.Terminal) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Answer the questions of a cluster on this machine",
		Long: `Answers questions that commands with --cluster put, until it is interrupted
(Ctrl-C); what it has begun is then handed back. Workers come and go at any
time, and wait for a server that is away. A machine needs this program, the
address of the server and a key, nothing else.

At its start it answers the questions of "goalproof bench", and ends with an
error if it computes otherwise. A worker of another version gets no questions
and says so.

See also: goalproof help clusters.`,
		Example: `  goalproof work
  goalproof work --cluster tls://example.com:4747#3f1c --key w2.key --threads 8`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), t) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.where, "cluster", "", "`address` of the server, or its directory (default: that of goalproof serve)")
	fl.StringVar(&f.key, "key", "", "`file` with the key of the worker (default: the first one of goalproof serve)")
	fl.IntVar(&f.threads, "threads", runtime.GOMAXPROCS(0), "questions to answer at the same time")
	cli.MemoryFlag(fl, &f.memory, "memory for the whole process, for example 2GiB")
	help.Group(fl, help.Cluster, "cluster", "key")
	help.Group(fl, help.Search, "threads", "memory")
	return cmd
}

func (f *flags) run(ctx context.Context, t cli.Terminal) error {
	if err := search.CheckThreads(f.threads); err != nil {
		return err
	}
	budget, err := memory.Budget(f.memory)
	if err != nil {
		return err
	}
	memory.Limit(memory.Managed(budget))
	where, key, err := f.place()
	if err != nil {
		return err
	}
	say := func(text string) { fmt.Fprintf(t.Err, "goalproof: %s\n", text) }
	if err := signature.Check(ctx); errors.Is(err, context.Canceled) {
		return cli.Exit(cli.Unknown, errors.New("interrupted"))
	} else if err != nil {
		return cli.Exit(cli.Internal, err)
	}
	c, err := connect(ctx, where, key, say)
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case err != nil:
		return cli.Exit(cli.BadInput, err)
	}
	defer c.Close()
	if c.Key.Name == cluster.Coordinator {
		return cli.Exit(cli.BadInput, errors.New("--key: the coordinator's key asks questions; a worker has a key of its own, which goalproof cluster add NAME makes"))
	}
	each := budget / uint64(f.threads)
	say(fmt.Sprintf("worker %s answers %s at the same time, each within %s; Ctrl-C ends it", c.Key.Name,
		printable.Amount(f.threads, "question"), humanize.IBytes(each)))
	inputs, err := os.UserCacheDir()
	if err != nil {
		inputs = os.TempDir()
	}
	err = cluster.Work(ctx, c, cluster.WorkOptions{
		Room: cluster.Room{Slots: f.threads, Memory: each}, Kinds: jobs.Kinds(), Version: signature.Version(), Signature: signature.Of(),
		Inputs: cluster.NewStore(c, filepath.Join(inputs, "goalproof")), Say: say,
	})
	if err != nil {
		return cli.Exit(cli.BadInput, err)
	}
	return nil
}

// connect connects to the server, and waits for one that is away.
func connect(ctx context.Context, where, key string, say func(string)) (*cluster.Conn, error) {
	for first := true; ; first = false {
		c, err := cluster.Connect(ctx, where, key, say)
		if !errors.Is(err, cluster.ErrAway) {
			return c, err
		}
		if first {
			say(fmt.Sprintf("%v; waiting for it", err))
		}
		select {
		case <-time.After(2 * time.Second):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// place returns the server and the file of the key, which are those of goalproof serve on this
// machine if they are not given.
func (f *flags) place() (where, key string, err error) {
	where, key = f.where, f.key
	if where == "" {
		if where, err = cluster.DefaultDir(); err != nil {
			return "", "", err
		}
		if _, err := os.Stat(where); err != nil {
			return "", "", cli.Exit(cli.BadInput, fmt.Errorf("name the server with --cluster: none was started with the directory %s, the default", where))
		}
	}
	if key == "" {
		key, err = cluster.DefaultKey(where)
	}
	return where, key, err
}
