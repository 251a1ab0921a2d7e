package tables

// Infinity is the proof number of a disproved node and the disproof number of a proved one (Allis
// 1994). Thresholds may exceed it a few times without an overflow.
const Infinity = 1 << 30

// Saturated returns a sum of proof or disproof numbers as the number of an open node, which is
// always less than Infinity.
func Saturated(sum uint64) uint32 { return uint32(min(sum, Infinity-1)) }
