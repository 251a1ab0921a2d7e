package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/files"
	"goalproof/internal/testkit/require"
)

// TestConnectErrors connects with wrong addresses and keys.
func TestConnectErrors(t *testing.T) {
	dir, other, keys := t.TempDir(), t.TempDir(), t.TempDir()
	s := startServer(t, dir, ServerOptions{})
	startServer(t, other, ServerOptions{})
	plain, _, _ := strings.Cut(s.Address(), "#")
	write := func(name, text string) string {
		path := filepath.Join(keys, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	key, err := NewKey("w1")
	require.NoError(t, err)
	text := key.Text()
	for _, c := range []struct{ where, key, want string }{
		{plain + "#" + strings.Repeat("ab", 32), KeyFile(dir, "w1"), "another fingerprint than the address"},
		{plain, KeyFile(dir, "w1"), "has a certificate that is not trusted"},
		{strings.Replace(plain, "tls", "nats", 1), KeyFile(dir, "w1"), "has a certificate that is not trusted"},
		{"tls://127.0.0.1:1", KeyFile(dir, "w1"), "no server answers at tls://127.0.0.1:1"},
		{s.Address(), KeyFile(other, "w1"), "the key of w1 is refused by " + plain + ": it was revoked, or it belongs to another cluster"},
		{dir, CoordinatorKeyFile(other), "the key of coordinator is refused"},
		{s.Address(), "", "no key is given"},
		{t.TempDir(), "", "no server has run there"},
		{dir, write("empty", ""), "there is no line with name"},
		{dir, write("half", "name w1\n"), "there is no line with seed"},
		{dir, write("typo", strings.Replace(text, "seed SU", "seed SV", 1)), "typo, line 3: the seed is damaged"},
		{dir, write("cut", text[:len(text)-5]), "cut, line 3: the seed is damaged"},
		{dir, write("twice", text+text), "twice, line 5: there is a second name"},
		{dir, write("name", "name a.b\n"), `name, line 1: "a.b" is no name of a worker`},
		{dir, write("public", "name w1\nseed "+key.Public()), "public, line 2: the seed is damaged"},
		{dir, write("long", strings.Repeat("x", 5000)), "long: this is no key of a cluster: it has more than 4096 bytes"},
		{dir, keys, "is a directory"},
	} {
		conn, err := Connect(soon(t), c.where, c.key, nil)
		if err == nil {
			conn.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "SUA") {
			t.Errorf("%s, %s: %v, want %s", c.where, c.key, err, c.want)
		}
	}
	given := connected(t, dir, write("good", "\r\n# a comment\r\nseed "+key.seed+"\r\n name   w3 \r\n")[:0]) // the coordinator's
	if given.Key.Name != Coordinator {
		t.Errorf("the default key is that of %s", given.Key.Name)
	}
	if k, err := ReadKey(filepath.Join(keys, "good")); err != nil || k.Name != "w3" || k.Public() != key.Public() {
		t.Errorf("%+v, %v", k, err)
	}
}

// TestSignature signs and verifies.
func TestSignature(t *testing.T) {
	a, err := NewKey("a")
	require.NoError(t, err)
	b, err := NewKey("b")
	require.NoError(t, err)
	signature, err := a.Sign([]byte("text"))
	require.NoError(t, err)
	require.NoError(t, Verify(a.Public(), []byte("text"), signature))
	for _, err := range []error{Verify(b.Public(), []byte("text"), signature), Verify(a.Public(), []byte("Text"), signature), Verify(a.Public(), []byte("text"), nil), Verify("a", nil, nil)} {
		if err == nil {
			t.Error("a wrong signature is accepted")
		}
	}
}

// TestRevoke revokes a key while it is in use: the connection ends at once and says why, what the
// worker has left is deleted, the trail says so, and the name can be used again.
func TestRevoke(t *testing.T) {
	dir, coordinator := twoWorkers(t)
	ctx := soon(t)
	worker := connected(t, dir, KeyFile(dir, "w2"))
	for _, name := range []string{"w1", "w2"} {
		for _, subject := range []string{jobSubject(name, "run", "1"), answerSubject(name, "run", "1", "0")} {
			if _, err := coordinator.JS.Publish(ctx, subject, []byte("text")); err != nil {
				t.Fatal(err)
			}
		}
	}
	require.NoError(t, coordinator.Revoke(ctx, "w2", "wrong answers"))
	select {
	case <-worker.Done():
	case <-ctx.Done():
		t.Fatal("the worker is connected still")
	}
	if err := worker.Err(); !errors.Is(err, ErrRefused) || !strings.HasPrefix(err.Error(), "the key of w2 is refused by ") {
		t.Errorf("the connection has ended with %v", err)
	}
	if _, err := worker.Next(ctx); !errors.Is(err, ErrRefused) {
		t.Errorf("waiting for a job ends with %v", err)
	}
	if _, err := Connect(ctx, dir, KeyFile(dir, "w2"), nil); !errors.Is(err, ErrRefused) {
		t.Errorf("connecting again: %v", err)
	}
	for _, stream := range []string{jobsStream, answersStream} {
		s, err := coordinator.JS.Stream(ctx, stream)
		require.NoError(t, err)
		if n := s.CachedInfo().State.Msgs; n != 1 {
			t.Errorf("%s holds %d messages", stream, n)
		}
	}
	if _, err := coordinator.JS.Consumer(ctx, jobsStream, "w2"); !errors.Is(err, jetstream.ErrConsumerNotFound) {
		t.Errorf("the consumer of w2: %v", err)
	}
	trail, err := os.ReadFile(filepath.Join(dir, trailFile))
	if err != nil || !strings.Contains(string(trail), `"what":"revoke","who":"w2","why":"wrong answers"}`+"\n") {
		t.Errorf("the trail: %s, %v", trail, err)
	}
	require.NoError(t, os.Remove(KeyFile(dir, "w2")))
	addWorker(t, coordinator, dir, "w2")
	connected(t, dir, KeyFile(dir, "w2"))
	w1, err := ReadKey(KeyFile(dir, "w1"))
	require.NoError(t, err)
	w1.Name = "w9"
	for _, c := range []struct {
		err  error
		want string
	}{
		{coordinator.Add(ctx, Key{Name: "w9", public: worker.Key.Public()}), "this key is known already"},
		{coordinator.Add(ctx, w1), "this key is known already"},
		{coordinator.Add(ctx, Key{Name: "a.b", public: w1.Public()}), "is no name of a worker"},
		{coordinator.Add(ctx, Key{Name: "w9", public: "key"}), "is no public key"},
		{coordinator.Revoke(ctx, "w9", ""), `there is no worker "w9"`},
		{coordinator.Drop(ctx, "run", ""), `there is no run "run"`},
		{coordinator.Drop(ctx, "*", ""), `"*" is no name of a run`},
		{connected(t, dir, KeyFile(dir, "w1")).Revoke(ctx, "w2", ""), "the key of w1 may not do this"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
	twin, err := NewKey("W1")
	require.NoError(t, err)
	if err := coordinator.Add(ctx, twin); err == nil || !strings.Contains(err.Error(), "there is a worker w1") {
		t.Errorf("two names that differ in case alone: %v", err)
	}
}

// TestAgain starts a server in a directory in which one has run: keys, workers and runs are there.
// Streams that were deleted are made anew.
func TestAgain(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, dir, ServerOptions{Version: "v1"})
	coordinator := connected(t, dir, "")
	ctx := soon(t)
	say := func(c *Conn, subject, text string) {
		require.NoError(t, c.NATS.Publish(subject, []byte(text)))
		require.NoError(t, c.NATS.Flush())
	}
	addWorker(t, coordinator, dir, "w2")
	require.NoError(t, coordinator.Revoke(ctx, "w2", ""))
	say(coordinator, runSubject("run"), `{"run":"run","command":"goalproof verify","started":"2026-01-02T03:04:05Z","answered":3}`)
	say(coordinator, runSubject("ended"), `{"run":"ended","ended":true}`)
	say(coordinator, runSubject("other"), `{"run":"another"}`)
	say(coordinator, runSubject("stopped"), `{"run":"stopped","started":"2026-01-03T03:04:05Z","stopped":true}`)
	say(connected(t, dir, KeyFile(dir, "w1")), aliveSubject("w1"), `{"process":"p","host":"h","slots":2}`)
	status, err := coordinator.Status(ctx)
	for err == nil && (len(status.Runs) < 3 || len(status.Workers[0].Alive) == 0) && ctx.Err() == nil { // signs take a moment
		time.Sleep(10 * time.Millisecond)
		status, err = coordinator.Status(ctx)
	}
	require.NoError(t, err)
	if len(status.Runs) != 3 || !status.Runs[1].Heard || status.Runs[2].Heard || status.Address != s.Address() || status.Version != "v1" || len(status.Workers[0].Alive) != 1 || status.Workers[0].Alive[0].Slots != 2 {
		t.Errorf("the status is %+v", status)
	}
	if err := coordinator.Drop(ctx, "run", ""); err == nil || !strings.Contains(err.Error(), "is at work: stop its command first") {
		t.Errorf("dropping a run at work: %v", err)
	}
	if _, err := StartServer(dir, ServerOptions{Listen: "127.0.0.1:0"}); !errors.Is(err, files.ErrInUse) {
		t.Errorf("a second server in the directory: %v", err)
	}
	busy := fmt.Sprintf("127.0.0.1:%d", s.listen.port)
	if _, err := StartServer(t.TempDir(), ServerOptions{Listen: busy}); err == nil || !strings.Contains(err.Error(), "cannot listen on "+busy) {
		t.Errorf("a second server on the port: %v", err)
	}
	require.NoError(t, coordinator.Drop(ctx, "stopped", ""))
	_, before, _ := strings.Cut(s.Address(), "#")
	s.Close()

	s = startServer(t, dir, ServerOptions{Listen: busy})
	if _, after, _ := strings.Cut(s.Address(), "#"); after != before {
		t.Error("the server has another fingerprint")
	}
	again := connected(t, dir, "")
	status, err = again.Status(ctx)
	require.NoError(t, err)
	if len(status.Runs) != 1 || status.Runs[0].Answered != 3 || status.Runs[0].Heard || len(status.Workers) != 2 || !status.Workers[1].Revoked {
		t.Errorf("the status is %+v", status)
	}
	if _, err := again.JS.Publish(ctx, answerSubject("w1", "run", "1", "0"), nil); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, again.Drop(ctx, "run", "old"))
	if status, err = again.Status(ctx); err != nil || len(status.Runs) > 0 || status.AnswerBytes > 0 {
		t.Errorf("the status is %+v, %v", status, err)
	}
	require.NoError(t, again.JS.DeleteStream(ctx, jobsStream))
	require.NoError(t, s.makeStreams(ctx))
	if _, err := again.JS.Publish(ctx, jobSubject("w1", "run", "1"), nil); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"", keysDir, coordinatorFile, adminFile, authorityFile, serverFile, workersFile, runsFile, trailFile, filepath.Join(keysDir, "w1.key")} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read %s: %v, %v", name, info.Mode(), err)
		}
	}
}

