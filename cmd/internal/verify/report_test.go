package verify

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/cmd/internal/cli"
	"goalproof/cmd/internal/inputs"
	"goalproof/internal/testkit/require"
	"goalproof/proof"
	"goalproof/puzzles"
)

// TestVerifyCode checks the exit code of single puzzles.
func TestVerifyCode(t *testing.T) {
	f := &flags{check: true, inputs: inputs.Flags{Reading: inputs.Reading{Strict: true}}}
	bad := errors.New("bad")
	good, wrong := puzzles.Puzzle{Claim: 2}, puzzles.Puzzle{Claim: 3}
	for name, c := range map[string]struct {
		r    puzzles.Result
		want cli.Code
	}{
		"true":           {puzzles.Result{Puzzle: good, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Certificate: puzzles.Accepted}, cli.Holds},
		"false":          {puzzles.Result{Puzzle: wrong, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Certificate: puzzles.Accepted}, cli.Fails},
		"no win":         {puzzles.Result{Puzzle: good, Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 2}}, cli.Fails},
		"no claim":       {puzzles.Result{Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 2}}, cli.Holds},
		"unknown":        {puzzles.Result{Puzzle: good, Verdict: answer.Unknown, Stop: answer.Time}, cli.Unknown},
		"not listed":     {puzzles.Result{Puzzle: good, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Stop: answer.Time, Certificate: puzzles.Accepted}, cli.Unknown},
		"no time to":     {puzzles.Result{Puzzle: good, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Stop: answer.Interrupted}, cli.Unknown},
		"not described":  {puzzles.Result{Puzzle: good, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Open: []puzzles.Gap{{What: "themes", Why: "time is up"}}, Certificate: puzzles.Accepted}, cli.Unknown},
		"broken":         {puzzles.Result{Puzzle: puzzles.Puzzle{Err: bad}, Err: bad}, cli.BadInput},
		"failed":         {puzzles.Result{Puzzle: good, Err: bad}, cli.Internal},
		"rejected":       {puzzles.Result{Puzzle: good, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Certificate: puzzles.Rejected}, cli.Internal},
		"large board":    {puzzles.Result{Puzzle: good, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Err: proof.ErrTooManyReplies}, cli.Unknown},
		"no certificate": {puzzles.Result{Puzzle: good, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Err: bad}, cli.Internal},
	} {
		if got := f.code(&c.r); got != c.want {
			t.Errorf("%s: exit code %d, want %d", name, got, c.want)
		}
	}
}

// TestOpen checks that the row, the summary and JSON say what is not known, and why.
func TestOpen(t *testing.T) {
	late := puzzles.Gap{What: "list of solutions", Why: "time is up"}
	p := &puzzles.Result{Puzzle: puzzles.Puzzle{File: "a", Name: "a"}, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2, Refuted: 1}, Stop: answer.Time, Open: []puzzles.Gap{late}}
	full := *p
	full.Open = []puzzles.Gap{late, {What: "certificate", Why: "memory is full"}}
	known := *p
	known.Open = nil
	for _, json := range []bool{false, true} {
		var out bytes.Buffer
		r := newOutput(&flags{json: json}, &inputs.Peeked[puzzles.Puzzle]{}, cli.Terminal{Out: &out})
		for _, p := range []*puzzles.Result{p, &full, &known} {
			r.add(p)
		}
		require.NoError(t, r.finish(false))
		want := []string{"  open: list of solutions (time is up)\n", "  open: list of solutions (time is up), open: certificate (memory is full)\n", "; 2 open, 0 errors; ",
			"\nOpen: certificate of 1 puzzle (memory is full); list of solutions of 2 puzzles (time is up)\n"}
		if json {
			want = []string{`"open":[{"what":"list of solutions","why":"time is up"}],`, `{"what":"certificate","why":"memory is full"}],`, `"open":null,`}
		}
		for _, w := range want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("JSON %v: the output lacks %q:\n%s", json, w, out.String())
			}
		}
	}
}

