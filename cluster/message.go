package cluster

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// job is a group of questions for a worker, as it travels.
type job struct {
	Run       string     `json:"run"`
	Number    string     `json:"number"`
	Kind      string     `json:"kind"`
	Signature string     `json:"signature"` // of the program that asks
	Options   []byte     `json:"options"`
	Questions []question `json:"questions"`
}

// question is a question of a group.
type question struct {
	ID    string `json:"id"`
	Bytes []byte `json:"bytes"`
}

// answers are the answers to a group of questions, as they travel.
type answers struct {
	Died    bool       `json:"died,omitempty"`    // processes of the worker, over this group: there are no answers
	Refused bool       `json:"refused,omitempty"` // this process cannot answer it; another one of the worker may
	Answers answerList `json:"answers"`
}

// answerList are answers, no more than there are questions in a group: each takes some twenty times as
// much memory as its shortest text.
type answerList []answered

// UnmarshalJSON implements [json.Unmarshaler].
func (g *answerList) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('[') && t != nil {
		return errors.Join(errors.New("no list of answers"), err)
	}
	for *g = nil; d.More(); {
		if len(*g) == mostInGroup {
			return fmt.Errorf("more than %d answers", mostInGroup)
		}
		var a answered
		if err := d.Decode(&a); err != nil {
			return err
		}
		*g = append(*g, a)
	}
	return nil
}

// answered is the answer to a question of a group.
type answered struct {
	ID      string  `json:"id"`
	Seconds float64 `json:"seconds"`
	Failed  string  `json:"failed,omitempty"`
	Bytes   []byte  `json:"bytes,omitempty"`
}

// Of a message, unpacked: the greatest length in bytes.
const maxMessage = 256 << 20

var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxMessage))
)

// pack writes a message. The error says that unpack would refuse it.
func pack(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if len(text) > maxMessage {
		return nil, fmt.Errorf("%d MiB do not fit in a message of %d MiB", len(text)>>20, maxMessage>>20)
	}
	return packer.EncodeAll(text, nil), nil
}

// unpack reads a message that pack has written.
func unpack(data []byte, v any) error {
	text, err := unpacker.DecodeAll(data, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// part is a part of a message that is too long for one: its number, from 0, of how many, and of
// what message. Two processes of a worker may have answered the same group, and one of them may
// have been killed after its first part: parts of two messages are no message.
type part struct {
	number, of int
	message    [whole]byte
}

// whole is the length of the beginning of the digest of a message in its parts, in bytes.
const whole = 8

// mostParts bounds the parts of a message.
const mostParts = 64

// signatureLength is the length of a signature (Ed25519), in bytes.
const signatureLength = 64

// split writes the parts of answers, each signed with its subject: the signature, the part's
// number, how many there are, the beginning of the digest of all, and its bytes. Most is the
// greatest length of a part.
func split(subject func(part int) string, data []byte, most int, sign func([]byte) ([]byte, error)) (parts [][]byte, err error) {
	room := most - signatureLength - 4 - whole
	digest := sha256.Sum256(data)
	of := max(1, (len(data)+room-1)/room)
	if of > mostParts {
		return nil, fmt.Errorf("answers of %d KiB do not fit in %d messages of %d KiB: goalproof serve --max-message allows longer ones", len(data)>>10, mostParts, most>>10)
	}
	for n := range of {
		body := binary.BigEndian.AppendUint16(nil, uint16(n))
		body = binary.BigEndian.AppendUint16(body, uint16(of))
		body = append(body, digest[:whole]...)
		body = append(body, data[n*room:min((n+1)*room, len(data))]...)
		signature, err := sign(signedText(subject(n), body))
		if err != nil {
			return nil, err
		}
		parts = append(parts, append(signature, body...))
	}
	return parts, nil
}

// signedText is what is signed of a part.
func signedText(subject string, body []byte) []byte { return append([]byte(subject+"\n"), body...) }

// errUnsigned is the error of a message that does not carry the signature of the worker in its
// subject.
var errUnsigned = errors.New("not signed by the worker")

// join reads a part. Subject is that of the message, verify checks a signature; that it cannot be
// checked is errKeyUnknown.
func join(subject string, data []byte, verify func(data, signature []byte) error) (p part, body []byte, err error) {
	if len(data) < signatureLength+4+whole {
		return p, nil, errUnsigned
	}
	body = data[signatureLength:]
	if err := verify(signedText(subject, body), data[:signatureLength]); errors.Is(err, errKeyUnknown) {
		return p, nil, err
	} else if err != nil {
		return p, nil, errUnsigned
	}
	p = part{int(binary.BigEndian.Uint16(body)), int(binary.BigEndian.Uint16(body[2:])), [whole]byte(body[4:])}
	if p.of == 0 || p.of > mostParts || p.number >= p.of {
		return p, nil, fmt.Errorf("part %d of %d", p.number, p.of)
	}
	return p, body[4+whole:], nil
}

// randomName returns a name that nobody guesses.
func randomName() string {
	var b [10]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
