package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"slices"
	"time"

	"goalproof/internal/files"
)

// How long certificates last, and how long before its end that of the server is replaced. A clock
// that is a day behind does no harm.
const (
	authorityLasts = 30 * 365 * 24 * time.Hour
	serverLasts    = 400 * 24 * time.Hour
	serverRenewal  = 60 * 24 * time.Hour
	clocksDiffer   = 24 * time.Hour
)

// authority is a certificate authority for one server: its certificate and key.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// fingerprint returns the SHA-256 of a certificate, in hex.
func fingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	return hex.EncodeToString(sum[:])
}

// openAuthority reads the authority from its file, or makes it if there is none.
func openAuthority(path string) (*authority, error) {
	certificates, key, err := readPair(path)
	if err == nil {
		return &authority{certificates[0], key}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "goalproof cluster"},
		NotBefore:             time.Now().Add(-clocksDiffer),
		NotAfter:              time.Now().Add(authorityLasts),
		KeyUsage:              x509.KeyUsageCertSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
		MaxPathLenZero:        true,
	}
	a := &authority{}
	if a.certificate, a.key, err = issue(template, nil); err != nil {
		return nil, err
	}
	return a, writePair(path, a.key, a.certificate)
}

// serverCertificate returns the certificate of the server for some hosts, from its file if that is
// good for a while.
func (a *authority) serverCertificate(path string, hosts []string) (tls.Certificate, error) {
	certificates, key, err := readPair(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return tls.Certificate{}, err
	}
	if err != nil || !a.good(certificates[0], hosts) {
		template := &x509.Certificate{
			Subject:     pkix.Name{CommonName: hosts[0]},
			NotBefore:   time.Now().Add(-clocksDiffer),
			NotAfter:    time.Now().Add(serverLasts),
			KeyUsage:    x509.KeyUsageDigitalSignature,
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		}
		for _, host := range hosts {
			if ip := net.ParseIP(host); ip != nil {
				template.IPAddresses = append(template.IPAddresses, ip)
			} else {
				template.DNSNames = append(template.DNSNames, host)
			}
		}
		var c *x509.Certificate
		if c, key, err = issue(template, a); err != nil {
			return tls.Certificate{}, err
		}
		certificates = []*x509.Certificate{c, a.certificate}
		if err := writePair(path, key, certificates...); err != nil {
			return tls.Certificate{}, err
		}
	}
	chain := [][]byte{certificates[0].Raw, a.certificate.Raw}
	return tls.Certificate{Certificate: chain, PrivateKey: key, Leaf: certificates[0]}, nil
}

// good reports whether a certificate of the server is of this authority, names some hosts, and
// lasts.
func (a *authority) good(c *x509.Certificate, hosts []string) bool {
	return c.CheckSignatureFrom(a.certificate) == nil && time.Until(c.NotAfter) > serverRenewal &&
		!slices.ContainsFunc(hosts, func(host string) bool { return c.VerifyHostname(host) != nil })
}

// issue makes a key and a certificate for it, signed by an authority, or by itself if that is nil.
func issue(template *x509.Certificate, by *authority) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return nil, nil, err
	}
	if by == nil {
		by = &authority{template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by.certificate, &key.PublicKey, by.key)
	if err != nil {
		return nil, nil, err
	}
	c, err := x509.ParseCertificate(der)
	return c, key, err
}

// writePair writes a key and certificates into one file, in PEM.
func writePair(path string, key *ecdsa.PrivateKey, certificates ...*x509.Certificate) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	for _, c := range certificates {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})...)
	}
	return files.WriteSecret(path, text)
}

// readPair reads what writePair has written: at least one certificate, the first one that of the
// key.
func readPair(path string) (certificates []*x509.Certificate, key *ecdsa.PrivateKey, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "PRIVATE KEY":
			var any any
			if any, err = x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
				key, _ = any.(*ecdsa.PrivateKey)
			}
		case "CERTIFICATE":
			var c *x509.Certificate
			if c, err = x509.ParseCertificate(block.Bytes); err == nil {
				certificates = append(certificates, c)
			}
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s is damaged: %w", path, err)
		}
	}
	if key == nil || len(certificates) == 0 || !key.PublicKey.Equal(certificates[0].PublicKey) {
		return nil, nil, fmt.Errorf("%s is damaged: it holds no key with its certificate", path)
	}
	return certificates, key, nil
}
