package studio

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"goalproof/internal/testkit/require"
)

// TestBodyThatNeverComes announces bodies and sends none. Who may not ask is refused before the
// body, and who may is not waited for without end.
func TestBodyThatNeverComes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(text string) string
		limit  time.Duration // for the body, or 0: the studio's own
		status int
	}{
		"no token":      {func(text string) string { return strings.Replace(text, "Authorization", "X-Other", 1) }, 0, http.StatusUnauthorized},
		"a wrong token": {func(text string) string { return strings.Replace(text, "Bearer ", "Bearer x", 1) }, 0, http.StatusUnauthorized},
		"another host":  {func(text string) string { return strings.Replace(text, "Host: ", "Host: x", 1) }, 0, http.StatusForbidden},
		"another page": {func(text string) string {
			return strings.Replace(text, "\r\n\r\n", "\r\nOrigin: https://x.example\r\n\r\n", 1)
		}, 0, http.StatusForbidden},
		"a page": {func(text string) string { return strings.Replace(text, "POST /api/view", "GET /", 1) }, 0, http.StatusBadRequest},
		"much":   {func(text string) string { return strings.Replace(text, "Length: ", "Length: 1000000", 1) }, 0, http.StatusRequestEntityTooLarge},
		"in chunks": {func(text string) string {
			return strings.NewReplacer("Content-Length: 99", "Transfer-Encoding: chunked", "Authorization", "X-Other").Replace(text)
		}, 0, http.StatusUnauthorized},
		"its own page": {func(text string) string { return text }, 50 * time.Millisecond, http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp4", "127.0.0.1:0")
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(context.Background())
			s, err := New(ctx, l, Options{Memory: 64 << 20})
			require.NoError(t, err)
			if test.limit > 0 {
				s.http.ReadTimeout = test.limit
			}
			ended := make(chan error, 1)
			go func() { ended <- s.Serve(l) }()
			defer func() {
				cancel()
				<-ended
			}()
			c, err := net.Dial("tcp4", l.Addr().String())
			require.NoError(t, err)
			defer c.Close()
			if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil { // less than the studio waits for a body
				t.Fatal(err)
			}
			request := fmt.Sprintf("POST /api/view HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n",
				l.Addr(), s.token)
			if _, err := io.WriteString(c, test.change(request)); err != nil {
				t.Fatal(err)
			}
			r, err := http.ReadResponse(bufio.NewReader(c), nil)
			require.NoError(t, err)
			text, err := io.ReadAll(r.Body)
			if err != nil || r.StatusCode != test.status || !strings.Contains(string(text), `"error"`) {
				t.Errorf("%s (%v): %s", r.Status, err, text)
			}
			if rest, err := io.ReadAll(c); err != nil || len(rest) > 0 {
				t.Errorf("the connection stays: %q, %v", rest, err)
			}
		})
	}
}
