package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/nats-io/nkeys"

	"goalproof/internal/files"
)

// Key is the key of a worker or of the coordinator. With it a person proves to the server who he
// is, and signs answers.
//
// Its file is a text of two lines; empty lines and those that begin with # do not count:
//
//	name w1
//	seed SUAIBDPBAUTWCWBKIO6XHQNINK5FWJW4OHLXC3HQ2KFE4PEJUA44CNHTC4
//
// The seed is an nkey: base32 with a checksum, so a character lost in copying is noticed.
type Key struct {
	Name string

	seed   string
	pair   nkeys.KeyPair
	public string
}

// NewKey makes a key for a worker, or for [Coordinator].
func NewKey(name string) (Key, error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return Key{}, err
	}
	seed, err := pair.Seed()
	if err != nil {
		return Key{}, err
	}
	return keyOf(name, string(seed))
}

// ParseKey reads the text of a key file. The error names the file, the line, and what is wrong
// there; it never shows the seed.
func ParseKey(file string, text []byte) (Key, error) {
	fields := map[string]string{}
	last := 0
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		last = i + 1
		field, value, _ := strings.Cut(line, " ")
		value = strings.TrimSpace(value)
		var err error
		switch {
		case field != "name" && field != "seed":
			err = errors.New("this is no key of a cluster: each line of one begins with name or seed")
		case fields[field] != "":
			err = fmt.Errorf("there is a second %s: a file holds one key", field)
		case field == "name" && value != Coordinator && value != serverUser:
			err = CheckName(value)
		case field == "seed":
			_, err = keyOf("", value)
		}
		if err != nil {
			return Key{}, fmt.Errorf("%s, line %d: %w", file, last, err)
		}
		fields[field] = value
	}
	for _, field := range []string{"name", "seed"} {
		if fields[field] == "" {
			return Key{}, fmt.Errorf("%s: there is no line with %s: copy the whole file that goalproof serve or goalproof cluster add has written", file, field)
		}
	}
	return keyOf(fields["name"], fields["seed"])
}

// keyOf returns the key with a seed.
func keyOf(name, seed string) (Key, error) {
	bad := errors.New("the seed is damaged: copy the file again")
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return Key{}, bad
	}
	public, err := pair.PublicKey()
	if err != nil || !nkeys.IsValidPublicUserKey(public) {
		return Key{}, bad
	}
	return Key{Name: name, seed: seed, pair: pair, public: public}, nil
}

// ReadKey reads a key file. The error is that of the system or of [ParseKey].
func ReadKey(path string) (Key, error) {
	const most = 4096 // bytes
	file, err := os.Open(path)
	if err != nil {
		return Key{}, err
	}
	defer file.Close()
	text, err := files.ReadLimited(file, most)
	if err != nil {
		if errors.As(err, new(*fs.PathError)) {
			return Key{}, err // it names the file
		}
		return Key{}, fmt.Errorf("%s: this is no key of a cluster: %w", path, err)
	}
	return ParseKey(path, text)
}

// Write writes the key to a file that only its owner may read. The error is that of the system.
func (k Key) Write(path string) error { return files.WriteSecret(path, k.Text()) }

// Text returns what the file of the key holds.
func (k Key) Text() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A key of a cluster of goalproof. Anyone who has it can answer as %s: keep it secret.\n", k.Name)
	fmt.Fprintf(&b, "name %s\nseed %s\n", k.Name, k.seed)
	return b.String()
}

// Public returns the public key, which others know: see [Verify].
func (k Key) Public() string { return k.public }

// Sign returns the signature of some bytes.
func (k Key) Sign(data []byte) ([]byte, error) { return k.pair.Sign(data) }

// Verify returns an error if a signature of some bytes is not that of a public key.
func Verify(public string, data, signature []byte) error {
	pair, err := nkeys.FromPublicKey(public)
	if err != nil {
		return fmt.Errorf("%q is no public key", public)
	}
	if pair.Verify(data, signature) != nil {
		return errors.New("the signature is not that of the key")
	}
	return nil
}
