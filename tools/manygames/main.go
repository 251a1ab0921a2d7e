// Command manygames writes a large archive of invented games, to measure with it what a library of
// games takes in time and memory.
//
//	go run ./tools/manygames -games 100000 -seed 1 archive.tsv... > games.tsv
//
// Each game begins as one of those in the archives given, leaves it at a random turn and goes on
// with random ones, so that many games share their first turns and few the later ones, as in an
// archive that has grown. One game in a hundred has the turns of an earlier game throughout.
// Players, ratings, events and dates are invented: some players have far more games than others.
//
// The same seed and archives give the same bytes, and fewer games are the first of more: a game
// depends on the seed and its number alone. None is kept in memory.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
)

const (
	shortest, mean, longest = 10, 59, 150 // turns of both sides of a game that the board does not end
	players                 = 2000
	copied                  = 100 // one game in so many has the turns of an earlier one
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("manygames: ")
	games := flag.Int("games", 1000, "number of games")
	seed := flag.Uint64("seed", 1, "another seed writes other games")
	flag.Parse()
	a := archive{seed: *seed}
	if err := a.read(flag.Args()); err != nil {
		log.Fatal(err)
	}
	if a.unread > 0 {
		log.Printf("%d of %d games cannot be read and are left out", a.unread, a.unread+len(a.origins))
	}
	if err := a.write(os.Stdout, *games); err != nil {
		log.Fatal(err)
	}
}

// archive is what is to be written.
type archive struct {
	seed    uint64
	origins []*arimaa.Game // games as which others begin
	unread  int            // games that cannot be read
}

// read reads the games of archives. The error is that of a file, or that there are no games.
func (a *archive) read(files []string) error {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		records, err := notation.ReadArchive(file, string(text))
		if err != nil {
			return err
		}
		for _, r := range records {
			if g, err := r.Game(); err == nil && g.Len() > 0 {
				a.origins = append(a.origins, g)
			} else {
				a.unread++
			}
		}
	}
	if len(a.origins) == 0 {
		return fmt.Errorf("name archives with games to begin from")
	}
	return nil
}

// columns are those of the game room's archive.
const columns = "id\twplayerid\tbplayerid\twusername\tbusername\twtitle\tbtitle\twcountry\tbcountry\twrating\tbrating\t" +
	"wratingk\tbratingk\twtype\tbtype\tevent\tsite\ttimecontrol\tpostal\tstartts\tendts\tresult\ttermination\t" +
	"plycount\tmode\trated\tcorrupt\tmovelist"

