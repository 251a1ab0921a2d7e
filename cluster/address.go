package cluster

import (
	"cmp"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"goalproof/internal/files"
)

// The files of the directory of a server.
const (
	addressFile     = "address"         // the address, as text, for those on this machine
	authorityFile   = "authority.pem"   // the key and certificate of its authority
	serverFile      = "server.pem"      // its own
	coordinatorFile = "coordinator.key" // the key of the coordinator
	adminFile       = "server.key"      // the key with which the server looks after itself
	workersFile     = "workers.json"    // who may answer
	runsFile        = "runs.json"       // runs that have not ended
	trailFile       = "trail.jsonl"     // who was added and revoked, and why
	accountFile     = "account.conf"    // for the configuration of a NATS server that is not ours
	keysDir         = "keys"            // keys of workers that were made here
)

// DefaultDir returns the directory of a server in the user's data folder: see [files.DataDir].
func DefaultDir() (string, error) { return files.DataDir("cluster") }

// KeyFile returns the name of the file that holds the key of a worker in the directory of a server.
func KeyFile(dir, worker string) string { return filepath.Join(dir, keysDir, worker+".key") }

// CoordinatorKeyFile returns the name of the file that holds the key of the coordinator in the
// directory of a server.
func CoordinatorKeyFile(dir string) string { return filepath.Join(dir, coordinatorFile) }

// AccountFile returns the name of the file that holds the account of a cluster, for the
// configuration of a NATS server that others run, in the directory of the keeper of its keys.
func AccountFile(dir string) string { return filepath.Join(dir, accountFile) }

// address says where a server is, and who it must be.
type address struct {
	url string      // for the NATS client; several, with commas between them, of the servers of a NATS cluster
	tls *tls.Config // nil: without TLS, on this machine alone
}

// isDir reports whether the text names the directory of a server instead of an address.
func isDir(text string) bool { return !strings.Contains(text, "://") }

// parseAddress reads tls://HOST:PORT, also with #FINGERPRINT, and nats://HOST:PORT for this
// machine. Several of tls://HOST:PORT, with commas between them, are the servers of a NATS cluster,
// and the fingerprint behind the last one holds for all.
func parseAddress(text string) (address, error) {
	servers := strings.Split(text, ",")
	a, err := parseServer(servers[len(servers)-1])
	for i, other := range servers[:len(servers)-1] {
		o, wrong := parseServer(other)
		if wrong == nil && ((o.tls == nil) != (a.tls == nil) || strings.Contains(other, "#")) {
			wrong = fmt.Errorf("the address %q: several servers are all tls://HOST:PORT, and #FINGERPRINT stands behind the last one", text)
		}
		err = cmp.Or(err, wrong)
		servers[i] = o.url
	}
	servers[len(servers)-1] = a.url
	a.url = strings.Join(servers, ",")
	return a, err
}

// parseServer reads the address of one server.
func parseServer(text string) (address, error) {
	bad := func(format string, args ...any) (address, error) {
		return address{}, fmt.Errorf("the address %q: %s; goalproof serve prints the right one", text, fmt.Sprintf(format, args...))
	}
	u, err := url.Parse(text)
	if err != nil {
		return bad("it is tls://HOST:PORT#FINGERPRINT")
	}
	if u.Port() == "" || u.Hostname() == "" || u.User != nil || u.Path != "" || u.RawQuery != "" {
		return bad("it is tls://HOST:PORT#FINGERPRINT")
	}
	switch u.Scheme {
	case "tls":
		a := address{url: "tls://" + u.Host, tls: &tls.Config{MinVersion: tls.VersionTLS13}}
		if u.Fragment == "" {
			return a, nil
		}
		pinned, err := hex.DecodeString(strings.ReplaceAll(u.Fragment, ":", ""))
		if err != nil || len(pinned) != sha256.Size {
			return bad("the fingerprint after # has %d hexadecimal digits", 2*sha256.Size)
		}
		a.tls.InsecureSkipVerify = true // the fingerprint says more than a name
		a.tls.VerifyConnection = func(s tls.ConnectionState) error { return verifyPinned(s.PeerCertificates, pinned) }
		return a, nil
	case "nats":
		if ip := net.ParseIP(u.Hostname()); u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return bad("without TLS it must lead to this machine")
		}
		return address{url: text}, nil
	}
	return bad("it begins with tls://")
}

// errFingerprint is the error of a server that has another certificate than the address says.
var errFingerprint = errors.New("its certificate has another fingerprint than the address")

// verifyPinned returns an error if certificates that a server has shown are not a valid chain that
// ends in an authority with a fingerprint. The fingerprint may also be that of the server's own
// certificate: it has the key of that.
func verifyPinned(shown []*x509.Certificate, pinned []byte) error {
	if len(shown) == 0 {
		return errFingerprint
	}
	if own := sha256.Sum256(shown[0].Raw); string(own[:]) == string(pinned) {
		return nil
	}
	last := shown[len(shown)-1]
	if sum := sha256.Sum256(last.Raw); string(sum[:]) != string(pinned) || !last.IsCA {
		return errFingerprint
	}
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(last)
	for _, c := range shown[1:] {
		between.AddCert(c)
	}
	_, err := shown[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between})
	return err
}

// readDir returns the address that a server has written into its directory.
func readDir(dir string) (address, error) {
	text, err := os.ReadFile(filepath.Join(dir, addressFile))
	if errors.Is(err, fs.ErrNotExist) {
		if _, _, err := net.SplitHostPort(dir); err == nil {
			return address{}, fmt.Errorf("%s: there is no such directory, and an address begins with tls://, as goalproof serve prints it", dir)
		}
		return address{}, fmt.Errorf("%s: no server has run there: start goalproof serve --dir %[1]s, or name its address", dir)
	}
	if err != nil {
		return address{}, err
	}
	return parseAddress(strings.TrimSpace(string(text)))
}
