package reviews

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/engine"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published/games"
	"goalproof/internal/testkit/require"
	"goalproof/review"
	"goalproof/solve"
	"goalproof/tables/endgame"
)

// What a sentence of a review may state about a position of the game, the side to move at the start
// of its turn.
type kind uint8

const (
	wins      kind = iota // the side to move wins within n turns
	winsNotIn             // it does not
	loses                 // it loses within n turns of its opponent
	losesNot              // it does not
	over                  // the game is over, and the side to move has lost
	tabled                // an endgame table says that neither side can force a win
)

// statement is a fact about the position after a game.
type statement struct {
	kind kind
	game *arimaa.Game
	n    int
}

// sentence is something that a review says.
type sentence struct {
	form   string                                         // all of it
	states string                                         // the fact
	proved string                                         // where the program proves it
	facts  func(c *claims, i int, m []string) []statement // about turn i; m holds what the groups of form match
}

// sentences returns all that a review says, in text, JSON, annotated games, pages and the studio,
// which shows the page.
func sentences() []sentence {
	return []sentence{
		// The headline.
		{`(Gold|Silver) won.*|Not finished|A draw by the rules of its time|No result: .*`, "how the game ended", "the record", nil},
		{`All chances are gold's`, "", "", nil},
		{`At the end the engine gives gold \d+%`, "an estimate", "", nil},
		{`As the engine sees it, (gold|silver) was not ahead at the end \(\d+%\)`, "an estimate", "", nil},
		{`The engine sees (gold|silver) ahead from the beginning`, "an estimate", "", nil},
		{`(?:The engine sees the turning point|Of (?:gold|silver)'s turns after that it sees the greatest loss) at (\d+[gs]) \(\d+% to \d+%\)(?:; it prefers .+? \((.*)\))?`,
			"an estimate; what it says of the turn is as below", "", (*claims).preferred},
		{`(?:Yet from|From) (\d+[gs]) on (gold|silver) has a proved win`, "that side wins from there on, by all turns that were played",
			"review.decide: the standings of all positions from there on", (*claims).decided},
		{`The losing turn was (\d+[gs]): (gold|silver) had a win in (?:at most )?(\d+)(?:, .+)?`,
			"before the turn its side wins within that number of turns; after it the opponent wins",
			"Standing.Win before and after the turn (review.decide, Losing)", (*claims).losingTurn},
		{`The losing turn was (\d+[gs]): before it neither side could force a win(?:, nor after .+)?`,
			"before the turn neither side can force a win; after it the opponent can", "an endgame table (review.tabled)", (*claims).tabledTurn},
		{`At (\d+[gs]) no win of (gold|silver) is proved(?:: .+? (holds against wins in \d+(?:, \d+%)?|\d+%))?(?:; the engine gives (?:gold|silver) hardly a chance by then)?`,
			"nothing of the position; the opponent has no win in that number of turns after the turn named; an estimate",
			"Saving (review.loss)", (*claims).before},
		{`At the end no win in \d+ is proved for either side`, "that the search has proved none", "review.decide", nil},
		{`The review was interrupted.*`, "", "", nil},
		{`The time was up before the nodes were spent at .*`, "", "", nil},

		// The remark on a turn, in all forms.
		{`wins`, "the game is over and won", "arimaa.Game.Outcome", (*claims).ends},
		{`keeps the win`, "the opponent is lost within fewer turns than before", "Standing.Loss after the turn (review.kept)", (*claims).lost},
		{`reaches a forced win`, "the opponent is lost", "Standing.Loss after the turn (review.deduce)", (*claims).lost},
		{`misses the win in (?:at most )?(\d+), still wins in (at most )?(\d+)`, "there was a win in so many turns; the opponent is lost in one turn less than the second number, and not in less unless it says at most",
			"Standing.Win before, Standing.Loss after (review.kept)", (*claims).delays},
		{`misses the win in (?:at most )?(\d+)(?:: no win in (\d+) is left)?`, "there was a win in so many turns, and after the turn there is none in as many, or in the second number",
			"Standing.Win before, Standing.Loss.Refuted after (review.kept)", (*claims).misses},
		{`THROWS AWAY the win in (?:at most )?(\d+)`, "there was a win in so many turns; now the opponent wins",
			"Standing.Win before and after the turn (review.kept)", (*claims).throwsAway},
		{`THROWS AWAY the win in (?:at most )?(\d+): now neither side can force a win`, "there was a win in so many turns, and none is left for good",
			"an endgame table (review.tabled)", (*claims).throwsAwayByTable},
		{`perhaps misses the win in (?:at most )?(\d+)`, "there was a win in so many turns", "Standing.Win before the turn", (*claims).had},
		{`LOSES: after another turn neither side can force a win`, "neither side could force a win; now the opponent can", "an endgame table (review.tabled)", (*claims).losesByTable},
		{`another turn holds against wins in (\d+)`, "after another turn the opponent has no win in so many; after this one he wins",
			"Saving (review.loss), Standing.Win after the turn", (*claims).allows},
		{`whether another turn holds is open`, "nothing", "", nil},
		{`(?:doubtful|mistake|blunder): gold \d+% -> \d+%`, "an estimate", "", nil},
		{`the opponent now wins in (?:at most )?(\d+)`, "he does", "Standing.Win after the turn", (*claims).gives},
		{`(?:at least )?[\d,]+ of [\d,]+ turns stops? that(?: \(the third repetition set aside\))?, the simplest .+`,
			"after so many turns the opponent has no win in as many as he now takes", "solve.Defend (review.stops)", (*claims).stops},

		// The alternatives to a turn.
		{`[Ww]ins in (?:at most )?(\d+)`, "the side to move wins", "Standing.Win", (*claims).had},
		{`[Hh]olds against wins in (\d+)(?:, \d+%)?`, "after the turn the opponent has no win in so many", "Saving (review.loss, review.holding)", (*claims).holds},
		{`[Nn]either side can force a win(?:, \d+%)?`, "neither can", "an endgame table (review.tabled)", (*claims).neither},
		{`\d+%`, "an estimate, or a proved win", "", nil},

		// The facts on the page.
		{`the side to move wins in (?:at most )?(\d+)`, "it does", "Standing.Win", (*claims).had},
		{`the side to move is lost in (?:at most )?(\d+)`, "it is", "Standing.Loss", (*claims).isLost},
		{`the opponent threatens to win in (?:at most )?(\d+)`, "he would win if it were his turn", "Standing.Threat", (*claims).threatens},

		// The table of positions, in text.
		{`has won|has lost`, "the game is over", "arimaa.Game.Outcome", nil},
		{`lost in (?:at most )?(\d+)`, "the side to move loses", "Standing.Loss", (*claims).isLost},
		{`neither`, "neither side can force a win", "an endgame table", (*claims).neither},
		{`-|- \((\d+)\)|\?`, "there is no win within the limit, or within so many turns; nothing", "Standing.Win.Refuted, Standing.Threat.Refuted", nil},
		{`in (?:at most )?(\d+)`, "the opponent would win if it were his turn", "Standing.Threat", (*claims).threatens},

		// The moments, in text.
		{`(gold|silver) had a win in (?:at most )?(\d+)`, "the side to move wins", "Standing.Win", (*claims).hadMoment},
		{`(gold|silver) loses a position in which neither side could force a win`, "as the remark says", "an endgame table", nil},
		{`a (?:mistake|blunder) of (gold|silver), as the engine sees it`, "an estimate", "", nil},
	}
}

