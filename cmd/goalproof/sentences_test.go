package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/solve"
)

// telling matches what says something about who wins, what holds or what is proved. In an error fewer words do: a file
// holds, a flag is right.
var (
	telling = regexp.MustCompile(`(?i)\b(wins?|winning|won|los(?:es?|t|ing)|loss(?:es)?|holds?|held|hastens?|throws?|threw|threat\w*|forced|` +
		`proved|proves|proven|disproved?|refut(?:es?|ed)|unique(?:ly)?|essential(?:ly)?|draws?|drawn|neither|nobody|zugzwangs?|` +
		`shortest|longest|fewest|superfluous|solutions?|solved|defen[cs]es?|decided?|mistakes?|misses|true|false|right|wrong|quiet|best|only|fails|least|as well|nothing changes|accepted|rejected|no proof|endgame table)\b|^(?:at least %s|%v cannot)`)
	tellingError = regexp.MustCompile(`(?i)\b(wins|won|lost|loses?|no win|disproved|refutes)\b`)
)

// atLeast is a bound that tells nothing, but at the beginning.
var atLeast = regexp.MustCompile(`(.)\bat least\b`)

// elsewhere are packages that have a table of their own (review), are prose (help), or whose texts state nothing about a position.
var elsewhere = regexp.MustCompile(`^(review|cmd/internal/(reviews?|help|bench|experiment|learn)|internal|tools|engine/learn)(/|$)|/testdata$`)

// source is the program's own source: its sentences, each with the files that have it, and its identifiers, such as
// solve.Answer.Within.
type source struct {
	sentences map[string][]string
	names     map[string]bool
	embeds    [][2]string // a type, such as solve.Answer, and a type that it embeds, such as answer.Bounds
}

func readSource(t *testing.T) source {
	t.Helper()
	s := source{sentences: map[string][]string{}, names: map[string]bool{}}
	root := os.DirFS(filepath.Join("..", ".."))
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch ext := path.Ext(name); {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go") || ext != ".go" && ext != ".js" && ext != ".html":
			return nil
		default:
			data, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			add := func(text string) { s.add(name, text, telling) }
			if elsewhere.MatchString(name) {
				add = func(string) {}
			}
			switch ext {
			case ".js":
				script(string(data), add)
			case ".html":
				page(string(data), add)
			default:
				file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
				if err != nil {
					return err
				}
				s.declare(path.Dir(name), file)
				if !elsewhere.MatchString(name) {
					ast.Inspect(file, s.literals(name, telling))
				}
			}
			return nil
		}
	})
	require.NoError(t, err)
	for _, e := range s.embeds {
		for name := range maps.Clone(s.names) {
			if own, ok := strings.CutPrefix(name, e[1]+"."); ok {
				s.names[e[0]+"."+own] = true
			}
		}
	}
	return s
}

// add takes a text in which words tell something. A word with a dash or a dot is a name.
func (s *source) add(file, text string, words *regexp.Regexp) {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "\x1b[K", "")
	if !words.MatchString(atLeast.ReplaceAllString(text, "$1")) || !strings.Contains(text, " ") && strings.ContainsAny(text, "-./_") || slices.Contains(s.sentences[text], file) {
		return
	}
	s.sentences[text] = append(s.sentences[text], file)
}

// declare takes the identifiers of a file of a package.
func (s *source) declare(pkg string, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				of := d.Recv.List[0].Type
				if star, ok := of.(*ast.StarExpr); ok {
					of = star.X
				}
				if id, ok := of.(*ast.Ident); ok {
					name = id.Name + "." + name
				}
			}
			s.names[pkg+"."+name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						s.names[pkg+"."+id.Name] = true
					}
				case *ast.TypeSpec:
					s.names[pkg+"."+spec.Name.Name] = true
					if fields, ok := spec.Type.(*ast.StructType); ok {
						for _, f := range fields.Fields.List {
							if of, ok := f.Type.(*ast.SelectorExpr); ok && f.Names == nil {
								s.embeds = append(s.embeds, [2]string{pkg + "." + spec.Name.Name, fmt.Sprint(of.X, ".", of.Sel)})
							}
							for _, id := range f.Names {
								s.names[pkg+"."+spec.Name.Name+"."+id.Name] = true
							}
						}
					}
				}
			}
		}
	}
}

