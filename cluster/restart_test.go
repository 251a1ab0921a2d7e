package cluster

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/testkit/require"
)

// TestRestart stops and starts a server while a worker is busy, or waits for a job. All jobs come,
// and the client drops nothing (see [Conn.Next]).
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, dir, ServerOptions{})
	listen := fmt.Sprintf("127.0.0.1:%d", s.listen.port)
	var mu sync.Mutex
	var said []string
	worker, err := Connect(t.Context(), dir, KeyFile(dir, FirstWorker), func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, text)
	})
	require.NoError(t, err)
	defer worker.Close()
	coordinator := connected(t, dir, "")
	got := make(chan string, 100)
	go func() {
		for t.Context().Err() == nil {
			job, err := worker.Next(t.Context())
			if err != nil {
				return
			}
			time.Sleep(60 * time.Millisecond)
			if job.DoubleAck(t.Context()) == nil {
				got <- string(job.Data())
			}
		}
	}()
	const rounds, jobs = 3, 3
	for round := range rounds {
		for job := range jobs {
			number := fmt.Sprint(round*jobs + job)
			if _, err := coordinator.JS.Publish(t.Context(), jobSubject(FirstWorker, "run", number), []byte(number), jetstream.WithRetryAttempts(20)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(50 * time.Millisecond)
		s.Close()
		s = startServer(t, dir, ServerOptions{Listen: listen})
		for !coordinator.await(t.Context(), time.Second) {
		}
	}
	seen := map[string]bool{}
	late := time.After(3 * redelivery)
	for len(seen) < rounds*jobs {
		select {
		case number := <-got:
			seen[number] = true
		case <-late:
			t.Fatalf("only the jobs %v were done", seen)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if text := strings.Join(said, "; "); strings.Contains(text, "slow consumer") || !strings.Contains(text, "trying again") || !strings.Contains(text, "connected to") {
		t.Errorf("the connection says: %s", text)
	}
}
