package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"goalproof/internal/testkit/require"
)

// runNATS runs a NATS server with a configuration, and returns it with its address.
func runNATS(t *testing.T, configuration string) (*server.Server, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "nats-server.conf")
	require.NoError(t, os.WriteFile(file, []byte(configuration), 0o600))
	o, err := server.ProcessConfigFile(file)
	require.NoError(t, err)
	o.NoSigs, o.NoLog = true, true
	n, err := server.NewServer(o)
	require.NoError(t, err)
	n.Start()
	t.Cleanup(func() { n.Shutdown(); n.WaitForShutdown() })
	if !n.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server does not start")
	}
	return n, "nats://" + n.Addr().String()
}

// TestServeExternal configures a NATS server with what serve --external prints, and has it carry a
// set of puzzles: verify prints what it prints without a cluster.
func TestServeExternal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cluster")
	open, address := runNATS(t, "listen: 127.0.0.1:-1\n")
	printed, err := process(t, "goalproof", "serve", "--dir", dir, "--external", address).Output()
	if err == nil || !strings.Contains(string(printed), "GOALPROOF {") {
		t.Fatalf("with a NATS server that lets anybody in: %v\n%s", err, printed)
	}
	open.Shutdown()
	open.WaitForShutdown()
	runNATS(t, "listen: "+strings.TrimPrefix(address, "nats://")+"\njetstream { store_dir: \""+t.TempDir()+"\" }\naccounts {\n"+string(printed)+"}\n")
	serve := process(t, "goalproof", "serve", "--dir", dir, "--external", address)
	out, err := serve.StdoutPipe()
	require.NoError(t, err)
	serve.Stderr = os.Stderr
	require.NoError(t, serve.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != address {
	}
	if lines.Text() != address {
		t.Fatal("the server does not start")
	}
	go io.Copy(io.Discard, out)
	work := process(t, "goalproof", "work", "--cluster", dir)
	require.NoError(t, work.Start())
	verify := []string{"verify", "--nodes", "20000", "../../examples/win-in-2.txt"}
	alone, err := process(t, "goalproof", verify...).Output()
	require.NoError(t, err)
	together, err := process(t, "goalproof", append(verify, "--cluster", dir, "--run", filepath.Join(t.TempDir(), "run"))...).Output()
	if err != nil || string(together) != string(alone) {
		t.Errorf("%v\n%s\nalone:\n%s", err, together, alone)
	}
	require.NoError(t, work.Process.Signal(syscall.SIGTERM))
	require.NoError(t, serve.Process.Signal(syscall.SIGTERM))
	require.NoError(t, work.Wait())
	require.NoError(t, serve.Wait())
}
