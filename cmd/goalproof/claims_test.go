package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/cmd/internal/cli"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/proof"
	"goalproof/solve"
)

// stated is what a command has stated about a position, the side to move at the start of its turn: whether it wins within n
// turns, or loses within n turns of its opponent.
type stated struct {
	p        arimaa.Position
	what     statedKind
	n        int
	sentence string
}

type statedKind string

const (
	statesWin    statedKind = "wins"
	statesNoWin  statedKind = "does not win"
	statesLoss   statedKind = "loses"
	statesNoLoss statedKind = "does not lose"
)

// claims are what commands have stated about positions, each in a file NN.txt.
type claims struct {
	t      *testing.T
	solver *solve.Solver
	limit  answer.Limit // of the solver
	all    []arimaa.Position
	files  []string
	stated []stated
	known  map[solve.Question]solve.Answer // with all solutions
}

// write writes the positions to files.
func (c *claims) write(all []arimaa.Position) {
	dir := c.t.TempDir()
	c.all, c.files = all, nil
	for i, p := range all {
		name := filepath.Join(dir, fmt.Sprintf("%02d.txt", i))
		if err := os.WriteFile(name, []byte(p.String()+"\n"), 0o666); err != nil {
			c.t.Fatal(err)
		}
		c.files = append(c.files, name)
	}
}

// run runs a command on the files.
func (c *claims) run(args ...string) string {
	c.t.Helper()
	args = append(args, "--threads", "1", "--memory", "64MiB")
	code, out, errors := said(c.t, append(args, c.files...)...)
	if code > cli.Unknown {
		c.t.Fatalf("%v: exit code %d\n%s", args, code, errors)
	}
	return out
}

// state notes a statement.
func (c *claims) state(p arimaa.Position, what statedKind, n int, sentence string) {
	if n > 0 {
		c.stated = append(c.stated, stated{p, what, n, sentence})
	}
}

// after returns the position after a turn in notation.
func (c *claims) after(p arimaa.Position, turn string) arimaa.Position {
	c.t.Helper()
	s := arimaa.NewState(p)
	t, err := notation.PlaySteps(&s, turn)
	if err != nil {
		c.t.Fatalf("%v: the turn %q: %v", p, turn, err)
	}
	return p.AfterTurn(t)
}

// begins notes that a turn begins a win within n turns.
func (c *claims) begins(p arimaa.Position, turn string, n int, sentence string) {
	after := c.after(p, turn)
	if o := after.Board.Ended(p.Side()); !o.Over() && n > 1 {
		c.state(after, statesLoss, n-1, sentence)
	} else if !o.Over() || o.Winner != p.Side() {
		c.t.Errorf("%v: %q: %s does not win at once", p, sentence, turn)
	}
}

// lists checks a list of solutions: each begins a win, and the solver knows no other one, and the same ones as essential.
func (c *claims) lists(p arimaa.Position, n int, solutions map[string]bool) {
	q := solve.Question{Position: p, Deepest: n, All: true, NoLine: true}
	a, known := c.known[q]
	if !known {
		c.solver.Forget()
		ctx, cancel := c.limit.Start(c.t.Context())
		defer cancel()
		var err error
		if a, err = c.solver.Solve(ctx, q); err != nil {
			c.t.Fatal(err)
		}
		c.known[q] = a
	}
	if a.Listing != answer.Finished {
		return
	}
	essential := map[arimaa.Position]bool{}
	for turn, marked := range solutions {
		essential[c.after(p, turn)] = marked
	}
	for _, s := range a.Solutions {
		if marked, ok := essential[s.After]; !ok || marked != s.Essential {
			c.t.Errorf("%v: the list of solutions has %s: %v, essential: %v, not %v", p, p.Notation(s.Turn), ok, marked, s.Essential)
		}
	}
	if len(a.Solutions) != len(essential) {
		c.t.Errorf("%v: %d solutions are listed, not %d", p, len(essential), len(a.Solutions))
	}
}