// marks are the words of JSON for the effect of a turn, with the form of the remark that says the
// same.
var marks = map[string]string{"wins": `^wins`, "keeps": `^keeps the win`, "reaches": `^reaches a forced win`, "delays": `^misses the win in .*, still wins in`,
	"misses": `^misses the win in`, "throws away": `^THROWS AWAY`, "unclear": `^perhaps misses`, "loses": `^LOSES`, "allows": `another turn holds against`,
	"open": `whether another turn holds is open`}

// claims are the sentences of a review, and what they state.
type claims struct {
	t      *testing.T
	r      *review.Review
	all    []sentence
	forms  []*regexp.Regexp
	counts []int // of each form
	stated []claim
}

type claim struct {
	where, sentence string
	statement       statement
}

func newClaims(t *testing.T) *claims {
	c := &claims{t: t, all: sentences()}
	c.counts = make([]int, len(c.all))
	for _, s := range c.all {
		c.forms = append(c.forms, regexp.MustCompile(`^(?:`+s.form+`)$`))
	}
	return c
}

// add looks a sentence about turn i up. A sentence that is not in the table is an error.
func (c *claims) add(i int, sentence string) {
	c.t.Helper()
	for k, form := range c.forms {
		m := form.FindStringSubmatch(sentence)
		if m == nil {
			continue
		}
		c.counts[k]++
		if c.all[k].facts == nil {
			return
		}
		for _, s := range c.all[k].facts(c, i, m) {
			c.stated = append(c.stated, claim{c.r.Record.Name + ", " + c.r.Record.Game.Label(i), sentence, s})
		}
		return
	}
	c.t.Errorf("%s, %s: the table of sentences lacks %q", c.r.Record.Name, c.r.Record.Game.Label(i), sentence)
}

