package jobs_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"goalproof/cmd/internal/jobs"
	"goalproof/internal/testkit/boards"
)

// asked are commands whose answers are changed, with what they print by themselves.
var asked = [][]string{
	{"compose", "--nodes", "2000", "--json", "--claim", "2", "../../../examples/win-in-2.txt", "../../../examples/no-win-in-2.txt"},
	{"experiment", "--threads", "1", "--out", "DIR/out", "--nodes", "1000", "--grid", "algorithm=pns,dfpns", "--grid", "memory=4MiB", "../../../examples/win-in-2.txt", "../../../examples/win-in-3.txt", "../../../examples/no-win-in-2.txt"},
	{"verify", "--nodes", "3000", "--describe", "--json", "--check", "../../../examples/mined", "../../../examples/no-win-in-2.txt", "../../../examples/win-in-2.txt"},
	{"mine", "--nodes", "50000", "--all", "--json", "--game", "random-1-7", "../../../examples/games.tsv"},
	{"review", "--nodes", "2000", "--effort", "20", "--html", "DIR/page.html", "--annotated", "DIR/game.txt", "../../../examples/game.turns"},
	{"review", "--nodes", "1000", "--effort", "0", "--json", "--defence-nodes", "100", "../../../examples/games.tsv"},
}

// TestDamage changes bytes of the packed answers: they are refused, or say the same.
func TestDamage(t *testing.T) {
	for _, line := range asked[:boards.Sized(4, len(asked))] {
		alone := run(t, t.TempDir(), slices.Clone(line)...)
		for range boards.Sized(1, 3) {
			jobs.AnswerHere(t, func(_, answer []byte) []byte {
				answer = slices.Clone(answer)
				switch rand.IntN(4) {
				case 0:
					return answer[:rand.IntN(len(answer))]
				case 1:
					return append(answer, answer...)
				}
				answer[rand.IntN(len(answer))] ^= 1 << rand.IntN(8)
				return answer
			})
			if got := run(t, t.TempDir(), append(slices.Clone(line), "--cluster", "here")...); got.Out != alone.Out {
				t.Errorf("%v: damaged answers change the output", line)
			}
		}
	}
}

// TestHuge checks that an answer that unpacks to a gigabyte is refused.
func TestHuge(t *testing.T) {
	huge := jobs.Pack(t, strings.Repeat(" ", 60<<20)+"{}")
	bomb := slices.Concat(huge, huge)
	stats := jobs.AnswerHere(t, func(_, _ []byte) []byte { return bomb })
	alone := run(t, t.TempDir(), slices.Clone(asked[1])...)
	if got := run(t, t.TempDir(), append(slices.Clone(asked[1]), "--cluster", "here")...); got.Out != alone.Out || stats.Lies > 0 {
		t.Errorf("%d lies are believed", stats.Lies)
	}
}

// TestLiar changes what answers say, one value at a time, until such an answer is believed. That
// never makes a false win, and never ends the program, whatever it prints.
func TestLiar(t *testing.T) {
	for _, line := range asked[:boards.Sized(4, len(asked))] {
		var mu sync.Mutex
		believed, lies := map[string]int{}, 0
		others := map[string][]byte{} // answers to other questions
		stats := jobs.AnswerHere(t, func(question, answer []byte) []byte {
			mu.Lock()
			defer mu.Unlock()
			others[string(question)] = answer
			if rand.IntN(20) == 0 {
				for q, other := range others {
					if q != string(question) {
						return other
					}
				}
			}
			var v any
			if err := json.Unmarshal(jobs.Unpack(t, answer), &v); err != nil {
				t.Error(err)
			}
			v, _ = lie(v, "")
			lies++
			changed, _ := json.Marshal(v)
			return jobs.Pack(t, string(changed))
		})
		stats.Tries = 60
		stats.Believed = func(question, answer, lie []byte) {
			before, now := claims(t, answer), claims(t, lie)
			for i := range now {
				if now[i] > 0 && (i >= len(before) || before[i] == 0 || now[i] < before[i]) {
					t.Errorf("%s: %s\nis believed instead of\n%s", question, jobs.Unpack(t, lie), jobs.Unpack(t, answer))
				}
			}
			if why := difference(jobs.Unpack(t, answer), jobs.Unpack(t, lie)); why != "" {
				believed[why]++
			}
		}
		for range boards.Sized(1, 3) {
			got := run(t, t.TempDir(), append(slices.Clone(line), "--cluster", "here")...)
			if strings.Contains(got.Err, "panic") || strings.Contains(got.Err, "internal error") {
				t.Errorf("%v: %s", line, got.Err)
			}
		}
		if stats.Answers == 0 {
			t.Errorf("%v: nobody was asked", line)
		}
		t.Logf("%v: %d lies about %d questions, believed: %v", line, lies, stats.Answers, believed)
	}
}