// check asks the solver about all that was stated.
func (c *claims) check() {
	confirmed, agreed := 0, map[string]bool{}
	for _, s := range c.stated {
		key := fmt.Sprint(s.p, s.what, s.n)
		if agreed[key] {
			confirmed++
			continue
		}
		c.solver.Forget()
		ctx, cancel := c.limit.Start(c.t.Context())
		q := solve.Question{Position: s.p, Deepest: s.n, Any: true, NoLine: true}
		v, err := answer.Unknown, error(nil)
		if s.what == statesWin || s.what == statesNoWin {
			var a solve.Answer
			a, err = c.solver.Solve(ctx, q)
			v = a.Verdict
		} else {
			var a solve.Loss
			a, err = c.solver.Loss(ctx, q)
			v = a.Verdict
		}
		cancel()
		switch {
		case err != nil:
			c.t.Fatal(err)
		case v == answer.Unknown:
		case (v == answer.Proved) != (s.what == statesWin || s.what == statesLoss):
			c.t.Errorf("%v: %q states that it %s within %d; the solver says otherwise", s.p, s.sentence, s.what, s.n)
		default:
			confirmed++
			agreed[key] = true
		}
	}
	c.t.Logf("%d statements, %d confirmed, the others open", len(c.stated), confirmed)
	if len(c.stated) < 100 || confirmed < len(c.stated)*9/10 {
		c.t.Errorf("%d of %d statements are confirmed: the test says little", confirmed, len(c.stated))
	}
}

// lines calls line for each line of a text below the boards, with the number of the position that it is about.
func (c *claims) lines(out string, line func(i int, line string) bool) {
	name, board := regexp.MustCompile(`/(\d\d)\.txt$`), regexp.MustCompile(`^(?:\d+[gs]| \+-+\+|[1-8]\|.*|   a b c d e f g h|)$`)
	i := -1
	for text := range strings.SplitSeq(out, "\n") {
		if m := name.FindStringSubmatch(text); m != nil {
			if i++; number(m[1]) != i {
				c.t.Fatalf("%q, want %d", text, i)
			}
		} else if !board.MatchString(text) && !line(i, text) {
			c.t.Errorf("%q is no sentence that is known", text)
		}
	}
	if i != len(c.all)-1 {
		c.t.Errorf("%d positions in the text, want %d", i+1, len(c.all))
	}
}

// objects reads a line of JSON for each position.
func objects[T any](c *claims, out string) (all []T) {
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var o T
		if err := d.Decode(&o); err != nil {
			c.t.Fatal(err)
		}
		all = append(all, o)
	}
	if len(all) != len(c.all) {
		c.t.Fatalf("%d objects, want %d", len(all), len(c.all))
	}
	return all
}

func number(text string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	return n
}

const rule = ` \(the third repetition set aside\)`