// at returns a statement about position i of the game.
func (c *claims) at(i int, k kind, n int) []statement {
	return []statement{{k, c.r.Record.Game.At(i), n}}
}

// after returns a statement about the position after a turn at position i.
func (c *claims) after(i int, turn arimaa.Turn, k kind, n int) []statement {
	g := c.r.Record.Game.At(i)
	if err := g.Play(turn); err != nil {
		c.t.Fatalf("%s, %s: %v: %v", c.r.Record.Name, g.Label(i), turn, err)
	}
	if o := g.Outcome(); o.Over() {
		if last := c.r.Record.Game.Position(i); o.Winner == last.Side() {
			return nil // more than was said
		}
	}
	return []statement{{k, g, n}}
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// label returns the position with a label.
func (c *claims) label(text string) int {
	for i := range c.r.Standings {
		if c.r.Record.Game.Label(i) == text {
			return i
		}
	}
	c.t.Fatalf("%s: there is no turn %s", c.r.Record.Name, text)
	return 0
}

func (c *claims) had(i int, m []string) []statement       { return c.at(i, wins, number(m[1])) }
func (c *claims) hadMoment(i int, m []string) []statement { return c.at(i, wins, number(m[2])) }
func (c *claims) isLost(i int, m []string) []statement    { return c.at(i, loses, number(m[1])) }
func (c *claims) gives(i int, m []string) []statement     { return c.at(i+1, wins, number(m[1])) }
func (c *claims) ends(i int, _ []string) []statement      { return c.at(i+1, over, 0) }
func (c *claims) neither(i int, _ []string) []statement   { return c.at(i, tabled, 0) }

func (c *claims) lost(i int, _ []string) []statement {
	return c.at(i+1, loses, c.r.Standings[i+1].Loss.Within)
}

func (c *claims) threatens(i int, m []string) []statement {
	p := c.r.Record.Game.Position(i)
	return []statement{{wins, arimaa.NewGame(p.EndTurn(), 2), number(m[1])}}
}

func (c *claims) preferred(i int, m []string) []statement {
	if m[2] != "" {
		c.add(c.label(m[1]), m[2])
	}
	return nil
}

func (c *claims) decided(_ int, m []string) (all []statement) {
	for i := c.label(m[1]); i < len(c.r.Standings); i++ {
		s, p := &c.r.Standings[i], c.r.Record.Game.Position(i)
		switch {
		case c.r.Record.Game.At(i).Outcome().Over():
		case p.Side().String() == m[2]:
			all = append(all, c.at(i, wins, s.Win.Within)...)
		default:
			all = append(all, c.at(i, loses, s.Loss.Within)...)
		}
	}
	return all
}

func (c *claims) losingTurn(_ int, m []string) []statement {
	i := c.label(m[1])
	return append(c.at(i, wins, number(m[3])), c.opponentWins(i)...)
}

// opponentWins states that after turn i the opponent wins.
func (c *claims) opponentWins(i int) []statement {
	s := &c.r.Standings[i+1]
	if !s.Win.Proved() {
		c.t.Errorf("%s, %s: the win of the opponent is not proved", c.r.Record.Name, c.r.Record.Game.Label(i))
	}
	if s.Win.Within == 0 {
		return nil // the game is over
	}
	return c.at(i+1, wins, s.Win.Within)
}

func (c *claims) tabledTurn(_ int, m []string) []statement {
	i := c.label(m[1])
	return append(c.at(i, tabled, 0), c.opponentWins(i)...)
}

func (c *claims) losesByTable(i int, _ []string) []statement {
	return append(c.at(i, tabled, 0), c.opponentWins(i)...)
}

func (c *claims) before(_ int, m []string) []statement {
	i := c.label(m[1])
	if strings.HasPrefix(m[3], "holds") {
		c.add(i, m[3])
	}
	return nil
}

func (c *claims) delays(i int, m []string) []statement {
	all := append(c.at(i, wins, number(m[1])), c.at(i+1, loses, number(m[3])-1)...)
	if m[2] == "" {
		all = append(all, c.at(i+1, losesNot, number(m[3])-2)...)
	}
	return all
}

func (c *claims) misses(i int, m []string) []statement {
	return slices.Concat(c.at(i, wins, number(m[1])), c.at(i+1, losesNot, max(number(m[1])-1, number(m[2]))))
}

func (c *claims) throwsAway(i int, m []string) []statement {
	return append(c.at(i, wins, number(m[1])), c.opponentWins(i)...)
}

func (c *claims) throwsAwayByTable(i int, m []string) []statement {
	return append(c.at(i, wins, number(m[1])), c.at(i+1, tabled, 0)...)
}

func (c *claims) allows(i int, m []string) []statement {
	return append(c.holds(i, m), c.opponentWins(i)...)
}

// holds states that a turn exists after which the opponent has no win in so many turns: the one
// that is known to hold longest.
func (c *claims) holds(i int, m []string) []statement {
	for _, s := range c.r.Standings[i].Saving {
		if s.Holds == number(m[1]) {
			return c.after(i, s.Turn, winsNotIn, s.Holds)
		}
	}
	c.t.Errorf("%s, %s: no turn holds against wins in %s", c.r.Record.Name, c.r.Record.Game.Label(i), m[1])
	return nil
}

func (c *claims) stops(i int, _ []string) []statement {
	return c.after(i, c.r.Judgements[i].Stops.Simplest, winsNotIn, c.r.Judgements[i].Gives)
}

// read collects all sentences of a review, from everything that it writes.
func (c *claims) read(r *review.Review) {
	c.r = r
	for sentence := range strings.SplitSeq(strings.TrimSuffix(r.Headline(), "."), ". ") {
		c.add(0, sentence)
	}
	for i := range r.Standings {
		c.add(i, standing(&r.Standings[i]))
		if text := threat(&r.Standings[i].Threat); i < len(r.Judgements) {
			c.add(i, text)
		}
		for _, a := range r.Alternatives(i) {
			c.add(i, a.What)
		}
		if i == len(r.Judgements) {
			continue
		}
		for part := range strings.SplitSeq(strings.ReplaceAll(r.Remark(i), " (endgame table)", ""), "; ") {
			if part != "" {
				c.add(i, part)
			}
		}
	}
	c.readText()
	c.readJSON()
	c.readPage()
	c.readAnnotated()
}

// readText reads the moments of the text, and finds in the rest no word about who wins that is not
// in a sentence above.
func (c *claims) readText() {
	var out bytes.Buffer
	w := textOutput{out: &out}
	w.add(c.r)
	text := regexp.MustCompile(`\n {2,}`).ReplaceAllString(out.String(), " ")
	moment := regexp.MustCompile(`(?m)^(\d+[gs]): (.+?)\. Played: `)
	for _, m := range moment.FindAllStringSubmatch(text, -1) {
		c.add(c.label(m[1]), m[2])
	}
	c.nothingElse("the text", text)
}

// readJSON compares the marks with the remarks.
func (c *claims) readJSON() {
	var out bytes.Buffer
	w := jsonOutput{&out}
	w.add(c.r)
	var object struct {
		Headline string
		Decided  *struct {
			LastTurn   *string `json:"last_turn"`
			LosingTurn *string `json:"losing_turn"`
		}
		Turns []struct{ Mark *string }
	}
	if err := json.Unmarshal(out.Bytes(), &object); err != nil {
		c.t.Fatal(err)
	}
	if object.Headline != c.r.Headline() {
		c.t.Errorf("%s: JSON has the headline %q", c.r.Record.Name, object.Headline)
	}
	if d := object.Decided; d != nil && (d.LosingTurn != nil) != strings.Contains(object.Headline, "The losing turn was") {
		c.t.Errorf("%s: JSON has the losing turn %v: %q", c.r.Record.Name, d.LosingTurn, object.Headline)
	}
	for i, turn := range object.Turns {
		if turn.Mark != nil && !regexp.MustCompile(marks[*turn.Mark]).MatchString(c.r.Remark(i)) {
			c.t.Errorf("%s, %s: marked %q: %q", c.r.Record.Name, c.r.Record.Game.Label(i), *turn.Mark, c.r.Remark(i))
		}
	}
}

// readPage reads the facts of the page, and compares the rest with the sentences above.
func (c *claims) readPage() {
	page, err := c.r.HTML()
	if err != nil {
		c.t.Fatal(err)
	}
	_, data, _ := strings.Cut(page, `<script id="data" type="application/json">`)
	data, _, _ = strings.Cut(data, "</script>")
	var object struct {
		Headline  string
		Positions []struct {
			Remark, Facts, Proved string
			Others                []struct{ Worth string }
		}
	}
	if err := json.Unmarshal([]byte(data), &object); err != nil {
		c.t.Fatal(err)
	}
	if object.Headline != c.r.Headline() {
		c.t.Errorf("%s: the page has the headline %q", c.r.Record.Name, object.Headline)
	}
	for i, p := range object.Positions {
		if i < len(c.r.Judgements) && p.Remark != c.r.Remark(i) {
			c.t.Errorf("%s, %s: the page says %q", c.r.Record.Name, c.r.Record.Game.Label(i), p.Remark)
		}
		for k, a := range c.r.Alternatives(i) {
			if p.Others[k].Worth != a.What {
				c.t.Errorf("%s, %s: the page says %q", c.r.Record.Name, c.r.Record.Game.Label(i), p.Others[k].Worth)
			}
		}
		if p.Facts == "" {
			continue
		}
		for fact := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(p.Facts, "Proved: "), "."), "; ") {
			c.add(i, fact)
		}
	}
}

