package cluster

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkJobs measures what a job without work costs, and how much faster more workers answer
// jobs that take 100 ms, each worker with a connection and a key of its own.
func BenchmarkJobs(b *testing.B) {
	for _, c := range []struct {
		workers, jobs int
		sleep         time.Duration
	}{{1, 5000, 0}, {2, 5000, 0}, {1, 40, 100 * time.Millisecond}, {2, 80, 100 * time.Millisecond}, {4, 160, 100 * time.Millisecond}, {8, 320, 100 * time.Millisecond}} {
		b.Run(fmt.Sprintf("%d/%v", c.workers, c.sleep), func(b *testing.B) {
			f := newFarm(b)
			for i := range c.workers {
				f.work(fmt.Sprintf("worker-%d", i), squares{sleep: c.sleep}.kind(), 1)
			}
			for b.Loop() {
				r := f.begin(filepath.Join(b.TempDir(), "run"), Trusted, squares{}.kind())
				start := time.Now()
				wholly(b, r, c.jobs)
				each := time.Since(start).Seconds() / float64(c.jobs)
				b.ReportMetric(each*1e3, "ms/job")
				b.ReportMetric(c.sleep.Seconds()/each, "speed-up")
			}
		})
	}
}
