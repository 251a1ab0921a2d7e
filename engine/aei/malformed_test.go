package aei

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// states are the lines that lead to the states in which malformed lines are tried.
var states = map[string][]string{
	"at the start": nil,
	"setup":        {"aei"},
	"half set up":  {"aei", "setoption name tcmove value 10", "makemove " + goldSetup},
	"in a game": {
		"aei", "setoption name tcmove value 10", "setoption name greserve value 20", "setoption name depth value 8",
		"makemove " + goldSetup, "makemove " + silverSetup, "makemove Ee2n Ee3n", "makemove ed7s",
	},
	"searching":        {"aei", inOpening, "go"},
	"pondering":        {"aei", inOpening, "go ponder"},
	"pondering, setup": {"aei", "go ponder"},
}

// snapshot writes down the state of a session.
func snapshot(s *session) string {
	game := ""
	if s.game != nil {
		game = notation.Turns(s.game)
	}
	return fmt.Sprint(s.opened, s.quit, s.err, game, s.setup, s.clock, s.started, s.depth, s.nodes, s.settings, s.made, s.search != nil,
		s.search != nil && s.search.result != nil)
}

// malformed makes a line of a known type that nobody understands.
func malformed(random *rand.Rand) string {
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	// A word with a character that stands in no message.
	junk := func() string {
		b := make([]byte, 1+random.IntN(9))
		for i := range b {
			if b[i] = byte(random.IntN(256)); b[i] == '\n' || b[i] == '\r' {
				b[i] = 0
			}
		}
		b[random.IntN(len(b))] = pick("!", "~", "\x00", "\xff", "\x7f", "?")[0]
		return string(b)
	}
	number := func() string {
		return pick(junk(), "-1", "+-3", "1e3", "NaN", "Inf", "0x10", "1_000", "٣", "", " ", "99999999999999999999", "1 2", "1,5", "--", ".")
	}
	squares := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "   rcdhmeRCDHME"[random.IntN(15)]
		}
		return string(b)
	}
	switch random.IntN(9) {
	case 0:
		return pick("aei", "isready", "newgame", "stop", "quit") + " " + junk()
	case 1:
		return "go " + pick(junk(), "Ponder", "ponder ponder", "infinite", "ponder 1", "pond er")
	case 2:
		return "setoption" + pick("", " ", " name", " name ", " name  ", " name value", " name value 3", " value 3", " names depth value 3", " depth 3", " "+junk())
	case 3:
		return "setoption name " + pick("tcmove", "tcreserve", "tcmax", "tctotal", "tcturntime", "greserve", "sreserve",
			"moveused", "lastmoveused", "gused", "sused", "tcpercent", "tcturns", "hash", "threads", "rated") + pick("", " value", " value "+number())
	case 4:
		return "setoption name " + pick("depth value "+pick("x", "4.5", "", junk(), "99999999999999999999"),
			"hash value 1000000", "threads value 9", "tcpercent value 101", "rated value 2", "tcmove value 1000000000")
	case 5:
		side, n := pick("g", "s"), 64
		switch random.IntN(4) {
		case 0:
			side = pick("", "x", "gold", junk())
		case 1:
			n = random.IntN(64)
		case 2:
			n = 65 + random.IntN(100)
		case 3:
			return "setposition " + side + " [" + squares(40) + pick("x", "\x00", "ö", "!", "K") + squares(23) + "]"
		}
		return "setposition " + side + " [" + squares(n) + "]"
	case 6:
		return pick("setposition", "setposition ", "setposition g", "setposition [", inOpening[:len(inOpening)-1], inOpening+junk(),
			strings.Replace(inOpening, "[", "", 1), "setposition g [[["+squares(64)+"]",
			`setposition g "`+squares(63)+`"`, `setposition "g `+squares(65)+`"`, `setposition g "`+squares(64), "setposition g rrr/8/8/8/8/8/8/RRR")
	case 7:
		return pick("makemove", "makemove ", "makemove  \t", "makemove "+goldSetup+" "+junk(), "makemove "+silverSetup+" "+junk(),
			"makemove Ee2n "+junk(), "makemove "+junk(), "makemove Ra1 Ra1", "makemove Ee2n Ra1", "makemove Ee9n", "makemove Ex2n", "makemove Ee2nn")
	default:
		return pick("makemove ", "setposition ", "setoption ", "go ", "isready ", "quit ") + strings.Repeat(junk(), maxLine)
	}
}

