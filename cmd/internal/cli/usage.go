package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goalproof/arimaa/notation"
)

// Explain returns the text of an error for a person: [notation.Explain], without the names of calls
// to the system.
func Explain(err error) string { return withoutCall(notation.Explain(err), err) }

// Plain returns the text of an error without the names of calls to the system, for JSON and tables.
func Plain(err error) string { return withoutCall(err.Error(), err) }

// withoutCall removes the name of the failed system call from the text of an error: the file and
// the reason say enough.
func withoutCall(text string, err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok && slices.Contains([]string{"open", "stat", "lstat", "mkdir"}, e.Op) {
		text = strings.ReplaceAll(text, e.Error(), e.Path+": "+e.Err.Error())
		text = strings.ReplaceAll(text, e.Path+": "+e.Path+": ", e.Path+": ")
	}
	return text
}

// explainUsage returns the text of an error of the command line: what is wrong, and what to write
// instead.
func explainUsage(cmd *cobra.Command, args []string, err error) string {
	switch err := err.(type) {
	case *pflag.NotExistError:
		return unknownFlag(cmd, args, err)
	case *pflag.ValueRequiredError:
		f := err.GetFlag()
		return fmt.Sprintf("--%s needs a value, such as %s\n%s", f.Name, sample(cmd, f), usage(f))
	case *pflag.InvalidValueError:
		return invalidValue(cmd, err)
	case *pflag.InvalidSyntaxError:
		return fmt.Sprintf("%s is no flag; write --NAME or --NAME=VALUE", notation.Legible(err.GetSpecifiedFlag()))
	}
	text := Explain(err)
	if parameter, ok := errors.AsType[*pflag.InvalidValueError](err); ok { // of a grid of experiment
		text = strings.Replace(text, parameter.Error(), fmt.Sprintf("%q is %s", parameter.GetValue(), wrong(parameter)), 1)
	}
	return text
}

// unknownFlag says which flags may be meant.
func unknownFlag(cmd *cobra.Command, args []string, err *pflag.NotExistError) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	name, written := err.GetSpecifiedName(), "--"+err.GetSpecifiedName()
	if short := err.GetSpecifiedShortnames(); short != "" {
		name, _, _ = strings.Cut(short, "=")
		written = "-" + name
	}
	text := "there is no flag " + notation.Legible(written)
	meant := Near(name, names)
	if first, _, several := strings.Cut(name, "-"); len(meant) == 0 && several {
		for _, n := range names {
			if strings.HasPrefix(n, first+"-") {
				meant = append(meant, n)
			}
		}
	}
	if len(meant) > 0 {
		return text + DidYouMean("--"+strings.Join(meant, ", --"))
	}
	if solve := subcommand(cmd, "solve"); solve != nil && solve.Flags().Lookup(name) != nil {
		return text + "; a command comes first" + DidYouMean(solve.CommandPath()+" "+shellWords(args))
	}
	return text
}

// subcommand returns a subcommand, or nil.
func subcommand(cmd *cobra.Command, name string) *cobra.Command {
	all := cmd.Commands()
	if i := slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// value describes the values of a type of flag: in words, and by a valid sample.
type value struct{ what, sample string }

// values holds the types whose values can be wrong.
var values = map[string]value{
	"bool":        {"true or false", "true"},
	"duration":    {"a time", "10s"},
	"float64":     {"a number", "0.5"},
	"int":         {"a whole number", "1"},
	"intSlice":    {"a list of whole numbers", "1,2"},
	"side":        {"gold or silver", "gold"},
	"stringSlice": {"a list of words", "quiet"},
	"uint16":      {"a whole number of 0 or more", "1"},
	"uint64":      {"a whole number of 0 or more", "1"},
}

// invalidValue says what the value of a flag is to be.
func invalidValue(cmd *cobra.Command, err *pflag.InvalidValueError) string {
	f, given := err.GetFlag(), err.GetValue()
	advice := "; write for example " + sample(cmd, f)
	switch wrong(err) {
	case noUnit:
		advice = fmt.Sprintf("; write %[1]ss or %[1]sm", given)
	case errors.Unwrap(err).Error(): // which says all
		advice = ""
	}
	return fmt.Sprintf("--%s %q: %s%s\n%s", f.Name, given, wrong(err), advice, usage(f))
}

// wrong says what is wrong with the value of a flag.
func wrong(err *pflag.InvalidValueError) string {
	kind, given := err.GetFlag().Value.Type(), err.GetValue()
	v, known := values[kind]
	switch {
	case !known:
		return errors.Unwrap(err).Error()
	case kind == "int" && regexp.MustCompile(`^-?\d+$`).MatchString(given),
		strings.HasPrefix(kind, "uint") && regexp.MustCompile(`^\d+$`).MatchString(given):
		return "out of range"
	case kind == "duration" && isTime(given+"m"):
		return noUnit
	}
	return "not " + v.what
}

// noUnit is what is wrong with a plain number for a time.
const noUnit = "no unit"

// isTime reports whether a text is the value of a flag for a time.
func isTime(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

// sample returns a flag with a value: that of an example of the command, or else its default.
func sample(cmd *cobra.Command, f *pflag.Flag) string {
	text := values[f.Value.Type()].sample
	if found := regexp.MustCompile(`--` + f.Name + ` ('[^']*'|\S+)`).FindStringSubmatch(cmd.Example); found != nil {
		text = found[1]
	} else if f.Value.Type() != "duration" && strings.Trim(f.DefValue, "[]0") != "" {
		text = strings.Trim(f.DefValue, "[]")
	}
	switch {
	case f.NoOptDefVal != "":
		return "--" + f.Name + "=" + f.NoOptDefVal
	case text == "":
		name, _ := pflag.UnquoteUsage(f)
		text = strings.ToUpper(name)
	}
	return "--" + f.Name + " " + text
}

// usage returns the help text of a flag.
func usage(f *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(f)
	return fmt.Sprintf("--%s: %s", f.Name, text)
}