// TestSources checks that the words from which a claim and a solution were taken are shown in each
// form of the report, and nothing where they stand in fields of their own.
func TestSources(t *testing.T) {
	p := puzzles.Result{Puzzle: puzzles.Puzzle{Name: "a", Claim: 3, Solution: "Ra6n"}, Verdict: answer.Disproved, Bounds: answer.Bounds{Refuted: 3}}
	prose := p
	prose.Puzzle.ClaimFrom, prose.Puzzle.SolutionFrom = "Gold to play and win in 3", "Solution: Ra6n"
	for _, c := range []struct {
		r                *puzzles.Result
		text, page, json []string
	}{
		{&p, nil, nil, []string{`"solution":"Ra6n","solution_from":null,"claim":3,"claim_from":null,`}},
		{&prose, []string{"\n    claim 3, from: Gold to play and win in 3\n    solution Ra6n, from: Solution: Ra6n\n"},
			[]string{"<h3>Taken from the text</h3>", "claim 3, from: Gold to play and win in 3", "solution Ra6n, from: Solution: Ra6n"},
			[]string{`"solution":"Ra6n","solution_from":"Solution: Ra6n","claim":3,"claim_from":"Gold to play and win in 3",`}},
	} {
		write := func(f *flags) (string, string) {
			var out, page bytes.Buffer
			r := newOutput(f, &inputs.Peeked[puzzles.Puzzle]{}, cli.Terminal{Out: &out})
			r.page = puzzles.NewReport("A set")
			r.add(c.r)
			require.NoError(t, r.page.Write(&page, "", puzzles.Origin{}))
			return out.String(), page.String()
		}
		text, page := write(&flags{})
		json, _ := write(&flags{json: true})
		for _, got := range []struct {
			text string
			want []string
		}{{text, c.text}, {page, c.page}, {json, c.json}} {
			for _, want := range got.want {
				if !strings.Contains(got.text, want) {
					t.Errorf("%q is missing:\n%s", want, got.text)
				}
			}
		}
		if c.text == nil && strings.Contains(text+page, "from") {
			t.Errorf("sources of fields:\n%s%s", text, page)
		}
	}
}

// TestRemarks checks that problems are in colour on a terminal, and nowhere else.
func TestRemarks(t *testing.T) {
	p := &puzzles.Result{Puzzle: puzzles.Puzzle{Claim: 2}, Verdict: answer.Proved, Bounds: answer.Bounds{Within: 1}, Listed: true, Certificate: puzzles.Rejected,
		Solutions: []puzzles.Solution{{Turn: "a", Essential: true}, {Turn: "b", Essential: true}}}
	for _, styled := range []bool{false, true} {
		r := output{flags: &flags{}, t: cli.Terminal{Styled: styled}}
		got := r.remarks(p)
		plain := got == "false claim: the least is 1, certificate rejected: this is a bug, second solutions"
		if plain == styled || strings.Contains(got, "\x1b[31mfalse claim") != styled {
			t.Errorf("on a terminal %v: %q", styled, got)
		}
	}
}

// TestWords checks that a line that time has cut says no win at once, and that a defence is called
// the longest where it is certain to be.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		r                puzzles.Result
		wanted, unwanted string
	}{
		{puzzles.Result{Bounds: answer.Bounds{Within: 1}, Line: []string{"Ra7n"}}, "wins at once: Ra7n", "longest"},
		{puzzles.Result{Bounds: answer.Bounds{Within: 2, Refuted: 1}, Line: []string{"Ra7n"}}, "false claim", "wins at once"},
		{puzzles.Result{Bounds: answer.Bounds{Within: 4, Refuted: 3}, Line: []string{"Ra7n", "ra2s"}}, "longest defence: Ra7n", "known"},
		{puzzles.Result{Bounds: answer.Bounds{Within: 5, Refuted: 4}, Line: []string{"Ra7n", "ra2s"}}, "longest defence known: Ra7n", "wins at once"},
	} {
		c.r.Verdict, c.r.Puzzle.Claim = answer.Proved, 6
		var out bytes.Buffer
		newOutput(&flags{}, &inputs.Peeked[puzzles.Puzzle]{}, cli.Terminal{Out: &out}).add(&c.r)
		if got := out.String(); !strings.Contains(got, c.wanted) || strings.Contains(got, c.unwanted) {
			t.Errorf("want %q and not %q:\n%s", c.wanted, c.unwanted, got)
		}
	}
}
