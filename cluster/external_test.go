package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"goalproof/internal/testkit/boards"
	"goalproof/internal/testkit/require"
)

// otherNATS is a NATS server that others run, with a configuration file.
type otherNATS struct {
	t      testing.TB
	file   string
	server *server.Server
}

// configure writes the configuration, of which it completes the directory for files. A server that
// runs reads it again.
func (n *otherNATS) configure(text string) {
	n.t.Helper()
	require.NoError(n.t, os.WriteFile(n.file, []byte("listen: 127.0.0.1:-1\n"+strings.ReplaceAll(text, "@DIR@", filepath.Dir(n.file))), 0o600))
	if n.server != nil {
		require.NoError(n.t, n.server.Reload())
	}
}

// run runs the server, and returns its port.
func (n *otherNATS) run() string {
	n.t.Helper()
	o, err := server.ProcessConfigFile(n.file)
	require.NoError(n.t, err)
	o.NoSigs, o.NoLog = true, true
	n.server, err = server.NewServer(o)
	require.NoError(n.t, err)
	n.server.Start()
	n.t.Cleanup(func() { n.server.Shutdown(); n.server.WaitForShutdown() })
	if !n.server.ReadyForConnections(10 * time.Second) {
		n.t.Fatal("the NATS server does not start")
	}
	_, port, _ := strings.Cut(n.server.Addr().String(), ":")
	return port
}

// runNATS runs a NATS server with a configuration, and returns it with its address.
func runNATS(t testing.TB, configuration string) (*otherNATS, string) {
	t.Helper()
	n := &otherNATS{t: t, file: filepath.Join(t.TempDir(), "nats-server.conf")}
	n.configure(configuration)
	return n, "nats://127.0.0.1:" + n.run()
}

// accounts returns the accounts of a NATS server, with that of the directory of a server, which it
// writes when it finds that the NATS server is away.
func accounts(t testing.TB, dir string) string {
	t.Helper()
	if _, err := os.Stat(AccountFile(dir)); err != nil {
		if _, err := StartServer(dir, ServerOptions{External: "nats://127.0.0.1:1"}); !errors.Is(err, ErrAway) {
			t.Fatalf("without a NATS server: %v", err)
		}
	}
	text, err := os.ReadFile(AccountFile(dir))
	require.NoError(t, err)
	return "accounts {\n" + string(text) + "}\n"
}

const withJetStream = "jetstream { store_dir: \"@DIR@\" }\n"

// TestExternal has a NATS server of others carry runs. Its certificate is its own. It learns of
// workers that are added when its configuration is changed; of one that was revoked the runs learn
// without that.
func TestExternal(t *testing.T) {
	dir, tls := t.TempDir(), t.TempDir()
	signer, err := openAuthority(filepath.Join(tls, "authority.pem"))
	require.NoError(t, err)
	pem := filepath.Join(tls, "server.pem")
	_, err = signer.serverCertificate(pem, []string{"127.0.0.1"})
	require.NoError(t, err)
	configuration := withJetStream + "tls { cert_file: \"" + pem + "\", key_file: \"" + pem + "\" }\n"
	n := &otherNATS{t: t, file: filepath.Join(t.TempDir(), "nats-server.conf")}
	n.configure(configuration + accounts(t, dir))
	address := "tls://127.0.0.1:" + n.run() + "#" + fingerprint(signer.certificate)
	f := farmIn(t, dir, ServerOptions{External: address, Version: "v1"})
	if f.s.Address() != address {
		t.Errorf("the address is %s", f.s.Address())
	}
	f.work(FirstWorker, squares{}.kind(), 2)
	wholly(t, f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind()), 300)

	var told []string
	boss, err := Connect(t.Context(), dir, "", func(text string) { told = append(told, text) })
	require.NoError(t, err)
	defer boss.Close()
	key, err := NewKey("lab")
	require.NoError(t, err)
	require.NoError(t, key.Write(KeyFile(dir, "lab")))
	require.NoError(t, boss.Add(soon(t), key))
	if len(told) != 1 || !strings.Contains(told[0], "Add this user") || !strings.Contains(told[0], "nkey: "+key.Public()) {
		t.Errorf("after a worker was added: %q", told)
	}
	if _, err := Connect(soon(t), address, KeyFile(dir, "lab"), nil); !errors.Is(err, ErrRefused) {
		t.Errorf("before the configuration is changed: %v", err)
	}
	n.configure(configuration + accounts(t, dir))
	lab := connected(t, address, KeyFile(dir, "lab"))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	f.wait.Go(func() {
		Work(ctx, lab, WorkOptions{Room: Room{1, 1 << 20}, Kinds: []Kind{squares{}.kind()}, Signature: "s", Say: func(string) {}})
	})
	wholly(t, f.begin(filepath.Join(t.TempDir(), "run"), Untrusted, squares{}.kind()), 300)

	require.NoError(t, boss.Revoke(soon(t), "lab", "sold"))
	if len(told) != 2 || !strings.Contains(told[1], "Remove the user") || !strings.Contains(told[1], key.Public()) {
		t.Errorf("after a worker was revoked: %q", told)
	}
	require.NoError(t, lab.NATS.Flush()) // it is connected still
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind())
	wholly(t, r, 300)
	for id, k := range r.record.have {
		if k.worker == "lab" {
			t.Errorf("%s is answered by a worker that was revoked", id)
		}
	}
	f.s.Close()
	_, err = StartServer(dir, ServerOptions{External: address})
	if wrong := (*SetupError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "the key of lab is let in, which was revoked") || strings.Contains(wrong.Account, key.Public()) {
		t.Errorf("a key that was revoked is let in: %v", err)
	}
	n.configure(configuration + accounts(t, dir))
	startServer(t, dir, ServerOptions{External: address})
}

