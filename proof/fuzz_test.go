package proof_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/enumeration"
	"goalproof/proof"
	"goalproof/proof/referee"
)

// FuzzRead gives Read any text. What it reads is written and read again as the same, and its check
// comes to an end.
func FuzzRead(f *testing.F) {
	const head = "goalproof certificate 1\nclaim 2\n"
	root := position(f, "g", suicide)
	f.Add("")
	f.Add(head)
	f.Add(head + "2 " + root + " Rg2e\n")
	f.Add(head + "# comment\n\n2 " + root + " Rg2e\n+ Rb7n\n")
	f.Add(head + "2 " + root + " Rg2e\n1 " + root + " Rb7n\n")
	f.Add("goalproof certificate 1\nclaim 1\n1 " + position(f, "g", "5:..r..... 4:..E..... 2:......R.") + " rc5n rc6x Ec4n\n")
	f.Add("goalproof certificate 2\nclaim 1\ngame " + position(f, "g", forcedReturn) + "\nturn " + there + "\nturn ca1n\n1 " + position(f, "g", forcedReturn) + " " + there + "\n")
	f.Add("goalproof certificate 2\nclaim 2\ngame s" + root[1:] + "\nturn rc7w\n2 " + root + " Rg2e\n")
	cat := position(f, "g", "8:r......r 6:e....... 4:...E.... 3:...c.... 2:R.......")
	f.Add("goalproof certificate 4\nclaim 1\ngoal capture=c@c3\n1 " + cat + " cd3w cc3x Ed4s\n")
	f.Add("goalproof certificate 4\nclaim 2\ngoal rabbit=3\n2 " + cat + " Ra2n\n1 " + cat + " Ra2n\n+ Ed4n\n")
	const noWin = "goalproof refutation 1\nclaim no win in 2\n"
	root = position(f, "g", "5:r....... 2:......R.")
	f.Add(noWin)
	f.Add(noWin + root + "\n")
	f.Add(noWin + root + "\n- ra5s\n+ Rg2n\n+ Rg2w\n-\n# comment\n\n+ Rg2e\n")
	f.Add("goalproof refutation 1\nclaim no win in 1\n" + root + "\n")
	f.Add(text(f, refutation(f, boards.Parse(f, position(f, "g", "7:.......r 6:..xdex.. 2:..R.....")), 2)))
	f.Add(text(f, refutation(f, boards.Parse(f, position(f, "s", "7:.rC..... 3:..xE.x.. 2:.......R")), 2)))
	f.Fuzz(func(t *testing.T, given string) {
		c, r, err := proof.Read(strings.NewReader(given), "fuzz")
		if err != nil {
			if c != nil || r != nil || !strings.HasPrefix(err.Error(), "fuzz:") {
				t.Fatalf("%v, %v, with the error %v", c, r, err)
			}
			return
		}
		var p interface {
			Write(io.Writer) error
			Check(context.Context, func(done, total int)) error
		} = c
		if r != nil {
			p = r
		}
		first := text(t, p)
		c2, r2, err := proof.Read(strings.NewReader(first), "again")
		if err != nil {
			t.Fatalf("written, but not read: %v\n%s", err, first)
		}
		lines := cmpopts.IgnoreUnexported(proof.Game{}, proof.Entry{}, proof.Refutation{}, proof.Refuted{})
		if diff := cmp.Diff(c, c2, lines) + cmp.Diff(r, r2, lines); diff != "" {
			t.Fatalf("written as another one: %s", diff)
		}
		why := ""
		switch {
		case !checked(t, p.Check):
		case r != nil:
			why = validRefutation(r)
		case c.Goal == "":
			why = valid(c)
		default:
			st, _ := referee.ParsePosition(c.Entries[0].Position)
			if c.Turns == 1 && referee.Distinct(st) < 1_000 && !enumeration.PlainAim(c.Goal).Reach(st, 1) {
				why = "it is not true"
			}
		}
		if why != "" {
			t.Fatalf("accepted, but: %s\n%s", why, given)
		}
	})
}

// checked reports whether a check accepts. It must end soon after its context.
func checked(t *testing.T, check func(ctx context.Context, progress func(done, total int)) error) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := check(ctx, nil)
	var hole *proof.Hole
	if err != nil && !errors.As(err, &hole) && err != context.DeadlineExceeded {
		t.Fatalf("%v is no hole", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Fatalf("the check took %v", took)
	}
	return err == nil
}
