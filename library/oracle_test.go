package library

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/published"
	"goalproof/internal/testkit/require"
	"goalproof/zobrist"
)

// plain is a game as an archive has it, and its positions in short form: what the tests compare the
// answers of a library with. Nothing here asks the library.
type plain struct {
	id, gold, silver         string
	goldRating, silverRating int
	date, event              string
	result, ending           string // letters
	positions                []string
	turns                    []string // with captures
	row                      string
}

// columns of the rows that [archive] writes.
const columns = "id\twusername\tbusername\twrating\tbrating\tevent\tstartts\tresult\ttermination\tmovelist\n"

// plainGames returns the published games, then beginnings of them under other names, then mirror
// images and games with the colours exchanged, so that positions come up in several games.
func plainGames(t *testing.T) (all []plain) {
	for _, name := range published.Names(t, "games/*.tsv") {
		records, err := notation.ReadArchive(name, published.Read(t, name))
		require.NoError(t, err)
		for _, r := range records {
			g, err := r.Game()
			if err != nil {
				continue // two games of 2002 have a turn that is forbidden today
			}
			d := &r.Details
			p := plain{id: r.ID, gold: r.Gold, silver: r.Silver, date: d.Date, event: d.Event, result: r.Result, ending: r.Termination}
			p.goldRating, _ = strconv.Atoi(d.GoldRating)
			p.silverRating, _ = strconv.Atoi(d.SilverRating)
			all = append(all, p.with(g))
		}
	}
	for i, p := range all[:len(all):len(all)] {
		p.id = fmt.Sprintf("%s-%d", p.id, i)
		p.gold, p.silver = p.silver, p.gold+[]string{"", "'s friend", "%"}[i%3]
		p.result, p.ending = "u", "a"
		switch i % 7 { // of some games a rating is not known, or neither
		case 0:
			p.goldRating = 0
		case 1:
			p.silverRating = 0
		case 2:
			p.goldRating, p.silverRating = 0, 0
		}
		switch i % 5 {
		case 0:
			all = append(all, p.with(game(t, p.row)))
		case 1, 2:
			all = append(all, p.with(game(t, p.row).At((i*7)%len(p.turns))))
		case 3:
			all = append(all, p.with(imageOf(t, &p, arimaa.Board.Mirrored, arimaa.Turn.Mirrored)))
		case 4:
			all = append(all, p.with(imageOf(t, &p, arimaa.Board.Swapped, arimaa.Turn.Swapped)))
		}
	}
	return all
}

// game reads the turns of a row.
func game(t testing.TB, row string) *arimaa.Game {
	records, err := notation.ReadArchive("row", columns+row)
	require.NoError(t, err)
	g, err := records[0].Game()
	require.NoError(t, err)
	return g
}

// playedFrom returns the game with some turns, given by their steps, from a position on.
func playedFrom(t testing.TB, first string, number int, turns ...string) *arimaa.Game {
	t.Helper()
	g := arimaa.NewGame(boards.Parse(t, first), number)
	for _, steps := range turns {
		state := arimaa.NewState(g.Last())
		turn, err := notation.PlaySteps(&state, steps)
		require.NoError(t, err)
		require.NoError(t, g.Play(turn))
	}
	return g
}

// repeated reports whether a game has a position more than once.
func repeated(p *plain, at string) bool {
	first := slices.Index(p.positions, at)
	return first >= 0 && slices.Contains(p.positions[first+1:], at)
}

