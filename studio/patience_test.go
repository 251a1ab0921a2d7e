package studio

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goalproof/arimaa/notation"
	"goalproof/internal/testkit/require"
	"goalproof/library"
)

// crowded opens a library with so many games that a pattern in all of them takes a while.
func crowded(t *testing.T) *library.Library {
	t.Helper()
	text, err := os.ReadFile("../examples/games.tsv")
	require.NoError(t, err)
	header, games, _ := strings.Cut(string(text), "\n")
	many := header + "\n"
	for i := range 120 {
		many += strings.ReplaceAll(games, "random-", fmt.Sprint("copy-", i, "-"))
	}
	path := filepath.Join(t.TempDir(), "games.db")
	l, err := library.Create(t.Context(), path)
	require.NoError(t, err)
	im, err := l.Import()
	require.NoError(t, err)
	require.NoError(t, im.Text(t.Context(), "games", notation.Parts(notation.NewLines("games", strings.NewReader(many))), func(library.Read) {}))
	require.NoError(t, im.Close())
	t.Cleanup(func() { l.Close() })
	return l
}

// TestPatience asks what takes long: the studio says so when the time is up, and gives up when the
// client is gone or the studio ends.
func TestPatience(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	studioContext, endStudio := context.WithCancel(context.Background())
	s, err := New(studioContext, l, Options{Memory: 64 << 20, Library: crowded(t)})
	require.NoError(t, err)
	s.patience = 10 * time.Minute
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	defer func() {
		endStudio()
		<-ended
	}()
	slow := `{"filter": {"mirrored": true, "exchanged": true, "pattern": "` + strings.Repeat("?a-h1-8 ", 60) + `Ea1 ea1"}}`
	ask := func(ctx context.Context, path string) (status int, why string, took time.Duration) {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, "POST", "http://"+s.address+"/api/library/"+path, strings.NewReader(slow))
		require.NoError(t, err)
		r.Header.Set("Authorization", "Bearer "+s.token)
		r.Header.Set("Content-Type", "application/json")
		began := time.Now()
		a, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			return 0, err.Error(), time.Since(began)
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		require.NoError(t, err)
		var f failure
		require.NoError(t, json.Unmarshal(text, &f))
		return a.StatusCode, f.Error, time.Since(began)
	}
	status, why, whole := ask(t.Context(), "count")
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, why)
	}
	t.Logf("the question takes %v", whole)

	// The client goes away.
	for _, path := range []string{"count", "games", "stats"} {
		ctx, leave := context.WithTimeout(t.Context(), whole/10)
		if status, why, _ := ask(ctx, path); status != 0 {
			t.Errorf("%s: %d %s", path, status, why)
		}
		leave()
		for gone := time.Now(); len(s.questions) > 0; time.Sleep(time.Millisecond) {
			if time.Since(gone) > whole/2 {
				t.Fatalf("%s: the question goes on without the client", path)
			}
		}
	}

	// The time is up, also that of a question that waits for others.
	s.patience = whole / 10
	for _, busy := range []bool{false, true} {
		for range maxQuestions {
			if busy {
				s.questions <- struct{}{}
			}
		}
		status, why, took := ask(t.Context(), "games")
		if status != http.StatusServiceUnavailable || !strings.Contains(why, "has not answered within") || took > whole/2 {
			t.Errorf("others: %t: %d %s after %v", busy, status, why, took)
		}
	}

	// The studio ends.
	s.patience = 10 * time.Minute
	time.AfterFunc(whole/10, endStudio)
	if status, why, took := ask(t.Context(), "games"); status == http.StatusOK || took > whole/2 {
		t.Errorf("%d %s after %v", status, why, took)
	}
}
