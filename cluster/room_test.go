package cluster

import (
	"fmt"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestMakeRoom has a worker fill the room for answers with those to runs that nobody has begun: they are
// deleted, and the answers of others are not, also those to a run whose coordinator is away.
func TestMakeRoom(t *testing.T) {
	f := farmIn(t, t.TempDir(), ServerOptions{Limits: Limits{Message: 64 << 10, Answers: 1 << 20}})
	honest := connected(t, f.dir, KeyFile(f.dir, FirstWorker))
	f.s.runs.hear(Progress{Run: "away"})
	waiting := func() uint64 {
		stream, err := f.s.conn.JS.Stream(soon(t), answersStream)
		require.NoError(t, err)
		return stream.CachedInfo().State.Msgs
	}
	// send publishes answers until so many bytes have been sent, or no more are taken.
	send := func(c *Conn, run string, bytes int) (n uint64) {
		for ; bytes > 0; bytes -= 16 << 10 {
			if _, err := c.JS.Publish(soon(t), answerSubject(c.Key.Name, run, randomName(), "0"), make([]byte, 16<<10)); err != nil {
				break
			}
			n++
		}
		return n
	}
	for _, c := range []struct {
		run   string
		bytes int
	}{{"away", 2 << 20}, {randomName(), 128 << 10}} { // much that is asked, little that is not
		n := send(honest, c.run, c.bytes)
		require.NoError(t, f.s.makeRoom(soon(t)))
		if got := waiting(); got != n || n < 8 {
			t.Fatalf("%s: of %d answers %d are left", c.run, n, got)
		}
		require.NoError(t, f.s.purge(soon(t), "*", c.run))
	}
	kept := send(honest, "away", 128<<10) + send(honest, randomName(), 16<<10)
	liar, err := NewKey("liar")
	require.NoError(t, err)
	file := t.TempDir() + "/liar"
	require.NoError(t, liar.Write(file))
	require.NoError(t, connected(t, f.dir, "").Add(soon(t), liar))
	send(connected(t, f.s.Address(), file), randomName(), 2<<20)
	if n := send(honest, "away", 16<<10); n != 0 {
		t.Fatal("the liar has left room")
	}
	if err := f.s.makeRoom(soon(t)); err == nil || !strings.Contains(err.Error(), "from liar;") {
		t.Errorf("the server says: %v", err)
	}
	if got := waiting(); got != kept {
		t.Errorf("of %d answers of others %d are left", kept, got)
	}
	if n := send(honest, "away", 16<<10); n != 1 {
		t.Error("there is no room")
	}
}

// TestMuchAlive has processes of a worker say that they have more at work than the server keeps: it keeps
// them all, and a bounded part of what they have.
func TestMuchAlive(t *testing.T) {
	l := newAliveList()
	much := Alive{Running: make([]Running, 3000)}
	for round := range 2 {
		for i := range 10 {
			much.Process = fmt.Sprint("p", i)
			l.hear("w", much)
		}
		running := 0
		all := l.of("w")
		for _, a := range all {
			running += len(a.Running)
		}
		if len(all) != 10 || running < mostRunning/2 || running > mostRunning {
			t.Errorf("round %d: %d processes have %d groups", round, len(all), running)
		}
	}
}
