package studio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"strings"

	"goalproof/arimaa/notation"
	"goalproof/internal/files"
)

// Game is a game with comments and variations: the tree of turns that a client keeps. A study is a
// path in it.
type Game struct {
	Position string            `json:"position"`       // the first one, as in a Study
	Number   int               `json:"number"`         // of the turn that comes first
	Tags     map[string]string `json:"tags,omitempty"` // Gold, Silver, Event, ...
	// Nodes is the tree. The first node is the first position. Each other node is a turn and comes
	// after its parent. The first child of a node continues its line; the others begin variations.
	Nodes []GameNode `json:"nodes"`
}

// GameNode is a turn of a game, with its annotations.
type GameNode struct {
	Parent  int    `json:"parent"` // its index; -1 of the first node
	Turn    string `json:"turn"`   // as records write it; "" of the first node
	Sign    string `json:"sign"`   // such as !, ?? or !?, or ""
	Comment string `json:"comment"`
}

// maxNodes is the greatest number of nodes of a game.
const maxNodes = 20_000

// children returns the children of each node. The error says which node is no node of a tree, or
// has a sign that does not exist.
func (g *Game) children() ([][]int, error) {
	children := make([][]int, len(g.Nodes))
	nesting := make([]int, len(g.Nodes))
	for i, n := range g.Nodes {
		if strings.Trim(n.Sign, "!?") != "" || len(n.Sign) > 2 {
			return nil, fmt.Errorf("node %d: sign %q: it is !, ?, !!, ??, !?, ?! or nothing", i, notation.Legible(n.Sign))
		}
		if i == 0 {
			continue
		}
		if n.Parent < 0 || n.Parent >= i {
			return nil, fmt.Errorf("node %d: parent %d: it is one of the nodes before it", i, n.Parent)
		}
		nesting[i] = nesting[n.Parent]
		if len(children[n.Parent]) > 0 {
			nesting[i]++
		}
		if nesting[i] > notation.MaxNesting {
			return nil, fmt.Errorf("node %d: variations lie at most %d deep within each other", i, notation.MaxNesting)
		}
		children[n.Parent] = append(children[n.Parent], i)
	}
	return children, nil
}

// read plays all lines of a game. The error says what is not legal.
func (g *Game) read() (*notation.Annotated, error) {
	p, err := (&Study{Position: g.Position, Number: g.Number}).read()
	switch {
	case err != nil:
		return nil, err
	case len(g.Nodes) == 0 || g.Nodes[0].Parent != -1 || g.Nodes[0].Turn != "":
		return nil, errors.New("nodes: the first one has the parent -1 and no turn")
	case len(g.Nodes) > maxNodes:
		return nil, fmt.Errorf("nodes: there are %d, and may be %d", len(g.Nodes), maxNodes)
	}
	a := &notation.Annotated{Tags: maps.Clone(g.Tags), Main: p.game.At(0), Nodes: make([]notation.Node, len(g.Nodes))}
	for i, n := range g.Nodes {
		a.Nodes[i] = notation.Node{Parent: n.Parent, Sign: n.Sign, Comment: notation.Comment(n.Comment)}
	}
	children, err := g.children()
	if err != nil {
		return nil, err
	}
	// Each turn is played with the history of its own line.
	var play func(i int) error
	play = func(i int) error {
		for _, child := range children[i] {
			if err := notation.Play(p.game, g.Nodes[child].Turn); err != nil {
				return fmt.Errorf("node %d: %w", child, err)
			}
			a.Nodes[child].Turn = p.game.Turn(p.game.Len() - 1)
			if len(children[child]) == 0 && a.Main.Len() == 0 {
				a.Main = p.game.At(p.game.Len()) // the main line ends before all others
			}
			if err := play(child); err != nil {
				return err
			}
			_ = p.game.TakeBack() // it was played
		}
		return nil
	}
	return a, play(0)
}

// gameOf writes an annotated game down.
func gameOf(a *notation.Annotated) *Game {
	p := point{game: a.Main}
	s := p.study()
	g := &Game{Position: s.Position, Number: s.Number, Tags: a.Tags}
	game := a.Main.At(0)
	var path []int // to the position of the game
	for i, n := range a.Nodes {
		shown := GameNode{Parent: n.Parent, Sign: n.Sign, Comment: n.Comment}
		if i > 0 {
			for path[len(path)-1] != n.Parent { // the nodes stand in the order of their lines
				path = path[:len(path)-1]
				_ = game.TakeBack()
			}
			last := game.Last()
			shown.Turn = last.Notation(n.Turn)
			_ = game.Play(n.Turn) // which has been played before
		}
		path = append(path, i)
		g.Nodes = append(g.Nodes, shown)
	}
	return g
}

// text writes a game in the annotated form, which is read again as the same.
func (g *Game) text() (string, error) {
	a, err := g.read()
	if err != nil {
		return "", err
	}
	text := a.Write()
	if len(text) > notation.MaxEntry {
		return "", fmt.Errorf("the game takes %d bytes, and may take %d", len(text), notation.MaxEntry)
	}
	return text, nil
}

// annotateRequest asks for a game in the annotated form.
type annotateRequest struct {
	Game Game `json:"game"`
}

// annotateAnswer is its text.
type annotateAnswer struct {
	Text string `json:"text"`
}

func (s *Server) annotate(r annotateRequest) (a annotateAnswer, err error) {
	a.Text, err = r.Game.text()
	return a, err
}

// keptGame is a game of the workspace.
type keptGame struct {
	keptFile
	Game *Game `json:"game"`
}

// readGame reads the text of a game.
func readGame(root *os.Root, file string) ([]byte, error) {
	f, err := root.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := files.ReadLimited(f, notation.MaxEntry)
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return text, err
}

