package cluster

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// serverLog takes what the embedded server logs. A person hears of warnings and errors alone, of
// the same one once a minute, and never of what our own messages say better.
type serverLog struct {
	report func(string)
	fatal  atomic.Pointer[string] // why the server does not start
	broken atomic.Bool            // a stream could not be written, and takes nothing more

	mu   sync.Mutex
	said map[string]time.Time
}

// silent matches what nobody needs to hear: clients that come and go, what is said elsewhere.
var silent = regexp.MustCompile(`(?i)TLS handshake error|maximum connections exceeded.*|Reloaded|client closed|Readloop|Slow Consumer|JetStream resource limits exceeded|DISABLED|insufficient`)

// unwritten matches what is said when the disk is full or failed. The embedded server (2.15) then
// neither stores what is published to the stream nor refuses it, until it is started again.
var unwritten = regexp.MustCompile(`(?i)critical write error|failed to store a msg|out of space|no space left on device|disk quota exceeded`)

// authentication matches what is said of a client with a wrong key: its host, and the key.
var authentication = regexp.MustCompile(`^(\S+):\d+ - cid:\d+ - authentication error - Nkey "(\w+)"`)

// numbers matches what differs from one message to the next.
var numbers = regexp.MustCompile(`\d+`)

func (l *serverLog) say(format string, args []any) {
	text := strings.TrimSpace(fmt.Sprintf(format, args...))
	if m := authentication.FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("a client at %s is refused: its key %s was revoked, or belongs to another cluster", m[1], m[2])
	}
	if unwritten.MatchString(text) {
		l.broken.Store(true) // the watch says it
		return
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
	if fresh && !silent.MatchString(text) {
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
