package cluster

import (
	"context"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/testkit/require"
)

// startServer starts a server in a directory, for a test.
func startServer(t testing.TB, dir string, o ServerOptions) *Server {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Report == nil {
		o.Report = func(text string) { t.Log("the server says: " + text) }
	}
	s, err := StartServer(dir, o)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// connected connects with the key in a file, for a test.
func connected(t testing.TB, where, keyFile string) *Conn {
	t.Helper()
	c, err := Connect(t.Context(), where, keyFile, nil)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// soon returns a context for something that should not take long.
func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// TestJob carries a job to a worker, and its answer back.
func TestJob(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, dir, ServerOptions{})
	coordinator := connected(t, dir, "")
	worker := connected(t, s.Address(), KeyFile(dir, FirstWorker))
	ctx := soon(t)
	if _, err := coordinator.JS.Publish(ctx, jobSubject(FirstWorker, "run", "1"), []byte("question")); err != nil {
		t.Fatal(err)
	}
	jobs, err := worker.JS.Consumer(ctx, jobsStream, FirstWorker)
	require.NoError(t, err)
	job, err := jobs.Next(jetstream.FetchMaxWait(5 * time.Second))
	require.NoError(t, err)
	if string(job.Data()) != "question" {
		t.Errorf("the job is %q", job.Data())
	}
	require.NoError(t, job.InProgress())
	if _, err := worker.JS.Publish(ctx, answerSubject(FirstWorker, "run", "1", "0"), []byte("answer")); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, job.DoubleAck(ctx))
	answers, err := coordinator.JS.CreateConsumer(ctx, answersStream, jetstream.ConsumerConfig{
		Durable: "run", FilterSubject: answerSubject("*", "run", "*", "*"), AckPolicy: jetstream.AckExplicitPolicy})
	require.NoError(t, err)
	answer, err := answers.Next(jetstream.FetchMaxWait(5 * time.Second))
	require.NoError(t, err)
	if string(answer.Data()) != "answer" {
		t.Errorf("the answer is %q", answer.Data())
	}
	require.NoError(t, answer.DoubleAck(ctx))
	status, err := coordinator.Status(ctx)
	require.NoError(t, err)
	if status.JobBytes != 0 || status.AnswerBytes != 0 || len(status.Workers) != 1 {
		t.Errorf("the status is %+v", status)
	}
}
