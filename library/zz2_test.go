package library

import (
	"context"
	"fmt"
	"goalproof/arimaa"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"
)

func TestZQ(t *testing.T) {
	ctx := context.Background()
	l, err := Open(ctx, os.Getenv("ZZDB"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := rand.New(rand.NewPCG(1, 1))
	var ps []arimaa.Position
	var mats []string
	for len(ps) < 400 {
		id := r.IntN(100000) + 1
		for g, err := range l.Games(ctx, &Filter{}, Sort{}) {
			_ = id
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(200) != 0 {
				continue
			}
			a, _ := g.Played()
			p := a.Position(r.IntN(a.Len() + 1))
			ps = append(ps, p)
			m, _ := materialOf(&p.Board)
			mats = append(mats, m.pieces(0)+"-"+m.pieces(1))
			if len(ps) >= 400 {
				break
			}
		}
	}
	measure := func(name string, n int, f func(i int)) {
		var d []time.Duration
		for i := range n {
			t0 := time.Now()
			f(i)
			d = append(d, time.Since(t0))
		}
		slices.Sort(d)
		fmt.Println(name, d[len(d)/2], d[len(d)*95/100], d[len(d)-1])
	}
	measure("position", 400, func(i int) {
		n := 0
		for _, err := range l.Games(ctx, &Filter{Position: &ps[i]}, Sort{}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			if n == 100 {
				break
			}
		}
	})
	measure("count", 400, func(i int) { l.Count(ctx, &Filter{Position: &ps[i]}) })
	measure("tree", 400, func(i int) {
		tr, err := l.Tree(ctx, &ps[i], &Filter{})
		if err != nil || tr.Games == 0 {
			t.Fatal(err, tr)
		}
	})
	measure("material", 400, func(i int) {
		n := 0
		for _, err := range l.Games(ctx, &Filter{Material: mats[i]}, Sort{}) {
			if err != nil {
				t.Fatal(err)
			}
			n++
			if n == 100 {
				break
			}
		}
	})
	measure("material count", 400, func(i int) { l.Count(ctx, &Filter{Material: mats[i]}) })
	var key int64
	var n int
	l.db.QueryRow("select key,count(*) n from position group by key order by n desc limit 1").Scan(&key, &n)
	fmt.Println("most frequent", n)
	var best arimaa.Position
	for g, _ := range l.Games(ctx, &Filter{}, Sort{}) {
		a, _ := g.Played()
		p := a.Position(0)
		if half(p.Key()) == key {
			best = p
			break
		}
	}
	measure("tree frequent", 20, func(i int) { l.Tree(ctx, &best, &Filter{}) })
	measure("position frequent, all", 20, func(i int) { l.Count(ctx, &Filter{Position: &best}) })
	pt, _ := ParsePattern("Ed4 !Rc3 Ra-h7")
	measure("pattern all", 3, func(i int) { n, _ := l.Count(ctx, &Filter{Pattern: pt}); fmt.Println(n) })
	measure("player", 50, func(i int) {
		rows := 0
		for _, err := range l.Select(ctx, "SELECT opponent,count(*) FROM players WHERE name=(SELECT name FROM player WHERE id="+fmt.Sprint(i+1)+") GROUP BY opponent", Limits{}) {
			if err != nil {
				t.Fatal(err)
			}
			rows++
		}
	})
	measure("month by ending", 5, func(i int) {
		rows := 0
		for _, err := range l.Select(ctx, "SELECT substr(date,1,7) m,ending,count(*) FROM games GROUP BY 1,2", Limits{}) {
			if err != nil {
				t.Fatal(err)
			}
			rows++
		}
	})
	measure("rating list by date", 5, func(i int) {
		for _, err := range l.Games(ctx, &Filter{Rating: Range{From: "2000"}}, Sort{By: "date"}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	measure("rating count", 5, func(i int) { l.Count(ctx, &Filter{Rating: Range{From: "2000"}}) })
}
