package evaluation

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"
)

// TestDamagedNetwork flips bits of a network's file, and cuts it off: it is refused.
func TestDamagedNetwork(t *testing.T) {
	var file bytes.Buffer
	require.NoError(t, randomNetwork().Write(&file))
	data := file.Bytes()
	flip := func(bit int) {
		data[bit/8] ^= 1 << (bit % 8)
		if _, err := ParseNetwork(data); err == nil {
			t.Errorf("bit %d of byte %d is flipped, and it is accepted", bit%8, bit/8)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	for bit := range 8 * 2 * len(networkVersion) {
		flip(bit)
		flip(8*len(data) - 1 - bit)
	}
	random := rand.New(rand.NewPCG(1, 0))
	for range 5000 {
		flip(random.IntN(8 * len(data)))
		n := random.IntN(len(data))
		if _, err := ParseNetwork(data[:n]); err == nil {
			t.Errorf("cut off after %d bytes, and accepted", n)
		}
	}
	if _, err := ParseNetwork(data); err != nil {
		t.Error(err)
	}
	first := append([]byte("goalproof network 1\n"), data[len(networkVersion):len(data)-4]...)
	if _, err := ParseNetwork(first); err == nil || !strings.Contains(err.Error(), "a network of version 1; this program reads version 2") {
		t.Errorf("a file of the first version: %v", err)
	}
}