// claims returns in how many turns the wins are that an answer claims, 0 for none.
func claims(t *testing.T, data []byte) (all []int) {
	var v struct {
		Found struct {
			Verdict, Within int
			Found           *struct{}
			Least           int
			Puzzle          bool
			Finding         struct{ Verdict, Least int }
			Parts           []struct {
				Without struct{ Verdict, Least int }
				Weaker  int
			}
		}
		Review []byte
		Runs   []struct{ Verdict, Within int } // any that is true of the shortest win proved is true
	}
	if err := json.Unmarshal(jobs.Unpack(t, data), &v); err != nil {
		t.Fatal(err)
	}
	if v.Found.Found != nil {
		return []int{v.Found.Least}
	}
	if v.Found.Puzzle || v.Found.Finding.Verdict > 0 {
		all = append(all, v.Found.Finding.Least)
		for _, part := range v.Found.Parts {
			all = append(all, part.Without.Least, part.Weaker)
		}
		return all
	}
	if v.Runs != nil {
		least := 0
		for _, r := range v.Runs {
			if r.Verdict == 1 && (least == 0 || r.Within < least) {
				least = r.Within
			}
		}
		return []int{least}
	}
	if v.Review == nil {
		return []int{v.Found.Within}
	}
	var r struct {
		Positions []struct {
			Win struct {
				Within int
				Tabled bool
			}
		}
	}
	if err := json.Unmarshal(inflate(v.Review), &r); err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Positions {
		all = append(all, p.Win.Within)
	}
	return all
}

// difference returns where two texts differ first, without numbers of lists.
func difference(a, b []byte) string {
	var v, w any
	_ = json.Unmarshal(a, &v)
	_ = json.Unmarshal(b, &w)
	return differs(v, w, "")
}

func differs(v, w any, where string) string {
	switch v := v.(type) {
	case map[string]any:
		w, ok := w.(map[string]any)
		if !ok {
			return where
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if k == "Review" {
				a, _ := base64.StdEncoding.DecodeString(fmt.Sprint(v[k]))
				b, _ := base64.StdEncoding.DecodeString(fmt.Sprint(w[k]))
				if d := difference(inflate(a), inflate(b)); d != "" {
					return d
				}
			} else if d := differs(v[k], w[k], where+"."+k); d != "" {
				return d
			}
		}
		if len(v) != len(w) {
			return where + " more"
		}
	case []any:
		w, ok := w.([]any)
		if !ok || len(v) != len(w) {
			return where + " length"
		}
		for i := range v {
			if d := differs(v[i], w[i], where+"[]"); d != "" {
				return d
			}
		}
	default:
		if v != w {
			return where
		}
	}
	return ""
}

func inflate(data []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(r)
	return text
}

func deflate(text []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(text)
	_ = w.Close()
	return b.Bytes()
}

// lie changes a value somewhere in a decoded text.
func lie(v any, where string) (any, string) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if len(keys) == 0 || rand.IntN(20) == 0 {
			v["More"] = 1
			return v, where + ".More"
		}
		k := keys[rand.IntN(len(keys))]
		if rand.IntN(10) == 0 {
			delete(v, k)
			return v, where + "." + k + " missing"
		}
		var at string
		v[k], at = lie(v[k], where+"."+k)
		return v, at
	case []any:
		if len(v) == 0 || rand.IntN(10) == 0 {
			return append(v, v...), where + " twice"
		}
		if rand.IntN(10) == 0 {
			return v[:rand.IntN(len(v))], where + " shorter"
		}
		i := rand.IntN(len(v))
		var at string
		v[i], at = lie(v[i], where+"[]")
		return v, at
	case float64:
		numbers := []float64{0, 1, 2, 3, -1, 255, 1e18, 4294967295, v + 1, v - 1, .5}
		return numbers[rand.IntN(len(numbers))], where
	case string:
		if strings.HasSuffix(where, ".Review") && rand.IntN(30) > 0 {
			data, _ := base64.StdEncoding.DecodeString(v)
			var inner any
			_ = json.Unmarshal(inflate(data), &inner)
			inner, at := lie(inner, "")
			text, _ := json.Marshal(inner)
			return base64.StdEncoding.EncodeToString(deflate(text)), where + at
		}
		if len(v) > 3 && rand.IntN(2) == 0 {
			i := rand.IntN(len(v) - 1)
			return v[:i] + string("gsRr +1234naew\n"[rand.IntN(15)]) + v[i+1:], where
		}
		return "", where
	case bool:
		return !v, where
	}
	return 1, where
}