// readAnnotated finds in the comments what is said elsewhere.
func (c *claims) readAnnotated() {
	said := []string{c.r.Headline()}
	for i := range c.r.Standings {
		if i < len(c.r.Judgements) {
			said = append(said, c.r.Remark(i))
		}
		for _, a := range c.r.Alternatives(i) {
			said = append(said, a.What)
		}
	}
	for _, m := range regexp.MustCompile(`\{([^}]*)\}`).FindAllStringSubmatch(c.r.Annotated(), -1) {
		if !slices.Contains(said, m[1]) && !regexp.MustCompile(`^\d+%$`).MatchString(m[1]) {
			c.t.Errorf("%s: a comment says %q", c.r.Record.Name, m[1])
		}
	}
}

// strong are words that state who wins, allowed where they stand in a sentence of the table.
var (
	strong  = regexp.MustCompile(`(?i)could have|threw|throws|losing|loses|hasten|forced`)
	allowed = regexp.MustCompile(`The losing turn was \d+[gs]: (gold|silver) had a win in|The losing turn was \d+[gs]: before it neither side could force|` +
		`THROWS AWAY the win in|LOSES: after another turn neither side can force a win|reaches a forced win|loses a position in which neither side could force a win`)
)

func (c *claims) nothingElse(where, text string) {
	text = allowed.ReplaceAllString(strings.Join(strings.Fields(text), " "), "")
	if found := strong.FindString(text); found != "" {
		c.t.Errorf("%s: %s says %q outside the table of sentences:\n%s", c.r.Record.Name, where, found, text)
	}
}

