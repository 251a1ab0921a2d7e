package library

import (
	"cmp"
	"context"
	"database/sql"
	"iter"
	"slices"
	"strconv"
	"strings"

	"goalproof/arimaa"
	"goalproof/tables/endgame"
)

// Filter says which games. Every condition that is set must hold; the zero Filter selects all
// games. In the names of players and files * stands for any characters, and case does not matter.
// What is asked of a board must hold on one board of the game, all at once.
type Filter struct {
	Player       string // of either side
	Opponent     string // of Player
	Gold, Silver string // players
	Rating       Range  // of Player, or of both players without one
	Date         Range  // years, months or days: 2020, 2020-06, 2020-06-30
	Event        string // a part of it
	Source       string // the file that was imported
	Name         string // such as the id in an archive
	ID           int64  // of the game in the library; 0: any
	Result       string // one of [Results]; won and lost are Player's
	Ending       string // goal, time, ...
	Turns        Range  // of both sides
	Setup        string // of Player, Gold or Silver, or of either side without one: DHCEMCHD/RRRRRRRR, ? for any square
	Twins        bool   // there is another game with the same turns
	// Finding is a kind of finding of the latest review, one of [FindingNames], by Player, Gold or
	// Silver, or by either side without one; Rating is then the rating of that side.
	Finding string
	WinIn   Range // turns of the win that Finding is about
	// Unreviewed asks for games without a review.
	Unreviewed bool

	Position  *arimaa.Position
	Material  string // of both sides, exactly: EHR3-emr
	Class     string // of endgame tables: DCR-dr
	Pattern   *Pattern
	Mirrored  bool // Position, Pattern and Setup also as mirror images
	Exchanged bool // Position, Material and Pattern also with the colours exchanged

	perFinding bool // the conditions are about a row f of the table finding
}

// Results returns the values of [Filter.Result]. Without a result a game is not finished, or nobody
// knows how it ended.
func Results() []string {
	return []string{"gold", "silver", "draw", "undecided", "none", "won", "lost"}
}

// Range is from one value to another, both included. An empty one is no bound.
type Range struct{ From, To string }

// ParseRange reads A..B, A.., ..B, or A, which is A..A.
func ParseRange(text string) Range {
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		to = from
	}
	return Range{strings.TrimSpace(from), strings.TrimSpace(to)}
}

// conditions are joined by AND, in SQL, about the row g of the table game.
type conditions struct {
	texts  []string
	values []any // of their parameters
}

// add adds a condition with the values of its parameters.
func (c *conditions) add(text string, values ...any) {
	c.texts = append(c.texts, text)
	c.values = append(c.values, values...)
}

// where returns the conditions as a clause, "" for none.
func (c *conditions) where() string {
	if len(c.texts) == 0 {
		return ""
	}
	return "\nWHERE " + strings.Join(c.texts, "\n\tAND ")
}

// all returns the conditions as one.
func (c *conditions) all() string {
	return "(" + strings.Join(append(c.texts, "1"), " AND ") + ")"
}

// question is a filter made ready.
type question struct {
	conditions
	meant  [2]conditions // what holds of Gold, and of Silver, if the filter means that player
	board  boardFilter
	index  string // the table h that finds games; "": none
	at     string // its column with the number of turns before what is asked for
	replay bool   // not all that it finds is what is asked for
	// findings are in the question as the table f, with a row for each: not every one of a game need be
	// what is asked for.
	findings bool
}

// question makes a filter ready. The error says which condition means nothing.
func (v *view) question(ctx context.Context, f *Filter) (*question, error) {
	q := &question{findings: f.perFinding}
	if f.Finding == "" && f.WinIn != (Range{}) {
		return nil, meaningless("turns of a win %s..%s: name the finding", f.WinIn.From, f.WinIn.To)
	}
	if f.Finding != "" { // of either side, which SQLite finds sooner
		if err := q.finding(f, ""); err != nil {
			return nil, err
		}
	}
	if err := q.players(f); err != nil {
		return nil, err
	}
	if err := q.header(f); err != nil {
		return nil, err
	}
	return q, v.askBoard(ctx, q, f)
}

