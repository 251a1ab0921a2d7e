package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/files"
)

// serverUser is the name of the user with which a server looks after its own streams.
const serverUser = "server"

// ServerOptions are the options of a server. What is zero has a default.
type ServerOptions struct {
	Listen      string       // HOST:PORT; 127.0.0.1:4747. Port 0: one that is free
	External    string       // address of a NATS server that others run, in place of one in this process
	Limits      Limits       // 8 MiB, 1 GiB, 1 GiB, 4 GiB
	Connections int          // at the same time; 1024
	Version     string       // of the program, for [Status]
	Report      func(string) // is called with what a person must know; may be nil
}

// DefaultListen is where a server listens if nothing else is said.
const DefaultListen = "127.0.0.1:4747"

// DefaultLimits are the limits of a server if nothing else is said.
var DefaultLimits = Limits{Message: 8 << 20, Jobs: 1 << 30, Answers: 1 << 30, Inputs: 4 << 30}

// Overhead is how much more than its streams a server may take on the disk, in bytes.
const Overhead = 64 << 20

// withDefaults returns the options with what is not given.
func (o ServerOptions) withDefaults() ServerOptions {
	o.Listen = cmp.Or(o.Listen, DefaultListen)
	o.Limits.Message = cmp.Or(o.Limits.Message, DefaultLimits.Message)
	o.Limits.Jobs = cmp.Or(o.Limits.Jobs, DefaultLimits.Jobs)
	o.Limits.Answers = cmp.Or(o.Limits.Answers, DefaultLimits.Answers)
	o.Limits.Inputs = cmp.Or(o.Limits.Inputs, DefaultLimits.Inputs)
	o.Connections = cmp.Or(o.Connections, 1024)
	if o.Report == nil {
		o.Report = func(string) {}
	}
	return o
}

// Server is a running server with its directory: it keeps the keys, and has the messages carried by
// a NATS server in this process, or by one that others run.
type Server struct {
	dir     string
	options ServerOptions
	lock    *os.File
	keys    *keyring
	runs    *runs
	alive   *aliveList
	hosts   []string   // in the certificate
	signer  *authority // of the certificate
	tls     *tls.Config
	shown   atomic.Pointer[tls.Certificate]
	address string // with the fingerprint
	listen  struct {
		host string
		port int
	}

	nats    atomic.Pointer[server.Server] // replaced after a full disk
	log     *serverLog
	conn    *Conn
	trouble atomic.Pointer[string]
	copies  int // of each stream, in a NATS cluster

	reloading sync.Mutex

	stop   context.CancelFunc
	loops  sync.WaitGroup
	closed sync.Once
}

