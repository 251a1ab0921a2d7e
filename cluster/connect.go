package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Conn is a connection to the server of a cluster, with a key. While the server is away it waits
// for it, for ever; it ends when it is closed, or when the server refuses the key.
type Conn struct {
	Key  Key
	NATS *nats.Conn
	JS   jetstream.JetStream

	address string // for messages
	report  func(string)
	done    chan struct{}
	once    sync.Once
	err     error // why it ended; written before done is closed
	jobs    struct {
		sync.Mutex
		jetstream.Consumer // nil: the server was not asked for it yet
	}
}

// ErrRefused is the error of a server that refuses a key.
var ErrRefused = errors.New("it was revoked, or it belongs to another cluster; goalproof cluster add makes a new one")

// errKeyless is the error of a NATS server that asks nobody for a key.
var errKeyless = errors.New("lets anybody in: it has no users with keys")

// ErrAway is the error of a server that does not answer.
var ErrAway = errors.New("no server answers")

// connectTimeout is how long a server may take to answer when a connection is made.
const connectTimeout = 5 * time.Second

// Connect connects to the server at an address, tls://HOST:PORT#FINGERPRINT, or to the one that
// uses a directory on this machine. Without a fingerprint the certificate of the server must be one
// that the system trusts, for its name. With nats:// instead of tls:// there is no encryption, so
// that the server must be on this machine.
//
// For a directory the key file may be "": then the key is that of the coordinator. See
// [DefaultKey] for that of a worker. Report is called, by one goroutine at a time, with what a
// person may want to know: the connection is lost, and is there again. It may be nil.
//
// The error names the key file and its fault, the address and its fault, or wraps [ErrAway] or
// [ErrRefused].
func Connect(ctx context.Context, where, keyFile string, report func(string)) (*Conn, error) {
	a, err := parseWhere(where)
	if err != nil {
		return nil, err
	}
	if keyFile == "" {
		if !isDir(where) {
			return nil, errNoKey
		}
		keyFile = CoordinatorKeyFile(where)
	}
	key, err := ReadKey(keyFile)
	if err != nil {
		return nil, err
	}
	return connect(ctx, a, key, report)
}

// parseWhere reads an address, or what the directory of a server says.
func parseWhere(where string) (address, error) {
	if isDir(where) {
		return readDir(where)
	}
	return parseAddress(where)
}

