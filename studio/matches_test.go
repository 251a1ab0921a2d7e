package studio_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"goalproof/arimaa"
	"goalproof/engine"
	"goalproof/engine/aei"
	"goalproof/engine/match"
	"goalproof/engine/player"
	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// Programs to play against are the test binary again, which then is a stand-in and runs no tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "stand-in" {
		if err := standIn(os.Args[2], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) > 3 && os.Args[1] == "studio" {
		if err := serve(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Set("test.parallel", "10") // tests wait for programs and bodies more than they compute
	os.Exit(m.Run())
}

// standIn is a session of a program. It plays, or does something else when it is told to go. Each
// listener named hears of it as long as it lives.
func standIn(which string, listeners []string) error {
	for _, address := range listeners {
		if _, err := net.Dial("tcp4", address); err != nil { // which stays open
			return err
		}
	}
	if which == "plays" {
		return aei.Serve(context.Background(), os.Stdin, os.Stdout, aei.Config{
			Version: "1", Settings: player.Settings{Threads: 1, Memory: 1 << 20},
			Check:  func(player.Settings) error { return nil },
			New:    func(player.Settings) (player.Player, error) { return mover{}, nil },
			Random: rand.New(rand.NewPCG(1, 2)),
		})
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		switch in.Text() {
		case "aei":
			fmt.Println("protocol-version 1\nid name <img src=x>\nid version 7\naeiok")
		case "isready":
			fmt.Println("readyok")
		case "go":
			switch which {
			case "resigns":
				fmt.Println("bestmove resign")
			case "cheats":
				fmt.Println("bestmove Ra1n <img src=x>")
			case "breaks the rules":
				fmt.Println("bestmove Ra1n")
			case "crashes":
				fmt.Fprintln(os.Stderr, "<img src=x>")
				os.Exit(3)
			case "floods":
				for _, err := fmt.Println("info depth 1"); err == nil; {
					_, err = fmt.Println(strings.Repeat("x", 1<<20))
				}
			case "waits":
				time.Sleep(time.Hour)
			}
		case "quit":
			return nil
		}
	}
	return in.Err()
}

// mover is an engine that plays the first legal turn.
type mover struct{}

func (mover) Forget() {}

func (mover) Search(_ context.Context, g *arimaa.Game, _ engine.Limits, _ func(engine.Report)) (r engine.Report, err error) {
	p := g.Last()
	var turns arimaa.Generator
	for i := range turns.Generate(&p) {
		if g.At(g.Len()).Play(turns.Turn(i)) == nil {
			r.Turn = turns.Turn(i)
			return r, nil
		}
	}
	return r, errors.New("no turn")
}

// program is a stand-in under its own name.
func program(which string, listeners ...string) studio.Program {
	return studio.Program{Name: which, Command: match.Command{Args: append([]string{os.Args[0], "stand-in", which}, listeners...)}}
}

// patient is a time control that no slow machine exceeds.
const patient = "10m/10m"

// TestGame plays games between programs: each ends as it should, and what a program says stays
// text.
func TestGame(t *testing.T) {
	t.Parallel() // it waits for programs
	var all []studio.Program
	for _, which := range []string{"plays", "resigns", "cheats", "breaks the rules", "crashes", "floods", "waits"} {
		all = append(all, program(which))
	}
	c := start(t, studio.Options{Programs: all})
	if got := ask[struct{ Programs []string }](c, "GET", "/api/studio", nil).Programs; len(got) != len(all) || got[0] != "plays" {
		t.Errorf("programs: %q", got)
	}
	goal := studio.Study{Position: "Ra7 Eb2 rh5 eg7 g", Number: 9}
	for _, test := range []struct {
		gold, silver, control string
		study                 studio.Study
		winner, how, says     string
	}{
		{"goalproof", "plays", patient, goal, "gold", "goal", "gold wins by goal."},
		{"plays", "resigns", patient, studio.Study{Position: opening}, "gold", "resignation", "gold wins: silver resigns."},
		{"cheats", "plays", patient, studio.Study{Position: opening}, "silver", "junk", "gold breaks the protocol (turn 2g"},
		{"breaks the rules", "plays", patient, studio.Study{Position: opening}, "silver", "illegal", "gold plays an illegal turn (turn 2g, Ra1n"},
		{"crashes", "plays", patient, studio.Study{Position: opening}, "silver", "crash", "<img src=x>"},
		{"plays", "floods", patient, studio.Study{Position: opening}, "gold", "junk", "silver breaks the protocol"},
		{"plays", "waits", "0/0///0/0.5s", studio.Study{Position: opening}, "gold", "hang", "silver does not answer"},
		{"plays", "you", "0/0///0/0.5s", studio.Study{Position: opening}, "gold", "time", "silver loses on time (no turn within 500ms)."},
	} {
		job := c.ended(task{Kind: "game", Study: &test.study, Gold: test.gold, Silver: test.silver,
			Control: test.control, Unusual: true, Threads: 1})
		r := job.Result
		if job.State != "done" || r == nil || r.Verdict != "played" || r.Winner != test.winner || r.Ended != test.how || !strings.Contains(r.Says, test.says) {
			t.Errorf("%s against %s: %+v, %+v", test.gold, test.silver, job, r)
			continue
		}
		v := viewOf(c, "view", map[string]any{"study": job.Game.Study})
		if (v.Over != nil) != (test.how == "goal") {
			t.Errorf("%s: over: %v", r.Says, v.Over)
		}
	}
	study := &studio.Study{Position: opening}
	refuses(c, "/api/jobs", map[string]task{
		"no study":                    {Kind: "game"},
		"gold: nobody":                {Kind: "game", Study: study},
		`silver: player "/bin/sh"`:    {Kind: "game", Study: study, Gold: "plays", Silver: "/bin/sh"},
		`gold: player "plays "`:       {Kind: "game", Study: study, Gold: "plays ", Silver: "plays"},
		os.Args[0]:                    {Kind: "game", Study: study, Gold: os.Args[0] + " stand-in plays", Silver: "plays"},
		`time control "soon"`:         {Kind: "game", Study: study, Gold: "plays", Silver: "plays", Control: "soon"},
		"it sets no limit":            {Kind: "game", Study: study, Gold: "plays", Silver: "plays", Control: "0/0"},
		`unknown field "seconds"`:     {Kind: "game", Study: study, Gold: "plays", Silver: "plays", Seconds: 1},
		`unknown field "gold"`:        {Kind: "play", Study: study, Gold: "plays"},
		"half of it is too little":    {Kind: "game", Study: study, Gold: "plays", Silver: "goalproof", Memory: 1 << 20},
		"gold wins by":                {Kind: "game", Study: &studio.Study{Position: goal.Position, Turns: []string{"Ra7n"}}, Gold: "plays", Silver: "plays", Unusual: true},
		"the turn under way":          {Kind: "game", Study: &studio.Study{Position: opening, Steps: "Ee2n"}, Gold: "plays", Silver: "plays"},
		"no game leads to this posit": {Kind: "game", Study: &studio.Study{Position: "Rc3 rh5 g"}, Gold: "plays", Silver: "plays"},
	})
}

// TestGameYou plays a game of a person against a program: turns against the rules or out of turn
// are refused, and resigning ends it.
func TestGameYou(t *testing.T) {
	c := start(t, studio.Options{Programs: []studio.Program{program("plays")}})
	id := c.begin(task{Kind: "game", Study: &studio.Study{Position: opening}, Gold: "you", Silver: "plays", Control: patient}).ID
	look := func() studio.Job { return c.job(id) }
	yours := func(turns int) func() bool {
		return func() bool { g := look().Game; return g != nil && g.ToMove == "gold" && len(g.Study.Turns) == turns }
	}
	until(t, "your turn", yours(0))
	first := look().Game.Clocks
	until(t, "time that runs", func() bool { return look().Game.Clocks[0].Turn < first[0].Turn })
	if g := look().Game; g.Clocks[1] != first[1] || g.Clocks[0].Reserve != 600 {
		t.Errorf("clocks %+v, then %+v", first, g.Clocks)
	}
	path := "/api/jobs/" + id + "/turn"
	for want, body := range map[string]any{
		"turn:":             map[string]any{"turn": "Ra1n"},
		"wait for your":     map[string]any{"turn": "Ee2n", "turns": 1},
		"<img":              map[string]any{"turn": "<img src=x>"},
		"unknown field":     map[string]any{"command": "/bin/sh"},
		"there is no such ": map[string]any{"turn": "Ee2n"},
	} {
		at := path
		if want == "there is no such " {
			at = "/api/jobs/99/turn"
		}
		c.refusedFor(0, want, "POST", at, body)
	}
	ask[studio.Job](c, "POST", path, map[string]any{"turn": "Ee2n"})
	until(t, "the answer", yours(2))
	if got := look().Game.Study.Turns[0]; got != "Ee2n" {
		t.Errorf("played %q", got)
	}
	ask[studio.Job](c, "POST", path, map[string]any{"turn": "resign", "turns": 2})
	job, _ := c.end(id)
	if r := job.Result; r == nil || r.Winner != "silver" || r.Says != "silver wins: gold resigns." {
		t.Errorf("%+v", job)
	}
	c.refusedFor(0, "wait for your", "POST", path, map[string]any{"turn": "Ee3n", "turns": 2})
}

// TestGameStopped checks that a game that is stopped keeps its turns, and that its processes end
// with it and with the studio.
func TestGameStopped(t *testing.T) {
	t.Parallel() // it waits for programs
	l := listen(t)
	var alive []net.Conn
	ended := func() {
		t.Helper()
		for _, a := range alive {
			_ = a.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := a.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("a process lives on: %v", err)
			}
		}
		alive = nil
	}
	t.Run("studio", func(t *testing.T) {
		c := start(t, studio.Options{Programs: []studio.Program{program("plays", l.Addr().String()), program("waits", l.Addr().String())}})
		begin := func() string {
			id := c.begin(task{Kind: "game", Study: &studio.Study{Position: opening}, Gold: "plays", Silver: "waits", Control: patient}).ID
			for range 2 {
				a, err := l.Accept()
				require.NoError(t, err)
				alive = append(alive, a)
			}
			until(t, "a turn", func() bool {
				g := c.job(id).Game
				return g != nil && len(g.Study.Turns) == 1
			})
			return id
		}
		id := begin()
		c.stop(id)
		job, _ := c.end(id)
		if r := job.Result; job.State != "done" || r == nil || r.Verdict != "stopped" || r.Says != "The game was stopped after 1 turn." || len(job.Game.Study.Turns) != 1 {
			t.Errorf("%+v, %+v", job, job.Result)
		}
		ended()
		begin()
	})
	ended() // the studio has ended
}

// TestPrograms checks the names of programs.
func TestPrograms(t *testing.T) {
	l := listen(t)
	for _, names := range [][]string{{""}, {"you"}, {"goalproof"}, {"a", "a"}, {" a"}, {"a\x1b"}, {strings.Repeat("a", 61)}} {
		o := studio.Options{Memory: 64 << 20}
		for _, name := range names {
			o.Programs = append(o.Programs, studio.Program{Name: name})
		}
		if _, err := studio.New(t.Context(), l, o); err == nil {
			t.Errorf("%q: %v", names, err)
		}
	}
}