// Sentences of solve, defend and verify.
var (
	provedIn = regexp.MustCompile(`^Proved: (gold|silver) wins in (at most )?(\d+) turns?\.(?: There is no win in (\d+)(?:` + rule + `)?\.)?(?: Whether it wins in .* is not known \(.*\)\.)?$`)
	noWinIn  = regexp.MustCompile(`^(?:Disproved: (?:gold|silver) has no win in|Unknown: [a-z ]+? while looking for a win in \d+ turns?\. There is none in) (\d+) turns?(` + rule + `)?\.$`)
	firstOf  = regexp.MustCompile(`^Winning turn: (.+)$`)
	endsBy   = regexp.MustCompile(`^Ends by (\w+)\.$`)
	plyOf    = regexp.MustCompile(`^ +\d+[gs]  (.+)$`)
	listOf   = regexp.MustCompile(`^First turns that win in (\d+): (?:unique|essentially unique, (\d+) solutions|(\d+) solutions, (\d+) essential)\.$`)
	openList = regexp.MustCompile(`^First turns that win in \d+: at least \d+ solutions?: [a-z ]+\.$`)
	itemOf   = regexp.MustCompile(`^  ([* ]) ([RCDHMErcdhme][a-h].*?)(  \(wins by \w+\))?$`)
	silent   = regexp.MustCompile(`^(?:Unknown: [a-z ]+ while looking for a win in 1 turn\.|With the longest defence:|\(The line breaks off: .*\)|[\d,]+ nodes?(?: in .*)?)$`)

	threatOf  = regexp.MustCompile(`^The threat: (?:gold|silver) wins in (?:at most )?(\d+) turns? by (.+)\.$`)
	noThreat  = regexp.MustCompile(`^If (?:gold|silver) could pass, (?:gold|silver) would have no win in (\d+) turns?(?:` + rule + `)?\.$`)
	lostIn    = regexp.MustCompile(`^Lost: whatever (?:gold|silver) plays, (?:gold|silver) wins in (at most )?(\d+) turns?\. \(([\d,]+) turns?\.\)$`)
	holding   = regexp.MustCompile(`^Proved: ([\d,]+) of ([\d,]+) turns? holds? against a win of (?:gold|silver) in (\d+) turns?(?:` + rule + `)?\. Essential: ([\d,]+)\.$`)
	undecided = regexp.MustCompile(`^Unknown: [a-z ]+?\. Of ([\d,]+) turns? against a win of (?:gold|silver) in (\d+) turns?(?:` + rule + `)?, ([\d,]+) holds?, ([\d,]+) loses?, ([\d,]+) (?:is|are) undecided\.$`)
	mute      = regexp.MustCompile(`^(?:  [\d,]+ more (?:is|are) not shown: --all lists every turn that holds\.|Whether (?:gold|silver) threatens to win in \d+ turns? is not known\.|[\d,]+ of them wins? at once\.|[\d,]+ nodes?(?: in .*)?)$`)
)

// solveText reads what solve writes for people.
func (c *claims) solveText(args ...string) {
	within, refuted, side := 0, 0, arimaa.Gold
	var line []string
	var listed map[string]bool
	of := 0
	finish := func() {
		if listed != nil {
			c.lists(c.all[of], within, listed)
		}
		listed = nil
	}
	c.lines(c.run(append(args, "--all")...), func(i int, text string) bool {
		p := c.all[i]
		if i != of {
			finish()
			of, line, within = i, nil, 0
		}
		if m := provedIn.FindStringSubmatch(text); m != nil {
			within, refuted, side = number(m[3]), number(m[4]), p.Side()
			if m[1] != side.String() {
				c.t.Errorf("%v: %q", p, text)
			}
			if m[2] == "" {
				refuted = within - 1
			}
			c.state(p, statesWin, within, text)
			c.state(p, statesNoWin, refuted, text)
		} else if m := noWinIn.FindStringSubmatch(text); m != nil {
			if n := number(m[1]); n > 1 == (m[2] == "") {
				c.t.Errorf("%v: %q", p, text)
			}
			c.state(p, statesNoWin, number(m[1]), text)
		} else if m := firstOf.FindStringSubmatch(text); m != nil {
			c.begins(p, m[1], within, text)
			line = []string{m[1]}
		} else if m := plyOf.FindStringSubmatch(text); m != nil {
			if m[1] != line[0] {
				line = append(line, m[1])
			}
		} else if endsBy.MatchString(text) {
			g := arimaa.NewGame(p, 2)
			for _, turn := range line {
				if err := notation.Play(g, turn); err != nil {
					c.t.Fatal(err)
				}
			}
			if o := g.Outcome(); !o.Over() || o.Winner != p.Side() || text != fmt.Sprintf("Ends by %v.", o.Reason) || len(line) > 2*within-1 {
				c.t.Errorf("%v: a win in %d: %v: %q: %+v", p, within, line, text, o)
			}
		} else if m := listOf.FindStringSubmatch(text); m != nil {
			listed = map[string]bool{}
		} else if m := itemOf.FindStringSubmatch(text); m != nil {
			if listed == nil {
				c.begins(p, m[2], within, text)
			} else {
				listed[m[2]] = m[1] == "*"
			}
		} else {
			return silent.MatchString(text) || openList.MatchString(text)
		}
		return true
	})
	finish()
}