// TestMalformed sends malformed lines of known types in every state: each is answered by one line
// that says what is wrong, and changes nothing.
func TestMalformed(t *testing.T) {
	n := boards.Sized(400, 5000)
	answer := regexp.MustCompile(`^log Error: (aei|isready|newgame|setposition|setoption|makemove|go|stop|quit): .+\n$`)
	for name, lines := range states {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, 8))
			var out strings.Builder
			f := &fake{t: t}
			c := config(f)
			s := &session{Config: c, ctx: t.Context(), out: &out, settings: c.Settings}
			defer s.drop()
			read := time.Now()
			for _, text := range lines {
				s.handle(line{text: text, read: read})
			}
			if strings.Contains(out.String(), "Error") {
				t.Fatal(out.String())
			}
			want := snapshot(s)
			for range n {
				text := malformed(random)
				out.Reset()
				l := line{text: text[:min(len(text), maxLine)], long: len(text) >= maxLine, read: read}
				s.handle(l)
				got := out.String()
				if !answer.MatchString(got) || strings.Count(got, "\n") != 1 || len(got) > 4*maxLog ||
					strings.ContainsFunc(strings.TrimSuffix(got, "\n"), func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Fatalf("%.200q: %.500q", text, got)
				}
				if got := snapshot(s); got != want {
					t.Fatalf("%.200q changed the state from\n%s\nto\n%s", text, want, got)
				}
			}
		})
	}
}

// TestLongLines sends lines of megabytes among others.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("Ee2n ", 1<<20)
	input := "aei\nmakemove " + long + "\nisready\n" + inOpening + " " + long + "\nisready\ngo" + strings.Repeat(" ", 3*maxLine) + "\nisready\n" +
		"isready" + strings.Repeat(" ", maxLine-8) + "\n" + "isready" + strings.Repeat(" ", maxLine-7) + "\nisready " + long
	got, err := converse(t, &fake{t: t}, input)
	tooLong := func(kind string) string {
		return fmt.Sprintf("log Error: %s: the line is longer than %d bytes", kind, maxLine)
	}
	want := append(slices.Clone(opened), tooLong("makemove"), "readyok", tooLong("setposition"), "readyok", tooLong("go"), "readyok",
		"readyok", tooLong("isready"), tooLong("isready"))
	if !slices.Equal(got, want) || err != nil {
		t.Errorf("%v\n%.1000q\nwant\n%q", err, got, want)
	}
}

// TestUnknownMessages sends each unknown message in a session of its own, also during a search:
// it is named, and the session ends.
func TestUnknownMessages(t *testing.T) {
	for _, unknown := range []string{
		"uci", "xyzzy", "Go", "GO", "go\tponder", "isready\x00", "\x00", "\xff\xfe", "aeiok", "bestmove Ee2n", "stop;quit", "makemoveEe2n",
		"é", "#", "\ufeffaei", "x\r", strings.Repeat("a", 3<<20), strings.Repeat("\x00", maxLine), strings.Repeat("go", maxLine) + " ponder",
	} {
		for _, before := range []string{"", "aei\n", "aei\n" + inOpening + "\ngo\n", "aei\n" + inOpening + "\ngo ponder\n"} {
			f := &fake{t: t}
			got, err := converse(t, f, before+unknown+"\nisready\n")
			if !errors.Is(err, ErrUnknownMessage) || f.busy.Load() {
				t.Errorf("%.50q: the session ended with %v", unknown, err)
			}
			if last := got[len(got)-1]; !strings.HasPrefix(last, "log Error: unknown message ") || len(last) > 4*maxLog || slices.ContainsFunc(got, isBest) {
				t.Errorf("%.50q: %.500q", unknown, got)
			}
		}
	}
}
