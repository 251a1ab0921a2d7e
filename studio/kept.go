package studio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"goalproof/internal/files"
)

// maxKept is the greatest length of a certificate or of a run that the studio writes and reads, in
// bytes.
const maxKept = 64 << 20

var errNothingKept = missing("there is nothing to keep: a job of the kind certificate has a certificate, and one of the kind verify or mine has a run")

// keepTask asks for what a job has written to be kept in the workspace.
type keepTask struct {
	Name    string `json:"name"`    // "": the studio chooses one that is free
	Suggest string `json:"suggest"` // what it makes the name of
}

// keptResult is what has been kept of a job.
type keptResult struct {
	keptFile
	Kind string `json:"kind"` // certificates or runs, as paths and events name them
}

// product is what can be kept of a job.
type product struct {
	kind  fileKind
	write func(io.Writer) error
}

// product returns the certificate that a job has written, or the run: the puzzles that it has
// listed. The lock of the queue is held.
func (j *job) product() (product, error) {
	switch j.kind {
	case "certificate":
		text := j.file
		return product{certificateFiles, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}}, absent(text == nil, errNoFile)
	case "verify", "mine":
		if !j.over() {
			return product{}, errors.New("the job is still listing puzzles: keep its run at the end, or stop it first")
		}
		all, err := j.set()
		return product{runFiles, func(w io.Writer) error { return writeRecords(w, all) }}, err
	}
	return product{}, errNothingKept
}

// keep keeps the certificate or the run of a job in the workspace. It replaces no file.
func (s *Server) keep(id string, task keepTask) (kept keptResult, err error) {
	made, err := ofJob(s.queue, id, (*job).product)
	if err != nil {
		return kept, err
	}
	var text bytes.Buffer
	if err := made.write(&limited{to: &text, left: maxKept, what: made.kind.what}); err != nil {
		return kept, err
	}
	kept.Kind = made.kind.name
	kept.keptFile, err = s.create(made.kind, task, text.Bytes())
	return kept, err
}

// create writes a new file of a kind.
func (s *Server) create(k fileKind, task keepTask, text []byte) (kept keptFile, err error) {
	s.saving.Lock()
	defer s.saving.Unlock()
	if task.Name == "" {
		if task.Name, err = s.freeName(task.Suggest, k); err != nil {
			return kept, err
		}
	}
	file, err := s.unused(task.Name, k)
	if err != nil {
		return kept, err
	}
	if err := s.room(k, int64(len(text)), true); err != nil {
		return kept, err
	}
	if err := files.WriteIn(s.options.Workspace, file, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}); err != nil {
		return kept, unsaved("the "+k.what+" was", err)
	}
	return s.created(task.Name, k)
}

// unused returns the file of a name that no file of the kind has.
func (s *Server) unused(name string, k fileKind) (file string, err error) {
	file, info, err := s.savedFile(name, k)
	if err == nil && info != nil {
		err = changed(taken(name, k).Error())
	}
	return file, err
}

// created returns a file that has just been written, and tells all listeners of it. s.saving is
// held.
func (s *Server) created(name string, k fileKind) (kept keptFile, err error) {
	info, err := s.options.Workspace.Lstat(name + k.suffix)
	if err != nil {
		return kept, err
	}
	kept = keptFile{name, stamp(info)}
	s.changedFile(k.name, name, kept.Version)
	return kept, nil
}

// sending answers with a file of a kind as it is.
func (s *Server) sending(k fileKind, contentType string) action {
	return file(func(w http.ResponseWriter, r *http.Request, _ struct{}) {
		name := subject(r)
		f, err := s.openWhole(name, k, 0)
		if err != nil {
			refuse(w, statusOf(err), err)
			return
		}
		defer f.Close()
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name+k.suffix))
		w.Header().Set("Content-Length", fmt.Sprint(f.Size()))
		_, _ = io.Copy(w, f) // the client may have disconnected
	}, contentType).failing(http.StatusUnprocessableEntity)
}

// earlier reads the run that a comparison names, or that it has as a text.
func (s *Server) earlier(task compareTask) (map[string][]outcome, error) {
	switch {
	case task.Run == "":
		return readRun(strings.NewReader(task.Text))
	case task.Text != "":
		return nil, errors.New("compare takes the text of an earlier run, or a run of the workspace")
	case !s.indexing.TryLock():
		return nil, errIndexing
	}
	defer s.indexing.Unlock()
	f, err := s.openWhole(task.Run, runFiles, maxKept)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := readRun(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", task.Run+runFiles.suffix, err)
	}
	return all, err
}

// keptRoutes are the requests about certificates and runs of the workspace.
func (s *Server) keptRoutes() []operation {
	return []operation{
		{"POST /api/jobs/{id}/keep", "Keep the certificate or the run of a job in the workspace.", handleAbout(s.keep).failing(http.StatusConflict)},
		{"GET /api/certificates", "List the certificates of the workspace.", s.listing(certificateFiles)},
		{"GET /api/certificates/{name}", "Read a certificate of the workspace.", s.sending(certificateFiles, "text/plain; charset=utf-8")},
		{"DELETE /api/certificates/{name}", "Delete a certificate of the workspace.", s.removing(certificateFiles)},
		{"POST /api/certificates/{name}/rename", "Give a certificate of the workspace another name.", s.renaming(certificateFiles)},
		{"GET /api/runs", "List the runs of the workspace.", s.listing(runFiles)},
		{"GET /api/runs/{name}", "Read a run of the workspace.", s.sending(runFiles, "application/x-ndjson")},
		{"DELETE /api/runs/{name}", "Delete a run of the workspace.", s.removing(runFiles)},
		{"POST /api/runs/{name}/rename", "Give a run of the workspace another name.", s.renaming(runFiles)},
	}
}
