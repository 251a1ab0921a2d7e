package aei

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/arimaa/notation"
	"goalproof/engine/player"
)

// Config configures a session.
type Config struct {
	Version  string // of the program
	Settings player.Settings
	// Check says why no player can be made with settings. New makes one; the one before is no
	// longer used.
	Check  func(player.Settings) error
	New    func(player.Settings) (player.Player, error)
	Random *rand.Rand // chooses setups
}

// ErrUnknownMessage means that a session ended at a message of a type that is not in the protocol.
var ErrUnknownMessage = errors.New("unknown message")

// What the engine calls itself.
const (
	name   = "goalproof"
	author = "the authors of goalproof"
)

// UntimedTurn is the time for a turn without a time control and without a limit of depth or nodes.
const UntimedTurn = 15 * time.Second

// Serve runs a session until quit or the end of the input. The error is that of the context, of
// reading or writing, of making a player, or ErrUnknownMessage.
//
// Unless the input has ended, a goroutine may remain blocked in a read until the input is closed.
func Serve(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
	s := &session{Config: c, ctx: ctx, out: out, settings: c.Settings, lines: 1}
	s.clock = clock.New(clock.Control{Percent: 100})
	defer s.drop()
	lines, end, done := make(chan line), make(chan error, 1), make(chan struct{})
	defer close(done)
	go readLines(in, lines, end, done)
	for s.err == nil && !s.quit {
		reports, result := s.search.channels()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case l := <-lines:
			s.handle(l)
		case err := <-end:
			if !errors.Is(err, io.EOF) {
				return fmt.Errorf("reading a message: %w", err)
			}
			return nil
		case r := <-reports:
			s.sendLines(r)
		case r := <-result:
			s.ended(r)
		}
	}
	return s.err
}

// session is the state of a session.
type session struct {
	Config
	ctx    context.Context
	out    io.Writer
	err    error // that ends the session
	quit   bool
	opened bool      // aei has been received
	read   time.Time // the time when the current message was read

	game      *arimaa.Game // nil during the setup
	outOfSync bool         // setposition was refused: the controller has another position
	setup     [2][]arimaa.Placement
	clock     clock.Clock
	started   time.Time // of the game; zero: not yet
	depth     int       // steps; 0: no limit
	nodes     uint64    // 0: no limit
	lines     int       // that a search looks for, at least 1

	settings player.Settings
	player   player.Player // nil until it is needed
	made     player.Settings
	search   *search // nil while there is none
}

// handler handles a message, given the text after its type. An error refuses the message.
type handler func(s *session, rest string) error

// messages holds the handlers by the type of message.
var messages = map[string]handler{
	"aei":         noArgument((*session).open),
	"isready":     noArgument((*session).ready),
	"newgame":     noArgument((*session).newGame),
	"setposition": (*session).setPosition,
	"setoption":   (*session).setOption,
	"makemove":    (*session).makeMove,
	"go":          (*session).start,
	"stop":        noArgument((*session).stop),
	"quit":        noArgument(func(s *session) error { s.quit = true; return nil }),
}

// noArgument handles a message without arguments.
func noArgument(handle func(*session) error) handler {
	return func(s *session, rest string) error {
		if strings.TrimSpace(rest) != "" {
			return fmt.Errorf("it takes no argument, not %q", rest)
		}
		return handle(s)
	}
}

// handle handles a line.
func (s *session) handle(l line) {
	if strings.TrimSpace(l.text) == "" && !l.long {
		return
	}
	kind, rest, _ := strings.Cut(l.text, " ")
	handle, ok := messages[kind]
	var err error
	switch {
	case kind == "":
		kind, err = "a message", errors.New("it begins with its type, not with a space")
	case !ok:
		s.log("Error: unknown message %q", kind)
		s.fail(ErrUnknownMessage)
		return
	case l.long:
		err = fmt.Errorf("the line is longer than %d bytes", maxLine)
	case !s.opened && kind != "aei" && kind != "quit":
		err = errors.New("a session begins with aei")
	default:
		s.read = l.read
		err = handle(s, rest)
	}
	if err != nil {
		s.log("Error: %s: %v", kind, err)
	}
}

