package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"goalproof/internal/files"
)

// SetupError is the error of a NATS server that others run and that is not configured as a cluster
// needs it.
type SetupError struct {
	Reason  string // what is wrong
	Account string // what its configuration must hold: see [AccountFile]
}

func (e *SetupError) Error() string { return e.Reason }

// external reports whether others run the NATS server.
func (s *Server) external() bool { return s.options.External != "" }

// leastMessage is the least size of a message with which a cluster works, in bytes.
const leastMessage = 64 << 10

// startExternal connects to the NATS server of others, makes the streams there, and checks that it
// lets nobody do more than he must.
func (s *Server) startExternal(ctx context.Context) error {
	s.address = s.options.External
	if err := s.writeAccount(); err != nil {
		return err
	}
	a, err := parseAddress(s.address)
	if err != nil {
		return err
	}
	s.conn, err = connect(ctx, a, s.keys.admin, s.options.Report)
	switch {
	case errors.Is(err, ErrRefused):
		return s.wrong("%s does not know the keys of this cluster", a.url)
	case errors.Is(err, errKeyless):
		return s.wrong("%v", err)
	case err != nil:
		return fmt.Errorf("%w; the account for its configuration is in %s", err, AccountFile(s.dir))
	}
	size := s.conn.NATS.MaxPayload()
	if size < leastMessage {
		return s.wrong("%s takes messages of %s at most: set max_payload there to %s or more", a.url, humanize.IBytes(uint64(size)), humanize.IBytes(leastMessage))
	}
	s.options.Limits.Message = int32(min(size, int64(s.options.Limits.Message)))
	// Its own permissions first: an error of what needs them would only say that the time is over.
	if err := s.enforced(s.tryUser(ctx, a, s.keys.admin)); err != nil {
		return err
	}
	if err := s.makeExternalStreams(ctx); err != nil {
		return err
	}
	return s.enforced(s.tryAll(ctx, a))
}

// makeExternalStreams makes the streams at the NATS server of others. Where that is one of a
// cluster of three or more, three of them keep each stream, so that one may fail.
func (s *Server) makeExternalStreams(ctx context.Context) error {
	if s.conn.NATS.ConnectedClusterName() != "" {
		s.copies = 3
	}
	err := s.makeStreams(ctx)
	const noPeers = 10005 // "no suitable peers for placement": they are fewer
	if e, ok := errors.AsType[*jetstream.APIError](err); ok && e.ErrorCode == noPeers && s.copies > 1 {
		s.copies = 1
		err = s.makeStreams(ctx)
	}
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return s.wrong("%s has no JetStream for this account: enable it for the server and for the account", s.conn.address)
	}
	if e, ok := errors.AsType[*jetstream.APIError](err); ok {
		l := s.options.Limits
		return s.wrong("%s does not take the streams, %s: the account needs three, with %s in files, and a consumer for each worker and run; raise its limits, or start with a smaller --max-queue and --disk",
			s.conn.address, e.Description, humanize.IBytes(uint64(s.copies)*uint64(l.Jobs+l.Answers+l.Inputs)))
	}
	return err
}

// wrong returns the error of a NATS server that is not configured as it must be.
func (s *Server) wrong(format string, args ...any) error {
	return &SetupError{Reason: fmt.Sprintf(format, args...), Account: s.keys.account()}
}

// enforced returns the error of a NATS server that enforces other permissions than it should.
func (s *Server) enforced(faults []string, err error) error {
	const most = 5
	if err != nil || len(faults) == 0 {
		return err
	}
	more := ""
	if len(faults) > most {
		more = fmt.Sprintf("; and %d more", len(faults)-most)
		faults = faults[:most]
	}
	return s.wrong("%s does not enforce the permissions of this cluster: %s%s", s.conn.address, strings.Join(faults, "; "), more)
}

// writeAccount writes what the configuration of the NATS server must hold.
func (s *Server) writeAccount() error {
	return files.WriteText(AccountFile(s.dir), s.keys.account())
}

// account returns the account of a cluster, for the configuration of a NATS server.
func (k *keyring) account() string {
	var b strings.Builder
	b.WriteString(`# The account of a cluster of goalproof. With this file beside it, nats-server.conf has:
#   jetstream { store_dir: /var/lib/nats }
#   accounts { include "` + accountFile + `" }
GOALPROOF {
  jetstream: enabled
  users: [
`)
	for _, u := range k.users() {
		fmt.Fprintf(&b, "%s\n", userLines(u.Name, u.Key))
	}
	b.WriteString("  ]\n}\n")
	return b.String()
}

// userLines returns the lines of a user in an account.
func userLines(name, key string) string {
	p := Permissions(name)
	list := func(subjects []string) string { return `["` + strings.Join(subjects, "\",\n        \"") + `"]` }
	return fmt.Sprintf("    # %s\n    { nkey: %s, permissions: {\n      publish: %s,\n      subscribe: %s } }", name, key, list(p.Publish.Allow), list(p.Subscribe.Allow))
}

// todo says what a person must change in the configuration of a NATS server that others run, when a
// worker was added or revoked.
func (s *Server) todo(request, name string) (text string) {
	if !s.external() {
		return ""
	}
	for _, w := range s.keys.list() {
		if w.Name == name { // the last one is meant
			text = fmt.Sprintf("Remove the user with this key from the account at the NATS server, and reload it: until then the worker stays connected, but nothing that it answers counts.\n    # %s\n    %s", name, w.Key)
			if request == addRequest {
				text = "Add this user to the account at the NATS server, and reload it: until then the worker is refused.\n" + userLines(name, w.Key)
			}
		}
	}
	return text
}
