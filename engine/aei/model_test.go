package aei

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/boards"
)

// model says what a session answers, as long as no search ends by itself.
type model struct {
	input  strings.Builder
	want   []string // a line ending in ... stands for all that begin like it
	game   *arimaa.Game
	placed string // by Gold, or nothing
	search string // go, go ponder or nothing
}

func (m *model) send(line string, answers ...string) {
	m.input.WriteString(line + "\n")
	m.want = append(m.want, answers...)
}

// best is the answer of a search in the present position.
func (m *model) best() string {
	switch {
	case m.game == nil:
		return "bestmove ..."
	case m.over():
		return "bestmove "
	}
	return "bestmove " + m.game.Last().Notation(firstTurn(m.game))
}

func (m *model) over() bool { return m.game != nil && m.game.Outcome().Over() }

// TestBursts sends bursts of messages of all kinds, without waiting for answers. A legal turn, a
// new game and a position end a search without a bestmove; what is refused leaves it alone. Where the
// game is over the bestmove has no steps.
func TestBursts(t *testing.T) {
	over := boards.Parse(t, "Ee2 Ra8 ea1 rh8 s")
	opening := func() *arimaa.Game { return arimaa.NewGame(mustPosition(t), 2) }
	boards.Check(t, 30, 200, func(t *rapid.T) {
		m := &model{}
		m.send("aei", opened...)
		t.Repeat(map[string]func(*rapid.T){
			"isready":   func(*rapid.T) { m.send("isready", "readyok") },
			"setoption": func(*rapid.T) { m.send("setoption name hash value 77") },
			"go": func(*rapid.T) {
				switch {
				case m.search == "go":
					m.send("go", "log Error: go: ...")
				case m.over():
					m.send("go", "log Warning: go: the game is over: ...", m.best())
					m.search = ""
				case m.game == nil:
					m.send("go", m.best())
					m.search = ""
				default:
					m.send("go")
					m.search = "go"
				}
			},
			"go ponder": func(*rapid.T) {
				switch {
				case m.search != "":
					m.send("go ponder", "log Error: go: ...")
					return
				case m.over():
					m.send("go ponder", "log Warning: go: the game is over: ...")
				default:
					m.send("go ponder")
				}
				m.search = "go ponder"
			},
			"stop": func(*rapid.T) {
				if m.search == "" {
					m.send("stop", "log Error: stop: ...")
					return
				}
				m.send("stop", m.best())
				m.search = ""
			},
			"makemove": func(t *rapid.T) {
				switch {
				case m.over():
					m.send("makemove Ee2n", "log Error: makemove: ...")
					return
				case m.game == nil && m.placed == "":
					m.send("makemove " + goldSetup)
					m.placed = goldSetup
				case m.game == nil:
					m.send("makemove " + silverSetup)
					m.game, _ = notation.ReadGame("", "1g "+goldSetup+"\n1s "+silverSetup+"\n2g")
				default:
					p := m.game.Last()
					var gen arimaa.Generator
					turn := gen.Turn(rapid.IntRange(0, gen.Generate(&p)-1).Draw(t, "turn"))
					if err := m.game.Play(turn); err != nil {
						m.send("makemove "+p.Notation(turn), "log Error: makemove: ...")
						return
					}
					m.send("makemove " + p.Notation(turn))
				}
				m.search = ""
			},
			"illegal":     func(*rapid.T) { m.send("makemove Ee2e Ee2w", "log Error: makemove: ...") },
			"newgame":     func(*rapid.T) { m.send("newgame"); m.game, m.placed, m.search = nil, "", "" },
			"setposition": func(*rapid.T) { m.send(inOpening); m.game, m.search = opening(), "" },
			"setposition, over": func(*rapid.T) {
				m.send("setposition " + over.String())
				m.game, m.search = arimaa.NewGame(over, 2), ""
			},
		})
		got, err := converse(t, &fake{t: t}, m.input.String())
		if err != nil || len(got) != len(m.want) {
			t.Fatalf("%v, %d lines, want %d\n%s\n%q\nwant\n%q", err, len(got), len(m.want), m.input.String(), got, m.want)
		}
		for i, want := range m.want {
			if begin, more := strings.CutSuffix(want, "..."); got[i] != want && (!more || !strings.HasPrefix(got[i], begin)) {
				t.Fatalf("line %d: %q, want %q\n%s", i, got[i], want, m.input.String())
			}
		}
	})
}
