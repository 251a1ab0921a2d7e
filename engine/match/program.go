package match

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"goalproof/arimaa"
	"goalproof/arimaa/clock"
	"goalproof/engine/aei"
)

// Limits are the limits that are sent to a program.
type Limits struct {
	Control clock.Control
	Depth   int    // in steps; 0: no limit
	Nodes   uint64 // 0: no limit; for programs with the option nodes
}

// patience is the time for a turn without a clock.
const patience = 10 * time.Minute

// grace is the time that a late program has to answer stop before it counts as hanging.
const grace = time.Second

// Program is a player in a child process, a new one for each game. When the process ends so does
// the game, even if a child of the process lives on: a script that starts an engine has to wait for
// it, or exec it.
type Program struct {
	command Command
	limits  Limits
	process *process // nil between games
	sent    int      // number of turns of the game that were sent
}

// NewProgram returns a player that starts a program.
func NewProgram(c Command, l Limits) *Program { return &Program{command: c, limits: l} }

// ErrStart means that a program could not be started: its file cannot be run any more, or the
// machine has no room for another process. The program has not lost by that.
var ErrStart = errors.New("does not start")

// Check starts the program once and returns its name. The error says that it does not start, does
// not answer, or lacks an option.
func (p *Program) Check(ctx context.Context) (name string, err error) {
	defer p.End()
	complaints, err := p.open(ctx)
	if err != nil {
		return "", err
	}
	for _, complaint := range complaints {
		for _, o := range append(p.limits.required(), p.command.Options...) {
			if strings.Contains(words(complaint), words(o.Name)) {
				return "", fmt.Errorf("option %s of %s: %s", o.Name, p.command.Args[0], complaint)
			}
		}
	}
	return strings.TrimSpace(p.process.Name + " " + p.process.Version), nil
}

// words returns the words of a text, each between blanks.
func words(text string) string {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' }
	return " " + strings.Join(strings.FieldsFunc(text, between), " ") + " "
}

// open starts the process, unless it runs, and sets its options. It returns the program's
// complaints about them.
func (p *Program) open(ctx context.Context) (complaints []string, err error) {
	if p.process != nil {
		return nil, nil
	}
	if p.process, err = startProcess(p.command.Args); err != nil {
		return nil, fmt.Errorf("%s %w: %w", p.command.Args[0], ErrStart, err)
	}
	if err := p.process.Open(ctx); err != nil {
		return nil, p.failure(ctx, err)
	}
	for _, o := range append(p.limits.options(), p.command.Options...) {
		if err := p.process.Set(o.Name, o.Value); err != nil {
			return nil, p.failure(ctx, err)
		}
	}
	if complaints, err = p.process.Ready(ctx); err != nil {
		return nil, p.failure(ctx, err)
	}
	return complaints, nil
}

// options returns the limits as options of the protocol.
func (l Limits) options() []Option {
	c := l.Control
	all := []Option{
		{"tcmove", seconds(c.Move)}, {"tcreserve", seconds(c.Reserve)}, {"tcpercent", strconv.Itoa(c.Percent)},
		{"tcmax", seconds(c.MaxReserve)}, {"tctotal", seconds(c.Total)}, {"tcturns", strconv.Itoa(c.Turns)},
		{"tcturntime", seconds(c.TurnTime)},
	}
	return append(all, l.required()...)
}

// required returns the options that a program must have.
func (l Limits) required() (all []Option) {
	if l.Depth > 0 {
		all = append(all, Option{"depth", strconv.Itoa(l.Depth)})
	}
	if l.Nodes > 0 {
		all = append(all, Option{"nodes", strconv.FormatUint(l.Nodes, 10)})
	}
	return all
}

// seconds writes a time for an option: in whole seconds if possible, which all programs read.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// Setup asks the program for its setup.
func (p *Program) Setup(ctx context.Context, gold string) (string, error) {
	if _, err := p.open(ctx); err != nil {
		return "", err
	}
	messages := []string{"newgame"}
	if gold != "" {
		messages = append(messages, "makemove "+gold)
	}
	if err := p.send(ctx, messages...); err != nil {
		return "", err
	}
	return p.answer(ctx, p.limits.setupTime())
}

