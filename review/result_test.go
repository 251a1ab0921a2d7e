package review_test

import (
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/published"
	"goalproof/review"
)

// TestResult says how games ended, by the letters of an archive and by the words of a record.
func TestResult(t *testing.T) {
	const header = "id\tresult\ttermination\tmovelist\n7\t"
	const position = `1w Ra6 Ee1\n1b ec8 rh7\n2w `
	for row, want := range map[string]string{
		"w\tg\t" + position + `Ee1n`:      "Gold won by goal.",
		"w\tm\t" + position + `Ee1n`:      "Gold won by immobilisation.",
		"w\tt\t" + position + `Ee1n`:      "Gold won on time.",
		"w\ti\t" + position + `Ee1n`:      "Gold won: silver played an illegal turn.",
		"b\tp\t" + position + `Ee1n`:      "Silver won: gold repeated a position.",
		"b\ta\t" + position + `Ee1n`:      "Silver won: the game was abandoned.",
		"d\tn\t" + position + `Ee1n`:      "A draw by the rules of its time.",
		"d\ts\t" + position + `Ee1n`:      "A draw by the rules of its time.",
		"u\ta\t" + position + `Ee1n`:      "No result: abandonment.",
		"u\t\t" + position + `Ee1n`:       "No result: unknown.",
		"b\t\t" + position + `Ee1n`:       "Silver won; the record does not say how.",
		"\t\t" + position + `lost`:        "Silver won; the record does not say how.",
		"b\tb\t" + position + `Ee1n`:      "Silver won (code b).",
		"\t\t" + position + `Ee1n`:        "Not finished.",
		"u\tb\t" + position + `Ra6n Ra7n`: "Gold won by goal.",
	} {
		rows, err := notation.ReadArchive("test", header+row+"\n")
		if err != nil {
			t.Fatal(err)
		}
		g, err := rows[0].Game()
		if err != nil {
			t.Fatal(err)
		}
		r := review.FromArchive(rows[0], g)
		v, err := review.Game(t.Context(), solvers(t), r, review.Options{WinIn: 1, Limit: unhurried})
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Headline(); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", row, got, want)
		}
		if named := strings.Contains(want, " won"); r.Finished() != named {
			t.Errorf("%q: finished is %v", row, r.Finished())
		}
	}
	g, tags, err := notation.ReadAnnotated("test", "[Result \"0-1\"]\n[Termination \"by rule of theirs\"]\n\n1g Ra1 Ee1\n1s ec8 rh7\n2g Ee1n\n0-1\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := review.FromTags("7", tags, g); r.Result() != "silver won (by rule of theirs)" {
		t.Error(r.Result())
	}
}

// TestMoments lists a mistake as a moment even where nothing worse was played.
func TestMoments(t *testing.T) {
	v := playEvaluated(t, read(t, waits), 1, 50)
	for grade, want := range map[review.Grade]bool{review.Doubtful: false, review.Mistake: true, review.Blunder: true} {
		v.Judgements[0] = review.Judgement{Grade: grade}
		page, err := v.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if first := pageData(t, page).Positions[0]; first.Moment != want {
			t.Errorf("a %v is a moment: %v", grade, first.Moment)
		}
	}
}

// TestMomentsPublished lists all mistakes of a game in which nothing is proved and nothing worse was played.
func TestMomentsPublished(t *testing.T) {
	rows, err := notation.ReadArchive("archive-2026.tsv", published.Read(t, "games/archive-2026.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rows, func(r *notation.Record) bool { return r.ID == "669193" })
	g, err := rows[i].Game()
	if err != nil {
		t.Fatal(err)
	}
	page, err := playEvaluated(t, review.FromArchive(rows[i], g), 1, 1000).HTML()
	if err != nil {
		t.Fatal(err)
	}
	moments, mistakes := 0, 0
	for _, p := range pageData(t, page).Positions {
		if p.Moment {
			moments++
		}
		if p.Sign == "?" || p.Sign == "??" {
			mistakes++
		}
	}
	if moments != mistakes || mistakes == 0 {
		t.Errorf("%d moments, %d mistakes", moments, mistakes)
	}
}
