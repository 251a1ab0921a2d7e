package reviews

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/spf13/pflag"

	"goalproof/cmd/internal/certificates"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/help"
	"goalproof/internal/printable"
	"goalproof/proof"
	"goalproof/review"
)

// Outputs are the flags that say what is written of reviews, and where to.
type Outputs struct {
	Certificates string // directory to write them to
	annotated    string // file to write
	html         string // file to write
	open         bool   // the file, when it is written
	pagesIn      string // directory to write them to
	summary      bool
	text         bool
	csv          bool
	json         bool
	totals       bool // nothing else, where no form is asked for

	t         cli.Terminal
	winIn     int
	out       output
	pages     *pages // nil: none are written
	wins, cut int
	proofs    atomic.Int64
}

// Register adds the flags. Without one of them whole reviews are written, or totals alone.
func (o *Outputs) Register(flags *pflag.FlagSet, totals bool) {
	flags.StringVar(&o.Certificates, "certificates", "", "write the proofs of wins to this `directory`")
	flags.StringVar(&o.annotated, "annotated", "", "write the game with comments and variations to this `file`")
	flags.StringVar(&o.html, "html", "", "write the review as a web page with board and graph to this `file`")
	flags.StringVar(&o.pagesIn, "pages", "", "write a web page for each game, and an index, to this `directory`")
	flags.BoolVar(&o.open, "open", false, "open the web page in a browser; without --html it is a temporary file")
	flags.BoolVar(&o.summary, "summary", false, "write one line per game, and totals")
	flags.BoolVar(&o.csv, "csv", false, "write the summary as a comma-separated table")
	flags.BoolVar(&o.json, "json", false, "write a line of JSON for each game (see goalproof help json)")
	help.Group(flags, help.Output, "certificates", "annotated", "html", "open", "pages", "summary", "csv", "json")
	if o.totals = totals; totals {
		flags.BoolVar(&o.text, "text", false, "write whole reviews in place of totals alone")
		help.Group(flags, help.Output, "text")
	}
}

// Check returns an error if the flags exclude each other.
func (o *Outputs) Check(q *Questions) error {
	o.winIn = q.WinIn
	forms := 0
	for _, asked := range []bool{o.summary, o.text, o.csv, o.json} {
		if asked {
			forms++
		}
	}
	o.totals = o.totals && forms == 0
	switch {
	case forms > 1 && o.text:
		return errors.New("--text, --summary, --csv and --json exclude each other")
	case forms > 1:
		return errors.New("--summary, --csv and --json exclude each other")
	case o.Certificates != "" && q.Search.Algorithm != "dfpns":
		return errors.New("--certificates needs --algorithm dfpns")
	}
	return nil
}

// Begin makes directories, and checks that files can be written, before the reviews of some games
// from the files that the arguments name. Whole reports whether there are no more games.
func (o *Outputs) Begin(t cli.Terminal, args []string, games int, whole bool) (err error) {
	o.t = t
	if (o.annotated != "" || o.html != "" || o.open) && (games > 1 || !whole) {
		return errors.New("--annotated, --html and --open take one game, and there are more")
	}
	if o.Certificates != "" {
		if err := os.MkdirAll(o.Certificates, 0o777); err != nil {
			return cli.Unwritten(err)
		}
	}
	if o.open && o.html == "" {
		directory, err := os.MkdirTemp("", "goalproof-review-")
		if err != nil {
			return cli.Unwritten(err)
		}
		o.html = filepath.Join(directory, "review.html")
	}
	if err := cli.Writable("annotated", o.annotated, args...); err != nil {
		return err
	}
	if err := cli.Writable("html", o.html, append(slices.Clone(args), o.annotated)...); err != nil {
		return err
	}
	o.out = newOutput(o, t)
	o.pages, err = newPages(o.pagesIn, args)
	return err
}

// Takes reports whether a review can be written: a part of a game is not to be counted as one.
func (o *Outputs) Takes(r *review.Review) bool {
	return !r.Interrupted || !o.summary && !o.csv && !o.totals
}

// Add writes a review.
func (o *Outputs) Add(r *review.Review) error {
	o.wins += r.Wins()
	o.cut += r.Cut()
	o.out.add(r)
	return o.files(r)
}

// Finish writes what comes behind all reviews.
func (o *Outputs) Finish() error {
	if o.pages != nil {
		if err := o.pages.finish(); err != nil {
			return err
		}
	}
	o.out.finish()
	if o.cut > 0 && (o.summary || o.csv || o.totals) {
		fmt.Fprintf(o.t.Err, "goalproof: the time was up before the nodes were spent at %s\n", printable.Amount(o.cut, "position"))
	}
	return nil
}

// files writes what goes into files of its own.
func (o *Outputs) files(r *review.Review) error {
	if o.annotated == "" && o.html == "" && o.pages == nil {
		return nil
	}
	if err := o.t.Durable(); err != nil {
		return err
	}
	if o.pages != nil {
		if err := o.pages.add(r); err != nil {
			return err
		}
	}
	if o.annotated != "" {
		if err := cli.WriteText(o.annotated, r.Annotated()); err != nil {
			return err
		}
	}
	if o.html == "" {
		return nil
	}
	page, err := r.HTML()
	if err != nil {
		return err
	}
	if err := cli.WriteText(o.html, page); err != nil || !o.open {
		return err
	}
	return cli.Open(o.html)
}

// Certifier returns what writes the certificates of a game, nil if none are asked for.
func (o *Outputs) Certifier(r *review.Record) func(i int, c *proof.Certificate) error {
	if o.Certificates == "" {
		return nil
	}
	return func(i int, c *proof.Certificate) error {
		if err := o.t.Durable(); err != nil {
			return err
		}
		err := cli.Unwritten(certificates.Write(filepath.Join(o.Certificates, fmt.Sprintf("%s-%s.proof", FileName(r), r.Game.Label(i))), c))
		if err == nil {
			o.proofs.Add(1)
		}
		return err
	}
}

// ReportProofs says how many wins have certificates, if these are asked for.
func (o *Outputs) ReportProofs() {
	if o.Certificates != "" {
		fmt.Fprintf(o.t.Err, "goalproof: %s has the proofs of %d of %s\n", o.Certificates, o.proofs.Load(), printable.Amount(o.wins, "win"))
	}
}

// FileName is the name of a game as the files of its certificates begin with it.
func FileName(r *review.Record) string { return certificates.FileName(filepath.Base(r.Name)) }
