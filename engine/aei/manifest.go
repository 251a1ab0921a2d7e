package aei

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

// Manifest describes a release of the engine to clients that install engines: how to start it, its
// options, and where to download it. As JSON it is an engine manifest (AEI, draft version 1), which
// clients expect under the name engine.json.
type Manifest struct {
	ManifestVersion int                 `json:"manifest_version"`
	ID              string              `json:"id"` // the same for all releases
	Name            string              `json:"name"`
	Version         string              `json:"version"`
	Author          string              `json:"author"`
	Description     string              `json:"description"`
	License         string              `json:"license"`             // SPDX identifier
	Args            []string            `json:"args"`                // that start the engine
	Downloads       map[string]Download `json:"downloads,omitempty"` // by platform, such as linux-x86_64
	Options         []OptionInfo        `json:"options"`
}

// Download is the archive for a platform.
type Download struct {
	URL     string `json:"url"`
	SHA256  string `json:"sha256"`  // in hexadecimal
	Archive string `json:"archive"` // tar.gz or zip
	Program string `json:"program"` // path in the archive
}

// OptionInfo describes an option that a person may want to set.
type OptionInfo struct {
	Name        string `json:"name"`
	Type        string `json:"type"` // spin (an integer) or string
	Default     any    `json:"default"`
	Min         *int   `json:"min,omitempty"`
	Max         *int   `json:"max,omitempty"`
	Description string `json:"description"`
}

// NewManifest returns the manifest of a version, without downloads.
func NewManifest(version string) *Manifest {
	spin := func(name string, initial, least, most int, description string) OptionInfo {
		return OptionInfo{name, "spin", initial, &least, &most, description}
	}
	return &Manifest{
		ManifestVersion: 1, ID: "goalproof", Name: name, Version: version, Author: author,
		Description: "Plays Arimaa, and announces a forced win as proved", License: "Apache-2.0", Args: []string{"aei"},
		Options: []OptionInfo{
			spin("hash", 0, 0, math.MaxInt32, "size of the tables in MB; 0: as --memory says"),
			spin("threads", 0, 0, math.MaxInt32, "threads that search; 0: as --threads says"),
			spin("depth", 0, math.MinInt32, math.MaxInt32, "depth of a search in steps; 0 or less: no limit"),
			spin("nodes", 0, 0, math.MaxInt32, "nodes of a search; 0: no limit"),
			spin("multipv", 1, 1, maxLines, "number of lines to analyse, the best of which is played"),
			{"without", "string", "", nil, nil, "parts of the engine to switch off, and weights to change: killers,frame=0.5"},
		},
	}
}

// archives names the operating systems and processors of downloads in the manner of manifests.
var archives = map[string]string{
	"linux": "linux", "darwin": "macos", "windows": "windows", "amd64": "x86_64", "arm64": "aarch64",
}

// archiveName is the name of an archive in the list of sums, between those of the version and of
// the kind of archive.
var archiveName = regexp.MustCompile(`^([0-9a-f]{64})  (goalproof-(.+)-(linux|darwin|windows)-(amd64|arm64))\.(tar\.gz|zip)$`)

// AddDownloads adds the archives of a release, given their list of SHA-256 sums, as sha256sum
// writes it into a file, and the address of the folder in which they are published. The error says
// which line of the file is no archive of this version, or that the address is not https, which
// clients require.
func (m *Manifest) AddDownloads(file, sums, url string) error {
	if rest, ok := strings.CutPrefix(url, "https://"); !ok || rest == "" || strings.ContainsAny(url, " \t\n") {
		return fmt.Errorf("%q is no address that begins with https://", url)
	}
	m.Downloads = map[string]Download{}
	number := 0
	for line := range strings.Lines(sums) {
		number++
		match := archiveName.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if match == nil {
			return fmt.Errorf("%s:%d: not the SHA-256 sum and the name of an archive", file, number)
		}
		sum, name, version, system, processor, kind := match[1], match[2], match[3], match[4], match[5], match[6]
		if version != m.Version {
			return fmt.Errorf("%s:%d: an archive of version %s, not %s", file, number, version, m.Version)
		}
		program := name + "/goalproof"
		if system == "windows" {
			program += ".exe"
		}
		m.Downloads[archives[system]+"-"+archives[processor]] = Download{
			URL: strings.TrimSuffix(url, "/") + "/" + name + "." + kind, SHA256: sum, Archive: kind, Program: program,
		}
	}
	if number == 0 {
		return errors.New(file + ": the list of sums is empty")
	}
	return nil
}
