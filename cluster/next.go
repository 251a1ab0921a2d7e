package cluster

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// nextWait is how long one request for a job waits at the server, and nextBeat how often the server
// says meanwhile that it knows of it: a server that was killed is noticed after twice that time.
const (
	nextWait = 20 * time.Second
	nextBeat = 2 * time.Second
)

// Next waits for a job of the worker whose key the connection has. While the server is away it
// waits, too. The error is that of the context, or of the connection that has ended.
//
// It asks for one job at a time, with an inbox for each request. Consumer.Messages of the client
// (nats.go 1.55, jetstream/pull.go) keeps one inbox for all requests, with a buffer of as many
// messages as it may ask for, PullMaxMessages. When the server ends, it sends a status message to
// each request that waits; at the new connection the client asks again, although the first answer
// may still be in the buffer. With a buffer for one or two messages the next one is dropped, while
// the worker is busy: "nats: slow consumer, messages dropped". If that was a job, it came again
// only after its time for an acknowledgement. With an inbox for each request what is late goes
// nowhere.
func (c *Conn) Next(ctx context.Context) (jetstream.Msg, error) {
	for {
		job, err := c.tryNext(ctx)
		switch {
		case err == nil:
			return job, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case c.NATS.IsClosed():
			<-c.done
			if c.err != nil {
				return nil, c.err
			}
			return nil, nats.ErrConnectionClosed
		case errors.Is(err, nats.ErrTimeout), errors.Is(err, jetstream.ErrNoMessages):
			continue // the time of the request is over
		}
		select {
		case <-time.After(reconnectDelay(0)):
		case <-c.done:
		case <-ctx.Done():
		}
	}
}

// tryNext asks for a job once.
func (c *Conn) tryNext(ctx context.Context) (jetstream.Msg, error) {
	consumer, err := c.consumer(ctx)
	if err != nil {
		return nil, err
	}
	batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(nextWait), jetstream.FetchHeartbeat(nextBeat))
	if err != nil {
		return nil, err
	}
	select {
	case job, ok := <-batch.Messages():
		switch {
		case ok:
			return job, nil
		case batch.Error() != nil:
			return nil, batch.Error()
		}
		return nil, jetstream.ErrNoMessages
	case <-ctx.Done():
		go giveBack(batch)
		return nil, ctx.Err()
	}
}

// giveBack hands a job back that comes when nobody waits for it any more.
func giveBack(batch jetstream.MessageBatch) {
	for job := range batch.Messages() {
		_ = job.Nak() // else it is delivered again after its time
	}
}

// consumer returns the consumer of the jobs of the worker, which the server must have been asked
// for once.
func (c *Conn) consumer(ctx context.Context) (jetstream.Consumer, error) {
	c.jobs.Lock()
	defer c.jobs.Unlock()
	if c.jobs.Consumer != nil {
		return c.jobs.Consumer, nil
	}
	consumer, err := c.JS.Consumer(ctx, jobsStream, c.Key.Name)
	if err == nil {
		c.jobs.Consumer = consumer
	}
	return consumer, err
}