// literals visits the literals that can reach a user: no tags of structs, no names of packages, no panics, no patterns, and no
// help, which is prose.
func (s *source) literals(name string, words *regexp.Regexp) func(ast.Node) bool {
	return func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.StructType:
			return false
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			return !ok || !slices.Contains([]string{"Use", "Short", "Long", "Example"}, key.Name)
		case *ast.CallExpr:
			called := ""
			switch f := n.Fun.(type) {
			case *ast.Ident:
				called = f.Name
			case *ast.SelectorExpr:
				called = f.Sel.Name
			}
			switch {
			case called == "panic", called == "MustCompile", regexp.MustCompile(`Var(P|PF)?$`).MatchString(called):
				return false
			case called == "Errorf", called == "New":
				for _, a := range n.Args {
					ast.Inspect(a, s.literals(name, tellingError))
				}
				return false
			}
		case *ast.BinaryExpr:
			if n.Op == token.ADD {
				s.add(name, s.joined(name, words, n), words)
				return false
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				s.add(name, unquoted(n), words)
			}
		}
		return true
	}
}

// joined returns the text of a sum, with … for what is no literal and is visited by itself.
func (s *source) joined(name string, words *regexp.Regexp, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return s.joined(name, words, e.X) + s.joined(name, words, e.Y)
		}
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return unquoted(e)
		}
	}
	ast.Inspect(e, s.literals(name, words))
	return "…"
}

func unquoted(l *ast.BasicLit) string {
	text, err := strconv.Unquote(l.Value)
	if err != nil {
		return l.Value
	}
	return text
}

// script adds the strings and templates of a script, with … for what a template fills in, and the
// texts of those that are markup (html). A single word counts only as one of two: others are names.
func script(s string, add func(string)) { scriptTo(s, 0, false, add) }

func scriptTo(s string, i int, inner bool, add func(string)) int {
	depth, before := 0, "" // what stands before i, without spaces
	for i < len(s) {
		rest := s[i:]
		switch c := s[i]; {
		case strings.HasPrefix(rest, "//"):
			i += max(strings.IndexByte(rest, '\n'), 0) + 1
			continue
		case strings.HasPrefix(rest, "/*"):
			i += strings.Index(rest, "*/") + 2
			continue
		case c == '/' && (before == "" || strings.ContainsAny(before, "(,=:[!&|?{};")): // a pattern
			for i++; s[i] != '/'; i++ {
				switch s[i] {
				case '\\':
					i++
				case '[':
					for ; s[i] != ']'; i++ {
						if s[i] == '\\' {
							i++
						}
					}
				}
			}
		case c == '"' || c == '\'':
			start := i
			for i++; s[i] != c; i++ {
				if s[i] == '\\' {
					i++
				}
			}
			if text := s[start+1 : i]; strings.Contains(text, " ") || before == "?" || before == ":" {
				add(text)
			}
		case c == '`':
			var text strings.Builder
			isMarkup := strings.HasSuffix(s[:i], "html")
			for i++; s[i] != '`'; i++ {
				if s[i] == '\\' {
					i++
				} else if strings.HasPrefix(s[i:], "${") {
					i = scriptTo(s, i+2, true, add)
					text.WriteString("…")
					continue
				}
				text.WriteByte(s[i])
			}
			if isMarkup {
				markup(text.String(), add)
			} else {
				add(text.String())
			}
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 && inner {
				return i
			}
		}
		if i < len(s) && !strings.ContainsAny(s[i:i+1], " \n\t") {
			before = s[i : i+1]
		}
		i++
	}
	return i
}

var (
	comments  = regexp.MustCompile(`(?s)<!--.*?-->|<style.*?</style>|\{\{/\*.*?\*/\}\}`)
	scripts   = regexp.MustCompile(`(?s)<script[^>]*>(.*?)</script>`)
	actions   = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	tags      = regexp.MustCompile(`(?s)<[^>]*>`)
	labels    = regexp.MustCompile(`(?:title|aria-label|placeholder|alt)="([^"]*)"`)
	inActions = regexp.MustCompile("\"([^\"]* [^\"]*)\"")
)

// page adds the texts and labels of a page or of its template.
func page(s string, add func(string)) {
	s = comments.ReplaceAllString(s, "")
	for _, m := range scripts.FindAllStringSubmatch(s, -1) {
		if !strings.Contains(m[1], "{{") {
			script(m[1], add)
		}
	}
	s = scripts.ReplaceAllString(s, "")
	for _, m := range actions.FindAllString(s, -1) {
		for _, text := range inActions.FindAllStringSubmatch(m, -1) {
			add(text[1])
		}
	}
	markup(actions.ReplaceAllString(s, "…"), add)
}

// markup adds the texts and labels of markup.
func markup(s string, add func(string)) {
	for _, m := range labels.FindAllStringSubmatch(s, -1) {
		add(html.UnescapeString(m[1]))
	}
	for text := range strings.SplitSeq(tags.ReplaceAllString(s, "\x00"), "\x00") {
		add(html.UnescapeString(text))
	}
}

