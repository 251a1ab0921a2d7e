package zobrist

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"
)

// all lists the constants that stand in files, in the documented order.
func all() (keys []Key) {
	for p := range Pieces {
		for sq := range 64 {
			keys = append(keys, Piece(p, sq))
		}
	}
	keys = append(keys, Silver())
	for n := range MaxSteps + 1 {
		keys = append(keys, Steps(n))
	}
	return keys
}

// TestGolden fails when any key changes. Keys stand in files: if the change is meant, raise Version
// and put the new fingerprint here.
func TestGolden(t *testing.T) {
	const version, want = 1, "5bbd05115959d4bcf1113d048a41799d3319d8fd0fb3b63b986e2656f8f02f70"
	var b []byte
	for _, k := range all() {
		b = binary.LittleEndian.AppendUint64(b, k.Lo)
		b = binary.LittleEndian.AppendUint64(b, k.Hi)
	}
	sum := sha256.Sum256(b)
	if got := hex.EncodeToString(sum[:]); Version != version || got != want {
		t.Errorf("version %d has fingerprint %s, want version %d with %s", Version, got, version, want)
	}
	// The first constant, by hand from the published generator.
	state := uint64(seed)
	state += 0x9e3779b97f4a7c15
	z := state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	if Piece(0, 0).Lo != z {
		t.Errorf("first constant is %#x, want %#x", Piece(0, 0).Lo, z)
	}
}

// TestIndependent checks that no constant is zero and that no two, three or four of them cancel, in
// either half alone: a table that uses only one half for indexing then still distinguishes every
// pair of one-step neighbours.
func TestIndependent(t *testing.T) {
	keys := all()
	for n := 1; n <= MaxAim; n++ {
		keys = append(keys, Aim(n))
	}
	for _, half := range []func(Key) uint64{
		func(k Key) uint64 { return k.Lo },
		func(k Key) uint64 { return k.Hi },
	} {
		pairs := map[uint64][2]int{}
		for i, a := range keys {
			if half(a) == 0 {
				t.Fatalf("constant %d is zero", i)
			}
			for j, b := range keys[:i] {
				x := half(a) ^ half(b)
				if x == 0 {
					t.Fatalf("constants %d and %d are equal", i, j)
				}
				if o, ok := pairs[x]; ok {
					t.Fatalf("constants %d, %d, %d and %d cancel", i, j, o[0], o[1])
				}
				pairs[x] = [2]int{i, j}
			}
		}
	}
}

func TestDisplace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.IntRange(0, Pieces-1).Draw(t, "piece")
		from := rapid.IntRange(0, 63).Draw(t, "from")
		to := rapid.IntRange(0, 63).Draw(t, "to")
		k := Piece(piece, from)
		if got := k.Xor(Displace(piece, from, to)); got != Piece(piece, to) {
			t.Fatalf("piece %d from %d to %d: %v, want %v", piece, from, to, got, Piece(piece, to))
		}
	})
}
