package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"goalproof/cluster"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/search"
	"goalproof/cmd/internal/signature"
	"goalproof/internal/files"
)

// Flags are the flags that have a cluster of machines answer.
type Flags struct {
	URL       string // --cluster
	Key       string // the file of the coordinator's key
	Dir       string // --run
	Untrusted bool
	Total     int    // questions, for those who watch the run; 0: not known
	Keeps     string // the directory of --out, if it keeps what was answered for the same command
	flags     *pflag.FlagSet
	t         cli.Terminal
	store     string // of the facts; empty: there is none
}

// Register adds the flags.
func (f *Flags) Register(flags *pflag.FlagSet, t cli.Terminal) {
	f.flags, f.t = flags, t
	flags.StringVar(&f.URL, "cluster", "", "have the machines of the cluster at this `address` do the work (see goalproof help clusters)")
	flags.StringVar(&f.Key, "key", "", "`file` with your key of the cluster")
	flags.StringVar(&f.Dir, "run", "", "`directory` for the answers of this run; with an earlier one it continues")
	flags.BoolVar(&f.Untrusted, "untrusted", false, "trust no machine of the cluster: every answer is given twice, by two workers or by one and this machine")
	help.Group(flags, help.Cluster, "cluster", "key", "run", "untrusted")
}

// Part returns the flags of a part of the work, whose answers are kept in a directory of their own.
func (f *Flags) Part(name string) *Flags {
	part := *f
	if f.Dir != "" {
		part.Dir = filepath.Join(f.Dir, name)
	}
	return &part
}

// RemoveEmpty removes the directory of --run when all parts have ended, and those of parts that a
// process left behind when it was killed at the end of one. What is not empty stays.
func (f *Flags) RemoveEmpty() {
	parts, _ := os.ReadDir(f.Dir) // it may never have been made
	for _, p := range parts {
		if p.IsDir() {
			_ = os.Remove(filepath.Join(f.Dir, p.Name()))
		}
	}
	_ = os.Remove(f.Dir)
}

// Given reports whether a cluster answers.
func (f *Flags) Given() bool { return f.URL != "" }

// CheckAlone returns an error if one of the flags is given without a cluster, or a cluster without a
// name.
func (f *Flags) CheckAlone() error {
	if !f.Given() && f.flags.Changed("cluster") {
		return errors.New("--cluster names no server: give its address, or its directory")
	}
	for _, name := range []string{"key", "run", "untrusted"} {
		if !f.Given() && f.flags.Changed(name) {
			return errors.New("--" + name + " needs --cluster")
		}
	}
	return nil
}

// Check returns an error if the flags exclude each other, or what the cluster is asked.
func (f *Flags) Check(s *search.Flags) error {
	if err := f.CheckAlone(); err != nil {
		return err
	}
	f.store = s.Store
	switch {
	case !f.Given():
	case f.flags.Lookup("time") != nil && f.flags.Changed("time"):
		return errors.New("--cluster and --time exclude each other: what is found in a time depends on the machine; limit the search with --nodes alone")
	case !s.InNodes():
		return errors.New("--cluster needs --nodes: what is found in a time depends on the machine; give a limit in nodes, for example --nodes 500000")
	case s.Algorithm != "dfpns":
		return errors.New("--cluster needs --algorithm dfpns: it alone makes the proofs by which the answers of other machines are checked")
	}
	return nil
}

// Open begins a run, or continues it. The second result is to be closed at the end. Options are those of
// the run; they are called before it begins, with what takes the files that questions refer to.
func (f *Flags) Open(ctx context.Context, kind cluster.Kind, options func(cluster.Offerer) (any, error)) (cluster.Asker, io.Closer, error) {
	return open(ctx, f, kind, func(offer cluster.Offerer) ([]byte, error) {
		o, err := options(offer)
		if err != nil {
			return nil, err
		}
		return json.Marshal(o)
	})
}

// open begins a run; tests replace it.
var open = func(ctx context.Context, f *Flags, kind cluster.Kind, options func(cluster.Offerer) ([]byte, error)) (cluster.Asker, io.Closer, error) {
	say := func(text string) { fmt.Fprintf(f.t.Err, "goalproof: %s\n", text) }
	c, err := f.connect(ctx, say)
	if err != nil {
		return nil, nil, err
	}
	r, err := f.begin(ctx, c, kind, options, say)
	if err != nil {
		c.Close()
		return nil, nil, err
	}
	interrupted := func() bool { return ctx.Err() != nil && !r.Complete() }
	return r, &connected{r, c, say, interrupted, f.store, f.Keeps}, nil
}