// TestDamagedDir starts a server in directories of which one file is damaged.
func TestDamagedDir(t *testing.T) {
	dir := t.TempDir()
	startServer(t, dir, ServerOptions{}).Close()
	for name, want := range map[string]string{
		authorityFile: "authority.pem is damaged", serverFile: "server.pem is damaged", coordinatorFile: "coordinator.key, line 1: ", adminFile: "server.key, line 1: ",
		workersFile: "workers.json is damaged", runsFile: "runs.json is damaged",
	} {
		path := filepath.Join(dir, name)
		good, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte("damaged"), 0o600))
		if _, err := StartServer(dir, ServerOptions{Listen: "127.0.0.1:0"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		require.NoError(t, os.Remove(path))
		require.NoError(t, os.Mkdir(path, 0o700))
		if _, err := StartServer(dir, ServerOptions{Listen: "127.0.0.1:0"}); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is a directory: %v", name, err)
		}
		require.NoError(t, os.Remove(path))
		require.NoError(t, os.WriteFile(path, good, 0o600))
	}
	startServer(t, dir, ServerOptions{})
}

// TestLimits publishes messages that are too large, and more than a queue holds.
func TestLimits(t *testing.T) {
	dir := t.TempDir()
	startServer(t, dir, ServerOptions{}).Close() // with larger ones
	startServer(t, dir, ServerOptions{Limits: Limits{Message: 64 << 10, Jobs: 256 << 10, Answers: 256 << 10, Inputs: 1 << 20}})
	coordinator := connected(t, dir, "")
	ctx := soon(t)
	if _, err := coordinator.JS.Publish(ctx, jobSubject("w1", "run", "x"), make([]byte, 65<<10)); err == nil {
		t.Error("a message that is too large is accepted")
	}
	var err error
	n := 0
	for ; err == nil && n < 100; n++ {
		_, err = coordinator.JS.Publish(ctx, jobSubject("w1", "run", fmt.Sprint(n)), make([]byte, 32<<10))
	}
	if n > 9 || err == nil || !strings.Contains(err.Error(), "maximum bytes exceeded") {
		t.Errorf("after %d jobs: %v", n, err)
	}
	if _, err := coordinator.JS.Publish(ctx, jobSubject("w1", "run", "0"), []byte("again")); err == nil {
		t.Error("a second job with the number of one that waits is accepted")
	}
	store, err := coordinator.JS.ObjectStore(ctx, inputsBucket)
	require.NoError(t, err)
	if _, err := store.PutBytes(ctx, "large", make([]byte, 2<<20)); err == nil {
		t.Error("an input that is too large is accepted")
	}
}

// TestManyProcesses has more processes than a message has room for: a run gets the keys of the
// workers nevertheless, and who asks for the status is told.
func TestManyProcesses(t *testing.T) {
	f := farmIn(t, t.TempDir(), ServerOptions{Limits: Limits{Message: 64 << 10}})
	for range mostProcesses {
		f.s.alive.hear(FirstWorker, Alive{Process: randomName(), Slots: 1})
	}
	boss := connected(t, f.dir, "")
	all, err := boss.Workers(soon(t))
	require.NoError(t, err)
	if len(all) != 1 || all[0].Name != FirstWorker || all[0].Key == "" {
		t.Errorf("the workers are %+v", all)
	}
	if _, err := boss.Status(soon(t)); err == nil || !strings.Contains(err.Error(), "--max-message") {
		t.Errorf("the status of many processes: %v", err)
	}
}