// StartServer starts a server that keeps all that it has in a directory, which it makes if need be,
// with an authority and keys: that of the coordinator and that of a first worker. It runs until
// Close. The error names the file, address or option and the reason; it wraps [files.ErrInUse] if
// another server uses the directory, and is a [SetupError] if a NATS server that others run is not
// configured as it must be.
func StartServer(dir string, o ServerOptions) (*Server, error) {
	o = o.withDefaults()
	host, port, err := splitListen(o.Listen)
	if err != nil {
		return nil, err
	}
	if o.External != "" {
		if _, err := parseAddress(o.External); err != nil {
			return nil, err
		}
	}
	s := &Server{dir: dir, options: o, alive: newAliveList(), log: &serverLog{report: o.Report}, copies: 1}
	if err := makeDir(dir); err != nil {
		return nil, err
	}
	if s.lock, err = files.LockDir(dir, false); err != nil {
		if errors.Is(err, files.ErrInUse) {
			err = fmt.Errorf("%w: a server runs there", err)
		}
		return nil, err
	}
	s.listen.host, s.listen.port = host, port
	if err := s.open(); err != nil {
		s.lock.Close()
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	if err := s.start(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Serve runs a server until the context is done. Ready is called when it answers. The error is that
// of [StartServer], or says that the NATS server of others refuses the key.
func Serve(ctx context.Context, dir string, o ServerOptions, ready func(*Server)) error {
	s, err := StartServer(dir, o)
	if err != nil {
		return err
	}
	defer s.Close()
	ready(s)
	select {
	case <-ctx.Done():
		return nil
	case <-s.conn.Done():
		return s.conn.Err()
	}
}

// makeDir makes the directory of a server, for its owner alone.
func makeDir(dir string) error {
	for _, d := range []string{dir, filepath.Join(dir, keysDir)} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	return os.Chmod(dir, 0o700)
}

// open reads the files of the directory, and makes those that are missing.
func (s *Server) open() (err error) {
	if !s.external() {
		if err := s.openCertificates(); err != nil {
			return err
		}
	}
	if s.keys, err = openKeyring(s.dir); err != nil {
		return err
	}
	s.runs, err = openRuns(filepath.Join(s.dir, runsFile))
	return err
}

// openCertificates reads the authority and the certificate of the embedded server, or makes them.
func (s *Server) openCertificates() (err error) {
	if s.signer, err = openAuthority(filepath.Join(s.dir, authorityFile)); err != nil {
		return err
	}
	host := s.listen.host
	s.hosts = []string{"localhost", "127.0.0.1", "::1"}
	if ip := net.ParseIP(host); host != "" && !slices.Contains(s.hosts, host) && (ip == nil || !ip.IsUnspecified()) {
		s.hosts = append(s.hosts, host)
	}
	if err := s.renew(); err != nil {
		return err
	}
	s.tls = &tls.Config{MinVersion: tls.VersionTLS13, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.shown.Load(), nil }}
	s.address = "#" + fingerprint(s.signer.certificate)
	return nil
}

// renew takes the certificate from its file, or makes another if that is near its end.
func (s *Server) renew() error {
	c, err := s.signer.serverCertificate(filepath.Join(s.dir, serverFile), s.hosts)
	if err == nil {
		s.shown.Store(&c)
	}
	return err
}

// start starts what runs: the embedded server, the connection to it, and what watches over both.
func (s *Server) start(ctx context.Context) error {
	begin := s.startEmbedded
	if s.external() {
		begin = s.startExternal
	}
	if err := begin(ctx); err != nil {
		return err
	}
	if err := s.listenToAll(); err != nil {
		return err
	}
	s.loops.Go(func() { s.watch(ctx) })
	return files.WriteText(filepath.Join(s.dir, addressFile), s.address+"\n")
}

// startEmbedded starts the embedded server, connects to it and makes the streams.
func (s *Server) startEmbedded(ctx context.Context) error {
	host, port := s.listen.host, s.listen.port
	// A clear error, which the embedded server has not.
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("cannot listen on %s: another program does; choose another port with --listen, or end that program", s.options.Listen)
		}
		return fmt.Errorf("cannot listen on %s: %w", s.options.Listen, err)
	}
	port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	s.listen.port = port
	if err := s.embed(host, port); err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	s.address = "tls://" + net.JoinHostPort(host, strconv.Itoa(port)) + s.address
	s.conn, err = connect(ctx, address{url: "nats://127.0.0.1"}, s.keys.admin, nil, nats.InProcessServer(s))
	if err != nil {
		return err
	}
	return s.makeStreams(ctx)
}

// splitListen reads HOST:PORT.
func splitListen(listen string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(listen)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no HOST:PORT to listen on", listen)
	}
	return host, port, nil
}

// embed starts an embedded server.
func (s *Server) embed(host string, port int) error {
	n, err := server.NewServer(s.serverOptions(host, port))
	if err != nil {
		return err
	}
	n.SetLogger(s.log, false, false)
	s.log.fatal.Store(nil)
	s.log.broken.Store(false)
	s.nats.Store(n)
	n.Start()
	if n.ReadyForConnections(10*time.Second) && n.JetStreamEnabled() {
		return nil
	}
	n.Shutdown()
	n.WaitForShutdown()
	if text := s.log.fatal.Load(); text != nil {
		return fmt.Errorf("%s: %s", s.dir, *text)
	}
	return fmt.Errorf("%s: the server does not start", s.dir)
}

