// Package serve is the command serve: a server that carries questions to workers.
package serve

import (
	"errors"
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
)

// flags are the flags of the command.
type flags struct {
	dir, listen, external   string
	message, queue, disk    string
	messageBytes            uint64
	queueBytes, inputsBytes uint64
}

// Command returns the command serve.
func Command(t cli.Terminal) *cobra.Command {
	f := flags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server of a cluster: it carries questions to workers",
		Long: `Runs the server of a cluster until it is interrupted (Ctrl-C). It carries
questions to workers on this and on other machines, and their answers back. It
prints its address, and the command lines that start workers.

All that it has is in the directory of --dir: keys, a certificate, questions and
answers that wait. When it is started again it goes on with them; workers wait
meanwhile. Only the owner may read the directory, since its keys are secret.

It listens on this machine alone, unless --listen names an address that others
reach, such as 0.0.0.0:4747. Connections are encrypted; each worker has a key of
its own, which may touch nothing but its own questions and answers.

When the disk is full it says so, and goes on when there is room again.

With --external a NATS server of yours, with JetStream, carries the messages,
and this command keeps the keys. It writes the account for the configuration of
your server to account.conf in its directory, and prints it until your server
has it. It tries what each worker may do there, whose key is in keys in its
directory, and does not start where that is too much.

See also: goalproof help clusters.`,
		Example: `  goalproof serve
  goalproof serve --listen 0.0.0.0:4747
  goalproof serve --dir cluster --listen 127.0.0.1:0
  goalproof serve --max-queue 256MiB --disk 2GiB
  goalproof serve --external tls://nats.example.com:4222`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, t) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.dir, "dir", "", "keep everything in this `directory` (default: goalproof/cluster in the data folder)")
	fl.StringVar(&f.listen, "listen", cluster.DefaultListen, "listen on this `address`, HOST:PORT; port 0 is one that is free")
	fl.StringVar(&f.external, "external", "", "have the NATS server at this `address` carry the messages, tls://HOST:PORT")
	fl.StringVar(&f.message, "max-message", "8MiB", "refuse messages with more `bytes` (64KiB to 64MiB)")
	fl.StringVar(&f.queue, "max-queue", "1GiB", "refuse questions while so many `bytes` of them wait, and so for answers")
	fl.StringVar(&f.disk, "disk", "6GiB", "the most `bytes` on the disk; what the two queues leave is for inputs")
	return cmd
}

// leastInputs is the least room for inputs, such as networks, in bytes.
const leastInputs = 64 << 20

// check reads the numbers of bytes.
func (f *flags) check() error {
	var disk uint64
	for _, v := range []struct {
		flag, text  string
		least, most uint64
		to          *uint64
	}{
		{"max-message", f.message, 64 << 10, 64 << 20, &f.messageBytes},
		{"max-queue", f.queue, 1 << 20, math.MaxInt64 / 4, &f.queueBytes},
		{"disk", f.disk, 1 << 20, math.MaxInt64, &disk},
	} {
		n, err := humanize.ParseBytes(v.text)
		if err != nil {
			return fmt.Errorf("--%s %q: write a number of bytes such as 512MiB or 2GB", v.flag, v.text)
		}
		if n < v.least || n > v.most {
			return fmt.Errorf("--%s %s: it is %s to %s", v.flag, v.text, humanize.IBytes(v.least), humanize.IBytes(v.most))
		}
		*v.to = n
	}
	if f.messageBytes > f.queueBytes {
		return fmt.Errorf("--max-queue %s: a message may have %s (--max-message), and the queue must hold one", f.queue, f.message)
	}
	least := 2*f.queueBytes + leastInputs + cluster.Overhead
	if disk < least {
		return fmt.Errorf("--disk %s: two queues of %s and the inputs need %s; choose a larger --disk or a smaller --max-queue", f.disk, f.queue, humanize.IBytes(least))
	}
	f.inputsBytes = disk - 2*f.queueBytes - cluster.Overhead
	return nil
}

func (f *flags) run(cmd *cobra.Command, t cli.Terminal) error {
	if f.external != "" && cmd.Flags().Changed("listen") {
		return cli.Exit(cli.BadInput, errors.New("--external and --listen exclude each other: the NATS server listens"))
	}
	if err := f.check(); err != nil {
		return cli.Exit(cli.BadInput, err)
	}
	if f.dir == "" {
		dir, err := cluster.DefaultDir()
		if err != nil {
			return cli.Exit(cli.BadInput, fmt.Errorf("there is no data folder for --dir: %w", err))
		}
		f.dir = dir
	}
	o := cluster.ServerOptions{
		Listen: f.listen, External: f.external, Version: cli.ReadBuild().Version,
		Limits: cluster.Limits{Message: int32(f.messageBytes), Jobs: int64(f.queueBytes), Answers: int64(f.queueBytes), Inputs: int64(f.inputsBytes)},
		Report: func(text string) { fmt.Fprintf(t.Err, "goalproof: %s\n", text) },
	}
	err := cluster.Serve(cmd.Context(), f.dir, o, func(s *cluster.Server) { f.greet(t, s) })
	if wrong, ok := errors.AsType[*cluster.SetupError](err); ok {
		fmt.Fprint(t.Out, wrong.Account)
		return cli.Exit(cli.BadInput, fmt.Errorf("%w; give it the account that is printed above, which is also in %s, reload it, and start this again", wrong, cluster.AccountFile(f.dir)))
	}
	return cli.Unwritten(err)
}

// greet says where the server is, and how workers are started.
func (f *flags) greet(t cli.Terminal, s *cluster.Server) {
	if f.external != "" {
		fmt.Fprintf(t.Out, "The NATS server enforces the permissions of %s. The keys are in %s, and are kept here until Ctrl-C.\n%s\n", cluster.AccountFile(f.dir), f.dir, s.Address())
	} else {
		fmt.Fprintf(t.Out, "The server runs, and keeps all that it has in %s. Ctrl-C ends it.\n", f.dir)
	}
	elsewhere := s.AddressElsewhere()
	switch {
	case f.external != "":
	case elsewhere == "":
		fmt.Fprintf(t.Out, "Its address, on this machine alone:\n%s\n", s.Address())
	default:
		fmt.Fprintf(t.Out, "Its address on this machine, and on others:\n%s\n%s\n", s.Address(), elsewhere)
	}
	if key, err := cluster.DefaultKey(f.dir); err == nil {
		fmt.Fprintf(t.Out, "A worker on this machine:\n  goalproof work --cluster %s --key %s\n", cli.Quoted(s.Address()), cli.Quoted(key))
	}
	fmt.Fprintf(t.Out, "Commands on this machine ask with --cluster %s\n", cli.Quoted(f.dir))
	if elsewhere == "" {
		fmt.Fprintln(t.Out, "Other machines cannot reach it: --listen 0.0.0.0:4747 lets them.")
		return
	}
	fmt.Fprintf(t.Out, `For a worker on another machine, make a key here:
  goalproof cluster add w2 --cluster %s --out w2.key
copy w2.key to that machine, and start there:
  goalproof work --cluster %s --key w2.key
`, cli.Quoted(f.dir), cli.Quoted(elsewhere))
}
