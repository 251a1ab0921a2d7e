package cluster

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/testkit/require"
)

// twoWorkers starts a server with the workers w1 and w2.
func twoWorkers(t *testing.T) (dir string, coordinator *Conn) {
	t.Helper()
	dir = t.TempDir()
	startServer(t, dir, ServerOptions{})
	coordinator = connected(t, dir, "")
	addWorker(t, coordinator, dir, "w2")
	return dir, coordinator
}

// addWorker makes a key for a worker, in the directory of the server.
func addWorker(t *testing.T, coordinator *Conn, dir, name string) {
	t.Helper()
	key, err := NewKey(name)
	require.NoError(t, err)
	require.NoError(t, key.Write(KeyFile(dir, name)))
	require.NoError(t, coordinator.Add(soon(t), key))
}

// TestForbidden tries as the worker w1 what it must not do: the server refuses each.
func TestForbidden(t *testing.T) {
	dir, coordinator := twoWorkers(t)
	ctx := soon(t)
	if _, err := coordinator.JS.Publish(ctx, jobSubject("w2", "run", "1"), []byte("question")); err != nil {
		t.Fatal(err)
	}
	if _, err := coordinator.JS.Publish(ctx, answerSubject("w2", "run", "2", "0"), []byte("answer")); err != nil {
		t.Fatal(err)
	}
	a, err := readDir(dir)
	require.NoError(t, err)
	key, err := ReadKey(KeyFile(dir, "w1"))
	require.NoError(t, err)
	acts := trespasses("w1", "w2")
	refused, err := try(ctx, a, key, acts, acts)
	require.NoError(t, err)
	for _, x := range acts {
		if !refused[x] {
			t.Errorf("w1 may %s %s", x.verb, x.subject)
		}
	}
	// What was there is there.
	for _, stream := range []string{jobsStream, answersStream} {
		s, err := coordinator.JS.Stream(ctx, stream)
		require.NoError(t, err)
		if n := s.CachedInfo().State.Msgs; n != 1 {
			t.Errorf("%s holds %d messages", stream, n)
		}
	}
}

// TestReplies has the server send replies to subjects that a worker may not publish: nobody takes
// them for requests, signs of life or runs.
func TestReplies(t *testing.T) {
	dir, coordinator := twoWorkers(t)
	ctx := soon(t)
	worker := connected(t, dir, KeyFile(dir, "w1"))
	replies := []string{"$JS.API.STREAM.PURGE." + jobsStream, "$JS.API.STREAM.DELETE." + answersStream, "$JS.API.CONSUMER.DELETE." + jobsStream + ".w2",
		adminSubject("revoke"), adminSubject("status"), aliveSubject("w2"), runSubject("w2")}
	if _, err := coordinator.JS.Publish(ctx, jobSubject("w2", "run", "1"), []byte("question")); err != nil {
		t.Fatal(err)
	}
	for _, reply := range replies {
		// The reply names a consumer and gives its configuration, as the worker has chosen them.
		create := "$JS.API.CONSUMER.CREATE." + inputsStream + ".w2.$O." + inputsBucket + ".C.x"
		config := fmt.Sprintf(`{"stream_name":%q,"config":{"name":"w2","filter_subject":"$O.%s.C.x","ack_policy":"none","mem_storage":true,"inactive_threshold":1000000000}}`, inputsStream, inputsBucket)
		require.NoError(t, worker.NATS.PublishRequest(create, reply, []byte(config)))
		require.NoError(t, worker.NATS.PublishRequest("$JS.API.CONSUMER.INFO."+jobsStream+".w1", reply, nil))
	}
	_ = worker.NATS.FlushTimeout(time.Second) // the server may have closed the connection
	time.Sleep(100 * time.Millisecond)
	status, err := coordinator.Status(ctx)
	require.NoError(t, err)
	if len(status.Runs) > 0 || len(status.Workers) != 2 || status.Workers[1].Revoked || len(status.Workers[1].Alive) > 0 || status.JobBytes == 0 {
		t.Errorf("the status is %+v", status)
	}
	if _, err := coordinator.JS.Consumer(ctx, jobsStream, "w2"); err != nil {
		t.Error(err)
	}
}

// TestInputs has a worker read an input of several chunks.
func TestInputs(t *testing.T) {
	dir, coordinator := twoWorkers(t)
	ctx := soon(t)
	store, err := coordinator.JS.ObjectStore(ctx, inputsBucket)
	require.NoError(t, err)
	text := strings.Repeat("0123456789abcdef", 50_000)
	if _, err := store.PutString(ctx, "digest", text); err != nil {
		t.Fatal(err)
	}
	var said []string
	worker, err := Connect(ctx, dir, KeyFile(dir, "w1"), func(text string) { said = append(said, text) })
	require.NoError(t, err)
	inputs, err := worker.JS.ObjectStore(ctx, inputsBucket)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "input")
	require.NoError(t, inputs.GetFile(ctx, "digest", file))
	if got, err := os.ReadFile(file); err != nil || string(got) != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := inputs.GetFile(ctx, "missing", file); !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Errorf("a missing input: %v", err)
	}
	worker.Close()
	if len(said) > 0 {
		t.Errorf("the connection says %v", said)
	}
}
