package studio

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"goalproof/arimaa/notation"
)

const (
	maxSettings     = 64 << 10 // bytes of the file
	settingsVersion = 1
)

// settings are those of the page. They are kept in the workspace, because a browser keeps what
// belongs to an address, and the studio has another port each time.
type settings struct {
	Theme       string `json:"theme"`       // light, dark, contrast, or "": that of the system
	Pieces      string `json:"pieces"`      // drawn, which "" means too, flat or letters
	Coordinates bool   `json:"coordinates"` // beside the board
	Sounds      bool   `json:"sounds"`
	Animate     bool   `json:"animate"`  // steps
	Analysis    bool   `json:"analysis"` // of each position on the board, without being asked
	Width       int    `json:"width"`    // of variations: answers beside the most frequent one
}

var defaultSettings = settings{Coordinates: true, Animate: true, Width: defaultWidth}

// The values of settings that are texts.
var (
	themes = []string{"light", "dark", "contrast", ""}
	pieces = []string{"drawn", "flat", "letters", ""}
)

// check returns an error if a value is unknown.
func (s *settings) check() error {
	unknown := func(field, value string, known []string) error {
		return absent(!slices.Contains(known, value), fmt.Errorf("%s %q: it is %s or nothing",
			field, notation.Legible(value), strings.Join(known[:len(known)-1], ", ")))
	}
	return cmp.Or(unknown("theme", s.Theme, themes), unknown("pieces", s.Pieces, pieces),
		absent(s.Width < 1 || s.Width > maxWidth, fmt.Errorf("width %d: it is 1 to %d", s.Width, maxWidth)))
}

// settingsTask asks for settings to be changed: those that are not null.
type settingsTask struct {
	Theme       *string `json:"theme,omitempty"`
	Pieces      *string `json:"pieces,omitempty"`
	Coordinates *bool   `json:"coordinates,omitempty"`
	Sounds      *bool   `json:"sounds,omitempty"`
	Animate     *bool   `json:"animate,omitempty"`
	Analysis    *bool   `json:"analysis,omitempty"`
	Width       *int    `json:"width,omitempty"`
}

// change changes settings.
func (t *settingsTask) change(s *settings) error {
	text, err := json.Marshal(t) // without those that stay
	return cmp.Or(err, json.Unmarshal(text, s), s.check())
}

// settingsFile is the file of the settings in the workspace.
var settingsFile = stateFile{kind: "settings", file: "settings.json", what: "settings", most: maxSettings, newest: settingsVersion}

// preferences are the settings of a studio, as they are in the file.
type preferences struct {
	mu      sync.Mutex
	Version int `json:"version"`
	settings
}

// openSettings reads the settings of a workspace; they are the defaults if there is no file or no
// workspace. The notice says if the file was damaged.
func openSettings(root *os.Root) (p *preferences, notice string, err error) {
	p = &preferences{Version: settingsVersion, settings: defaultSettings}
	notice, err = settingsFile.open(root, func(text []byte) error {
		found := defaultSettings
		if err := cmp.Or(json.Unmarshal(text, &found), found.check()); err != nil {
			return err
		}
		p.settings = found
		return nil
	})
	return p, notice, err
}

// preferred answers with the settings.
func (s *Server) preferred() settings {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	return s.settings.settings
}

// prefer changes the settings.
func (s *Server) prefer(task settingsTask) (settings, error) {
	p := s.settings
	p.mu.Lock()
	defer p.mu.Unlock()
	next := preferences{Version: settingsVersion, settings: p.settings}
	if err := task.change(&next.settings); err != nil {
		return settings{}, err
	}
	v, err := settingsFile.write(s.options.Workspace, &next)
	if err != nil {
		return settings{}, unsaved("the settings were", err)
	}
	p.settings = next.settings
	s.changedFile(settingsFile.kind, settingsFile.what, v)
	return p.settings, nil
}

// settingsRoutes are the requests about settings.
func (s *Server) settingsRoutes() []operation {
	return []operation{
		{"GET /api/settings", "Read the settings of the page.", get(func(string) (settings, error) { return s.preferred(), nil })},
		{"POST /api/settings", "Keep settings of the page.", handle(s.prefer)},
	}
}
