package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// proxy carries bytes between clients and the server of a farm, as a network does: it may delay
// them, hold them back, or cut connections.
type proxy struct {
	to     string // HOST:PORT
	listen net.Listener

	mu      sync.Mutex
	changed *sync.Cond
	stalled bool
	delay   time.Duration // of all that travels
	closed  bool
	conns   map[net.Conn]bool
	cuts    int
}

// behind returns the address of a server through a proxy, and the proxy.
func behind(t testing.TB, s *Server) (string, *proxy) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{to: fmt.Sprintf("127.0.0.1:%d", s.listen.port), listen: l, conns: map[net.Conn]bool{}}
	p.changed = sync.NewCond(&p.mu)
	go p.accept()
	t.Cleanup(func() {
		l.Close()
		p.set(func() { p.closed, p.stalled = true, false })
		p.cut()
	})
	_, print, _ := strings.Cut(s.Address(), "#")
	return fmt.Sprintf("tls://%s#%s", l.Addr(), print), p
}

func (p *proxy) accept() {
	for {
		client, err := p.listen.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			client.Close()
			continue
		}
		p.set(func() { p.conns[client], p.conns[server] = true, true })
		go p.carry(client, server)
		go p.carry(server, client)
	}
}

// carry carries what one side says to the other.
func (p *proxy) carry(from, to net.Conn) {
	type piece struct {
		data []byte
		due  time.Time
	}
	pieces := make(chan piece, 1<<10)
	go func() {
		defer p.set(func() { delete(p.conns, to) })
		defer to.Close()
		for x := range pieces {
			time.Sleep(time.Until(x.due))
			p.mu.Lock()
			for p.stalled {
				p.changed.Wait()
			}
			p.mu.Unlock()
			_, _ = to.Write(x.data) // if it is closed, the other side hears of that, too
		}
	}()
	defer close(pieces)
	for {
		data := make([]byte, 32<<10)
		n, err := from.Read(data)
		if err != nil {
			return
		}
		p.mu.Lock()
		delay := p.delay
		p.mu.Unlock()
		pieces <- piece{data[:n], time.Now().Add(delay)}
	}
}

func (p *proxy) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	p.changed.Broadcast()
}

// stall holds everything back, or lets it go on.
func (p *proxy) stall(stalled bool) { p.set(func() { p.stalled = stalled }) }

// cut cuts all connections.
func (p *proxy) cut() {
	p.set(func() {
		p.cuts += len(p.conns)
		for c := range p.conns {
			c.Close()
		}
	})
}

// far is a farm whose coordinator and workers reach the server through a proxy each.
type far struct {
	*farm
	boss    *proxy
	workers []*proxy
	r       *Run
}

// newFar is a farm with some workers, of two slots each, and a run of a kind.
func newFar(t *testing.T, k Kind, workers int, trust Trust) *far {
	f := &far{farm: newFarm(t)}
	for i := range workers {
		name := fmt.Sprint("far-", i)
		addWorker(t, connected(t, f.dir, ""), f.dir, name)
		address, p := behind(t, f.s)
		f.workers = append(f.workers, p)
		f.process(connected(t, address, KeyFile(f.dir, name)), WorkOptions{Room: Room{2, 1 << 20}, Kinds: []Kind{k}, Signature: "s", Version: "v"})
	}
	address, p := behind(t, f.s)
	f.boss = p
	c := connected(t, address, CoordinatorKeyFile(f.dir))
	var err error
	f.r, err = Begin(t.Context(), c, RunOptions{
		Dir: filepath.Join(t.TempDir(), "run"), Kind: k, Signature: "s", Version: "v", Trust: trust, Memory: 1 << 20, Say: func(text string) { t.Log("coordinator: " + text) },
	})
	require.NoError(t, err)
	return f
}

// honest has the run answered while something happens to the network, and checks that the answers
// are what they are on one machine, and that nobody is taken for a liar.
func (f *far) honest(t *testing.T, n int, happens func(ctx context.Context)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	wait.Go(func() { happens(ctx) })
	wholly(t, f.r, n)
	cancel()
	wait.Wait()
	if len(f.r.record.shut) > 0 {
		t.Errorf("honest workers are shut out: %v", f.r.record.shut)
	}
	all, err := connected(t, f.dir, "").Workers(soon(t))
	require.NoError(t, err)
	for _, w := range all {
		if w.Revoked {
			t.Errorf("the key of %s is revoked", w.Name)
		}
	}
}

// TestNetwork cuts connections at random, delays and holds back what travels, for the coordinator
// and the workers: all answers come, once. What was on its way over a connection that is cut comes
// again after up to 30 seconds.
func TestNetwork(t *testing.T) {
	for _, trust := range []Trust{Trusted, Untrusted} {
		t.Run(fmt.Sprint(trust), func(t *testing.T) {
			t.Parallel()
			f := newFar(t, squares{sleep: 20 * time.Millisecond}.kind(), 2, trust)
			all := append([]*proxy{f.boss}, f.workers...)
			random := rand.New(rand.NewPCG(uint64(trust), 3))
			f.honest(t, boards.Sized(300, 600), func(ctx context.Context) {
				for range boards.Sized(12, 24) {
					p := all[random.IntN(len(all))]
					switch random.IntN(4) {
					case 0:
						p.cut()
					case 1:
						p.set(func() { p.delay = time.Duration(random.IntN(20)) * time.Millisecond })
					case 2:
						p.stall(true)
						pause(ctx, time.Duration(random.IntN(1500))*time.Millisecond)
						p.stall(false)
					case 3: // in the middle of what it holds back
						p.stall(true)
						pause(ctx, 300*time.Millisecond)
						p.cut()
						p.stall(false)
					}
					pause(ctx, time.Duration(random.IntN(500))*time.Millisecond)
				}
			})
			cuts := 0
			for _, p := range all {
				cuts += p.cuts
			}
			if cuts == 0 {
				t.Error("nothing was cut")
			}
			t.Logf("%d connections were cut", cuts)
		})
	}
}

// TestFarAway has a coordinator and a worker of many slots far from the server: nothing is taken for
// lost that is only on its way.
func TestFarAway(t *testing.T) {
	var count atomic.Int64
	f := newFar(t, squares{count: &count, sleep: 10 * time.Millisecond}.kind(), 1, Trusted)
	f.work("near", squares{count: &count, sleep: 10 * time.Millisecond}.kind(), 300)
	f.boss.set(func() { f.boss.delay = 50 * time.Millisecond })
	const n = 4000
	f.honest(t, n, func(context.Context) {})
	if answers := count.Load(); answers > n*11/10 {
		t.Errorf("%d answers to %d questions", answers, n)
	}
}