// TestExternalRefused starts a server with NATS servers that are not configured as a cluster needs
// it.
func TestExternalRefused(t *testing.T) {
	dir := t.TempDir()
	right := accounts(t, dir)
	with := func(old, new string) string { // of w1, who is the last one
		i := strings.LastIndex(right, old)
		if i < 0 {
			t.Fatalf("there is no %s in %s", old, right)
		}
		return withJetStream + right[:i] + new + right[i+len(old):]
	}
	answers := `"goalproof.answer.w1.*.*.*"`
	replies := `"_INBOX.w1.>"`
	w1 := regexp.MustCompile(`(?s)(# w1\n    {[^,]*)(, permissions.*)\n  \]`)
	noPermissions, noWorker := withJetStream+w1.ReplaceAllString(right, "$1 }\n ]"), withJetStream+w1.ReplaceAllString(right, "]")
	stranger, err := NewKey("x")
	require.NoError(t, err)
	for name, c := range map[string]struct{ configuration, want string }{
		"right":                   {withJetStream + right, ""},
		"everything":              {withJetStream, "lets anybody in: it has no users with keys"},
		"no permissions":          {noPermissions, "does not enforce the permissions of this cluster: w1 may receive >; w1 may receive *.*; "},
		"everything as published": {with(answers, `">"`), "w1 may publish "},
		"all answers":             {with(answers, `"goalproof.answer.>"`), "this cluster: w1 may publish goalproof.answer.another.check.1.0"},
		"all jobs":                {with(replies, replies+`, "goalproof.job.>"`), "this cluster: w1 may receive goalproof.job.>; w1 may receive goalproof.job.w1.>"},
		"all replies":             {with(replies, `"_INBOX.>"`), "w1 may receive _INBOX.>; "},
		"consumers":               {with(answers, answers+`, "$JS.API.CONSUMER.INFO.>"`), "this cluster: w1 may publish $JS.API.CONSUMER.INFO.goalproof-jobs.another; "},
		"inputs":                  {with(answers, answers+`, "$O.goalproof-inputs.C.*"`), "this cluster: w1 may publish $O.goalproof-inputs.C.check"},
		"requests":                {with(answers, answers+`, "goalproof.admin.*"`), "this cluster: w1 may publish goalproof.admin.status; w1 may publish goalproof.admin.revoke"},
		"deletes":                 {with(answers, answers+`, "$JS.API.STREAM.DELETE.*"`), "this cluster: w1 may publish $JS.API.STREAM.DELETE.goalproof-jobs; "},
		"no inputs":               {with(`"$JS.FC.OBJ_goalproof-inputs.>"`, `"x"`), "this cluster: w1 may not publish $JS.FC.OBJ_goalproof-inputs.check"},
		"no replies":              {with(replies, `"x"`), "this cluster: w1 may not receive _INBOX.w1.>"},
		"anybody":                 {strings.Replace(with(answers, answers), "users: [", "users: [ { user: anybody, password: \"\" }", 1) + "no_auth_user: anybody\n", "this cluster: a client without a key may take part"},
		"anybody elsewhere":       {withJetStream + strings.Replace(right, "accounts {", "accounts { OTHER { users: [ { user: anybody, password: \"\" } ] }", 1) + "no_auth_user: anybody\n", ""},
		"no worker":               {noWorker, "the key of w1 is unknown there"},
		"no keys":                 {withJetStream + "accounts { OTHER { users: [ { nkey: " + stranger.Public() + " } ] } }\n", "does not know the keys of this cluster"},
		"no JetStream":            {right, "has no JetStream for this account"},
		"JetStream for others":    {with("jetstream: enabled", "jetstream: disabled"), "has no JetStream for this account"},
		"no room":                 {with("jetstream: enabled", "jetstream: { max_file: 1GB }"), "does not take the streams, insufficient storage resources available: the account needs three, with 6.0 GiB in files"},
		"two streams":             {with("jetstream: enabled", "jetstream: { max_file: 10GB, max_streams: 2 }"), "does not take the streams, maximum number of streams reached"},
		"small messages":          {withJetStream + right + "max_payload: 10KB\n", "takes messages of 10 KiB at most: set max_payload there to 64 KiB or more"},
	} {
		t.Run(name, func(t *testing.T) {
			_, address := runNATS(t, c.configuration)
			s, err := StartServer(dir, ServerOptions{External: address, Report: func(text string) { t.Log(text) }})
			if err == nil {
				s.Close()
			}
			switch wrong, setup := errors.AsType[*SetupError](err); {
			case c.want == "" && err == nil:
			case !setup || !strings.Contains(err.Error(), c.want) || c.want == "":
				t.Errorf("%v, want %s", err, c.want)
			case !strings.Contains(right, wrong.Account):
				t.Errorf("the account is\n%s", wrong.Account)
			default:
				t.Log(err)
			}
		})
	}
}

