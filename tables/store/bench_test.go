//go:build linux || darwin || freebsd

package store

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// BenchmarkPut puts b.N new facts, from two workers; -benchtime 2000000x is a measure
// of docs/store.md. It then compacts the store, and opens it again.
func BenchmarkPut(b *testing.B) {
	dir := b.TempDir()
	s, err := Open(dir, Options{})
	require.NoError(b, err)
	var peak int64
	b.ResetTimer()
	cpu := cpuTime()
	var workers sync.WaitGroup
	const parts = 2
	for w := range parts {
		workers.Go(func() {
			var key [25]byte
			for n := w; n < b.N; n += parts {
				fill(&key, uint64(n))
				if err := s.Put(key[:], factOf(uint64(n))); err != nil {
					b.Error(err)
					return
				}
				if w == 0 && n%(1<<18) == 0 {
					peak = max(peak, anonymous())
				}
			}
		})
	}
	workers.Wait()
	require.NoError(b, s.Sync())
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "facts/s")
	b.ReportMetric(float64((cpuTime()-cpu).Microseconds())/float64(b.N), "cpu-µs/fact")
	b.ReportMetric(float64(peak>>20), "peak-MiB")
	start := time.Now()
	require.NoError(b, s.GC(context.Background()))
	b.ReportMetric(time.Since(start).Seconds(), "gc-s")
	info, err := s.Info()
	if err != nil || info.Facts != int64(b.N) {
		b.Fatalf("%d facts, %v", info.Facts, err)
	}
	start = time.Now()
	require.NoError(b, s.Close())
	b.ReportMetric(time.Since(start).Seconds(), "close-s")
	start = time.Now()
	s, err = Open(dir, Options{})
	require.NoError(b, err)
	b.ReportMetric(time.Since(start).Seconds(), "open-s")
	bytes, err := s.size()
	require.NoError(b, err)
	b.ReportMetric(float64(bytes)/float64(b.N), "bytes/fact")
	require.NoError(b, s.Close())
}

// BenchmarkSync puts a fact and waits until it is durable: what a verdict waits for before it is
// printed. The workers share the syncs.
func BenchmarkSync(b *testing.B) {
	for _, workers := range []int{1, 4} {
		b.Run(strconv.Itoa(workers), func(b *testing.B) {
			s, err := Open(b.TempDir(), Options{})
			require.NoError(b, err)
			defer s.Close()
			var all sync.WaitGroup
			for w := range workers {
				all.Go(func() {
					var key [25]byte
					for n := w; n < b.N; n += workers {
						fill(&key, uint64(n))
						if err := errors.Join(s.Put(key[:], factOf(uint64(n))), s.Sync()); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// BenchmarkGet reads from a store of a million facts: keys that are there, and keys that
// are not.
func BenchmarkGet(b *testing.B) {
	const facts = 1_000_000
	s, err := Open(b.TempDir(), Options{})
	require.NoError(b, err)
	defer s.Close()
	var key [25]byte
	for n := range uint64(facts) {
		fill(&key, n)
		require.NoError(b, s.Put(key[:], factOf(n)))
	}
	require.NoError(b, s.GC(context.Background()))
	for _, c := range []struct {
		name string
		from uint64
	}{{"known", 0}, {"unknown", facts}} {
		b.Run(c.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				var key [25]byte
				for n := uint64(0); pb.Next(); n++ {
					fill(&key, c.from+n*7919%facts)
					f, err := s.Get(key[:])
					if err != nil || f.Known() != (c.from == 0) {
						b.Errorf("%v, %v", f, err)
						return
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "facts/s")
		})
	}
}

func cpuTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// anonymous is the resident memory of the process without that of files, in bytes, where
// the system tells.
func anonymous() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	m := regexp.MustCompile(`RssAnon:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		return 0
	}
	n, _ := strconv.ParseInt(string(m[1]), 10, 64)
	return n << 10
}
