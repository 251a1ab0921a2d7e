package solve

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"goalproof/answer"
	"goalproof/arimaa"
	"goalproof/goal"
	"goalproof/pns"
	"goalproof/tables"
)

// winInTwo is a position in which Gold wins in two turns.
func winInTwo(t testing.TB) arimaa.Position {
	t.Helper()
	p := parse(t, "g [r       Rr     r   E dr                    e  r        RR  RR  R]")
	return p
}

// questions are the methods of a solver that are asked something: about a win within Deepest turns
// that begins with a turn, as far as each needs to know.
func questions(s *Solver) map[string]func(q Question, turn arimaa.Turn) error {
	ctx := context.Background()
	return map[string]func(Question, arimaa.Turn) error{
		"Solve":          func(q Question, _ arimaa.Turn) error { _, err := s.Solve(ctx, q); return err },
		"Try":            func(q Question, t arimaa.Turn) error { _, err := s.Try(ctx, q, t); return err },
		"Defend":         func(q Question, _ arimaa.Turn) error { _, err := s.Defend(ctx, q, nil); return err },
		"Threatened":     func(q Question, _ arimaa.Turn) error { _, err := s.Threatened(ctx, q.Position, q.Deepest); return err },
		"Loss":           func(q Question, _ arimaa.Turn) error { _, err := s.Loss(ctx, q); return err },
		"Line":           func(q Question, t arimaa.Turn) error { _, err := s.Line(ctx, q, q.Deepest, t); return err },
		"Variations":     func(q Question, t arimaa.Turn) error { _, err := s.Variations(ctx, q, q.Deepest, t, 1); return err },
		"CertificateFor": func(q Question, t arimaa.Turn) error { _, err := s.CertificateFor(ctx, q, q.Deepest, t); return err },
		"CertificateOfLoss": func(q Question, _ arimaa.Turn) error {
			_, err := s.CertificateOfLoss(ctx, q, q.Deepest)
			return err
		},
	}
}

// TestZeroValues gives each function that is asked something the zero value of what it takes, one at
// a time: a forgotten field is an error, and never an answer.
func TestZeroValues(t *testing.T) {
	ctx := t.Context()
	s, bestFirst := newSolver(t), best(t, 64<<20)
	p := winInTwo(t)
	good := Question{Position: p, Deepest: 2}
	a := solved(t, s, ctx, good)
	first := a.Line[0].Turn
	const position, turns, turn = "there is no position", "a win in 0 cannot be asked for", "is no legal turn"
	asked := questions(s)
	asked["Solve by pns"] = questions(bestFirst)["Solve"]
	asked["Refutation"] = func(q Question, _ arimaa.Turn) error { _, err := Refutation(ctx, q.Position, q.Deepest); return err }
	for function, ask := range asked {
		for zero, tt := range map[string]struct {
			q    Question
			want string
		}{
			"position":   {Question{Deepest: 2}, position},
			"board":      {Question{Position: arimaa.NewPosition(arimaa.Board{}, arimaa.Gold), Deepest: 2}, position},
			"deepest":    {Question{Position: p}, turns},
			"steps left": {Question{Position: p.WithStepsLeft(0), Deepest: 2}, "start of a turn"},
		} {
			if err := ask(tt.q, first); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s with no %s: the error is %v, want %q", function, zero, err, tt.want)
			}
		}
	}
	for _, function := range []string{"Try", "Line", "Variations", "CertificateFor"} {
		if err := asked[function](good, arimaa.Turn{}); err == nil || !strings.Contains(err.Error(), turn) {
			t.Errorf("%s with no turn: the error is %v", function, err)
		}
	}
	for _, tt := range []struct {
		function, zero, want string
		call                 func() error
	}{
		{"New", "threads", "at least one", func() error { _, err := New(Options{Memory: 64 << 20}); return err }},
		{"New", "threads below", "at least one", func() error { _, err := New(Options{Memory: 64 << 20, Threads: -1}); return err }},
		{"New", "memory", "MiB of memory", func() error { _, err := New(Options{Threads: 1}); return err }},
		{"New", "epsilon below", "epsilon", func() error { _, err := New(Options{Memory: 64 << 20, Threads: 1, Epsilon: -1}); return err }},
		{"New", "epsilon is no number", "epsilon", func() error {
			_, err := New(Options{Memory: 64 << 20, Threads: 1, Epsilon: math.NaN()})
			return err
		}},
		{"New", "no such algorithm", "algorithm", func() error { _, err := New(Options{Memory: 64 << 20, Threads: 1, Algorithm: 2}); return err }},
		{"Solve", "question", turns, func() error { return asked["Solve"](Question{}, first) }},
		{"Solve", "deepest, all", turns, func() error { return asked["Solve"](Question{Position: p, All: true}, first) }},
		{"Solve", "deepest, another aim", turns, func() error { return asked["Solve"](Question{Position: p, Aim: goal.RabbitOn(7)}, first) }},
		{"Solve", "game", "does not end with the position", func() error {
			return asked["Solve"](Question{Position: p, Deepest: 2, Game: &arimaa.Game{}}, first)
		}},
		{"Solve", "rank", "no rank", func() error { return asked["Solve"](Question{Position: p, Deepest: 2, Aim: goal.RabbitOn(0)}, first) }},
		{"Solve", "trap", "no trap", func() error {
			return asked["Solve"](Question{Position: p, Deepest: 2, Aim: goal.CaptureOf(arimaa.Elephant, 0)}, first)
		}},
		{"Variations", "width", "at least one", func() error { _, err := s.Variations(ctx, good, 2, first, 0); return err }},
		{"Certificate", "answer", "no proved win", func() error { _, err := s.Certificate(ctx, good, Answer{}); return err }},
		{"Certificate", "line of the answer", "no proved win", func() error {
			_, err := s.Certificate(ctx, good, Answer{Verdict: answer.Proved, Bounds: answer.Bounds{Within: 2}})
			return err
		}},
		{"Certificate", "position", position, func() error { _, err := s.Certificate(ctx, Question{Deepest: 2}, a); return err }},
		{"Verify by pns", "dfpns", "only dfpns verifies", func() error {
			_, err := bestFirst.Verify(ctx, Stored{p.AppendPacked(nil), tables.Fact{ProvedWithin: 2}}, 0)
			return err
		}},
		{"Resume", "path", "no such file", func() error { _, err := bestFirst.Resume(ctx, ""); return err }},
	} {
		err := tt.call()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with no %s: the error is %v, want %q", tt.function, tt.zero, err, tt.want)
		}
	}
}

