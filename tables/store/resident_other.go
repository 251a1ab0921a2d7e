//go:build !linux

package store

// resident does nothing: only Linux tells what is resident, and where.
type resident struct{}

func (*database) wasRead() {}
func (*database) trim()    {}
