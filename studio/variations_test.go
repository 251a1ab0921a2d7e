package studio_test

import (
	"testing"

	"goalproof/arimaa"
	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/solve/report"
	"goalproof/studio"
)

// TestVariations lists the variations of a win and plays them by the rules: every reply is listed
// once, each answer wins in the turns that it says, and labels and threats are right.
func TestVariations(t *testing.T) {
	c := start(t, studio.Options{})
	for _, name := range []string{"win-in-2.txt", "win-in-3.txt"} {
		s := study(t, name)
		job := c.ended(task{Kind: "variations", Study: s, Width: 10, Seconds: 300})
		if job.Result == nil || job.Result.Verdict != "proved" {
			t.Fatalf("%s: %+v", name, job)
		}
		v := ask[report.Variation](c, "GET", "/api/jobs/"+job.ID+"/variations", nil)
		position, err := notation.ParsePosition(s.Position)
		require.NoError(t, err)
		depth := 0
		walk(t, arimaa.NewGame(position, max(s.Number, 2)), &v, *job.Result.Within, &depth)
		if depth != *job.Result.Within {
			t.Errorf("%s: the variations end after %d turns, want %d", name, depth, *job.Result.Within)
		}
		if len(v.Groups) < 2 {
			t.Errorf("%s: %d groups", name, len(v.Groups))
		}
	}
}

// walk plays a turn of the attacker with all that follows it. It must win within n turns, itself
// the first.
func walk(t *testing.T, g *arimaa.Game, v *report.Variation, n int, depth *int) {
	t.Helper()
	*depth = max(*depth, 1)
	before := g.Last()
	attacker := before.Side()
	if n < 1 || g.Label(g.Len()) != v.Label {
		t.Fatalf("%s %s: the label is %s, and %d turns are left", v.Label, v.Turn, g.Label(g.Len()), n)
	}
	require.NoError(t, notation.Play(g, v.Turn))
	if o := g.Outcome(); o.Over() || v.EndsBy != nil {
		if !o.Over() || o.Winner != attacker || v.EndsBy == nil || *v.EndsBy != o.Reason.String() || len(v.Groups) != 0 {
			t.Fatalf("%s: %v, %+v", v.Turn, o, v)
		}
		return
	}
	if v.Threat != nil {
		after := g.Last()
		passed := arimaa.NewGame(after.EndTurn(), arimaa.FirstTurn)
		if err := notation.Play(passed, *v.Threat); err != nil || passed.Outcome().Winner != attacker || !passed.Outcome().Over() {
			t.Errorf("%s does not threaten %s: %v", v.Turn, *v.Threat, err)
		}
	}
	total, seen := v.HiddenReplies, map[string]bool{}
	for _, group := range v.Groups {
		total += group.Count
		if group.Label != g.Label(g.Len()) || group.Count < len(group.Replies) || len(group.Replies) == 0 || (group.Answer == nil) != (group.Needs == 0) {
			t.Fatalf("after %s: %+v", v.Turn, group)
		}
		for i, reply := range group.Replies {
			if seen[reply] {
				t.Errorf("after %s: %s stands there twice", v.Turn, reply)
			}
			seen[reply] = true
			next := g.At(g.Len())
			require.NoError(t, notation.Play(next, reply))
			switch o := next.Outcome(); {
			case group.Answer == nil:
				if !o.Over() || o.Winner != attacker {
					t.Errorf("%s does not lose by itself: %v", reply, o)
				}
			case o.Over():
				t.Errorf("%s ends the game: %v", reply, o)
			case i == 0:
				below := 0
				walk(t, next, group.Answer, group.Needs, &below)
				*depth = max(*depth, 1+below)
				if group.Needs > n-1 {
					t.Errorf("%s needs %d turns of %d", reply, group.Needs, n-1)
				}
			default:
				if err := notation.Play(next, group.Answer.Turn); err != nil {
					t.Errorf("%s does not meet the same answer: %v", reply, err)
				}
			}
		}
	}
	if total != v.Count {
		t.Errorf("after %s: %d replies in groups, %d in all", v.Turn, total, v.Count)
	}
}

// TestVariationsRefused asks for variations that there are not.
func TestVariationsRefused(t *testing.T) {
	c := start(t, studio.Options{})
	s := study(t, "no-win-in-2.txt")
	refuses(c, "/api/jobs", map[string]task{
		"width -1: it is 0 to 10":       {Kind: "variations", Study: s, Width: -1},
		"width 11: it is 0 to 10":       {Kind: "variations", Study: s, Width: 11},
		`unknown field "width"`:         {Kind: "solve", Study: s, Width: 3},
		"there is no study":             {Kind: "variations"},
		"take dfpns":                    {Kind: "variations", Study: s, Algorithm: "pns"},
		`unknown field "text"`:          {Kind: "variations", Study: s, Text: "../x"},
		`algorithm "../x": it is dfpns`: {Kind: "variations", Study: s, Algorithm: "../x"},
	})
	job := c.ended(task{Kind: "variations", Study: s, WinIn: 2, Seconds: 300})
	if job.Result == nil || job.Result.Verdict != "disproved" {
		t.Fatalf("no win: %+v", job)
	}
	for path, want := range map[string]string{job.ID: "no variations", "..%2F" + job.ID: "no such job", "99": "no such job"} {
		c.refusedFor(404, want, "GET", "/api/jobs/"+path+"/variations", nil)
	}
}
