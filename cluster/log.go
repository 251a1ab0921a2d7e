package cluster

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// serverLog takes what the embedded server logs. A person hears of warnings and errors alone, in
// sentences, of the same one once a minute, and never of what our own messages say better.
type serverLog struct {
	report func(string)
	fatal  atomic.Pointer[string] // why the server does not start
	broken atomic.Bool            // a stream could not be written, and takes nothing more

	mu   sync.Mutex
	said map[string]time.Time
}

// silent matches what nobody needs to hear: clients that come and go, what is said elsewhere, that the
// state of a stream is made again from its messages after the server was killed.
var silent = regexp.MustCompile(`(?i)TLS handshake error|Reloaded|client closed|Readloop|Slow Consumer|JetStream resource limits exceeded|DISABLED|insufficient|Filestore \[.*\] (Stream state|Recovering stream state)`)

// unwritten matches what is said when the disk is full or failed. The embedded server (2.15) then
// neither stores what is published to the stream nor refuses it, until it is started again.
var unwritten = regexp.MustCompile(`(?i)critical write error|failed to store a msg|out of space|no space left on device|disk quota exceeded`)

// sentences say what lines of the log mean.
var sentences = []struct {
	line *regexp.Regexp
	says string
}{
	{regexp.MustCompile(`^(\S+):\d+ - cid:\d+ - .*authentication error - Nkey "(\w+)"`), "a client at $1 is refused: its key $2 was revoked, or belongs to another cluster"},
	{regexp.MustCompile(`^(\S+):\d+ - cid:\d+ - .*nkey:(\w+)" - \w+ Violation`), "a client at $1 tries what its key $2 does not allow, and is refused; " + workersFile + " says whose key it is"},
	{regexp.MustCompile(`^(\S+):\d+ - cid:\d+ - .*maximum connections exceeded`), "a client at $1 is refused, and tries again: there are as many connections as the server takes"},
	{regexp.MustCompile(`(?s).*`), "the NATS server in this process reports: $0"},
}

// numbers matches what differs from one message to the next.
var numbers = regexp.MustCompile(`\d+`)

func (l *serverLog) say(format string, args []any) {
	text := strings.TrimSpace(fmt.Sprintf(format, args...))
	if unwritten.MatchString(text) {
		l.broken.Store(true) // the watch says it
		return
	}
	if silent.MatchString(text) {
		return
	}
	for _, s := range sentences {
		if m := s.line.FindStringSubmatchIndex(text); m != nil {
			text = string(s.line.ExpandString(nil, s.says, text, m))
			break
		}
	}
	key := numbers.ReplaceAllString(text, "0")
	l.mu.Lock()
	fresh := time.Since(l.said[key]) > time.Minute
	if fresh {
		if l.said == nil || len(l.said) > 1000 {
			l.said = map[string]time.Time{}
		}
		l.said[key] = time.Now()
	}
	l.mu.Unlock()
	if fresh {
		l.report(text)
	}
}

func (l *serverLog) Noticef(string, ...any)            {}
func (l *serverLog) Debugf(string, ...any)             {}
func (l *serverLog) Tracef(string, ...any)             {}
func (l *serverLog) Warnf(format string, args ...any)  { l.say(format, args) }
func (l *serverLog) Errorf(format string, args ...any) { l.say(format, args) }
func (l *serverLog) Fatalf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	l.fatal.Store(&text)
}