// played is what a list says about a game of the workspace.
type played struct {
	Gold   string `json:"gold"`   // name, or ""
	Silver string `json:"silver"` // name, or ""
	Result string `json:"result"` // of a game, as its record says: 1-0, 0-1, or ""
	Date   string `json:"date"`   // of a game, as its record says, or ""
	Turns  int    `json:"turns"`  // of its main line
	Last   string `json:"last"`   // position of the main line, in one line; "": the list has not read the game
}

// knownGame is what the studio remembers about a game of the workspace.
type knownGame struct {
	version string // of its text, or a stamp if the file cannot be read
	played
}

// maxPlayed is the number of bytes of games that one list plays through. Later lists take the rest.
const maxPlayed = 4 << 20

// gameReader returns a function that reads the facts about games for one list.
func (s *Server) gameReader() func(fs.FileInfo) (knownGame, bool) {
	left := maxPlayed
	return func(info fs.FileInfo) (knownGame, bool) {
		text, err := readGame(s.options.Workspace, info.Name())
		if err != nil {
			return knownGame{version: stamp(info)}, true
		}
		facts := knownGame{version: version(text)}
		if left <= 0 {
			return facts, false
		}
		left -= len(text)
		if a, err := notation.ReadVariations(info.Name(), string(text)); err == nil {
			tags, g := a.Tags, a.Main
			facts.played = played{clipped(tags["Gold"]), clipped(tags["Silver"]), clipped(tags["Result"]), clipped(tags["Date"]), g.Len(), g.Last().String()}
		}
		return facts, true
	}
}

// gameTask asks for a game to be saved.
type gameTask struct {
	Name    string `json:"name"`    // "": the studio chooses one that is free
	Suggest string `json:"suggest"` // what it makes the name of
	Version string `json:"version"` // of the file that is replaced; "": a new one
	Game    *Game  `json:"game"`
}

// saveGame saves a game in the workspace. It replaces a file only if the client names its version.
func (s *Server) saveGame(r gameTask) (kept keptFile, err error) {
	if r.Game == nil {
		return kept, errors.New("there is no game")
	}
	text, err := r.Game.text()
	if err != nil {
		return kept, err
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	if r.Name == "" && r.Version == "" {
		if r.Name, err = s.freeName(r.Suggest, gameFiles); err != nil {
			return kept, err
		}
	}
	file, old, err := s.savedFile(r.Name, gameFiles)
	if err != nil {
		return kept, err
	}
	if err := s.replaceable(file, old, r); err != nil {
		return kept, err
	}
	more := int64(len(text))
	if old != nil {
		more -= old.Size()
	}
	if err := s.room(gameFiles, more, old == nil); err != nil {
		return kept, err
	}
	if err := files.WriteIn(s.options.Workspace, file, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}); err != nil {
		return kept, unsaved("the game was", err)
	}
	kept = keptFile{r.Name, version([]byte(text))}
	s.changedFile(gameFiles.name, kept.Name, kept.Version)
	return kept, nil
}

// replaceable returns an error unless the client knows the file that is there, or that there is
// none.
func (s *Server) replaceable(file string, old fs.FileInfo, r gameTask) error {
	switch {
	case old == nil && r.Version == "":
		return nil
	case old == nil:
		return elsewhere(r.Name, gameFiles)
	case r.Version == "":
		return taken(r.Name, gameFiles)
	}
	text, err := readGame(s.options.Workspace, file)
	if err == nil && version(text) != r.Version {
		err = elsewhere(r.Name, gameFiles)
	}
	return err
}

// loadGame answers with a game of the workspace.
func (s *Server) loadGame(name string) (kept keptGame, err error) {
	file, info, err := s.savedFile(name, gameFiles)
	if err = cmp.Or(err, absent(info == nil, gameFiles.none)); err != nil {
		return kept, err
	}
	text, err := readGame(s.options.Workspace, file)
	if err != nil {
		return kept, err
	}
	a, err := notation.ReadVariations(file, string(text))
	if err != nil {
		return kept, err
	}
	return keptGame{keptFile{name, version(text)}, gameOf(a)}, nil
}

// gameRoutes are the requests about games with comments and variations.
func (s *Server) gameRoutes() []operation {
	return []operation{
		{"POST /api/annotate", "Write a game with comments and variations as a text.", handle(s.annotate)},
		{"POST /api/games", "Save a game in the workspace.", handle(s.saveGame).failing(http.StatusConflict)},
		{"GET /api/games", "List the games of the workspace.", s.listing(gameFiles)},
		{"GET /api/games/{name}", "Read a game of the workspace.", get(s.loadGame).failing(http.StatusUnprocessableEntity)},
		{"DELETE /api/games/{name}", "Delete a game of the workspace.", s.removing(gameFiles)},
		{"POST /api/games/{name}/rename", "Give a game of the workspace another name.", s.renaming(gameFiles)},
		{"GET /api/jobs/{id}/annotated", "Read the game that a job has reviewed, with what it has found.", get(s.queue.annotated)},
	}
}

var errNotReviewed = missing("the job has reviewed no game")

// annotated returns the game that a job has reviewed, with what it has found.
func (q *queue) annotated(id string) (*Game, error) {
	text, err := ofJob(q, id, func(j *job) (string, error) { return j.annotated, absent(j.annotated == "", errNotReviewed) })
	if err != nil {
		return nil, err
	}
	a, err := notation.ReadVariations("review", text)
	if err != nil {
		return nil, err
	}
	return gameOf(a), nil
}

// missed counts the wins that a review has found and that were not kept.
type missed struct {
	Gold   int `json:"gold"`
	Silver int `json:"silver"`
}
