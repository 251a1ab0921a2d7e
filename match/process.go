package match

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"time"

	"goalproof/aei"
)

// process is a program that runs, and the session with it.
type process struct {
	*aei.Client
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	errors tail
	gone   chan struct{} // closed when it has ended
}

// leaveTime is how long a process may take to end by itself, and how long what it has left behind may
// hold its output after that.
const leaveTime = time.Second

// startProcess starts a program.
func startProcess(args []string) (*process, error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		stdin.Close()
		in.Close()
		return nil, err
	}
	p := &process{cmd: exec.Command(args[0], args[1:]...), in: in, out: out, gone: make(chan struct{})}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, &p.errors
	p.cmd.WaitDelay = leaveTime / 2 // leaves must see that it has ended, whoever holds its standard error
	setGroup(p.cmd)
	err = p.cmd.Start()
	stdin.Close()
	stdout.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in ProcessState
		close(p.gone)
		_ = out.SetReadDeadline(time.Now().Add(leaveTime))
	}()
	p.Client = aei.NewClient(out, in)
	return p, nil
}

// leaves tells whether the process ends by itself soon.
func (p *process) leaves() bool {
	select {
	case <-p.gone:
		return true
	case <-time.After(leaveTime):
		return false
	}
}

// close ends the process, by force if it does not follow quit.
func (p *process) close() {
	p.Client.Close()
	p.in.Close()
	p.leaves()
	killGroup(p.cmd)
	<-p.gone
	p.out.Close()
}

// fate returns how a process ended whose output has ended, and the last that it said about it.
func (p *process) fate() string {
	if !p.leaves() {
		return "it has closed its output"
	}
	if last := p.errors.last(); last != "" {
		return fmt.Sprintf("%v, %.200q", p.cmd.ProcessState, last)
	}
	return p.cmd.ProcessState.String()
}

// tail keeps the end of what is written to it. It may be read when nothing more is written.
type tail struct{ text []byte }

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(b), nil
}

// last returns the last line.
func (t *tail) last() string {
	text := bytes.TrimSpace(t.text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
