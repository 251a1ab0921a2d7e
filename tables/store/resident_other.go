//go:build !linux

package store

// resident does nothing: only Linux tells which pages are resident.
type resident struct{}

func (*Store) wasRead()    {}
func (*Store) trimRuns()   {}
func releaseMemory([]byte) {}
