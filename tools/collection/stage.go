package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"goalproof/internal/batch"
)

// A stage is a file with a line for each of its jobs, in their order, behind the header if there is
// one. It continues where the file ends: a line that was not finished is written again. What a job
// writes depends on its number alone, so the file is the same for any number of threads and of
// interruptions.
type stage[W any] struct {
	file    string
	header  string
	jobs    int
	threads int
	start   func() (W, error)                                                // makes the state of a thread
	do      func(ctx context.Context, w W, job int) (line string, err error) // job: from 0
}

// run does the jobs that the file lacks.
func (s *stage[W]) run(ctx context.Context) error {
	text, err := os.ReadFile(s.file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	f, err := os.OpenFile(s.file, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(int64(len(whole))); err != nil {
		return err
	}
	if _, err := f.Seek(int64(len(whole)), 0); err != nil {
		return err
	}
	done := bytes.Count(whole, []byte("\n"))
	switch {
	case s.header == "":
	case done > 0:
		done--
	default:
		if _, err := fmt.Fprintln(f, s.header); err != nil {
			return err
		}
	}
	for o := range batch.Run(ctx, batch.Numbers(done, s.jobs), s.threads, 4*s.threads, s.start, s.do) {
		if o.Err != nil {
			return fmt.Errorf("%s, job %d: %w", s.file, o.Job+1, o.Err)
		}
		if _, err := fmt.Fprintln(f, o.Value); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// readLines reads the JSON objects of a file, one in each line.
func readLines[T any](file string) (all []T, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for i, line := range slices.Collect(strings.Lines(string(text))) {
		var one T
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		all = append(all, one)
	}
	return all, nil
}