// DefaultKey returns the file of the key with which a worker on the machine of a server works if
// none is named: the first one in the directory of the server that was not revoked. The error says
// that there is none.
func DefaultKey(where string) (string, error) {
	if !isDir(where) {
		return "", errNoKey
	}
	workers, err := readWorkers(where)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, w := range workers {
		file := KeyFile(where, w.Name)
		if key, err := ReadKey(file); err == nil && !w.Revoked && key.Public() == w.Key {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s holds no key of a worker: name the file that goalproof cluster add has written", where)
}

// errNoKey is the error of an address without a key.
var errNoKey = errors.New("no key is given: name with --key the file that goalproof serve or goalproof cluster add has written")

// FirstWorker is the name of the worker whose key a server makes when it starts for the first time.
const FirstWorker = "w1"

// connect connects with a key.
func connect(ctx context.Context, a address, key Key, report func(string), more ...nats.Option) (*Conn, error) {
	if report == nil {
		report = func(string) {}
	}
	c := &Conn{Key: key, address: a.url, report: report, done: make(chan struct{})}
	options := append([]nats.Option{
		nats.Name("goalproof " + key.Name),
		nats.Nkey(key.Public(), key.Sign),
		nats.CustomInboxPrefix(inbox(key.Name)),
		nats.Timeout(connectTimeout),
		nats.MaxReconnects(-1),
		nats.CustomReconnectDelay(reconnectDelay),
		nats.PingInterval(5 * time.Second),
		nats.MaxPingsOutstanding(2),
		nats.IgnoreDiscoveredServers(), // the address is the one that a person gave
		nats.ErrorHandler(c.problem),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { c.lost(err) }),
		nats.ReconnectHandler(func(*nats.Conn) { c.report("connected to " + c.address + " again") }),
		nats.ClosedHandler(func(*nats.Conn) { c.end(nil) }),
	}, more...)
	if a.tls != nil {
		options = append(options, nats.Secure(a.tls))
	}
	nc, err := dial(ctx, a.url, options)
	if err != nil {
		return nil, c.explain(err)
	}
	c.NATS = nc
	if c.JS, err = jetstream.New(nc, jetstream.WithDefaultTimeout(10*time.Second)); err != nil {
		nc.Close()
		return nil, err
	}
	return c, nil
}

// dial connects, and returns early if the context is done.
func dial(ctx context.Context, url string, options []nats.Option) (*nats.Conn, error) {
	type result struct {
		nc  *nats.Conn
		err error
	}
	got := make(chan result, 1)
	go func() {
		nc, err := nats.Connect(url, options...)
		got <- result{nc, err}
	}()
	select {
	case r := <-got:
		return r.nc, r.err
	case <-ctx.Done():
		go func() {
			if r := <-got; r.err == nil {
				r.nc.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// reconnectDelay returns how long to wait before another attempt: 0.2 s at first, 2 s in the end,
// and up to a tenth more, so that many workers do not come at once.
func reconnectDelay(attempts int) time.Duration {
	wait := min(200*time.Millisecond<<min(attempts, 8), 2*time.Second)
	return wait + rand.N(wait/10)
}

// explain says what an error of connecting means.
func (c *Conn) explain(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case refused(err):
		return fmt.Errorf("the key of %s is refused by %s: %w", c.Key.Name, c.address, ErrRefused)
	case errors.Is(err, nats.ErrNkeysNotSupported):
		return fmt.Errorf("%s %w", c.address, errKeyless)
	case errors.Is(err, errFingerprint):
		return fmt.Errorf("the server at %s is another one, or was made anew: %w; goalproof serve prints the right one", c.address, errFingerprint)
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return fmt.Errorf("the server at %s has a certificate that is not trusted: %w; append # and its fingerprint to the address, as goalproof serve prints it for a server of its own", c.address, err)
	case errors.Is(err, nats.ErrSecureConnWanted), errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("%s: %w: write tls:// where the server uses TLS, and nats:// where it does not", c.address, err)
	}
	if errors.Is(err, nats.ErrNoServers) { // what the client says of a port at which nothing listens
		return fmt.Errorf("%w at %s: start the server there, or correct the address", ErrAway, c.address)
	}
	return fmt.Errorf("%w at %s: %v", ErrAway, c.address, err)
}

// refused reports whether an error says that the server refuses the key.
func refused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAuthExpired)
}

// problem is told of each error that no call returns. The client would try a refused key once more
// and then end without saying why.
//
// "nats: slow consumer" is the error of a subscription whose buffer was full, so that a message was
// dropped. [Conn.Next] says why it came when a server was started again.
func (c *Conn) problem(_ *nats.Conn, _ *nats.Subscription, err error) {
	if refused(err) {
		c.end(c.explain(err))
		return
	}
	c.report(err.Error())
}

// lost is told that the connection is lost.
func (c *Conn) lost(err error) {
	if err != nil && !refused(err) {
		c.report("no connection to " + c.address + "; trying again")
	}
}

// end ends the connection for a reason, nil if it was closed.
func (c *Conn) end(err error) {
	c.once.Do(func() {
		c.err = err
		close(c.done)
		if err != nil {
			go c.NATS.Close() // it waits for the function that calls this
		}
	})
}

// await waits until the connection is there, for some time at most, and reports whether it is.
func (c *Conn) await(ctx context.Context, most time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for ctx.Err() == nil {
		if c.NATS.FlushWithContext(ctx) == nil {
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// Close ends the connection.
func (c *Conn) Close() {
	c.end(nil)
	c.NATS.Close()
}

// Done returns a channel that is closed when the connection has ended for good.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection has ended: nil while it has not, and if it was closed.
func (c *Conn) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}
