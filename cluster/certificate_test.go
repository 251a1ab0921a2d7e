package cluster

import (
	"crypto/sha256"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// TestCertificate makes certificates of a server anew when they lack a host, are near their end, or
// are of another authority, and then alone.
func TestCertificate(t *testing.T) {
	dir := t.TempDir()
	a, err := openAuthority(filepath.Join(dir, authorityFile))
	require.NoError(t, err)
	again, err := openAuthority(filepath.Join(dir, authorityFile))
	require.NoError(t, err)
	if fingerprint(a.certificate) != fingerprint(again.certificate) {
		t.Error("the authority was made twice")
	}
	path := filepath.Join(dir, serverFile)
	issued := func(by *authority, hosts ...string) *x509.Certificate {
		c, err := by.serverCertificate(path, hosts)
		require.NoError(t, err)
		return c.Leaf
	}
	first := issued(a, "localhost", "127.0.0.1")
	if !issued(again, "127.0.0.1").Equal(first) {
		t.Error("a good certificate was made anew")
	}
	second := issued(a, "127.0.0.1", "example.com")
	if second.Equal(first) || second.VerifyHostname("example.com") != nil {
		t.Error("the certificate lacks a host")
	}
	old := &x509.Certificate{NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(serverRenewal - time.Minute), DNSNames: []string{"localhost"}}
	c, key, err := issue(old, a)
	require.NoError(t, err)
	require.NoError(t, writePair(path, key, c, a.certificate))
	if issued(a, "localhost").Equal(c) {
		t.Error("a certificate near its end is still used")
	}
	other, err := openAuthority(filepath.Join(dir, "other"))
	require.NoError(t, err)
	before := issued(a, "localhost")
	after := issued(other, "localhost")
	if before.Equal(after) || after.CheckSignatureFrom(other.certificate) != nil {
		t.Error("a certificate of another authority is still used")
	}
	sum := sha256.Sum256(other.certificate.Raw)
	require.NoError(t, verifyPinned([]*x509.Certificate{after, other.certificate}, sum[:]))
	for name, shown := range map[string][]*x509.Certificate{
		"none": {}, "the server alone": {after}, "of another authority": {before, other.certificate}, "another authority": {before, a.certificate},
	} {
		if verifyPinned(shown, sum[:]) == nil {
			t.Errorf("%s: the chain is accepted", name)
		}
	}
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	if _, err := a.serverCertificate(path, []string{"localhost"}); err == nil {
		t.Error("a damaged file is accepted")
	}
}