// fail ends the session with an error; the first one counts.
func (s *session) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// send writes a line.
func (s *session) send(format string, args ...any) {
	if _, err := fmt.Fprintf(s.out, format+"\n", args...); err != nil {
		s.fail(fmt.Errorf("writing a message: %w", err))
	}
}

// maxLog is the greatest length of a log line in characters.
const maxLog = 300

// log writes a log line, which may quote arbitrary input.
func (s *session) log(format string, args ...any) {
	text := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, fmt.Sprintf(format, args...)))
	if len(text) > maxLog {
		text = append(text[:maxLog-3], '.', '.', '.')
	}
	s.send("log %s", string(text))
}

func (s *session) open() error {
	if s.opened {
		return errors.New("the session is already open")
	}
	s.opened = true
	s.send("protocol-version 1")
	s.send("id name %s", name)
	s.send("id author %s", author)
	s.send("id version %s", s.Version)
	s.send("aeiok")
	return nil
}

// ready answers isready when there is a player for the next search.
func (s *session) ready() error {
	if s.search == nil && !s.prepare() {
		return nil
	}
	s.send("readyok")
	return nil
}

// prepare makes a player unless there is one with the current settings, and reports success; a
// failure ends the session. No search may be running.
func (s *session) prepare() bool {
	if s.player != nil && s.made == s.settings {
		return true
	}
	s.player = nil // so that its memory can be reused
	e, err := s.New(s.settings)
	if err != nil {
		s.log("Error: %v", err)
		s.fail(err)
		return false
	}
	s.player, s.made = e, s.settings
	return true
}

func (s *session) newGame() error {
	s.drop()
	s.outOfSync = false
	s.game, s.setup = nil, [2][]arimaa.Placement{}
	s.clock.Reset()
	s.started = time.Now()
	if s.player != nil {
		s.player.Forget()
	}
	return nil
}

// errOutOfSync refuses messages about a position that was refused.
var errOutOfSync = errors.New("the last setposition was refused: newgame or another setposition must come first")

func (s *session) setPosition(text string) error {
	s.outOfSync = true
	p, err := notation.ParsePosition(text)
	if bad, ok := errors.AsType[*notation.ParseError](err); ok {
		return errors.New(bad.Reason) // without line and column, which mean nothing in a message
	}
	if err := errors.Join(p.CheckStart(), p.Impossible()); err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	s.drop()
	s.outOfSync = false
	s.game = arimaa.NewGame(p, 2)
	s.clock.MoveUsed = 0
	if s.started.IsZero() {
		s.started = s.read // there was no newgame
	}
	return nil
}

func (s *session) makeMove(text string) error {
	if s.outOfSync {
		return errOutOfSync
	}
	if s.game != nil {
		if err := notation.Play(s.game, text); err != nil {
			return err
		}
	} else {
		side := s.side()
		setup, err := notation.ParseSetup(side, text)
		if err != nil {
			return err
		}
		s.setup[side] = setup
		if side == arimaa.Silver {
			s.game = arimaa.NewGame(arimaa.NewPosition(s.board(), arimaa.Gold), 2)
		}
	}
	s.drop()
	s.clock.MoveUsed = 0
	return nil
}

// side returns the side to move or to set up.
func (s *session) side() arimaa.Side {
	switch {
	case s.game != nil:
		p := s.game.Last()
		return p.Side()
	case s.setup[arimaa.Gold] == nil:
		return arimaa.Gold
	}
	return arimaa.Silver
}

// board returns the board during the setup.
func (s *session) board() (b arimaa.Board) {
	for _, setup := range s.setup {
		for _, p := range setup {
			b.Put(p.Square, p.Piece)
		}
	}
	return b
}
