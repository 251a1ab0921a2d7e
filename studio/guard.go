package studio

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"

	"goalproof/arimaa/notation"
	"goalproof/library"
)

// MaxBody is the greatest length of the body of a request, in bytes.
const MaxBody = 1 << 20

// most returns the greatest length of the body of a request.
func most(r *http.Request) int64 {
	if r.Method == http.MethodPost && (r.URL.Path == archivePath || path.Dir(r.URL.Path) == archivesPath) {
		return MaxArchive
	}
	return MaxBody
}

// policy is the content security policy: everything comes from the studio itself, no script is
// inline, and no text becomes markup, which browsers with trusted types enforce.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// guard passes requests of the studio's own page and of scripts that know the token.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !s.hosts[strings.ToLower(r.Host)] {
			dismiss(w, r, http.StatusForbidden, fmt.Errorf("this is not %s: the address of the request names another host", s.address))
			return
		}
		if !sameOrigin(r) {
			dismiss(w, r, http.StatusForbidden, errors.New("requests of other pages are refused"))
			return
		}
		most := most(r)
		switch api := strings.HasPrefix(r.URL.Path, "/api/"); {
		case api && !s.authorized(r):
			h.Set("WWW-Authenticate", "Bearer")
			dismiss(w, r, http.StatusUnauthorized, errors.New("the token is missing or wrong: open the address that goalproof studio printed"))
			return
		case !api && r.ContentLength != 0:
			dismiss(w, r, http.StatusBadRequest, errors.New("a request for a page has no body"))
			return
		case r.ContentLength > most:
			dismiss(w, r, http.StatusRequestEntityTooLarge, tooLarge(most))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
		defer takeRest(r)
		next.ServeHTTP(w, r)
	})
}

// dismiss answers with an error at once and closes the connection. It reads for a moment what the
// client is still sending, since the client may otherwise miss the answer.
func dismiss(w http.ResponseWriter, r *http.Request, status int, err error) {
	w.Header().Set("Connection", "close")
	refuse(w, status, err)
	control := http.NewResponseController(w)
	_ = control.Flush()
	_ = control.SetReadDeadline(time.Now().Add(time.Second))
	_, _ = io.CopyN(io.Discard, r.Body, MaxArchive)
}

// takeRest reads the rest of a body: a client that is still sending when the connection is closed
// may miss the answer.
func takeRest(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }

// sameOrigin reports whether a request comes from no other page, as far as the browser says.
// Sec-Fetch-Site is "none" if a person entered the address.
func sameOrigin(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	if site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := r.Header.Get("Origin")
	return origin == "" || strings.EqualFold(origin, "http://"+r.Host)
}

// authorized reports whether a request carries the token. The scheme is written in any case (RFC
// 9110, section 11.1).
func (s *Server) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "bearer") && subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
}

func tooLarge(most int64) error {
	if most == MaxBody {
		return fmt.Errorf("the request is longer than %d bytes: an archive of games may be longer, and is sent to %s", most, archivePath)
	}
	return fmt.Errorf("the request is longer than %d bytes", most)
}

// failure is the body of an answer that is an error.
type failure struct {
	Error string `json:"error"` // for a person; below the first line may stand the place in a text, with a caret
	// Code is "no_side" if only the side to move is missing, "busy" if the queue is full, "changed"
	// if the file has another version than the request names, or the name of a new one is taken, or
	// "".
	Code string `json:"code,omitempty"`
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, err error) {
	code := ""
	switch {
	case errors.Is(err, notation.ErrNoSide):
		code = "no_side"
	case errors.Is(err, errBusy):
		code = "busy"
	case errors.As(err, new(changed)):
		code = "changed"
	}
	reply(w, status, failure{inWords(err), code})
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"the answer cannot be written"}`)
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // the client may have disconnected
}

// answered answers a request with the result, or with the error.
func answered(w http.ResponseWriter, found any, err error) {
	if err != nil {
		refuse(w, statusOf(err), err)
		return
	}
	reply(w, http.StatusOK, found)
}

// missing is the error of a request for what does not exist.
type missing string

func (m missing) Error() string { return string(m) }

// changed is the error of a request that names another version of a file than the file has, or
// that makes a new file where there is one.
type changed string

func (c changed) Error() string { return string(c) }

// later is the error of a request that may be fulfilled when it is sent again.
type later struct{ error }

// Unwrap returns the reason.
func (l later) Unwrap() error { return l.error }

// statusOf returns the HTTP status for an error.
func statusOf(err error) int {
	switch {
	case errors.Is(err, errBusy):
		return http.StatusTooManyRequests
	case errors.As(err, new(changed)):
		return http.StatusConflict
	case errors.Is(err, errNoPlace), errors.Is(err, errIndexing), errors.Is(err, errSlow), errors.Is(err, library.ErrInUse),
		errors.As(err, new(later)):
		return http.StatusServiceUnavailable
	case errors.As(err, new(unread)):
		return http.StatusInternalServerError
	case errors.As(err, new(missing)):
		return http.StatusNotFound
	}
	return http.StatusUnprocessableEntity
}