// Reach returns an error if the server does not answer, if the key may not ask, or if --run names a
// file: so a command that searches before it asks the cluster says it at once.
func (f *Flags) Reach(ctx context.Context) error {
	if info, err := os.Stat(f.Dir); err == nil && !info.IsDir() {
		return cli.Exit(cli.BadInput, fmt.Errorf("--run %s: not a directory", f.Dir))
	}
	return reach(ctx, f)
}

// reach connects and closes the connection; tests replace it.
var reach = func(ctx context.Context, f *Flags) error {
	c, err := f.connect(ctx, nil)
	if err != nil {
		return err
	}
	c.Close()
	return nil
}

// connect connects to the server with a key that may ask.
func (f *Flags) connect(ctx context.Context, say func(string)) (*cluster.Conn, error) {
	c, err := cluster.Connect(ctx, f.URL, f.Key, say)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, &files.Interrupted{Name: "the server"}
	case err != nil:
		return nil, cli.Exit(cli.BadInput, err)
	case c.Key.Name != cluster.Coordinator:
		c.Close()
		return nil, cli.Exit(cli.BadInput, fmt.Errorf("--key: the key of worker %s may not ask questions; give that of the coordinator, the file coordinator.key in the directory of goalproof serve", c.Key.Name))
	}
	return c, nil
}

// begin begins a run over a connection.
func (f *Flags) begin(ctx context.Context, c *cluster.Conn, kind cluster.Kind, options func(cluster.Offerer) ([]byte, error), say func(string)) (*cluster.Run, error) {
	inputs := cluster.NewStore(c, os.TempDir()) // it has all that it offers
	about, err := options(inputs)
	if err != nil {
		return nil, err
	}
	dir, err := f.dir(kind.Name, about)
	if err != nil {
		return nil, err
	}
	need, err := kind.Memory(about)
	if err != nil {
		return nil, err
	}
	trust := cluster.Trusted
	if f.Untrusted {
		trust = cluster.Untrusted
	}
	r, err := cluster.Begin(ctx, c, cluster.RunOptions{
		Dir: dir, Command: f.t.Command, Kind: kind, Options: about, Asked: f.asked(), Version: signature.Version(), Signature: signature.Of(),
		Trust: trust, Total: f.Total, Memory: need, Inputs: inputs, Say: say,
	})
	switch {
	case errors.Is(err, cluster.ErrOtherRun), errors.Is(err, cluster.ErrVaries):
		return nil, cli.Exit(cli.BadInput, err)
	case errors.Is(err, files.ErrInUse):
		return nil, cli.Exit(cli.BadInput, fmt.Errorf("%w: perhaps the same command is at work; name another directory with --run", err))
	case err != nil:
		return nil, cli.Unwritten(err)
	}
	return r, nil
}

// aside are the flags on which neither the questions nor the answers depend: a run goes on without
// them, or with others.
var aside = []string{"cluster", "json", "key", "memory", "out", "quiet", "run", "save", "save-every", "store", "threads", "time", "untrusted"}

// asked returns the arguments of the command and its flags, but for those that are set aside.
func (f *Flags) asked() []byte {
	text := fmt.Appendf(nil, "%q", f.flags.Args())
	f.flags.Visit(func(given *pflag.Flag) {
		if !slices.Contains(aside, given.Name) {
			text = fmt.Appendf(text, "\n%s=%s", given.Name, given.Value)
		}
	})
	return text
}

// dir returns the directory of the answers. Without --run it is one in the data folder, which the
// same command in the same place finds again.
func (f *Flags) dir(kind string, about []byte) (string, error) {
	if f.Dir != "" {
		return f.Dir, nil
	}
	data, err := cluster.DefaultDir()
	if err != nil {
		return "", fmt.Errorf("there is no data folder, so name a directory with --run: %w", err)
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s\n%s", here, kind, signature.Of(), about, f.asked()))
	return filepath.Join(filepath.Dir(data), "runs", hex.EncodeToString(sum[:8])), nil
}

// connected is a run with its connection.
type connected struct {
	run         *cluster.Run
	c           *cluster.Conn
	say         func(string)
	interrupted func() bool
	store       string
	keeps       string
}

// Close ends the run.
func (c *connected) Close() error {
	defer c.c.Close()
	if c.interrupted() {
		c.say("the answers so far are kept: the same command continues")
	}
	err := c.run.Close()
	if errors.Is(err, cluster.ErrFalse) && c.store != "" {
		err = fmt.Errorf("%w; facts of that worker may be in %s, too: take another --store", err, c.store)
	}
	if errors.Is(err, cluster.ErrFalse) && c.keeps != "" {
		err = fmt.Errorf("%w; what that worker answered may be in %s, too: take another --out", err, c.keeps)
	}
	if err != nil {
		return cli.Exit(cli.Internal, err)
	}
	return nil
}