// solveJSON reads what solve writes for programs.
func (c *claims) solveJSON(args ...string) {
	type object struct {
		Verdict       string
		Least, Within *int
		Refuted       int
		Line          []string
		Solutions     []struct {
			Turn      string
			Essential bool
		}
		Unique            *bool
		EssentiallyUnique *bool `json:"essentially_unique"`
	}
	for i, o := range objects[object](c, c.run(append(args, "--all", "--json")...)) {
		p := c.all[i]
		c.state(p, statesNoWin, o.Refuted, `"refuted"`)
		if o.Verdict != "proved" {
			continue
		}
		c.state(p, statesWin, *o.Within, `"within"`)
		c.begins(p, o.Line[0], *o.Within, `"line"`)
		if o.Least != nil {
			c.state(p, statesWin, *o.Least, `"least"`)
			c.state(p, statesNoWin, *o.Least-1, `"least"`)
		}
		if o.Unique == nil {
			continue
		}
		listed, essential := map[string]bool{}, 0
		for _, s := range o.Solutions {
			if listed[s.Turn] = s.Essential; s.Essential {
				essential++
			}
		}
		c.lists(p, *o.Least, listed)
		if *o.Unique != (len(listed) == 1) || *o.EssentiallyUnique != (essential == 1) {
			c.t.Errorf("%v: %d solutions, %d essential: %+v", p, len(listed), essential, o)
		}
	}
}

// defendAll reads what defend writes for people and for programs.
func (c *claims) defendAll(winIn int, limit ...string) {
	type object struct {
		Verdict       string
		WinIn         int `json:"win_in"`
		Within, Least *int
		Refuted       int
		Threat        struct {
			Within  *int
			Refuted int
			Turn    *string
		}
		Turns, Holding, Losing, Undecided int
		Essential, Winning                int
		Defences                          []struct {
			Turn      string
			Essential bool
			EndsBy    *string `json:"ends_by"`
		}
	}
	var turns arimaa.Generator
	random := rand.New(rand.NewPCG(38, 7))
	args := append([]string{"defend", "--win-in", strconv.Itoa(winIn)}, limit...)
	counts := map[int]int{}
	for i := range c.all {
		counts[i] = turns.Generate(&c.all[i])
	}
	c.lines(c.run(args...), func(i int, text string) bool {
		p := c.all[i]
		passed := arimaa.NewPosition(p.Board, p.Side().Other())
		n := counts[i]
		if m := threatOf.FindStringSubmatch(text); m != nil {
			c.state(passed, statesWin, number(m[1]), text)
			c.begins(passed, m[2], number(m[1]), text)
		} else if m := noThreat.FindStringSubmatch(text); m != nil {
			c.state(passed, statesNoWin, number(m[1]), text)
		} else if m := lostIn.FindStringSubmatch(text); m != nil {
			c.state(p, statesLoss, number(m[2]), text)
			if m[1] == "" {
				c.state(p, statesNoLoss, number(m[2])-1, text)
			}
			if number(m[3]) != n {
				c.t.Errorf("%v: %q: it has %d turns", p, text, n)
			}
		} else if m := holding.FindStringSubmatch(text); m != nil {
			c.state(p, statesNoLoss, number(m[3]), text)
			if number(m[2]) != n || number(m[3]) != winIn || number(m[4]) > number(m[1]) {
				c.t.Errorf("%v: %q: it has %d turns", p, text, n)
			}
		} else if m := undecided.FindStringSubmatch(text); m != nil {
			if number(m[1]) != n || number(m[3])+number(m[4])+number(m[5]) != n {
				c.t.Errorf("%v: %q: it has %d turns", p, text, n)
			}
		} else if m := itemOf.FindStringSubmatch(text); m == nil {
			return mute.MatchString(text)
		}
		return true
	})
	for i, o := range objects[object](c, c.run(append(args, "--all", "--json")...)) {
		p := c.all[i]
		passed := arimaa.NewPosition(p.Board, p.Side().Other())
		if o.Threat.Turn != nil {
			c.state(passed, statesWin, *o.Threat.Within, `"threat"`)
			c.begins(passed, *o.Threat.Turn, *o.Threat.Within, `"threat"`)
		}
		c.state(passed, statesNoWin, o.Threat.Refuted, `"threat"`)
		if o.Within != nil {
			c.state(p, statesLoss, *o.Within, `"within"`)
		}
		if o.Least != nil {
			c.state(p, statesNoLoss, *o.Least-1, `"least"`)
		}
		c.state(p, statesNoLoss, o.Refuted, `"refuted"`)
		if n := turns.Generate(&p); o.Turns != n || o.Holding+o.Losing+o.Undecided != n || o.Holding != len(o.Defences) {
			c.t.Errorf("%v: it has %d turns: %+v", p, n, o)
		}
		holds, winning, essential := map[arimaa.Position]bool{}, 0, 0
		for _, d := range o.Defences {
			holds[c.after(p, d.Turn)] = true
			if d.Essential {
				essential++
			}
			if d.EndsBy != nil {
				winning++
			}
		}
		if winning != o.Winning || essential != o.Essential {
			c.t.Errorf("%v: %d turns win at once, %d are essential: %+v", p, winning, essential, o)
		}
		// Some of the turns that hold, and if all are decided some of those that do not.
		for k := range 12 {
			turn := random.IntN(o.Turns)
			after := turns.Position(turn, p.Side())
			ended := after.Board.Ended(p.Side())
			sentence := p.Notation(turns.Turn(turn)) + ` of "defences"`
			switch {
			case ended.Over() && holds[after] != (ended.Winner == p.Side()):
				c.t.Errorf("%v: %s: %+v", p, sentence, ended)
			case ended.Over() || k > 5 && !holds[after]:
			case holds[after]:
				c.state(after, statesNoWin, winIn, sentence)
			case o.Undecided == 0:
				c.state(after, statesWin, winIn, sentence)
			}
		}
	}
}