// mean returns the mean of the ratings that are known, 0 if none is.
func mean(ratings []int) int {
	sum, n := 0, 0
	for _, rating := range ratings {
		if rating > 0 {
			sum += rating
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return (sum + n/2) / n
}

// imageOf plays a game on the images of its boards.
func imageOf(t *testing.T, p *plain, board func(arimaa.Board) arimaa.Board, turn func(arimaa.Turn) arimaa.Turn) *arimaa.Game {
	g := game(t, p.row)
	first := g.Position(0)
	other := boards.Swap(first.String())
	side := first.Side()
	if board(first.Board) == boards.Parse(t, other).Board {
		side = side.Other()
	}
	out := arimaa.NewGame(arimaa.NewPosition(board(first.Board), side), g.Number(0))
	for i := range g.Len() {
		if out.Play(turn(g.Turn(i))) != nil {
			break
		}
	}
	return out
}

// with returns the game with the positions and turns of another.
func (p plain) with(g *arimaa.Game) plain {
	p.positions, p.turns = nil, nil
	for i := range g.Len() + 1 {
		at := g.Position(i)
		p.positions = append(p.positions, at.String())
		if i < g.Len() {
			p.turns = append(p.turns, at.Notation(g.Turn(i)))
		}
	}
	seconds := ""
	if when, err := time.Parse(time.DateOnly, p.date); err == nil {
		seconds = strconv.FormatInt(when.Unix(), 10)
	}
	number := func(n int) string { return strings.TrimPrefix(strconv.Itoa(n), "0") }
	p.row = strings.Join([]string{p.id, p.gold, p.silver, number(p.goldRating), number(p.silverRating), p.event, seconds, p.result, p.ending,
		strings.ReplaceAll(strings.TrimSpace(notation.Turns(g)), "\n", `\n`)}, "\t") + "\n"
	// Who won is said by the board first, and then by the record.
	records, err := notation.ReadArchive("row", columns+p.row)
	if err == nil {
		again, _ := records[0].Game()
		r := notation.ResultOf(again, records[0].Tags())
		p.result, p.ending = r.Result, r.Termination
	}
	return p
}

// archive returns the rows of games.
func archive(games []plain) string {
	var b strings.Builder
	b.WriteString(columns)
	for _, p := range games {
		b.WriteString(p.row)
	}
	return b.String()
}

// importText imports a text into a new library.
func importText(t testing.TB, chunk int, text string) *Library {
	l, err := Create(context.Background(), filepath.Join(t.TempDir(), "test.db"))
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	addText(t, l, chunk, "test", text)
	return l
}

// addText imports a text into a library, and returns the counts.
func addText(t testing.TB, l *Library, chunk int, source, text string) *Import {
	im, err := l.Import()
	require.NoError(t, err)
	im.chunk = chunk
	err = im.Text(context.Background(), source, notation.Parts(notation.NewLines(source, strings.NewReader(text))), func(r Read) {
		if r.Err != nil {
			t.Errorf("%s: %v", r.Label(), r.Err)
		}
	})
	require.NoError(t, err)
	require.NoError(t, im.Close())
	return im
}

// images returns a position with those of its images that are asked for.
func images(position string, mirrors, swaps bool) []string {
	all := []string{position}
	if mirrors {
		all = append(all, boards.Mirror(position))
	}
	if swaps {
		for _, p := range all[:len(all):len(all)] {
			all = append(all, boards.Swap(p))
		}
	}
	return all
}

// letters returns the pieces of a position, in the order of the alphabet.
func letters(position string) string {
	all := []rune(position[strings.IndexByte(position, '['):])
	all = slices.DeleteFunc(all, func(r rune) bool { return !strings.ContainsRune("EMHDCRemhdcr", r) })
	slices.Sort(all)
	return string(all)
}

// square returns what stands on a square of a position in short form, a8 first.
func square(position string, file, rank int) byte {
	return position[strings.IndexByte(position, '[')+1+8*(8-rank)+file-1]
}

// word is a word of a pattern, and what it says.
type word struct {
	text string
	says func(position string) bool
}

// aWord draws a word of a pattern that says something about the board of a position.
func aWord(t *rapid.T, position string) word {
	pieces := rapid.StringMatching(`[EMHDCRemhdcr]{1,3}`).Draw(t, "pieces")
	from, to := rapid.IntRange(1, 8).Draw(t, "file"), rapid.IntRange(1, 8).Draw(t, "rank")
	if rapid.Bool().Draw(t, "there") {
		pieces = strings.ReplaceAll(string(square(position, from, to)), " ", ".")
	}
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		pieces = "?"
	case 1:
		pieces = "A"
	case 2:
		pieces = "a"
	case 3:
		pieces += "."
	}
	wide, high := rapid.IntRange(0, 8-from).Draw(t, "wide"), rapid.IntRange(0, 8-to).Draw(t, "high")
	if rapid.Bool().Draw(t, "one square") {
		wide, high = 0, 0
	}
	not := rapid.IntRange(0, 3).Draw(t, "not") == 0
	text := pieces
	if len(pieces) > 1 {
		text = "[" + pieces + "]"
	}
	span := func(first byte, from, more int) string {
		if more == 0 {
			return string(first + byte(from) - 1)
		}
		return fmt.Sprintf("%c-%c", first+byte(from)-1, first+byte(from+more)-1)
	}
	text += span('a', from, wide) + span('1', to, high)
	if not {
		text = "!" + text
	}
	is := func(piece byte) bool {
		switch {
		case strings.ContainsRune(pieces, rune(piece)), piece == ' ' && strings.Contains(pieces, "."):
			return true
		case piece == ' ' || pieces == "":
			return false
		}
		upper := piece >= 'A' && piece <= 'Z'
		return pieces == "?" || pieces == "A" && upper || pieces == "a" && !upper
	}
	return word{text, func(position string) bool {
		for file := from; file <= from+wide; file++ {
			for rank := to; rank <= to+high; rank++ {
				if is(square(position, file, rank)) {
					return !not
				}
			}
		}
		return not
	}}
}

// condition is a condition of a filter, and what it says of a game, or of a position of a game.
type condition struct {
	game  func(p *plain) bool
	board func(position string) bool
}

// aFilter draws a filter, with what it says.
func aFilter(t *rapid.T, games []plain) (f Filter, says condition) {
	model := &games[rapid.IntRange(0, len(games)-1).Draw(t, "model")]
	at := model.positions[rapid.IntRange(0, len(model.positions)-1).Draw(t, "at")]
	if rapid.Bool().Draw(t, "early") {
		at = model.positions[min(len(model.positions)-1, rapid.IntRange(0, 3).Draw(t, "turns"))]
	}
	always := []func(*plain) bool{}
	game := func(is func(*plain) bool) { always = append(always, is) }
	f.Mirrored, f.Exchanged = rapid.Bool().Draw(t, "mirrored"), rapid.Bool().Draw(t, "exchanged")
	letter := map[bool]string{true: "w", false: "b"} // of a winner who is Gold, or not
	same := func(pattern, name string) bool {
		if begin, ok := strings.CutSuffix(pattern, "*"); ok {
			return strings.HasPrefix(strings.ToLower(name), strings.ToLower(begin))
		}
		return strings.EqualFold(pattern, name)
	}
	some := func(name string) bool { return rapid.IntRange(0, 6).Draw(t, name) == 0 }
	if some("player") {
		f.Player = rapid.SampledFrom([]string{model.gold, model.silver, strings.ToUpper(model.gold), "bot_*", model.gold + "*"}).Draw(t, "name")
		if some("opponent") {
			f.Opponent = model.silver
		}
		if some("won or lost") {
			f.Result = rapid.SampledFrom([]string{"won", "lost"}).Draw(t, "result")
		}
	}
	if some("rating") {
		f.Rating = Range{strconv.Itoa(model.goldRating - 100), ""}
		if rapid.Bool().Draw(t, "both bounds") {
			f.Rating.To = strconv.Itoa(model.goldRating + 200)
		}
	}
	rated := func(n int) bool {
		from, _ := strconv.Atoi(f.Rating.From)
		to, err := strconv.Atoi(f.Rating.To)
		return f.Rating == Range{} || n > 0 && n >= from && (err != nil || n <= to)
	}
	if some("setup") {
		f.Setup = setupText(model.positions[0], rapid.Bool().Draw(t, "whose"))
		if rapid.Bool().Draw(t, "any squares") {
			f.Setup = f.Setup[:3] + "???" + f.Setup[6:]
		}
	}
	setUp := func(p *plain, gold bool) bool {
		if f.Setup == "" {
			return true
		}
		have := setupText(p.positions[0], gold)
		for _, want := range []string{f.Setup, mirrorText(f.Setup)} {
			if fitsText(want, have) {
				return true
			}
			if !f.Mirrored {
				break
			}
		}
		return false
	}
	game(func(p *plain) bool {
		if f.Player == "" {
			gold, silver := setUp(p, true), setUp(p, false)
			switch {
			case f.Gold != "" && f.Silver == "":
				silver = false
			case f.Silver != "" && f.Gold == "":
				gold = false
			}
			return (f.Rating == Range{} || rated(p.goldRating) && rated(p.silverRating)) && (gold || silver)
		}
		for _, gold := range []bool{true, false} {
			own, other, rating := p.gold, p.silver, p.goldRating
			if !gold {
				own, other, rating = p.silver, p.gold, p.silverRating
			}
			if same(f.Player, own) && (f.Opponent == "" || same(f.Opponent, other)) && rated(rating) && setUp(p, gold) &&
				(f.Result != "won" || p.result == letter[gold]) && (f.Result != "lost" || p.result == letter[!gold]) {
				return true
			}
		}
		return false
	})
	if some("gold") {
		f.Gold = model.gold
		game(func(p *plain) bool { return same(f.Gold, p.gold) })
	}
	if some("silver") {
		f.Silver = model.silver
		game(func(p *plain) bool { return same(f.Silver, p.silver) })
	}
	if some("date") {
		f.Date = Range{model.date[:4], rapid.SampledFrom([]string{model.date, model.date[:7], model.date[:4]}).Draw(t, "until")}
		game(func(p *plain) bool { return p.date >= f.Date.From && p.date[:len(f.Date.To)] <= f.Date.To })
	}
	if some("event") {
		f.Event = "CASUAL"
		game(func(p *plain) bool { return strings.Contains(strings.ToUpper(p.event), f.Event) })
	}
	if some("ending") {
		f.Ending = "goal"
		game(func(p *plain) bool { return p.ending == "g" })
	}
	if f.Result == "" && some("result") {
		f.Result = rapid.SampledFrom([]string{"gold", "silver", "undecided"}).Draw(t, "who")
		game(func(p *plain) bool {
			return p.result == map[string]string{"gold": "w", "silver": "b", "undecided": "u"}[f.Result]
		})
	}
	if some("length") {
		f.Turns = Range{"", strconv.Itoa(len(model.turns))}
		game(func(p *plain) bool { return len(p.turns) <= len(model.turns) })
	}
	if some("twins") {
		f.Twins = true
		game(func(p *plain) bool {
			n := 0
			for i := range games {
				if games[i].positions[0] == p.positions[0] && slices.Equal(games[i].turns, p.turns) {
					n++
				}
			}
			return n > 1
		})
	}
	says.game = func(p *plain) bool {
		return !slices.ContainsFunc(always, func(is func(*plain) bool) bool { return !is(p) })
	}
	return f, says.of(t, &f, at, some)
}

// of adds what a filter says of a board.
func (says condition) of(t *rapid.T, f *Filter, at string, some func(string) bool) condition {
	var exact, class string
	if rapid.Bool().Draw(t, "position") {
		p := boards.Parse(t, at)
		f.Position = &p
	}
	if some("material") {
		exact = letters(at)
		upper := strings.IndexFunc(exact, func(r rune) bool { return r >= 'a' })
		if upper < 0 {
			upper = len(exact)
		}
		f.Material = exact[:upper] + "-" + exact[upper:]
	}
	if some("class") {
		f.Class = rapid.SampledFrom([]string{"ER-r", "R-r", "DR-rr"}).Draw(t, "its name")
		class = f.Class
	}
	var words []word
	if some("pattern") {
		var texts []string
		for range rapid.IntRange(1, 3).Draw(t, "words") {
			w := aWord(t, at)
			words, texts = append(words, w), append(texts, w.text)
		}
		if rapid.Bool().Draw(t, "to move") {
			texts = append(texts, map[byte]string{'g': "gold", 's': "silver"}[at[0]])
			words = append(words, word{"", func(position string) bool { return position[0] == at[0] }})
		}
		var err error
		f.Pattern, err = ParsePattern(strings.Join(texts, " "))
		require.NoError(t, err)
	}
	all := images(at, f.Mirrored, f.Exchanged)
	says.board = func(position string) bool {
		if f.Position != nil && !slices.Contains(all, position) {
			return false
		}
		if class != "" && !ofClass(position, class) {
			return false
		}
		for _, image := range images(position, f.Mirrored, f.Exchanged) {
			if f.Position != nil && image != at || exact != "" && letters(image) != exact {
				continue
			}
			if !slices.ContainsFunc(words, func(w word) bool { return !w.says(image) }) {
				return true
			}
		}
		return false
	}
	return says
}

// ofClass reports whether the pieces of a position have the relative strengths of a class that has
// at most one kind besides rabbits.
func ofClass(position, class string) bool {
	var sides [2]string
	for _, r := range letters(position) {
		side := 0
		if r >= 'a' {
			side = 1
		}
		if r != 'R' && r != 'r' {
			r = 'X'
		}
		sides[side] += strings.ToUpper(string(r))
	}
	want := map[string][2]string{"ER-r": {"RX", "R"}, "R-r": {"R", "R"}, "DR-rr": {"RX", "RR"}}[class]
	for i := range sides {
		all := []rune(sides[i])
		slices.Sort(all)
		sides[i] = string(all)
	}
	return sides == want || sides == [2]string{want[1], want[0]}
}

// setupText returns the setup of a side of a first position.
func setupText(position string, gold bool) string {
	if !gold {
		position = boards.Swap(position)
	}
	var b strings.Builder
	for _, rank := range []int{2, 1} {
		for file := 1; file <= 8; file++ {
			b.WriteByte(square(position, file, rank))
		}
		if rank == 2 {
			b.WriteByte('/')
		}
	}
	return strings.ReplaceAll(b.String(), " ", ".")
}

// mirrorText returns the mirror image of a setup.
func mirrorText(text string) string {
	front, back := []byte(text[:8]), []byte(text[9:])
	slices.Reverse(front)
	slices.Reverse(back)
	return string(front) + "/" + string(back)
}

// fitsText reports whether a setup is one with ? for any square.
func fitsText(want, have string) bool {
	for i := range len(want) {
		if want[i] != '?' && want[i] != have[i] {
			return false
		}
	}
	return true
}

// TestAgainstReplay asks random questions of a library, and compares each answer with what
// replaying all games says. In one of the two runs many positions share half of a key.
func TestAgainstReplay(t *testing.T) {
	games := plainGames(t)
	for _, bits := range []int{64, 6} {
		t.Run(fmt.Sprint(bits, " bits"), func(t *testing.T) {
			shorten(t, bits)
			l := importText(t, 700, archive(games))
			require.NoError(t, l.Verify(context.Background(), func(int) {}))
			met := map[string]int{}
			boards.Check(t, 400, 20_000, func(t *rapid.T) { askBoth(t, l, games, met) })
			boards.ExpectAll(t, met, "some", "none", "position, several games", "pattern", "material", "class", "exchanged", "mirrored", "player", "twins")
		})
	}
}

// shorten makes the index hold so many bits of a key. With few, different positions share them.
func shorten(t *testing.T, bits int) {
	whole := half
	half = func(k zobrist.Key) int64 { return whole(k) & (1<<bits - 1) }
	t.Cleanup(func() { half = whole })
}

// askBoth compares the answers to one question.
func askBoth(t *rapid.T, l *Library, games []plain, met map[string]int) {
	f, says := aFilter(t, games)
	board := f.Position != nil || f.Material != "" || f.Class != "" || f.Pattern != nil
	want := map[string]int{} // the first position, by the id
	for i := range games {
		p := &games[i]
		if !says.game(p) {
			continue
		}
		at := -1
		if board {
			if at = slices.IndexFunc(p.positions, says.board); at < 0 {
				continue
			}
		}
		want[p.id] = at
	}
	got := map[string]int{}
	var last *Game
	order := Sort{By: rapid.SampledFrom(Orders()).Draw(t, "order"), Falling: rapid.Bool().Draw(t, "falling")}
	for g, err := range l.Games(context.Background(), &f, order) {
		require.NoError(t, err)
		if _, twice := got[g.Name]; twice {
			t.Fatalf("game %s comes twice", g.Name)
		}
		got[g.Name] = g.At
		if last != nil && !inOrder(order, last, g) {
			t.Fatalf("%+v: game %d comes before game %d", order, last.ID, g.ID)
		}
		last = g
	}
	if !maps.Equal(got, want) {
		t.Fatalf("%+v\npattern %v: found %v, and replaying finds %v", f, f.Pattern, got, want)
	}
	if n, err := l.Count(context.Background(), &f); err != nil || n != len(want) {
		t.Fatalf("%+v: counted %d, %v; found %d", f, n, err, len(want))
	}
	for name, is := range map[string]bool{
		"none": len(want) == 0, "some": len(want) > 0, "position, several games": f.Position != nil && len(want) > 1, "pattern": f.Pattern != nil && len(want) > 0,
		"material": f.Material != "" && len(want) > 0, "class": f.Class != "" && len(want) > 0, "exchanged": f.Position != nil && f.Exchanged && len(want) > 0,
		"mirrored": f.Position != nil && f.Mirrored && len(want) > 0, "player": f.Player != "" && len(want) > 0, "twins": f.Twins && len(want) > 0,
	} {
		if is {
			met[name]++
		}
	}
}

// inOrder reports whether a game may come before another. What is not known comes last.
func inOrder(order Sort, a, b *Game) bool {
	var by, unknown int
	switch order.By {
	case "date":
		by, unknown = cmp.Compare(a.Date, b.Date), cmp.Compare(a.Date, "")-cmp.Compare(b.Date, "")
	case "rating":
		by, unknown = cmp.Compare(a.GoldRating+a.SilverRating, b.GoldRating+b.SilverRating), min(1, a.GoldRating*a.SilverRating)-min(1, b.GoldRating*b.SilverRating)
		if a.GoldRating*a.SilverRating == 0 {
			by = 0 // of two games without it, too
		}
	case "turns":
		by = cmp.Compare(a.Turns, b.Turns)
	case "event":
		by, unknown = cmp.Compare(strings.ToLower(a.Event), strings.ToLower(b.Event)), cmp.Compare(a.Event, "")-cmp.Compare(b.Event, "")
	case "gold":
		by = cmp.Compare(strings.ToLower(a.Gold), strings.ToLower(b.Gold))
	case "silver":
		by = cmp.Compare(strings.ToLower(a.Silver), strings.ToLower(b.Silver))
	}
	if unknown != 0 {
		return unknown > 0
	}
	if by == 0 {
		by = cmp.Compare(a.ID, b.ID)
	}
	return by < 0 != order.Falling
}

// TestTreeAgainstReplay compares trees with what replaying all games says. The last game has its
// first positions twice, and goes on in different ways.
func TestTreeAgainstReplay(t *testing.T) {
	games := plainGames(t)
	again := playedFrom(t, gamesToMine(t, 1)[0].positions[0], 20, "Ed6s", "ed3s", "Ed5n", "ed2n", "Ed6e", "ed3s")
	games = append(games, plain{id: "again", gold: "ann", silver: "bob", goldRating: 1500, silverRating: 1600, date: "2020-05-06", result: "u", ending: "a"}.with(again))
	for _, bits := range []int{64, 8} {
		t.Run(fmt.Sprint(bits, " bits"), func(t *testing.T) {
			shorten(t, bits)
			l := importText(t, 700, archive(games))
			met := map[string]int{}
			boards.Check(t, 100, 10_000, func(t *rapid.T) { treeBoth(t, l, games, met) })
			boards.ExpectAll(t, met, "several turns", "ended", "exchanged", "mirrored", "repeated", "unrated")
		})
	}
}

// treeBoth compares the trees of one position.
func treeBoth(t *rapid.T, l *Library, games []plain, met map[string]int) {
	model := &games[rapid.IntRange(0, len(games)-1).Draw(t, "model")]
	if rapid.IntRange(0, 9).Draw(t, "the last one") == 0 {
		model = &games[len(games)-1]
	}
	at := model.positions[min(len(model.positions)-1, rapid.IntRange(0, 6).Draw(t, "at"))]
	f := Filter{Mirrored: rapid.Bool().Draw(t, "mirrored"), Exchanged: rapid.Bool().Draw(t, "exchanged")}
	type count struct{ games, gold, silver int }
	want, ended, total := map[string]count{}, 0, 0
	var ratings []int // of those to move
	ratingsAfter := map[string][]int{}
	all := images(at, f.Mirrored, f.Exchanged)
	for i := range games {
		p := &games[i]
		n := slices.IndexFunc(p.positions, func(position string) bool { return slices.Contains(all, position) })
		if n < 0 {
			continue
		}
		total++
		rating := map[byte]int{'g': p.goldRating, 's': p.silverRating}[p.positions[n][0]]
		ratings = append(ratings, rating)
		if n == len(p.turns) {
			ended++
			continue
		}
		result, next := p.result, p.positions[n+1]
		for _, mirrors := range []bool{false, true} {
			for _, swaps := range []bool{false, true} {
				turned := func(position string) string {
					if swaps {
						position = boards.Swap(position)
					}
					if mirrors {
						position = boards.Mirror(position)
					}
					return position
				}
				if mirrors && !f.Mirrored || swaps && !f.Exchanged || turned(p.positions[n]) != at || next == "" {
					continue
				}
				if swaps {
					result = strings.NewReplacer("w", "b", "b", "w").Replace(result)
					met["exchanged"]++
				}
				if mirrors {
					met["mirrored"]++
				}
				c := want[turned(next)]
				c.games++
				if result == "w" {
					c.gold++
				}
				if result == "b" {
					c.silver++
				}
				want[turned(next)] = c
				ratingsAfter[turned(next)] = append(ratingsAfter[turned(next)], rating)
				next = ""
			}
		}
	}
	position := boards.Parse(t, at)
	tree, err := l.Tree(context.Background(), &position, &f)
	require.NoError(t, err)
	got := map[string]count{}
	for i, b := range tree.Branches {
		got[b.After.String()] = count{b.Games, b.Gold, b.Silver}
		if mean := mean(ratingsAfter[b.After.String()]); b.Rating() != mean {
			t.Fatalf("%s: the rating of %v is %d, want %d", at, b.Turn, b.Rating(), mean)
		}
		if after, ok := position.Try(b.Turn); !ok || after != b.After {
			t.Fatalf("%s: %v does not lead to %v", at, b.Turn, b.After)
		}
		if i > 0 && b.Games > tree.Branches[i-1].Games {
			t.Fatalf("%s: the turns are not in their order", at)
		}
	}
	if tree.Games != total || tree.Ended != ended || !maps.Equal(got, want) {
		t.Fatalf("%s %+v: %d games, %d ended, %v; replaying finds %d, %d, %v", at, f, tree.Games, tree.Ended, got, total, ended, want)
	}
	if mean := mean(ratings); tree.Rating() != mean {
		t.Fatalf("%s: the rating is %d, want %d", at, tree.Rating(), mean)
	}
	if slices.Contains(ratings, 0) && slices.Max(ratings) > 0 {
		met["unrated"]++
	}
	if repeated(model, at) {
		met["repeated"]++
	}
	if len(want) > 1 {
		met["several turns"]++
	}
	if ended > 0 {
		met["ended"]++
	}
}

// TestStats compares statistics with counting the games that replaying finds.
func TestStats(t *testing.T) {
	games := plainGames(t)
	l := importText(t, 1<<19, archive(games))
	type player struct {
		name, other, setup, letter string
		ratings                    []int // that count
	}
	for _, f := range []Filter{{}, {Player: "BOT_*"}, {Player: "omar", Result: "won"}, {Player: "*", Opponent: "omar"}, {Setup: "DHCEMCHD/RRRRRRRR"}} {
		for by, name := range map[string]func(p *plain, own player) string{
			"all":      func(*plain, player) string { return "all" },
			"year":     func(p *plain, _ player) string { return p.date[:4] },
			"event":    func(p *plain, _ player) string { return p.event },
			"player":   func(_ *plain, own player) string { return own.name },
			"opponent": func(_ *plain, own player) string { return own.other },
			"setup":    func(_ *plain, own player) string { return own.setup },
			"ending":   func(p *plain, _ player) string { return notation.EndingName(p.ending) },
		} {
			type count struct{ games, won, lost, rating int }
			want, ratings := map[string]count{}, map[string][]int{}
			for i := range games {
				p := &games[i]
				seats := []player{
					{p.gold, p.silver, setupText(p.positions[0], true), "w", []int{p.goldRating}},
					{p.silver, p.gold, setupText(p.positions[0], false), "b", []int{p.silverRating}},
				}
				if f.Player == "" && f.Setup == "" && by != "player" && by != "opponent" && by != "setup" {
					seats = seats[:1]
					seats[0].ratings = []int{p.goldRating, p.silverRating}
				}
				for _, own := range seats {
					if f.Player == "BOT_*" && !strings.HasPrefix(own.name, "bot_") || f.Player == "omar" && (own.name != "omar" || p.result != own.letter) ||
						f.Opponent != "" && own.other != f.Opponent || f.Setup != "" && own.setup != f.Setup {
						continue
					}
					c := want[name(p, own)]
					c.games++
					if p.result == own.letter {
						c.won++
					} else if p.result == "w" || p.result == "b" {
						c.lost++
					}
					ratings[name(p, own)] = append(ratings[name(p, own)], own.ratings...)
					c.rating = mean(ratings[name(p, own)])
					want[name(p, own)] = c
				}
			}
			groups, err := l.Stats(context.Background(), &f, by)
			require.NoError(t, err)
			got := map[string]count{}
			for _, g := range groups {
				got[g.Name] = count{g.Games, g.Won, g.Lost, g.Rating()}
				if g.Games != g.Won+g.Lost+g.Other {
					t.Errorf("%+v does not add up", g)
				}
			}
			if !maps.Equal(got, want) || len(got) == 0 {
				t.Errorf("%+v by %s: %v, and counting finds %v", f, by, got, want)
			}
		}
	}
}

// TestKept imports games, writes each as an archive and as an annotated game, and compares it with
// what was imported. Importing what was written adds nothing.
func TestKept(t *testing.T) {
	games := plainGames(t)
	l := importText(t, 1<<19, archive(games))
	for _, name := range []string{"archive", "annotated"} {
		form, _ := notation.FormNamed(name)
		var b strings.Builder
		b.WriteString(form.Head)
		i := 0
		for g, err := range l.Games(context.Background(), &Filter{}, Sort{}) {
			require.NoError(t, err)
			w, err := g.Written()
			require.NoError(t, err)
			text, lost := form.Write(w)
			if len(lost) > 0 {
				t.Errorf("game %s: %s leaves out %v", g.Name, name, lost)
			}
			b.WriteString(text)
			if form.Head == "" {
				b.WriteByte('\n')
			}
			if want := game(t, games[i].row); g.Name != games[i].id || notation.Turns(want) == "" || want.Last() != w.Game.Main.Last() {
				t.Errorf("game %s came back as %s with other turns", games[i].id, g.Name)
			}
			i++
		}
		if i != len(games) {
			t.Errorf("%d games came back, of %d", i, len(games))
		}
		im := addText(t, l, 1<<19, "again."+name, b.String())
		if im.Added != 0 || im.Known != len(games) {
			t.Errorf("%s: %d games are new in what was written, and %d known, of %d", name, im.Added, im.Known, len(games))
		}
	}
}