// serverOptions returns the options of the embedded server.
func (s *Server) serverOptions(host string, port int) *server.Options {
	o := s.options
	return &server.Options{
		ServerName: "goalproof", Host: cmp.Or(host, "0.0.0.0"), Port: port,
		TLSConfig: s.tls, TLSTimeout: 5, AuthTimeout: 6, Nkeys: s.keys.nkeyUsers(),
		JetStream: true, StoreDir: s.dir, JetStreamMaxStore: unlimited, JetStreamMaxMemory: 16 << 20,
		MaxPayload: o.Limits.Message, MaxPending: max(64<<20, 4*int64(o.Limits.Message)), MaxConn: o.Connections,
		PingInterval: 10 * time.Second, MaxPingsOut: 2, WriteDeadline: 10 * time.Second,
		NoSigs: true, DisableJetStreamBanner: true,
	}
}

// unlimited is the limit of the embedded server for all its streams, in bytes. They have limits of
// their own. With one for all, a server that is started again with smaller ones could not make its
// streams smaller: the embedded server refuses each change while the others are as large as before.
const unlimited = 1 << 60

// InProcessConn returns a connection to the embedded server that runs now, for [nats.Connect].
func (s *Server) InProcessConn() (net.Conn, error) { return s.nats.Load().InProcessConn() }

// Address returns the address with the fingerprint, as [Connect] takes it on this machine.
func (s *Server) Address() string { return s.address }

// AddressElsewhere returns the address for other machines, which know this one by the name that it
// has; "" if the server listens on this machine alone.
func (s *Server) AddressElsewhere() string {
	if s.external() {
		return s.address
	}
	host := s.listen.host
	switch ip := net.ParseIP(host); {
	case host == "localhost" || ip != nil && ip.IsLoopback():
		return ""
	case host == "" || ip != nil && ip.IsUnspecified():
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	_, print, _ := strings.Cut(s.address, "#")
	return "tls://" + net.JoinHostPort(host, strconv.Itoa(s.listen.port)) + "#" + print
}

// makeStreams makes the streams, the bucket and the consumers of the workers, where they are
// missing or were made with other limits.
func (s *Server) makeStreams(ctx context.Context) error {
	for _, c := range streams(s.options.Limits) {
		c.Replicas = s.copies
		if _, err := s.conn.JS.CreateOrUpdateStream(ctx, c); err != nil {
			return fmt.Errorf("the stream %s: %w", c.Name, err)
		}
	}
	bucket := jetstream.ObjectStoreConfig{Bucket: inputsBucket, Storage: jetstream.FileStorage, MaxBytes: s.options.Limits.Inputs, Replicas: s.copies}
	if _, err := s.conn.JS.CreateOrUpdateObjectStore(ctx, bucket); err != nil {
		return fmt.Errorf("the bucket %s: %w", inputsBucket, err)
	}
	for _, w := range s.keys.list() {
		if w.Revoked {
			continue
		}
		if _, err := s.conn.JS.CreateOrUpdateConsumer(ctx, jobsStream, jobsConsumer(w.Name)); err != nil {
			return fmt.Errorf("the consumer of %s: %w", w.Name, err)
		}
	}
	return nil
}

// Close ends the server. Messages that it has accepted are on the disk; clients connect again when
// it is started again. There is no lame-duck mode: it tells clients to go to another server, and
// there is none.
func (s *Server) Close() {
	s.closed.Do(func() {
		s.stop()
		s.loops.Wait()
		if s.conn != nil {
			s.conn.Close()
		}
		if n := s.nats.Load(); n != nil {
			n.Shutdown()
			n.WaitForShutdown()
		}
		if err := s.runs.save(); err != nil {
			s.options.Report(err.Error())
		}
		s.lock.Close()
	})
}
