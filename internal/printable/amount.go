package printable

import "github.com/dustin/go-humanize"

// Amount returns a number of things, such as "1 turn", "2 turns" or "12,345 nodes".
func Amount[N int | int64 | uint64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return humanize.Comma(int64(n)) + " " + what + "s"
}