// verifyAll reads what verify writes for programs, what it remarks for people, and its certificates; claim 0 is none.
func (c *claims) verifyAll(claim int, limit ...string) {
	type object struct {
		Verdict           string
		Claim             int
		Least, Within     *int
		Refuted           int
		ClaimTrue         *bool `json:"claim_true"`
		Unique            *bool
		EssentiallyUnique *bool `json:"essentially_unique"`
		Solutions         []struct {
			Turn      string
			Essential *bool
		}
	}
	proofs := filepath.Join(c.t.TempDir(), "proofs")
	args := append([]string{"verify"}, limit...)
	if claim > 0 {
		args = append(args, "--claim", strconv.Itoa(claim))
	}
	all := objects[object](c, c.run(append(args, "--json", "--certificates", proofs)...))
	for i, o := range all {
		p := c.all[i]
		if o.Within != nil {
			c.state(p, statesWin, *o.Within, `"within"`)
		}
		if o.Verdict == "disproved" {
			c.state(p, statesNoWin, claim, `"disproved"`)
		}
		if o.Least != nil {
			c.state(p, statesNoWin, *o.Least-1, `"least"`)
		}
		listed, essential := map[string]bool{}, 0
		for _, s := range o.Solutions {
			if listed[s.Turn] = s.Essential != nil && *s.Essential; listed[s.Turn] {
				essential++
			}
			if o.EssentiallyUnique == nil {
				c.begins(p, s.Turn, *o.Within, `"solutions"`)
			}
		}
		if claim == 0 && o.ClaimTrue != nil || o.ClaimTrue != nil && *o.ClaimTrue != (o.Least != nil && *o.Least == claim) {
			c.t.Errorf("%v: %+v", p, o)
		}
		c.state(p, statesNoWin, o.Refuted, `"refuted"`)
		if o.EssentiallyUnique != nil {
			c.lists(p, *o.Least, listed)
			if *o.EssentiallyUnique != (essential == 1) || *o.Unique != (len(listed) == 1) {
				c.t.Errorf("%v: %d solutions, %d essential: %+v", p, len(listed), essential, o)
			}
		}
	}
	written, err := filepath.Glob(filepath.Join(proofs, "*"))
	least := 5
	if claim == 0 {
		least = 2 // of wins alone
	}
	if err != nil || len(written) < least {
		c.t.Errorf("%d certificates: %v", len(written), err)
	}
	for _, file := range written {
		cert, refutation, err := proof.ReadFile(file)
		if err == nil && cert != nil {
			err = cert.Check(c.t.Context(), nil)
			i := slices.IndexFunc(c.all, func(p arimaa.Position) bool { return p.String() == cert.Entries[0].Position })
			if i < 0 || all[i].Within == nil || *all[i].Within != cert.Turns {
				c.t.Errorf("%s: a win in %d", file, cert.Turns)
			}
		} else if err == nil {
			_, _, err = refutation.CheckSample(c.t.Context(), 2, 38, nil)
		}
		if err != nil {
			c.t.Errorf("%s: %v", file, err)
		}
	}
	row := regexp.MustCompile(`/(\d\d)\.txt +[\d-]+  (win in|no win in|unknown) *(at most )?(\d*) `)
	instead := regexp.MustCompile(`false claim: (the least is|the least is at most|there is no win in) (\d+)`)
	rows := 0
	for text := range strings.SplitSeq(c.run(args...), "\n") {
		m := row.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		rows++
		p, n := c.all[number(m[1])], number(m[4])
		switch {
		case m[2] == "win in":
			c.state(p, statesWin, n, text)
			if m[3] == "" {
				c.state(p, statesNoWin, n-1, text)
			}
		case m[2] == "no win in":
			c.state(p, statesNoWin, n, text)
		}
		if f := instead.FindStringSubmatch(text); f != nil {
			switch k := number(f[2]); f[1] {
			case "the least is":
				c.state(p, statesNoWin, k-1, text)
				fallthrough
			case "the least is at most":
				c.state(p, statesWin, k, text)
			default:
				c.state(p, statesNoWin, k, text)
			}
		}
	}
	if rows != len(c.all) {
		c.t.Errorf("%d rows, want %d", rows, len(c.all))
	}
}

