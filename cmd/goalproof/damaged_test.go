package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"goalproof/cmd/internal/cli"
)

// TestDamagedNetwork learns from a network that is damaged, or cut off.
func TestDamagedNetwork(t *testing.T) {
	data, err := os.ReadFile("../../engine/evaluation/network.bin")
	require.NoError(t, err)
	damaged := filepath.Join(t.TempDir(), "network.bin")
	check := func(data []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(damaged, data, 0o666))
		code, _, errors := said(t, "learn", "--out", t.TempDir(), "--games", "40", "--nodes", "1", "--from", damaged)
		if code != cli.BadInput || !strings.Contains(errors, "--from "+damaged+": the network is damaged") {
			t.Errorf("exit code %d, want %d\n%s", code, cli.BadInput, errors)
		}
	}
	for i := range 20 {
		at := 100 + i*4000
		data[at] ^= 1 << (i % 8)
		check(data)
		data[at] ^= 1 << (i % 8)
		check(data[:at])
	}
}
