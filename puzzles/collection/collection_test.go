package collection

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"goalproof/arimaa/notation"
	"goalproof/internal/batch"
	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
	"goalproof/puzzles"
	"goalproof/puzzles/describe"
	"goalproof/solve"
)

// digest is that of the rows: people know puzzles by their numbers, which another collection changes.
const digest = "ae050e2ef9b657c2c6849d9cf7197220035f2d16ada72e0bf6e988f950f94857"

// TestFile checks that the file is small and as [Write] writes it, and that the rows are those of the digest.
func TestFile(t *testing.T) {
	if len(packed) > 300<<10 {
		t.Errorf("%d bytes", len(packed))
	}
	all := All()
	if all[0].Number != 1 || all[len(all)-1].Number != len(all) {
		t.Errorf("the numbers are not those from 1 to %d", len(all))
	}
	var written bytes.Buffer
	require.NoError(t, Write(&written, all))
	again, err := Read(&written)
	require.NoError(t, err)
	if !slices.EqualFunc(again, all, func(a, b Puzzle) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
		t.Error("the puzzles that were written are not those that were read")
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != digest {
		t.Errorf("digest %s: is this another collection?", got)
	}
}

// TestIdeas checks that no idea is there twice, that a game can lead to each position, that each theme is there ten times, and each
// length fifty times, and that many have a sentence.
func TestIdeas(t *testing.T) {
	var ideas puzzles.Ideas
	themes, lengths, sentences := map[string]int{}, map[int]int{}, 0
	for i := range All() {
		p := &All()[i]
		lengths[p.Turns]++
		for _, theme := range p.Themes.Names() {
			themes[theme]++
		}
		if p.Idea != "" {
			sentences++
		}
		if _, first := ideas.Add(p.Position, p.Turns, p.Solution); !first {
			t.Errorf("%s shows the idea of an earlier one", p.Name())
		}
		if err := p.Position.Unusual(); err != nil {
			t.Errorf("%s: %v", p.Name(), err)
		}
	}
	for _, theme := range describe.Themes(describe.All).Names() {
		if themes[theme] < 10 {
			t.Errorf("%d puzzles with the theme %s", themes[theme], theme)
		}
	}
	for n := 1; n <= 5; n++ {
		if lengths[n] < 50 {
			t.Errorf("%d wins in %d", lengths[n], n)
		}
	}
	if sentences < 60 {
		t.Errorf("%d have a sentence", sentences)
	}
}

// TestProved verifies puzzles from scratch: each is a win in exactly the number of turns that it claims, its solution is the only
// essential one, the certificate of the win holds, and the counts and themes are right. (Twelve, drawn from a seed; all, with the
// tag deep.)
func TestProved(t *testing.T) {
	certify := func(ctx context.Context, s *solve.Solver, q solve.Question, a solve.Answer) (puzzles.Certificate, error) {
		c, err := s.Certificate(ctx, q, a)
		if err != nil {
			return puzzles.NoCertificate, err
		}
		return puzzles.Accepted, c.Check(ctx, nil)
	}
	start := func() (*solve.Solver, error) { return solve.New(solve.Options{Memory: 64 << 20, Threads: 1}) }
	verify := func(ctx context.Context, s *solve.Solver, p *Puzzle) (puzzles.Result, error) {
		asked := puzzles.Puzzle{Name: p.Name(), Position: p.Position, Claim: p.Turns, Solution: p.Position.Notation(p.Solution)}
		return puzzles.Verify(ctx, s, asked, puzzles.Options{Certify: certify, Describe: true}), nil
	}
	workers := runtime.GOMAXPROCS(0)
	for o := range batch.Run(t.Context(), sample(), workers, 4*workers, start, verify) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		p, r := o.Job, o.Value
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		claim, _ := r.ClaimTrue()
		unique, _ := r.EssentiallyUnique()
		if !claim || !unique || r.SolutionOK == nil || !*r.SolutionOK || r.Certificate != puzzles.Accepted {
			t.Errorf("%s: claim %t, unique %t, certificate %v", p.Name(), claim, unique, r.Certificate)
			continue
		}
		d := r.Description
		if d.Themes != p.Themes || d.Turns != p.First || d.Winning != p.Mined.Solutions || p.Turns > 1 && (d.Threats != p.Tries || d.Replies != p.Replies) {
			t.Errorf("%s: %+v is not what the verification finds: %+v", p.Name(), *p, *d)
		}
	}
}

// sample yields all puzzles, or twelve of them.
func sample() iter.Seq[*Puzzle] {
	all := All()
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(all))
	return func(yield func(*Puzzle) bool) {
		for _, i := range order[:boards.Sized(12, len(all))] {
			if !yield(&all[i]) {
				return
			}
		}
	}
}

