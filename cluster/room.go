package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// samples is how many of the answers that wait are looked at to see for whom.
const samples = 50

// makeRoom deletes the answers of workers that send them to runs that nobody has begun, once half of
// the room for answers is taken: a key is enough to send them, and they would keep out all others
// for [mostAge]. What such a worker has sent to other runs is asked again. The error names it.
func (s *Server) makeRoom(ctx context.Context) error {
	stream, err := s.conn.JS.Stream(ctx, answersStream)
	if err != nil {
		return err
	}
	info := stream.CachedInfo()
	if most := info.Config.MaxBytes; most <= 0 || info.State.Bytes < uint64(most)/2 {
		return nil
	}
	strange := map[string]int{} // of the samples, by worker
	for i := range uint64(samples) {
		first := info.State.FirstSeq + i*(info.State.LastSeq-info.State.FirstSeq)/samples
		m, err := stream.GetMsg(ctx, first, jetstream.WithGetMsgSubject(answerSubject("*", "*", "*", "*")))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		of := strings.Split(m.Subject, ".") // see answerSubject
		if worker, run := of[2], of[3]; !s.runs.knows(run) {
			strange[worker]++
		}
	}
	maps.DeleteFunc(strange, func(_ string, n int) bool { return n < samples/10 })
	workers := slices.Sorted(maps.Keys(strange))
	if len(workers) == 0 {
		return nil
	}
	for _, w := range workers {
		if err := stream.Purge(ctx, jetstream.WithPurgeSubject(answerSubject(w, "*", "*", "*"))); err != nil {
			return err
		}
	}
	return fmt.Errorf("half of the room for answers was taken by answers to runs that nobody has begun: deleted is all that came from %s; goalproof cluster revoke shuts a worker out",
		strings.Join(workers, ", "))
}
