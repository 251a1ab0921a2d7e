//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"goalproof/cluster"
)

// readTimes reads what questions took. The error names the file and the line.
func readTimes(path string) (times []time.Duration, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var o struct{ Seconds *float64 }
		if line[0] == '{' {
			err = json.Unmarshal(line, &o)
		} else {
			err = json.Unmarshal(line, &o.Seconds)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		case o.Seconds == nil:
			continue // a line about all questions together
		case !(*o.Seconds >= 0 && *o.Seconds < 1e6):
			return nil, fmt.Errorf("%s:%d: %v seconds", path, n, *o.Seconds)
		}
		times = append(times, time.Duration(*o.Seconds*float64(time.Second)))
	}
	if !slices.ContainsFunc(times, func(d time.Duration) bool { return d > 0 }) {
		return nil, fmt.Errorf("%s has no times: write it with --json", path)
	}
	return times, nil
}

// readCosts reads what BenchmarkCosts has printed: of each cost the median of all lines.
func readCosts(path string) (c cluster.Costs, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	all := map[string][]float64{} // a number stands before its name
	words := strings.Fields(string(text))
	for i := 1; i < len(words); i++ {
		if x, err := strconv.ParseFloat(words[i-1], 64); err == nil && x >= 0 && x < 1e6 {
			all[words[i]] = append(all[words[i]], x)
		}
	}
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		found := all[name]
		if len(found) == 0 {
			return c, fmt.Errorf("%s has no %s: write it with go test ./cluster -run '^$' -bench Costs -benchtime 1x", path, name)
		}
		slices.Sort(found)
		v.Field(i).SetInt(int64(found[len(found)/2] * float64(time.Microsecond)))
	}
	return c, nil
}