// TestNamed checks which puzzles arguments name.
func TestNamed(t *testing.T) {
	last := len(All())
	for arg, want := range map[string]int{"puzzle:1": 1, "puzzle:2-4": 3, "puzzle:all": last, fmt.Sprintf("puzzle:1-%d", last): last, "puzzles": 0, "./puzzle:1": 0} {
		if all, err := Named(arg); err != nil || len(all) != want {
			t.Errorf("%s: %d puzzles, %v", arg, len(all), err)
		}
	}
	for arg, want := range map[string]string{
		"puzzle:":     "puzzle:: name a puzzle by its number, as puzzle:12, several as puzzle:1-20, or puzzle:all",
		"puzzle:few":  "puzzle:few: name a puzzle by its number, as puzzle:12, several as puzzle:1-20, or puzzle:all",
		"puzzle:3-2":  "puzzle:3-2: 3 comes after 2: write 2-3",
		"puzzle:0":    fmt.Sprintf("puzzle:0: the puzzles have the numbers 1 to %d (see goalproof puzzles list)", last),
		"puzzle:9999": fmt.Sprintf("puzzle:9999: the puzzles have the numbers 1 to %d (see goalproof puzzles list)", last),
	} {
		if _, err := Named(arg); err == nil || err.Error() != want {
			t.Errorf("%s: %v", arg, err)
		}
	}
	for i := range All() {
		p := &All()[i]
		if q := ByNumber(p.Number); q != p {
			t.Errorf("%s: %v", p.Name(), q)
		}
		for z := range puzzles.Parse(notation.NewLines(p.Name(), strings.NewReader(p.Text()))) {
			if z.Err != nil || z.Position != p.Position || z.Claim != p.Turns || z.Solution != p.Position.Notation(p.Solution) || z.Label() != p.Name() {
				t.Errorf("%s: it is read as %+v", p.Name(), z)
			}
		}
	}
	if ByNumber(0) != nil || ByNumber(last+1) != nil {
		t.Error("there is a puzzle of another number")
	}
}

// TestSelect compares filters with counts by themes, lengths and difficulties as they are written.
func TestSelect(t *testing.T) {
	count := func(f Filter) int { return len(slices.Collect(Select(f))) }
	want := 0
	for i := range All() {
		if names := All()[i].Themes.Names(); slices.Contains(names, "threat") && slices.Contains(names, "push") {
			want++
		}
	}
	if n := count(Filter{Themes: describe.Threat | describe.Push}); n == 0 || n != want {
		t.Errorf("%d puzzles with a threat and a push instead of %d", n, want)
	}
	sum := 0
	for turns := 1; turns <= solve.MaxTurns; turns++ {
		sum += count(Filter{Turns: turns})
	}
	if sum != len(All()) || count(Filter{}) != sum {
		t.Errorf("%d puzzles by their lengths", sum)
	}
	first := slices.Collect(Select(Filter{Turns: 2}))[0]
	d, _ := first.Difficulty()
	shown := fmt.Sprintf("%.1f", d)
	var r Range
	fmt.Sscan(shown+" "+shown, &r.Least, &r.Most)
	if found := slices.Collect(Select(Filter{Difficulty: &r})); !slices.Contains(found, first) {
		t.Errorf("%s has the difficulty %s, and is not found by it", first.Name(), shown)
	}
	if n := count(Filter{Difficulty: &Range{0, describe.MaxDifficulty}}); n != len(All())-count(Filter{Turns: 1}) {
		t.Errorf("%d puzzles have a difficulty", n)
	}
}

// TestRead checks what is said about files that are damaged.
func TestRead(t *testing.T) {
	good := "1\tg [" + fmt.Sprintf("%-64s", "       rR") + "]\t1\tRa7n\t9\t1\t0\t0\tgoal\tgame\t"
	for text, want := range map[string]string{
		"":                "line 1: it is not the header of a collection",
		columns + "\n1\n": "line 2: 1 columns instead of 11",
		columns + "\n" + good + "\n" + good + "\n":                "line 3: the numbers do not grow",
		columns + "\n" + strings.Replace(good, "1\tg", "0\tg", 1): "line 2: a number is out of range",
		columns + "\n" + strings.Replace(good, "goal", "luck", 1): `line 2: "luck" is no theme; there are `,
		columns + "\n" + strings.Replace(good, "9", "many", 1):    "line 2: strconv.Atoi: ",
		columns + "\n" + strings.Replace(good, "Ra7n", "Rb7n", 1): "line 2: ",
	} {
		var file bytes.Buffer
		z := gzip.NewWriter(&file)
		_, err := z.Write([]byte(text))
		require.NoError(t, err)
		require.NoError(t, z.Close())
		if _, err := Read(&file); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v instead of %s", text, err, want)
		}
	}
	if _, err := Read(strings.NewReader(columns)); err == nil {
		t.Error("a file that is not compressed is read")
	}
}