// setupTime is the time for a setup, for which the protocol has no clock: that of the first turn,
// but no less than the time to get ready.
func (l Limits) setupTime() time.Duration {
	k := clock.New(l.Control)
	return max(aei.ReadyTime, turnTime(&k, arimaa.Gold))
}

// turnTime returns the time of a side for its turn.
func turnTime(k *clock.Clock, side arimaa.Side) time.Duration {
	if left, limited := k.Left(side); limited {
		return left
	}
	return patience
}

// Begin starts the program, unless Setup has, and sends it the opening.
func (p *Program) Begin(ctx context.Context, g *arimaa.Game) error {
	if _, err := p.open(ctx); err != nil {
		return err
	}
	first := g.Position(0)
	messages := []string{"newgame", "setposition " + first.String()}
	if gold, silver, ok := setups(&first); ok {
		messages = []string{"newgame", "makemove " + gold, "makemove " + silver}
	}
	p.sent = 0
	if err := p.send(ctx, append(messages, p.update(g)...)...); err != nil {
		return err
	}
	if _, err := p.process.Ready(ctx); err != nil {
		return p.failure(ctx, err)
	}
	return nil
}

// update returns messages about the turns that were not sent yet.
func (p *Program) update(g *arimaa.Game) (messages []string) {
	for ; p.sent < g.Len(); p.sent++ {
		position := g.Position(p.sent)
		messages = append(messages, "makemove "+position.Notation(g.Turn(p.sent)))
	}
	return messages
}

// Turn asks the program for a turn.
func (p *Program) Turn(ctx context.Context, g *arimaa.Game, k *clock.Clock) (string, error) {
	last := g.Last()
	messages := p.update(g)
	if _, limited := k.Left(last.Side()); limited {
		messages = append(messages, "setoption name greserve value "+seconds(k.Reserve[arimaa.Gold]),
			"setoption name sreserve value "+seconds(k.Reserve[arimaa.Silver]), "setoption name moveused value 0")
	}
	if err := p.send(ctx, messages...); err != nil {
		return "", err
	}
	return p.answer(ctx, turnTime(k, last.Side()))
}

// answer returns the program's answer to go within a time.
func (p *Program) answer(ctx context.Context, limit time.Duration) (string, error) {
	late, cancel := context.WithTimeout(ctx, limit+margin)
	defer cancel()
	text, err := p.process.Go(late)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		stop, cancel := context.WithTimeout(ctx, grace)
		defer cancel()
		if _, err = p.process.Stop(stop); err == nil {
			return "", &Failure{Time, fmt.Sprintf("no turn within %v", limit)}
		}
	}
	if err != nil {
		return "", p.failure(ctx, err)
	}
	return text, nil
}

// send sends messages.
func (p *Program) send(ctx context.Context, messages ...string) error {
	for _, m := range messages {
		if err := p.process.Send(m); err != nil {
			return p.failure(ctx, err)
		}
	}
	return nil
}

// failure converts an error of the session into a Failure of the program, if it is one.
func (p *Program) failure(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, aei.ErrProtocol):
		return &Failure{Junk, err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Hang, err.Error()}
	case errors.Is(err, aei.ErrGone):
		return &Failure{Crash, p.process.exitStatus()}
	}
	return err
}

// End ends the process.
func (p *Program) End() {
	if p.process != nil {
		p.process.close()
		p.process = nil
	}
}

// setups returns the setups of both sides, in notation, if a position is one directly after the
// setup.
func setups(p *arimaa.Position) (gold, silver string, ok bool) {
	var texts [2]string
	for side := range arimaa.Side(2) {
		if p.Of(side) == 0 || p.Of(side)&^arimaa.HomeRanks(side) != 0 {
			return "", "", false
		}
		var all []string
		for rest := p.Of(side); rest != 0; rest = rest.Rest() {
			s := rest.First()
			all = append(all, arimaa.Placement{Piece: p.At(s), Square: s}.String())
		}
		texts[side] = strings.Join(all, " ")
	}
	return texts[arimaa.Gold], texts[arimaa.Silver], p.Side() == arimaa.Gold
}
