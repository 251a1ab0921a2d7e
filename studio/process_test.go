package studio_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"goalproof/internal/testkit/require"
	"goalproof/studio"
)

// serve is a studio with a workspace at an address, in a process of its own. It prints the address
// to open.
func serve(workspace, address string) error {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp4", address)
	if err != nil {
		return err
	}
	s, err := studio.New(context.Background(), l, studio.Options{Workspace: root, Memory: 64 << 20})
	if err != nil {
		return err
	}
	fmt.Println(s.Address())
	return s.Serve(l)
}

// process starts a studio in a process of its own, and returns a client of it, the address to open,
// and the function that kills it.
func process(t *testing.T, workspace, at string) (c *client, address string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "studio", workspace, at)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	kill = sync.OnceFunc(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	t.Cleanup(kill)
	address, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	address = strings.TrimSpace(address)
	base, token, _ := strings.Cut(address, "/#")
	return &client{t, nil, base, token}, address, kill
}