// runThree runs three servers of a NATS cluster, and returns them and their addresses when they have
// agreed on one that leads.
func runThree(t *testing.T, accounts string) (all []*otherNATS, address string) {
	t.Helper()
	var addresses, listens []string
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		listens = append(listens, l.Addr().String())
		l.Close()
	}
	routes := `"nats://` + strings.Join(listens, `", "nats://`) + `"`
	for name := range 3 {
		n := &otherNATS{t: t, file: filepath.Join(t.TempDir(), "nats-server.conf")}
		n.configure(fmt.Sprintf("server_name: n%d\n%scluster { name: c, listen: %q, routes: [%s] }\nsystem_account: SYS\n", name, withJetStream, listens[name], routes) +
			strings.Replace(accounts, "accounts {", "accounts { SYS { users: [ { user: sys, password: sys } ] }", 1))
		addresses = append(addresses, "nats://127.0.0.1:"+n.run())
		all = append(all, n)
	}
	leads := func(n *otherNATS) bool {
		return n.server.JetStreamIsLeader() && len(n.server.JetStreamClusterPeers()) == 3
	}
	for end := time.Now().Add(30 * time.Second); !slices.ContainsFunc(all, leads); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no server leads")
		}
	}
	return all, strings.Join(addresses, ",")
}

// TestNATSCluster has three servers of a NATS cluster keep the streams, and shuts down the one to
// which all are connected: a run goes on.
func TestNATSCluster(t *testing.T) {
	if !boards.Large {
		t.Skip("the tag large starts three servers")
	}
	dir := t.TempDir()
	all, address := runThree(t, accounts(t, dir))
	f := farmIn(t, dir, ServerOptions{External: address})
	if f.s.copies != 3 {
		t.Errorf("%d servers keep each stream", f.s.copies)
	}
	f.work(FirstWorker, squares{sleep: 5 * time.Millisecond}.kind(), 2)
	r := f.begin(filepath.Join(t.TempDir(), "run"), Trusted, squares{}.kind())
	n := uint64(0)
	for a := range r.Ask(t.Context(), upTo(1000), checkSquare) {
		if a.Err != nil || !bytes.Equal(a.Bytes, square(n)) {
			t.Fatalf("answer %d: %x, %v", n, a.Bytes, a.Err)
		}
		if n++; n == 100 {
			at := f.s.conn.NATS.ConnectedAddr()
			for _, o := range all {
				if o.server.Addr().String() == at {
					o.server.Shutdown()
				}
			}
		}
	}
	if n != 1000 {
		t.Errorf("%d answers", n)
	}
	require.NoError(t, r.Close())
}