// check asks a solver about a statement. It returns whether the answer contradicts it, and whether
// it confirms it.
func (s *statement) check(ctx context.Context, t *testing.T, solver *solve.Solver, limit answer.Limit) (contradicts, confirms bool) {
	p := s.game.Last()
	ctx, cancel := limit.Start(ctx)
	defer cancel()
	solver.Forget()
	game := s.game
	if len(game.Twice(arimaa.Gold))+len(game.Twice(arimaa.Silver)) == 0 {
		game = nil
	}
	switch s.kind {
	case over:
		o := s.game.Outcome()
		return !o.Over() || o.Winner == p.Side(), true
	case tabled:
		value, ok := solver.Endgames().Probe(&p.Board, p.Side())
		_, won := value.Win()
		_, lost := value.Loss()
		return !ok || won || lost, true
	}
	if s.n == 0 || s.game.Outcome().Over() {
		return s.kind == wins || s.kind == loses, true
	}
	v := answer.Unknown
	if s.kind == wins || s.kind == winsNotIn {
		a, err := solver.Solve(ctx, solve.Question{Position: p, Deepest: s.n, Game: game, NoLine: true, Any: true})
		require.NoError(t, err)
		v = a.Verdict
	} else {
		d, err := solver.Defend(ctx, solve.Question{Position: p, Deepest: s.n, Game: s.game}, nil)
		require.NoError(t, err)
		v = map[answer.Verdict]answer.Verdict{answer.Proved: answer.Disproved, answer.Disproved: answer.Proved}[d.Verdict]
	}
	if v == answer.Unknown {
		return false, false
	}
	agrees := (v == answer.Proved) == (s.kind == wins || s.kind == loses)
	return !agrees, agrees
}