// TestStatements holds what solve, defend and verify state, in text and in JSON, without a limit in nodes and with a small one,
// against a solver with more than ten times that limit, and their certificates against the check.
func TestStatements(t *testing.T) {
	if underRace {
		t.Skip("it is about what is said, and takes ten times as long under the race detector")
	}
	random := rand.New(rand.NewPCG(38, 6))
	var all []arimaa.Position
	sets, late := published.Names(t, "win-in-2/*/*.txt"), published.Rows(t, "late.tsv")
	positions := boards.Sized(7, 28)
	for k := range positions {
		name, text := "late.tsv", ""
		if k < positions*3/5 {
			name = sets[random.IntN(len(sets))]
			text = published.Read(t, name)
		} else {
			text = late[random.IntN(len(late))][3]
		}
		diagrams, err := notation.ReadPositions(name, text)
		require.NoError(t, err)
		all = append(all, diagrams[0].Position)
	}
	solver, err := solve.New(solve.Options{Memory: 32 << 20, Threads: 1})
	require.NoError(t, err)
	c := &claims{t: t, solver: solver, limit: answer.Limit{Nodes: 500_000}, known: map[solve.Question]solve.Answer{}}
	c.write(all)
	small := []string{"--nodes", "3000"}
	c.solveText("solve", "--win-in", "2")
	c.solveJSON("solve", "--win-in", "2")
	c.solveText(slices.Concat([]string{"solve"}, small)...)
	c.solveJSON(slices.Concat([]string{"solve"}, small)...)
	c.verifyAll(2)
	c.verifyAll(0, small...)
	// After a winning turn the other side is lost, and defend has something to say.
	var lost []arimaa.Position
	for _, s := range c.stated {
		if s.what == statesLoss && len(lost) < 8 && !slices.Contains(lost, s.p) {
			lost = append(lost, s.p)
		}
	}
	c.write(slices.Concat(lost, all[:positions/4]))
	c.defendAll(1)
	c.write(slices.Concat(lost, all[len(all)-positions/5:]))
	c.defendAll(2, small...)
	c.check()
}
