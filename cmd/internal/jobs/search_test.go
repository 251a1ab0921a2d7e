package jobs

import (
	"runtime"
	"testing"

	"goalproof/cluster"
	"goalproof/dfpns"
)

// TestShared checks that the solvers of one run share tables of all memory that there is, and those of
// another run at the same time have tables of one share.
func TestShared(t *testing.T) {
	const share = 256 << 20
	room := cluster.Room{Slots: 3, Memory: share}
	s := Search{Memory: 64 << 20}
	made := func(options string) (tables *dfpns.Tables, bytes uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tables = s.shared(options, room)
		runtime.ReadMemStats(&after)
		return tables, after.TotalAlloc - before.TotalAlloc
	}
	first, size := made("one")
	if size < 2*share || size > 3*share {
		t.Errorf("the tables of three take %d MiB", size>>20)
	}
	if again, _ := made("one"); again != first {
		t.Error("the solvers of a run have different tables")
	}
	other, size := made("another")
	if other == first || size < share/2 || size > share {
		t.Errorf("beside those of another run, tables take %d MiB", size>>20)
	}
	runtime.KeepAlive(first)
	runtime.KeepAlive(other)
	first, other = nil, nil
	third, size := made("third")
	if size < 2*share {
		t.Errorf("when the others are gone, tables take %d MiB", size>>20)
	}
	runtime.KeepAlive(third)
	s.Memory = 0
	if s.shared("one", room) != nil {
		t.Error("solvers that forget share tables")
	}
}