var everyGame = flag.Bool("full", false, "TestSentences with all games, the usual limits and every sentence: hours")

// TestSentences reviews published games: every sentence is one of the table, and what it states is
// asked of the solver with ten times the nodes.
func TestSentences(t *testing.T) {
	each, most, turns, sample := answer.Limit{Nodes: 20_000}, boards.Sized(4, 25), 16, 1000
	if *everyGame {
		each.Nodes, most, turns, sample = review.UsualNodes, 1000, 1000, 1<<30
	}
	tables, err := endgame.Open("", 16<<20)
	require.NoError(t, err)
	defer tables.Close()
	ten := answer.Limit{Nodes: 10 * each.Nodes}
	solver := func() *solve.Solver {
		s, err := solve.New(solve.Options{Memory: 256 << 20, Threads: 1, Endgames: tables})
		require.NoError(t, err)
		return s
	}
	e, err := engine.New(engine.Options{Threads: 1, Memory: 8 << 20, Without: engine.Probe})
	require.NoError(t, err)
	c, solvers := newClaims(t), []*solve.Solver{solver(), solver()}
	for _, r := range append(endings(t, tables, 30), records(t, most, turns)...) {
		v, err := review.Game(t.Context(), solvers, r, review.Options{WinIn: 3, Limit: each, Engine: e, Effort: 200})
		require.NoError(t, err)
		c.read(v)
	}
	random := rand.New(rand.NewPCG(38, 1))
	random.Shuffle(len(c.stated), func(i, k int) { c.stated[i], c.stated[k] = c.stated[k], c.stated[i] })
	asked, confirmed := 0, 0
	for _, s := range c.stated[:min(sample, len(c.stated))] {
		contradicts, confirms := s.statement.check(t.Context(), t, solvers[0], ten)
		if contradicts {
			t.Errorf("%s: %q: the solver says otherwise (%+v)", s.where, s.sentence, s.statement)
		}
		if asked++; confirms {
			confirmed++
		}
	}
	for k, s := range c.all {
		t.Logf("%6d  %s\n%14s: %s", c.counts[k], s.form, cmp.Or(s.proved, "no proof"), cmp.Or(s.states, "states nothing"))
	}
	t.Logf("%d statements, %d asked, %d confirmed, the others open", len(c.stated), asked, confirmed)
	if confirmed < asked*9/10 || asked < 100 {
		t.Errorf("%d of %d statements are confirmed: the test says little", confirmed, asked)
	}
}

// endings returns games of random turns from positions in which, by the tables, neither side can
// force a win, or which one turn leads to.
func endings(t *testing.T, tables *endgame.Tables, most int) (all []review.Record) {
	random := rand.New(rand.NewPCG(38, 2))
	var turns arimaa.Generator
	for len(all) < most {
		squares := bytes.Repeat([]byte{' '}, 64)
		for _, piece := range "ERr" {
			squares[8+random.IntN(48)] = byte(piece)
		}
		p, err := notation.ParsePosition("s [" + string(squares) + "]")
		if err != nil {
			continue
		}
		value, ok := tables.Probe(&p.Board, p.Side())
		if !ok || p.Undefended() != 0 || value != endgame.Neither && random.IntN(20_000) > 0 {
			continue
		}
		g := arimaa.NewGame(p, 2)
		for range 6 {
			last := g.Last()
			if n := turns.Generate(&last); n == 0 || g.Outcome().Over() || g.Play(turns.Turn(random.IntN(n))) != nil {
				break
			}
		}
		if g.Len() > 0 {
			all = append(all, review.NewRecord("ending", g))
		}
	}
	return all
}

// records returns the last turns of published games, half of them of each archive.
func records(t *testing.T, most, turns int) (all []review.Record) {
	for _, file := range []string{"archive-2002.tsv", "archive-2026.tsv"} {
		of := games.Of(t, file)
		for _, g := range of[:min((most+1)/2, len(of))] {
			all = append(all, review.FromArchive(g.Record, games.Last(t, g.Game, turns)))
		}
	}
	return all
}
