package cluster

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// TestClock checks that a clock that is set changes nothing that counts: the plan reads no clock,
// and what carries out its decisions compares no times, which two processes may have read: it would
// need a method of [time.Time].
func TestClock(t *testing.T) {
	for _, path := range []string{"plan.go", "desk.go", "carry.go", "run.go", "work.go", "next.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, _ := s.X.(*ast.Ident)
			ofPackage := x != nil && slices.Contains([]string{"cmp", "time", "slices", "bytes"}, x.Name)
			if path == "plan.go" && ofPackage && x.Name == "time" && !slices.Contains([]string{"Duration", "Minute", "Second", "Millisecond"}, s.Sel.Name) {
				t.Errorf("%s uses time.%s", path, s.Sel.Name)
			}
			if !ofPackage && slices.Contains([]string{"Before", "After", "Compare", "Sub", "Unix", "UnixNano"}, s.Sel.Name) {
				t.Errorf("%s compares times by %s", path, s.Sel.Name)
			}
			return true
		})
	}
	// The time since the start is that of a monotonic clock.
	d := desk{start: time.Now()}
	if !strings.Contains(d.start.String(), "m=") {
		t.Errorf("the start %v has no monotonic time", d.start)
	}
}
