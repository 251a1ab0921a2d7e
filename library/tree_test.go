package library

import (
	"maps"
	"slices"
	"testing"

	"goalproof/arimaa"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/review"
)

// TestTreeProofs compares what a tree says to be proved of a position, and of those after it, with
// the reviews of the games that have it, as they are, as mirror images and with the colours
// exchanged.
func TestTreeProofs(t *testing.T) {
	games := gamesToMine(t, 15)
	again := playedFrom(t, games[0].positions[0], 44, "Ed6s", "ed3s", "Ed5n", "ed2n", "Ed6s", "ed3s")
	games = slices.Insert(games, len(games)-1, plain{id: "again", result: "u", ending: "a"}.with(again))
	l := importText(t, 1, archive(games))
	var reviews []*review.Review
	by := newReviewer(t)
	with := Reviewing{WinIn: 2, Nodes: 1_000, Algorithm: "dfpns"}
	keep(t, l, with, all(t, l, &Filter{})[:len(games)-1], func(g *Game) *review.Review { // the last game has no review
		reviews = append(reviews, by.of(t, g, &with))
		return reviews[len(reviews)-1]
	})
	met := map[string]int{}
	for m := range games {
		for _, at := range games[m].positions[:2] {
			for way := range 8 {
				f := Filter{Mirrored: way&1 > 0, Exchanged: way&2 > 0}
				if way >= 4 { // a game counts once, with however many findings
					f.Finding = "any"
				}
				want, wantAfter := proofsOf(at, &f, games, reviews, met)
				if repeated(&games[m], at) {
					met["twice in a game"]++
				}
				p := boards.Parse(t, at)
				tree, err := l.Tree(t.Context(), &p, &f)
				require.NoError(t, err)
				after := map[string][2]Proofs{}
				for _, b := range tree.Branches {
					if b.Proofs != [2]Proofs{} {
						after[b.After.String()] = b.Proofs
					}
				}
				if tree.Proofs != want || !maps.Equal(after, wantAfter) {
					t.Errorf("%s, %+v: proved is %v and %v, and by the reviews %v and %v", at, f, tree.Proofs, after, want, wantAfter)
				}
			}
		}
	}
	boards.ExpectAll(t, met, "gold", "silver", "exchanged", "mirrored", "after", "twice in a game")
}

// TestProofsAdded counts games in which a win is proved: of the shortest win it is known whether no
// fewer turns suffice, if one of the games proves that, whatever is known of longer ones.
func TestProofsAdded(t *testing.T) {
	type win struct {
		turns int
		exact bool
	}
	for _, c := range []struct {
		wins []win
		want Proofs
	}{
		{[]win{{2, true}}, Proofs{1, 2, true}},
		{[]win{{2, false}}, Proofs{1, 2, false}},
		{[]win{{0, true}, {1, false}}, Proofs{2, 0, true}},
		{[]win{{3, true}, {2, false}}, Proofs{2, 2, false}},
		{[]win{{3, false}, {2, true}}, Proofs{2, 2, true}},
		{[]win{{2, true}, {3, false}}, Proofs{2, 2, true}},
		{[]win{{2, false}, {3, true}}, Proofs{2, 2, false}},
		{[]win{{2, true}, {2, false}}, Proofs{2, 2, true}},
		{[]win{{2, false}, {2, true}}, Proofs{2, 2, true}},
		{[]win{{2, false}, {2, false}}, Proofs{2, 2, false}},
		{[]win{{3, true}, {2, false}, {2, true}, {2, false}, {4, false}}, Proofs{5, 2, true}},
	} {
		var p Proofs
		for _, w := range c.wins {
			p.add(w.turns, w.exact)
		}
		if p != c.want {
			t.Errorf("%v: %v, want %v", c.wins, p, c.want)
		}
	}
}

// proofsOf returns what reviews prove of a position and of those after it, in games with a finding if
// the filter asks for one.
func proofsOf(at string, f *Filter, games []plain, reviews []*review.Review, met map[string]int) (here [2]Proofs, after map[string][2]Proofs) {
	after = map[string][2]Proofs{}
	for i := range games[:len(games)-1] {
		if f.Finding != "" && len(reviews[i].Findings()) == 0 {
			continue
		}
		images := images(at, f.Mirrored, f.Exchanged)
		n := slices.IndexFunc(games[i].positions, func(position string) bool { return slices.Contains(images, position) })
		if n < 0 {
			continue
		}
		swaps, mirrors := true, true
		for _, c := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} { // the last that fits counts
			if turned(games[i].positions[n], c[0], c[1]) == at && (f.Exchanged || !c[0]) && (f.Mirrored || !c[1]) {
				swaps, mirrors = c[0], c[1]
			}
		}
		prove := func(to *[2]Proofs, at int, name string) {
			side, turns, exact, ok := provedAt(reviews[i], at)
			if !ok {
				return
			}
			if swaps {
				side = side.Other()
				met["exchanged"]++
			}
			if mirrors {
				met["mirrored"]++
			}
			met[side.String()]++
			met[name]++
			p := &to[side]
			if p.Games == 0 || turns < p.Turns {
				p.Turns, p.Exact = turns, false
			}
			p.Exact = p.Exact || exact && turns == p.Turns
			to[side].Games++
		}
		prove(&here, n, "here")
		if n+1 < len(games[i].positions) {
			next := turned(games[i].positions[n+1], swaps, mirrors)
			all := after[next]
			if prove(&all, n+1, "after"); all != [2]Proofs{} {
				after[next] = all
			}
		}
	}
	return here, after
}

// turned returns an image of a position.
func turned(position string, swaps, mirrors bool) string {
	if swaps {
		position = boards.Swap(position)
	}
	if mirrors {
		position = boards.Mirror(position)
	}
	return position
}

// provedAt returns who wins before a turn of a reviewed game, in how many turns, and whether no fewer
// suffice.
func provedAt(v *review.Review, at int) (winner arimaa.Side, turns int, exact, ok bool) {
	s, p := &v.Standings[at], v.Record.Game.Position(at)
	switch {
	case s.Win.Proved():
		return p.Side(), s.Win.Within, s.Win.Within == s.Win.Refuted+1 || s.Win.Within == 0, true
	case s.Loss.Proved():
		return p.Side().Other(), s.Loss.Within, s.Loss.Within == s.Loss.Refuted+1 || s.Loss.Within == 0, true
	}
	return 0, 0, false, false
}