// write writes the header and so many games.
func (a *archive) write(out io.Writer, games int) error {
	form, _ := notation.FormNamed("archive")
	known := strings.Split(strings.TrimSpace(form.Head), "\t")
	buffer := bufio.NewWriter(out)
	fmt.Fprintln(buffer, columns)
	for i := range games {
		w, cells := a.invent(i)
		text, _ := form.Write(w)
		for j, cell := range strings.Split(strings.TrimSuffix(text, "\n"), "\t") {
			if cell != "" {
				cells[known[j]] = cell
			}
		}
		var row []string
		for name := range strings.SplitSeq(columns, "\t") {
			row = append(row, cells[name])
		}
		if _, err := fmt.Fprintln(buffer, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return buffer.Flush()
}

var (
	events = []string{"Casual game", "Casual game", "Casual game", "Spring Open", "Autumn Open", "Winter League", "Club Match",
		"Postal Cup", "Blitz Night", "Rookie Cup", "Bot Ladder", "Handicap Day"}
	timeControls = []string{"15s/90s/100/120s/2h", "30s/3m/100/0/2h/3m", "2/2/100/10/8", "3/3/100/3/0", "4/4/100/4/0", "8s/0/100"}
)

// Games begin between these times, in seconds since 1970: 1 January 2002 and 1 January 2026.
const earliest, latest = 1009843200, 1767225600

// invent returns game i for the form of an archive, and the cells that this form leaves out or
// empty.
func (a *archive) invent(i int) (notation.Written, map[string]string) {
	g, pair, r := a.game(i)
	begun := earliest + r.Int64N(latest-earliest)
	cells := map[string]string{
		"site": "Over the Net", "postal": "0", "mode": "IGS", "corrupt": "0",
		"rated":   strconv.Itoa(min(r.IntN(5), 1)),
		"startts": strconv.FormatInt(begun, 10), "endts": strconv.FormatInt(begun+int64(g.Len())*(5+r.Int64N(60)), 10),
		"plycount": strconv.Itoa(g.Number(g.Len() - 1)),
	}
	tags := map[string]string{
		"Source":      fmt.Sprintf("many-%d-%d", a.seed, i+1),
		"Event":       events[r.IntN(len(events))],
		"TimeControl": timeControls[r.IntN(len(timeControls))],
		// Where the board has ended the game, it counts, and these two tags do not.
		"Result": "0-1", "ResultCode": []string{"r", "r", "t"}[r.IntN(3)],
	}
	last := g.Last()
	gold, silver := last.Of(arimaa.Gold).Len(), last.Of(arimaa.Silver).Len()
	if r.IntN(gold*gold+silver*silver) < gold*gold {
		tags["Result"] = "1-0"
	}
	for side, name := range []string{"Gold", "Silver"} {
		p, letter := playerOf(pair[side]), "wb"[side:side+1]
		tags[name], tags[name+"Rating"] = p.name, strconv.Itoa(p.rating+r.IntN(81)-40)
		maps.Copy(cells, map[string]string{letter + "playerid": strconv.Itoa(pair[side] + 1), letter + "type": p.kind})
	}
	game := notation.Line(g)
	game.Tags = tags
	return notation.Written{Game: game}, cells
}

// game returns the turns of game i, its players, and the random numbers for what else it has.
func (a *archive) game(i int) (g *arimaa.Game, pair [2]int, r *rand.Rand) {
	r = rand.New(rand.NewPCG(a.seed, uint64(i)))
	popular := rand.NewZipf(r, 1.1, 10, players-1)
	draw := func() {
		for pair[0], pair[1] = int(popular.Uint64()), int(popular.Uint64()); pair[0] == pair[1]; {
			pair[1] = int(popular.Uint64())
		}
	}
	draw()
	if i == 0 || r.IntN(copied) > 0 {
		return a.play(r), pair, r
	}
	g, others, _ := a.game(r.IntN(i))
	for pair == others {
		draw()
	}
	return g, pair, r
}

// play returns a game that leaves one of the origins.
func (a *archive) play(r *rand.Rand) *arimaa.Game {
	origin := a.origins[r.IntN(len(a.origins))]
	length := min(shortest+int((r.ExpFloat64()+r.ExpFloat64())*(mean-shortest)/2), longest)
	g := origin.At(r.IntN(min(origin.Len(), length)))
	for misses := 0; g.Len() < length && misses < 1000 && !g.Outcome().Over(); {
		if g.Play(turn(g.Last(), r)) != nil { // the board as it was, or a third repetition
			misses++
		}
	}
	return g
}

// turn returns random steps that may be a turn at p. Half of the turns take all their steps.
func turn(p arimaa.Position, r *rand.Rand) (t arimaa.Turn) {
	steps := min(1+r.IntN(6), arimaa.StepsPerTurn)
	var room [128]arimaa.Option
	for t.Len() < steps {
		options := p.Options(room[:0])
		if len(options) == 0 {
			break
		}
		o := options[r.IntN(len(options))]
		t, p = t.WithOption(o), p.After(o)
	}
	return t
}

// player is one of those invented.
type player struct {
	name, kind string // h is a human, b a bot
	rating     int
}

// playerOf returns a player by his place among them: those with most games first.
func playerOf(i int) player {
	r := rand.New(rand.NewPCG(0, uint64(i)))
	p := player{kind: "h", rating: 1000 + (r.IntN(1801)+r.IntN(1801))/2}
	const sounds = "badefigukolamineporusatiwu" // 13 syllables
	for n, rest := 0, i*1009%2197; n < 3; n, rest = n+1, rest/13 {
		at := 2 * (rest % 13)
		p.name += sounds[at : at+2]
	}
	if r.IntN(10) == 0 {
		p.kind, p.name = "b", "bot_"+p.name
	}
	return p
}
