package cli

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestPrinted writes what is harmful in a name: to standard output, in parts and at its end, and to
// standard error. What moves the cursor and what colours a board stays.
func TestPrinted(t *testing.T) {
	var out, errors strings.Builder
	name := "a\x1b]0;title\a\xffb\u202ec"
	const safe = `a\u001b]0;title\u0007\xffb\u202ec`
	program := func(t Terminal) *cobra.Command {
		return &cobra.Command{RunE: func(*cobra.Command, []string) error {
			small := bufio.NewWriterSize(t.Out, 16)
			fmt.Fprint(small, strings.Repeat("x", 15)+"żółć ", name)
			small.Flush()
			fmt.Fprint(t.Out, "\x1b[31mred\x1b[0m ż"[:14])
			fmt.Fprintf(Raw(t.Err), "\r\x1b[K%s", "bar")
			return fmt.Errorf("%s: it is none", name)
		}}
	}
	code := Run(t.Context(), nil, Terminal{In: os.Stdin, Out: &out, Err: &errors}, program)
	if want := strings.Repeat("x", 15) + "żółć " + safe + `\u001b[31mred\u001b[0m \xc5`; code != BadInput || out.String() != want {
		t.Errorf("exit code %d\n%q\nwant\n%q", code, &out, want)
	}
	if want := "\r\x1b[Kbargoalproof: " + safe + ": it is none\n"; !strings.HasPrefix(errors.String(), want) {
		t.Errorf("%q\nwant\n%q", &errors, want)
	}
	for text, want := range map[string]string{
		"\x1b[93;1mR\x1b[0;22m \x1b[31mfalse claim\x1b[0m": "\x1b[93;1mR\x1b[0;22m \x1b[31mfalse claim\x1b[0m",
		"\x1b[8mhidden\x1b[1A\x1b[m":                       `\u001b[8mhidden\u001b[1A\u001b[m`,
		"\x1b[31m" + name:                                  "\x1b[31m" + safe,
	} {
		if got := printed(text, true); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
}