// TestNoSolver asks a solver that does not come from New.
func TestNoSolver(t *testing.T) {
	good := Question{Position: winInTwo(t), Deepest: 2}
	for name, s := range map[string]*Solver{"nil": nil, "zero": {}} {
		calls := map[string]error{"SaveTo": s.SaveTo("", 0, nil), "Tune": s.Tune(pns.Defaults())}
		_, calls["Resume"] = s.Resume(t.Context(), "")
		_, calls["Verify"] = s.Verify(t.Context(), Stored{}, 0)
		for function, ask := range questions(s) {
			calls[function] = ask(good, arimaa.Turn{})
		}
		for function, err := range calls {
			if !errors.Is(err, ErrNoSolver) {
				t.Errorf("%s of a %s solver: the error is %v", function, name, err)
			}
		}
	}
}

// TestNoContext asks without a context, which sets no limit.
func TestNoContext(t *testing.T) {
	var none context.Context
	s, q := newSolver(t), Question{Position: winInTwo(t), Deepest: 2}
	a := solved(t, s, none, q)
	if a.Verdict != answer.Proved || a.Within != 2 {
		t.Fatalf("Solve without a context: %v within %d", a.Verdict, a.Within)
	}
	first := a.Line[0].Turn
	lost := Question{Position: q.Position.AfterTurn(first), Deepest: 1} // for Silver
	for function, call := range map[string]func() (right bool, err error){
		"Try": func() (bool, error) { b, err := s.Try(none, q, first); return b.Verdict == answer.Proved, err },
		"Line": func() (bool, error) {
			line, err := s.Line(none, q, 2, first)
			return len(line) == len(a.Line), err
		},
		"Variations": func() (bool, error) {
			v, err := s.Variations(none, q, 2, first, 1)
			return v != nil && len(v.Groups) > 0, err
		},
		"Certificate": func() (bool, error) {
			c, err := s.Certificate(none, q, a)
			return c != nil && c.Check(none, nil) == nil, err
		},
		"Refutation": func() (bool, error) {
			r, err := Refutation(none, q.Position, 1)
			return r != nil && r.Check(none, nil) == nil, err
		},
		"Defend":            func() (bool, error) { d, err := s.Defend(none, lost, nil); return d.Verdict == answer.Disproved, err },
		"Loss":              func() (bool, error) { l, err := s.Loss(none, lost); return l.Verdict == answer.Proved, err },
		"CertificateOfLoss": func() (bool, error) { c, err := s.CertificateOfLoss(none, lost, 1); return c != nil, err },
		"Threatened": func() (bool, error) {
			th, err := s.Threatened(none, q.Position.EndTurn(), 2)
			return th.Within == 2, err
		},
	} {
		if right, err := call(); err != nil || !right {
			t.Errorf("%s without a context: %v, %v", function, right, err)
		}
	}
}

// TestVerifyNothing verifies facts that say nothing, or what cannot be, and keys that are no
// positions: they are wrong, and no limit is no limit.
func TestVerifyNothing(t *testing.T) {
	s := newSolver(t)
	p := winInTwo(t)
	key := p.AppendPacked(nil)
	empty := arimaa.NewPosition(arimaa.Board{}, arimaa.Gold)
	two := tables.Fact{ProvedWithin: 2}
	for name, f := range map[string]Stored{
		"too short":     {key[:len(key)-1], two},
		"too long":      {append(bytes.Clone(key), 0x11), two},
		"no side":       {append([]byte("x"), key[1:]...), two},
		"no such piece": {append(bytes.Clone(key[:len(key)-1]), 0x77), two},
		"zero":          {},
		"zero fact":     {key, tables.Fact{}},
		"nothing":       {key, tables.Nothing},
		"empty board":   {empty.AppendPacked(nil), tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: 1}},
		"many refuted":  {key, tables.Fact{ProvedWithin: tables.Unproved, RefutedUpTo: MaxTurns + 1}},
		"many proved":   {key, tables.Fact{ProvedWithin: MaxTurns + 1}},
		"a true fact":   {key, tables.Fact{ProvedWithin: 2, RefutedUpTo: 1}},
		"a false claim": {key, tables.Fact{ProvedWithin: 1}},
	} {
		c, err := s.Verify(t.Context(), f, 0)
		noKey := !bytes.Equal(f.Key, key)
		if holds := name == "a true fact"; err != nil || c.Stop != answer.Finished || (c.Wrong == "") != holds || noKey && !strings.Contains(c.Wrong, "is no position") {
			t.Errorf("%s: wrong %q, stop %v, error %v", name, c.Wrong, c.Stop, err)
		}
	}
}
