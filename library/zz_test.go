package library

import (
	"context"
	"fmt"
	"goalproof/arimaa/notation"
	"os"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	ctx := context.Background()
	path := os.Getenv("ZZDB")
	if path == "" {
		path = t.TempDir() + "/a.db"
	}
	l, err := Create(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	im := l.Import()
	t0 := time.Now()
	for _, f := range []string{os.Getenv("ZZ")} {
		r, err := os.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		err = im.Text(ctx, f, notation.Parts(notation.NewLines(f, r)), func(r Read) {
			if r.Err != nil {
				fmt.Println(r.Err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := im.Close(); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%d %d %d %d %v\n", im.Added, im.Known, im.Broken, im.Twins, time.Since(t0))
	tot, err := l.Totals(ctx)
	fmt.Println(tot, err)
	if os.Getenv("ZZV") != "" {
		fmt.Println(l.Verify(ctx, func(int) {}))
		fmt.Println(time.Since(t0))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}