// like returns the condition that a column is like a name in which * stands for any characters; the
// case of the letters a to z does not matter.
func like(column, name string) (string, any) {
	if !strings.Contains(name, "*") {
		return column + " = ? COLLATE NOCASE", name
	}
	return column + ` LIKE ? ESCAPE '\'`, strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`, "*", "%").Replace(name)
}

// players adds the conditions about the players and their sides.
func (q *question) players(f *Filter) error {
	if f.Gold != "" {
		q.named("g.gold", f.Gold)
	}
	if f.Silver != "" {
		q.named("g.silver", f.Silver)
	}
	switch won := f.Result == "won" || f.Result == "lost"; {
	case f.Result != "" && !slices.Contains(Results(), f.Result):
		return meaningless("result %q: it is one of %s", f.Result, strings.Join(Results(), ", "))
	case f.Player == "" && f.Opponent != "":
		return meaningless("opponent %q: name the player, too", f.Opponent)
	case f.Player == "" && won:
		return meaningless("result %q: name the player who %s", f.Result, f.Result)
	case f.Result == "none":
		q.add("g.result IS NULL")
	case f.Result != "" && !won:
		q.add("g.result = ?", f.Result)
	}
	gold, err := f.side("gold", "silver")
	if err != nil {
		return err
	}
	silver, err := f.side("silver", "gold")
	if err != nil {
		return err
	}
	asked := len(gold.texts) > 0
	switch {
	case f.Player == "" && f.Gold != "" && f.Silver == "":
		silver.add("FALSE")
	case f.Player == "" && f.Silver != "" && f.Gold == "":
		gold.add("FALSE")
	}
	q.meant = [2]conditions{*gold, *silver}
	if asked {
		q.add("("+gold.all()+" OR "+silver.all()+")", slices.Concat(gold.values, silver.values)...)
	}
	if f.Player == "" && f.Finding == "" && f.Rating != (Range{}) {
		return cmp.Or(q.between("g.gold_rating", f.Rating), q.between("g.silver_rating", f.Rating))
	}
	return nil
}

// named adds the condition that a player has a name.
func (c *conditions) named(column, name string) {
	condition, value := like("folded", folded(name))
	c.add(column+" IN (SELECT id FROM player WHERE "+condition+")", value)
}

// folded returns a name in lower case, in which names of players are compared.
func folded(name string) string { return strings.ToLower(name) }

// side returns the conditions that hold of one of the two sides.
func (f *Filter) side(own, other string) (*conditions, error) {
	q := &conditions{}
	if f.Setup != "" {
		if err := q.setup("g."+own+"_setup", f); err != nil {
			return nil, err
		}
	}
	if f.Finding != "" {
		if err := q.finding(f, own); err != nil {
			return nil, err
		}
	}
	if f.Player == "" && f.Finding == "" {
		return q, nil
	}
	if f.Player != "" {
		q.named("g."+own, f.Player)
	}
	if f.Opponent != "" {
		q.named("g."+other, f.Opponent)
	}
	switch f.Result {
	case "won":
		q.add("g.result = ?", own)
	case "lost":
		q.add("g.result = ?", other)
	}
	rating := "g." + own + "_rating"
	if f.perFinding {
		rating = "f.rating" // which SQLite need not look up
	}
	return q, q.between(rating, f.Rating)
}

// setup adds the condition that a side set up in a way.
func (c *conditions) setup(column string, f *Filter) error {
	text, err := parseSetup(f.Setup)
	if err != nil {
		return meaningless("%w", err)
	}
	all := []any{text}
	if mirrored := mirroredSetup(text); f.Mirrored && mirrored != text {
		all = append(all, mirrored)
	}
	for i, text := range all {
		all[i] = strings.ReplaceAll(text.(string), "?", "_")
	}
	c.add(column+" IN (SELECT id FROM setup WHERE "+strings.Repeat("squares LIKE ? OR ", len(all)-1)+"squares LIKE ?)", all...)
	return nil
}

// between adds the condition that a whole number is in a range.
func (c *conditions) between(column string, r Range) error {
	return between(c, column, r, func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil {
			err = meaningless("%q is no whole number; write a range as 1800..2200, 1800.. or ..2200", text)
		}
		return n, err
	})
}

// between adds the condition that a number is in a range, whose bounds parse reads.
func between[N cmp.Ordered](c *conditions, column string, r Range, parse func(text string) (N, error)) error {
	var bounds [2]N
	for i, text := range []string{r.From, r.To} {
		if text == "" {
			continue
		}
		var err error
		if bounds[i], err = parse(text); err != nil {
			return err
		}
		c.add(column+[]string{" >= ?", " <= ?"}[i], bounds[i])
	}
	if r.From != "" && r.To != "" && bounds[0] > bounds[1] {
		return meaningless("nothing is between %s and %s: write the lesser one first", r.From, r.To)
	}
	return nil
}

// header adds the other conditions about the header of a game.
func (q *question) header(f *Filter) error {
	for _, bound := range []struct{ text, is, behind string }{{f.Date.From, " >= ?", ""}, {f.Date.To, " <= ?", "~"}} {
		if bound.text == "" {
			continue
		}
		if dateOf(bound.text) != bound.text {
			return meaningless("date %q: write a year, a month or a day, such as 2020, 2020-06 or 2020-06-30, or two with .. between", bound.text)
		}
		q.add("g.date"+bound.is, bound.text+bound.behind)
	}
	if f.Date.From != "" && f.Date.To != "" && f.Date.From > f.Date.To+"~" {
		return meaningless("nothing is between %s and %s: write the earlier date first", f.Date.From, f.Date.To)
	}
	if f.Event != "" {
		condition, value := like("g.event", "*"+f.Event+"*")
		q.add(condition, value)
	}
	if f.Source != "" {
		condition, value := like("name", f.Source)
		q.add("g.source IN (SELECT id FROM source WHERE "+condition+")", value)
	}
	if f.Name != "" {
		q.add("g.name = ?", f.Name)
	}
	if f.ID != 0 {
		q.add("g.id = ?", f.ID)
	}
	if f.Ending != "" {
		q.add("g.ending = ? COLLATE NOCASE", f.Ending)
	}
	if f.Unreviewed {
		q.add("g.id NOT IN (SELECT game FROM review)")
	}
	if f.Twins {
		q.add("(g.twin IS NOT NULL OR EXISTS (SELECT 1 FROM game t WHERE t.twin = g.id))")
	}
	return q.between("g.turns", f.Turns)
}

// boardFilter is what a filter asks of a board.
type boardFilter struct {
	position            *arimaa.Position
	material            *material
	class               map[material]bool // nil: none is asked for
	pattern             *Pattern
	mirrored, exchanged bool
}

// askBoard adds what a filter asks of a board, and the index that finds the games that may have
// such a board.
func (v *view) askBoard(ctx context.Context, q *question, f *Filter) error {
	q.board = boardFilter{position: f.Position, pattern: f.Pattern, mirrored: f.Mirrored, exchanged: f.Exchanged}
	if f.Material != "" {
		m, err := parseMaterial(f.Material)
		if err != nil {
			return meaningless("%w", err)
		}
		q.board.material = &m
	}
	if f.Class != "" {
		if err := v.askClass(ctx, q, f.Class); err != nil {
			return err
		}
	}
	asked := 0
	for _, is := range []bool{f.Position != nil, f.Material != "", f.Class != "", f.Pattern != nil} {
		if is {
			asked++
		}
	}
	q.replay = asked > 1 || f.Pattern != nil
	switch {
	case f.Position != nil:
		return v.askPosition(ctx, q)
	case f.Material != "":
		all := []int64{int64(*q.board.material)}
		if s := q.board.material.swapped(); f.Exchanged && s != *q.board.material {
			all = append(all, int64(s))
		}
		q.find("stretch", "material", "first", all)
	case f.Class != "":
		var all []int64
		for m := range q.board.class {
			all = append(all, int64(m))
		}
		slices.Sort(all)
		q.find("stretch", "material", "first", all)
	}
	return nil
}

// askClass adds the material of a class of endgames.
func (v *view) askClass(ctx context.Context, q *question, class string) error {
	c, err := endgame.ParseClass(class)
	if err != nil {
		return meaningless("%w", err)
	}
	q.board.class = map[material]bool{}
	return v.rows(ctx, "SELECT id FROM material WHERE class = ?", []any{c.String()}, func(rows *sql.Rows) (bool, error) {
		var id int64
		err := rows.Scan(&id)
		q.board.class[material(id)] = true
		return true, err
	})
}

// askPosition adds the index of positions, for those images of the position that it has.
func (v *view) askPosition(ctx context.Context, q *question) error {
	var keys []int64
	for image := range q.board.images(q.board.position) {
		h, there, mixed, err := v.lookUp(ctx, image)
		if err != nil {
			return err
		}
		if there && !slices.Contains(keys, h) {
			keys = append(keys, h)
		}
		q.replay = q.replay || mixed
	}
	q.find("position", "key", "at", keys)
	return nil
}

// find makes an index with some keys the first table of the question.
func (q *question) find(table, column, at string, keys []int64) {
	q.index, q.at = table, "h."+at
	if len(keys) == 0 {
		q.add("FALSE")
		return
	}
	values := make([]any, len(keys))
	for i, k := range keys {
		values[i] = k
	}
	if len(keys) == 1 {
		q.add("h."+column+" = ?", values...)
	} else {
		q.add("h."+column+" IN (?"+strings.Repeat(", ?", len(keys)-1)+")", values...)
	}
}

// tables returns the table game, behind the index if there is one, and that of findings.
func (q *question) tables() string {
	switch tables := "\nFROM " + q.index + " h CROSS JOIN game g ON g.id = h.game"; {
	case q.index != "" && q.findings:
		return tables + " CROSS JOIN finding f ON f.game = g.id"
	case q.index != "":
		return tables
	case q.findings:
		return "\nFROM finding f CROSS JOIN game g ON g.id = f.game"
	}
	return "\nFROM game g"
}

// swapped returns a position with the colours exchanged.
func swapped(p *arimaa.Position) arimaa.Position {
	return arimaa.NewPosition(p.Board.Swapped(), p.Side().Other())
}

// mirrored returns the mirror image of a position.
func mirrored(p *arimaa.Position) arimaa.Position {
	return arimaa.NewPosition(p.Board.Mirrored(), p.Side())
}

// images calls yield for the position as it is, and for its images that count as well.
func (b *boardFilter) images(p *arimaa.Position) iter.Seq[*arimaa.Position] {
	return func(yield func(*arimaa.Position) bool) {
		if !yield(p) {
			return
		}
		if b.mirrored {
			if m := mirrored(p); !yield(&m) {
				return
			}
		}
		if !b.exchanged {
			return
		}
		s := swapped(p)
		if !yield(&s) || !b.mirrored {
			return
		}
		m := mirrored(&s)
		yield(&m)
	}
}

// matches reports whether all that is asked holds of a position, or of one of its images.
func (b *boardFilter) matches(p *arimaa.Position) bool {
	if b.class != nil {
		if m, err := materialOf(&p.Board); err != nil || !b.class[m] {
			return false
		}
	}
	for image := range b.images(p) {
		if b.position != nil && (image.Board != b.position.Board || image.Side() != b.position.Side()) {
			continue
		}
		if b.material != nil {
			if m, err := materialOf(&image.Board); err != nil || m != *b.material {
				continue
			}
		}
		if b.pattern == nil || b.pattern.Matches(image) {
			return true
		}
	}
	return false
}
