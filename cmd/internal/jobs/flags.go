package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/pflag"

	"goalproof/cluster"
	"goalproof/cmd/internal/help"
	"goalproof/cmd/internal/search"
)

// Flags are the flags that have a cluster of machines answer.
type Flags struct {
	URL       string // --cluster
	Key       string // the file of the coordinator's key
	Dir       string // --run
	Untrusted bool
	flags     *pflag.FlagSet
}

// Register adds the flags.
func (f *Flags) Register(flags *pflag.FlagSet) {
	f.flags = flags
	flags.StringVar(&f.URL, "cluster", "", "have the machines of the cluster at this `address` answer (see goalproof help cluster)")
	flags.StringVar(&f.Key, "key", "", "`file` with your key of the cluster")
	flags.StringVar(&f.Dir, "run", "", "`directory` for the answers of this run; with an earlier one it continues")
	flags.BoolVar(&f.Untrusted, "untrusted", false, "trust no machine of the cluster: answers without a proof need a second machine that says the same")
	help.Group(flags, help.Cluster, "cluster", "key", "run", "untrusted")
}

// Given reports whether a cluster answers.
func (f *Flags) Given() bool { return f.URL != "" }

// Check returns an error if the flags exclude each other, or what the cluster is asked.
func (f *Flags) Check(s *search.Flags) error {
	if !f.Given() {
		for _, name := range []string{"key", "run", "untrusted"} {
			if f.flags.Changed(name) {
				return errors.New("--" + name + " needs --cluster")
			}
		}
		return nil
	}
	switch {
	case f.flags.Lookup("time") != nil && f.flags.Changed("time"):
		return errors.New("--cluster and --time exclude each other: what is found in a time depends on the machine; limit the search with --nodes alone")
	case !s.InNodes():
		return errors.New("--cluster needs --nodes: what is found in a time depends on the machine; give a limit in nodes, for example --nodes 500000")
	case f.Untrusted && s.Store != "":
		return errors.New("--untrusted and --store exclude each other: nobody proves the facts that other machines would add to the store")
	}
	return nil
}

// Open begins a run, or continues it: whoever asks is to be closed at the end. Options are those of
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
var open = func(context.Context, *Flags, cluster.Kind, func(cluster.Offerer) ([]byte, error)) (cluster.Asker, io.Closer, error) {
	return nil, nil, errors.New("--cluster: this program has no coordinator")
}
