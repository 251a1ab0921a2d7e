package cluster

import "github.com/nats-io/nats-server/v2/server"

// inputsStream is the stream in which the object store keeps the bucket of inputs.
const inputsStream = "OBJ_" + inputsBucket

// Permissions returns what a user may publish and receive: a worker its own jobs, answers and signs
// of life, and the inputs; the coordinator and the server's own user what a cluster is made of.
func Permissions(name string) *server.Permissions {
	allow := func(publish, subscribe []string) *server.Permissions {
		return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe}}
	}
	replies := inbox(name) + ".>"
	if name == Coordinator || name == serverUser {
		return allow(
			[]string{"goalproof.>", "_INBOX.>", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>", "$O." + inputsBucket + ".>"},
			[]string{"goalproof.>", replies, "$JS.EVENT.ADVISORY.>"})
	}
	return allow([]string{
		answerSubject(name, "*", "*", "*"),
		aliveSubject(name),
		// its jobs: a request for the next one, what is known of its consumer, acknowledgements
		"$JS.API.CONSUMER.MSG.NEXT." + jobsStream + "." + name,
		"$JS.API.CONSUMER.INFO." + jobsStream + "." + name,
		"$JS.ACK." + jobsStream + "." + name + ".>",
		// jetstream.ObjectStore.GetFile: it asks for the bucket and what is said of the file, and
		// receives the file through a consumer that it makes and deletes
		"$JS.API.STREAM.INFO." + inputsStream,
		"$JS.API.DIRECT.GET." + inputsStream + ".$O." + inputsBucket + ".M.*",
		"$JS.API.CONSUMER.CREATE." + inputsStream + ".*.$O." + inputsBucket + ".C.*",
		"$JS.API.CONSUMER.DELETE." + inputsStream + ".*",
		"$JS.FC." + inputsStream + ".>",
	}, []string{toldSubject(name), callSubject, replies})
}
