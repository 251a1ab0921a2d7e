package solve

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/pflag"

	"goalproof/goal"
)

// rule says what a flag needs, and which flags it excludes.
type rule struct {
	flag     string
	needs    string // another flag
	dfpns    bool   // it needs that algorithm
	wins     bool   // it is about wins alone, not about other goals
	excludes []string
}

var rules = []rule{
	{flag: "json", excludes: []string{"quiet"}},
	{flag: "annotated", needs: "variations"},
	{flag: "html", needs: "variations"},
	{flag: "all", dfpns: true},
	{flag: "check", dfpns: true},
	{flag: "certificate", dfpns: true},
	{flag: "try", wins: true, excludes: []string{"all", "check", "certificate", "save", "resume"}},
	{flag: "tries", dfpns: true, wins: true, excludes: []string{"try", "quiet"}},
	{flag: "variations", dfpns: true, wins: true, excludes: []string{"try"}},
	{flag: "describe", dfpns: true, wins: true, excludes: []string{"try", "quiet"}},
	{flag: "store", wins: true},
	{flag: "endgames", wins: true},
	{flag: "save", wins: true},
	{flag: "resume", wins: true},
}

// check returns an error if the flag is given without what it needs, or with what it excludes.
func (r *rule) check(f *flags, given func(flag string) bool) error {
	switch {
	case !given(r.flag):
		return nil
	case r.needs != "" && !given(r.needs):
		return fmt.Errorf("--%s needs --%s", r.flag, r.needs)
	case r.dfpns && f.search.Algorithm == "pns":
		return fmt.Errorf("--%s needs --algorithm dfpns", r.flag)
	case r.wins && !f.aim.Win():
		return fmt.Errorf("--goal %s: --%s is about wins alone", f.aim, r.flag)
	}
	for _, other := range r.excludes {
		if given(other) {
			return fmt.Errorf("--%s and --%s exclude each other", r.flag, other)
		}
	}
	return nil
}

// validate checks the flags and reads --goal.
func (f *flags) validate(flags *pflag.FlagSet, args []string) (err error) {
	given := func(name string) bool {
		flag := flags.Lookup(name)
		return flag.Changed && (flag.Value.String() != flag.DefValue || name == "endgames") // whose value may be empty: the usual folder
	}
	if err := cmp.Or(f.checkValues(flags.Changed), f.strayNumber(args)); err != nil {
		return err
	}
	if f.aim, err = goal.ParseAim(f.goal); err != nil {
		return fmt.Errorf("--goal: %w", err)
	}
	for i := range rules {
		if err := rules[i].check(f, given); err != nil {
			return err
		}
	}
	return cmp.Or(f.search.CheckLimits(), f.pns.Check(f.search.Algorithm, f.jobs.Given()), f.jobs.CheckAlone(), f.checkCluster(flags.Changed))
}

// checkValues returns an error if the value of a flag makes no sense.
func (f *flags) checkValues(changed func(string) bool) error {
	switch {
	case changed("win-in") && f.winIn < 1:
		return fmt.Errorf("--win-in %d: the number of turns is 1 or more", f.winIn)
	case changed("variations") && f.variations < 1:
		return fmt.Errorf("--variations=%d: the number of answers is 1 or more", f.variations)
	case changed("try") && f.try == "":
		return errors.New("--try is empty: name a turn, for example 'Ed6n Ed7w'")
	}
	return nil
}

// strayNumber returns an error if an input is a number that was meant for --variations, whose value
// needs an equals sign.
func (f *flags) strayNumber(args []string) error {
	if f.variations == 0 {
		return nil
	}
	for _, arg := range args {
		if _, err := strconv.Atoi(arg); err != nil {
			continue
		}
		if _, err := os.Stat(arg); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no file %s; the number of variations follows an equals sign: --variations=%s", arg, arg)
		}
	}
	return nil
}
