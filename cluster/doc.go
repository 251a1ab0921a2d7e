// Package cluster has questions answered on many machines. A server (the NATS server with
// JetStream, in this process or elsewhere) carries questions to workers and answers back to the
// coordinator that asked.
//
// What is true stands in the files of the coordinator alone: the answers it has accepted, in the
// directory of its run ([Run]). The server may lose, repeat or reorder whatever it carries. A
// question without an answer is put again, an answer to a question that has one is dropped; so
// nothing is lost and nothing counts twice, whichever process is killed.
//
// # Subjects and streams
//
// Two streams in files, whose messages wait for one consumer each and go when it has acknowledged
// them (work queues). Both keep one message for a subject and refuse a second, and refuse messages
// when they are full.
//
//	goalproof-jobs     goalproof.job.WORKER.RUN.NUMBER     groups of questions for a worker
//	goalproof-answers  goalproof.answer.WORKER.RUN.NUMBER.PART  their answers, signed by the worker
//
// The coordinator assigns each group to a worker (a name with a key: several processes may share
// it and count as one). So a worker can neither see nor acknowledge what others do, a question can
// be put to another worker than before, and a worker of another version gets none. The consumer of
// the jobs of a worker has the worker's name, that of the answers to a run the run's.
//
// Beside the streams, as messages that nobody keeps:
//
//	goalproof.alive.WORKER    every two seconds: what a process of a worker is, and does
//	goalproof.call            a coordinator asks who is there
//	goalproof.told.WORKER     why a worker gets no jobs
//	goalproof.run.RUN         every two seconds: how far a run is
//	goalproof.admin.REQUEST   requests to the server: status, workers, add, revoke, drop
//
// The bucket goalproof-inputs of the object store holds what questions refer to by digest: networks
// and endgame tables.
//
// # Trust
//
// A worker may publish its own answers, and take its own jobs; nothing else ([Permissions]). Its
// name and key are those of the person who runs it. Answers carry a signature of that key, since a
// name in a subject alone could be borrowed: the server sends replies wherever a request asks.
// Requests to the keeper of the keys carry one of the coordinator's key, for the same reason. So a
// worker can put what is no answer among the answers of another, which the coordinator drops, but
// nothing that counts.
//
// A NATS server that others run ([ServerOptions]) has users and permissions of its own. The keeper of
// the keys writes the account that it needs, and tries at each start with the keys that it has
// whether the server refuses what they must not do. It cannot disconnect a worker there: runs ask it
// for the keys every few seconds, and go without a worker that has none.
//
// An answer depends on the question, the options of the run and the version of the program alone,
// byte for byte, or agrees with others as its kind says ([Kind.Common]). So whether a worker lies can
// be found out: the question is put to another worker, and where two answers differ the coordinator
// answers it itself. See [Trust].
//
// # Clocks
//
// Nothing that counts depends on what a clock shows, nor on two clocks that agree: no time of one
// process is compared with that of another. The coordinator decides by the time since its start
// ([time.Since], a monotonic clock); so do signs of life, which count from when they were heard. The
// answer of a worker says how long it took, by the worker's monotonic clock, which decides only how
// many questions make a group. The beginning of a run, of a key, and the lines of the trail are dates
// for people.
//
// Two clocks that can be set matter for how long something takes. The embedded server keeps in
// Unix time when a message was delivered. Set forward, it delivers again what is at work: the
// process that has it drops that, the answers of another one are dropped at the coordinator. Set
// backward, it delivers again that much later; the coordinator does not wait for that where a
// process is silent, but puts the questions of its groups again. What waits is an answer on its way
// over a connection that was lost just then, where no other worker could answer.
// And a certificate is refused by a machine whose clock is more than a day behind the server's, or
// more than a year ahead.
package cluster