// row is a sentence of the program, the fact that it states, and where that fact is proved.
type row struct{ sentence, fact, proved string }

// nothing is what the second column says of a sentence that states no fact about a position: then the third is empty.
var nothing = regexp.MustCompile(`^(estimate|question|record|heading|name|text|file|error)\b`)

func readTable(t *testing.T) (rows []row) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "sentences.tsv"))
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			t.Fatalf("sentences.tsv:%d: %d columns, want 3: sentence, fact, where it is proved", n, len(fields))
		}
		if n > 1 { // the first one is the heading
			rows = append(rows, row{fields[0], fields[1], fields[2]})
		}
	}
	require.NoError(t, lines.Err())
	return rows
}

// TestTableOfSentences checks that every sentence of the program that tells something about a position stands in
// testdata/sentences.tsv, with the fact that it states and where that fact is proved. A review has its own table
// (cmd/internal/reviews), where every sentence is put to the solver.
func TestTableOfSentences(t *testing.T) {
	s := readSource(t)
	known := map[string]bool{}
	for _, r := range readTable(t) {
		if known[r.sentence] {
			t.Errorf("two rows: %s", r.sentence)
		}
		known[r.sentence] = true
		if len(s.sentences[r.sentence]) == 0 {
			t.Errorf("no source has: %s", r.sentence)
		}
		if nothing.MatchString(r.fact) {
			if r.proved != "" {
				t.Errorf("%s: states nothing (%s), yet %s proves it", r.sentence, r.fact, r.proved)
			}
			continue
		}
		if r.fact == "" || r.proved == "" {
			t.Errorf("what does it state, and where is that proved? %s", r.sentence)
			continue
		}
		for name := range strings.SplitSeq(r.proved, ", ") {
			if !s.names[name] {
				t.Errorf("%s: there is no %s", r.sentence, name)
			}
		}
	}
	for sentence, files := range s.sentences {
		if !known[sentence] {
			t.Errorf("%s: no row in testdata/sentences.tsv: %s", strings.Join(files, ", "), sentence)
		}
	}
	if len(known) < 100 {
		t.Errorf("%d sentences: the test says little", len(known))
	}
}

// TestSentencesFound checks that the sentences are found in each kind of source.
func TestSentencesFound(t *testing.T) {
	find := func(read func(string, func(string)), text string) (found []string) {
		read(text, func(s string) {
			if telling.MatchString(s) {
				found = append(found, s)
			}
		})
		return found
	}
	for _, c := range []struct {
		found, want []string
	}{
		{find(script, "// it wins here\nsay(`${n} wins ${a ? \"it holds\" : `no ${b} win`} now`, 'he loses all'); /* lost */ x = s.replace(/won \"/g, \"\"); y = z ? \"lost\" : \"\";"),
			[]string{"it holds", "no … win", "… wins … now", "he loses all", "lost"}},
		{find(script, "html`<p class=\"lost\" title=\"it wins\">${a => b} has ${c ? html`<b>won</b>` : html`<${D} quiet />`}</p>`"), []string{"won", "it wins"}},
		{find(page, `<!-- won --><p title="it wins">Gold has <b>won</b>{{if .A}}, it {{.B}} wins{{else}}{{printf "holds for %d" .N}}{{end}}</p><script>say("a win " + n)</script>`),
			[]string{"a win ", "holds for %d", "it wins", "won", "…, it … wins………"}},
	} {
		if !slices.Equal(c.found, c.want) {
			t.Errorf("found %q, want %q", c.found, c.want)
		}
	}
	s := source{sentences: map[string][]string{}, names: map[string]bool{}}
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", `package a
// it wins in a comment
type t struct { a string `+"`json:\"win\"`"+` }
var c = cobra.Command{Long: "it wins in help"}
func f() error {
	say("gold " + "wins in %d", "a hold")
	if bad { panic("it wins in a panic") }
	flags.IntVar(&n, "win-in", 2, "wins of a flag")
	say("no win in "+name("it lost")+" turns")
	return fmt.Errorf("the file holds no game that %s wins: a proof", "gold")
}`, 0)
	require.NoError(t, err)
	ast.Inspect(file, s.literals("a.go", telling))
	want := []string{"a hold", "gold wins in %d", "it lost", "no win in … turns", "the file holds no game that %s wins: a proof"}
	if got := slices.Sorted(maps.Keys(s.sentences)); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestSureLine checks that the studio knows up to which number of turns a line is certain to have the longest defence.
func TestSureLine(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "studio", "assets", "views", "wins.js"))
	require.NoError(t, err)
	if want := fmt.Sprintf("const sureLine = %d;", solve.SureLine); !strings.Contains(string(text), want) {
		t.Errorf("wins.js lacks %q", want)
	}
}
