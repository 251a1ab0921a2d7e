package cli

import (
	"strings"
	"time"
)

// Took writes a duration with as many digits as a person wants to read: "under 1ms", "51ms",
// "2.53s", "1m12s".
func Took(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "under 1ms"
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(10 * time.Millisecond).String()
	case d < time.Hour:
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}
